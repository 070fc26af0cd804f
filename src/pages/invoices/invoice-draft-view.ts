/** The form of an invoice draft, with the sums of what is typed so far. */
import { z } from 'zod';
import { addDays } from '../../domain/basics/dates.ts';
import { sum } from '../../domain/basics/money.ts';
import { isVatRate, type VatRate, vatRates } from '../../domain/ledger/vat.ts';
import {
  type DraftRow,
  isDiscount,
  priceRowsExcludingVat,
  totalsOf,
  unitLengthMax,
} from '../../domain/sales/invoice.ts';
import { isDueInTime } from '../../domain/sales/invoice-draft.ts';
import { usualAccountOf } from '../../domain/sales/typed-draft.ts';
import { customerLabel, customersLike } from '../../sales/invoices/customer-choice.ts';
import {
  findCustomer,
  listArticles,
  listRevenueAccounts,
  type RevenueAccount,
} from '../../sales/invoices/draft-store.ts';
import { isQuestion } from '../../sales/invoices/refusals.ts';
import { type FieldView, field, formOf, problemsAbove } from '../fields.ts';
import { type Fields, rowsOf, textOf } from '../form-fields.ts';
import { amountText, dayInWords, e4Text, kronor } from '../format.ts';
import { day, parseTyped } from '../inputs.ts';
import type { FormInput, View, Visit } from '../visit.ts';

export interface HandledOrder {
  readonly href: string;
  readonly name: string;
  /** What the customer paid, in the order's own currency. */
  readonly paid: string;
  /** It is in a currency whose rate nobody has given. */
  readonly lacksRate: boolean;
  /** Where its buyer becomes a customer; null when it is one. */
  readonly newCustomer: string | null;
}

/** A draft as the texts of its form. */
export interface DraftValues {
  /** Null for a new one. */
  readonly id: string | null;
  /** Whose customer and rows are the order's. */
  readonly isFromOrder: boolean;
  /** As the invoice names the buyer; of an order's the address may be written here. */
  readonly buyer: Readonly<Record<string, string | null>>;
  readonly version: string;
  readonly customerId: string;
  readonly customer: string;
  readonly invoiceDate: string;
  readonly deliveryDate: string;
  readonly paymentTermsDays: string;
  readonly yourReference: string;
  readonly notes: string;
  /** Somebody has confirmed that sales without VAT are so, where the buyer speaks against it. */
  readonly isVatConfirmed: boolean;
  readonly rows: readonly Fields[];
  /** The stopped order that it is written for by hand; null when there is none. */
  readonly order: HandledOrder | null;
  /** What an order's comes to; null where the rows of the form tell. */
  readonly orderTotalOre: bigint | null;
}

const newRows = 3;

/** A new draft; `?kund=<id>` comes from the customer's own page. */
export async function emptyDraft<Params>({
  tx,
  query,
  today,
}: Visit<Params>): Promise<DraftValues> {
  const id = z.guid().safeParse(textOf(query, 'kund')).data;
  const customer = id === undefined ? undefined : await findCustomer(tx, id);
  return {
    id: null,
    isFromOrder: false,
    buyer: {},
    version: '',
    customerId: customer?.id ?? '',
    customer: customer ? customerLabel(customer) : '',
    invoiceDate: today,
    deliveryDate: '',
    paymentTermsDays: '',
    yourReference: '',
    notes: '',
    isVatConfirmed: false,
    rows: [],
    order: null,
    orderTotalOre: null,
  };
}

export const addressOf = ({ id }: Pick<DraftValues, 'id'>): string =>
  id === null ? '/kundfakturor/ny' : `/kundfakturor/${id}/redigera`;

/** A row as the texts of its form; what is null nobody knows yet. No discount is an empty field. */
export const rowTexts = (
  row: {
    readonly [Field in keyof DraftRow]: DraftRow[Field] | null;
  },
): Fields => ({
  articleNumber: row.articleNumber ?? '',
  description: row.description ?? '',
  quantity: row.quantityE4 === null ? '' : e4Text(row.quantityE4),
  unit: row.unit ?? '',
  unitPrice: row.unitPriceE4 === null ? '' : e4Text(row.unitPriceE4),
  discountPct: row.discountE2 ? e4Text(row.discountE2 * 100n) : '',
  vatRate: String(row.vatRate ?? ''),
  account: String(row.account ?? ''),
});

