/** Makes books of a backup: in an empty database, or as the embedded database of a DATA_DIR that has none. */
import { chmod, lstat, rename, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listSealed, type SealedSecrets } from '../../access/secrets/store.ts';
import { recordEvent } from '../../audit/store.ts';
import type { BackupKey } from '../../config/backup-key.ts';
import { type Workshop, workshopIn } from '../../db/embedded/workshop.ts';
import { startEmbedded } from '../../db/embedded.ts';
import { migrate } from '../../db/migrate.ts';
import {
  isBeforeBaseline,
  isHalfRestored,
  readMigrations,
  versionOf,
} from '../../db/migrations.ts';
import { connect, createPool, db, type Tx, withTx } from '../../db/pool.ts';
import { isFull } from '../../db/refusals.ts';
import type { VerificationFinding } from '../../ledger/verification/finding.ts';
import { verifyBooks } from '../../ledger/verification/service.ts';
import { inDataDir, makeFolder } from '../../lib/folders.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { type Contents, checkFile, vouchersIn } from './contents.ts';
import { load } from './load.ts';
import {
  clearDatabase,
  findEnd,
  forgetRestore,
  forgetSecretsKey,
  type Held,
  holdOutgoing,
  isEmpty,
  markRestore,
  unmarkRestore,
} from './store.ts';

export interface RestoreOptions {
  readonly path: string;
  readonly key: BackupKey | undefined;
  readonly log: (line: string) => void;
  /** Aborted, it stops and leaves nothing. */
  readonly signal?: AbortSignal | undefined;
}

export interface Restored {
  readonly taken_at: Date;
  readonly vouchers: number;
  readonly rows: number;
  /** What the check of the restored books found. */
  readonly problems: readonly VerificationFinding[];
  /** Letters, webhooks and invoices that recur by mail, which wait for a person. */
  readonly held: Held;
  /** What is sealed with keys that are in no backup. */
  readonly sealed: readonly SealedSecrets[];
}

/** Reads all of the file, and says what can be said of it before anything is made. */
export async function inspect(
  path: string,
  key: BackupKey | undefined,
  signal?: AbortSignal,
): Promise<Contents> {
  const contents = await checkFile(path, key, signal);
  const migrations = await readMigrations();
  if (contents.opening.migrations.some(({ name }) => isBeforeBaseline(name, migrations))) {
    throw new OperatorError(
      `Säkerhetskopian ${path} är gjord av en förhandsversion av Huvudbok, vars böcker inte kan föras vidare: återställ den med den versionen.`,
    );
  }
  // By name and not by place: one that was landed late may stand before others that the backup had already.
  const known = new Map(migrations.map(({ name, sha256 }) => [`${name}.sql`, sha256]));
  const other = contents.opening.migrations.findLast(
    ({ name, sha256 }) => known.get(name) !== sha256,
  );
  if (!other) return contents;
  const kind = known.has(other.name) ? 'annan' : 'nyare';
  throw new OperatorError(
    `Säkerhetskopian ${path} är gjord av en ${kind} version av Huvudbok än den här (dess schema har ${other.name}, den här versionens är ${versionOf(migrations)}). ` +
      'Återställ den med den som gjorde den, eller en nyare.',
  );
}

/**
 * Of books that went back in time by other means than `restoreInto`, before anything works with them: nothing goes out by
 * itself. They keep their key of secrets, which lies where it lay.
 */
export async function holdRestored(tx: Tx, actor: string): Promise<HeldBooks> {
  const books_end_at = await findEnd(tx);
  const held = { books_end_at, ...(await holdOutgoing(tx)) };
  await recordEvent(tx, { actor, action: 'books.held', subject: 'books', detail: held });
  return held;
}

export interface HeldBooks extends Held {
  /** From when others are asked to send again; null of books in which nothing has happened. */
  readonly books_end_at: Date | null;
}

/** What `inspect` says of the file, once nothing else can begin books where they are to be. */
type Reading = () => Promise<Contents>;

