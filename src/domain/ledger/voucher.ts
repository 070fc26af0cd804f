/** What every voucher must fulfil, whoever posts it. The database repeats these as constraints. */
import type { Fault } from '../../lib/errors.ts';
import { maxAmountOre, type Ore } from '../basics/money.ts';
import { capProblems } from '../basics/problems.ts';

/** Origins that only the application's own postings may carry. */
export const reservedSources = [
  'invoice',
  'payment',
  'supplier_invoice',
  'supplier_payment',
  'purchase_by_hand',
  'provider_settlement',
  'till_report',
  'accrual_posting',
  'order',
  'reminder',
  'vat',
  'closing',
  'opening',
  'reversal',
  'bank',
  'import',
  'app',
] as const;

export function isReservedSource(source: string): boolean {
  return reservedSources.some((reserved) => reserved === source);
}

export interface VoucherAmounts {
  readonly debitOre: Ore;
  readonly creditOre: Ore;
}

/** A row to post. */
export interface PostingRow extends VoucherAmounts {
  readonly account: number;
  readonly note?: string | null;
  /** Left out, it is the account's of the moment when it is posted; null, the row has none. */
  readonly vatCode?: string | null | undefined;
}

/** A row of one side: debit above zero, credit below. */
export function signedRow(account: number, ore: Ore, note: string | null = null): PostingRow {
  return { account, debitOre: ore > 0n ? ore : 0n, creditOre: ore < 0n ? -ore : 0n, note };
}

/**
 * Every breach of the voucher rules, empty when there is none: at least two rows, exactly one side
 * of each row above zero, each amount and each side's total at most 9 999 999 999,99, debit =
 * credit.
 */
export function checkVoucher(rows: readonly VoucherAmounts[]): Fault[] {
  const problems: Fault[] = [];
  let debit = 0n;
  let credit = 0n;
  for (const [index, row] of rows.entries()) {
    debit += row.debitOre;
    credit += row.creditOre;
    judgeRow(row, index, problems);
  }
  if (rows.length < 2) {
    const params = { of: 'voucher', count: rows.length } as const;
    problems.push({ path: 'rows', reason: 'too_few_rows', params });
  }
  if (debit > maxAmountOre || credit > maxAmountOre) {
    const params = { of: 'voucher', mostOre: maxAmountOre } as const;
    problems.push({ path: 'rows', reason: 'total_too_large', params });
  }
  if (debit !== credit) {
    const params = { debitOre: debit, creditOre: credit };
    problems.push({ path: 'rows', reason: 'unbalanced', params });
  }
  return capProblems(problems);
}

/** Adds what is wrong with a row; its place is put in words only then. */
function judgeRow({ debitOre, creditOre }: VoucherAmounts, index: number, problems: Fault[]): void {
  judgeSide('debit', debitOre, index, problems);
  judgeSide('credit', creditOre, index, problems);
  if (debitOre > 0n && creditOre > 0n) {
    problems.push({ path: `rows[${index}]`, reason: 'both_sides' });
  }
  if (debitOre === 0n && creditOre === 0n) {
    problems.push({ path: `rows[${index}]`, reason: 'no_amount', params: { of: 'voucher' } });
  }
}

function judgeSide(side: 'debit' | 'credit', ore: Ore, index: number, problems: Fault[]): void {
  if (ore < 0n) {
    problems.push({ path: `rows[${index}].${side}`, reason: 'negative_amount' });
  } else if (ore > maxAmountOre) {
    const params = { of: 'voucher', mostOre: maxAmountOre } as const;
    problems.push({ path: `rows[${index}].${side}`, reason: 'amount_too_large', params });
  }
}

/** `A12`, as it is written on the paper. */
export const labelOf = ({
  series,
  number,
}: {
  readonly series: string;
  readonly number: number;
}): string => `${series}${number}`;
