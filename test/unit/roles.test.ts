/** Names of an installation's roles in SQL that is written for a lone one. */
import { expect, test } from 'vitest';
import { loginsOf, renameRoles, roleNames, rolePassword } from '#src/db/roles.ts';

test.each([
  ['create policy p on ledger.vouchers to hb_app, hb_worker;', 'to hb_acme_app, hb_acme_worker;'],
  [`when (session_user = 'hb_app')`, `when (session_user = 'hb_acme_app')`],
  [`format('… to hb_worker using (true)', t)`, 'to hb_acme_worker using (true)'],
])('%s names those of the installation', (text, renamed) => {
  expect(renameRoles(text, 'hb', 'hb_acme')).toContain(renamed);
});

test.each(['hb_owner', 'hb_beta_app', 'hb_app2', 'xhb_app', 'hb_applicant', '"hb_apps"'])(
  '%s is somebody else’s name and stays',
  (name) => expect(renameRoles(name, 'hb', 'hb_acme')).toBe(name),
);

test('names are turned back by the same rule, whatever the database is called', () => {
  for (const prefix of ['hb_acme', 'hb_app', 'hb_api_worker', 'hb_2']) {
    const text = roleNames('hb').join(' ');
    expect(renameRoles(text, 'hb', prefix)).toBe(roleNames(prefix).join(' '));
    expect(renameRoles(renameRoles(text, 'hb', prefix), prefix, 'hb')).toBe(text);
  }
});

test('two installations of one owner have different passwords, and books of before keep theirs', () => {
  const url = 'postgres://hb_owner:hemligt@db/bok';
  expect(rolePassword(url, 'hb_api')).toBe('vxPb8INwv0yIgRbeRR8y900I3szjQVWoUaGUsIHLoe0');
  expect(loginsOf(url, 'hb_acme')('hb_api')).not.toContain(rolePassword(url, 'hb_api'));
});
