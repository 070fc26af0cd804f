/** The locks that hold for everyone: API, application and workers alike. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import type { Locks } from '../../domain/ledger/postability.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { listYearSpans } from '../fiscal-years/store.ts';
import { getLocks, type LockKind, lockLedger, updateLock } from './store.ts';

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
  const locks = await updateLock(tx, kind, date);
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

interface MovedLock {
  /** Null lifts it. */
  readonly date: string | null;
  readonly reason: string | null;
  /** The mark of what whoever moves it saw. */
  readonly seen?: string | undefined;
}

/** How a lock stands, as a hidden field of the form that moves it. */
export const lockMark = (date: string | null): string => date ?? 'none';

/** As `setLock`, for a person: whoever opens days that were locked says why, and has seen which are (`seen`). */
export async function moveLock(
  tx: Tx,
  kind: LockKind,
  { date, reason, seen }: MovedLock,
  actor: string,
): Promise<Locks> {
  await lockLedger(tx);
  const lastYear = (await listYearSpans(tx)).at(-1);
  if (date !== null && lastYear && date > lastYear.end) {
    throw refuse('unprocessable', [
      { path: 'date', reason: 'after_last_year', params: { lastDay: lastYear.end } },
    ]);
  }
  const before = dateOf(await getLocks(tx), kind);
  if (seen !== undefined && seen !== lockMark(before)) {
    throw refuseWhole('unprocessable', 'lock_changed_meanwhile', { lockedTo: before ?? '' });
  }
  const opensDays = before !== null && (date === null || date < before);
  if (opensDays && reason === null) {
    throw refuse('unprocessable', [{ path: 'reason', reason: 'opening_days_needs_reason' }]);
  }
  return setLock(tx, kind, date, actor, reason);
}
