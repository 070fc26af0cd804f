/** Inviting people by a link: it opens once, for a week, for whoever it was made for, and is as hard to guess as a log-in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { findUserByEmail, getUser } from '#src/access/users/store.ts';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { runCommand } from '../support/command.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import {
  type LoggedIn,
  logIn,
  PASSWORD,
  tokensOf,
  type Visitor,
  visit,
} from '../support/person.ts';
import { times } from '../support/processes.ts';

const url = '/installningar/anvandare';
const atBok = { env: { BASE_URL: 'https://bok.example' } };
const chosen = { next: PASSWORD, again: PASSWORD };
let mail: MailServer;
let installation: Installation;
let owner: LoggedIn;
let admin: LoggedIn;
beforeAll(async () => {
  mail = await startMailServer();
  installation = await createInstallation({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'bok@exempel.se' },
  });
  owner = await logIn(installation, 'agare');
  admin = await logIn(installation, 'administrator');
});
afterAll(async () => {
  await installation.close();
  await mail.close();
});
// All come from one address; what slows down guessing has a test of its own.
const forgetCounts = () => db(installation.owner).query(sql`delete from restricted.login_windows`);
beforeEach(forgetCounts);

const linkIn = (text: string): string =>
  /https:\/\/bok\.example(\/inbjudan\?nyckel=[\w-]{43})/.exec(
    text.replaceAll('&#x3D;', '='),
  )?.[1] ?? '';
const secretIn = (link: string): string => link.split('=')[1] ?? '';
const userOf = async (email: string) => {
  const user = await findUserByEmail(db(installation.owner), email);
  if (!user) throw new Error('no user');
  return user;
};

let made = 0;
/** Somebody new, and the link that they were given. */
async function invite(role = 'medarbetare', fields: Record<string, string> = {}) {
  made += 1;
  const email = `inbjuden-${made}@exempel.se`;
  const answer = await owner.submit(`${url}/ny`, { email, name: 'Ny Person', role, ...fields });
  return { email, answer, link: linkIn(answer.body), id: (await userOf(email)).id };
}

/** A browser that has opened the link, and `answer`s the form that it showed then. */
async function open(link: string) {
  const visitor: Visitor = visit(installation);
  await visitor.get(link);
  const tokens = tokensOf((await visitor.get('/inbjudan')).body);
  const answer = (fields: Record<string, string> = chosen) =>
    visitor.post('/inbjudan', { ...tokens, ...fields });
  return { ...visitor, answer };
}

async function logInWith(email: string, password: string) {
  const visitor = visit(installation);
  return visitor.submit('/logga-in', { email, password });
}

/** As though so much time had passed since they were let in. */
const age = (id: string, interval: string) =>
  db(installation.owner).query(sql`update restricted.users
    set invitation_expires_at = invitation_expires_at - ${interval}::interval,
      password_expires_at = password_expires_at - ${interval}::interval where id = ${id}::uuid`);

const expectClosed = async (link: string) => {
  const answer = await visit(installation).get(link);
  expect([answer.statusCode, answer.body]).toEqual([
    410,
    expect.stringContaining('Be den som bjöd in dig om en ny länk'),
  ]);
};

describe('whoever is invited', () => {
  test('opens the link, chooses a password and is in, and logs in with it from then on', async () => {
    const { email, link, answer } = await invite();
    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain('mejlad');
    expect((await owner.get(url)).body).toContain('Inbjuden');
    const newcomer = visit(installation);
    const opened = await newcomer.get(link);
    // Out of the address, where it would be seen and kept.
    expect([opened.statusCode, opened.headers.location]).toEqual([303, '/inbjudan']);
    expect((await newcomer.get('/inbjudan')).body).toContain(email);
    const done = await newcomer.submit('/inbjudan', chosen);
    expect([done.statusCode, done.headers.location]).toEqual([303, '/oversikt']);
    expect((await newcomer.get('/oversikt')).body).toContain('Ny Person');
    expect((await logInWith(email, PASSWORD)).statusCode).toBe(303);
    const user = await userOf(email);
    expect(user).toMatchObject({ password_is_temporary: false, invitation_expires_at: null });
    const told = await db(installation.owner).query<{ action: string; actor: string }>(
      sql`select action, actor from audit.events where subject = ${user.id} and action like 'user.invit%'
          order by occurred_at`,
    );
    expect(told).toEqual([
      { action: 'user.invited', actor: `user:${owner.id}` },
      { action: 'user.invitation_accepted', actor: `user:${user.id}` },
    ]);
  });

  test('is told what is wrong with a password, and has the link left', async () => {
    const { link } = await invite();
    const newcomer = await open(link);
    const short = await newcomer.submit('/inbjudan', { next: 'kort', again: 'kort' });
    expect([short.statusCode, short.body]).toEqual([422, expect.stringContaining('f-next-error')]);
    const unlike = await newcomer.submit('/inbjudan', { ...chosen, again: 'något helt annat' });
    expect([unlike.statusCode, unlike.body]).toEqual([
      400,
      expect.stringContaining('f-again-error'),
    ]);
    expect(unlike.body).not.toContain(PASSWORD);
    expect((await newcomer.submit('/inbjudan', chosen)).statusCode).toBe(303);
  });

  test('still shows their second factor when they choose a new password by a link', async () => {
    const { id, link, email } = await invite();
    await db(installation.owner).query(
      sql`update restricted.users set totp_hash = sha256('') where id = ${id}::uuid`,
    );
    const visitor = await open(link);
    const done = await visitor.submit('/inbjudan', chosen);
    expect(done.headers.location).toBe('/logga-in/kod');
    expect((await visitor.get('/oversikt')).statusCode).toBe(303);
    expect((await logInWith(email, PASSWORD)).headers.location).toMatch(/^\/logga-in\/kod/);
  });

  test('is not let in before they have chosen one, with any password', async () => {
    const { email } = await invite();
    for (const password of ['', ' ', 'vad som helst', PASSWORD]) {
      expect((await logInWith(email, password)).statusCode).toBe(401);
    }
  });
});

