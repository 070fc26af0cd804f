/** An order's body as a person reads it, whatever is wrong with it: nothing is judged here. */

import { parseJson } from '../../domain/basics/json.ts';
import { isObject } from '../../domain/basics/json-fields.ts';
import { type Ore, parseDecimal } from '../../domain/basics/money.ts';
import { AppError } from '../../lib/errors.ts';
import { say } from '../../lib/language.ts';
import { amountText, numberText } from '../../lib/numbers.ts';
import { type RowMemberName, rowMemberList } from '../../lib/sentences/order-fields.ts';

const rowsMax = 200;
const paymentsMax = 50;
const textMax = 2_000;
/** In a row: there may be many. */
const cellMax = 200;

export interface ReadableOrder {
  readonly externalId: string;
  readonly orderDate: string;
  readonly deliveryDate: string;
  readonly currency: string;
  readonly exchangeRate: string;
  /** Null when the body says neither. */
  readonly pricesIncludeVat: boolean | null;
  readonly total: string;
  /** Null when it is no amount. */
  readonly totalOre: Ore | null;
  readonly paid: ReadablePayments;
  readonly customer: {
    readonly externalId: string;
    readonly name: string;
    readonly email: string;
    readonly orgNumber: string;
    readonly vatNumber: string;
    readonly countryCode: string;
  };
  readonly rows: readonly ({ readonly rowNo: number } & Readonly<Record<RowMemberName, string>>)[];
  /** Rows beyond those listed. */
  readonly moreRows: number;
}

/** `body` is anything JSON.parse can return. */
export function readableOrder(body: unknown): ReadableOrder {
  const order = isObject(body) ? body : {};
  const customer = isObject(order['customer']) ? order['customer'] : {};
  const rows = Array.isArray(order['rows']) ? order['rows'] : [];
  const { pricesIncludeVat, total } = order;
  return {
    externalId: shown(order['externalId']),
    orderDate: shown(order['orderDate']),
    deliveryDate: shown(order['deliveryDate']),
    currency: shown(order['currency']),
    exchangeRate: shown(order['exchangeRate']),
    pricesIncludeVat: typeof pricesIncludeVat === 'boolean' ? pricesIncludeVat : null,
    total: shown(total),
    totalOre: typeof total === 'number' ? parseDecimal(total, 2) : null,
    paid: readablePayments(order),
    customer: {
      externalId: shown(customer['externalId']),
      name: shown(customer['name']),
      email: shown(customer['email']),
      orgNumber: shown(customer['orgNumber']),
      vatNumber: shown(customer['vatNumber']),
      countryCode: shown(customer['countryCode']),
    },
    rows: rows.slice(0, rowsMax).map((row: unknown, index) => {
      const members = isObject(row) ? row : { description: row };
      const cells = rowMemberList().map(({ name }) => [
        name,
        name === 'giftCard' ? ifTrue(members[name]) : cell(members[name]),
      ]);
      return { rowNo: index + 1, ...(Object.fromEntries(cells) as Record<RowMemberName, string>) };
    }),
    moreRows: Math.max(rows.length - rowsMax, 0),
  };
}

/** What a shop says has been paid, or paid back: each by its means, and the tip. */
export interface ReadablePayments {
  readonly payments: readonly { readonly method: string; readonly amount: string }[];
  readonly tip: string;
}

function readablePayments({ payments, tip }: Readonly<Record<string, unknown>>): ReadablePayments {
  const list = Array.isArray(payments) ? payments.slice(0, paymentsMax) : [];
  return {
    payments: list.flatMap((one: unknown) =>
      isObject(one) ? { method: cell(one['method']), amount: amountCell(one['amount']) } : [],
    ),
    tip: amountCell(tip),
  };
}

export interface ReadableRefund {
  readonly refundId: string;
  readonly externalId: string;
  readonly refundDate: string;
  /** Empty when it is the order's. */
  readonly currency: string;
  readonly amount: string;
  /** Null when it is no amount. */
  readonly amountOre: Ore | null;
  /** Neither amount nor rows say how much. */
  readonly isWhole: boolean;
  readonly paid: ReadablePayments;
}

/** As `readableOrder`, of a refund; its rows are read as an order's. */
export function readableRefund(body: unknown): ReadableRefund {
  const refund = isObject(body) ? body : {};
  const { amount, rows } = refund;
  return {
    refundId: shown(refund['refundId']),
    externalId: shown(refund['externalId']),
    refundDate: shown(refund['refundDate']),
    currency: shown(refund['currency']),
    amount: shown(amount),
    amountOre: typeof amount === 'number' ? parseDecimal(amount, 2) : null,
    isWhole: (amount ?? rows ?? null) === null,
    paid: readablePayments(refund),
  };
}

/** As short as can be read; numbers as the reader writes them. What is neither text nor number is as JSON. */
function shown(value: unknown, max = textMax): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number')
    return numberText(String(value).replace('.', ',').replace('-', '−'));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

const cell = (value: unknown): string => shown(value, cellMax);
/** Only true says anything. */
const ifTrue = (value: unknown): string => (value === true ? say`Ja` : '');

/** In kronor where it can be read as an amount. */
function amountCell(value: unknown): string {
  const ore = typeof value === 'number' ? parseDecimal(value, 2) : null;
  return ore === null ? cell(value) : amountText(ore);
}

/** What a stored body says; the door has let only JSON through. */
export function bodyOf(raw: Buffer): unknown {
  try {
    return parseJson(raw).value;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
