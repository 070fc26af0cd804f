/** Month ends: which month is next in line, what fails in it, and who has said that it is done. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { lastDayOfMonth } from '../../domain/basics/dates.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { raiseLock } from '../locks/service.ts';
import { lockLedger } from '../locks/store.ts';
import {
  type Day,
  deleteMonthEnd,
  findFirstMonth,
  getMonthEnds,
  insertMonthEnd,
  lockMonthEnds,
  type MonthEnds,
} from './store.ts';

/**
 * Throws 404 for a month before the first that there is a month end of, and for one that has not begun: a condition
 * would seem to hold there because there is nothing to hold it against.
 */
export async function requireMonth(db: Db, month: string, { today }: Day): Promise<void> {
  const start = await findFirstMonth(db);
  if (start === undefined || month < start || month > today) {
    throw refuseWhole('not_found', 'no_month_end', { start: start?.slice(0, 7) ?? null });
  }
}

export interface Acknowledgement {
  readonly month: string;
  /** Why, although something remains; null when nothing does. */
  readonly reason: string | null;
  /** Also locks the period to the month's last day; a lock that reaches further stays. */
  readonly locks: boolean;
}

/**
 * Acknowledges the month that is next in line. While a condition fails a reason must be given, which
 * is kept beside who gave it.
 */
export async function acknowledgeMonth(
  tx: Tx,
  { month, reason, locks }: Acknowledgement,
  day: Day,
  actor: string,
): Promise<MonthEnds> {
  await lockLedger(tx);
  await lockMonthEnds(tx);
  const { open_month, open_month_failing, last_closed_month } = await getMonthEnds(tx, day);
  if (open_month !== month) {
    const params = { month, openMonth: open_month, lastClosed: last_closed_month };
    throw refuseWhole('unprocessable', 'month_not_in_line', params);
  }
  if (open_month_failing.length > 0 && reason === null) {
    const params = { month, failing: open_month_failing };
    throw refuse('unprocessable', [{ path: 'reason', reason: 'month_not_ready', params }]);
  }
  await insertMonthEnd(tx, month, actor);
  const detail = { failing: open_month_failing, reason };
  await recordEvent(tx, { actor, action: 'month.acknowledged', subject: month, detail });
  if (locks) {
    const why = `Månadsavslut ${month.slice(0, 7)}`;
    await raiseLock(tx, 'period', lastDayOfMonth(month), actor, why);
  }
  return getMonthEnds(tx, day);
}

/**
 * Takes back the latest acknowledgement; earlier months wait for the later ones. No lock is moved. A person must be an
 * owner, which the database asks for.
 */
export async function reopenMonth(
  tx: Tx,
  month: string,
  day: Day,
  actor: string,
  reason: string,
): Promise<MonthEnds> {
  await lockMonthEnds(tx);
  const { last_closed_month } = await getMonthEnds(tx, day);
  if (last_closed_month !== month) {
    const params = { month, lastClosed: last_closed_month };
    throw refuseWhole('unprocessable', 'not_last_closed_month', params);
  }
  await deleteMonthEnd(tx, month);
  await recordEvent(tx, { actor, action: 'month.reopened', subject: month, detail: { reason } });
  return getMonthEnds(tx, day);
}
