/** Changing what others use: in short transactions that give way, tried again until they get through. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import { databaseErrorOf } from './pool.ts';

/**
 * A wait for a lock that takes longer than PostgreSQL's `deadlock_timeout` (1 s) is looked through for
 * deadlocks, and it is not said who must then give way. Ours ends before that, so it is always us.
 */
export const lockMsMax = 800;

const patienceMsMax = 120_000;
const pauseMsMax = 1_000;
const quietMsMax = 5_000;

/** Lock timeout, deadlock, serialization failure, statement timeout. */
const contended = new Set(['55P03', '40P01', '40001', '57014']);

function isContended(error: unknown): boolean {
  const found = databaseErrorOf(error);
  // Two who change the rights of one object, or one of them and autovacuum, meet without a code of its own.
  return (
    found !== undefined &&
    (contended.has(found.code) || /tuple concurrently (updated|deleted)/.test(found.message))
  );
}

/** Runs `work` in a transaction of its own, again after a pause for as long as others are in its way. */
export async function patiently(
  client: pg.ClientBase,
  work: () => Promise<void>,
  log: (line: string) => void,
): Promise<void> {
  const began = performance.now();
  let isTold = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`begin; set local lock_timeout = ${lockMsMax}`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!isContended(error)) throw error;
      const waited_ms = performance.now() - began;
      if (waited_ms > patienceMsMax) {
        throw new OperatorError(
          'Databasen gick inte att ändra på två minuter, eftersom någon annan använder den hela tiden: stoppa det som kör, till exempel en säkerhetskopiering, och försök igen.',
          { cause: error },
        );
      }
      if (!isTold && waited_ms > quietMsMax) {
        log('Väntar på att de som använder databasen släpper fram ändringen.');
        isTold = true;
      }
    }
    // Long enough for those who waited for us to be done with what they had begun.
    await sleep(Math.min(50 * attempt, pauseMsMax) * (1 + Math.random()));
  }
}
