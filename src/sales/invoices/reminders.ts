/** Reminders of a booked invoice that is overdue, and fees that are taken back. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { receivablesAccount, reminderFeeAccount } from '../../domain/sales/invoice.ts';
import { reminderFeeMaxOre } from '../../domain/sales/reminding.ts';
import { postTransfer } from '../../ledger/vouchers/service.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { listLosses } from './loss-store.ts';
import { listReminders, type ReminderFacts } from './reading-store.ts';
import { lockBooked, type NumberedInvoice, type Standing, standingOf } from './settled.ts';
import { insertReminder, insertWithdrawal } from './settlement-store.ts';

export interface Reminder {
  readonly invoiceId: string;
  readonly sentDate: string;
  readonly today: string;
  /** 0 to 6 000 öre. */
  readonly feeOre: Ore;
  /** Somebody vouches that the fee was agreed though the terms frozen on the invoice have none. */
  readonly isFeeVouchedFor?: boolean;
}

/** Registers that a reminder was sent on an overdue invoice; a fee is claimed on 1510 (series B). */
export async function registerReminder(
  tx: Tx,
  reminder: Reminder,
  actor: string,
): Promise<Standing & { readonly reminderNo: number }> {
  const { invoiceId, sentDate, feeOre, isFeeVouchedFor = false } = reminder;
  const invoice = await lockBooked(tx, invoiceId);
  refuseAny([...dateProblems(invoice, reminder), ...feeProblems(invoice, reminder)]);
  const reminderNo = invoice.reminders + 1;
  const voucherId =
    feeOre === 0n
      ? null
      : await postTransfer(
          tx,
          {
            series: 'B',
            date: sentDate,
            description: `Påminnelseavgift kundfaktura ${invoice.number}`,
            counterparty: invoice.debtor.name,
            source: 'reminder',
            debit: receivablesAccount,
            credit: reminderFeeAccount,
            amountOre: feeOre,
          },
          actor,
        );
  await insertReminder(tx, {
    id: uuid(),
    invoiceId,
    reminderNo,
    sentDate,
    feeOre,
    isFeeVouchedFor: feeOre > 0n && isFeeVouchedFor,
    voucherId,
    createdBy: actor,
  });
  return { ...(await standingOf(tx, invoiceId, voucherId)), reminderNo };
}

function dateProblems(invoice: NumberedInvoice, { sentDate, today }: Reminder): Fault[] {
  const { number, due_date: dueDate, last_reminder: last } = invoice;
  if (invoice.open_ore <= 0n) {
    return [{ path: 'invoiceId', reason: 'nothing_to_remind', params: { number } }];
  }
  if (sentDate <= dueDate) {
    return [{ path: 'sentDate', reason: 'not_overdue', params: { number, dueDate } }];
  }
  if (last !== null && sentDate <= last) {
    return [{ path: 'sentDate', reason: 'reminded_already', params: { last } }];
  }
  return futureProblems('sentDate', sentDate, today);
}

function feeProblems(
  { reminder_fee_is_agreed: isAgreed }: NumberedInvoice,
  { feeOre, isFeeVouchedFor }: Reminder,
): Fault[] {
  if (feeOre < 0n || feeOre > reminderFeeMaxOre) {
    return [{ path: 'fee', reason: 'fee_out_of_range', params: { mostOre: reminderFeeMaxOre } }];
  }
  if (feeOre === 0n || isAgreed || isFeeVouchedFor) return [];
  return [{ path: 'fee', reason: 'fee_not_agreed' }];
}

export interface Withdrawal {
  readonly invoiceId: string;
  readonly reminderNo: number;
  readonly date: string;
  readonly today: string;
  readonly reason: string | null;
}

/** Takes back the fee of a reminder, which stays sent: its voucher the other way (series B). */
export async function withdrawFee(
  tx: Tx,
  { invoiceId, reminderNo, date, today, reason }: Withdrawal,
  actor: string,
): Promise<Standing> {
  const invoice = await lockBooked(tx, invoiceId);
  const reminder = (await listReminders(tx, invoiceId)).find(
    ({ reminder_no }) => reminder_no === reminderNo,
  );
  refuseAny([...withdrawalProblems(reminder, date), ...futureProblems('date', date, today)]);
  const lostOre = sum((await listLosses(tx, invoiceId)).map(({ ore }) => ore));
  // The fee is part of the loss: both cannot be taken back for one.
  if (lostOre > 0n && (reminder?.fee_ore ?? 0n) > invoice.open_ore) {
    const params = { number: invoice.number };
    throw refuse('unprocessable', [{ path: 'reminderNo', reason: 'fee_of_written_off', params }]);
  }
  const voucherId = await postTransfer(
    tx,
    {
      series: 'B',
      date,
      description: `Påminnelseavgift ${reminderNo} kundfaktura ${invoice.number}, återtagen`,
      counterparty: invoice.debtor.name,
      source: 'reminder',
      debit: reminderFeeAccount,
      credit: receivablesAccount,
      amountOre: reminder?.fee_ore ?? 0n,
    },
    actor,
  );
  await insertWithdrawal(tx, {
    invoiceId,
    reminderNo,
    date,
    reason,
    voucherId,
    createdBy: actor,
  });
  const detail = { reminderNo, reason };
  const action = 'invoice.fee_withdrawn';
  await recordEvent(tx, { actor, action, subject: invoiceId, detail });
  return standingOf(tx, invoiceId, voucherId);
}

function withdrawalProblems(reminder: ReminderFacts | undefined, date: string): Fault[] {
  if (!reminder || reminder.fee_ore === 0n) return [{ path: 'reminderNo', reason: 'no_fee' }];
  const { withdrawn_on: on, sent_date: sent } = reminder;
  if (on !== null) return [{ path: 'reminderNo', reason: 'withdrawn_already', params: { on } }];
  return date >= sent ? [] : [{ path: 'date', reason: 'before_reminder', params: { sent } }];
}
