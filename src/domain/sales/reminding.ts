/**
 * What an overdue invoice is due for in a run of reminders, or why it is left out. Pure. The law knows of one
 * written reminder that may cost (lag 1981:739 2 §, förordning 1981:1057): how many there are and when is the company's choice.
 */
import { addDays, daysBetween } from '../basics/dates.ts';
import type { Ore } from '../basics/money.ts';

/** Lag 1981:739, förordning 1981:1057: at most 60 kr, and only when it was agreed beforehand. */
export const reminderFeeMaxOre: Ore = 6_000n;

/** Days from the reminder to the last day to pay: no law sets them for one that is no collection demand. */
export const reminderTermDays = 10;

/** The company's choice. */
export interface ReminderPlan {
  readonly isOn: boolean;
  /** Days after the due date of the first reminder, the second and the third; rising. */
  readonly days: readonly number[];
  /** A fee of 60 kr is claimed where it was agreed. */
  readonly claimsFee: boolean;
  /** How old what the bank has told may be, in days; null where nobody reads it. */
  readonly bankDays: number | null;
}

/** An overdue invoice, as far as reminders go. */
export interface Remindable {
  readonly dueDate: string;
  /** How many there have been, and the day of the latest. */
  readonly reminders: number;
  readonly lastReminder: string | null;
  /** By the terms that are frozen on the invoice. */
  readonly isFeeAgreed: boolean;
  readonly isDisputed: boolean;
  readonly pause: { readonly kind: 'promise' | 'pause'; readonly lastDay: string } | null;
  /** Nothing is left but fees of reminders before. */
  readonly isOnlyFees: boolean;
  /** A credit note is being written. */
  readonly isBeingCredited: boolean;
  /** Its shop has told of a payment that could not be booked. */
  readonly isSaidPaid: boolean;
  /** Where mail would reach the customer now; null when it would not. */
  readonly mailTo: string | null;
  readonly hasPostalAddress: boolean;
}

export type LeftOut =
  | { readonly why: 'disputed' | 'being_credited' | 'said_paid' | 'only_fees' | 'no_address' }
  | { readonly why: 'promised' | 'paused'; readonly lastDay: string }
  | { readonly why: 'all_sent'; readonly count: number }
  /** By the days of the level, or since the last day to pay by the reminder before has not passed. */
  | { readonly why: 'not_yet' | 'reminded_lately'; readonly from: string };

export interface DueReminder {
  readonly level: number;
  readonly feeOre: Ore;
  readonly channel: 'mail' | 'paper';
}

export function reminderFor(
  invoice: Remindable,
  { days, claimsFee }: Pick<ReminderPlan, 'days' | 'claimsFee'>,
  today: string,
): DueReminder | LeftOut {
  const { dueDate, reminders, lastReminder, pause } = invoice;
  if (invoice.isDisputed) return { why: 'disputed' };
  if (invoice.isBeingCredited) return { why: 'being_credited' };
  // Whoever has paid is reminded of nothing because our account was not in order.
  if (invoice.isSaidPaid) return { why: 'said_paid' };
  // A fee upon fees is not reasonably called for (lag 1981:739 1 §).
  if (invoice.isOnlyFees) return { why: 'only_fees' };
  if (pause !== null && pause.lastDay >= today) {
    return { why: pause.kind === 'promise' ? 'promised' : 'paused', lastDay: pause.lastDay };
  }
  const after = days[reminders];
  if (after === undefined) return { why: 'all_sent', count: reminders };
  const byLevel = addDays(dueDate, after);
  if (byLevel > today) return { why: 'not_yet', from: byLevel };
  const byLast = lastReminder === null ? today : addDays(lastReminder, reminderTermDays + 1);
  if (byLast > today) return { why: 'reminded_lately', from: byLast };
  const channel = invoice.mailTo !== null ? 'mail' : 'paper';
  if (channel === 'paper' && !invoice.hasPostalAddress) return { why: 'no_address' };
  const feeOre = claimsFee && invoice.isFeeAgreed ? reminderFeeMaxOre : 0n;
  return { level: reminders + 1, feeOre, channel };
}

/** What the bank has told of an account, until which day. */
export interface BankTold {
  readonly name: string;
  readonly lastDay: string | null;
}

/** The account whose news are the oldest, when they are too old for reminders: a payment may have come since. */
export function tooOldBank(
  accounts: readonly BankTold[],
  bankDays: number | null,
  today: string,
): BankTold | 'no_account' | null {
  if (bankDays === null) return null;
  if (accounts.length === 0) return 'no_account';
  const [oldest] = accounts
    .filter(({ lastDay }) => lastDay === null || daysBetween(lastDay, today) > bankDays)
    .sort((a, b) => (a.lastDay ?? '').localeCompare(b.lastDay ?? ''));
  return oldest ?? null;
}
