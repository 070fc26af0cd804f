/** Each thing that may be wrong with the database, as the person who runs Huvudbok reads it. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { explainDatabaseFault } from '#src/db/faults.ts';

const url = 'postgres://hb_owner:hemligt@db.example:5432/bok';

const refusedBy = (code: string, message: string) => {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = code;
  return error;
};
const systemError = (code: string, more: object = {}) =>
  Object.assign(new Error(`connect ${code} 10.0.0.1:5432`), { code, ...more });

describe('what passes by itself is waited for', () => {
  it.each([
    ['a server that is not up', systemError('ECONNREFUSED'), 'DATABASE_URL'],
    ['a name that is not known yet', systemError('ENOTFOUND'), 'rätta namnet'],
    ['a host out of reach', systemError('EHOSTUNREACH'), 'nås inte'],
    ['a server that starts', refusedBy('57P03', 'the database system is starting up'), 'startar'],
    ['too many connections', refusedBy('53300', 'sorry, too many clients'), 'max_connections'],
    ['a full disk', refusedBy('53100', 'could not extend file'), 'full'],
    [
      'a full disk that lets no connection in',
      refusedBy('XX000', 'could not write init file'),
      'full',
    ],
    [
      'a disk that has become read-only, which PostgreSQL calls a missing right',
      refusedBy('42501', 'could not open file "global/pg_control": Read-only file system'),
      'disken är hel och går att skriva på',
    ],
    [
      'files that the server may not open',
      refusedBy('42501', 'could not open file "base/16385/2601": Permission denied'),
      'filerna är serverns egna',
    ],
    ['a standby', refusedBy('25006', 'read-only transaction'), 'standby'],
    [
      'a server that went back and stands still',
      refusedBy('25006', 'read-only transaction'),
      'pg_wal_replay_resume()',
    ],
    [
      'a database that an operator has shut',
      refusedBy('55000', 'database "bok" is not currently accepting connections'),
      'allow_connections true',
    ],
    ['a connection cut', new Error('Connection terminated unexpectedly'), 'nås inte'],
    ['no answer', new Error('timeout expired'), 'nås inte'],
    ['no socket', systemError('ENOENT', { syscall: 'connect' }), 'nås inte'],
  ])('%s', (_what, error, words) => {
    const fault = explainDatabaseFault(error, url);
    expect(fault).toMatchObject({ passes: true, message: expect.stringContaining(words) });
  });
});

describe('what never passes is told, with the way out', () => {
  it.each([
    ['a wrong password', refusedBy('28P01', 'password authentication failed'), 'hb_owner'],
    ['pg_hba.conf', refusedBy('28000', 'no pg_hba.conf entry for host'), 'pg_hba.conf'],
    ['an unknown database', refusedBy('3D000', 'database "bok" does not exist'), 'createdb'],
    ['a missing right', refusedBy('42501', 'permission denied to create role'), 'skapa roller'],
    ['TLS refused', new Error('The server does not support SSL connections'), 'sslmode'],
    ['a certificate', systemError('SELF_SIGNED_CERT_IN_CHAIN'), 'sslrootcert'],
    [
      'a certificate of another name',
      systemError('ERR_TLS_CERT_ALTNAME_INVALID'),
      'utfärdat för ett annat namn',
    ],
    ['a certificate that is over', systemError('CERT_HAS_EXPIRED'), 'har gått ut: förnya det'],
    ['no password', new Error('SASL: client password must be a string'), 'saknar lösenordet'],
    ['another program', new Error('received invalid response: 48'), 'något annat än PostgreSQL'],
  ])('%s', (_what, error, words) => {
    const fault = explainDatabaseFault(error, url);
    expect(fault).toMatchObject({ passes: false, message: expect.stringContaining(words) });
  });
});

it('sends nobody with the embedded database to DATABASE_URL, which they have not set', () => {
  const embedded = 'postgres://hb_owner:hemligt@127.0.0.1:39251/huvudbok';
  const faults = [
    systemError('ECONNREFUSED'),
    new Error('Connection terminated unexpectedly'),
    ...['57P03', '53100', '28P01', '28000', '3D000', '42501'].map((code) => refusedBy(code, 'no')),
  ];
  for (const fault of faults) {
    const { message = '' } = explainDatabaseFault(fault, embedded, '/srv/bok/data') ?? {};
    expect(message).toContain('/srv/bok/data');
    expect(message).not.toMatch(/DATABASE_URL|39251/);
  }
});

it('leaves alone what is no fault of the database', () => {
  for (const error of [
    refusedBy('23505', 'duplicate key'),
    refusedBy('42P01', 'relation does not exist'),
    new TypeError('x is not a function'),
    'a text',
  ]) {
    expect(explainDatabaseFault(error, url)).toBeUndefined();
  }
});

it('never says the password, and says something also without an address', () => {
  for (const code of ['28P01', '3D000', '42501', '57P03', '53300', '08006']) {
    for (const address of [url, 'postgres://hb_owner:hem@/ligt@db.example/bok', '', 'nonsens']) {
      const { message = '' } = explainDatabaseFault(refusedBy(code, 'no'), address) ?? {};
      expect(message).toMatch(/^[A-ZÅÄÖ\w].*\.$/);
      expect(message).not.toMatch(/hem|ligt/);
    }
  }
});
