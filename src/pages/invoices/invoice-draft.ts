/** New and changed invoice drafts: one form, which a script only makes quicker. */
import { z } from 'zod';
import { capProblems } from '../../domain/basics/problems.ts';
import { type Problem, refuse } from '../../lib/errors.ts';
import { customerLabel, meantCustomers } from '../../sales/invoices/customer-choice.ts';
import {
  findCustomer,
  listArticles,
  listSalesAccounts,
  type SuggestedCustomer,
  suggestArticles,
  suggestCustomers,
} from '../../sales/invoices/draft-store.ts';
import {
  changeDraft,
  changeDraftHead,
  createDraft,
  type WrittenHead,
} from '../../sales/invoices/drafts.ts';
import { getInvoice } from '../../sales/invoices/reading-store.ts';
import { listRows } from '../../sales/invoices/row-store.ts';
import { type Fields, rowsOf, textOf } from '../form-fields.ts';
import { e4Text } from '../format.ts';
import {
  day,
  formProblems,
  integer,
  optional,
  optionalText,
  partReader,
  readTyped,
} from '../inputs.ts';
import { askForAccount } from '../new-account.ts';
import type { Pages } from '../page.ts';
import { requireFormRoom } from '../row-pages.ts';
import type { FormInput, Goto, View, Visit } from '../visit.ts';
import { book, invoiceParams } from './invoice.ts';
import { isBlank, rowTexts, typedRow } from './invoice-draft-row.ts';
import { addressOf, type DraftValues, draftView, emptyDraft } from './invoice-draft-view.ts';

const defaultTerms = 30;
const extraRows = 5;
const suggestedMin = 1;

/** The form as it was sent; what its fields mean depends on the button, so each is read when it is known. */
export const sent = z.custom<Fields>((value) => typeof value === 'object' && value !== null);

export function registerInvoiceDrafts(pages: Pages): void {
  pages.form({
    url: '/kundfakturor/ny',
    right: 'keep_books',
    fields: sent,
    show: async (visit, input) => draftView(visit, input, await emptyDraft(visit)),
    perform: (visit, fields) =>
      answer(
        visit,
        fields,
        () => emptyDraft(visit),
        async () => {
          const written = await readDraft(visit, fields);
          return createDraft(visit.tx, written, visit.person.actor);
        },
      ),
  });
  pages.form({
    url: '/kundfakturor/:id/redigera',
    right: 'keep_books',
    params: invoiceParams,
    fields: sent,
    show: async (visit, input) => draftView(visit, input, await storedDraft(visit)),
    perform: (visit, fields) =>
      answer(
        visit,
        fields,
        () => storedDraft(visit),
        () => saveDraft(visit, fields),
      ),
  });
  // The script's suggestions; without it the form finds what was typed by itself.
  pages.show({
    url: '/kundfakturor/forslag/kunder',
    right: 'keep_books',
    show: async ({ tx, query }) =>
      asJson(
        (await suggested(query, (asked) => suggestCustomers(tx, asked))).map((customer) => ({
          value: customerLabel(customer),
          terms: customer.payment_terms_days,
        })),
      ),
  });
  pages.show({
    url: '/kundfakturor/forslag/artiklar',
    right: 'keep_books',
    show: async ({ tx, query }) =>
      asJson(
        (await suggested(query, (asked) => suggestArticles(tx, asked))).map(
          ({ unit_price_e4: price, unit, ...article }) => ({
            ...article,
            unit: unit ?? '',
            price: price === null ? '' : e4Text(price),
          }),
        ),
      ),
  });
}

const asJson = (value: unknown) => ({
  type: 'application/json; charset=utf-8',
  content: JSON.stringify(value),
  headers: { 'cache-control': 'no-store' },
});

async function suggested<T>(query: Fields, find: (text: string) => Promise<T[]>): Promise<T[]> {
  const asked = textOf(query, 'sok').trim().slice(0, 200);
  return asked.length < suggestedMin ? [] : find(asked);
}

