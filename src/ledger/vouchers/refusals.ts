/** Why the ledger refused a voucher, as the database tells it. */
import { capProblems } from '../../domain/basics/problems.ts';
import {
  type Fault,
  type Params,
  type ParamsOf,
  Refusal,
  refuse,
  refuseWhole,
} from '../../lib/errors.ts';

export type LedgerRefusal = 'unprocessable' | 'period_locked';

/** The refusal of `ledger.post_vouchers`: by a lock as a whole, else by what is wrong with fields. */
export function ledgerRefusal(error: LedgerRefusal, detail: Record<string, unknown>): Refusal {
  return error === 'period_locked'
    ? refuseWhole(error, error, detail as ParamsOf<'period_locked'>, { detail })
    : refuse(error, capProblems(toldFaults(detail)));
}

type ToldFault = Pick<Fault, 'path' | 'reason'>;

/**
 * Faults as functions of the database tell them, `{path, reason, …}` each, with all that is beside as params, and
 * what they are about. `test/unit/sentences.test.ts` holds them to telling what the sentences read.
 */
export const toldFaults = (detail: Record<string, unknown>, about: Params = {}): Fault[] =>
  ((detail['problems'] ?? []) as ToldFault[]).map(
    ({ path, reason, ...params }) => ({ path, reason, params: { ...params, ...about } }) as Fault,
  );

/**
 * A lock stops a day that nobody chooses, as a year's last: another one is no way out, moving the lock is. Other errors are
 * as they were.
 */
export function lockOfFixedDay(error: unknown, day: string): unknown {
  if (!(error instanceof Refusal) || error.code !== 'period_locked') return error;
  const told = error.whole ?? error.faults[0];
  if (told?.reason !== 'period_locked') return error;
  const { params } = told as Extract<Fault, { reason: 'period_locked' }>;
  return refuseWhole(error.code, 'fixed_day_locked', { ...params, day }, { detail: error.detail });
}

/** A lock stops the date: there the way out is typed. Other errors are as they were. */
export function lockAtDate(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'period_locked' || !error.whole) return error;
  return refuse(error.code, [{ path: 'date', ...error.whole }], { detail: error.detail });
}