describe('a link opens nothing', () => {
  test('once it is used', async () => {
    const { link, email } = await invite();
    const first = await open(link);
    const second = await open(link);
    expect((await first.answer()).statusCode).toBe(303);
    const other = { next: 'någon annans ord', again: 'någon annans ord' };
    expect((await second.answer(other)).statusCode).toBe(410);
    expect((await logInWith(email, other.next)).statusCode).toBe(401);
    await expectClosed(link);
  });

  test('to the second of two who answer at the same moment', async () => {
    const { link } = await invite();
    const both = [await open(link), await open(link)];
    const answers = await Promise.all(both.map((one) => one.answer()));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 410]);
  });

  test('after seven days, also in a browser that opened it before', async () => {
    const { link, id } = await invite();
    const early = await open(link);
    await age(id, '6 days 23 hours');
    expect((await early.get('/inbjudan')).statusCode).toBe(200);
    await age(id, '1 hour 1 minute');
    expect((await early.answer()).statusCode).toBe(410);
    await expectClosed(link);
    expect((await owner.get(url)).body).toContain('Inbjudan gäller inte längre');
  });

  test('when a new one is made, it is withdrawn, the address was wrong or its user is shut out', async () => {
    const page = (id: string, path: string) =>
      owner.submit(`${url}/${id}/${path}`, {}, `${url}/ny`);
    const replaced = await invite();
    const again = linkIn((await page(replaced.id, 'inbjudan')).body);
    await expectClosed(replaced.link);
    expect((await (await open(again)).submit('/inbjudan', chosen)).statusCode).toBe(303);
    const withdrawn = await invite();
    expect((await page(withdrawn.id, 'inbjudan/dra-tillbaka')).statusCode).toBe(303);
    await expectClosed(withdrawn.link);
    const wrong = await invite();
    const corrected = { email: `ratt-${made}@exempel.se`, name: 'Rätt', role: 'medarbetare' };
    expect((await owner.submit(`${url}/${wrong.id}`, corrected)).statusCode).toBe(303);
    await expectClosed(wrong.link);
    const shut = await invite();
    await page(shut.id, 'stang-av');
    await page(shut.id, 'slapp-in');
    await expectClosed(shut.link);
    await page(shut.id, 'stang-av');
    const refused = await page(shut.id, 'inbjudan');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('avstängd')]);
  });

  test('once whoever gave it may not let its user in any more: no administrator makes an owner so', async () => {
    const become = (id: string, email: string, role: string) =>
      owner.submit(`${url}/${id}`, { email, name: 'Ny Person', role });
    const link = async (by: LoggedIn, id: string) =>
      linkIn((await by.submit(`${url}/${id}/inbjudan`, {}, url)).body);
    const raised = await invite();
    const byAdmin = await link(admin, raised.id);
    const early = await open(byAdmin);
    expect((await become(raised.id, raised.email, 'agare')).statusCode).toBe(303);
    expect((await early.answer()).statusCode).toBe(410);
    await expectClosed(byAdmin);
    expect((await owner.get(`${url}/${raised.id}`)).body).toContain('Gäller inte längre');
    // An owner's own stays what it was.
    const byOwner = await link(owner, raised.id);
    expect((await become(raised.id, raised.email, 'administrator')).statusCode).toBe(303);
    expect((await (await open(byOwner)).answer()).statusCode).toBe(303);

    const leaving = await invite('administrator');
    expect((await (await open(leaving.link)).answer()).statusCode).toBe(303);
    const leaver = visit(installation);
    await leaver.submit('/logga-in', { email: leaving.email, password: PASSWORD });
    const [shut, lessened] = [await invite(), await invite()];
    const given = async (id: string) =>
      linkIn((await leaver.submit(`${url}/${id}/inbjudan`, {}, url)).body);
    const links = [await given(shut.id), await given(lessened.id)];
    await become(leaving.id, leaving.email, 'medarbetare');
    for (const one of links) await expectClosed(one);
    await become(leaving.id, leaving.email, 'administrator');
    expect((await (await open(links[0] ?? '')).answer()).statusCode).toBe(303);
    await owner.submit(`${url}/${leaving.id}/stang-av`, {}, `${url}/ny`);
    await expectClosed(links[1] ?? '');
  });

  test('and says the same, whatever is wrong with it', async () => {
    const used = await invite();
    await (await open(used.link)).submit('/inbjudan', chosen);
    const old = await invite();
    await age(old.id, '8 days');
    const unknown = `/inbjudan?nyckel=${'A'.repeat(43)}`;
    const bodies = [];
    for (const link of [used.link, old.link, unknown, '/inbjudan?nyckel=kort', '/inbjudan']) {
      const { body, statusCode } = await visit(installation).get(link);
      expect(statusCode).toBe(410);
      bodies.push(body);
    }
    expect(new Set(bodies).size).toBe(1);
  });

  test('to whoever guesses: after fifty looks they wait, as at the log-in', async () => {
    const { link } = await invite();
    const visitor = visit(installation);
    for (const _ of times(50)) await visitor.get(`/inbjudan?nyckel=${'B'.repeat(43)}`);
    const late = await visitor.get(link);
    expect([late.statusCode, Number(late.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(late.body).toContain('För många försök');
    expect((await logInWith(owner.email, PASSWORD)).statusCode).toBe(429);
  });

  test('from a form of another site', async () => {
    const { link } = await invite();
    const visitor = await open(link);
    expect((await visitor.post('/inbjudan', chosen)).statusCode).toBe(403);
    await visitor.get('/inbjudan');
    expect((await visitor.post('/inbjudan', chosen)).statusCode).toBe(403);
  });

  test('that the database holds: it knows a hash of it, and tells nobody that', async () => {
    const { link, id } = await invite();
    const secret = secretIn(link);
    const [stored] = await db(installation.owner).query<{ row: string }>(
      sql`select u::text as row from restricted.users u where id = ${id}::uuid`,
    );
    expect(stored?.row).not.toContain(secret);
    // What the browser's secret is hashed to is no key either.
    expect(stored?.row).not.toContain(hashOfSecret(secret).toString('hex'));
    const [rights] = await db(installation.owner).query<{ reads: boolean }>(sql`select
      has_column_privilege(r.oid, 'restricted.users', 'invitation_hash', 'select') as reads
      from pg_roles r where rolname like '%hb\_app' order by has_table_privilege(r.oid, 'restricted.sessions', 'delete') desc limit 1`);
    expect(rights?.reads).toBe(false);
  });
});

describe('whoever invites', () => {
  test('has the link mailed when they want, and reads it all the same', async () => {
    const { email, answer, link } = await invite('lasare', { mail: 'on' });
    expect(answer.body).toContain(`mejlad till ${email}`);
    const [received] = mail.received.filter(({ to }) => to.includes(email));
    expect(received?.from).toBe('bok@exempel.se');
    const text = received?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
    expect(linkIn(text)).toBe(link);
  });

  test('is told when the mail server does not take it, and has the link to hand over', async () => {
    const dead = await createInstallation({
      env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'bok@exempel.se' },
    });
    try {
      const other = await logIn(dead, 'agare');
      const fields = { email: 'x@exempel.se', role: 'lasare', mail: 'on' };
      const answer = await other.submit(`${url}/ny`, fields);
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('Länken blev inte mejlad.');
      const visitor = visit(dead);
      await visitor.get(linkIn(answer.body));
      expect((await visitor.submit('/inbjudan', chosen)).statusCode).toBe(303);
    } finally {
      await dead.close();
    }
  });

  test('is an owner for everybody, and an administrator for those who may less', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    const by = (person: LoggedIn, id: string) => person.submit(`${url}/${id}/inbjudan`, {}, url);
    const link = linkIn((await by(admin, keeper.id)).body);
    // The password that they have goes on until the link is used.
    expect((await keeper.get('/oversikt')).statusCode).toBe(200);
    const next = { next: 'ett alldeles nytt', again: 'ett alldeles nytt' };
    expect((await (await open(link)).submit('/inbjudan', next)).statusCode).toBe(303);
    expect((await keeper.get('/oversikt')).statusCode).toBe(303);
    for (const path of ['inbjudan', 'inbjudan/dra-tillbaka']) {
      for (const id of [owner.id, admin.id]) {
        expect((await admin.submit(`${url}/${id}/${path}`, {}, url)).statusCode).toBe(403);
      }
    }
  });

  test('is told that a link of the machine itself opens nothing elsewhere', async () => {
    expect((await invite()).answer.body).not.toContain('sätt BASE_URL');
    const local = await createInstallation({ env: { BASE_URL: 'http://127.0.0.1:3000' } });
    try {
      const other = await logIn(local, 'agare');
      const answer = await other.submit(`${url}/ny`, { email: 'y@exempel.se', role: 'lasare' });
      expect(answer.body).toContain('sätt BASE_URL');
    } finally {
      await local.close();
    }
  });

  test('may not leave the books to an owner who has never come', async () => {
    await invite('agare');
    const fields = { email: owner.email, name: 'X', role: 'administrator' };
    const answer = await owner.submit(`${url}/${owner.id}`, fields);
    expect([answer.statusCode, answer.body]).toEqual([
      422,
      expect.stringContaining('minst en aktiv ägare'),
    ]);
  });

  test('does the same by a command', async () => {
    const words = ['user', 'invite', 'kommando@exempel.se', '--role', 'lasare', '--json'];
    const answer = JSON.parse((await runCommand(installation, words, atBok)).stdout);
    const user = await userOf('kommando@exempel.se');
    expect(answer).toMatchObject({ id: user.id, isMailed: false });
    const link = new URL(answer.link);
    const newcomer = await open(link.pathname + link.search);
    expect((await newcomer.submit('/inbjudan', chosen)).statusCode).toBe(303);
    const again = await runCommand(installation, ['user', 'invite', 'kommando@exempel.se'], atBok);
    expect(again.stdout).toContain('/inbjudan?nyckel=');
    expect(again.stderr).toBe('');
    const local = await runCommand(installation, ['user', 'invite', 'kommando@exempel.se']);
    expect(local.stderr).toContain('sätt BASE_URL');
    const unknown = await runCommand(installation, ['user', 'invite', 'okand@exempel.se']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('--role')]);
  });
});

