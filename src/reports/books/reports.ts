/** Every report there is, and what may be asked of each. */

import type { Db } from '../../db/pool.ts';
import { isDate } from '../../domain/basics/dates.ts';
import { type Dimension, listDimensions } from '../../ledger/dimensions/store.ts';
import { findYearOf } from '../../ledger/fiscal-years/store.ts';
import type { Day } from '../../ledger/months/store.ts';
import { type Fault, faultOf, refuse } from '../../lib/errors.ts';
import { generalLedgerReport, journalReport, voucherListReport } from './listings.ts';
import { payablesReport, receivablesReport } from './open-items.ts';
import {
  areTooManyMonths,
  balanceSheetReport,
  incomeStatementReport,
  trialBalanceReport,
} from './statements.ts';
import type { BookReport, ReportOptions } from './table.ts';

export const reports: readonly BookReport[] = [
  balanceSheetReport,
  incomeStatementReport,
  trialBalanceReport,
  generalLedgerReport,
  journalReport,
  voucherListReport,
  receivablesReport,
  payablesReport,
];

export const reportBy = (word: string): BookReport | undefined =>
  reports.find((report) => report.word === word || report.name === word);

/** What somebody asked for, as typed. */
export interface AskedReport {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Its code, or `cost_center:100` where both kinds have the code. */
  readonly dimension?: string | undefined;
  /** `1930` or `1900-1999`. */
  readonly accounts?: string | undefined;
  readonly isByMonth?: boolean | undefined;
}

/**
 * The days and the rest that a report is to be of: this fiscal year through today unless said. Throws 400, naming
 * what the report cannot take or what is not there.
 */
export async function readOptions(
  db: Db,
  report: BookReport,
  asked: AskedReport,
  { today, timeZone }: Day,
): Promise<ReportOptions> {
  const problems: Fault[] = [];
  const day = (path: 'from' | 'to'): string | undefined => {
    const text = asked[path];
    if (text === undefined || isDate(text)) return text;
    problems.push({ path, reason: 'no_date' });
    return undefined;
  };
  const to = day('to') ?? today;
  const year = await findYearOf(db, to);
  const start = year && year.start <= to ? year.start : to;
  const from = day('from') ?? (report.isOfDay ? to : start);
  if (from > to && !report.isOfDay)
    problems.push(faultOf('from', 'report_span_reversed', { from, to }));
  const dimension = await readDimension(db, report, asked.dimension, problems);
  const accounts = readAccounts(report, asked.accounts, problems);
  const isByMonth = asked.isByMonth === true;
  if (isByMonth && !report.takes.includes('months')) {
    problems.push(faultOf('by_month', 'report_without_months', { report: report.title }));
  } else if (isByMonth && problems.length === 0 && areTooManyMonths({ from, to })) {
    problems.push({ path: 'by_month', reason: 'report_of_many_months' });
  }
  if (problems.length > 0) throw refuse('invalid_request', problems);
  return { from, to, dimension, accounts, isByMonth, timeZone };
}

async function readDimension(
  db: Db,
  report: BookReport,
  asked: string | undefined,
  problems: Fault[],
): Promise<Dimension | undefined> {
  if (asked === undefined) return undefined;
  if (!report.takes.includes('dimension')) {
    problems.push(faultOf('dimension', 'report_without_dimension', { report: report.title }));
    return undefined;
  }
  const all = await listDimensions(db);
  const found = all.filter(({ kind, code }) => code === asked || `${kind}:${code}` === asked);
  if (found.length > 1)
    problems.push(faultOf('dimension', 'dimension_of_two_kinds', { code: asked }));
  else if (found.length === 0)
    problems.push(faultOf('dimension', 'no_such_dimension', { code: asked }));
  return found.length === 1 ? found[0] : undefined;
}

function readAccounts(report: BookReport, asked: string | undefined, problems: Fault[]) {
  if (asked === undefined) return undefined;
  if (!report.takes.includes('accounts')) {
    problems.push(faultOf('account', 'report_without_accounts', { report: report.title }));
    return undefined;
  }
  const [, first = '', last = first] =
    /^([1-9]\d{3})(?:\s*[-–]\s*([1-9]\d{3}))?(?!\d)/.exec(asked) ?? [];
  if (first !== '' && first <= last) return { first: Number(first), last: Number(last) };
  problems.push({ path: 'account', reason: 'no_account_range' });
  return undefined;
}
