/** Taking a voucher back: BFL 5:5 wants a correction to be a voucher of its own. */
import type { VoucherAmounts } from './voucher.ts';

/** The same rows in the same order with debit and credit exchanged, so that together they are nothing. */
export function reverseRows<Row extends VoucherAmounts>(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, debitOre: row.creditOre, creditOre: row.debitOre }));
}
