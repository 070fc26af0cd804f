/** Suppliers' invoices and outlays that people write, from PDF or paper beside the form. */
import { z } from 'zod';
import { foreignCurrencies, homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { readPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import { capProblems } from '../../domain/basics/problems.ts';
import { usualVatCode } from '../../domain/purchases/vat-codes.ts';
import { wholeDeduction } from '../../domain/purchases/written-purchase.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { keepDocument } from '../../ledger/documents/service.ts';
import { AppError, type Problem, refuse } from '../../lib/errors.ts';
import { said } from '../../lib/sentences/say.ts';
import { writeInvoice, writeOutlay } from '../../purchases/by-hand/service.ts';
import {
  findByHand,
  type SuggestedSupplier,
  suggestSuppliers,
  type WrittenPage,
} from '../../purchases/by-hand/store.ts';
import type { HandLine } from '../../purchases/by-hand/written.ts';
import { bookPurchases } from '../../purchases/inbox/service.ts';
import { type Fields, rowsOf, textOf } from '../form-fields.ts';
import {
  account,
  amount,
  choice,
  day,
  exchangeRate,
  optional,
  optionalText,
  partReader,
  text,
  ticked,
} from '../inputs.ts';
import { askForAccount } from '../new-account.ts';
import type { Pages } from '../page.ts';
import { takeAll } from '../sent-documents.ts';
import type { FormInput, Goto, Visit } from '../visit.ts';
import { isBlank, typedLine } from './by-hand-row.ts';
import {
  byHandView,
  documentIds,
  home,
  supplierLabel,
  unreadableAmounts,
  type WrittenForm,
} from './by-hand-view.ts';
import { purchaseParams as params } from './purchase.ts';
import { showPurchase } from './purchase-view.ts';

/** The form as it was sent; what must be right depends on the button. */
const sent = z.custom<Fields>((value) => typeof value === 'object' && value !== null);
const extraRows = 4;
const chosenMax = 20;

export function registerPurchasesByHand(pages: Pages): void {
  for (const [path, isOutlay] of [
    ['ny', false],
    ['utlagg', true],
  ] as const) {
    const form: WrittenForm = { draft: null, isOutlay, address: `${home}/${path}` };
    pages.form({
      url: form.address,
      right: 'keep_books',
      fields: sent,
      show: (visit, input) => byHandView(visit, input, form),
      perform: (visit, fields) => answer(visit, fields, form),
    });
  }
  pages.form({
    url: `${home}/:id/andra`,
    changesStored: true,
    right: 'keep_books',
    params,
    fields: sent,
    show: async (visit, input) => byHandView(visit, input, await formOfDraft(visit)),
    perform: async (visit, fields) => answer(visit, fields, await formOfDraft(visit)),
  });
  pages.act({
    url: `${home}/:id/bokfor`,
    right: 'keep_books',
    params,
    show: (visit) => showPurchase(visit, {}),
    perform: (visit) => book(visit, visit.params.id),
  });
}

/** Throws when it is booked, or was not written by hand. */
async function formOfDraft({ tx, params: { id } }: Visit<{ id: string }>): Promise<WrittenForm> {
  const draft = await findByHand(tx, id);
  if (!draft) throw new AppError('not_found', 'Det finns inget sådant utkast.');
  if (draft.status === 'booked' || draft.status === 'rejected') {
    const message = 'Fakturan är redan bokförd eller avvisad och ändras inte mer.';
    throw refuse('unprocessable', [{ path: '', reason: 'not_a_draft', message }]);
  }
  return { draft, isOutlay: draft.laid_out_by !== null, address: `${home}/${id}/andra` };
}

/** Shows the form with the file, more rows or sums; goes for what it lacks; or keeps it, and perhaps books it. */
async function answer<Params>(
  visit: Visit<Params>,
  typed: Fields,
  form: WrittenForm,
): Promise<Goto> {
  const button = textOf(typed, 'do');
  const fields = await withFiles(visit, typed);
  const problems = button === 'reckon' ? unreadableAmounts(fields) : [];
  const input: FormInput = { fields, problems, isSent: true };
  if (button === 'new_account') {
    return askForAccount(fields, await listUsableAccounts(visit.tx), form.address);
  }
  if (button === 'new_supplier') {
    const name = textOf(fields, 'supplier').trim().slice(0, 200);
    const to = `/leverantorer/ny${name === '' ? '' : `?${new URLSearchParams({ namn: name })}`}`;
    return { to, asks: { from: form.address, field: 'supplier' } };
  }
  if (button !== 'save' && button !== 'book') {
    const rows = button === 'more' ? extraRows : 0;
    return { to: home, view: await byHandView(visit, input, form, rows) };
  }
  const id = await keep(visit, fields, form);
  if (button === 'save') return { to: `${home}/${id}`, notice: 'Utkastet är sparat.' };
  return book(visit, id);
}

/** Files that came with the form are documents from now on, which it is written from. */
async function withFiles<Params>(
  { tx, files, person }: Visit<Params>,
  fields: Fields,
): Promise<Fields> {
  const ids: string[] = [];
  await takeAll(files, async (file) => {
    ids.push((await keepDocument(tx, file, person.actor)).id);
  });
  return ids.length === 0 ? fields : { ...fields, underlag: [...ids, ...documentIds(fields)] };
}

const head = {
  kind: choice(['invoice', 'credit_note']),
  issueDate: day,
  total: amount,
  currency: z
    .string()
    .default(homeCurrency)
    .pipe(choice([homeCurrency, ...foreignCurrencies])),
  rate: optional(exchangeRate),
  vat: optional(amount),
  isVatIncluded: ticked,
};
const payTo = optional(
  text(50).transform((value, context) => {
    const found = readPaymentAccount(value);
    if (found !== null) return found;
    const { message } = said(
      'page',
      refuse('unprocessable', [
        { path: 'payTo', reason: 'wrong_payee_account', params: { number: value } },
      ]),
    );
    context.addIssue({ code: 'custom', message, params: { reason: 'wrong_format' } });
    return z.NEVER;
  }),
);
const invoiceHead = z.object({
  ...head,
  supplier: text(300),
  invoiceNumber: text(100),
  dueDate: optional(day),
  reference: optionalText(100),
  payTo,
});
const outlayHead = z.object({
  ...head,
  laidOutBy: text(200),
  debtAccount: z.string().default('').pipe(account),
  sellerName: text(200),
  invoiceNumber: optionalText(100),
});

/** Everything that is wrong with the form is said at once. */
async function keep<Params>(
  visit: Visit<Params>,
  fields: Fields,
  { draft, isOutlay }: WrittenForm,
): Promise<string> {
  const { tx, person } = visit;
  const { problems, read } = partReader();
  const typed = rowsOf(fields, 'rows').filter((row) => !isBlank(row));
  const lines = typed
    .map((row, index) => read(typedLine, row, `rows[${index}].`))
    .filter((line) => line !== undefined);
  const id = draft?.id ?? null;
  const from = documentIds(fields);
  const keepAs = (write: () => Promise<string>): Promise<string> => {
    if (problems.length > 0) throw refuse('invalid_request', capProblems(problems));
    return write();
  };
  if (isOutlay) {
    const outlay = read(outlayHead, fields);
    return keepAs(async () => {
      if (!outlay) throw new Error('a form without problems was not read');
      const { total: totalOre, vat: vatOre, rate: exchangeRateE6, ...rest } = outlay;
      return writeOutlay(
        tx,
        id,
        { ...rest, exchangeRateE6, totalOre, vatOre, lines, documentIds: from },
        person.actor,
      );
    });
  }
  const invoice = read(invoiceHead, fields);
  const supplier = await supplierOf(visit, textOf(fields, 'supplier'), draft);
  const isSaid = problems.some(({ path }) => path === 'supplier');
  if ('message' in supplier && !isSaid) problems.push(supplier);
  return keepAs(async () => {
    if (!invoice || 'message' in supplier) throw new Error('a form without problems was not read');
    const { total: totalOre, vat: vatOre, rate: exchangeRateE6, supplier: _, ...rest } = invoice;
    const all = typed.length === 0 ? usualLines(supplier) : lines;
    const written = {
      ...rest,
      supplierId: supplier.id,
      exchangeRateE6,
      totalOre,
      vatOre,
      lines: all,
      documentIds: from,
    };
    return writeInvoice(tx, id, written, person.actor);
  });
}

/** Nothing on any row: the whole of it as the supplier's latest was, where that is known. */
function usualLines({ account, latest, country_code }: SuggestedSupplier): HandLine[] {
  const none = { ore: null, note: null, costCenter: null, project: null };
  if (latest !== null) return [{ ...none, ...latest, ore: null }];
  if (account === null || country_code !== 'SE') return [];
  return [{ ...none, account, vatCode: usualVatCode, deduction: wholeDeduction }];
}

/** Who was meant: what stands in the list, or the only one whose name has what is typed. */
async function supplierOf<Params>(
  { tx }: Visit<Params>,
  typed: string,
  draft: WrittenPage | null,
): Promise<SuggestedSupplier | Problem> {
  const name = typed.trim();
  const [, beforeNumber = name] = /^(.*), \d{10}$/.exec(name) ?? [];
  const found = await suggestSuppliers(tx, beforeNumber, chosenMax);
  const lower = name.toLowerCase();
  const exact = found.filter(
    (one) => supplierLabel(one) === name || one.name.toLowerCase() === lower,
  );
  const mine = exact.filter(({ id }) => id === draft?.supplier_id);
  const [only, ...others] = mine.length > 0 ? mine : exact.length > 0 ? exact : found;
  if (only && others.length === 0) return only;
  const problem = (reason: string, message: string) => ({ path: 'supplier', reason, message });
  return only
    ? problem('several_suppliers', 'Flera leverantörer stämmer; välj en ur listan.')
    : problem(
        'unknown_supplier',
        'Ingen aktiv leverantör heter så. Lägg upp den med Ny leverantör, eller rätta stavningen.',
      );
}

/** A refusal is kept with the draft, and stands on its page. */
async function book<Params>({ tx, person }: Visit<Params>, id: string): Promise<Goto> {
  const [outcome] = await bookPurchases(tx, [id], person.actor);
  if (!outcome) throw new AppError('not_found', 'Leverantörsfakturan finns inte.');
  if (outcome.refusal) return { to: `${home}/${id}#vagran` };
  const notice = outcome.wasBooked ? 'Den var redan bokförd. Inget nytt är bokfört.' : 'Bokförd.';
  return { to: `${home}/${id}`, notice };
}
