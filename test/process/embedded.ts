/** Embedded servers in folders of their own, held by real processes. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { folderOfDatabases } from '../support/memory.ts';
import { Running } from './running.ts';

export const holder = join(import.meta.dirname, 'embedded-holder.ts');

/** A folder with spaces in its path; nothing in it is left running. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(folderOfDatabases, 'huvudbok process '));
  await chmod(folder, 0o755);
  onTestFinished(async () => {
    const dataDir = join(folder, 'data');
    const pid = await postmasterOf(dataDir).catch(() => 0);
    if (pid && existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
    const home = await realpath(join(dataDir, 'postgresql')).catch(() => '');
    // A server that was killed may still be writing its last files.
    const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
    if (home.startsWith('/var/lib/huvudbok/')) await rm(home, patiently);
    await rm(folder, patiently);
  });
  return folder;
}

/** A DATA_DIR that does not exist yet. */
export async function newDataDir(): Promise<string> {
  return join(await makeFolder(), 'data');
}

/** A DATA_DIR whose first start is behind it: a copy, for the sake of speed. */
export const usedDataDir = (): Promise<string> => copyOf('used');

/** The same with the books' tables in it. */
export const migratedDataDir = (): Promise<string> => copyOf('migrated');

async function copyOf(name: 'used' | 'migrated'): Promise<string> {
  const dataDir = await newDataDir();
  execFileSync('cp', ['-a', join(inject('dataDirs'), name), dataDir]);
  // It would listen where the other copies do, and answer for one of them that has just been killed.
  await rm(join(dataDir, 'postgresql', 'port'), { force: true });
  return dataDir;
}

export async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgresql/cluster/postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

export async function hold(dataDir: string, mode = 'exclusive') {
  const process = new Running(holder, [dataDir, mode]);
  const [, url = '', adminUrl = ''] = await process.says(/UP (\S+) (\S+)/);
  return { process, url, adminUrl };
}

export async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