/** Nobody has written on it: the quantity is there from the start. */
export const isBlank = (row: Fields): boolean =>
  ['articleNumber', 'description', 'unitPrice'].every((name) => textOf(row, name).trim() === '');

export async function draftView<Params>(
  visit: Visit<Params>,
  input: FormInput,
  draft: DraftValues,
  moreRows = 0,
): Promise<View> {
  const { tx } = visit;
  const accounts = await listRevenueAccounts(tx);
  const typed = input.isSent && !draft.isFromOrder ? rowsOf(input.fields, 'rows') : draft.rows;
  const written = await withArticles(
    tx,
    typed.filter((row) => !isBlank(row)),
  );
  const blanks = Math.max(newRows - written.length, 1) + moreRows;
  const fresh: Fields = { quantity: '1' };
  const rows = [...written, ...Array.from({ length: blanks }, () => fresh)];
  // An order's are not shown to be written in.
  const cells = draft.isFromOrder
    ? []
    : rows.map((row, index) => rowCells(input, row, index, accounts));
  const form = headForm(input, draft);
  const buyer = draft.isFromOrder ? buyerForm(input, draft.buyer) : null;
  const shown = Object.values({ ...form.fields, ...buyer?.fields }).map(({ name }) => name);
  return {
    template: 'invoice-draft',
    title: titleOf(draft),
    scripts: ['invoice-draft'],
    begunAt: addressOf(draft),
    values: {
      form: { ...form, above: problemsAbove(input, [...shown, ...namesOf(cells)]) },
      // What was typed was typed upon this version, and never overwrites a later one.
      version: input.isSent ? textOf(input.fields, 'version') : draft.version,
      order: draft.order,
      cancel:
        draft.id === null ? (draft.order?.href ?? '/kundfakturor') : `/kundfakturor/${draft.id}`,
      isFromOrder: draft.isFromOrder,
      buyer: buyer?.fields ?? null,
      choices: await customerChoices(visit, input),
      vatQuestion: vatQuestion(input, draft),
      customerId: input.isSent ? textOf(input.fields, 'customerId') : draft.customerId,
      rows: cells,
      template: rowCells({ ...input, problems: [] }, fresh, 9_999, accounts),
      accounts: accounts.map(({ number, name, vat_rate: rate }) => ({
        number,
        name,
        rate: rate ?? 0,
        isUsual: rate !== null && usualAccountOf(rate, accounts) === number,
      })),
      dueInWords: dueText(input, draft),
      ...sumsOf(written, accounts),
      ...(draft.orderTotalOre === null ? {} : totalShown(draft.orderTotalOre)),
    },
  };
}

function titleOf({ id, order }: DraftValues): string {
  if (id !== null) return 'Redigera fakturautkast';
  return order === null ? 'Ny kundfaktura' : `Fakturera order ${order.name} för hand`;
}

/** Asked once the buyer's country or number speaks against a sale without VAT, and as long as it is answered. */
function vatQuestion(input: FormInput, { isVatConfirmed }: DraftValues): FieldView | null {
  const isAsked = input.problems.some(({ reason }) => isQuestion(reason));
  const isAnswered = input.isSent ? textOf(input.fields, 'isVatConfirmed') !== '' : isVatConfirmed;
  if (!isAsked && !isAnswered) return null;
  const label = 'Försäljningen är utan moms, och det finns underlag för det';
  return field(input, 'isVatConfirmed', label, {
    type: 'checkbox',
    value: isVatConfirmed ? 'on' : '',
    help: 'Till exempel fraktsedel eller exportbevis för varor, eller att tjänsten utförs utomlands. Vem som intygar det sparas.',
  });
}

