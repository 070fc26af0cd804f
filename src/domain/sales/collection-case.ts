/**
 * A collection case (contract 2.9): one object about one overdue invoice, which every rendering is made
 * of. Capital, interest and fees stand apart, as inkassolagen (1974:182) 5 § wants, and add up.
 */

import type { Reasoned } from '../../lib/errors.ts';
import { e2ToNumber, e4ToNumber, type Ore, oreToNumber, sum } from '../basics/money.ts';
import { defaultInterest, type Interest, type RatePeriod } from './default-interest.ts';
import {
  type InterestStart,
  type InterestTerms,
  interestStart,
  isConsumer,
} from './interest-start.ts';
import { chargedRate, type InvoiceRow, unitPriceWithoutVatE4 } from './invoice.ts';

type Text = string | null;

export interface Creditor {
  readonly name: string;
  readonly orgNumber: Text;
  readonly address: Text;
  readonly postalCode: Text;
  readonly city: Text;
  readonly email: Text;
  readonly phone: Text;
  readonly bankgiro: Text;
  readonly plusgiro: Text;
  readonly iban: Text;
  readonly partnerAccount: Text;
}

/** As it stood on the invoice when it was booked. */
export interface CaseDebtor {
  readonly name: string;
  readonly orgNumber: Text;
  readonly vatNumber: Text;
  readonly address: Text;
  readonly postalCode: Text;
  readonly city: Text;
  readonly country: Text;
  readonly email: Text;
  readonly phone: Text;
  readonly yourReference: Text;
}

export interface CollectionFacts {
  readonly creditor: Creditor;
  readonly debtor: CaseDebtor;
  readonly invoice: {
    readonly status: string;
    readonly kind: 'invoice' | 'credit_note';
    readonly number: number | null;
    readonly ocr: Text;
    readonly invoiceDate: string;
    readonly dueDate: string;
    readonly netOre: Ore;
    readonly vatOre: Ore;
    readonly roundingOre: Ore;
    readonly totalOre: Ore;
    readonly notes: Text;
    /** Whether the rows' unit prices are with VAT; in the case they never are. */
    readonly pricesIncludeVat: boolean;
    readonly lines: readonly InvoiceRow[];
  };
  /**
   * Payments and credit notes: what has lessened the debt, a credit note from when it takes effect.
   * What we have written off as a loss is owed all the same.
   */
  readonly payments: readonly {
    readonly date: string;
    readonly amountOre: Ore;
    /** The day it happened, where that is another: a credit note's own date. */
    readonly ownDate?: string;
  }[];
  readonly reminders: readonly {
    readonly reminderNo: number;
    readonly sentDate: string;
    readonly feeOre: Ore;
    /** When the fee was taken back; null when it was not. */
    readonly withdrawnDate: string | null;
  }[];
  readonly interestTerms: InterestTerms;
  /** The day that the invoice was first mailed; null when the log knows of none. */
  readonly sentDate: string | null;
  readonly referenceRates: readonly RatePeriod[];
  readonly isDisputed: boolean;
}

/** A reminder's fee as it is claimed on a day, in öre. */
export const feeOn = (
  { feeOre, withdrawnDate }: CollectionFacts['reminders'][number],
  day: string,
): Ore => (withdrawnDate !== null && withdrawnDate <= day ? 0n : feeOre);

/** The interest as of a day, and by which paragraph it runs; null where there is no right to any. */
export function interestOn(
  { invoice, debtor, payments, interestTerms: terms, sentDate, referenceRates }: CollectionFacts,
  day: string,
): Interest & { readonly law: InterestStart['law'] | null } {
  const { totalOre: amountOre, invoiceDate, dueDate } = invoice;
  const start = interestStart({
    terms,
    invoiceDate,
    dueDate,
    sentDate,
    isConsumer: isConsumer(debtor),
  });
  const interest = defaultInterest({
    amountOre,
    after: start?.after ?? null,
    dueDate,
    to: day,
    payments,
    agreedRateE2: terms.agreedRateE2,
    referenceRates,
  });
  return { ...interest, law: start?.law ?? null };
}

