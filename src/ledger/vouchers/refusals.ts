/** Why the ledger refused a voucher, as the database tells it. */
import { capProblems } from '../../domain/basics/problems.ts';
import { type Fault, Refusal, refuse, refuseWhole } from '../../lib/errors.ts';

export type LedgerRefusal = 'unprocessable' | 'period_locked';

/** The refusal of `ledger.post_vouchers`: by a lock as a whole, else by what is wrong with fields. */
export function ledgerRefusal(error: LedgerRefusal, detail: Record<string, unknown>): Refusal {
  return error === 'period_locked'
    ? refuseWhole(error, error, detail, { detail })
    : refuse(error, capProblems(toldFaults(detail)));
}

/** Faults as functions of the database tell them, `{path, reason, …}` each, with all that is beside as params. */
export const toldFaults = (detail: Record<string, unknown>): Fault[] =>
  ((detail['problems'] ?? []) as Fault[]).map(({ path, reason, ...params }) => ({
    path,
    reason,
    params,
  }));

/** A lock stops the date: there the way out is typed. Other errors are as they were. */
export function lockAtDate(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'period_locked' || !error.whole) return error;
  return refuse(error.code, [{ path: 'date', ...error.whole }], { detail: error.detail });
}
