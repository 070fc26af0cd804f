/** What every command needs: the configuration, a database, somewhere to print. */
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { loadProcessConfig } from '../config/config.ts';
import { findRunning, startEmbedded } from '../db/embedded.ts';
import { explainDatabaseFault } from '../db/faults.ts';
import { migrate } from '../db/migrate.ts';
import { createPool, type Pool, type Tx, withTx } from '../db/pool.ts';
import { checkDatabase, isMigrated } from '../db/standing.ts';
import type { Day } from '../ledger/months/store.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';

export const write = (line: string): void => void process.stdout.write(`${line}\n`);
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Today's date in the installation's time zone. */
export const today = (): string => systemClock(loadProcessConfig().timeZone).today();

/**
 * JSON in which a map is an object whose names keep the map's order: an object of JavaScript's puts "10" before "05".
 * As with `JSON.stringify`, what has no JSON is left out of objects, and is null in lists.
 */
export function toJson(value: unknown): string | undefined {
  const isWhole = value === null || typeof value !== 'object' || 'toJSON' in value;
  if (isWhole) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => toJson(one) ?? 'null').join()}]`;
  const named: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  const members = [...named].flatMap(([name, one]) => {
    const json = toJson(one);
    return json === undefined ? [] : [`${JSON.stringify(String(name))}:${json}`];
  });
  return `{${members.join()}}`;
}

/** One JSON value, or what a person wants to read. */
export function print(json: boolean | undefined, value: object, text: string): void {
  write(json ? (toJson(value) ?? 'null') : text);
}

export interface DatabaseOptions {
  /** Only what begins an installation may make the books; a wrong DATA_DIR must never look like empty ones. */
  readonly mayCreate?: boolean;
}

/**
 * The owner's login on the database server, whatever schema it has: DATABASE_URL, or the embedded server
 * that runs in DATA_DIR, or that server started for the time of the command.
 */
export async function withServer<T>(
  work: (url: string, isOurs: boolean) => Promise<T>,
  { mayCreate = false }: DatabaseOptions = {},
): Promise<T> {
  const { databaseUrl, dataDir } = loadProcessConfig();
  if (databaseUrl !== undefined) return explained(databaseUrl, () => work(databaseUrl, false));
  const isOurs = (await findRunning(dataDir)) === null;
  // Held also where it runs: whoever started it, another command perhaps, may be done with it before we are.
  const server = await startEmbedded({ dataDir, log: note, exclusive: false, mayCreate });
  if (isOurs && !is_interruptible) stopWithUs(server);
  try {
    return await explained(server.url, () => work(server.url, isOurs), dataDir);
  } finally {
    await server.stop();
  }
}

const stops = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Whether the command itself sees to what is left when it is asked to stop. */
let is_interruptible = false;

/** Asked to stop, by Ctrl-C or kill, a command leaves no server running in a folder that is copied next, say. Asked twice it waits for nothing. */
function stopWithUs(server: { stop(): Promise<void> }): void {
  for (const signal of stops) {
    process.once(signal, () => {
      const end = () => process.exit(128 + constants.signals[signal]);
      for (const again of stops) process.once(again, end);
      server.stop().then(end, end);
    });
  }
}

/** The owner's login on a database with this program's schema. */
export function withDatabase<T>(
  work: (url: string) => Promise<T>,
  options: DatabaseOptions = {},
): Promise<T> {
  return withServer(async (url, isOurs) => {
    // Nobody else uses a server of our own making; beside others only what is empty may be filled.
    const isFree = isOurs || (options.mayCreate === true && !(await isMigrated(url)));
    if (isFree) await migrate({ url, log: () => undefined });
    else await checkDatabase(url);
    return work(url);
  }, options);
}

/**
 * Asked to stop, by Ctrl-C or kill, work that would leave half a file or a server behind is given time to
 * clear it away.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  is_interruptible = true;
  for (const signal of stops) {
    process.on(signal, () => stop.abort());
  }
  return work(stop.signal).catch((cause) => {
    if (!stop.signal.aborted) throw cause;
    throw new OperatorError('Avbrutet; det som var påbörjat är borttaget.', { cause });
  });
}

/** What is wrong with the database is for the person at the keyboard, whatever they asked for. */
export async function explained<T>(
  url: string,
  work: () => Promise<T>,
  folder?: string,
): Promise<T> {
  return work().catch((error) => {
    const fault = explainDatabaseFault(error, url, folder);
    throw fault ? new OperatorError(fault.message, { cause: error }) : error;
  });
}

export function withPool<T>(
  work: (pool: Pool, url: string) => Promise<T>,
  options: DatabaseOptions = {},
): Promise<T> {
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
  }, options);
}

/** One transaction as the owner of the installation. */
export function asOwner<T>(
  work: (tx: Tx) => Promise<T>,
  options: DatabaseOptions = {},
): Promise<T> {
  return withPool((pool) => withTx(pool, work), options);
}

/** The day it is where the company is. */
export function thisDay(): Day {
  const { timeZone } = loadProcessConfig();
  return { today: systemClock(timeZone).today(), timeZone };
}

/** The bytes of a file that a command was given. */
export async function readWhole(path: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw new OperatorError(`${path}: ${whyUnreadable(cause)}`, { cause });
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
