/**
 * Pools and transactions over connections of our own kind (client.ts). Everything else sees `Db`
 * (may read) and `Tx` (may write); only `withTx` and the job worker make a `Tx`, so a forgotten
 * transaction does not compile.
 */
import pg from 'pg';
import { parseDatabaseUrl } from '../config/database-url.ts';
import { countPool } from '../lib/metrics/pools.ts';
import { sha256Of } from '../lib/sha256.ts';
import { type ClientOptions, DatabaseClient } from './client.ts';
import type { Sql } from './sql.ts';

declare const transaction: unique symbol;

export interface Db {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
}

export interface Tx extends Db {
  readonly [transaction]: true;
}

export type Pool = pg.Pool;

export interface PoolOptions extends ClientOptions {
  readonly max: number;
  /** After which a connection is replaced by a new one, which has not grown by what it was used for. */
  readonly maxLifetimeSeconds?: number;
}

/** How long statements and transactions may take is the role's (src/db/role-limits.ts). */
export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    max: options.max,
    maxLifetimeSeconds: options.maxLifetimeSeconds ?? 0,
    connectionTimeoutMillis: parseDatabaseUrl(options.url).connectTimeoutMs,
    Client: class extends DatabaseClient {
      constructor() {
        super(options);
      }
    },
  });
  // A connection lost while idle is replaced on next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  countPool(options.applicationName.replace(/^huvudbok /, ''), pool);
  return pool;
}

/** A worker looks for jobs as long as it lives, so its connection is never idle for long enough to be closed. */
const jobConnectionSeconds = 9 * 60;

/**
 * For what works on jobs: a statement is sent before the answer of the one before it, so that what a job asks at once
 * costs one round trip.
 */
export const createJobPool = (options: Omit<PoolOptions, 'isPipelined'>): Pool =>
  createPool({ maxLifetimeSeconds: jobConnectionSeconds, ...options, isPipelined: true });

/** One connection of its own, for LISTEN and for commands that must not be pooled. */
export async function connect(url: string, applicationName: string): Promise<pg.Client> {
  return new DatabaseClient({ url, applicationName }).connect();
}

interface Queryable {
  query(config: { text: string; values: unknown[]; name?: string }): Promise<{ rows: unknown[] }>;
}

function dbOf(connection: Queryable): Db {
  return {
    async query<Row extends object>({ text, values, name }: Sql): Promise<Row[]> {
      const result = await connection.query({
        text,
        values: [...values],
        ...(name ? { name } : {}),
      });
      return result.rows as Row[];
    },
  };
}

/** Reads outside any transaction: each statement sees what is committed when it starts. */
export function db(pool: Pool | pg.Client): Db {
  return dbOf(pool as unknown as Queryable);
}

/** What a connection is used for, until all that was sent on it is answered. */
interface Lent {
  readonly client: Promise<pg.PoolClient>;
  waiting: number;
  isWell: boolean;
}

/**
 * A connection of a pipelined pool on which statements go one behind the other without waiting, each a transaction of
 * its own. It is taken from the pool when something is sent, and given back when all is answered.
 */
export class SendingLine implements Db {
  readonly #pool: Pool;
  #lent: Lent | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    this.#lent ??= { client: this.#pool.connect(), waiting: 0, isWell: true };
    const lent = this.#lent;
    lent.waiting += 1;
    try {
      const client = await lent.client;
      return await dbOf(client as unknown as Queryable).query<Row>(statement);
    } catch (error) {
      // Whoever comes next takes another, as after a failure on the pool's own.
      lent.isWell = false;
      this.#leave(lent);
      throw error;
    } finally {
      lent.waiting -= 1;
      if (lent.waiting === 0) {
        this.#leave(lent);
        lent.client.then(
          (client) => client.release(!lent.isWell),
          () => undefined,
        );
      }
    }
  }

  #leave(lent: Lent): void {
    if (this.#lent === lent) this.#lent = undefined;
  }
}

/** The lines of a pool, by number: as many as there are batches beside each other. */
export function linesOf(pool: Pool): (line: number) => SendingLine {
  const lines: SendingLine[] = [];
  return (line) => {
    lines[line] ??= new SendingLine(pool);
    return lines[line];
  };
}

/** Wraps another library's transaction (pg-boss hands its workers one) as ours. */
export function txOf(execute: (config: Sql) => Promise<{ rows: unknown[] }>): Tx {
  return dbOf({ query: (config) => execute(config) }) as Tx;
}

const serializationFailure = '40001';
const deadlock = '40P01';
/** What the connection had prepared is gone: somebody has thrown it away. */
const notPrepared = '26000';
/** The primary has become a standby, or is no longer to be written to. */
const readOnly = '25006';
const maxAttempts = 5;

/** What runs into it anew does so on another connection. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === readOnly;

/** The connection is not what it was; on another it goes well. */
const isSpoilt = (error: unknown): boolean =>
  isReadOnly(error) || (error instanceof pg.DatabaseError && error.code === notPrepared);

