/**
 * The whole service through PgBouncer, configured as docs/operating.md says: in session mode everything
 * works, and the other modes are told from it and refused. Skipped where PgBouncer is not installed.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { asAccount } from '#src/db/embedded/programs.ts';
import { createPool, db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { Load, proveWhole, startService } from '../process/crash.ts';
import { query, waitUntil } from '../process/embedded.ts';
import { startReplicas, startServer, type TestServer } from '../process/replicas.ts';
import { Running } from '../process/running.ts';
import { freePort } from '../support/port.ts';
import { entry } from '../support/program.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => existsSync(path),
);
const manual = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

/** The only block of that kind in the manual. */
const blockOf = (kind: string): string =>
  new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``).exec(manual)?.[1] ?? '';

/** PgBouncer in front of a server, as the manual sets it up but for `changes`; gives the owner's address. */
async function startPgbouncer(
  server: TestServer,
  changes: Readonly<Record<string, string | number>> = {},
  { isPrepared = false } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-pgbouncer-'));
  await chmod(folder, 0o777);
  if (!isPrepared)
    await query(server.adminUrl, blockOf('sql').replace("'lösenordet'", "'hemligt'"));
  const port = await freePort();
  const settings = { listen_port: port, unix_socket_dir: '', logfile: join(folder, 'log') };
  const lines = Object.entries({ ...settings, pidfile: join(folder, 'pid'), ...changes });
  const ini = lines.reduce(
    (text, [name, value]) =>
      text.replace(new RegExp(`^${name} *=.*\n`, 'm'), '').concat(`${name} = ${value}\n`),
    blockOf('ini')
      .replace('host=127.0.0.1 port=5432', `host=127.0.0.1 port=${server.port}`)
      .replace('/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt')),
  );
  await writeFile(join(folder, 'pgbouncer.ini'), ini);
  await writeFile(join(folder, 'userlist.txt'), '"pgbouncer" "hemligt"\n');
  const child = spawn(program ?? '', [join(folder, 'pgbouncer.ini')], {
    ...asAccount(server.cluster.account),
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const url = server.ownerUrl.replace(`:${server.port}/`, `:${port}/`);
  const isUp = () =>
    query(url, 'select 1').then(
      () => true,
      (error) => {
        if (child.exitCode !== null) throw error;
        return false;
      },
    );
  await waitUntil(isUp);
  return url;
}

it.skipIf(!program)(
  'serves, decides, books and is migrated through PgBouncer in session mode',
  async () => {
    const server = await startServer();
    const url = await startPgbouncer(server);
    const service = await startService({ DATABASE_URL: url });
    const load = new Load(service);
    await load.goOn(100, 50);
    await load.end();
    await proveWhole(service, load);
    // Whoever listens has a session that is its own.
    const listening = `select count(*)::integer from pg_stat_activity where query like 'listen %'`;
    expect(await server.ask(listening)).toBeGreaterThanOrEqual(2);
    expect((await service.command('migrate', '--json')).exitCode).toBe(0);
  },
  180_000,
);

it.skipIf(!program).each(['transaction', 'statement'])(
  'is refused in a sentence through PgBouncer in %s mode',
  async (mode) => {
    const server = await startServer();
    const url = await startPgbouncer(server, { pool_mode: mode });
    const { PATH, HOME } = process.env;
    const migration = new Running(entry, ['migrate'], { PATH, HOME, DATABASE_URL: url });
    expect(await migration.exitCode()).toBe(1);
    expect(migration.output).toMatch(/PgBouncer.*pool_mode = session/s);
    expect(migration.output).not.toMatch(/ {4}at /);
    // It was refused before anything was made.
    expect(
      await server.ask(`select count(*)::integer from pg_namespace where nspname = 'ledger'`),
    ).toBe(0);
  },
);

it.skipIf(!program)(
  'follows a failover through a PgBouncer before each server',
  async () => {
    const { primary, standby } = await startReplicas();
    const first = await startPgbouncer(primary);
    const second = await startPgbouncer(standby, {}, { isPrepared: true });
    const url = first.replace(/\/huvudbok$/, `,${new URL(second).host}/huvudbok`);
    const pool = createPool({ url, max: 2, applicationName: 'test' });
    onTestFinished(() => pool.end());
    await db(pool).query(sql`create table t (n integer)`);
    await primary.kill();
    await standby.promote();
    await waitUntil(() =>
      db(pool)
        .query(sql`insert into t values (1)`)
        .then(
          () => true,
          () => false,
        ),
    );
    expect(await standby.ask('select count(*)::integer from t')).toBe(1);
  },
  180_000,
);
