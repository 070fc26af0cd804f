/** What becomes of an order: an invoice draft, or a reason for a person to look at. */
import type { Fault } from '../../lib/errors.ts';
import { countryOf } from '../basics/countries.ts';
import { addDays } from '../basics/dates.ts';
import {
  type ExchangeRate,
  homeCurrency,
  isForeignCurrency,
  isUnusualRate,
  toOre,
} from '../basics/exchange-rate.ts';
import { normalizeOrganizationNumber, normalizeVatNumber } from '../basics/identifiers.ts';
import { absolute, maxAmountOre, type Ore, sum } from '../basics/money.ts';
import { capProblems } from '../basics/problems.ts';
import type { DateSpan } from '../ledger/vat-deadlines.ts';
import { type Debtor, fillDebtor, speaksOfAnother } from './debtor.ts';
import { rowsInKronor } from './foreign-currency.ts';
import {
  type InvoiceCurrency,
  type InvoiceRow,
  type InvoiceTotals,
  roundingAccount,
  totalsOf,
} from './invoice.ts';
import {
  type OrderPayment,
  type PaymentContext,
  paymentsInKronor,
  placePayments,
} from './order-payments.ts';
import {
  type OrderPosting,
  type OrderPostingContext,
  postOrder,
  rateFreeRows,
} from './order-posting.ts';
import { type OrderRejection, orderRejections } from './order-rejections.ts';
import type { Order, OrderCustomer } from './order-shape.ts';
import { checkTotal, type OreTable, type PricedOrderRow, priceOrder } from './order-total.ts';

export interface OrderBuyer {
  readonly id: string;
  /** Null: the installation's terms for orders hold. */
  readonly paymentTermsDays: number | null;
  /** What the register knows of the buyer; null on the collective customer, who is nobody. */
  readonly register: Debtor | null;
}

export interface OrderContext extends OrderPostingContext, PaymentContext {
  /** The customer that `matchCustomer` found, null when none did. */
  readonly customer: OrderBuyer | null;
  /** Who unknown buyers are billed as, null when the installation has none. */
  readonly collectiveCustomer: OrderBuyer | null;
  readonly orderPaymentTermsDays: number;
  readonly fiscalYears: readonly DateSpan[];
}

export interface OrderDraft {
  readonly kind: 'draft';
  readonly customerId: string;
  readonly invoiceDate: string;
  readonly deliveryDate: string | null;
  readonly dueDate: string;
  readonly paymentTermsDays: number;
  readonly debtor: Debtor;
  /** Which of the debtor's facts came from the register (`fillDebtor`). */
  readonly debtorFilled: readonly (keyof Debtor)[];
  /** `unitPriceE4` includes VAT when `pricesIncludeVat` does. */
  readonly rows: readonly InvoiceRow[];
  /** In kronor, as the books have it. */
  readonly totals: InvoiceTotals;
  /** Left out when the order is in kronor. */
  readonly inCurrency?: InvoiceCurrency;
  readonly pricesIncludeVat: boolean;
  /** What settles the invoice as it is booked. */
  readonly payments: readonly OrderPayment[];
  /** Nothing that stops the draft, but worth a look before it is booked. */
  readonly warnings: readonly Fault[];
  /** A warning is such that a person must have looked before the draft is booked. */
  readonly needsPerson: boolean;
}

/** The seller must have checked the buyer's VAT number when the sale took place (ML 10 kap. 42 §). */
const warningsForPerson = new Set([
  'vat_number_not_verified',
  'oss_rate_unknown',
  'exchange_rate_unusual',
]);

/** Up to this much a simplified invoice will do, which need not name its buyer (ML 17 kap. 26 §). */
const simplifiedInvoiceOreMax = 400_000n;

export interface RejectedOrder {
  readonly kind: 'rejected';
  readonly reason: OrderRejection;
  /** Every fault, the one it is rejected for first; each one's `reason` is an OrderRejection, save for faults of form. */
  readonly problems: readonly Fault[];
  /** Only when the rows do not make the total. */
  readonly oren?: OreTable;
}

export type OrderDecision = OrderDraft | RejectedOrder;

/**
 * Decides about a shape-checked order. The same order and context always give the same decision.
 */
