/** What planned vouchers are put together of. */
import { type Ore, sum } from '../domain/basics/money.ts';
import { vatFromNet } from '../domain/ledger/vat.ts';
import type { PlannedRow, PlannedVoucher } from './books.ts';

export const bank = 1930;

/** One that the bookkeeper posts. */
export const voucher = (
  date: string,
  description: string,
  rows: readonly PlannedRow[],
  rest: Partial<PlannedVoucher> = {},
): PlannedVoucher => ({ series: 'A', source: 'app', date, description, rows, ...rest });

/** The last row of a voucher: what makes it balance. */
export const against = (account: number, rows: readonly PlannedRow[]): PlannedRow[] => [
  ...rows,
  { account, ore: -sum(rows.map(({ ore }) => ore)) },
];

/** Sold without VAT, and the VAT on it. */
export function sale(
  account: number,
  netOre: Ore,
  rate: 6 | 12 | 25,
  costCenter: string,
): PlannedRow[] {
  const vatAccount = { 25: 2611, 12: 2621, 6: 2631 }[rate];
  return [
    { account, ore: -netOre, costCenter },
    { account: vatAccount, ore: -vatFromNet(netOre, rate) },
  ];
}

/** Bought with the VAT that is taken back. */
export const bought = (
  account: number,
  netOre: Ore,
  rate: 0 | 6 | 25,
  row: Partial<PlannedRow>,
): PlannedRow[] => [
  { ...row, account, ore: netOre },
  { account: 2641, ore: vatFromNet(netOre, rate) },
];
