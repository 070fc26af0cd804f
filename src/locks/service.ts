/** The locks that hold for everyone: API, application and workers alike. */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

export interface Locks {
  period_locked_to: string | null;
  vat_locked_to: string | null;
}

/**
 * Waits for every posting in flight and holds back new ones until commit: whoever posts locks rows of
 * this table, so a lock is either seen by a posting or set after it. The table, not its rows: a year
 * added meanwhile brings new ones.
 */
export async function lockLedger(tx: Tx): Promise<void> {
  await tx.query(sql`lock table ledger.series in exclusive mode`);
}

/** Locks the books up to and including `date`; null lifts the lock. */
export async function setLock(
  tx: Tx,
  kind: 'period' | 'vat',
  date: string | null,
  actor: string,
): Promise<Locks> {
  await lockLedger(tx);
  const [locks] = await tx.query<Locks>(
    kind === 'period'
      ? sql`update ledger.locks set period_locked_to = ${date}::date
            returning period_locked_to, vat_locked_to`
      : sql`update ledger.locks set vat_locked_to = ${date}::date
            returning period_locked_to, vat_locked_to`,
  );
  if (!locks) throw new Error('the row of locks is missing');
  await recordEvent(tx, { actor, action: `lock.${kind}`, subject: date ?? 'none' });
  return locks;
}
