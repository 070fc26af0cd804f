/** Invoices that recur: the list, one with what has been made of it, and the form, which is a draft's with a plan. */
import { z } from 'zod';
import { AppError, refuse } from '../../lib/errors.ts';
import { sentenceFor, sentenceOfKept } from '../../lib/sentences/say.ts';
import { customerLabel } from '../../sales/invoices/customer-choice.ts';
import { findCustomer } from '../../sales/invoices/draft-store.ts';
import { getInvoice } from '../../sales/invoices/reading-store.ts';
import { hasForeignVat, listRows } from '../../sales/invoices/row-store.ts';
import {
  changeRecurring,
  createRecurring,
  stopRecurring,
  type WrittenRecurring,
} from '../../sales/recurring/service.ts';
import {
  becomings,
  findRecurring,
  listRecurred,
  listRecurring,
  type RecurringInvoice,
} from '../../sales/recurring/store.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountText, dayInWords } from '../format.ts';
import { choice, day, optional, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { requireFormRoom } from '../row-pages.ts';
import type { View, Visit } from '../visit.ts';
import { answerBefore, readDraftWith, sent } from './invoice-draft.ts';
import { rowTexts } from './invoice-draft-row.ts';
import {
  type DraftValues,
  draftView,
  emptyDraft,
  frequencies,
  outcomes,
} from './invoice-draft-view.ts';

const home = '/aterkommande';
const params = z.object({ id: uuid });
type RecurringVisit = Visit<{ id: string }>;

const plan = z.object({
  every: choice(frequencies.map(({ value }) => value)).transform((value) => {
    const [unit = '', count = ''] = value.split(':');
    return { unit: unit === 'week' ? ('week' as const) : ('month' as const), count: Number(count) };
  }),
  lastDate: optional(day),
  becomes: choice(becomings),
});

export function registerRecurringInvoices(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: showList });
  pages.form({
    url: `${home}/ny`,
    right: 'keep_books',
    fields: sent,
    show: async (visit, input) => draftView(visit, input, await newPlan(visit)),
    perform: async (visit, fields) => {
      const before = await answerBefore(visit, fields, () => newPlan(visit));
      if (before) return before;
      const { tx, today, person } = visit;
      const written = await readPlan(visit, fields);
      const id = await createRecurring(tx, written, { today, actor: person.actor });
      return { to: `${home}/${id}`, notice: noticeOf(written, today) };
    },
  });
  pages.show({ url: `${home}/:id`, right: 'read', params, show: showOne });
  pages.form({
    url: `${home}/:id/redigera`,
    right: 'keep_books',
    params,
    fields: sent,
    show: async (visit, input) => draftView(visit, input, await storedPlan(visit)),
    perform: async (visit, fields) => {
      const before = await answerBefore(visit, fields, () => storedPlan(visit));
      if (before) return before;
      const { tx, today, person, params: place } = visit;
      const written = await readPlan(visit, fields);
      const seen = { id: place.id, version: textOf(fields, 'version') };
      await changeRecurring(tx, seen, written, { today, actor: person.actor });
      return { to: `${home}/${place.id}`, notice: noticeOf(written, today) };
    },
  });
  pages.act({
    url: `${home}/:id/avsluta`,
    right: 'keep_books',
    params,
    perform: async ({ tx, person, params: { id } }) => {
      await stopRecurring(tx, id, person.actor);
      const notice = 'Den är avslutad. Fakturor som redan är gjorda finns kvar.';
      return { to: `${home}/${id}`, notice };
    },
  });
}

const noticeOf = ({ recurrence }: WrittenRecurring, today: string): string =>
  recurrence.anchor <= today
    ? 'Sparat. Den första fakturan görs om en stund.'
    : `Sparat. Nästa faktura görs ${dayInWords(recurrence.anchor)}.`;

async function readPlan<Params>(visit: Visit<Params>, fields: Fields): Promise<WrittenRecurring> {
  const { draft, more } = await readDraftWith(visit, fields, plan);
  const { invoiceDate, deliveryDate: _, ...written } = draft;
  const { every, ...rest } = more;
  return { ...written, ...rest, recurrence: { anchor: invoiceDate, ...every } };
}

