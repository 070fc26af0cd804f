/**
 * How a fiscal year begins. The ledger is one: a balance account's balance goes on from year to year by
 * itself, so what needs vouchers is only what the books cannot know or do alone: what the company owned
 * and owed before its first year here, and the result's way into equity.
 */
import type { Fault } from '../../lib/errors.ts';
import { isPersonalNumber } from '../basics/identifiers.ts';
import { type Ore, sum } from '../basics/money.ts';
import { firstResultAccount, isBalanceAccount, resultAccount } from './account.ts';
import type { PostingRow } from './voucher.ts';

/** An account's balance in öre: debit above zero, credit below. */
export interface Balance {
  readonly account: number;
  readonly balanceOre: Ore;
}

/**
 * The rows that take accounts from `present` to `wanted`; none where they agree. Booked once, the same
 * call gives no rows: what changed since is all that a second voucher holds (BFL 5:5).
 */
export function differenceRows(
  wanted: readonly Balance[],
  present: readonly Balance[],
): PostingRow[] {
  const differences = new Map<number, Ore>();
  const add = (account: number, ore: Ore) =>
    differences.set(account, (differences.get(account) ?? 0n) + ore);
  for (const { account, balanceOre } of wanted) add(account, balanceOre);
  for (const { account, balanceOre } of present) add(account, -balanceOre);
  return [...differences]
    .filter(([, ore]) => ore !== 0n)
    .sort(([one], [other]) => one - other)
    .map(([account, ore]) => posting(account, ore));
}

/** Balances added up by account, in the order of their numbers; accounts at nothing left out. */
export function addBalances(...lists: readonly (readonly Balance[])[]): Balance[] {
  return differenceRows(lists.flat(), []).map(({ account, debitOre, creditOre }) => ({
    account,
    balanceOre: debitOre - creditOre,
  }));
}

/** What is wrong with opening balances that a person gives; empty when they can be booked. */
export function openingProblems(wanted: readonly Balance[]): Fault[] {
  const problems: Fault[] = [];
  const outside = wanted.find(({ account }) => !isBalanceAccount(account) || account < 1000);
  if (outside) {
    const { account } = outside;
    problems.push({ path: 'balances', reason: 'no_balance_account', params: { account } });
  }
  const twice = wanted.find(({ account }, index) =>
    wanted.some((other, place) => place < index && other.account === account),
  );
  if (twice) {
    const { account } = twice;
    problems.push({ path: 'balances', reason: 'account_twice', params: { account } });
  }
  const total = sum(wanted.map(({ balanceOre }) => balanceOre));
  if (total !== 0n) {
    problems.push({
      path: 'balances',
      reason: 'balances_not_zero',
      params: { differenceOre: total },
    });
  }
  return problems;
}

/** What is left on a year's result accounts, 8999 counted in: a profit is above zero. */
export function undisposedResult(balances: readonly Balance[]): Ore {
  return -sum(
    balances
      .filter(({ account }) => account >= firstResultAccount)
      .map(({ balanceOre }) => balanceOre),
  );
}

/** The result of a year before it was booked to equity: a profit is above zero. */
export function resultOf(balances: readonly Balance[]): Ore {
  return undisposedResult(balances.filter(({ account }) => account !== resultAccount));
}

/** Books what is left of a year's result to equity, on its last day: 8999 against 2099 (2019). */
export function closingRows(balances: readonly Balance[], equityAccount: number): PostingRow[] {
  const ore = undisposedResult(balances);
  if (ore === 0n) return [];
  return [posting(equityAccount, -ore), posting(resultAccount, ore)].sort(
    (one, other) => one.account - other.account,
  );
}

/** Moves what stands on accounts to another one: last year's result within equity. */
export function moveRows(balances: readonly Balance[], toAccount: number): PostingRow[] {
  const moved = balances.filter(({ account }) => account !== toAccount);
  const total = sum(moved.map(({ balanceOre }) => balanceOre));
  return differenceRows(total === 0n ? [] : [{ account: toAccount, balanceOre: total }], moved);
}

/**
 * What another program has moved within equity (2000–2099) as a year began, by its opening balances alone and without
 * a voucher, out of how its balances differ from ours: what a voucher on the year's first day adds to each account
 * for the same. Nothing when it does not come to nothing, since then something else is missing too.
 */
export function equityMoves(differing: readonly Balance[]): Balance[] {
  const moves = differing.filter(
    ({ account, balanceOre }) => account >= 2000 && account <= 2099 && balanceOre !== 0n,
  );
  const isEven = sum(moves.map(({ balanceOre }) => balanceOre)) === 0n;
  return isEven ? addBalances(moves) : [];
}

export interface EquityPlan {
  /** Where a year's result is booked on its last day. */
  readonly resultTo: number;
  /** The accounts that are emptied as the next year begins, and where they go. */
  readonly emptied: { readonly from: number; readonly to: number };
  readonly into: number;
}

/**
 * The usual accounts (BAS): a sole trader's 2011–2019 go into 2010, a limited company's 2099 into 2098
 * until the general meeting decides. A sole trader is known by a personal identity number.
 */
export function equityPlan(organizationNumber: string): EquityPlan {
  return isPersonalNumber(organizationNumber)
    ? { resultTo: 2019, emptied: { from: 2011, to: 2019 }, into: 2010 }
    : { resultTo: 2099, emptied: { from: 2099, to: 2099 }, into: 2098 };
}

function posting(account: number, ore: Ore): PostingRow {
  return ore < 0n
    ? { account, debitOre: 0n, creditOre: -ore }
    : { account, debitOre: ore, creditOre: 0n };
}
