/** Month ends: which month is next in line, what fails in it, and who has said that it is done. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { lastDayOfMonth } from '../../domain/basics/dates.ts';
import { refuse } from '../../lib/errors.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { raiseLock } from '../locks/service.ts';
import { lockLedger } from '../locks/store.ts';
import {
  type Day,
  deleteMonthEnd,
  getMonthEnds,
  insertMonthEnd,
  lockMonthEnds,
  type MonthEnds,
} from './store.ts';

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
  const { open_month, open_month_failing } = await getMonthEnds(tx, day);
  if (open_month !== month) throw notInLine(month, open_month);
  if (open_month_failing.length > 0 && reason === null) {
    const message = `${month.slice(0, 7)} är inte klar: ${open_month_failing.join(', ')}. Åtgärda, eller skriv varför månaden kvitteras ändå (--despite).`;
    throw refuse('unprocessable', [{ path: 'reason', reason: 'required', message }]);
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

/** Takes back the latest acknowledgement; earlier months wait for the later ones. No lock is moved. */
export async function reopenMonth(
  tx: Tx,
  month: string,
  day: Day,
  actor: string,
  reason: string | null = null,
): Promise<MonthEnds> {
  await lockMonthEnds(tx);
  const { last_closed_month } = await getMonthEnds(tx, day);
  if (last_closed_month !== month) {
    const way = last_closed_month
      ? `Den senast kvitterade är ${last_closed_month.slice(0, 7)}; öppna den först.`
      : 'Ingen månad är kvitterad.';
    throw new OperatorError(`${month.slice(0, 7)} kan inte öppnas. ${way}`);
  }
  await deleteMonthEnd(tx, month);
  await recordEvent(tx, { actor, action: 'month.reopened', subject: month, detail: { reason } });
  return getMonthEnds(tx, day);
}

function notInLine(month: string, openMonth: string | null): OperatorError {
  const way = openMonth
    ? `${openMonth.slice(0, 7)} står på tur.`
    : 'Alla månader som har tagit slut är kvitterade.';
  return new OperatorError(`${month.slice(0, 7)} kan inte kvitteras nu. ${way}`);
}
