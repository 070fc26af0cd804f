/** Every sslmode does to a real server what it does in libpq, and nothing more is believed than it says. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { explainDatabaseFault } from '#src/db/faults.ts';
import { connect, createPool } from '#src/db/pool.ts';
import { query } from './embedded.ts';
import { startServer, type TestServer } from './replicas.ts';

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

/** An authority and, in its name, a certificate of `subject`. */
function makeCertificate(folder: string, authority: string, name: string, subject: string): void {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const short = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...short,
    '-keyout',
    `${authority}.key`,
    '-out',
    `${authority}.crt`,
    '-subj',
    `/CN=${authority}`,
    '-days',
    '2',
  );
  openssl(
    'req',
    ...short,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    `/CN=${subject}`,
  );
  const alternative = `subjectAltName=DNS:${subject}`;
  execFileSync(
    'bash',
    [
      '-c',
      `openssl x509 -req -in ${name}.csr -CA ${authority}.crt -CAkey ${authority}.key -CAcreateserial -days 2 -out ${name}.crt -extfile <(printf '${alternative}')`,
    ],
    { cwd: folder, stdio: 'pipe' },
  );
}

describe.skipIf(!hasOpenssl)('with a server that speaks TLS', () => {
  let server: TestServer;
  let folder: string;

  beforeEach(async () => {
    server = await startServer();
    folder = server.cluster.directory;
    makeCertificate(folder, 'authority', 'server', 'localhost');
    makeCertificate(folder, 'stranger', 'client', 'hb_owner');
    const { account } = server.cluster;
    if (account) execFileSync('bash', ['-c', `chown ${account.uid} *.key *.crt`], { cwd: folder });
    execFileSync('bash', ['-c', 'chmod 600 *.key'], { cwd: folder });
    await server.kill();
    await server.start({
      ssl: 'on',
      ssl_cert_file: 'server.crt',
      ssl_key_file: 'server.key',
      ssl_ca_file: 'stranger.crt',
    });
  });

  const at = (parameters: string, host = '127.0.0.1') =>
    `${server.ownerUrl.replace('127.0.0.1', host)}?${parameters}`;
  const root = (name: string) => `&sslrootcert=${encodeURIComponent(join(folder, `${name}.crt`))}`;
  /** Whether it is encrypted, or why there is no connection. */
  async function of(url: string): Promise<unknown> {
    loadConfig({ DATABASE_URL: url });
    try {
      const client = await connect(url, 'test');
      const { rows } = await client.query(
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      );
      await client.end();
      return rows[0].ssl;
    } catch (error) {
      return explainDatabaseFault(error, url)?.message ?? error;
    }
  }

  it('encrypts, believes and disbelieves as each mode says', async () => {
    expect(await of(server.ownerUrl)).toBe(false);
    expect(await of(at('sslmode=disable'))).toBe(false);
    expect(await of(at('sslmode=prefer'))).toBe(true);
    expect(await of(at('sslmode=require'))).toBe(true);
    const disbelieved = expect.stringMatching(/Certifikatet .* godtas inte/);
    expect(await of(at(`sslmode=require${root('stranger')}`))).toEqual(disbelieved);
    expect(await of(at(`sslmode=require${root('authority')}`))).toBe(true);
    expect(await of(at(`sslmode=verify-ca${root('stranger')}`))).toEqual(disbelieved);
    expect(await of(at(`sslmode=verify-ca${root('authority')}`))).toBe(true);
    // The certificate is for a name that the address does not use.
    expect(await of(at(`sslmode=verify-full${root('authority')}`))).toEqual(disbelieved);
    expect(await of(at(`sslmode=verify-full${root('authority')}`, 'localhost'))).toBe(true);
    expect(await of(at('sslmode=verify-full', 'localhost'))).toEqual(disbelieved);
    expect(await of(at('sslrootcert=system', 'localhost'))).toEqual(disbelieved);
  });

  it('proves its password to this very connection, or not at all', async () => {
    expect(await of(at('sslmode=require&channel_binding=require'))).toBe(true);
    expect(await of(at('sslmode=require&channel_binding=disable'))).toBe(true);
    expect(await of(at('sslmode=disable&channel_binding=require'))).toMatchObject({
      message: expect.stringContaining('kanalbindning'),
    });
  });

  it('logs in by a certificate of its own, in pools as well', async () => {
    const hba = join(folder, 'pg_hba.conf');
    const rules = await readFile(hba, 'utf8');
    await writeFile(hba, `hostssl all hb_owner 127.0.0.1/32 cert\n${rules}`);
    await query(server.adminUrl, 'select pg_reload_conf()');
    const own = ['cert', 'key']
      .map(
        (kind) =>
          `ssl${kind}=${encodeURIComponent(join(folder, `client.${kind === 'cert' ? 'crt' : 'key'}`))}`,
      )
      .join('&');
    const withoutPassword = server.ownerUrl.replace(/:[^:@]*@/, '@');
    expect(await of(`${withoutPassword}?sslmode=require&${own}`)).toBe(true);
    const pool = createPool({
      url: `${withoutPassword}?sslmode=require&${own}`,
      max: 1,
      applicationName: 'test',
    });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    expect(await of(`${withoutPassword}?sslmode=require`)).not.toBe(true);
  });

  it('goes on in the clear only where the address allows it', async () => {
    await server.kill();
    await server.start();
    expect(await of(at('sslmode=prefer'))).toBe(false);
    expect(await of(at('sslmode=require'))).toMatch(/tar inte emot TLS/);
  });
});
