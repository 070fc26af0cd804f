/**
 * What can settle an invoice, ours or a supplier's: accounts that money comes through, and what makes
 * up the difference between the money and the debt, each as a row of its own kind. The database has
 * the same list (`sales.settlement_kind`). Receivables and payables are not on it: they are set off
 * against each other by an act of its own.
 */
import type { Fault } from '../../lib/errors.ts';
import { absolute, type Ore, sum } from '../basics/money.ts';

export type SettlementKind = 'money' | 'rounding' | 'bank_fee' | 'loss' | 'exchange';
/** What makes up a difference, beside the money. */
export type Difference = Exclude<SettlementKind, 'money'>;

/** BAS accounts, first to last. */
const list: readonly (readonly [SettlementKind, from: number, to: number])[] = [
  ['money', 1900, 1999],
  // The tax account.
  ['money', 1630, 1630],
  // Clearing: card acquirers, payment services.
  ['money', 1680, 1689],
  // Gift cards that are redeemed.
  ['money', 2421, 2421],
  // The owner's own money: of a sole trader, who is paid privately or pays so, and lent to a company.
  ['money', 2013, 2013],
  ['money', 2018, 2018],
  ['money', 2893, 2893],
  ['rounding', 3740, 3740],
  ['bank_fee', 6570, 6570],
  ['loss', 6350, 6359],
  // What the krona has moved since the invoice: gained, and lost.
  ['exchange', 3960, 3960],
  ['exchange', 7960, 7960],
];

/** What follows customers' and suppliers' documents: nobody books on them beside those. */
export const documentAccounts: ReadonlySet<number> = new Set([1510, 2440]);

/** Where money comes and goes when nobody says. */
export const bankAccount = 1930;

/** Where a difference is booked when nobody says. */
export const differenceAccounts: Readonly<Record<Difference, number>> = {
  rounding: 3740,
  bank_fee: 6570,
  loss: 6351,
  exchange: 7960,
};
/** Where an exchange difference goes that is a gain (BAS). */
export const exchangeGainAccount = 3960;

/** Where a difference goes that we bear so much of: below zero is a gain. */
export const differenceAccountOf = (kind: Difference, borneOre: Ore): number =>
  kind === 'exchange' && borneOre < 0n ? exchangeGainAccount : differenceAccounts[kind];

/** The rate of a currency that is traded moves less than this between an invoice and its payment: a third. */
const exchangeShareMax = 3n;

/** Whether so much of a document can be what the krona has moved since it was booked. */
export const isOfExchange = (differenceOre: Ore, wholeOre: Ore): boolean =>
  absolute(differenceOre) * exchangeShareMax <= absolute(wholeOre);

/** What is taken back is taken back where it stands. */
const accountOf = (kind: Difference, ore: Ore, isTakenBack: boolean): number =>
  differenceAccountOf(kind, isTakenBack ? -ore : ore);

/**
 * What the account settles an invoice as; null when nothing can come through it. An account of more
 * than four digits is part of the BAS account that it begins with.
 */
export function settlementKindOf(account: number): SettlementKind | null {
  const bas = Number(String(account).slice(0, 4));
  return list.find(([, from, to]) => from <= bas && bas <= to)?.[0] ?? null;
}

/** Receivables on those who redeem cards and coupons (BAS 158x), and other clearing (168x). */
export const isClearingAccount = (account: number): boolean => /^(158|168)/.test(String(account));

/** So much of the debt settled through an account; below zero when it is taken back. */
export interface Settling {
  readonly kind: SettlementKind;
  readonly account: number;
  readonly amountOre: Ore;
}

export interface Settlement {
  /** What came or went through the account, in öre; 0 when a difference settles it all. */
  readonly amountOre: Ore;
  readonly account: number;
  /** What money has settled through the account before, in öre; 0 unless said. */
  readonly settledOre?: Ore;
  /**
   * By kind, in öre. A bank fee and an exchange difference are above zero when we bear them, with money in and out alike:
   * the difference when fewer kronor came, or more went, than the invoice was booked at.
   */
  readonly differences?: Partial<Readonly<Record<Difference, Ore>>>;
}

/** A lesser difference is rounding; a whole krona is an amount (lag 1970:1029). */
const roundingOreMax: Ore = 99n;

/**
 * The rows that settle an invoice. `owner` is whose debt it is: a bank fee on money from a customer
 * settles the debt together with the money; on money to a supplier it is paid on top of the debt.
 */
export function settle(
  { amountOre, account, settledOre = 0n, differences = {} }: Settlement,
  owner: 'customer' | 'supplier',
): { readonly rows: Settling[] } | { readonly problems: Fault[] } {
  const isTakenBack = takesBack(amountOre, settledOre);
  const kind = isTakenBack ? 'money' : settlementKindOf(account);
  if (kind === null || (kind !== 'money' && owner === 'supplier')) {
    return { problems: [notThrough(account)] };
  }
  const rows: Settling[] = [
    { kind, account, amountOre },
    ...(Object.entries(differences) as [Difference, Ore][]).map(([of, ore]) => ({
      kind: of,
      account: accountOf(of, ore, isTakenBack),
      amountOre: owner === 'supplier' && borneBeside.has(of) ? -ore : ore,
    })),
  ].filter((row) => row.amountOre !== 0n);
  const problems = problemsOf(rows, kind, owner);
  return problems.length > 0 ? { problems } : { rows };
}

/** What we pay beyond the debt to a supplier, and is no part of what settles it. */
const borneBeside: ReadonlySet<Difference> = new Set(['bank_fee', 'exchange']);

/** What came through an account, one that nothing comes through any more too, goes back the same way. */
const takesBack = (amountOre: Ore, settledOre: Ore): boolean =>
  settledOre > 0n
    ? amountOre < 0n && -amountOre <= settledOre
    : amountOre > 0n && amountOre <= -settledOre;

function problemsOf(
  rows: readonly Settling[],
  mainKind: SettlementKind,
  owner: 'customer' | 'supplier',
): Fault[] {
  const problems: Fault[] = [];
  const pathOf = (row: Settling) =>
    row === rows[0] && row.kind === mainKind ? 'amount' : row.kind;
  const settledOre = sum(rows.map(({ amountOre }) => amountOre));
  if (settledOre === 0n) {
    problems.push({ path: 'amount', reason: 'no_amount' });
  }
  for (const row of rows) {
    const path = pathOf(row);
    if (row.kind === 'rounding' && absolute(row.amountOre) > roundingOreMax) {
      problems.push({ path, reason: 'rounding_too_large' });
    }
    if (row.kind === 'loss' && owner === 'supplier') {
      problems.push({ path, reason: 'not_a_receivable' });
    }
    const isAdded = row.kind === 'bank_fee' && owner === 'supplier';
    const isSameWay = row.amountOre > 0n === settledOre > 0n;
    const goesEitherWay = row.kind === 'rounding' || row.kind === 'exchange';
    if (settledOre !== 0n && !goesEitherWay && isSameWay === isAdded) {
      problems.push({ path, reason: 'mixed_signs' });
    }
  }
  return problems;
}

function notThrough(account: number): Fault {
  const isLedger = account === 1510 || account === 2440;
  return { path: 'account', reason: 'not_a_money_account', params: { account, isLedger } };
}
