/** An order as a shop sends it: the form of its fields. What it means is decided in `order.ts`. */
import type { Fault } from '../../lib/errors.ts';
import { countryOf } from '../basics/countries.ts';
import { isObject, JsonFields } from '../basics/json-fields.ts';
import type { Ore } from '../basics/money.ts';
import { capProblems } from '../basics/problems.ts';
import type { NamedCustomer } from './customer-match.ts';
import { isDiscount, isUnit, unitLengthMax } from './invoice.ts';
import { readPayments, type SentPayments } from './order-payments.ts';

const rowsMax = 10_000;

export interface OrderCustomer extends NamedCustomer {
  /** As sent, in a spelling that `countryOf` knows. */
  readonly countryCode: string | null;
  readonly address: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly phone: string | null;
}

export interface OrderRow {
  readonly articleNumber: string | null;
  readonly description: string;
  /** Never zero; negative for discounts and returns. */
  readonly quantityE4: bigint;
  readonly unit: string | null;
  /** Before the discount. */
  readonly unitPriceE4: bigint;
  /** Hundredths of a per cent; zero when none is given. */
  readonly discountE2: bigint;
  /** As sent: any number, not yet known to be a Swedish rate. */
  readonly vatRate: number;
  /** Whose VAT `vatRate` is, as sent; left out when the shop does not say. Read only where OSS is on. */
  readonly vatCountry?: string;
  /** As `vatCountry`; an order has one currency. */
  readonly currency?: string;
  /** A gift card of several uses, as the shop says; left out when it does not. */
  readonly giftCard?: true;
}

/** A shape-checked order. Optional fields that were absent, null or blank are null. */
export interface Order {
  readonly externalId: string;
  readonly orderDate: string;
  /** When the goods were delivered, if the shop says so in a form that can be read. */
  readonly deliveryDate: string | null;
  /** As sent, not yet known to be SEK. */
  readonly currency: string;
  /** Kronor for one of the currency, in millionths; left out when it is not sent, null when it cannot be read. */
  readonly exchangeRateE6?: bigint | null;
  readonly pricesIncludeVat: boolean;
  /** What the customer paid including VAT; never null when prices include VAT. */
  readonly totalOre: Ore | null;
  readonly customer: OrderCustomer;
  readonly rows: readonly OrderRow[];
  /** What the shop says has been paid; null when it does not say. */
  readonly payments: SentPayments | null;
  /** What could not be read and is left out: nothing that stops the order. */
  readonly warnings: readonly Fault[];
}

export type ParsedOrder =
  | { readonly order: Order }
  | { readonly problems: Fault[]; readonly externalId: string | null };

/**
 * Reads anything JSON.parse can return as an order, or tells every fault of its form at once.
 * Unknown fields are ignored: shops send many. `externalId` is given back whenever it is itself
 * readable.
 */
export function parseOrder(json: unknown): ParsedOrder {
  if (!isObject(json)) {
    const problem: Fault = { path: '', reason: 'wrong_type', params: { expected: 'order' } };
    return { problems: [problem], externalId: null };
  }
  const body = new JsonFields(json);
  const order = readOrder(body, new JsonFields(json), json);
  if (body.problems.length === 0) return { order };
  return { problems: capProblems(body.problems), externalId: order.externalId || null };
}

/** `extra` reads what shops may have sent for years for ends of their own: its faults are warnings. */
function readOrder(body: JsonFields, extra: JsonFields, json: object): Order {
  const externalId = body.text('externalId', 255);
  const orderDate = body.date('orderDate');
  const currency = body.text('currency', 10);
  const pricesIncludeVat = body.boolean('pricesIncludeVat');
  const extras = extra.objects('rows', rowsMax);
  const hasTotal = pricesIncludeVat || body.has('total');
  return {
    externalId,
    orderDate,
    deliveryDate: extra.optionalDate('deliveryDate'),
    currency,
    ...readExchangeRate(json),
    pricesIncludeVat,
    totalOre: hasTotal ? body.decimal('total', 2) : null,
    customer: readCustomer(body.object('customer')),
    rows: body
      .objects('rows', rowsMax)
      .map((row, index) => readRow(row, extras[index] ?? row, rowsOf(json)[index])),
    payments: readPayments(body, json),
    warnings: extra.problems,
  };
}