/** Saves, and books when that was asked for, unless a button wants something else first. */
export async function answer<Params>(
  visit: Visit<Params>,
  fields: Fields,
  first: () => Promise<DraftValues>,
  save: () => Promise<string>,
): Promise<Goto> {
  const button = textOf(fields, 'do');
  const before = await answerBefore(visit, fields, first);
  if (before) return before;
  const id = await save();
  if (button !== 'book') {
    return { to: `/kundfakturor/${id}`, notice: 'Utkastet är sparat.' };
  }
  const shown = textOf(fields, 'shown');
  return book({ ...visit, params: { id } }, { shown, isAsked: false }, 'Utkastet är sparat. ');
}

/** Counts anew, gives more rows, or goes for what is lacking, saving nothing; undefined when it is to be saved. */
export async function answerBefore<Params>(
  visit: Visit<Params>,
  fields: Fields,
  first: () => Promise<DraftValues>,
): Promise<Goto | undefined> {
  const button = textOf(fields, 'do');
  if (button === 'count' || button === 'more') {
    const input: FormInput = { fields, problems: [], isSent: true };
    const rows = button === 'more' ? extraRows : 0;
    const view: View = await draftView(visit, input, await first(), rows);
    return { to: '/kundfakturor?flik=utkast', view };
  }
  if (!button.startsWith('new_')) return undefined;
  return askFor(visit, button, fields, addressOf(await first()));
}

/** The way to what the invoice lacks: a customer, an article or an account, and back with it. */
async function askFor<Params>(
  { tx }: Visit<Params>,
  button: string,
  fields: Fields,
  from: string,
): Promise<Goto | undefined> {
  if (button === 'new_account') return askForAccount(fields, await listSalesAccounts(tx), from);
  const named = (path: string, name: string, value: string): string =>
    value === '' ? path : `${path}?${new URLSearchParams({ [name]: value })}`;
  if (button === 'new_customer') {
    const typed = textOf(fields, 'customer').trim().slice(0, 200);
    return { to: named('/kunder/ny', 'namn', typed), asks: { from, field: 'customer' } };
  }
  if (button !== 'new_article') return undefined;
  const numbers = rowsOf(fields, 'rows').map((one) => textOf(one, 'articleNumber').trim());
  const known = new Set((await listArticles(tx, numbers)).map(({ number }) => number));
  const unknown = numbers.findIndex((number) => number !== '' && !known.has(number));
  const place = unknown >= 0 ? unknown : Math.max(numbers.indexOf(''), 0);
  const typed = (numbers[unknown] ?? '').slice(0, 100);
  const field = `rows[${place}].articleNumber`;
  return { to: named('/artiklar/ny', 'nummer', typed), asks: { from, field } };
}

async function saveDraft(visit: Visit<{ id: string }>, fields: Fields): Promise<string> {
  const { tx, params, person } = visit;
  const draft = { id: params.id, version: textOf(fields, 'version') };
  const { source, customer_id } = await getInvoice(tx, params.id);
  if (source === 'order') {
    const head = await readHead(visit, fields, customer_id);
    const buyer = readTyped(buyerAddress, fields);
    if (!buyer.success) throw refuse('invalid_request', formProblems(buyer.error.issues));
    await changeDraftHead(tx, draft, head, buyer.data, person.actor);
  } else {
    await changeDraft(tx, draft, await readDraft(visit, fields), person.actor);
  }
  return params.id;
}

const head = z.object({
  invoiceDate: day,
  deliveryDate: optional(day),
  paymentTermsDays: optional(integer(0, 90)),
  yourReference: optionalText(200),
  notes: optionalText(5_000),
});

/** Of an order's buyer, who may be in no register. */
const buyerAddress = z.object({
  address: optionalText(200),
  postalCode: optionalText(20),
  city: optionalText(100),
});

async function readHead(
  { tx }: Visit<unknown>,
  fields: Fields,
  customerId: string,
): Promise<WrittenHead> {
  const result = readTyped(head, fields);
  if (!result.success) throw refuse('invalid_request', formProblems(result.error.issues));
  const { paymentTermsDays, ...rest } = result.data;
  return { ...rest, paymentTermsDays: paymentTermsDays ?? (await termsOf(tx, customerId)) };
}

