/** pg-boss on a pool of ours, so that what it does counts in the process's connections and finds the primary. */
import pg from 'pg';
import type { Db as JobDatabase } from 'pg-boss';
import { isReadOnly, type Pool } from './pool.ts';

type Transaction = Awaited<ReturnType<NonNullable<JobDatabase['beginTransaction']>>>;

/** A rollback that cannot get through must not be waited for. */
const rollbackMsMax = 5_000;

/** pg-boss reads values as pg does by itself; a query of ours brings its own types. */
const queryOf = (text: string | object, values?: unknown[]) => ({
  types: pg.types,
  ...(typeof text === 'string' ? { text } : (text as { text: string })),
  ...(values === undefined ? {} : { values }),
});

export function jobDatabase(pool: Pool): JobDatabase {
  return {
    executeSql: (text, values) => pool.query(queryOf(text, values)),
    beginTransaction: () => beginTransaction(pool),
  };
}

async function beginTransaction(pool: Pool): Promise<Transaction> {
  const client = await pool.connect();
  let isSettled = false;
  let isBroken = false;
  const settle = (error?: unknown): void => {
    if (isSettled) return;
    isSettled = true;
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
  try {
    await client.query('begin');
  } catch (error) {
    settle(error);
    throw error;
  }
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
