/** Invoices that recur: what people say of them, and making those whose day has come. */
import { recordEvent } from '../../audit/store.ts';
import { enqueue, recurringInvoices } from '../../db/jobs.ts';
import { db, inSavepoint, type Pool, type Tx, withTx } from '../../db/pool.ts';
import { normalizeMailAddress } from '../../domain/basics/mail-address.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import { occurrence } from '../../domain/sales/recurrence.ts';
import { type Fault, Refusal, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { createDraft, judgeDraft, type WrittenDraft } from '../invoices/drafts.ts';
import { getInvoice } from '../invoices/reading-store.ts';
import { bookInvoices } from '../invoices/service.ts';
import { letterTo } from '../mail/letter.ts';
import { senderOf } from '../mail/seller.ts';
import { requestMail, usualAddress } from '../mail/service.ts';
import { findSeller } from '../mail/store.ts';
import { fillIn, unknownFillings } from './filling.ts';
import {
  endRecurring,
  insertRecurred,
  insertRecurring,
  listDue,
  lockRecurring,
  type RecurringFacts,
  type RecurringInvoice,
  updateProblems,
  updateRecurring,
} from './store.ts';

/** As a person writes it; `recurrence.anchor` is the day of the next. */
export interface WrittenRecurring extends Omit<RecurringFacts, 'vatConfirmedBy'> {
  readonly isVatConfirmed: boolean;
}

/** Throws 422 with what is wrong at the fields, as if the first were written today. */
export async function createRecurring(
  tx: Tx,
  written: WrittenRecurring,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<string> {
  refuseAny(dayFaults(written, today));
  await judgeDraft(tx, draftOf(written, 0, written.recurrence.anchor));
  const id = uuid();
  const vatConfirmedBy = written.isVatConfirmed ? actor : null;
  await insertRecurring(tx, { ...written, id, vatConfirmedBy }, actor);
  const detail = { nextDate: written.recurrence.anchor };
  await recordEvent(tx, { actor, action: 'recurring_invoice.added', subject: id, detail });
  await askWhenDue(tx, written.recurrence.anchor, today);
  return id;
}

/** Another day of the next begins the counting anew. Throws 422 also when somebody else has changed it meanwhile. */
export async function changeRecurring(
  tx: Tx,
  { id, version }: { readonly id: string; readonly version: string },
  written: WrittenRecurring,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<void> {
  const before = await lockRecurring(tx, id);
  if (!before) throw refuseWhole('not_found', 'no_recurring_invoice');
  if (before.version !== version) throw refuseWhole('unprocessable', 'draft_changed_meanwhile');
  const nextDate = written.recurrence.anchor;
  const { unit, count } = written.recurrence;
  const goesOn =
    nextDate === before.nextDate &&
    unit === before.recurrence.unit &&
    count === before.recurrence.count;
  const recurrence = goesOn ? before.recurrence : written.recurrence;
  const made = goesOn ? before.made : 0;
  refuseAny(nextDate === before.nextDate ? writtenFaults(written) : dayFaults(written, today));
  await judgeDraft(tx, draftOf({ ...written, recurrence }, made, nextDate));
  const vatConfirmedBy = written.isVatConfirmed ? (before.vatConfirmedBy ?? actor) : null;
  await updateRecurring(tx, id, { ...written, recurrence, made, nextDate, vatConfirmedBy });
  const detail = { nextDate };
  await recordEvent(tx, { actor, action: 'recurring_invoice.changed', subject: id, detail });
  await askWhenDue(tx, nextDate, today);
}

/** What has been made stays. Ended twice, it is ended. */
export async function stopRecurring(tx: Tx, id: string, actor: string): Promise<void> {
  const before = await lockRecurring(tx, id);
  if (!before) throw refuseWhole('not_found', 'no_recurring_invoice');
  if (before.nextDate === null) return;
  await endRecurring(tx, id);
  await recordEvent(tx, { actor, action: 'recurring_invoice.ended', subject: id });
}

/** Others wait for the clock. */
async function askWhenDue(tx: Tx, nextDate: string, today: string): Promise<void> {
  if (nextDate <= today) await enqueue(tx, recurringInvoices, [{}]);
}

function dayFaults(written: WrittenRecurring, today: string): Fault[] {
  const isPast = written.recurrence.anchor < today;
  const past: Fault = { path: 'invoiceDate', reason: 'recurs_from_the_past', params: { today } };
  return [...(isPast ? [past] : []), ...writtenFaults(written)];
}

function writtenFaults({ lastDate, recurrence, rows, notes }: WrittenRecurring): Fault[] {
  const ends: Fault = { path: 'lastDate', reason: 'recurs_not_at_all' };
  const texts = [
    ...rows.map(({ description }, index) => [`rows[${index}].description`, description] as const),
    ['notes', notes] as const,
  ];
  const unknown = texts.flatMap(([path, text]): Fault[] => {
    const [word] = unknownFillings(text ?? '');
    return word === undefined ? [] : [{ path, reason: 'unknown_filling', params: { word } }];
  });
  return [...(lastDate !== null && lastDate < recurrence.anchor ? [ends] : []), ...unknown];
}

const descriptionMax = 500;
const notesMax = 5_000;

/** The `nth` as a draft of that day. */
function draftOf(
  one: Omit<RecurringFacts, 'vatConfirmedBy'> & { readonly isVatConfirmed: boolean },
  nth: number,
  invoiceDate: string,
): WrittenDraft {
  const { recurrence, customerId, paymentTermsDays, yourReference, notes, isVatConfirmed } = one;
  // What stands in braces may be longer than the braces.
  const filled = (text: string | null, most: number): string | null =>
    text && [...fillIn(text, recurrence, nth)].slice(0, most).join('');
  return {
    customerId,
    invoiceDate,
    deliveryDate: null,
    paymentTermsDays,
    yourReference,
    notes: filled(notes, notesMax),
    isVatConfirmed,
    rows: one.rows.map((row) => ({
      ...row,
      description: filled(row.description, descriptionMax),
    })),
  };
}

/** Who makes them, and what mail needs. */
export interface Making {
  readonly today: string;
  readonly actor: string;
  readonly timeZone: string;
  /** There is a server to send mail with. */
  readonly canMail: boolean;
  readonly mailFrom: string | undefined;
  readonly signal?: AbortSignal;
  /** Told of one that broke in a way that nobody has foreseen: the others are made. */
  readonly onBroken: (id: string, error: unknown) => void;
}

/**
 * Makes every invoice whose day has come, also days that went by while nothing ran: each is dated today and is about
 * its own stretch of time. One that cannot be made keeps its day and says why. Answers how many were made; run again,
 * or by several at once, it makes none twice.
 */
export async function makeDue(pool: Pool, making: Making): Promise<number> {
  let made = 0;
  for (const id of await listDue(db(pool), making.today)) {
    making.signal?.throwIfAborted();
    try {
      made += await withTx(pool, (tx) => makeDueOf(tx, id, making));
    } catch (error) {
      making.onBroken(id, error);
    }
  }
  return made;
}

async function makeDueOf(tx: Tx, id: string, making: Making): Promise<number> {
  for (let made = 0; ; made += 1) {
    const one = await lockRecurring(tx, id);
    if (!one?.nextDate || one.nextDate > making.today) return made;
    const { nextDate } = one;
    try {
      await inSavepoint(tx, () => makeOne(tx, { ...one, nextDate }, making));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { whole, faults } = error;
      const known = faults.filter((fault): fault is Fault => !('message' in fault));
      await updateProblems(tx, id, known.length === 0 && whole ? [{ path: '', ...whole }] : known);
      return made;
    }
  }
}

async function makeOne(
  tx: Tx,
  one: RecurringInvoice & { readonly nextDate: string },
  making: Making,
): Promise<void> {
  const { id, made, recurrence, lastDate, vatConfirmedBy } = one;
  const { today, actor } = making;
  const written = draftOf({ ...one, isVatConfirmed: vatConfirmedBy !== null }, made, today);
  const invoiceId = await createDraft(tx, written, actor, vatConfirmedBy);
  const problems = one.becomes === 'draft' ? [] : await bookAndMail(tx, invoiceId, one, making);
  const next = occurrence(recurrence, made + 1);
  const nextDate = lastDate !== null && next > lastDate ? null : next;
  await insertRecurred(tx, { id, dueOn: one.nextDate, invoiceId, nextDate, problems });
}

/** What a lock or a lacking address stops is a draft, or not mailed, and waits for somebody. */
async function bookAndMail(
  tx: Tx,
  invoiceId: string,
  { becomes }: RecurringInvoice,
  { actor, timeZone, canMail, mailFrom }: Making,
): Promise<Fault[]> {
  const [booked] = await bookInvoices(tx, [invoiceId], actor);
  if (!booked || booked.refusal) return [{ path: '', reason: 'recurring_not_booked' }];
  if (becomes !== 'mailed') return [];
  const invoice = await getInvoice(tx, invoiceId);
  const seller = await findSeller(tx);
  const sender = seller && canMail ? senderOf(seller, mailFrom) : undefined;
  const recipient = normalizeMailAddress(await usualAddress(tx, invoice));
  const number = invoice.number ?? 0;
  if (!seller || !sender) return [{ path: '', reason: 'recurring_no_sender', params: { number } }];
  if (!recipient) return [{ path: '', reason: 'recurring_no_recipient', params: { number } }];
  const letter = letterTo(invoice, seller, null);
  const about = { invoiceId, reminderNo: null, sender, recipients: [recipient], timeZone };
  await requestMail(tx, { ...letter, ...about }, actor);
  return [];
}