export function decideOrder(sent: Order, context: OrderContext): OrderDecision {
  const order = rateFreeRows(sent, context);
  const customer = context.customer ?? context.collectiveCustomer;
  const own = debtorOf(order.customer);
  const { debtor, filled: debtorFilled } = fillDebtor(own, customer?.register ?? null);
  const posting = postOrder(order, debtor, context);
  const { rate, problems: currencyProblems } = checkCurrency(order, context);
  const priced = priceOrder(order, posting.foreign);
  const verdict = checkTotal(order, priced, rate?.currency);
  const { oren, problems: totalProblems } = verdict;
  const { rows: booked, roundingOre } = inKronor(priced, verdict.roundingOre, rate);
  const problems = [
    ...currencyProblems,
    ...checkHead(order, context),
    ...posting.problems,
    ...totalProblems,
    ...checkSize(booked),
    ...checkRounding(roundingOre, context),
  ];
  const rows = booked && invoiceRows(booked, posting);
  if (problems.length > 0 || customer === null || rows === null) return reject(problems, oren);
  const paymentTermsDays = customer.paymentTermsDays ?? context.orderPaymentTermsDays;
  const totals = totalsOf(rows, roundingOre);
  const inCurrency = rate && { ...rate, currencyRounding: verdict.roundingOre };
  const paidOre =
    inCurrency && priced ? totalsOf(priced, verdict.roundingOre).totalOre : totals.totalOre;
  const paid =
    order.payments &&
    placePayments(
      order.payments,
      { totalOre: paidOre, day: order.orderDate, ...(rate && { currency: rate.currency }) },
      context,
    );
  if (paid && 'problems' in paid) {
    return { kind: 'rejected', reason: 'payments_mismatch', problems: capProblems(paid.problems) };
  }
  const warnings = [
    ...order.warnings,
    ...posting.warnings,
    ...checkRate(rate, order),
    ...checkRegister(own, customer.register),
    ...checkAddress(debtor, totals),
  ];
  return {
    kind: 'draft',
    customerId: customer.id,
    invoiceDate: order.orderDate,
    deliveryDate: order.deliveryDate,
    dueDate: addDays(order.orderDate, paymentTermsDays),
    paymentTermsDays,
    debtor,
    debtorFilled,
    rows,
    totals,
    ...(inCurrency && { inCurrency }),
    pricesIncludeVat: order.pricesIncludeVat,
    payments: paymentsInKronor(paid?.payments ?? [], totals.totalOre, rate),
    warnings: capProblems(warnings),
    needsPerson: warnings.some(({ reason }) => warningsForPerson.has(reason)),
  };
}

/** The decision about an order that `parseOrder` could not read. */
export function rejectUnreadable(problems: readonly Fault[]): RejectedOrder {
  return { kind: 'rejected', reason: 'invalid_order', problems };
}

function reject(problems: readonly Fault[], oren: OreTable | null): RejectedOrder {
  const byStrength = orderRejections.flatMap((reason) =>
    problems.filter((problem) => problem.reason === reason).map((problem) => ({ reason, problem })),
  );
  const [strongest] = byStrength;
  if (!strongest) throw new TypeError('an order was rejected without a reason');
  return {
    kind: 'rejected',
    reason: strongest.reason,
    problems: capProblems(byStrength.map(({ problem }) => problem)),
    ...(oren && { oren }),
  };
}

/** The rate that the order is booked at; null when it is in kronor, or when it cannot be taken. */
function checkCurrency(
  { currency, exchangeRateE6, rows }: Order,
  { isOssOn = false }: OrderContext,
): { readonly rate: ExchangeRate | null; readonly problems: readonly Fault[] } {
  const other = isOssOn
    ? rows.findIndex((row) => (row.currency?.toUpperCase() ?? currency) !== currency)
    : -1;
  if (other >= 0) {
    const params = { currency: rows[other]?.currency ?? '', orderCurrency: currency };
    const path = `rows[${other}].currency`;
    return { rate: null, problems: [{ path, reason: 'currency_not_supported', params }] };
  }
  if (currency === homeCurrency) return { rate: null, problems: [] };
  const isTaken = (code: string) => code === homeCurrency || (isOssOn && isForeignCurrency(code));
  if (!isTaken(currency)) {
    const code = currency.trim().toUpperCase();
    const params = {
      currency,
      ...(isOssOn && { isOssOn }),
      ...(isTaken(code) && { meant: code }),
    };
    const fault: Fault = { path: 'currency', reason: 'currency_not_supported', params };
    return { rate: null, problems: [fault] };
  }
  const params = { currency };
  if (exchangeRateE6 == null) {
    const fault: Fault = { path: 'exchangeRate', reason: 'exchange_rate_missing', params };
    return { rate: null, problems: [fault] };
  }
  return { rate: { currency, exchangeRateE6 }, problems: [] };
}

