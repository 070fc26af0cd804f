/**
 * The voucher of a till's Z report. Means of payment go where the company has said that each comes through; sales by
 * rate with the VAT that they contain; gift cards sold are a debt until they are redeemed, and so is a tip.
 */
import type { Fault } from '../../lib/errors.ts';
import { capProblems } from '../basics/problems.ts';
import { outputVatAccount } from '../ledger/vat.ts';
import type { DateSpan } from '../ledger/vat-deadlines.ts';
import { type PostingRow, signedRow } from '../ledger/voucher.ts';
import { giftCardMethod } from './gift-card.ts';
import { roundingAccount } from './invoice.ts';
import { tipName } from './named-accounts.ts';
import {
  cashMethod,
  type TillAccounts,
  tillAccountOf,
  tillSalesAccountOf,
} from './till-accounts.ts';
import type { TillRejection } from './till-rejections.ts';
import { type TillReport, tillRateSums } from './till-report.ts';

/** An account of the chart, as far as it matters here. */
export interface TillAccountState {
  readonly isActive: boolean;
  /** The rate of its VAT code; null without one. */
  readonly vatRate: number | null;
}

export interface TillContext {
  readonly tillAccounts: TillAccounts;
  readonly accounts: ReadonlyMap<number, TillAccountState>;
  readonly fiscalYears: readonly DateSpan[];
  readonly today: string;
}

export type TillDecision =
  /** No rows: nothing happened in kronor. */
  | { readonly kind: 'post'; readonly rows: readonly PostingRow[] }
  | {
      readonly kind: 'stopped';
      readonly reason: TillRejection;
      readonly problems: readonly Fault[];
    };

/** Decides about a report whose sums agree. */
export function decideTillReport(report: TillReport, context: TillContext): TillDecision {
  const { date } = report;
  if (date > context.today) {
    const params = { date, today: context.today };
    return stop('date_in_future', [{ path: 'date', reason: 'in_the_future', params }]);
  }
  if (!context.fiscalYears.some(({ start, end }) => start <= date && date <= end)) {
    const params = { date };
    return stop('date_outside_fiscal_year', [
      { path: 'date', reason: 'till_outside_fiscal_year', params },
    ]);
  }
  const { rows, unknown, missing } = postingOf(report, context);
  if (unknown.length > 0) return stop('means_unknown', capProblems([...unknown, ...missing]));
  if (missing.length > 0) return stop('account_missing', capProblems(missing));
  return { kind: 'post', rows };
}

const stop = (reason: TillRejection, problems: readonly Fault[]): TillDecision => ({
  kind: 'stopped',
  reason,
  problems,
});

function postingOf(report: TillReport, { tillAccounts, accounts }: TillContext) {
  const unknown: Fault[] = [];
  const missing: Fault[] = [];
  const { tillId } = report;
  const accountOf = (name: string, path: string): number => {
    const account = tillAccountOf(tillAccounts, tillId, name);
    if (account === undefined) {
      unknown.push({ path, reason: 'till_means_unknown', params: { name } });
    } else if (!accounts.get(account)?.isActive) {
      missing.push({ path, reason: 'till_account_missing', params: { name, account } });
    }
    return account ?? 0;
  };
  const rows: PostingRow[] = report.payments.map(({ method, amountOre }, index) =>
    signedRow(accountOf(method, `payments[${index}].method`), amountOre, method),
  );
  for (const [index, { kind, amountOre, text }] of report.movements.entries()) {
    const path = `movements[${index}].kind`;
    const note = text ?? kind;
    rows.push(
      signedRow(accountOf(cashMethod, path), amountOre, note),
      signedRow(accountOf(kind, path), -amountOre, note),
    );
  }
  for (const { vatRate, grossOre, vatOre } of tillRateSums(report)) {
    const path = report.sales.some((row) => row.vatRate === vatRate) ? 'sales' : 'returns';
    const account = tillSalesAccountOf(tillAccounts, tillId, vatRate);
    if (account === undefined) {
      unknown.push({ path, reason: 'till_sale_without_vat' });
      continue;
    }
    const state = accounts.get(account);
    if (!state?.isActive || (state.vatRate ?? 0) !== vatRate) {
      const why = state ? (state.isActive ? 'other_rate' : 'inactive') : 'missing';
      const params = { account, state: why, rate: vatRate } as const;
      missing.push({ path, reason: 'till_sales_account', params });
    }
    const hasReturns = report.returns.some((row) => row.vatRate === vatRate);
    rows.push(signedRow(account, vatOre - grossOre, hasReturns ? 'Med returer avdragna' : null));
    const vatAccount = outputVatAccount(vatRate);
    if (vatAccount !== null) rows.push(signedRow(vatAccount, -vatOre));
  }
  if (report.giftCardsSoldOre > 0n) {
    const account = accountOf(giftCardMethod, 'giftCardsSold');
    rows.push(signedRow(account, -report.giftCardsSoldOre, 'Sålda presentkort'));
  }
  if (report.tipsOre > 0n) {
    rows.push(signedRow(accountOf(tipName, 'tips'), -report.tipsOre, 'Dricks'));
  }
  rows.push(signedRow(roundingAccount, -report.roundingOre, 'Öresavrundning'));
  return {
    rows: rows.filter(({ debitOre, creditOre }) => debitOre !== creditOre),
    unknown,
    missing,
  };
}
