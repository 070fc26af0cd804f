/** Backups as an installation takes them: proved by restoring, recorded, and the oldest cleared away. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { recordEvent } from '../../audit/store.ts';
import type { BackupKey } from '../../config/backup-key.ts';
import { clearAbandoned } from '../../db/embedded/workshop.ts';
import { connect, createPool, databaseErrorOf, type Pool, withTx } from '../../db/pool.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { isAbandoned } from '../../lib/process-mark.ts';
import { insertBackup } from './record-store.ts';
import { inspect, prove, type Restored } from './restore.ts';
import { type TakenBackup, takeBackup } from './take.ts';

export interface KeepOptions {
  /** The owner's login. */
  readonly url: string;
  readonly folder: string;
  readonly key: BackupKey | undefined;
  /** How many to keep. */
  readonly keep: number;
  /** `false` takes it and reads nothing back. */
  readonly isProved: boolean;
  readonly actor: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface KeptBackup extends TakenBackup {
  /** What restoring it gave; undefined when it was not proved. */
  readonly proof: Restored | undefined;
  /** The older ones that were cleared away. */
  readonly removed: readonly string[];
}

/** After the name of a file that nobody has restored: it is no backup to count on, and makes none go. */
const unproved = '.unproved';

/** Takes a backup, proves it, notes how that went and clears away the oldest. */
export async function keepBackup(options: KeepOptions): Promise<KeptBackup> {
  const { url, folder, key, keep, isProved, actor, log, signal } = options;
  const lock = await holdFolder(url);
  const pool = createPool({ url, max: 1, applicationName: 'huvudbok backup' });
  const began = new Date();
  let taken: TakenBackup | undefined;
  try {
    await clearRemains(folder);
    const suffix = isProved ? unproved : '';
    taken = await takeBackup({ url, folder, key, suffix, signal });
    const { path } = taken;
    const proof = isProved ? await proveFile({ path, folder, key, log, signal }) : undefined;
    if (proof) {
      taken = { ...taken, path: path.slice(0, -unproved.length) };
      await rename(path, taken.path);
    }
    await note(pool, actor, { ...taken, proof, failure: null });
    await removeUnproved(folder);
    const removed = proof?.problems.length ? [] : await removeOldest(folder, keep);
    return { ...taken, proof, removed };
  } catch (error) {
    if (taken) await removeUnproved(folder, signal?.aborted ? undefined : taken.path);
    if (!signal?.aborted) {
      const failure = (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
      const about = taken ?? { path: null, taken_at: began, size_bytes: null, vouchers: null };
      await note(pool, actor, { ...about, proof: undefined, failure }).catch(() => undefined);
    }
    throw error;
  } finally {
    await pool.end();
    await lock.end().catch(() => undefined);
  }
}

/**
 * A lock that none of the four logins may take, for they change no row of this table; an advisory one a worker's may, and
 * keep. It stops nothing but itself and what tends tables (which gives way), and its transaction has no number, so that
 * no event waits for its end.
 */
const holding = [
  'set statement_timeout to 0',
  'set idle_in_transaction_session_timeout to 0',
  `set lock_timeout to '5s'`,
  'begin',
  'lock table restricted.backups in share update exclusive mode',
];
const notAvailable = '55P03';

/** One at a time, from the first byte until it is proved, whichever host takes it. */
async function holdFolder(url: string): Promise<pg.Client> {
  const client = await connect(url, 'huvudbok backup');
  client.on('error', () => undefined); // Reading would fail too, and says so.
  try {
    for (const statement of holding) await client.query(statement);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (databaseErrorOf(error)?.code !== notAvailable) throw error;
    throw new OperatorError('En säkerhetskopia tas eller prövas redan just nu.', { cause: error });
  }
}

/** All that were not proved; the last of them may be of use, when proving is what went wrong. */
async function removeUnproved(folder: string, kept?: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const isOurs = name.endsWith(unproved) && form.test(name.slice(0, -unproved.length));
    if (isOurs && path !== kept) await rm(path, { force: true }).catch(() => undefined);
  }
}

interface ProofOptions {
  readonly path: string;
  /** Where the server that is thrown away may lie. */
  readonly folder: string;
  readonly key: BackupKey | undefined;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Reads every checksum and restores it into a server made for that, and checks those books. */
export async function proveFile({ folder, ...options }: ProofOptions): Promise<Restored> {
  const contents = await inspect(options.path, options.key, options.signal);
  return prove(folder, contents, options);
}

interface Outcome {
  readonly path: string | null;
  readonly taken_at: Date;
  readonly size_bytes: number | null;
  readonly vouchers: number | null;
  readonly proof: Restored | undefined;
  readonly failure: string | null;
}

function note(pool: Pool, actor: string, outcome: Outcome): Promise<void> {
  const { path, taken_at, size_bytes, vouchers, proof, failure } = outcome;
  return withTx(pool, async (tx) => {
    await insertBackup(tx, {
      taken_at,
      is_own: true,
      file: path,
      size_bytes,
      vouchers,
      verified_at: proof ? new Date() : null,
      problems: proof ? proof.problems.length : null,
      failure,
    });
    await recordEvent(tx, {
      actor,
      action: failure === null ? 'backup.taken' : 'backup.failed',
      subject: taken_at.toISOString(),
      detail: failure === null ? { file: path, size_bytes, vouchers } : { reason: failure },
    });
  });
}

const form = /^huvudbok-\d{8}T\d{6}Z\.tar\.zst(\.age)?$/;

/** The backups in a folder, the oldest first. */
export async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => form.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** The newest backup in a folder. */
export async function findNewest(folder: string): Promise<string> {
  const newest = (await listFiles(folder)).at(-1);
  if (newest === undefined) throw new OperatorError(`I ${folder} finns ingen säkerhetskopia.`);
  return newest;
}

async function removeOldest(folder: string, keep: number): Promise<string[]> {
  const surplus = (await listFiles(folder)).slice(0, -keep);
  for (const path of surplus) await rm(path, { force: true });
  return surplus;
}

const unfinished = /\.unfinished-([0-9a-f]{12}-\d{1,10}-\d{1,20})$/;

/** What processes that were killed left: halves of files, and servers with their folders. */
export async function clearRemains(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = unfinished.exec(name)?.[1];
    const path = join(folder, name);
    if (mark && (await isAbandoned(path, mark))) await rm(path, { force: true });
  }
  await clearAbandoned(folder);
}