/** Restores into an empty database by the owner's login. */
export async function restoreInto(
  url: string,
  read: Reading,
  options: RestoreOptions,
): Promise<Restored> {
  const { path, key, log } = options;
  const client = await connect(url, 'huvudbok restore');
  client.on('error', () => undefined); // The statement that runs says so too.
  try {
    await client.query('set statement_timeout to 0; set idle_in_transaction_session_timeout to 0');
    const contents = await begin(client, read, log);
    const taken = new Set(contents.opening.migrations.map(({ name }) => name));
    const only = (name: string) => taken.has(`${name}.sql`);
    await migrate({ url, log: () => undefined, restoring: { only } });
    log(`Läser in ${vouchersIn(contents.manifest)} verifikat och allt som hör till dem.`);
    await load(client, path, key, contents);
    await migrate({ url, log, restoring: 'on' });
    log('Kontrollerar böckerna.');
    return await finish(url, client, contents);
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Client = Awaited<ReturnType<typeof connect>>;

/** Marks the database first of all: from there on nobody begins books of their own in it, nor takes it for empty ones. */
async function begin(
  client: Client,
  read: Reading,
  log: (line: string) => void,
): Promise<Contents> {
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('huvudbok restore', 0)) as held`,
  );
  if (!rows[0]?.held) throw new OperatorError('En återställning till databasen pågår redan.');
  const isMarked = await isHalfRestored(client);
  if (!isMarked) {
    await requireEmpty(client);
    await markRestore(client);
  }
  const contents = await read().catch(async (error) => {
    if (!isMarked) await forgetRestore(client);
    throw error;
  });
  if (isMarked) {
    log('En tidigare återställning blev avbruten; det den hann med tas bort.');
    await clearDatabase(client);
    await requireEmpty(client);
  }
  return contents;
}

async function requireEmpty(client: Client): Promise<void> {
  if (await isEmpty(client)) return;
  throw new OperatorError(
    'Databasen är inte tom, och restore ändrar inget som finns. Skapa en ny databas och ange den i DATABASE_URL.',
  );
}

async function finish(
  url: string,
  client: Client,
  { opening, manifest }: Contents,
): Promise<Restored> {
  const pool = createPool({
    url,
    max: 2,
    applicationName: 'huvudbok restore',
  });
  try {
    const { problems } = await verifyBooks(db(pool), () => undefined);
    const held = await withTx(pool, async (tx) => {
      await forgetSecretsKey(tx);
      return holdOutgoing(tx);
    });
    const sealed = await listSealed(db(pool));
    const vouchers = vouchersIn(manifest);
    const { taken_at } = opening;
    await withTx(pool, (tx) =>
      recordEvent(tx, {
        actor: 'cli',
        action: 'books.restored',
        subject: taken_at.toISOString(),
        detail: { vouchers, problems: problems.length },
      }),
    );
    await unmarkRestore(client);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { taken_at, vouchers, rows, problems, held, sealed };
  } finally {
    await pool.end();
  }
}

/**
 * Restores as the embedded database of a DATA_DIR. It is built beside its place and put there in one rename,
 * so a restore that is cut off leaves no books.
 */
export async function restoreEmbedded(
  dataDir: string,
  read: Reading,
  options: RestoreOptions,
): Promise<Restored> {
  const place = join(dataDir, 'postgresql');
  const taken = () =>
    new OperatorError(
      `I ${dataDir} finns redan en databas, och restore ändrar inget som finns. ` +
        'Ange en ny mapp med DATA_DIR, eller flytta undan den gamla.',
    );
  if (await lstat(place).catch(() => undefined)) throw taken();
  // There before the file is read: from then on nobody begins books of their own in the folder.
  const { workshop, created } = await inDataDir(dataDir, async () => {
    const made = await makeFolder(dataDir);
    // PostgreSQL's user must be able to enter a folder that root makes, as at a first start.
    if (made) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    return { workshop: await workshopIn(dataDir), created: made };
  });
  const contents = await read().catch(async (error) => {
    await workshop.remove();
    if (created) await rmdir(dataDir).catch(() => undefined);
    throw error;
  });
  return inWorkshop(workshop, true, options, async (url) => ({
    result: await restoreInto(url, async () => contents, options),
    keep: async (home) => {
      if (await lstat(place).catch(() => undefined)) throw taken();
      await rename(home, place);
    },
  }));
}

/**
 * Proves a backup by restoring it into a server made for that and thrown away; beside the backups, or in the
 * temporary folder where nothing can be made there.
 */
export async function prove(
  folder: string,
  contents: Contents,
  options: RestoreOptions,
): Promise<Restored> {
  const workshop = await workshopIn(folder).catch(() => workshopIn(tmpdir()));
  return inWorkshop(workshop, false, options, async (url) => ({
    result: await restoreInto(url, async () => contents, options),
  }));
}

/** A segment of the write-ahead log: a server that finds no room for the next one ends without a word to its clients. */
const segmentBytes = 16 * 1024 ** 2;

async function isForWantOfRoom(error: unknown, { path }: Workshop): Promise<boolean> {
  if (isFull(error)) return true;
  if (error instanceof OperatorError) return isFull(error.cause);
  const cluster = join(path, 'postgresql', 'cluster');
  const { bavail, bsize } = await statfs(cluster).catch(() => statfs(path));
  return bavail * bsize < segmentBytes;
}

/** Else it would be told as the disk of the books' own server. */
const noRoomToRestore = ({ path }: Workshop, cause: unknown): OperatorError =>
  new OperatorError(
    `Disken med ${dirname(path)} är full: en återställning, också en på prov, behöver plats för en hel databas där, minst 100 MB och några gånger säkerhetskopians storlek. Frigör plats, eller ange en annan mapp.`,
    { cause },
  );

interface Done {
  readonly result: Restored;
  /** Takes over what was made, once its server is stopped. */
  readonly keep?: (home: string) => Promise<void>;
}

async function inWorkshop(
  workshop: Workshop,
  durable: boolean,
  { log, signal }: RestoreOptions,
  work: (url: string) => Promise<Done>,
): Promise<Restored> {
  try {
    const quiet = () => undefined;
    const server = await startEmbedded({ dataDir: workshop.path, durable, log: quiet });
    let done: Done;
    try {
      done = await Promise.race([
        work(server.url),
        server.lost.then((error) => {
          throw error;
        }),
        ...(signal ? [aborted(signal)] : []),
      ]);
    } finally {
      // What is thrown away may be stopped the hard way; a process that stops has some seconds.
      await server.stop(signal?.aborted ? 3_000 : 120_000);
    }
    await done.keep?.(join(workshop.path, 'postgresql'));
    return done.result;
  } catch (error) {
    throw (await isForWantOfRoom(error, workshop)) ? noRoomToRestore(workshop, error) : error;
  } finally {
    await workshop.remove().catch((error) => log(String(error)));
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new OperatorError('Avbrutet: processen stoppas.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
