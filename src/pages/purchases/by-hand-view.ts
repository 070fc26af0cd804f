/** The form of a supplier's invoice or an outlay that a person writes, with what it is written from beside it. */
import { z } from 'zod';
import { foreignCurrencies, homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { formatPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import { reckonRows } from '../../domain/purchases/written-purchase.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { listDimensions } from '../../ledger/dimensions/store.ts';
import { getKeptDocument, type KeptDocument } from '../../ledger/documents/store.ts';
import type { Problem } from '../../lib/errors.ts';
import { defaultPaymentDays } from '../../purchases/by-hand/service.ts';
import {
  listOutlayAccounts,
  listOutlayNames,
  type SuggestedSupplier,
  suggestSuppliers,
  type WrittenPage,
} from '../../purchases/by-hand/store.ts';
import { listPurchaseFiles } from '../../purchases/inbox/inbox-store.ts';
import { exchangeRateText } from '../../render/wording.ts';
import { type FieldView, field, formOf, type Option, problemsAbove } from '../fields.ts';
import { type Fields, rowsOf, textsOf } from '../form-fields.ts';
import { amountText } from '../format.ts';
import { amount, exchangeRate, optional, partReader, uuid } from '../inputs.ts';
import { previewOf } from '../ledger/vouchers/pictures.ts';
import { fileValues } from '../ledger/vouchers/voucher-files.ts';
import { uploadValues } from '../sent-documents.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { isBlank, lineCells, lineTexts, typedAmount } from './by-hand-row.ts';
import { balanceWords, chargedRates, outlayOwners } from './by-hand-words.ts';

export const home = '/leverantorsinkorg';
const suggestedMax = 200;
const newRows = 2;

export interface WrittenForm {
  /** Null of a new one. */
  readonly draft: WrittenPage | null;
  readonly isOutlay: boolean;
  readonly address: string;
}

/** `Bilbolaget AB, 5560360793`: what is chosen in the list, and understood when it comes back. */
export const supplierLabel = ({
  name,
  organization_number: number,
}: Pick<SuggestedSupplier, 'name' | 'organization_number'>): string =>
  number === null ? name : `${name}, ${number}`;

export async function byHandView<Params>(
  visit: Visit<Params>,
  sent: FormInput,
  form: WrittenForm,
  moreRows = 0,
): Promise<View> {
  const { tx } = visit;
  const input = sent.isSent
    ? sent
    : { ...sent, fields: { underlag: textsOf(visit.query, 'underlag') } };
  const { draft, isOutlay, address } = form;
  const dimensions = await listDimensions(tx);
  const kept = draft?.written.lines.map(lineTexts) ?? [];
  const typed = input.isSent ? rowsOf(input.fields, 'rows').filter((row) => !isBlank(row)) : kept;
  const blanks = Math.max(newRows - typed.length, 1) + moreRows;
  const rows = [...typed, ...Array.from({ length: blanks }, (): Fields => ({}))].map((row, index) =>
    lineCells(input, row, index, dimensions),
  );
  const fields: Readonly<Record<string, FieldView>> = isOutlay
    ? await outlayFields(visit, input, draft)
    : invoiceFields(input, draft);
  const amounts = amountFields(input, form, visit.today, await firstDocument(visit, input));
  const head = formOf(input, { ...fields, ...amounts });
  const names = [...Object.values<FieldView>(head.fields), ...rows.flatMap(cellsOf)].map(
    ({ name }) => name,
  );
  const files = await filesOf(visit, input, draft);
  const shown = files.find(({ isShowable }) => isShowable);
  return {
    template: 'purchase-by-hand',
    title: titleOf(form),
    scripts: ['purchase-by-hand'],
    begunAt: address,
    values: {
      form: { ...head, above: problemsAbove(input, [...names, 'rows', 'files']) },
      balance: balanceOf(amounts, typed),
      rowsError: input.problems.find(({ path }) => path === 'rows')?.message ?? null,
      upload: uploadValues(input),
      address,
      isOutlay,
      cancel: draft === null ? home : `${home}/${draft.id}`,
      rows,
      template: lineCells({ ...input, problems: [] }, {}, 9_999, dimensions),
      accounts: await listUsableAccounts(tx),
      hasDimensions: dimensions.some(({ is_active }) => is_active),
      rates: chargedRates,
      suppliers: isOutlay ? [] : (await suggestSuppliers(tx, '', suggestedMax)).map(supplierView),
      names: isOutlay ? await listOutlayNames(tx) : [],
      files,
      shown: shown ? await previewOf(visit, shown.document, shown.address) : null,
    },
  };
}

/** What rows come to, where the amounts can be read; nothing until there are rows and a total. */
function balanceOf(
  {
    total,
    currency,
    rate,
    isVatIncluded,
  }: Readonly<Record<'total' | 'currency' | 'rate' | 'isVatIncluded', FieldView>>,
  typed: readonly Fields[],
): string | null {
  const { problems, read } = partReader();
  const totalOre = read(amount, total.value);
  // Kronor have no rate, whatever was left in its field.
  const rateE6 =
    currency.value === homeCurrency ? null : (read(optional(exchangeRate), rate.value) ?? null);
  const lines = typed.map((row) => read(typedAmount, row)).filter((line) => line !== undefined);
  if (totalOre === undefined || lines.length === 0 || problems.length > 0) return null;
  return balanceWords(reckonRows(lines, isVatIncluded.isChecked), totalOre, rateE6);
}

/** What stops a form from being reckoned, said where it is typed. */
export function unreadableAmounts(fields: Fields): Problem[] {
  const { problems, read } = partReader();
  read(z.object({ total: amount, rate: optional(exchangeRate) }), fields);
  for (const [index, row] of rowsOf(fields, 'rows')
    .filter((row) => !isBlank(row))
    .entries()) {
    read(typedAmount, row, `rows[${index}].`);
  }
  return problems;
}

const cellsOf = ({ cells, more }: ReturnType<typeof lineCells>): FieldView[] => [...cells, ...more];

function titleOf({ draft, isOutlay }: WrittenForm): string {
  if (draft !== null) return `Ändra ${draft.invoice_number}`;
  return isOutlay ? 'Nytt utlägg' : 'Ny leverantörsfaktura';
}

/** What the script fills in when one is chosen. */
function supplierView(supplier: SuggestedSupplier) {
  const { payment_days: days, account, currency, latest, accounts } = supplier;
  const [first] = accounts;
  return {
    label: supplierLabel(supplier),
    days: days ?? defaultPaymentDays,
    account: latest?.account ?? account ?? '',
    vatCode: latest?.vatCode ?? '',
    currency: currency ?? '',
    payTo: first ? formatPaymentAccount(first.kind, first.number) : '',
  };
}

function invoiceFields(input: FormInput, draft: WrittenPage | null) {
  const [payTo] = draft?.payment.accounts ?? [];
  return {
    kind: kindField(input, draft, { invoice: 'Faktura', credit_note: 'Kreditfaktura' }),
    supplier: field(input, 'supplier', 'Leverantör', {
      isRequired: true,
      isFirst: !input.isSent && draft === null,
      maxLength: 300,
      list: 'suppliers',
      value: draft?.supplier_name ?? '',
    }),
    invoiceNumber: field(input, 'invoiceNumber', 'Fakturanummer', {
      isRequired: true,
      maxLength: 100,
      value: draft?.invoice_number ?? '',
    }),
    dueDate: field(input, 'dueDate', 'Förfallodag', {
      type: 'date',
      value: draft?.due_date ?? '',
      help: 'Tom räknas av leverantörens villkor.',
    }),
    reference: field(input, 'reference', 'OCR eller meddelande', {
      maxLength: 100,
      value: draft?.payment.reference ?? '',
    }),
    payTo: field(input, 'payTo', 'Bankgiro, plusgiro eller IBAN', {
      maxLength: 50,
      value: payTo ? formatPaymentAccount(payTo.kind, payTo.number) : '',
      help: 'Tomt är det leverantören har.',
    }),
  };
}

async function outlayFields(
  { tx }: Pick<Visit, 'tx'>,
  input: FormInput,
  draft: WrittenPage | null,
) {
  const accounts = await listOutlayAccounts(tx);
  const isUnnumbered = draft !== null && draft.invoice_number === `Kvitto ${draft.issue_date}`;
  return {
    kind: kindField(input, draft, { invoice: 'Köp', credit_note: 'Återköp' }),
    laidOutBy: field(input, 'laidOutBy', 'Vem lade ut pengarna?', {
      isRequired: true,
      isFirst: !input.isSent && draft === null,
      maxLength: 200,
      list: 'names',
      value: draft?.laid_out_by ?? '',
    }),
    debtAccount: field(input, 'debtAccount', 'Personen är', {
      type: 'select',
      isRequired: true,
      value: String(draft?.debt_account ?? accounts[0]?.number ?? ''),
      options: accounts.map(({ number, name }) => ({
        value: String(number),
        label: outlayOwners[number] ?? name,
      })),
      help: 'Avgör kontot: 2893, 2820 eller 2018.',
    }),
    sellerName: field(input, 'sellerName', 'Köpt hos', {
      isRequired: true,
      maxLength: 200,
      value: draft?.seller.name ?? '',
    }),
    invoiceNumber: field(input, 'invoiceNumber', 'Kvittonummer', {
      maxLength: 100,
      value: isUnnumbered ? '' : (draft?.invoice_number ?? ''),
    }),
  };
}

const kindField = (
  input: FormInput,
  draft: WrittenPage | null,
  names: Readonly<Record<'invoice' | 'credit_note', string>>,
): FieldView =>
  field(input, 'kind', 'Slag', {
    type: 'select',
    isRequired: true,
    value: draft?.kind ?? 'invoice',
    options: Object.entries(names).map(([value, label]) => ({ value, label })),
  });

const currencyOptions: readonly Option[] = [homeCurrency, ...foreignCurrencies].map((code) => ({
  value: code,
  label: code === homeCurrency ? 'Kronor (SEK)' : code,
}));

const totalText = (ore: string | bigint | null): string =>
  ore === null ? '' : amountText(BigInt(ore));

/** What is known of the document that it begins with: its day and its amount. */
async function firstDocument<Params>(
  { tx }: Visit<Params>,
  input: FormInput,
): Promise<KeptDocument | undefined> {
  const [first] = input.isSent ? [] : documentIds(input.fields);
  return first === undefined ? undefined : getKeptDocument(tx, first);
}

function amountFields(
  input: FormInput,
  { draft, isOutlay }: WrittenForm,
  today: string,
  document: KeptDocument | undefined,
) {
  const written = draft?.written;
  const isIncluded = written?.isVatIncluded ?? isOutlay;
  return {
    issueDate: field(input, 'issueDate', isOutlay ? 'Datum' : 'Fakturadatum', {
      type: 'date',
      isRequired: true,
      value: draft?.issue_date ?? document?.document_date ?? today,
    }),
    total: field(input, 'total', isOutlay ? 'Betalt, med moms' : 'Att betala, med moms', {
      type: 'amount',
      isRequired: true,
      maxLength: 30,
      value: totalText(written?.totalOre ?? document?.amount_ore ?? null),
    }),
    currency: field(input, 'currency', 'Valuta', {
      type: 'select',
      isRequired: true,
      value: draft?.currency ?? homeCurrency,
      options: currencyOptions,
    }),
    rate: field(input, 'rate', 'Kurs', {
      maxLength: 30,
      value: draft?.exchange_rate_e6 ? exchangeRateText(draft.exchange_rate_e6) : '',
      help: 'Kronor för en av valutan på fakturadagen, t.ex. Riksbankens. Tom för kronor.',
    }),
    vat: field(input, 'vat', 'Varav moms', {
      type: 'amount',
      maxLength: 30,
      value: written?.vatOre ? amountText(BigInt(written.vatOre)) : '',
      help: 'Som den står; räknas annars på raderna.',
    }),
    isVatIncluded: field(input, 'isVatIncluded', 'Radernas belopp är med moms', {
      type: 'checkbox',
      value: isIncluded ? 'on' : null,
    }),
  };
}

/** What it is written from: the documents of the inbox that are ticked, and what the draft has already. */
async function filesOf<Params>(visit: Visit<Params>, input: FormInput, draft: WrittenPage | null) {
  const { tx, deps } = visit;
  const beside = [];
  for (const id of documentIds(input.fields)) {
    const document = await getKeptDocument(tx, id);
    const address = `/underlag/${id}/dokument`;
    const file = fileValues(document, address, deps);
    beside.push({ ...file, document, documentId: id, id: `f-underlag-${beside.length}` });
  }
  const own = draft === null ? [] : await listPurchaseFiles(tx, draft.id);
  const kept = own.map((file) => ({
    ...fileValues(file, `${home}/${draft?.id}/bilaga/${file.sha256}?visa=1`, deps),
    document: file,
    documentId: null,
    id: null,
  }));
  return [...beside, ...kept];
}

const filesMax = 10;

/** Documents that the form, or the address that begins it, says. */
export const documentIds = (fields: Fields): string[] =>
  [...new Set(textsOf(fields, 'underlag'))]
    .filter((id) => uuid.safeParse(id).success)
    .slice(0, filesMax);
