/** What a file of a bank says, in one form whatever format it came in. Amounts are in öre, or hundredths of another currency. */
import { addDays } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';

export interface BankParty {
  readonly name: string | null;
  readonly account: string | null;
  /** What kind of number the account is: IBAN, BBAN, BGNR (bankgiro) or what the bank calls it. */
  readonly accountKind: string | null;
}

/** An invoice or credit note that a payer named (`RfrdDocInf`). */
export interface PaidDocument {
  readonly number: string;
  /** CINV is an invoice, CREN a credit note. */
  readonly kind: string | null;
}

/** One payment within an entry; a bankgiro deposit has many. */
export interface BankEntryDetail {
  /** As the entry's own amount, money in above zero; null when the file does not say. */
  readonly amount: Ore | null;
  readonly currency: string | null;
  /** What we called the payment in our payment file, and what the payer did in his. */
  readonly endToEndId: string | null;
  readonly paymentBatchId: string | null;
  readonly transactionId: string | null;
  /** The bank's own. */
  readonly servicerReference: string | null;
  /** OCR and other creditor's references. */
  readonly references: readonly string[];
  readonly documents: readonly PaidDocument[];
  readonly texts: readonly string[];
  readonly debtor: BankParty;
  readonly creditor: BankParty;
  /** Why a payment came back: a code of ISO 20022 (`AC04`) or the bank's own word. */
  readonly returnReason: string | null;
}

export interface BankEntry {
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** Above zero is money in, also where the entry takes back an earlier one. */
  readonly amount: Ore;
  readonly currency: string | null;
  /** Only what is booked has changed the balance. */
  readonly isBooked: boolean;
  readonly isReversal: boolean;
  readonly bookingDate: string | null;
  readonly valueDate: string | null;
  readonly reference: string | null;
  readonly servicerReference: string | null;
  /** `PMNT/RCDT/DMCT`, or the bank's own word. */
  readonly code: string | null;
  readonly text: string | null;
  /** Of the account after the entry; CSV has it. */
  readonly balanceAfter: Ore | null;
  /** Of all its details, those handed over before it too. */
  readonly detailCount: number;
  readonly details: readonly BankEntryDetail[];
}

export interface BankStatement {
  /** Where it begins, counted from 1, and its number in the file. */
  readonly line: number;
  readonly place: number;
  readonly id: string | null;
  readonly account: string | null;
  readonly currency: string | null;
  /** Announces what a statement will hold or details it (camt.054): it has no balances. */
  readonly isNotice: boolean;
  readonly opening: Ore | null;
  readonly closing: Ore | null;
  /** Of booked entries: how many, and what money in and money out come to, both above zero. */
  readonly entries: number;
  readonly credit: Ore;
  readonly debit: Ore;
  /** The first and last day of its booked entries, else the days it says it is of. */
  readonly from: string | null;
  readonly to: string | null;
  /** The days that it says it is of, which may be more than it has entries on. */
  readonly saidFrom: string | null;
  readonly saidTo: string | null;
  readonly sequence: number | null;
  /** Whether its entries stand with the latest first. */
  readonly isNewestFirst: boolean;
  /**
   * ISO 20022 has the sign of a reversal right; some banks give the sign of what is reversed. True where the
   * balances prove the latter: the entries' reversals then count the other way, as the sums here do.
   */
  readonly areReversalsTurned: boolean;
}

/**
 * What a reader hands over, in the file's order. Details beyond a thousand of one entry come before it; a statement
 * comes after all entries of its own.
 */
export type BankFileEvent =
  | { readonly kind: 'details'; readonly details: readonly BankEntryDetail[] }
  | { readonly kind: 'entry'; readonly entry: BankEntry; readonly account: string | null }
  | { readonly kind: 'statement'; readonly statement: BankStatement };

export const nobody: BankParty = { name: null, account: null, accountKind: null };

/** Details of one entry that are kept at once. */
export const detailsAtOnce = 1000;
export const bankEntriesMax = 1_000_000;
export const bankStatementsMax = 10_000;
/** The last day that a bank can have told of today: it books on the next bank day now and then, and never further ahead. */
export const latestDay = (today: string): string => addDays(today, 31);
export const bankFileBytesMax = 512 * 1024 * 1024;
/** No reference, name or text of a payment is longer; the rest is cut. */
export const bankTextMax = 2000;

/** A payment names no more references, documents and texts than this; more is thrown away. */
const partsMax = 100;

export function addPart<Part extends string | PaidDocument>(parts: Part[], part: Part): void {
  if (parts.length < partsMax) parts.push(part);
}