/** What an article says of its row, where nobody has written: what is shown is what would be booked. */
async function withArticles(tx: Visit['tx'], rows: readonly Fields[]): Promise<Fields[]> {
  const numberOf = (row: Fields): string => textOf(row, 'articleNumber').trim();
  const articles = await listArticles(tx, rows.map(numberOf).filter(Boolean));
  return rows.map((row) => {
    const article = articles.find(({ number }) => number === numberOf(row));
    if (!article) return row;
    const { description, unit, account, unit_price_e4: price } = article;
    const known: Readonly<Record<string, string>> = {
      description,
      unit: unit ?? '',
      unitPrice: price === null ? '' : e4Text(price),
      account: account === null ? '' : String(account),
    };
    const blank = Object.entries(known).filter(([name]) => textOf(row, name).trim() === '');
    return { ...row, ...Object.fromEntries(blank) };
  });
}

const namesOf = (rows: readonly ReturnType<typeof rowCells>[]): string[] =>
  rows.flatMap(({ cells }) => Object.values(cells).map(({ name }) => name));

function buyerForm(input: FormInput, buyer: DraftValues['buyer']) {
  return formOf(input, {
    address: field(input, 'address', 'Köparens gatuadress', {
      value: buyer['address'] ?? '',
      maxLength: 200,
      help: 'Ska stå på fakturor över 4 000 kr. Töms fältet fylls det i ur kundregistret när fakturan bokförs.',
    }),
    postalCode: field(input, 'postalCode', 'Köparens postnummer', {
      value: buyer['postalCode'] ?? '',
      maxLength: 20,
    }),
    city: field(input, 'city', 'Köparens ort', { value: buyer['city'] ?? '', maxLength: 100 }),
  });
}

function headForm(input: FormInput, draft: DraftValues) {
  return formOf(input, {
    customer: field(input, 'customer', 'Kund', {
      isRequired: true,
      value: draft.customer,
      maxLength: 300,
      list: 'kundforslag',
      isReadOnly: draft.isFromOrder,
      help: draft.isFromOrder
        ? 'Kunden och raderna är orderns och ändras inte här.'
        : 'Början av namnet, eller organisationsnumret.',
    }),
    invoiceDate: field(input, 'invoiceDate', 'Fakturadatum', {
      type: 'date',
      isRequired: true,
      value: draft.invoiceDate,
    }),
    deliveryDate: field(input, 'deliveryDate', 'Leveransdatum', {
      type: 'date',
      value: draft.deliveryDate,
      help: 'Om varan levererades eller tjänsten blev klar en annan dag än fakturadatum.',
    }),
    paymentTermsDays: field(input, 'paymentTermsDays', 'Betalningsvillkor, dagar', {
      value: draft.paymentTermsDays,
      maxLength: 2,
      help: '0–90. Tomt: kundens egna villkor, annars 30.',
    }),
    yourReference: field(input, 'yourReference', 'Er referens', {
      value: draft.yourReference,
      maxLength: 200,
      help: 'Den hos kunden som beställde.',
    }),
    notes: field(input, 'notes', 'Text på fakturan', {
      type: 'textarea',
      value: draft.notes,
      maxLength: 5_000,
    }),
  });
}

