/** DATABASE_URL is read as libpq reads it, and never told to anybody with its password. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import {
  parseDatabaseUrl,
  tlsModeFor,
  tlsOptionsFor,
  withLogin,
} from '#src/config/database-url.ts';
import { loginsOf, rolePassword } from '#src/db/roles.ts';

const secret = 'hemligt-lösen';
const folder = mkdtempSync(join(tmpdir(), 'huvudbok tls '));
afterAll(() => rmSync(folder, { recursive: true }));
/** The path of a file with this in it. */
function file(name: string, content: string | undefined): string {
  writeFileSync(join(folder, name), content ?? '');
  return join(folder, name);
}
const certificate = file('certificate.pem', rootCertificates[0]);

it('reads one server', () => {
  expect(parseDatabaseUrl('postgres://u:p@db.exempel.se:6000/bok')).toMatchObject({
    servers: [{ host: 'db.exempel.se', port: 6000 }],
    user: 'u',
    password: 'p',
    database: 'bok',
    target: 'any',
    connectTimeoutMs: 5_000,
    tls: undefined,
  });
});

it.each<[url: string, servers: [string, number][]]>([
  [
    'postgresql://u:p@h1:5433,h2/db',
    [
      ['h1', 5433],
      ['h2', 5432],
    ],
  ],
  [
    'postgres://u:p@[::1]:5433,[2001:db8::2]/db',
    [
      ['::1', 5433],
      ['2001:db8::2', 5432],
    ],
  ],
  ['postgres://u:p@%2Fvar%2Frun%2Fpostgresql/db', [['/var/run/postgresql', 5432]]],
  ['postgres:///db?host=/var/run/postgresql&port=5433', [['/var/run/postgresql', 5433]]],
  [
    'postgres://u@/db?host=h1,h2&port=5433',
    [
      ['h1', 5433],
      ['h2', 5433],
    ],
  ],
  [
    'postgres://u@/db?host=h1,h2&port=1,2',
    [
      ['h1', 1],
      ['h2', 2],
    ],
  ],
  ['postgres:///db', [['localhost', 5432]]],
])('finds the servers of %s', (url, servers) => {
  expect(parseDatabaseUrl(url).servers).toEqual(servers.map(([host, port]) => ({ host, port })));
});

it('writes to one of several servers unless told otherwise', () => {
  const target = (url: string) => parseDatabaseUrl(url).target;
  expect(target('postgres://u@h1,h2/db')).toBe('read-write');
  expect(target('postgres://u@h1,h2/db?target_session_attrs=any')).toBe('any');
  expect(target('postgres://u@h1/db?target_session_attrs=primary')).toBe('primary');
});

it('decodes the login and everything else, and leaves plus signs alone', () => {
  const settings = parseDatabaseUrl(
    'postgres://%C3%A5sa:p%40ss%3A%2F%3F%23%25+@h/b%C3%B6cker?application_name=a%20b+c&options=-c%20search_path%3Dx&connect_timeout=12',
  );
  expect(settings).toMatchObject({
    user: 'åsa',
    password: 'p@ss:/?#%+',
    database: 'böcker',
    applicationName: 'a b+c',
    options: '-c search_path=x',
    connectTimeoutMs: 12_000,
  });
});

