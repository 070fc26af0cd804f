/**
 * What belongs to other months than it is booked in (periodisering, BFL 6 kap. and ÅRL 2 kap. 4 § 4), and what wears
 * out over years (avskrivning): which days it is posted on, and with what. Pure.
 *
 * Prepaid (a cost paid ahead, income received ahead): it leaves the result the day it was booked, and months take
 * their shares back. Accrued (a cost whose invoice comes later, income not invoiced yet): months take their shares as
 * they end, and all of it goes back the day after, when the invoice is to stand there instead. Depreciation: months
 * take their shares, and nothing goes back.
 */
import type { Fault } from '../../lib/errors.ts';
import { addDays, addMonths, isDate, lastDayOfMonth } from '../basics/dates.ts';
import { maxAmountOre, type Ore } from '../basics/money.ts';
import { documentAccounts } from './settlement-accounts.ts';

export const accrualKinds = [
  'prepaid_cost',
  'prepaid_income',
  'accrued_cost',
  'accrued_income',
  'depreciation',
] as const;
export type AccrualKind = (typeof accrualKinds)[number];

/** The year or two of an insurance to the fifty years of a building. */
export const accrualMonthsMax = 600;

export interface AccrualPlan {
  readonly kind: AccrualKind;
  readonly amountOre: Ore;
  /** Its first day. */
  readonly firstMonth: string;
  /** How many take a share, 1–600. */
  readonly months: number;
  /** Of what is prepaid, the day it leaves the account it was booked on; null of others. */
  readonly movedOn: string | null;
  /** Of what is prepaid, whether months take their share as they begin or as they end; others as they end. */
  readonly sharesOn: 'first' | 'last';
}

export interface PlannedPosting {
  readonly part: 'move' | 'share' | 'back';
  readonly date: string;
  /** On the result's account, debit above zero; as much stands on the other account's other side. */
  readonly resultOre: Ore;
}

export const isPrepaid = (kind: AccrualKind): boolean =>
  kind === 'prepaid_cost' || kind === 'prepaid_income';

/**
 * An amount in as many parts as there are months: they differ by an öre at most and come to the amount. Each is
 * what has passed after it, rounded down, less what has passed before.
 */
export function sharesOf(amountOre: Ore, months: number): Ore[] {
  const passed = (month: number): Ore => (amountOre * BigInt(month)) / BigInt(months);
  return Array.from({ length: months }, (_, month) => passed(month + 1) - passed(month));
}

/** In the order of their days. Of a plan that has no faults. */
export function plannedPostings(plan: AccrualPlan): PlannedPosting[] {
  const { kind, amountOre, firstMonth, months, movedOn, sharesOn } = plan;
  const isIncome = kind === 'prepaid_income' || kind === 'accrued_income';
  const cost = (ore: Ore): Ore => (isIncome ? -ore : ore);
  const postings = sharesOf(amountOre, months).map((ore, nth): PlannedPosting => {
    const month = addMonths(firstMonth, nth);
    const date = sharesOn === 'first' ? month : lastDayOfMonth(month);
    return { part: 'share', date, resultOre: cost(ore) };
  });
  if (movedOn !== null) {
    postings.push({ part: 'move', date: movedOn, resultOre: cost(-amountOre) });
  } else if (kind !== 'depreciation') {
    const date = addDays(lastDayOfMonth(addMonths(firstMonth, months - 1)), 1);
    postings.push({ part: 'back', date, resultOre: cost(-amountOre) });
  }
  return inOrder(postings);
}

/** What is dated before the day is posted on the day instead, as a person has said. */
export const notBefore = (
  postings: readonly PlannedPosting[],
  day: string | null,
): readonly PlannedPosting[] =>
  day === null
    ? postings
    : inOrder(postings.map((one) => (one.date < day ? { ...one, date: day } : one)));

/** What was moved comes before the shares of its day. */
const inOrder = (postings: readonly PlannedPosting[]): PlannedPosting[] =>
  postings.toSorted((one, other) =>
    one.date === other.date
      ? Number(other.part === 'move') - Number(one.part === 'move')
      : one.date < other.date
        ? -1
        : 1,
  );

