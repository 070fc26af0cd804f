/** What the example company invoices in an ordinary month, and when it is paid. */
import { addDays, split } from '../domain/basics/dates.ts';
import { type DraftRow, plainRow } from '../domain/sales/invoice.ts';
import { article, type DemoArticle, rateOf, revenueAccounts } from './articles.ts';
import { workday, workdayIn } from './calendar.ts';
import { customers, type DemoCustomer } from './customers.ts';
import { createRandom, type Random } from './random.ts';

/** What happens to an invoice once it is booked. */
export type Event =
  /** Percent of the invoice's total, or all that remains with fees. */
  | { readonly kind: 'payment'; readonly date: string; readonly part: number | 'rest' }
  /** A payment that was another's: percent of the total taken back. */
  | { readonly kind: 'payment_back'; readonly date: string; readonly part: number }
  | { readonly kind: 'reminder'; readonly date: string; readonly feeKronor: number }
  /** What is left is written off. */
  | { readonly kind: 'loss'; readonly date: string; readonly reason: string }
  /** The rows that are credited; all of them when not given. */
  | { readonly kind: 'credit'; readonly date: string; readonly rows?: readonly number[] };

export interface PlannedInvoice {
  readonly customer: DemoCustomer;
  readonly date: string;
  readonly notes?: string;
  readonly rows: readonly DraftRow[];
  readonly isDraft?: true;
  /** In the order of their dates. */
  readonly events: readonly Event[];
  /** Why the customer refuses to pay. */
  readonly dispute?: string;
  /** The customer has promised to pay by that day. */
  readonly promise?: { readonly lastDay: string; readonly reason: string };
}

const machines = ['1001', '1002', '1003'];
const extras = ['1101', '1102', '1201', '3004'];
const consumables = ['1103', '1201', '1202', '2001', '2002', '2003'];
const services = ['3002', '3003'];
const freight = '3101';
/** Summer is slow, and everybody wants their machine before Christmas. */
const invoicesByMonth = [17, 17, 18, 18, 19, 16, 11, 16, 19, 20, 21, 18];

const buyers = customers.flatMap((customer) => Array<DemoCustomer>(customer.weight).fill(customer));
/** When a customer that has not paid is reminded, in days after the due date. */
const remindedAfterDays = 8;

/** By date. */
export function ordinaryInvoices(month: string): PlannedInvoice[] {
  const random = createRandom(`invoices ${month}`);
  const count = invoicesByMonth[split(`${month}-01`).month - 1] ?? 0;
  return Array.from({ length: count }, () => ordinaryInvoice(month, random)).sort((a, b) =>
    a.date.localeCompare(b.date),
  );
}

function ordinaryInvoice(month: string, random: Random): PlannedInvoice {
  const customer = random.pick(buyers);
  const date = workdayIn(month, random.integer(2, 27));
  return {
    customer,
    date,
    rows: basket(random).map(({ number, quantity }) =>
      saleOf(article(number), quantity, customer, date),
    ),
    events: settledBy(customer, date, random),
  };
}

interface Taken {
  readonly number: string;
  readonly quantity: number;
}

function basket(random: Random): Taken[] {
  const take = (number: string): Taken => ({
    number,
    quantity: random.integer(...article(number).takes),
  });
  const kind = random.integer(1, 100);
  if (kind <= 12) return [take(random.pick(services))];
  if (kind <= 60) {
    const extra = random.chance(60) ? [take(random.pick(extras))] : [];
    return [take(random.pick(machines)), ...extra, take('3001'), take(freight)];
  }
  const picked = new Set(Array.from({ length: 4 }, () => random.pick(consumables)));
  return [...[...picked].map(take), take(freight)];
}

/** One article on an invoice: with VAT in Sweden, without to a business in another EU country. */
export function saleOf(
  sold: DemoArticle,
  quantity: number,
  { countryCode = 'SE' }: DemoCustomer,
  date: string,
): DraftRow {
  const isAbroad = countryCode !== 'SE';
  const vatRate = isAbroad ? 0 : rateOf(sold, date);
  const abroad = sold.supply === 'goods' ? 3108 : 3308;
  return {
    ...plainRow,
    articleNumber: sold.number,
    description: sold.description,
    quantityE4: BigInt(quantity) * 10_000n,
    unitPriceE4: BigInt(sold.price) * 10_000n,
    vatRate,
    account: isAbroad ? abroad : revenueAccounts[vatRate],
  };
}

function settledBy(customer: DemoCustomer, date: string, random: Random): Event[] {
  const due = addDays(date, customer.paymentTermsDays);
  const delay = random.integer(...customer.pays);
  const paid: Event = { kind: 'payment', date: workday(addDays(due, delay)), part: 'rest' };
  if (delay <= remindedAfterDays) return [paid];
  const remindedOn = workday(addDays(due, remindedAfterDays));
  if (remindedOn >= paid.date) return [paid];
  return [{ kind: 'reminder', date: remindedOn, feeKronor: random.chance(50) ? 60 : 0 }, paid];
}