it.each([
  ['http://u:PASS@h/db', /postgres:\/\//],
  ['postgres://u:PA@SS@h/db', /procentkodas/],
  ['postgres://u:PASS/x@h/db', /port/],
  ['postgres://u:PASS#x@h/db', /procentkodas/],
  ['postgres://u:PA@SS/x@h/db', /databasens namn.*procentkodas/],
  ['postgres://u:PASS%@h/db', /lösenordet.*%25/],
  ['postgres://u:PASS@h:0/db', /port/],
  ['postgres://u:PASS@h:99999/db', /port/],
  ['postgres://u:PASS@h1,,h2/db', /värdarna är tom/],
  ['postgres://u:PASS@::1/db', /IPv6/],
  ['postgres://u:PASS@[nej]/db', /IPv6/],
  ['postgres://u:PASS@h1,h2/db?port=1,2,3', /port/],
  ['postgres://u@h/db?password=PASS', /lösenordet anges före @/],
  ['postgres://u:PASS@h/db?user=v', /användaren anges före @/],
  ['postgres://u:PASS@h/db?ssl=true', /sslmode/],
  ['postgres://u:PASS@h/db?sslmode=no-verify', /sslmode.*verify-full/],
  ['postgres://u:PASS@h/db?sslmode=allow', /sslmode.*prefer/],
  ['postgres://u:PASS@h/db?sslmode=verify-ca', /sslrootcert/],
  ['postgres://u:PASS@h/db?sslmode=require&sslrootcert=system', /verify-full/],
  ['postgres://u:PASS@h/db?sslmode=require&sslcert=a', /sslkey/],
  ['postgres://u:PASS@h/db?target_session_attrs=standby', /target_session_attrs.*read-write/],
  ['postgres://u:PASS@h/db?connect_timeout=0', /connect_timeout/],
  ['postgres://u:PASS@h/db?channel_binding=ja', /channel_binding/],
  ['postgres://u:PASS@h/db?load_balance_hosts=random', /load_balance_hosts/],
  ['postgres://u:PASS@h/db?sslmode=require&sslmode=disable', /två gånger/],
])('refuses %s in a sentence without its password', (pattern, sentence) => {
  const url = pattern.replace('PASS', encodeURI(secret));
  const read = () => loadConfig({ DATABASE_URL: url });
  expect(read).toThrow(sentence);
  expect(read).toThrow(/DATABASE_URL/);
  expect(read).not.toThrow(secret);
  expect(read).not.toThrow(encodeURI(secret));
});

it('takes several hosts as configuration', () => {
  const url = 'postgres://u:p@h1:5432,h2:5433/db?target_session_attrs=read-write';
  expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

it("keeps servers and parameters with a role's login", () => {
  const url = 'postgres://ägare:p%40@h1:1,[::1]:2/db?sslmode=require&application_name=x';
  const role = parseDatabaseUrl(loginsOf(url, 'hb')('hb_api'));
  const owner = parseDatabaseUrl(url);
  expect(role).toEqual({ ...owner, user: 'hb_api', password: rolePassword(url, 'hb_api') });
  // A login without a password gives logins without one, and the user's database stays the same.
  expect(withLogin('postgres://hb_owner@/?host=/tmp', 'hb_api', null)).toBe(
    'postgres://hb_api@/hb_owner?host=/tmp',
  );
});

it('gives every sslmode the meaning it has in libpq', () => {
  const server = { host: 'db.exempel.se', port: 5432 };
  const root = `&sslrootcert=${encodeURIComponent(certificate)}`;
  const of = (parameters: string) => {
    const settings = parseDatabaseUrl(`postgres://u@h/db?${parameters}`);
    const { rejectUnauthorized, checkServerIdentity, ca } = tlsOptionsFor(settings, server);
    return {
      mode: tlsModeFor(settings, server),
      verifies: rejectUnauthorized,
      looksAtName: rejectUnauthorized && checkServerIdentity === undefined,
      hasRoots: ca !== undefined,
    };
  };
  const never = { verifies: false, looksAtName: false, hasRoots: false };
  expect(of('')).toEqual({ mode: 'prefer', ...never });
  expect(of('sslmode=disable')).toMatchObject({ mode: 'disable' });
  expect(of('sslmode=prefer')).toEqual({ mode: 'prefer', ...never });
  expect(of('sslmode=require')).toEqual({ mode: 'require', ...never });
  const verifying = { verifies: true, hasRoots: true };
  expect(of(`sslmode=require${root}`)).toMatchObject({ ...verifying, looksAtName: false });
  expect(of(`sslmode=verify-ca${root}`)).toMatchObject({ ...verifying, looksAtName: false });
  expect(of(`sslmode=verify-full${root}`)).toMatchObject({ ...verifying, looksAtName: true });
  expect(of('sslmode=verify-full')).toMatchObject({ verifies: true, looksAtName: true });
  expect(of('sslrootcert=system')).toMatchObject({ ...verifying, looksAtName: true });
  expect(() => of('sslmode=verify-full&sslrootcert=/finns/inte')).toThrow(/sslrootcert.*ENOENT/);
});

it('encrypts to other machines where it can, and not to itself', () => {
  const of = (host: string, query = '') =>
    tlsModeFor(parseDatabaseUrl(`postgres://u@h/db${query}`), { host, port: 5432 });
  expect(['127.0.0.1', 'localhost', '::1', '/tmp'].map((host) => of(host))).toEqual(
    Array(4).fill('disable'),
  );
  expect(of('10.0.0.1')).toBe('prefer');
  expect(of('127.0.0.1', '?sslmode=require')).toBe('require');
  expect(of('/tmp', '?sslmode=require')).toBe('disable');
});

it('names the file of TLS that cannot be used, instead of ending with what OpenSSL says', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const plain = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const passphrase = 'hemligt';
  const sealed = privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    .toString();
  const key = file('key.pem', plain);
  const sealedKey = file('sealed.pem', sealed);
  const of = (parameters: Record<string, string>) => () => {
    const url = `postgres://u@h/db?${new URLSearchParams(parameters)}`.replaceAll('+', '%20');
    return tlsOptionsFor(parseDatabaseUrl(url), { host: 'db.exempel.se', port: 5432 });
  };
  expect(of({ sslrootcert: key })).toThrow(/key.pem som sslrootcert .* inget certifikat/);
  expect(of({ sslcert: key, sslkey: key })).toThrow(/key.pem som sslcert .* inget certifikat/);
  expect(of({ sslcert: certificate, sslkey: certificate })).toThrow(/sslkey .* ingen nyckel/);
  expect(of({ sslcert: certificate, sslkey: key })).toThrow(/key.pem .* hör inte till/);
  expect(of({ sslcert: certificate, sslkey: sealedKey })).toThrow(/sslpassword saknas/);
  const withPassword = (sslpassword: string) =>
    of({ sslcert: certificate, sslkey: sealedKey, sslpassword });
  expect(withPassword('annat')).toThrow(/sslpassword öppnar den inte/);
  expect(withPassword('annat')).not.toThrow('annat');
  expect(withPassword(passphrase)).toThrow(/hör inte till/);
});

it('waits for a file handle, instead of ending for want of one to read a certificate with', () => {
  const script = `
    import { openSync } from 'node:fs';
    import { parseDatabaseUrl, tlsOptionsFor } from '#src/config/database-url.ts';
    import { explainDatabaseFault } from '#src/db/faults.ts';
    const settings = parseDatabaseUrl('postgres://u@h/db?sslrootcert=package.json');
    try { for (;;) openSync('package.json'); } catch {}
    try { tlsOptionsFor(settings, settings.servers[0]); }
    catch (error) { console.log(explainDatabaseFault(error)?.passes); }`;
  const told = execFileSync('bash', [
    '-c',
    'ulimit -n 64; exec "$0" --input-type=module -e "$1"',
    process.execPath,
    script,
  ]);
  expect(told.toString()).toBe('true\n');
});
