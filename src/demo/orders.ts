/** Orders as the example company's web shop sends them: most become invoices, some stop. */
import { addDays } from '../domain/basics/dates.ts';
import { article, rateOf } from './articles.ts';
import { type Calendar, dayIn, monthBefore, workdayBefore } from './calendar.ts';
import { createRandom, type Random } from './random.ts';

/** An order as JSON says it (contract 2.6). */
export interface OrderBody {
  readonly externalId?: string;
  readonly orderDate: string;
  readonly currency: string;
  /** Of one in another currency than kronor. */
  readonly exchangeRate?: number;
  readonly pricesIncludeVat: boolean;
  readonly total: number;
  readonly customer: Readonly<Record<string, string>>;
  readonly rows: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly unitPrice: number;
    readonly vatRate: number;
    readonly articleNumber?: string;
  }[];
}

export interface PlannedOrder {
  readonly body: OrderBody;
  /** Booked and paid by card the day after, or left as it stands. */
  readonly isBooked: boolean;
}

/** For how many months before this one the shop has been sending orders. */
export const connectedMonths = 4;

const firstNames = ['Anna', 'Björn', 'Cecilia', 'Östen', 'Elsa', 'Åke', 'Greta', 'Hjördis', 'Ivar'];
const lastNames = ['Lindqvist', 'Sjögren', 'Åberg', 'Öman', 'Nyström', 'Hägg', 'Wikström', 'Björk'];
const streets = ['webbpost', 'epost', 'brev'];
const sold = ['1101', '1103', '1201', '2001', '2002', '2003'];
const ordersInMonth = 11;

/** By date; none before the shop was connected. */
export function ordinaryOrders({ today }: Calendar, month: string): PlannedOrder[] {
  if (month < monthBefore(today, connectedMonths)) return [];
  const random = createRandom(`orders ${month}`);
  return Array.from({ length: ordersInMonth }, (_, index) => {
    const orderDate = dayIn(month, 1 + 2 * index + random.integer(0, 2));
    const externalId = `W-${month.replace('-', '')}${String(index + 1).padStart(2, '0')}`;
    return { body: ordinaryOrder(externalId, orderDate, random), isBooked: true };
  });
}

/** Consumers in Germany and Finland, where the shop sells in euro with their VAT. */
const abroad = [
  { name: 'Erika Muster', countryCode: 'DE', vatRate: 19 },
  { name: 'Aino Virtanen', countryCode: 'FI', vatRate: 25.5 },
] as const;

/** Of consumers in other EU countries, by date. */
export function ordersFromAbroad({ today }: Calendar, month: string): PlannedOrder[] {
  if (month < monthBefore(today, connectedMonths)) return [];
  return abroad.map(({ name, countryCode, vatRate }, index) => {
    const orderDate = dayIn(month, 5 + 12 * index);
    const row = { ...rowOf('1201', orderDate), quantity: 2, unitPrice: 149, vatRate };
    const body = {
      ...orderOf(`W-EU-${month.replace('-', '')}${index + 1}`, orderDate, [row], {
        name,
        email: `${mailName(name)}@post.example`,
        countryCode,
      }),
      currency: 'EUR',
      exchangeRate: 11.1275,
    };
    return { body, isBooked: true };
  });
}

/** For how many days an order may wait before somebody books it. */
const draftedDays = 5;

/** Whether nobody has got to it yet. */
export const isFresh = ({ today }: Calendar, { body }: PlannedOrder): boolean =>
  body.orderDate > addDays(today, -draftedDays);

function ordinaryOrder(externalId: string, orderDate: string, random: Random): OrderBody {
  const numbers = new Set([random.pick(sold), random.pick(sold)]);
  const rows = [...numbers].map((number) => ({
    ...rowOf(number, orderDate),
    quantity: random.integer(1, 3),
  }));
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
  return orderOf(externalId, orderDate, [...rows, { ...rowOf('3101', orderDate), unitPrice: 79 }], {
    name,
    email: `${mailName(name)}@${random.pick(streets)}.example`,
  });
}

/** `Östen Åberg` is osten.aberg in an address. */
const mailName = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z ]/g, '')
    .replace(' ', '.');

type OrderRow = OrderBody['rows'][number];

/** One of an article at the shop's price: with VAT, in whole kronor. */
function rowOf(number: string, orderDate: string): OrderRow {
  const { description, price, ...rest } = article(number);
  const vatRate = rateOf({ description, price, ...rest }, orderDate);
  const unitPrice = Math.round((price * (100 + vatRate)) / 100);
  return { articleNumber: number, description, quantity: 1, unitPrice, vatRate };
}

function orderOf(
  externalId: string,
  orderDate: string,
  rows: readonly OrderRow[],
  customer: OrderBody['customer'],
): OrderBody {
  const total = rows.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  return { externalId, orderDate, currency: 'SEK', pricesIncludeVat: true, total, customer, rows };
}

const buyer = { name: 'Greta Åberg', email: 'greta.aberg@epost.example' };

/** Orders that stop, each for a reason of its own. */
export function stoppedOrders(calendar: Calendar): OrderBody[] {
  const { today, year } = calendar;
  const date = workdayBefore(addDays(today, -2));
  const order = (id: string, changes: Partial<OrderBody>): OrderBody => ({
    ...orderOf(`W-STOPP-${id}`, date, [rowOf('1201', date)], buyer),
    ...changes,
  });
  const foreign = { name: 'Klaus Müller', email: 'klaus@post.example', countryCode: 'DE' };
  return [
    order('01', { currency: 'ISK', total: 2_490 }),
    order('02', { total: 1_295 }),
    order('03', {
      total: 1_554,
      rows: [{ ...rowOf('1201', date), unitPrice: 1_554, vatRate: 20 }],
    }),
    order('04', { orderDate: `${year + 2}-01-04` }),
    order('05', { customer: foreign, rows: [{ ...rowOf('1201', date), vatRate: 0 }] }),
    order('06', { total: -249, rows: [{ ...rowOf('2001', date), quantity: -1, unitPrice: 249 }] }),
    order('07', { rows: [] }),
  ];
}

/** Sent wrong and then right, with the same number: two attempts at one order. */
export function correctedOrder({ today }: Calendar): readonly [wrong: OrderBody, right: OrderBody] {
  const date = workdayBefore(addDays(today, -1));
  const right = orderOf('W-RATTAD-01', date, [rowOf('1101', date)], buyer);
  return [{ ...right, total: right.total - 500 }, right];
}

/** Sent twice at the same time with different words. */
export function repeatedOrder({ today }: Calendar): readonly [first: OrderBody, second: OrderBody] {
  const date = workdayBefore(addDays(today, -1));
  const first = orderOf('W-DUBBEL-01', date, [rowOf('1103', date)], buyer);
  return [first, { ...first, customer: { ...buyer, name: 'Greta  Åberg' } }];
}

/** Came late: its day lies in the year that is closed, so it cannot be booked. */
export function lateOrder({ year }: Calendar): OrderBody {
  const date = `${year - 1}-12-29`;
  return orderOf('W-SEN-01', date, [rowOf('2003', date)], {
    name: 'Hotell Älvkanten AB',
    email: 'faktura@alvkanten.example',
  });
}