const termsOf = async (tx: Visit['tx'], customerId: string): Promise<number> =>
  (await findCustomer(tx, customerId))?.payment_terms_days ?? defaultTerms;

export const readDraft = async <Params>(visit: Visit<Params>, fields: Fields) =>
  (await readDraftWith(visit, fields, z.object({}))).draft;

/** The draft, and what else its form holds: all that is wrong with either is said at once. */
export async function readDraftWith<Params, More>(
  visit: Visit<Params>,
  fields: Fields,
  schema: z.ZodType<More>,
) {
  const typed = rowsOf(fields, 'rows').filter((one) => !isBlank(one));
  const { problems, read } = partReader();
  const customer = await readCustomer(visit, fields);
  if ('message' in customer) problems.push(customer);
  const writtenHead = read(head, fields);
  const more = read(schema, fields);
  const rows = typed.map((one, index) => read(typedRow, one, `rows[${index}].`));
  if (typed.length === 0) {
    const message = 'Skriv minst en rad.';
    problems.push({ path: 'rows', reason: 'required', message });
  }
  if (problems.length > 0 || !writtenHead || more === undefined || 'message' in customer) {
    throw refuse('invalid_request', capProblems(problems));
  }
  const { paymentTermsDays, ...rest } = writtenHead;
  const draft = {
    ...rest,
    customerId: customer.id,
    paymentTermsDays: paymentTermsDays ?? customer.payment_terms_days ?? defaultTerms,
    isVatConfirmed: textOf(fields, 'isVatConfirmed') !== '',
    rows: rows.filter((one) => one !== undefined),
  };
  return { draft, more };
}

/** Who was meant: the one that was chosen, if it still answers to what is typed, or the only one that does. */
async function readCustomer<Params>(
  { tx }: Visit<Params>,
  fields: Fields,
): Promise<SuggestedCustomer | Problem> {
  const typed = textOf(fields, 'customer').trim().slice(0, 300);
  const problem = (reason: string, message: string): Problem => ({
    path: 'customer',
    reason,
    message,
  });
  if (typed === '') return problem('required', 'Skriv kundens namn eller organisationsnummer.');
  const chosen = z.guid().safeParse(textOf(fields, 'customerId')).data;
  const [only, ...others] = await meantCustomers(tx, typed, chosen);
  if (only && others.length === 0) return only;
  return only
    ? problem('several_customers', 'Flera kunder stämmer; välj en av dem nedan.')
    : problem(
        'unknown_customer',
        'Ingen aktiv kund heter så. Lägg upp den med Ny kund, eller rätta stavningen.',
      );
}

/** The draft as it is stored, as texts. Throws 422 when it is no draft any more. */
async function storedDraft({ tx, params: { id } }: Visit<{ id: string }>): Promise<DraftValues> {
  const invoice = await getInvoice(tx, id);
  if (invoice.status !== 'draft') {
    const message = 'Fakturan är bokförd och ändras inte mer; kreditera den i stället.';
    throw refuse('unprocessable', [{ path: '', reason: 'not_a_draft', message }]);
  }
  const customer = await findCustomer(tx, invoice.customer_id);
  const rows = await listRows(tx, id);
  const isFromOrder = invoice.source === 'order';
  if (!isFromOrder) requireFormRoom(rows.length, 'Utkastet');
  return {
    id,
    isFromOrder,
    buyer: invoice.debtor,
    version: invoice.version,
    customerId: invoice.customer_id,
    customer: customer ? customerLabel(customer) : '',
    invoiceDate: invoice.invoice_date,
    deliveryDate: invoice.delivery_date ?? '',
    paymentTermsDays: String(invoice.payment_terms_days),
    yourReference: invoice.your_reference ?? '',
    notes: invoice.notes ?? '',
    isVatConfirmed: invoice.vat_confirmed_by !== null,
    rows: rows.map(rowTexts),
    order: null,
    plan: null,
    orderTotalOre: invoice.source === 'order' ? invoice.total_ore : null,
  };
}