function checkRate(rate: ExchangeRate | null, { exchangeRateE6 }: Order): Fault[] {
  if (rate === null || !isUnusualRate(rate)) return [];
  const params = { currency: rate.currency, sent: Number(exchangeRateE6) / 1_000_000 };
  return [{ path: 'exchangeRate', reason: 'exchange_rate_unusual', params }];
}

/** Rows and rounding as the books have them; as they are when the order is in kronor. */
function inKronor(
  priced: readonly PricedOrderRow[] | null,
  rounding: Ore,
  rate: ExchangeRate | null,
): { readonly rows: readonly BookedOrderRow[] | null; readonly roundingOre: Ore } {
  if (priced === null || rate === null) return { rows: priced, roundingOre: rounding };
  const rowsTotal = totalsOf(priced, 0n).totalOre;
  return {
    rows: rowsInKronor(priced, rate),
    roundingOre: toOre(rowsTotal + rounding, rate) - toOre(rowsTotal, rate),
  };
}

type BookedOrderRow = PricedOrderRow & Pick<InvoiceRow, 'currencyNet' | 'currencyVat'>;

function checkHead(order: Order, context: OrderContext): Fault[] {
  const problems: Fault[] = [];
  if (!context.customer && !context.collectiveCustomer) {
    const params = { name: order.customer.name };
    problems.push({ path: 'customer', reason: 'customer_unknown', params });
  }
  const { orderDate } = order;
  if (!context.fiscalYears.some(({ start, end }) => start <= orderDate && orderDate <= end)) {
    const params = { orderDate };
    problems.push({ path: 'orderDate', reason: 'date_outside_fiscal_year', params });
  }
  return problems;
}

/** Whatever cancels out, the sums on each account must fit in a voucher. */
function checkSize(priced: readonly PricedOrderRow[] | null): Fault[] {
  const amounts = priced?.flatMap((row) => [absolute(row.netOre), absolute(row.vatOre)]) ?? [];
  if (sum(amounts) <= maxAmountOre) return [];
  return [{ path: 'rows', reason: 'invalid_order', params: { mostOre: maxAmountOre } }];
}

function checkRegister(own: Debtor, register: Debtor | null): Fault[] {
  if (register === null || !speaksOfAnother(own, register)) return [];
  return [{ path: 'customer', reason: 'customer_differs', params: { name: register.name } }];
}

function checkAddress({ address, city }: Debtor, { totalOre }: InvoiceTotals): Fault[] {
  if (totalOre <= simplifiedInvoiceOreMax || (address !== null && city !== null)) return [];
  const params = { mostOre: simplifiedInvoiceOreMax };
  return [{ path: 'customer', reason: 'buyer_address_missing', params }];
}

function checkRounding(roundingOre: Ore, { accounts }: OrderContext): Fault[] {
  if (roundingOre === 0n || accounts.get(roundingAccount)?.isActive) return [];
  const params = { account: roundingAccount, state: 'rounding' } as const;
  return [{ path: 'total', reason: 'account_missing', params }];
}

/** Null when a row has no account, which `posting.problems` then tells about. */
function invoiceRows(
  priced: readonly BookedOrderRow[],
  { accounts }: OrderPosting,
): InvoiceRow[] | null {
  const rows = priced.flatMap((row, index) => {
    const account = accounts[index] ?? null;
    return account === null ? [] : [{ rowNo: index + 1, ...row, account }];
  });
  return rows.length === priced.length ? rows : null;
}

/** The buyer as the order names it; what cannot be read as a number stays as it came. */
function debtorOf({ externalId: _, ...customer }: OrderCustomer): Debtor {
  const { orgNumber, vatNumber, countryCode } = customer;
  return {
    ...customer,
    orgNumber: orgNumber && (normalizeOrganizationNumber(orgNumber) ?? orgNumber),
    vatNumber: vatNumber && (normalizeVatNumber(vatNumber) ?? vatNumber),
    countryCode: countryCode && countryOf(countryCode),
  };
}
