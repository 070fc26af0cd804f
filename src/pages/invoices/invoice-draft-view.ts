/** The form of an invoice draft, with the sums of what is typed so far. */
import { z } from 'zod';
import { addDays } from '../../domain/basics/dates.ts';
import { isDueInTime } from '../../domain/sales/invoice-draft.ts';
import { usualAccountOf } from '../../domain/sales/typed-draft.ts';
import { customerLabel, customersLike } from '../../sales/invoices/customer-choice.ts';
import { findCustomer, listSalesAccounts } from '../../sales/invoices/draft-store.ts';
import { isQuestion } from '../../sales/invoices/refusals.ts';
import { type FieldView, field, formOf, problemsAbove } from '../fields.ts';
import { type Fields, rowsOf, textOf } from '../form-fields.ts';
import { dayInWords } from '../format.ts';
import { day } from '../inputs.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { isBlank, rowCells, sumsOf, totalShown, withArticles } from './invoice-draft-row.ts';

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

/** How often an invoice recurs, until when, and what becomes of each. */
export interface PlanValues {
  readonly every: string;
  readonly lastDate: string;
  readonly becomes: string;
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
  /** Of an invoice that recurs; null of others. */
  readonly plan: PlanValues | null;
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
    plan: null,
    orderTotalOre: null,
  };
}

export function addressOf({ id, plan }: Pick<DraftValues, 'id' | 'plan'>): string {
  const list = plan === null ? '/kundfakturor' : '/aterkommande';
  return id === null ? `${list}/ny` : `${list}/${id}/redigera`;
}

export async function draftView<Params>(
  visit: Visit<Params>,
  input: FormInput,
  draft: DraftValues,
  moreRows = 0,
): Promise<View> {
  const { tx } = visit;
  const accounts = await listSalesAccounts(tx);
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
  const plan = draft.plan && planForm(input, draft.plan);
  const shown = Object.values({ ...form.fields, ...buyer?.fields, ...plan }).map(
    ({ name }) => name,
  );
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
      cancel: cancelOf(draft),
      list:
        draft.plan === null
          ? { href: '/kundfakturor', label: 'Kundfakturor' }
          : { href: '/aterkommande', label: 'Återkommande fakturor' },
      plan,
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

function cancelOf({ id, order, plan }: DraftValues): string {
  const list = plan === null ? '/kundfakturor' : '/aterkommande';
  return id === null ? (order?.href ?? list) : `${list}/${id}`;
}

/** How often, as the form says it: so many weeks or months. */
export const frequencies = [
  { value: 'week:1', label: 'Varje vecka' },
  { value: 'week:2', label: 'Varannan vecka' },
  { value: 'month:1', label: 'Varje månad' },
  { value: 'month:2', label: 'Varannan månad' },
  { value: 'month:3', label: 'Varje kvartal' },
  { value: 'month:6', label: 'Varje halvår' },
  { value: 'month:12', label: 'Varje år' },
] as const;

export const outcomes = [
  { value: 'draft', label: 'Ligger som utkast' },
  { value: 'booked', label: 'Bokförs' },
  { value: 'mailed', label: 'Bokförs och skickas med e-post' },
] as const;

const planForm = (input: FormInput, plan: PlanValues) => ({
  every: field(input, 'every', 'Hur ofta', {
    type: 'select',
    isRequired: true,
    value: plan.every,
    options: frequencies,
  }),
  lastDate: field(input, 'lastDate', 'Sista dagen', {
    type: 'date',
    value: plan.lastDate,
    help: 'Ingen faktura görs efter den. Tomt: tills vidare.',
  }),
  becomes: field(input, 'becomes', 'När dagen kommer', {
    type: 'select',
    isRequired: true,
    value: plan.becomes,
    options: outcomes,
  }),
});

function titleOf({ id, order, plan }: DraftValues): string {
  if (plan !== null) {
    return id === null ? 'Ny återkommande faktura' : 'Ändra återkommande faktura';
  }
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
      isFirst: !input.isSent && draft.customer === '',
      value: draft.customer,
      maxLength: 300,
      list: 'kundforslag',
      isReadOnly: draft.isFromOrder,
      help: draft.isFromOrder
        ? 'Kunden och raderna är orderns och ändras inte här.'
        : 'Början av namnet, eller organisationsnumret.',
    }),
    invoiceDate: field(input, 'invoiceDate', draft.plan ? 'Nästa faktura' : 'Fakturadatum', {
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
