/** Reminders of a booked invoice that is overdue, and fees that are taken back. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { formatKronor, type Ore } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { receivablesAccount, reminderFeeAccount } from '../../domain/sales/invoice.ts';
import { postTransfer } from '../../ledger/vouchers/service.ts';
import type { Problem } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { listReminders, type ReminderFacts } from './reading-store.ts';
import { lockBooked, type Standing, standingOf } from './settled.ts';
import { insertReminder, insertWithdrawal, type SettledInvoice } from './settlement-store.ts';

/** Lag 1981:739, förordning 1981:1057: at most 60 kr, and only when it was agreed beforehand. */
const reminderFeeMaxOre: Ore = 6_000n;

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

function dateProblems(invoice: SettledInvoice, { sentDate, today }: Reminder): Problem[] {
  const problem = (path: string, reason: string, message: string) => [{ path, reason, message }];
  const { number, due_date: dueDate, last_reminder: last } = invoice;
  if (invoice.open_ore <= 0n) {
    const message = `Faktura ${number} är betald; det finns inget att påminna om.`;
    return problem('invoiceId', 'nothing_open', message);
  }
  if (sentDate <= dueDate) {
    const message = `Faktura ${number} förfaller ${dueDate}; påminn tidigast dagen efter.`;
    return problem('sentDate', 'not_overdue', message);
  }
  if (last !== null && sentDate <= last) {
    const message = `En påminnelse skickades ${last}; nästa skickas tidigast dagen efter.`;
    return problem('sentDate', 'reminded_already', message);
  }
  return futureProblems('sentDate', sentDate, today);
}

function feeProblems(
  { reminder_fee_is_agreed: isAgreed }: SettledInvoice,
  { feeOre, isFeeVouchedFor }: Reminder,
): Problem[] {
  if (feeOre < 0n || feeOre > reminderFeeMaxOre) {
    const message = `Påminnelseavgiften får vara 0–${formatKronor(reminderFeeMaxOre)} (lag 1981:739).`;
    return [{ path: 'fee', reason: 'fee_out_of_range', message }];
  }
  if (feeOre === 0n || isAgreed || isFeeVouchedFor) return [];
  const message =
    'En avgift kräver att den avtalades innan skulden uppkom (lag 1981:739, 2 §). Påminn utan avgift, eller intyga att den är avtalad; står den i era villkor, ange det under Inställningar › Företaget så gäller det fakturor som bokförs sedan.';
  return [{ path: 'fee', reason: 'fee_not_agreed', message }];
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

function withdrawalProblems(reminder: ReminderFacts | undefined, date: string): Problem[] {
  const problem = (path: string, reason: string, message: string) => [{ path, reason, message }];
  if (!reminder || reminder.fee_ore === 0n) {
    const message = 'Det finns ingen påminnelse med det numret som har en avgift.';
    return problem('reminderNo', 'no_fee', message);
  }
  if (reminder.withdrawn_on !== null) {
    const message = `Avgiften togs tillbaka ${reminder.withdrawn_on}.`;
    return problem('reminderNo', 'withdrawn_already', message);
  }
  if (date >= reminder.sent_date) return [];
  const message = `Påminnelsen skickades ${reminder.sent_date}; avgiften tas tillbaka tidigast då.`;
  return problem('date', 'before_reminder', message);
}
