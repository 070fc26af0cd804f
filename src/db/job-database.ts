/**
 * pg-boss on a pool of ours, so that what it does counts in the process's connections and finds the primary, and
 * what it says again and again is planned once a connection.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Db as JobDatabase } from 'pg-boss';
import { sha256Of } from '../lib/sha256.ts';
import { isReadOnly, type Pool } from './pool.ts';

type Transaction = Awaited<ReturnType<NonNullable<JobDatabase['beginTransaction']>>>;

/** A rollback that cannot get through must not be waited for. */
const rollbackMsMax = 5_000;

/** More texts than this of pg-boss's own are parsed each time: a connection keeps what it has prepared. */
const namesMax = 50;
const names = new Map<string, string>();

/** Of the few texts that pg-boss sends again and again, each planned once a connection. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `job queue ${sha256Of(text).toString('base64url', 0, 12)}`;
  names.set(text, name);
  return name;
}

/** pg-boss reads values as pg does by itself; a query of ours brings its own types. */
function queryOf(text: string | object, values: unknown[] = []) {
  if (typeof text !== 'string') return { types: pg.types, ...(text as { text: string }), values };
  if (values.length === 0) return { types: pg.types, text };
  const name = nameOf(text);
  return { types: pg.types, text, values, ...(name === undefined ? {} : { name }) };
}

/** What takes jobs, each queue's its own text without values. */
const takesJobs = /^\s*with\b.*\bskip locked\b/is;
/** What is prepared by a statement has its name as it stands; what is by the protocol has the connection's own secret. */
const secret = randomBytes(9).toString('hex');
const preparedOn = new WeakMap<pg.PoolClient, Set<string>>();

/**
 * Takes jobs by a plan made once a connection, which is a fifth of what planning it anew costs, and without waiting for
 * the disk: what the server forgets as it falls over is taken again, as when a worker does. Both statements come
 * in one message, which is one transaction.
 */
async function takeJobs(pool: Pool, text: string, name: string): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    const quoted = `"${name} ${secret}"`;
    const known = preparedOn.get(client) ?? new Set();
    preparedOn.set(client, known);
    if (!known.has(name)) await client.query(`prepare ${quoted} as ${text}`);
    known.add(name);
    const both = `set local synchronous_commit = off; execute ${quoted}`;
    const results: unknown = await client.query(queryOf(both));
    client.release();
    return (results as pg.QueryResult[])[1] as pg.QueryResult;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export interface QueueDatabase extends JobDatabase {
  /** When nothing of pg-boss's is under way on it. */
  idle(): Promise<void>;
}

export function jobDatabase(pool: Pool): QueueDatabase {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const end = () => {
    underWay -= 1;
    if (underWay > 0) return;
    for (const go of waiting) go();
    waiting = [];
  };
  return {
    executeSql(text, values) {
      const name = !values?.length && takesJobs.test(text) ? nameOf(text) : undefined;
      underWay += 1;
      return (
        name === undefined ? pool.query(queryOf(text, values)) : takeJobs(pool, text, name)
      ).finally(end);
    },
    beginTransaction() {
      underWay += 1;
      return beginTransaction(pool, end).catch((error) => {
        end();
        throw error;
      });
    },
    idle: () =>
      underWay === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

/** Waited for: what follows a `begin` that somebody cancels would stand by itself. */
async function begun(pool: Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function beginTransaction(pool: Pool, settled: () => void): Promise<Transaction> {
  const client = await begun(pool);
  let isSettled = false;
  let isBroken = false;
  const settle = (error?: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    settled();
    client.release(isBroken || error !== undefined);
  };
  const execute = async (text: string, values?: unknown[]) => {
    if (isSettled) throw new Error('the transaction is over');
    try {
      return await client.query(queryOf(text, values));
    } catch (error) {
      // No longer to be written to: not to be used again.
      isBroken ||= isReadOnly(error);
      throw error;
    }
  };
  return {
    db: { executeSql: execute },
    async commit() {
      if (isSettled) throw new Error('the transaction is over');
      try {
        await client.query('commit');
        settle();
      } catch (error) {
        settle(error);
        throw error;
      }
    },
    async rollback() {
      if (isSettled) return;
      const tooLate = setTimeout(() => settle(new Error('rollback')), rollbackMsMax);
      await client.query('rollback').then(() => settle(), settle);
      clearTimeout(tooLate);
    },
  };
}
