/** Crediting a booked invoice, in full or part. */
import type { Tx } from '../../db/pool.ts';
import { type ExchangeRate, homeCurrency, toOre } from '../../domain/basics/exchange-rate.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import {
  type CreditableRow,
  type CreditedRow,
  creditRows,
  reducePrice,
} from '../../domain/sales/credit-note.ts';
import { creditInKronor, inOwnCurrency } from '../../domain/sales/foreign-currency.ts';
import {
  type InvoiceCurrency,
  type InvoiceRow,
  type InvoiceTotals,
  totalsOf,
} from '../../domain/sales/invoice.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertDrafts, type NewInvoice } from './create-store.ts';
import { listLosses } from './loss-store.ts';
import { bookInvoices, type InvoiceAnswer } from './service.ts';
import { lockBooked, type NumberedInvoice } from './settled.ts';
import { getLeftInCurrency, listCreditableRows } from './settlement-store.ts';

export interface Credit {
  readonly invoiceId: string;
  readonly date: string;
  /** What is taken back; everything that remains when not given. */
  readonly rows?: readonly CreditedRow[] | undefined;
  /** With VAT, taken off the price instead of giving rows back; in hundredths of the invoice's own currency. */
  readonly amountOre?: Ore | undefined;
  readonly notes?: string | null;
  /** From when interest sees it: `own` unless said. */
  readonly effect?: CreditEffect;
}

/**
 * A credit note takes effect from its own date when the claim was right until then, and from the
 * invoice's when it never was: then no interest has run on what is taken back.
 */
export type CreditEffect = 'own' | 'invoice';

/** What the credit note comes to with VAT, öre. Throws what crediting would, but for its date and locks. */
export async function creditTotal(
  tx: Tx,
  credit: Pick<Credit, 'invoiceId' | 'rows'>,
): Promise<Ore> {
  const invoice = await lockBooked(tx, credit.invoiceId);
  return wanted(await decideCredit(tx, invoice, credit)).totals.totalOre;
}

export type DecidedCredit =
  | {
      readonly rows: readonly InvoiceRow[];
      /** In kronor. */
      readonly totals: InvoiceTotals;
      /** Null when the invoice is in kronor. */
      readonly inCurrency: InvoiceCurrency | null;
    }
  | { readonly problems: readonly Fault[] };

/** What is taken back of an invoice that is held; what is wrong with that instead. */
export async function decideCredit(
  tx: Tx,
  invoice: NumberedInvoice,
  { rows, amountOre }: Pick<Credit, 'rows' | 'amountOre'>,
): Promise<DecidedCredit> {
  const creditable = await listCreditableRows(tx, invoice.id);
  const leftOre = invoice.total_ore - invoice.credited_ore - invoice.credit_drafts_ore;
  const rate = rateOf(invoice);
  // What the buyer sees is decided in the invoice's own currency; the kronor follow.
  const left = rate ? await getLeftInCurrency(tx, invoice.id) : leftOre;
  const exceeds = (totalOre: Ore, path: string) => {
    const inWhich = rate ? { currency: rate.currency } : {};
    const params = { number: invoice.number, totalOre, leftOre: left, ...inWhich };
    return { problems: [{ path, reason: 'credit_exceeds_invoice', params }] } as const;
  };
  if (amountOre !== undefined && amountOre > left) return exceeds(amountOre, 'amount');
  const own = rate ? creditable.map(inOwnCurrency) : creditable;
  const pricesIncludeVat = invoice.prices_include_vat;
  const decision =
    rows === undefined
      ? reducePrice(own, { amountOre: amountOre ?? left, leftOre: left, pricesIncludeVat })
      : creditRows(own, rows, pricesIncludeVat);
  if ('problems' in decision) return decision;
  // What part credits have not taken of the rounding is what is left beside the rows.
  const rounding = decision.isWhole
    ? left - totalsOf(decision.rows, 0n).totalOre
    : (decision.roundingOre ?? 0n);
  const credited = totalsOf(decision.rows, rounding);
  if (credited.totalOre < 0n || credited.totalOre > left) return exceeds(credited.totalOre, 'rows');
  const { rows: taken, totals } = rate
    ? creditedInKronor({ decided: decision.rows, creditable }, (rowsOre) =>
        credited.totalOre === left ? leftOre - rowsOre : toOre(rounding, rate),
      )
    : { rows: decision.rows, totals: credited };
  if (totals.totalOre < 0n || totals.totalOre > leftOre) return exceeds(credited.totalOre, 'rows');
  const lostOre = sum((await listLosses(tx, invoice.id)).map(({ ore }) => ore));
  // The VAT would come back twice, and the customer be owed what was never paid.
  if (lostOre > 0n && totals.totalOre > invoice.open_ore) {
    const params = { number: invoice.number, lostOre };
    return { problems: [{ path: 'rows', reason: 'credit_of_written_off', params }] };
  }
  return { rows: taken, totals, inCurrency: rate && { ...rate, currencyRounding: rounding } };
}

