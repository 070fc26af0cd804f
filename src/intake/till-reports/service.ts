/** From a till's received report to its voucher, or a reason for a person to look at. */
import { decisionChannel } from '../../db/decisions.ts';
import type { Tx } from '../../db/pool.ts';
import { findJsonProblems, parseJson } from '../../domain/basics/json.ts';
import { readTillAccounts } from '../../domain/sales/till-accounts.ts';
import { decideTillReport, type TillContext } from '../../domain/sales/till-posting.ts';
import type { TillRejection } from '../../domain/sales/till-rejections.ts';
import { type ParsedTillReport, parseTillReport } from '../../domain/sales/till-report.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import type { Fault, Problem } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { receivedTillReport } from './received.ts';
import {
  bookTillReport,
  getTillRules,
  keepTillReport,
  lockReceived,
  readBytes,
  stopTillReport,
  type TillRules,
  tellJudged,
} from './store.ts';

/** Who judges, and the day it is, YYYY-MM-DD. */
export interface Judging {
  readonly today: string;
  readonly actor: string;
}

/** The report in the bytes, or what is wrong with its form or its sums. The door has let only JSON through. */
export function readTillReport(raw: Buffer): ParsedTillReport {
  const { text, value } = parseJson(raw);
  const problems = findJsonProblems(text, value);
  return problems.length > 0 ? { reason: 'invalid_report', problems } : parseTillReport(value);
}

/** What a report is judged by, as the books are now. */
export const tillContextOf = (
  { accounts, tillAccounts, fiscalYears }: TillRules,
  today: string,
): TillContext => ({
  today,
  fiscalYears,
  tillAccounts: readTillAccounts(tillAccounts.join()) ?? new Map(),
  accounts: new Map(accounts.map((account) => [account.number, account])),
});

/**
 * Judges received reports in the caller's transaction, and books those that nothing stops: one voucher each. One that
 * was judged before is left alone.
 */
export async function judgeTillReports(
  tx: Tx,
  ids: readonly string[],
  { today, actor }: Judging,
): Promise<void> {
  const waiting = await lockReceived(tx, ids);
  if (waiting.length === 0) return;
  const context = tillContextOf(await getTillRules(tx), today);
  for (const { id } of waiting) await judge(tx, id, context, actor);
  await tellJudged(
    tx,
    waiting.map(({ id }) => id),
    decisionChannel,
  );
}

async function judge(tx: Tx, id: string, context: TillContext, actor: string): Promise<void> {
  const raw = await readBytes(tx, id);
  if (!raw) throw new Error('a held report is not there');
  const stop = (reason: TillRejection, problems: readonly (Fault | Problem)[]) =>
    stopTillReport(tx, id, reason, problems);
  const read = readTillReport(raw);
  if ('problems' in read) return stop(read.reason, read.problems);
  const { report } = read;
  const decision = decideTillReport(report, context);
  if (decision.kind === 'stopped') return stop(decision.reason, decision.problems);
  const { rows } = decision;
  const booking = await bookTillReport(tx, { id, voucherId: uuid(), rows }, actor);
  switch (booking.outcome) {
    case 'differs': {
      const params = { till: report.tillId, number: report.zNumber };
      return stop('report_differs', [{ path: 'zNumber', reason: 'till_report_differs', params }]);
    }
    case 'unprocessable':
    case 'period_locked': {
      const refusal = ledgerRefusal(booking.outcome, booking.detail);
      const faults = refusal.whole ? [{ path: 'date', ...refusal.whole }] : refusal.faults;
      return stop(
        booking.outcome === 'period_locked' ? 'period_locked' : 'voucher_refused',
        faults,
      );
    }
  }
}

/**
 * Takes in a report as the owner of the database, and judges it at once. Throws `invalid_request` for what is not JSON.
 * Answers which it is, and whether that till's report of that number was there before.
 */
export async function addTillReport(
  tx: Tx,
  raw: Buffer,
  judging: Judging,
): Promise<{ id: string; isKnown: boolean }> {
  const kept = await keepTillReport(tx, receivedTillReport(raw, parseJson(raw).value));
  await judgeTillReports(tx, [kept.id], judging);
  return kept;
}