type Range = readonly [from: number, to: number];

interface AccountsOfKind {
  readonly result: readonly Range[];
  readonly balance: readonly Range[];
  /** What is there when nobody has said (BAS). */
  readonly usualResult: number | null;
  readonly usualBalance: number;
}

const costs: readonly Range[] = [[4000, 8998]];
/** Sales, and what else class 8 has of income. */
const income: readonly Range[] = [
  [3000, 3999],
  [8000, 8998],
];
/** Neither what wears out nor money. */
const assets: readonly Range[] = [[1300, 1899]];
/** Neither equity nor VAT. */
const liabilities: readonly Range[] = [
  [2100, 2599],
  [2700, 2999],
];

/** By class (BAS); what follows invoices (1510, 2440) is left to them. */
export const accrualAccounts: Readonly<Record<AccrualKind, AccountsOfKind>> = {
  prepaid_cost: { result: costs, balance: assets, usualResult: null, usualBalance: 1790 },
  prepaid_income: { result: income, balance: liabilities, usualResult: null, usualBalance: 2970 },
  accrued_cost: { result: costs, balance: liabilities, usualResult: null, usualBalance: 2990 },
  accrued_income: { result: income, balance: assets, usualResult: null, usualBalance: 1790 },
  depreciation: {
    result: [[7700, 7899]],
    balance: [[1000, 1299]],
    usualResult: 7832,
    usualBalance: 1229,
  },
};

/** A longer plan ends before the calendar does (`isDate`). */
const lastFirstMonth = '9900-01-01';

/** What is wrong with a plan, at its fields; empty when it can be kept. */
export function accrualFaults(
  plan: AccrualPlan & { readonly resultAccount: number; readonly balanceAccount: number },
): Fault[] {
  const { kind, amountOre, firstMonth, months, movedOn, sharesOn } = plan;
  const { resultAccount, balanceAccount } = plan;
  const faults: Fault[] = [];
  if (amountOre <= 0n) faults.push({ path: 'amount', reason: 'amount_not_above_zero' });
  else if (amountOre > maxAmountOre) {
    const params = { of: 'voucher', mostOre: maxAmountOre } as const;
    faults.push({ path: 'amount', reason: 'amount_too_large', params });
  } else if (amountOre < BigInt(months)) {
    faults.push({ path: 'amount', reason: 'less_than_an_ore_a_month', params: { months } });
  }
  if (months < 1 || months > accrualMonthsMax) {
    faults.push({ path: 'months', reason: 'accrual_months', params: { most: accrualMonthsMax } });
  }
  if (!isDate(firstMonth) || firstMonth > lastFirstMonth) {
    const params = { lastDay: lastFirstMonth };
    faults.push({ path: 'firstMonth', reason: 'day_too_late', params });
  }
  if (isPrepaid(kind) !== (movedOn !== null)) {
    faults.push({ path: 'movedOn', reason: isPrepaid(kind) ? 'prepaid_since' : 'not_prepaid' });
  } else if (movedOn !== null && faults.length === 0) {
    const last = lastDayOfMonth(addMonths(firstMonth, months - 1));
    // Until it is moved its account has it too, and months would have taken all of it.
    if (movedOn > last) {
      faults.push({ path: 'movedOn', reason: 'moved_after_shares', params: { last } });
    }
  } else if (sharesOn === 'first' && !isPrepaid(kind)) {
    faults.push({ path: 'sharesOn', reason: 'shares_as_months_end' });
  }
  const { result, balance } = accrualAccounts[kind];
  for (const [path, account, ranges] of [
    ['resultAccount', resultAccount, result],
    ['balanceAccount', balanceAccount, balance],
  ] as const) {
    const isWithin = ranges.some(([from, to]) => account >= from && account <= to);
    if (isWithin && !documentAccounts.has(account)) continue;
    const accounts = ranges.map(([from, to]) => `${from}–${to}`).join(' eller ');
    faults.push({ path, reason: 'accrual_account', params: { account, accounts } });
  }
  return faults;
}
