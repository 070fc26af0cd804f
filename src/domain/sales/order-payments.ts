/** What a shop says has been paid of an order, or paid back of it, and the accounts that it comes through. */
import type { Fault } from '../../lib/errors.ts';
import { type ExchangeRate, toOre } from '../basics/exchange-rate.ts';
import { isObject, type JsonFields } from '../basics/json-fields.ts';
import { allocate, least, type Ore, sum } from '../basics/money.ts';
import { settlementKindOf } from '../ledger/settlement-accounts.ts';
import { isTipAccount, type NamedAccounts, readNamedAccounts, tipName } from './named-accounts.ts';

const paymentsMax = 50;

export interface SentPayment {
  /** As the company names it, in lower case. */
  readonly method: string;
  /** Zero of one that was not used: tills tell of each means that they have. */
  readonly amountOre: Ore;
  /** Null: on the day of the order or refund. */
  readonly date: string | null;
  readonly reference: string | null;
}

export interface SentPayments {
  readonly payments: readonly SentPayment[];
  /** Beyond what the order comes to, öre. */
  readonly tipOre: Ore;
}

/** A payment on its account, with what of it is a tip. */
export interface OrderPayment extends Omit<SentPayment, 'date'> {
  readonly account: number;
  readonly date: string;
  readonly tipOre: Ore;
  /** Null where nothing is a tip. */
  readonly tipAccount: number | null;
}

/**
 * The payments of a body; null when it tells of none. Shops have been free to send any fields: what is no list of
 * objects that each have a method is not ours and is left alone; what is has its faults told.
 */
export function readPayments(body: JsonFields, json: object): SentPayments | null {
  const sent = isObject(json) ? json['payments'] : undefined;
  const isOurs =
    Array.isArray(sent) &&
    sent.length > 0 &&
    sent.every((one) => isObject(one) && typeof one['method'] === 'string');
  if (!isOurs) return null;
  const payments = body.objects('payments', paymentsMax).map((payment) => ({
    method: payment.text('method', 50).trim().toLowerCase(),
    amountOre: payment.notNegative('amount', 2),
    date: payment.optionalDate('date'),
    reference: payment.optionalText('reference', 200),
  }));
  return { payments, tipOre: body.has('tip') ? body.notNegative('tip', 2) : 0n };
}

/** Accounts by the company's names of means: `card 1686`. */
export type PaymentAccounts = NamedAccounts;

const methodForm = /^[a-z0-9][a-z0-9_-]{0,49}$/;

/**
 * The accounts as the company has written them, `card 1686, tip 2890`; null when one is no account that money comes
 * through (a tip: a debt, 2100–2999 but not 2440 or VAT), or a name stands twice.
 */
export const readPaymentAccounts = (text: string): PaymentAccounts | null =>
  readNamedAccounts(text, methodForm, (method, account) =>
    method === tipName ? isTipAccount(account) : settlementKindOf(account) === 'money',
  );

export interface PaymentContext {
  readonly paymentAccounts: PaymentAccounts;
  /** Of the accounts that means come through: those there are and are in use. */
  readonly activeAccounts: ReadonlySet<number>;
}

/**
 * Payments on their accounts, which come to the total and the tip to the öre; or what is wrong with them. None when all
 * are of nothing: it is not paid. The tip is taken off the last payments. None is earlier than `day`, the invoice's:
 * what came before is an advance. All amounts are in the invoice's own `currency`, kronor when none is said.
 */
export function placePayments(
  { payments, tipOre }: SentPayments,
  {
    totalOre,
    day,
    currency,
  }: { readonly totalOre: Ore; readonly day: string; readonly currency?: string },
  { paymentAccounts, activeAccounts }: PaymentContext,
): { readonly payments: OrderPayment[] } | { readonly problems: Fault[] } {
  const paidOre = sum(payments.map(({ amountOre }) => amountOre));
  if (paidOre === 0n && tipOre === 0n) return { payments: [] };
  const problems: Fault[] = [];
  const accountOf = (method: string, path: string): number => {
    const account = paymentAccounts.get(method);
    if (account === undefined) {
      problems.push({ path, reason: 'payment_method_unknown', params: { method } });
    } else if (!activeAccounts.has(account)) {
      problems.push({ path, reason: 'payment_account_missing', params: { method, account } });
    }
    return account ?? 0;
  };
  const tipAccount = tipOre > 0n ? accountOf(tipName, 'tip') : null;
  const placed = payments.flatMap(({ date, ...payment }, index) => {
    if (payment.amountOre === 0n) return [];
    const path = `payments[${index}]`;
    if (payment.method === tipName) {
      problems.push({
        path: `${path}.method`,
        reason: 'payment_method_unknown',
        params: { method: tipName },
      });
    }
    if (date !== null && date < day) {
      problems.push({ path: `${path}.date`, reason: 'payment_before_order', params: { day } });
    }
    const account = accountOf(payment.method, `${path}.method`);
    return [{ ...payment, date: date ?? day, account }];
  });
  if (paidOre !== totalOre + tipOre) {
    const params = { paidOre, totalOre, tipOre, ...(currency !== undefined && { currency }) };
    problems.push({ path: 'payments', reason: 'payments_mismatch', params });
  }
  if (problems.length > 0) return { problems };
  let leftOre = tipOre;
  const withTips = placed.toReversed().map((payment): OrderPayment => {
    const ownOre = least(leftOre, payment.amountOre);
    leftOre -= ownOre;
    return { ...payment, tipOre: ownOre, tipAccount: ownOre > 0n ? tipAccount : null };
  });
  return { payments: withTips.toReversed() };
}

/**
 * Payments in a currency as the books have them, at the invoice's own rate: what settles the invoice comes to just its
 * kronor. What the money was worth when it came is known to whoever settles: a provider's settlement or the bank's row
 * tells, and the difference is booked there (3960, 7960).
 */
export function paymentsInKronor(
  payments: readonly OrderPayment[],
  totalOre: Ore,
  rate: ExchangeRate | null,
): readonly OrderPayment[] {
  if (rate === null || payments.length === 0) return payments;
  const settled = allocate(
    totalOre,
    payments.map(({ amountOre, tipOre }) => amountOre - tipOre),
  );
  return payments
    .map((payment, index) => {
      const tipOre = toOre(payment.tipOre, rate);
      return { ...payment, tipOre, amountOre: (settled[index] ?? 0n) + tipOre };
    })
    .filter(({ amountOre }) => amountOre > 0n);
}