/** The rate that the invoice is booked at, and so all that is credited of it; null in kronor. */
function rateOf({ currency, exchange_rate_e6: rate }: NumberedInvoice): ExchangeRate | null {
  return currency === homeCurrency || rate === null ? null : { currency, exchangeRateE6: rate };
}

/** `roundingOf` tells what the kronor are rounded by, of what the rows come to in kronor. */
function creditedInKronor(
  {
    decided,
    creditable,
  }: {
    readonly decided: readonly InvoiceRow[];
    readonly creditable: readonly CreditableRow[];
  },
  roundingOf: (rowsOre: Ore) => Ore,
): { readonly rows: InvoiceRow[]; readonly totals: InvoiceTotals } {
  const byNumber = new Map(creditable.map((row) => [row.rowNo, row]));
  const rows = decided.map((row) => {
    const of = byNumber.get(row.rowNo);
    if (!of) throw new Error(`row ${row.rowNo} is of no invoice`);
    return creditInKronor(row, of);
  });
  return { rows, totals: totalsOf(rows, roundingOf(totalsOf(rows, 0n).totalOre)) };
}

function wanted(decided: DecidedCredit) {
  if ('problems' in decided) throw refuse('unprocessable', [...decided.problems]);
  return decided;
}

/** Credits an invoice, in full or part: a credit note of its own, numbered and booked (series B). */
export async function creditInvoice(tx: Tx, credit: Credit, actor: string): Promise<InvoiceAnswer> {
  const invoice = await lockBooked(tx, credit.invoiceId);
  refuseAny(dateProblems(invoice, credit.date));
  const decided = wanted(await decideCredit(tx, invoice, credit));
  const note = creditNoteOf(invoice, credit, decided, { source: 'app', createdBy: actor });
  await insertDrafts(tx, [note]);
  const [outcome] = await bookInvoices(tx, [note.id], actor);
  if (!outcome) throw new Error('the credit note vanished');
  if (outcome.refusal) throw outcome.refusal;
  return outcome.invoice;
}

/** The draft of a credit note. */
export function creditNoteOf(
  invoice: NumberedInvoice,
  { date, notes = null, effect = 'own' }: Pick<Credit, 'date' | 'notes' | 'effect'>,
  decided: Exclude<DecidedCredit, { readonly problems: unknown }>,
  origin: Pick<NewInvoice, 'source' | 'createdBy'>,
): NewInvoice {
  return {
    ...origin,
    ...decided,
    id: uuid(),
    credited: {
      invoiceId: invoice.id,
      effectiveDate: effect === 'invoice' ? invoice.invoice_date : date,
    },
    customerId: invoice.customer_id,
    invoiceDate: date,
    dueDate: date,
    paymentTermsDays: 0,
    pricesIncludeVat: invoice.prices_include_vat,
    yourReference: null,
    notes,
    debtor: invoice.debtor,
  };
}

export function dateProblems(invoice: NumberedInvoice, date: string): Fault[] {
  if (date >= invoice.invoice_date) return [];
  const params = { number: invoice.number, from: invoice.invoice_date };
  return [{ path: 'date', reason: 'credit_before_invoice', params }];
}
