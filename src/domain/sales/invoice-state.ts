/** What an invoice is to whoever looks after it: more than its stored status, since days pass by themselves. */
import { daysBetween } from '../basics/dates.ts';
import type { Ore } from '../basics/money.ts';
import type { InvoiceKind } from './invoice.ts';

export type InvoiceState =
  | 'draft'
  /** A draft that was to be booked, and could not be. */
  | 'stopped'
  | 'unpaid'
  | 'partly_paid'
  | 'partly_credited'
  | 'partly_paid_and_credited'
  /** Nothing of the sale is left, but a fee is, or money that was paid back and never came. */
  | 'credited_and_open'
  | 'overdue'
  | 'paid'
  /** What was not paid of it is a confirmed loss. */
  | 'partly_written_off'
  | 'written_off'
  | 'credited'
  | 'credit_note'
  /** Booked on zero kronor: `paid` without a payment. */
  | 'nothing_due';

export interface InvoiceStanding {
  readonly kind: InvoiceKind;
  readonly status: string;
  readonly dueDate: string;
  readonly totalOre: Ore;
  /** What remains to be paid, fees included; below zero when we owe the customer. */
  readonly openOre: Ore;
  /** By booked credit notes. */
  readonly creditedOre: Ore;
  /** What stands as a confirmed loss. */
  readonly lostOre: Ore;
  readonly isStopped: boolean;
}

export function invoiceState(invoice: InvoiceStanding, today: string): InvoiceState {
  const { kind, status, dueDate, totalOre, openOre, creditedOre, lostOre, isStopped } = invoice;
  if (status === 'draft') return isStopped ? 'stopped' : 'draft';
  if (kind === 'credit_note') return 'credit_note';
  if (status === 'credited') return status;
  if (status === 'paid' && lostOre > 0n) {
    return lostOre < totalOre - creditedOre ? 'partly_written_off' : 'written_off';
  }
  if (status === 'paid') return totalOre === 0n ? 'nothing_due' : 'paid';
  // The due date itself is still in time.
  if (dueDate < today) return 'overdue';
  if (creditedOre > 0n && creditedOre === totalOre) return 'credited_and_open';
  const isPartlyPaid = openOre < totalOre - creditedOre;
  if (creditedOre > 0n) return isPartlyPaid ? 'partly_paid_and_credited' : 'partly_credited';
  return isPartlyPaid ? 'partly_paid' : 'unpaid';
}

/** `förföll för 12 dagar sedan`: where a due date lies, seen from `today`. */
export function dueInWords(dueDate: string, today: string): string {
  const days = daysBetween(today, dueDate);
  if (days === 0) return 'förfaller i dag';
  if (days === 1) return 'förfaller i morgon';
  if (days === -1) return 'förföll i går';
  return days > 0 ? `förfaller om ${days} dagar` : `förföll för ${-days} dagar sedan`;
}