/** A new one; `?som=<id>` repeats an invoice, and `?kund=<id>` comes from a customer. */
async function newPlan<Params>(visit: Visit<Params>): Promise<DraftValues> {
  const empty = {
    ...(await emptyDraft(visit)),
    plan: { every: 'month:1', lastDate: '', becomes: 'draft' },
  };
  const pattern = z.guid().safeParse(textOf(visit.query, 'som')).data;
  if (pattern === undefined) return empty;
  const invoice = await getInvoice(visit.tx, pattern);
  const customer = await findCustomer(visit.tx, invoice.customer_id);
  const rows = await listRows(visit.tx, pattern);
  if (invoice.prices_include_vat) {
    const message =
      'Fakturans priser är med moms, och en återkommande skrivs utan. Skriv den för hand.';
    throw refuse('unprocessable', [{ path: '', reason: 'prices_include_vat', message }]);
  }
  if (invoice.currency_total !== null || rows.some(hasForeignVat)) {
    const message =
      'Fakturan är i en annan valuta eller har ett annat lands moms, och en återkommande skrivs i kronor med svensk moms. Skriv den för hand.';
    throw refuse('unprocessable', [{ path: '', reason: 'foreign_invoice', message }]);
  }
  requireFormRoom(rows.length, 'Fakturan');
  return {
    ...empty,
    customerId: invoice.customer_id,
    customer: customer ? customerLabel(customer) : '',
    paymentTermsDays: String(invoice.payment_terms_days),
    yourReference: invoice.your_reference ?? '',
    notes: invoice.notes ?? '',
    rows: rows.map(rowTexts),
  };
}

async function getRecurring({ tx, params: { id } }: RecurringVisit): Promise<RecurringInvoice> {
  const found = await findRecurring(tx, id);
  if (found) return found;
  throw new AppError('not_found', 'Den återkommande fakturan finns inte.');
}

async function storedPlan(visit: RecurringVisit): Promise<DraftValues> {
  const one = await getRecurring(visit);
  const customer = await findCustomer(visit.tx, one.customerId);
  return {
    ...(await emptyDraft(visit)),
    id: one.id,
    version: one.version,
    customerId: one.customerId,
    customer: customer ? customerLabel(customer) : one.customerName,
    invoiceDate: one.nextDate ?? visit.today,
    paymentTermsDays: String(one.paymentTermsDays),
    yourReference: one.yourReference ?? '',
    notes: one.notes ?? '',
    isVatConfirmed: one.vatConfirmedBy !== null,
    rows: one.rows.map(rowTexts),
    plan: {
      every: `${one.recurrence.unit}:${one.recurrence.count}`,
      lastDate: one.lastDate ?? '',
      becomes: one.becomes,
    },
  };
}

const everyText = (unit: string, every: number): string =>
  frequencies.find(({ value }) => value === `${unit}:${every}`)?.label ??
  `Var ${every}:e ${unit === 'week' ? 'vecka' : 'månad'}`;

const becomesText = (becomes: string): string =>
  outcomes.find(({ value }) => value === becomes)?.label ?? becomes;

async function showList({ tx }: Visit): Promise<View> {
  const all = await listRecurring(tx);
  return {
    template: 'recurring-invoices',
    title: 'Återkommande fakturor',
    values: {
      invoices: all.map(
        ({ id, customerName, unit, every, nextDate, becomes, isStopped, about }) => ({
          href: `${home}/${id}`,
          customer: customerName,
          about: about ?? '',
          every: everyText(unit, every),
          next: nextDate ?? '',
          becomes: becomesText(becomes),
          isStopped,
          isEnded: nextDate === null,
        }),
      ),
    },
  };
}

async function showOne(visit: RecurringVisit): Promise<View> {
  const { tx } = visit;
  const one = await getRecurring(visit);
  const made = await listRecurred(tx, one.id);
  return {
    template: 'recurring-invoice',
    title: `Återkommande faktura till ${one.customerName}`,
    values: {
      id: one.id,
      customer: { href: `/kunder/${one.customerId}`, name: one.customerName },
      every: everyText(one.recurrence.unit, one.recurrence.count),
      next: one.nextDate,
      lastDate: one.lastDate,
      becomes: becomesText(one.becomes),
      problems: one.problems.map((fault) => sentenceOfKept(() => sentenceFor('page', fault))),
      rows: one.rows.map(({ description, articleNumber }) => description ?? articleNumber ?? ''),
      made: made.map((invoice) => ({
        dueOn: invoice.due_on,
        href: invoice.id && `/kundfakturor/${invoice.id}`,
        number: invoice.number === null ? 'Utkast' : String(invoice.number),
        total: invoice.total_ore === null ? '' : amountText(invoice.total_ore),
        date: invoice.invoice_date ?? '',
      })),
    },
  };
}
