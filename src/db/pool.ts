/**
 * The one place that touches `pg`: type parsing, pools, transactions. Everything else sees `Db`
 * (may read) and `Tx` (may write); only `withTx` and the job worker make a `Tx`, so a forgotten
 * transaction does not compile.
 */
import pg from 'pg';
import type { Sql } from './sql.ts';

declare const transaction: unique symbol;

export interface Db {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
}

export interface Tx extends Db {
  readonly [transaction]: true;
}

export type Pool = pg.Pool;

/** How values are read, by every connection: a bigint is a BigInt, a date its own text. */
export const types = new pg.TypeOverrides();
// A date is a string end to end: pg's own parser makes 2026-01-01 a moment in 2025 east of Greenwich.
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text));

export interface PoolOptions {
  readonly url: string;
  readonly max: number;
  readonly applicationName: string;
}

/** How long statements and transactions may take is the role's (src/db/role-limits.ts). */
export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    types,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // A connection lost while idle is replaced on next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** One connection of its own, for LISTEN and for commands that must not be pooled. */
export async function connect(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  return client;
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

/** Wraps another library's transaction (pg-boss hands its workers one) as ours. */
export function txOf(execute: (config: Sql) => Promise<{ rows: unknown[] }>): Tx {
  return dbOf({ query: (config) => execute(config) }) as Tx;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 5;

const isTransient = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work` in a transaction. May run it again after a deadlock, so `work` must be repeatable:
 * no HTTP, mail or rendering inside.
 */
export async function withTx<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { client, giveBack } = await checkOut(pool);
    try {
      await client.query(begin);
      const result = await work(dbOf(client as unknown as Queryable) as Tx);
      await client.query('commit');
      giveBack(false);
      return result;
    } catch (error) {
      giveBack(await fails(client.query('rollback')));
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error;
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/**
 * A connection out of the pool. One that is lost while it is out says so twice: to the statement that
 * runs, and as an event that would end the process if nobody listened.
 */
async function checkOut(pool: Pool) {
  const client = await pool.connect();
  const ignore = () => undefined;
  client.on('error', ignore);
  return {
    client,
    /** `isBroken` closes the connection instead of using it again. */
    giveBack(isBroken: boolean): void {
      client.off('error', ignore);
      client.release(isBroken);
    },
  };
}

const fails = (statement: Promise<unknown>): Promise<boolean> =>
  statement.then(
    () => false,
    () => true,
  );

/**
 * Runs `work` while nobody else on this database runs any under the same name; waits for them first. No
 * transaction is open meanwhile, and a process that dies lets go at once. `work` uses other connections.
 */
export async function withLock<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const { client, giveBack } = await checkOut(pool);
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    // A connection that is lost meanwhile ends nothing: `work` goes on and says how it went.
    return await work();
  } finally {
    giveBack(await fails(client.query('select pg_advisory_unlock_all()')));
  }
}

/** The SQLSTATE and constraint name of a database error, for the one map that explains them. */
export function databaseErrorOf(
  error: unknown,
):
  | { code: string; constraint: string | undefined; message: string; detail: string | undefined }
  | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return {
    code: error.code ?? '',
    constraint: error.constraint,
    message: error.message,
    detail: error.detail,
  };
}