const isTransient = (error: unknown): boolean =>
  isSpoilt(error) ||
  (error instanceof pg.DatabaseError &&
    (error.code === serializationFailure || error.code === deadlock));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work` in a transaction. May run it again after a deadlock, so `work` must be repeatable:
 * no HTTP, mail or rendering inside.
 */
export const withTx = <T>(pool: Pool, work: (tx: Tx) => Promise<T>, begin = 'begin'): Promise<T> =>
  repeated(pool, async (client) => {
    await client.query(client.beginAnew(begin));
    const result = await work(txOn(client));
    await client.query('commit');
    return result;
  });

/**
 * Reads in a transaction that `present` says who reads in. On a pipelined pool `begin`, that and what is read first
 * leave in one message, and nobody waits for the end of what changed nothing: three round trips fewer. Where `begin`
 * fails nobody has presented themselves, so what follows it reads nothing.
 */
export const withReading = <T>(
  pool: Pool,
  present: (tx: Tx) => Promise<void>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  repeated(pool, async (client) => {
    const tx = txOn(client);
    const begun = client.query(client.beginAnew('begin read only'));
    const [, , result] = await allOf([begun, present(tx), work(tx)]);
    // Whoever has the connection next finds out that it is lost.
    client.query('commit').catch(() => undefined);
    return result;
  });

/** What they answer when all have ended; throws what went wrong first in their order. */
async function allOf<const Steps extends readonly Promise<unknown>[]>(
  steps: Steps,
): Promise<{ -readonly [Step in keyof Steps]: Awaited<Steps[Step]> }> {
  await Promise.allSettled(steps);
  return Promise.all(steps) as never;
}

/** On a connection of the pool, and on another after what goes away by itself. Takes back what fails. */
async function repeated<T>(
  pool: Pool,
  attempt: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  for (let nth = 1; ; nth += 1) {
    const client = await pool.connect();
    try {
      const result = await attempt(client as unknown as DatabaseClient);
      client.release();
      return result;
    } catch (error) {
      // A connection that is broken, or to the wrong server, is closed instead of used again.
      client.release((await fails(client.query('rollback'))) || isSpoilt(error));
      if (nth >= maxAttempts || !isTransient(error)) throw error;
      await pause(Math.random() * 10 * 2 ** nth);
    }
  }
}

const txOn = (client: DatabaseClient): Tx => dbOf(client as unknown as Queryable) as Tx;

/** How work that writes is run: `withTx`, or `withTrial`. */
export type RunWriting = <T>(pool: Pool, work: (tx: Tx) => Promise<T>) => Promise<T>;

class TakenBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('a trial leaves nothing');
    this.result = result;
  }
}

/**
 * Runs `work` as `withTx` does, to see what it answers, and leaves nothing of it: what waits to be judged at the commit
 * is judged, and then all of it is taken back.
 */
export async function withTrial<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await withTx(pool, async (tx): Promise<T> => {
      const result = await work(tx);
      await tx.query({ text: 'set constraints all immediate', values: [] });
      throw new TakenBack(result);
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  }
}

const fails = (statement: Promise<unknown>): Promise<boolean> =>
  statement.then(
    () => false,
    () => true,
  );

/**
 * The transaction with every statement prepared, once on its connection: for work that says the same some hundred
 * times over. The connection is to end with it.
 */
export const preparing = (tx: Tx): Tx =>
  dbOf({
    async query({ text, values, name = `all ${sha256Of(text).toString('base64url', 0, 12)}` }) {
      return { rows: await tx.query({ text, values, name }) };
    },
  }) as Tx;

/** Takes back what `work` did in the transaction when it fails, and leaves the rest to go on. */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query({ text: 'savepoint part', values: [] });
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await leave(tx);
    throw error;
  }
  await tx.query({ text: 'release savepoint part', values: [] });
  return done;
}

/**
 * As `inSavepoint`, for work that is all of the transaction so far: it costs nothing while it goes well. What fails is taken
 * back by beginning anew.
 */
export async function inWhole<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await tx.query({ text: 'rollback; begin', values: [] });
    throw error;
  }
}

/**
 * Runs `work` to see what it answers, and leaves nothing of it. What people do in earnest is done outside of parts: an
 * entry of the audit log counts when the transaction itself wrote it (audit.require_event).
 */
export async function inTrial<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query({ text: 'savepoint part', values: [] });
  try {
    return await work();
  } finally {
    await leave(tx);
  }
}

/** Back to where the latest part began, which is over then. */
async function leave(tx: Tx): Promise<void> {
  await tx.query({ text: 'rollback to savepoint part', values: [] });
  await tx.query({ text: 'release savepoint part', values: [] });
}

/**
 * Runs `work` while nobody else on this database runs any under the same name; waits for them first. No
 * transaction is open meanwhile, and a process that dies lets go at once. `work` uses other connections.
 */
export async function withLock<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    // A connection that is lost meanwhile ends nothing: `work` goes on and says how it went.
    return await work();
  } finally {
    client.release(await fails(client.query('select pg_advisory_unlock_all()')));
  }
}

/** What the system says of files that may not be opened or written, which PostgreSQL calls a missing right (42501). */
const filesOutOfReach = /: (Permission denied|Operation not permitted|Read-only file system)$/;
const ioError = '58030';

/** The SQLSTATE and constraint name of a database error, for the one map that explains them. */
export function databaseErrorOf(
  error: unknown,
):
  | { code: string; constraint: string | undefined; message: string; detail: string | undefined }
  | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return {
    code: filesOutOfReach.test(error.message) ? ioError : (error.code ?? ''),
    constraint: error.constraint,
    message: error.message,
    detail: error.detail,
  };
}
