/**
 * PostgreSQL of our own in DATA_DIR, for those who have no server. It is found running or started, and
 * held by advisory locks on the server itself: they die with the process that holds them, so nothing
 * has to be cleaned up after kill -9 and no process number can be mistaken for another's.
 */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { inDataDir } from '#src/lib/folders.ts';
import { OperatorError } from '#src/lib/operator-error.ts';
import { type Cluster, type ClusterPlace, findPlace, openCluster } from './embedded/cluster.ts';
import { announce } from './embedded/presence.ts';
import { findPostmaster, stopPostmaster } from './embedded/server.ts';
import {
  isLastUser,
  Occupied,
  openSession,
  restrictOlder,
  type Session,
} from './embedded/session.ts';
import { halved, noRoom } from './faults.ts';

const stopMsMax = 9500;
/** Between attempts to bring it back, each of which is a few already. */
const pauseMs = 1000;
/** Between looks at whether the server's process lives, which cost three calls of the system. */
const lookMs = 2000;
const sayAgainMs = 60_000;
/** Less than a segment of its log, which is made whole or not at all. */
const roomBytesMin = 16 * 1024 * 1024;

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** `false` for a command that needs the database for a moment, beside a running start or alone. */
  readonly exclusive?: boolean;
  /** `false` for whoever needs the books that are there: a folder without any is then refused. */
  readonly mayCreate?: boolean;
  /** `false` only for throw-away test servers: confirmed writes may then be lost. */
  readonly durable?: boolean;
  /** Ends the wait for a server that cannot start now. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedServer {
  /** As `hb_owner`, to the database `huvudbok`. */
  readonly url: string;
  /** As the superuser, to the database `postgres`: for tests and repairs. */
  readonly adminUrl: string;
  /**
   * Resolves if the server is lost to somebody else, who has its folder or its address. Whatever else keeps
   * it from starting is waited for.
   */
  readonly lost: Promise<OperatorError>;
  /** Stops PostgreSQL, unless someone else still uses it. */
  stop(within_ms?: number): Promise<void>;
}

/**
 * Starts the server of a DATA_DIR, or takes over one that already runs there. A full disk is waited for, like
 * any database that is away; what somebody has to put right in the folder is refused at once.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, exclusive = true, durable = true, mayCreate = true } = options;
  const dataDir = resolve(options.dataDir);
  const inFolder = <T>(work: () => Promise<T>) =>
    inDataDir(dataDir, work).catch((error) => explainOpening(error, dataDir));
  const cluster = await inFolder(() => openCluster({ dataDir, durable, mayCreate, log }));
  const presence = await inFolder(() => announce(cluster, log));
  if (!presence) {
    throw new OperatorError(
      `DATA_DIR (${dataDir}) används av en annan behållare eller dator. Stoppa den, eller ange en annan mapp med DATA_DIR: två PostgreSQL i samma mapp förstör böckerna.`,
    );
  }
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, ...(options.signal ? [options.signal] : [])]);
  const onDisk = <T>(work: () => Promise<T>) =>
    inFolder(work).catch(async (error) => {
      if (error instanceof Occupied || !(await isFull(cluster, error))) throw error;
      throw new Full(`Disken där ${dataDir} ligger är full: frigör plats eller utöka den.`, {
        cause: error,
      });
    });
  const open = () => onDisk(() => openSession(cluster, { exclusive, log, signal }));
  const isWaitedFor = (error: unknown) => exclusive && error instanceof Full;
  let session = await keepOpening(open, { isWaitedFor, log, signal });
  const port = session.port;
  const stop = async (within_ms = stopMsMax): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const isLast = await isLastUser(session.client, exclusive);
    if (isLast) await stopPostmaster(cluster.directory, within_ms);
    await presence.end(isLast);
    await session.client.end().catch(() => {});
  };
  try {
    await onDisk(() => restrictOlder(cluster, session));
  } catch (error) {
    // Nobody else would.
    await stop();
    throw error;
  }
  const { promise: lost, resolve: reportLost } = Promise.withResolvers<OperatorError>();

  function watch(watched: Session): void {
    const ended = new Promise<void>((resolve) => watched.client.once('end', () => resolve()));
    const gone = untilGone(cluster, watched, signal);
    void Promise.race([ended, gone]).then(recover, () => undefined);
  }
  async function recover(): Promise<void> {
    if (stopping.signal.aborted) return;
    log('PostgreSQL avbröts oväntat och startas igen.');
    try {
      const isWaitedFor = (error: unknown) => !(error instanceof Occupied);
      session = await keepOpening(open, { isWaitedFor, log, signal });
      if (session.port !== port)
        throw new OperatorError(`Porten ${port} har tagits av ett annat program.`);
      log('PostgreSQL svarar igen.');
      watch(session);
    } catch (cause) {
      if (stopping.signal.aborted) return;
      reportLost(new OperatorError(`PostgreSQL kom inte tillbaka. ${cause}`, { cause }));
    }
  }
  // A short command has nobody to keep the server alive for.
  if (exclusive) watch(session);

  return {
    url: ownerUrl(cluster, port),
    adminUrl: `postgres://postgres:${cluster.secrets.superuser}@127.0.0.1:${port}/postgres`,
    lost,
    stop,
  };
}

/**
 * Waits until the server is gone. Our connection may be held for ever by a process of it that outlived it
 * (`endOrphans`), and then says nothing.
 */
async function untilGone(
  { directory }: Cluster,
  { postmasterPid }: Session,
  signal: AbortSignal,
): Promise<void> {
  do await sleep(lookMs, undefined, { signal, ref: false });
  while ((await findPostmaster(directory))?.pid === postmasterPid);
}

interface Patience {
  readonly isWaitedFor: (error: unknown) => boolean;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Opens a session however many attempts that takes, while what is in the way is waited for. */
async function keepOpening(
  open: () => Promise<Session>,
  { isWaitedFor, log, signal }: Patience,
): Promise<Session> {
  for (let said_at = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await open();
    } catch (error) {
      if (signal.aborted || !isWaitedFor(error)) throw error;
      if (performance.now() - said_at > sayAgainMs) {
        said_at = performance.now();
        log(`Väntar på PostgreSQL, som startas så snart det går. ${(error as Error).message}`);
      }
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** The server does not start for want of room. */
class Full extends OperatorError {}

/** Whether it is for that; on a full disk the server cannot always say so in its last words. */
async function isFull(cluster: Cluster, error: unknown): Promise<boolean> {
  const { bavail, bsize } = await statfs(cluster.directory);
  return bavail * bsize < roomBytesMin || noRoom.test(String(error));
}

function explainOpening(error: unknown, dataDir: string): never {
  if (!(error instanceof DatabaseError)) throw error;
  throw new OperatorError(halved(dataDir, error.message), { cause: error });
}

/** Whether a DATA_DIR has books, or what looks like them. */
export const hasCluster = (dataDir: string): boolean => existsSync(join(dataDir, 'postgresql'));

/** The server of a DATA_DIR if it is up, without starting anything. */
export async function findRunning(dataDir: string): Promise<{ url: string } | null> {
  const place = await inDataDir(dataDir, () => findPlace(resolve(dataDir)));
  if (!place) return null;
  const running = await findPostmaster(place.directory);
  return running?.port ? { url: ownerUrl(place, running.port) } : null;
}

function ownerUrl({ secrets }: ClusterPlace, port: number): string {
  return `postgres://hb_owner:${secrets.owner}@127.0.0.1:${port}/huvudbok`;
}