/** The inputs of a row. Its number is its place among the rows that are written, as problems count it. */
function rowCells(
  input: FormInput,
  row: Fields,
  index: number,
  accounts: readonly RevenueAccount[],
) {
  const cell = (name: string, label: string, options: Parameters<typeof field>[3] = {}) => {
    const path = `rows[${index}].${name}`;
    const problems = input.problems.filter((problem) => problem.path === path);
    return field(
      { fields: { [path]: textOf(row, name) }, problems, isSent: true },
      path,
      label,
      options,
    );
  };
  const sums = sumsOf([row], accounts);
  return {
    no: index + 1,
    net: sums.isCounted ? sums.net : '',
    cells: {
      article: cell('articleNumber', 'Artikel', { maxLength: 100, list: 'artikelforslag' }),
      description: cell('description', 'Beskrivning', { maxLength: 500 }),
      quantity: cell('quantity', 'Antal', { type: 'amount' }),
      unit: cell('unit', 'Enhet', { maxLength: unitLengthMax }),
      unitPrice: cell('unitPrice', 'À-pris utan moms', { type: 'amount' }),
      discountPct: cell('discountPct', 'Rabatt %', { type: 'amount' }),
      vatRate: cell('vatRate', 'Moms', {
        type: 'select',
        options: [
          { value: '', label: 'Kontots' },
          ...vatRates.map((rate) => ({ value: String(rate), label: `${rate} %` })),
        ],
      }),
      account: cell('account', 'Konto', {
        maxLength: 200,
        list: 'intaktskonton',
        placeholder: String(usualAccountOf(typedRate(row), accounts) ?? ''),
      }),
    },
  };
}

/** What the rows that can be read come to; the others are told about when the draft is saved. */
function sumsOf(typed: readonly Fields[], accounts: readonly RevenueAccount[]) {
  const readable = typed.flatMap((row) => {
    const quantityE4 = parseTyped(textOf(row, 'quantity').trim(), 4);
    const unitPriceE4 = parseTyped(textOf(row, 'unitPrice').trim(), 4);
    const typedDiscount = textOf(row, 'discountPct').trim();
    const discountE2 = typedDiscount === '' ? 0n : parseTyped(typedDiscount, 2);
    if (quantityE4 === undefined || unitPriceE4 === undefined) return [];
    if (discountE2 === undefined || !isDiscount(discountE2)) return [];
    return [{ quantityE4, unitPriceE4, discountE2, vatRate: rateOf(row, accounts) }];
  });
  const priced = priceRowsExcludingVat(readable);
  const totals = totalsOf(priced, 0n);
  const byRate = [...Map.groupBy(priced, (row) => row.vatRate)].sort(([a], [b]) => b - a);
  return {
    isCounted: readable.length > 0,
    net: amountText(totals.netOre),
    vat: byRate.map(([rate, rows]) => ({
      rate,
      amount: amountText(sum(rows.map((row) => row.vatOre))),
    })),
    ...totalShown(totals.totalOre),
  };
}

/** What is to be paid, and the same in öre for the form to carry. */
const totalShown = (ore: bigint) => ({ total: kronor(ore), shown: String(ore) });

/** Null when the row leaves it to its account. */
function typedRate(row: Fields): VatRate | null {
  const typed = textOf(row, 'vatRate');
  if (typed === '') return null;
  return isVatRate(Number(typed)) ? (Number(typed) as VatRate) : 0;
}

function rateOf(row: Fields, accounts: readonly RevenueAccount[]): VatRate {
  const typed = typedRate(row);
  if (typed !== null) return typed;
  const account = parseInt(textOf(row, 'account'), 10) || usualAccountOf(null, accounts);
  return accounts.find(({ number }) => number === account)?.vat_rate ?? 0;
}

function dueText(input: FormInput, draft: DraftValues): string {
  const of = (name: 'invoiceDate' | 'paymentTermsDays'): string =>
    input.isSent ? textOf(input.fields, name) : draft[name];
  const date = day.safeParse(of('invoiceDate'));
  const terms = of('paymentTermsDays').trim();
  // A draft so late has no due date; sent, it is told so.
  if (!date.success || !/^\d{1,2}$/.test(terms) || !isDueInTime(date.data, Number(terms)))
    return '';
  return `Förfaller ${dayInWords(addDays(date.data, Number(terms)))}.`;
}

/** When what was typed may mean several customers, a person says which. */
async function customerChoices<Params>({ tx }: Visit<Params>, input: FormInput) {
  const isUnclear = input.problems.some(({ reason }) => reason === 'several_customers');
  if (!isUnclear) return [];
  const found = await customersLike(tx, textOf(input.fields, 'customer').trim());
  return found.map((customer, index) => ({
    id: customer.id,
    field: `customer-${index}`,
    label: customerLabel(customer),
  }));
}
