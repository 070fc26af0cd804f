/** PostgreSQL servers of a test's own: the embedded one, and Debian's 15 where it is installed. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '#src/db/embedded.ts';
import { connect } from '#src/db/pool.ts';
import { folderOfDatabases } from './memory.ts';
import { freePort } from './port.ts';

const run = promisify(execFile);
const quiet = () => undefined;

export interface OwnServer {
  /** The superuser's login. */
  readonly adminUrl: string;
  /** hb_owner's login: may make roles, and is nothing more. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

/** The same login on another database. */
export function at(url: string, database: string): string {
  const there = new URL(url);
  there.pathname = `/${database}`;
  return there.href;
}

export async function asAdmin<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const admin = await connect(url, 'test admin');
  const result = await admin.query(statement).finally(() => admin.end());
  return result.rows;
}

export async function startOwnServer(): Promise<OwnServer> {
  const folder = await mkdtemp(join(folderOfDatabases, 'huvudbok-test-'));
  const dataDir = join(folder, 'data');
  const server = await startEmbedded({ dataDir, durable: false, log: quiet });
  return {
    adminUrl: server.adminUrl,
    ownerUrl: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Programs of Debian's postgresql-15, for which the tests that need them are skipped elsewhere. */
const debian15 = '/usr/lib/postgresql/15/bin';
export const hasDebian15 = existsSync(join(debian15, 'initdb'));

/** Runs one of Debian's programs; as root, the server's must be run as somebody else. */
export async function debian(program: string, args: string[]): Promise<void> {
  const isServers = ['initdb', 'pg_ctl'].includes(program) && process.getuid?.() === 0;
  const [command = '', ...before] = isServers ? ['setpriv', ...asPostgres] : [];
  const path = join(debian15, program);
  await run(command || path, [...before, ...(command ? [path] : []), ...args]);
}
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];

export async function startDebian15(): Promise<OwnServer> {
  const folder = await mkdtemp(join(folderOfDatabases, 'huvudbok-test-'));
  if (process.getuid?.() === 0) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chown(folder, Number(stdout), 0);
  }
  const data = join(folder, 'data');
  const password = join(folder, 'password');
  await writeFile(password, 'admin', { mode: 0o644 });
  await debian('initdb', [
    ...['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password}`],
    ...['-N', '-E', 'UTF8', '--locale=C'],
  ]);
  const port = await freePort();
  const options = `-p ${port} -k ${folder} -c fsync=off`;
  const log = join(data, 'server.log');
  await debian('pg_ctl', ['-D', data, '-o', options, '-l', log, '-w', 'start']);
  const adminUrl = `postgres://postgres:admin@127.0.0.1:${port}/postgres`;
  await asAdmin(adminUrl, `create role hb_owner login createrole password 'hemlig@t'`);
  return {
    adminUrl,
    ownerUrl: `postgres://hb_owner:hemlig%40t@127.0.0.1:${port}/postgres`,
    async stop() {
      await debian('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop']);
      await rm(folder, { recursive: true });
    },
  };
}
