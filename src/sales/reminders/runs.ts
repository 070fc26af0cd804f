/**
 * Runs of reminders: what each overdue invoice is due for, and a run that a person starts. A run is one transaction:
 * its reminders, their fees, its mails and who did it stand together or not at all, so a process that dies leaves
 * nothing half sent. Whoever is second finds the invoices reminded of already.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { normalizeMailAddress } from '../../domain/basics/mail-address.ts';
import { type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import {
  type BankTold,
  type DueReminder,
  type LeftOut,
  type ReminderPlan,
  reminderFor,
  tooOldBank,
} from '../../domain/sales/reminding.ts';
import { type Reasoned, refuse, refuseWhole } from '../../lib/errors.ts';
import { getInvoice } from '../invoices/reading-store.ts';
import { registerReminder } from '../invoices/reminders.ts';
import { letterTo } from '../mail/letter.ts';
import type { LetterSeller, Sender } from '../mail/seller.ts';
import { requestMail } from '../mail/service.ts';
import {
  getPlan,
  insertRun,
  insertRunReminders,
  listOverdue,
  lockInvoices,
  type OverdueInvoice,
  overdueMax,
  type RunReminder,
} from './store.ts';

/** How many invoices a run would remind of today; none where the company has not chosen runs. */
export async function countDueReminders(db: Db, today: string): Promise<number> {
  const { isOn } = await getPlan(db);
  if (!isOn) return 0;
  const { due } = await previewReminders(db, { today, canMail: true, bank: [] });
  return due.length;
}

/** So many are sent at once: the series of the fees is held meanwhile. */
export const runMax = 100;

export interface ReminderPreview {
  readonly plan: ReminderPlan;
  /** Why no run may be started now; null when one may. */
  readonly obstacle: Reasoned | null;
  readonly due: readonly (OverdueInvoice & {
    readonly reminder: DueReminder;
    readonly mark: string;
  })[];
  readonly leftOut: readonly (OverdueInvoice & { readonly leftOut: LeftOut })[];
  /** There may be more that nobody has looked at. */
  readonly isCut: boolean;
}

export interface ReminderGround {
  readonly today: string;
  /** Mail can be sent. */
  readonly canMail: boolean;
  readonly bank: readonly BankTold[];
}

export async function previewReminders(
  db: Db,
  { today, canMail, bank }: ReminderGround,
  ids: readonly string[] | null = null,
): Promise<ReminderPreview> {
  const plan = await getPlan(db);
  const found = await listOverdue(db, today, ids);
  const judged = found.map((one) => {
    const mailTo = canMail ? (normalizeMailAddress(one.email ?? '') ?? null) : null;
    const invoice = { ...one, mailTo };
    return { invoice, found: reminderFor(invoice, plan, today) };
  });
  return {
    plan,
    obstacle: obstacleOf(plan, bank, today),
    due: judged.flatMap(({ invoice, found: reminder }) =>
      'why' in reminder ? [] : [{ ...invoice, reminder, mark: markOf(invoice, reminder) }],
    ),
    leftOut: judged.flatMap(({ invoice, found: leftOut }) =>
      'why' in leftOut ? [{ ...invoice, leftOut }] : [],
    ),
    isCut: found.length === overdueMax,
  };
}

function obstacleOf(plan: ReminderPlan, bank: readonly BankTold[], today: string): Reasoned | null {
  if (!plan.isOn) return { reason: 'reminder_runs_off' };
  const old = tooOldBank(bank, plan.bankDays, today);
  if (old === null) return null;
  if (old === 'no_account') return { reason: 'bank_not_read' };
  const { name: bankName, lastDay } = old;
  if (lastDay === null) return { reason: 'bank_account_not_read', params: { bankName } };
  return {
    reason: 'bank_told_too_long_ago',
    params: { bankName, lastDay, bankDays: plan.bankDays ?? 0 },
  };
}