/** Why there is no case; null when there is one. */
export function whyNoCase(
  { invoice, payments, reminders }: CollectionFacts,
  day: string,
): Reasoned | null {
  if (invoice.kind === 'credit_note') return { reason: 'credit_note_not_collected' };
  if (invoice.status === 'draft') return { reason: 'invoice_not_booked' };
  const unpaid =
    invoice.totalOre +
    sum(reminders.map((one) => feeOn(one, day))) -
    sum(payments.map(({ amountOre }) => amountOre));
  if (unpaid <= 0n) return { reason: 'invoice_paid' };
  const { dueDate } = invoice;
  return dueDate >= day ? { reason: 'invoice_not_overdue', params: { dueDate } } : null;
}

const currency = 'SEK';

export type CollectionCase = ReturnType<typeof collectionCase>;

/**
 * The case as of a day, which is the last one interest is counted for. `preparedAt` is a timestamp
 * (ISO 8601). Throws when there is no case.
 */
export function collectionCase(facts: CollectionFacts, day: string, preparedAt: string) {
  const none = whyNoCase(facts, day);
  if (none !== null) throw new RangeError(none.reason);
  const { creditor, debtor, invoice, payments, reminders } = facts;
  const { agreedRateE2 } = facts.interestTerms;
  const { fromDate, toDate, segments, missingPeriods, ...interest } = interestOn(facts, day);
  const unpaid = invoice.totalOre - sum(payments.map(({ amountOre }) => amountOre));
  const fees = sum(reminders.map((one) => feeOn(one, day)));
  // What was paid beyond the invoice went to the fees.
  const principal = unpaid > 0n ? unpaid : 0n;
  const feesLeft = unpaid > 0n ? fees : fees + unpaid;
  const claimed = (ore: Ore) => ({ amount: oreToNumber(ore), currency: currency });
  return {
    schema: 'svc/inkasso-arende' as const,
    schemaVersion: 1 as const,
    preparedAt,
    creditor,
    debtor,
    invoice: {
      invoiceNo: invoice.number ?? 0,
      ocr: invoice.ocr,
      invoiceDate: invoice.invoiceDate,
      dueDate: invoice.dueDate,
      currency: currency,
      netAmount: oreToNumber(invoice.netOre),
      vatAmount: oreToNumber(invoice.vatOre),
      rounding: oreToNumber(invoice.roundingOre),
      totalAmount: oreToNumber(invoice.totalOre),
      notes: invoice.notes,
      lines: invoice.lines.map((line) => ({
        rowNo: line.rowNo,
        description: line.description,
        quantity: e4ToNumber(line.quantityE4),
        unit: line.unit,
        unitPrice: e4ToNumber(unitPriceWithoutVatE4(line, invoice.pricesIncludeVat)),
        discountPct: e2ToNumber(line.discountE2),
        vatRatePct: chargedRate(line),
        lineAmount: oreToNumber(line.netOre),
      })),
    },
    payments: payments.map(({ date, amountOre }) => ({ date, amount: oreToNumber(amountOre) })),
    reminders: reminders.map((one) => ({
      reminderNo: one.reminderNo,
      sentDate: one.sentDate,
      fee: oreToNumber(feeOn(one, day)),
    })),
    interest: {
      amount: oreToNumber(interest.amountOre),
      days: interest.days,
      fromDate,
      toDate,
      rateSource: interest.rateSource,
      agreedRatePct: agreedRateE2 === null ? null : e2ToNumber(agreedRateE2),
      basis: interest.law,
      segments: segments.map((segment) => ({
        from: segment.from,
        to: segment.to,
        days: segment.days,
        ratePct: e2ToNumber(segment.rateE2),
        balance: oreToNumber(segment.balanceOre),
        amount: oreToNumber(segment.interestOre),
      })),
      incomplete: missingPeriods.length > 0,
      missingPeriods,
    },
    claim: {
      principal: claimed(principal),
      interest: claimed(interest.amountOre),
      reminderFees: claimed(feesLeft),
      total: claimed(principal + interest.amountOre + feesLeft),
    },
    disputed: facts.isDisputed,
  };
}
