/** What an invoice says whichever form it is in: on paper, and as an e-invoice. Pure. */

import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { divideRounded } from '../../domain/basics/money.ts';
import { totalsOf } from '../../domain/sales/invoice.ts';
import { type VatGround, vatGroundOf } from '../../domain/sales/vat-ground.ts';
import { decimalText } from '../../lib/swedish.ts';
import type { DocumentRow, InvoiceDocument } from './printing-store.ts';
import { isQuestion } from './refusals.ts';

/** What the invoice says in the currency that its buyer pays in: kronor unless the order was in another. */
export function inOwnCurrency({ currency, rows, ...invoice }: InvoiceDocument) {
  if (currency === homeCurrency) {
    return {
      unit: 'kr',
      rows,
      netOre: invoice.net_ore,
      vatOre: invoice.vat_ore,
      roundingOre: invoice.rounding_ore,
      totalOre: invoice.total_ore,
      paidOre: invoice.paid_ore,
    };
  }
  const own = rows.map((row) => ({
    ...row,
    netOre: row.currencyNet ?? 0n,
    vatOre: row.currencyVat ?? 0n,
  }));
  const totals = totalsOf(own, invoice.currency_rounding);
  const paidOre =
    invoice.total_ore === 0n
      ? 0n
      : divideRounded(invoice.paid_ore * totals.totalOre, invoice.total_ore);
  return { unit: currency, rows: own, ...totals, paidOre };
}

/** A draft is no claim, a credit note neither, and of zero kronor or what its order paid there is nothing to pay. */
export const isToBePaid = ({ status, kind, total_ore, paid_ore }: InvoiceDocument): boolean =>
  status !== 'draft' && kind === 'invoice' && total_ore > paid_ore;

/** That there is nothing to pay, or when there is what is charged who pays late; empty where that is not said. */
export function paymentText(invoice: InvoiceDocument): string {
  const { credited, paid_ore } = invoice;
  if (credited) {
    return `Kreditfakturan ändrar faktura ${credited.number} av ${credited.date}. Den ska inte betalas.`;
  }
  if (!isToBePaid(invoice)) {
    return paid_ore > 0n ? 'Fakturan är betald.' : 'Det finns inget att betala på fakturan.';
  }
  return invoice.interest_is_stated ? interestText(invoice) : '';
}

export const termsText = (days: number): string =>
  days === 0 ? 'Omgående' : `${days} dagar netto`;

/** Why a row bears no VAT; null of one that does. */
export const groundOf = (row: DocumentRow): VatGround | null =>
  vatGroundOf(row, row.vatDoubt !== null && !isQuestion(row.vatDoubt));

/** That interest is charged, from when and at which rate (räntelagen 3, 4 and 6 §§). */
function interestText({ agreed_rate_e2: rate, interest_from }: InvoiceDocument): string {
  const when =
    interest_from === 'due_date'
      ? 'Efter förfallodagen'
      : 'Betalas fakturan inte inom 30 dagar från att den sändes';
  return rate === null
    ? `${when} tas dröjsmålsränta ut enligt räntelagen.`
    : `${when} tas dröjsmålsränta ut med ${decimalText(BigInt(rate) * 100n)} % om året, som avtalat.`;
}