function readCustomer(customer: JsonFields | null): OrderCustomer {
  const name = customer?.text('name', 200) ?? '';
  const countryCode = customer?.optionalText('countryCode', 50) ?? null;
  if (countryCode !== null && countryOf(countryCode) === null) {
    customer?.refuse('countryCode', { reason: 'unknown_country' });
  }
  return {
    name,
    email: customer?.optionalText('email', 320) ?? null,
    orgNumber: customer?.optionalText('orgNumber', 50) ?? null,
    vatNumber: customer?.optionalText('vatNumber', 50) ?? null,
    countryCode,
    // Fields that came later than the others: a shop that means something else by them is not stopped.
    externalId: customer?.textIfAny('externalId', 255) ?? null,
    address: customer?.textIfAny('address', 200) ?? null,
    postalCode: customer?.textIfAny('postalCode', 20) ?? null,
    city: customer?.textIfAny('city', 100) ?? null,
    phone: customer?.textIfAny('phone', 50) ?? null,
  };
}

const rowsOf = (json: object): readonly unknown[] =>
  'rows' in json && Array.isArray(json.rows) ? json.rows : [];

function readRow(row: JsonFields, extra: JsonFields, sent: unknown): OrderRow {
  const problemsBefore = row.problems.length;
  const quantityE4 = row.decimal('quantity', 4);
  if (quantityE4 === 0n && row.problems.length === problemsBefore) {
    row.refuse('quantity', { reason: 'zero' });
  }
  return {
    articleNumber: row.optionalText('articleNumber', 100),
    description: row.text('description', 500),
    quantityE4,
    unit: readUnit(extra),
    unitPriceE4: row.decimal('unitPrice', 4),
    discountE2: readDiscount(row),
    vatRate: row.number('vatRate'),
    ...readForeign(sent),
    ...(isObject(sent) && sent['giftCard'] === true && { giftCard: true as const }),
  };
}

/** Nothing that shops have sent for ends of their own stops an order here: it is judged where it is read. */
function readExchangeRate(json: object): Pick<Order, 'exchangeRateE6'> {
  const body = new JsonFields(json as Readonly<Record<string, unknown>>);
  if (!body.has('exchangeRate')) return {};
  const exchangeRateE6 = body.positive('exchangeRate', 6);
  return { exchangeRateE6: body.problems.length === 0 ? exchangeRateE6 : null };
}

function readForeign(sent: unknown): Pick<OrderRow, 'vatCountry' | 'currency'> {
  const textOf = (name: string): Readonly<Record<string, string>> => {
    const value = isObject(sent) ? (sent[name] ?? '') : '';
    if (value === '') return {};
    return { [name]: typeof value === 'string' ? value.trim() : JSON.stringify(value) };
  };
  return { ...textOf('vatCountry'), ...textOf('currency') };
}

function readUnit(row: JsonFields): string | null {
  const unit = row.optionalText('unit', unitLengthMax);
  if (unit === null || unit === '' || isUnit(unit)) return unit || null;
  row.refuse('unit', { reason: 'control_character' });
  return null;
}

/** Nobody is invoiced without a discount that is given in a form that cannot be read. */
function readDiscount(row: JsonFields): bigint {
  if (!row.has('discountPct')) return 0n;
  const problemsBefore = row.problems.length;
  const discountE2 = row.decimal('discountPct', 2);
  if (row.problems.length === problemsBefore && !isDiscount(discountE2)) {
    row.refuse('discountPct', { reason: 'out_of_range' });
  }
  return discountE2;
}