test('a temporary password opens nothing once whoever gave it may not let its user in any more', async () => {
  const given = async (by: LoggedIn, id: string) => {
    const shown = await by.submit(`${url}/${id}/losenord`, {}, url);
    return /id="temporary-password">([a-z2-9-]{19})</.exec(shown.body)?.[1] ?? '';
  };
  const { id, email } = await invite();
  const fields = { email, name: 'Ny Person', role: 'agare' };
  const password = await given(admin, id);
  // Begun before, and only to choose a password of one's own.
  const waiting = visit(installation);
  expect((await waiting.submit('/logga-in', { email, password })).statusCode).toBe(303);
  expect((await owner.submit(`${url}/${id}`, fields)).statusCode).toBe(303);
  expect((await logInWith(email, password)).statusCode).toBe(401);
  const own = { password, next: 'ett alldeles eget', again: 'ett alldeles eget' };
  const change = await waiting.submit('/mitt-konto/losenord', own);
  expect(change.statusCode).toBe(422);
  expect((await logInWith(email, own.next)).statusCode).toBe(401);
  expect((await owner.get(`${url}/${id}`)).body).toContain('Tillfälligt, gäller inte längre');
  expect((await logInWith(email, await given(owner, id))).statusCode).toBe(303);
});

test('a temporary password opens nothing after seven days, and says no more than a wrong one', async () => {
  const { id, email } = await invite();
  const shown = await owner.submit(`${url}/${id}/losenord`, {}, `${url}/ny`);
  const password = /id="temporary-password">([a-z2-9-]{19})</.exec(shown.body)?.[1] ?? '';
  await age(id, '6 days 23 hours');
  expect((await logInWith(email, password)).statusCode).toBe(303);
  await age(id, '1 hour 1 minute');
  const late = await logInWith(email, password);
  const wrong = await logInWith(email, 'fel lösenord');
  const without = (body: string) => body.replace(/value="[^"]*"/g, '');
  expect([late.statusCode, without(late.body)]).toEqual([401, without(wrong.body)]);
  expect((await owner.get(`${url}/${id}`)).body).toContain('Tillfälligt, gäller inte längre');
  expect(await getUser(db(installation.owner), id)).toMatchObject({ password_is_over: true });
});
