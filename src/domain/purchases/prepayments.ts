/**
 * A prepayment invoice (386) stands on 1480 until the final invoice comes, which names it (BG-3) and
 * deducts what was paid (BT-113). The two are a pair: what the first was booked on, the second takes back,
 * input VAT too, so that nothing is deducted twice.
 */
import { type Ore, sum } from '../basics/money.ts';
import type { ReceivedInvoice } from './received-invoice.ts';

/** A booked prepayment invoice that no final invoice has taken back. */
export interface Prepayment {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly currency: string;
  /** In hundredths of its currency. */
  readonly payableOre: Ore;
  /** As it was booked, in kronor's öre; debit above zero. */
  readonly rows: readonly { readonly account: number; readonly ore: Ore }[];
}

/** What an invoice has to do with prepayments. */
export interface PrepaymentSituation {
  /** It is of what is not delivered yet, or a credit of that. */
  readonly isPrepayment: boolean;
  /** Booked prepayments that it deducts. */
  readonly deducted: readonly Prepayment[];
  /** It names a prepayment, but deducts nothing. */
  readonly isDeductionMissing: boolean;
}

export const noPrepayment: PrepaymentSituation = {
  isPrepayment: false,
  deducted: [],
  isDeductionMissing: false,
};

type Named = Pick<ReceivedInvoice, 'kind' | 'isPrepayment' | 'preceding' | 'currency'> & {
  readonly totals: Pick<ReceivedInvoice['totals'], 'prepaidOre'>;
};

/**
 * A final invoice deducts the prepayments it names when they come to what it deducts, else the only one of
 * that very amount; of any other a person says. `booked` are the supplier's, in whatever currency.
 */
export function prepaymentsOf(
  { kind, isPrepayment, preceding, currency, totals: { prepaidOre } }: Named,
  booked: readonly Prepayment[],
): PrepaymentSituation {
  const open = booked.filter((one) => one.currency === currency);
  const named = open.filter(({ invoiceNumber }) => preceding.includes(invoiceNumber));
  if (isPrepayment || (kind === 'credit_note' && named.length > 0)) {
    return { ...noPrepayment, isPrepayment: true };
  }
  if (prepaidOre === 0n) return { ...noPrepayment, isDeductionMissing: named.length > 0 };
  const equal = open.filter(({ payableOre }) => payableOre === prepaidOre);
  const namedOre = sum(named.map(({ payableOre }) => payableOre));
  if (named.length > 0) return { ...noPrepayment, deducted: namedOre === prepaidOre ? named : [] };
  return { ...noPrepayment, deducted: equal.length === 1 ? equal : [] };
}
