/** The locks that hold for everyone: API, application and workers alike. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuse } from '../../lib/errors.ts';
import { listYearSpans } from '../fiscal-years/store.ts';

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

export async function getLocks(db: Db): Promise<Locks> {
  const [locks] = await db.query<Locks>(
    sql`select period_locked_to, vat_locked_to from ledger.locks`,
  );
  if (!locks) throw new Error('the row of locks is missing');
  return locks;
}

export type LockKind = 'period' | 'vat';

const dateOf = (locks: Locks, kind: LockKind): string | null =>
  kind === 'period' ? locks.period_locked_to : locks.vat_locked_to;

/** Locks the books up to and including `date`; null lifts the lock. */
export async function setLock(
  tx: Tx,
  kind: LockKind,
  date: string | null,
  actor: string,
  reason: string | null = null,
): Promise<Locks> {
  await lockLedger(tx);
  const before = dateOf(await getLocks(tx), kind);
  const [locks] = await tx.query<Locks>(
    kind === 'period'
      ? sql`update ledger.locks set period_locked_to = ${date}::date
            returning period_locked_to, vat_locked_to`
      : sql`update ledger.locks set vat_locked_to = ${date}::date
            returning period_locked_to, vat_locked_to`,
  );
  if (!locks) throw new Error('the row of locks is missing');
  const detail = { before, ...(reason === null ? {} : { reason }) };
  await recordEvent(tx, { actor, action: `lock.${kind}`, subject: date ?? 'none', detail });
  return locks;
}

/** Locks the books up to and including `date`; a lock that reaches as far already stays as it is. */
export async function raiseLock(
  tx: Tx,
  kind: LockKind,
  date: string,
  actor: string,
  reason: string,
): Promise<Locks> {
  await lockLedger(tx);
  const locks = await getLocks(tx);
  const now = dateOf(locks, kind);
  return now !== null && now >= date ? locks : setLock(tx, kind, date, actor, reason);
}

/** As `setLock`, for a person: whoever opens days that were locked says why. */
export async function moveLock(
  tx: Tx,
  kind: LockKind,
  { date, reason }: { readonly date: string | null; readonly reason: string | null },
  actor: string,
): Promise<Locks> {
  await lockLedger(tx);
  const lastYear = (await listYearSpans(tx)).at(-1);
  if (date !== null && lastYear && date > lastYear.end) {
    const message = `Det sista räkenskapsåret slutar ${lastYear.end}; lås inte längre än så.`;
    throw refuse('unprocessable', [{ path: 'date', reason: 'after_last_year', message }]);
  }
  const before = dateOf(await getLocks(tx), kind);
  const opensDays = before !== null && (date === null || date < before);
  if (opensDays && reason === null) {
    const message = 'Skriv varför låsta dagar öppnas; det sparas i behandlingshistoriken.';
    throw refuse('unprocessable', [{ path: 'reason', reason: 'required', message }]);
  }
  return setLock(tx, kind, date, actor, reason);
}
