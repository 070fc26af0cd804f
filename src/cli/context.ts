/** What every command needs: the configuration, a database, somewhere to print. */
import { readFile } from 'node:fs/promises';
import { systemClock } from '../clock.ts';
import { loadProcessConfig } from '../config.ts';
import { findRunning, startEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { createPool, type Pool, type Tx, withTx } from '../db/pool.ts';
import type { Day } from '../months/service.ts';
import { OperatorError } from '../operator-error.ts';

export const write = (line: string): void => void process.stdout.write(`${line}\n`);
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Today's date in the installation's time zone. */
export const today = (): string => systemClock(loadProcessConfig().timeZone).today();

/** One JSON value, or what a person wants to read. */
export function print(json: boolean | undefined, value: object, text: string): void {
  write(json ? JSON.stringify(value) : text);
}

/**
 * The owner's login on the database: DATABASE_URL, or the embedded server that runs in DATA_DIR, or
 * that server started for the time of the command.
 */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = loadProcessConfig();
  const running = databaseUrl === undefined ? await findRunning(dataDir) : { url: databaseUrl };
  if (running) return work(running.url);
  const server = await startEmbedded({ dataDir, log: note, exclusive: false });
  try {
    await migrate({ url: server.url, log: () => undefined });
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

export function withPool<T>(work: (pool: Pool, url: string) => Promise<T>): Promise<T> {
  return withDatabase(async (url) => {
    const pool = createPool({
      url,
      max: 4,
      applicationName: 'huvudbok command',
    });
    try {
      return await work(pool, url);
    } finally {
      await pool.end();
    }
  });
}

/** One transaction as the owner of the installation. */
export function asOwner<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return withPool((pool) => withTx(pool, work));
}

/** The day it is where the company is. */
export function thisDay(): Day {
  const { timeZone } = loadProcessConfig();
  return { today: systemClock(timeZone).today(), timeZone };
}

/** The bytes of a file that a command was given. */
export async function readWhole(path: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw new OperatorError(`Filen ${path} kan inte läsas.`, { cause });
  });
}

export async function readAllOfStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Standard input as a text, without the line end that `echo` and editors add. */
export async function readStdin(): Promise<string> {
  return (await readAllOfStdin()).toString('utf8').replace(/\r?\n$/, '');
}
