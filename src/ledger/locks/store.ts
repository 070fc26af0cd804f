import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Locks } from '../../domain/ledger/postability.ts';

/** Up to and including which day nothing may be posted, or nothing that touches VAT. */
export type LockKind = 'period' | 'vat';

/**
 * Waits for every posting in flight and holds back new ones until commit: whoever posts locks rows of
 * this table, so a lock is either seen by a posting or set after it. The table, not its rows: a year
 * added meanwhile brings new ones.
 */
export async function lockLedger(tx: Tx): Promise<void> {
  await tx.query(sql`select ledger.give_way_to_import()`);
  await tx.query(sql`lock table ledger.series in exclusive mode`);
}

export async function getLocks(db: Db): Promise<Locks> {
  const [locks] = await db.query<Locks>(
    prepared('locks', sql`select period_locked_to, vat_locked_to from ledger.locks`),
  );
  if (!locks) throw new Error('the installation has no locks row');
  return locks;
}

const column = { period: sql`period_locked_to`, vat: sql`vat_locked_to` };

export async function updateLock(tx: Tx, kind: LockKind, date: string | null): Promise<Locks> {
  const [locks] = await tx.query<Locks>(
    sql`update ledger.locks set ${column[kind]} = ${date}::date
        returning period_locked_to, vat_locked_to`,
  );
  if (!locks) throw new Error('the installation has no locks row');
  return locks;
}
