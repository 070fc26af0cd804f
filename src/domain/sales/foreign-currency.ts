/**
 * Invoices in another currency than kronor: priced in it, so that the buyer sees what was paid, and booked in kronor at
 * one rate (BFL 4 kap. 6 §; BFNAR 2013:2 punkt 2.4–2.5).
 */
import { type ExchangeRate, shareInOre, toOre } from '../basics/exchange-rate.ts';
import { divideRounded, type Ore, sum } from '../basics/money.ts';
import type { CreditableRow } from './credit-note.ts';
import { type InvoiceRow, type RowAmounts, type Taxed, taxKey } from './invoice.ts';

/** What a row is in the invoice's own currency (`InvoiceRow`). */
export interface InCurrency {
  readonly currencyNet: bigint;
  readonly currencyVat: bigint;
}

/**
 * Rows priced in a currency with what they come to in kronor. Their sum is converted once; the VAT of each rate is
 * converted by itself, and what the rate comes to with VAT is shared out of the sum by largest remainder, so that rows
 * sum to rates and rates to the total, whatever the rate of exchange.
 */
export function rowsInKronor<Row extends RowAmounts & Taxed>(
  rows: readonly Row[],
  rate: ExchangeRate,
): (Row & InCurrency)[] {
  const grossOf = ({ netOre, vatOre }: RowAmounts) => netOre + vatOre;
  const groups = [...Map.groupBy(rows.entries(), ([, row]) => taxKey(row)).values()];
  const gross = groups.map((group) => sum(group.map(([, row]) => grossOf(row))));
  const grossOre = shareInOre(toOre(sum(gross), rate), gross, rate);
  const converted: (Row & InCurrency)[] = [];
  for (const [place, group] of groups.entries()) {
    const ofRows = (ore: Ore, amountOf: (row: Row) => bigint) =>
      shareInOre(
        ore,
        group.map(([, row]) => amountOf(row)),
        rate,
      );
    const vat = toOre(sum(group.map(([, row]) => row.vatOre)), rate);
    const vatOre = ofRows(vat, (row) => row.vatOre);
    const rowOre = ofRows(grossOre[place] ?? 0n, grossOf);
    for (const [position, [index, row]] of group.entries()) {
      const ownVat = vatOre[position] ?? 0n;
      converted[index] = {
        ...row,
        currencyNet: row.netOre,
        currencyVat: row.vatOre,
        netOre: (rowOre[position] ?? 0n) - ownVat,
        vatOre: ownVat,
      };
    }
  }
  return converted;
}

/** A row of a booked invoice as its currency has it, with what credit notes have taken of that. */
export const inOwnCurrency = (row: CreditableRow): CreditableRow => ({
  ...row,
  netOre: row.currencyNet ?? 0n,
  vatOre: row.currencyVat ?? 0n,
  creditedNetOre: row.creditedCurrencyNet ?? 0n,
  creditedVatOre: row.creditedCurrencyVat ?? 0n,
});

/**
 * What a credit note takes of a row in its currency, with the kronor of it: the same share of the row's kronor, reckoned
 * on all that has been taken so far, so that several credits together are the row to the öre, at the invoice's own rate.
 */
export function creditInKronor(credited: InvoiceRow, of: CreditableRow): InvoiceRow & InCurrency {
  const { netOre: currencyNet, vatOre: currencyVat } = credited;
  const taken = (
    amount: bigint,
    before: bigint,
    whole: bigint,
    wholeOre: Ore,
    beforeOre: Ore,
  ): Ore => {
    if (before + amount === whole) return wholeOre - beforeOre;
    return whole === 0n ? 0n : divideRounded(wholeOre * (before + amount), whole) - beforeOre;
  };
  return {
    ...credited,
    currencyNet,
    currencyVat,
    netOre: taken(
      currencyNet,
      of.creditedCurrencyNet ?? 0n,
      of.currencyNet ?? 0n,
      of.netOre,
      of.creditedNetOre,
    ),
    vatOre: taken(
      currencyVat,
      of.creditedCurrencyVat ?? 0n,
      of.currencyVat ?? 0n,
      of.vatOre,
      of.creditedVatOre,
    ),
  };
}