/** What a person said yes to: the invoice, its level and fee, how it goes, and what was open. */
const markOf = ({ id, openOre }: OverdueInvoice, { level, feeOre, channel }: DueReminder): string =>
  [id, level, feeOre, channel, openOre].join('~');

/** The invoice of a mark, `null` when it is none. */
export const invoiceOfMark = (mark: string): string | null =>
  /^([0-9a-f-]{36})~\d{1,3}~\d{1,4}~(mail|paper)~\d{1,15}$/.exec(mark)?.[1] ?? null;

export interface Run extends Omit<ReminderGround, 'canMail'> {
  /** Chosen when the form was made: the same form sent twice is one run. */
  readonly id: string;
  /** Of the reminders that are to go, as the preview had them. */
  readonly marks: readonly string[];
  readonly timeZone: string;
  /** Null when no mail can be sent. */
  readonly mail: { readonly seller: LetterSeller; readonly sender: Sender } | null;
}

export interface RunDone {
  readonly id: string;
  readonly sent: readonly RunReminder[];
  readonly feesOre: Ore;
  /** Invoices that something has happened to since they were looked at, or somebody has reminded of. */
  readonly changed: number;
  /** The run was done before, by the same form. */
  readonly isRepeated: boolean;
}

/** Throws 422 when runs are off, the bank's news are too old, nothing is chosen, or nothing of it is due any more. */
export async function runReminders(tx: Tx, run: Run, actor: string): Promise<RunDone> {
  const { id, marks, today, bank, mail } = run;
  const chosen = new Set(marks);
  if (chosen.size === 0)
    throw refuse('unprocessable', [{ path: 'reminder', reason: 'none_chosen' }]);
  if (chosen.size > runMax) {
    throw refuse('unprocessable', [
      { path: 'reminder', reason: 'too_many_reminders', params: { most: runMax } },
    ]);
  }
  if (!(await insertRun(tx, { id, runOn: today }, actor))) {
    return { id, sent: [], feesOre: 0n, changed: 0, isRepeated: true };
  }
  const ids = [...chosen].flatMap((mark) => invoiceOfMark(mark) ?? []);
  await lockInvoices(tx, ids);
  const ground = { today, bank, canMail: mail !== null };
  const { due, obstacle } = await previewReminders(tx, ground, ids);
  if (obstacle !== null) throw refuseWhole('unprocessable', obstacle.reason, obstacle.params);
  const now = due.filter(({ mark }) => chosen.has(mark));
  if (now.length === 0) {
    throw refuse('unprocessable', [{ path: 'reminder', reason: 'reminders_changed' }]);
  }
  const sent: RunReminder[] = [];
  for (const one of now) sent.push(await remind(tx, one, run, actor));
  await insertRunReminders(tx, id, sent);
  const feesOre = sum(now.map(({ reminder }) => reminder.feeOre));
  const mailed = sent.filter(({ channel }) => channel === 'mail').length;
  const detail = { count: sent.length, mailed, fees: oreToNumber(feesOre) };
  await recordEvent(tx, { actor, action: 'reminders.run', subject: id, detail });
  return { id, sent, feesOre, changed: chosen.size - now.length, isRepeated: false };
}

async function remind(
  tx: Tx,
  { id: invoiceId, mailTo, reminder }: ReminderPreview['due'][number],
  { today, timeZone, mail }: Run,
  actor: string,
): Promise<RunReminder> {
  const { feeOre, channel } = reminder;
  const { reminderNo } = await registerReminder(
    tx,
    { invoiceId, sentDate: today, today, feeOre },
    actor,
  );
  if (channel === 'mail' && mail !== null && mailTo !== null) {
    const letter = letterTo(await getInvoice(tx, invoiceId), mail.seller, reminderNo);
    const about = { invoiceId, reminderNo, timeZone, sender: mail.sender };
    await requestMail(tx, { ...letter, ...about, recipients: [mailTo] }, actor);
  }
  return { invoiceId, reminderNo, channel };
}
