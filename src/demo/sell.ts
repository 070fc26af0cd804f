/** Makes the planned invoices of the example company, and what happens to them month by month. */

import { addDays, monthOf } from '../domain/basics/dates.ts';
import { divideRounded, type Ore } from '../domain/basics/money.ts';
import { priceDraft } from '../domain/sales/invoice-draft.ts';
import { uuid } from '../lib/uuid.ts';
import { judgeDisputed } from '../sales/collection/service.ts';
import { insertDrafts, type NewInvoice } from '../sales/invoices/create-store.ts';
import { creditInvoice } from '../sales/invoices/credits.ts';
import { registerReminder } from '../sales/invoices/reminders.ts';
import { bookInvoices } from '../sales/invoices/service.ts';
import { registerPayment } from '../sales/invoices/settlement.ts';
import { writeOff } from '../sales/invoices/write-offs.ts';
import { pauseReminders } from '../sales/reminders/pauses.ts';
import { type Books, kronor } from './books.ts';
import type { Event, PlannedInvoice } from './sales.ts';

/** An invoice on its way, with what remains of it. */
interface Sold {
  readonly id: string;
  readonly plan: PlannedInvoice;
  readonly totalOre: Ore;
  openOre: Ore;
}

/** Every invoice that has been booked so far. */
export type SoldInvoices = Sold[];

/** Books a month's invoices and lets happen what happens in it, to them and to those before. */
export async function sellInMonth(
  books: Books,
  sold: SoldInvoices,
  month: string,
  planned: readonly PlannedInvoice[],
): Promise<void> {
  sold.push(...(await invoiceAll(books, planned)));
  const events = sold.flatMap((one) =>
    one.plan.events
      .filter(({ date }) => monthOf(date) === month && date <= books.calendar.today)
      .map((event) => ({ one, event })),
  );
  events.sort((a, b) => a.event.date.localeCompare(b.event.date));
  for (const { one, event } of events) {
    if (one.openOre !== 0n || event.kind === 'payment_back') await happen(books, one, event);
  }
}

/** Drafts that nobody has booked. */
export async function leaveDrafts(books: Books, planned: readonly PlannedInvoice[]): Promise<void> {
  await insertDrafts(
    books.tx,
    planned.map((plan) => draftOf(books, plan, uuid())),
  );
}

/** Booked in this order: ids in rising order, since that is the order invoices are numbered in. */
async function invoiceAll(books: Books, planned: readonly PlannedInvoice[]): Promise<Sold[]> {
  if (planned.length === 0) return [];
  const { tx, actors } = books;
  const ids = planned.map(() => uuid()).sort();
  const drafts = planned.map((plan, index) => draftOf(books, plan, ids[index] ?? ''));
  await insertDrafts(tx, drafts);
  const outcomes = await bookInvoices(tx, ids, actors.bookkeeper);
  const refused = outcomes.find(({ refusal }) => refusal !== null);
  if (refused) throw new Error(`a demo invoice was refused: ${refused.refusal?.message}`);
  for (const [index, { dispute, promise }] of planned.entries()) {
    const invoiceId = ids[index] ?? '';
    if (dispute) await judgeDisputed(tx, invoiceId, dispute, actors.administrator);
    if (promise) {
      const pause = { kind: 'promise', ...promise, today: books.calendar.today } as const;
      await pauseReminders(tx, { invoiceId, ...pause }, actors.bookkeeper);
    }
  }
  return planned.map((plan, index) => {
    const totalOre = drafts[index]?.totals.totalOre ?? 0n;
    return { id: ids[index] ?? '', plan, totalOre, openOre: totalOre };
  });
}

function draftOf({ actors, customerIds }: Books, plan: PlannedInvoice, id: string): NewInvoice {
  const { customer, date, rows, notes = null } = plan;
  const { paymentTermsDays } = customer;
  const decision = priceDraft({ invoiceDate: date, paymentTermsDays, rows });
  if (decision.kind !== 'draft') throw new Error(`a demo invoice of ${date} cannot be priced`);
  return {
    ...decision.draft,
    id,
    source: 'app',
    createdBy: actors.bookkeeper,
    customerId: customerIds.get(customer.key) ?? '',
    invoiceDate: date,
    dueDate: addDays(date, paymentTermsDays),
    paymentTermsDays,
    pricesIncludeVat: false,
    yourReference: customer.reference,
    notes,
    // The register's own facts take its place when it is booked.
    debtor: { name: customer.name },
  };
}

async function happen(books: Books, sold: Sold, event: Event): Promise<void> {
  const { tx, actors } = books;
  const { id: invoiceId, totalOre } = sold;
  const actor = actors.bookkeeper;
  const at = { invoiceId, today: books.calendar.today };
  switch (event.kind) {
    case 'payment': {
      const amountOre = event.part === 'rest' ? sold.openOre : partOf(totalOre, event.part);
      const { date } = event;
      sold.openOre = (await registerPayment(tx, { ...at, date, amountOre }, actor)).openOre;
      return;
    }
    case 'payment_back': {
      const amountOre = -partOf(totalOre, event.part);
      const { date } = event;
      sold.openOre = (await registerPayment(tx, { ...at, date, amountOre }, actor)).openOre;
      return;
    }
    case 'reminder': {
      const reminder = { ...at, sentDate: event.date, feeOre: kronor(event.feeKronor) };
      sold.openOre = (await registerReminder(tx, reminder, actor)).openOre;
      return;
    }
    case 'loss': {
      const { date, reason } = event;
      sold.openOre = (await writeOff(tx, { ...at, date, reason }, actor)).openOre;
      return;
    }
    case 'credit': {
      const rows = event.rows?.map((rowNo) => ({ rowNo }));
      const credit = { invoiceId, date: event.date, ...(rows ? { rows } : {}) };
      const { total_amount } = await creditInvoice(tx, credit, actor);
      sold.openOre -= BigInt(Math.round(total_amount * 100));
      return;
    }
    default:
      event satisfies never;
  }
}

/** Whole kronor, unless it is all of it. */
const partOf = (totalOre: Ore, percent: number): Ore =>
  percent === 100 ? totalOre : divideRounded(totalOre * BigInt(percent), 10_000n) * 100n;
