/**
 * Claims and debts in other currencies at the closing day's rate (årsredovisningslagen 4 kap. 13 §; K2 and K3 alike value
 * monetary items so). What the rate has moved is an exchange difference of the year, 3960 or 7960, as for all that is owed in
 * trade. It stands on accounts of its own beside 1510 and 2440, which go on being what the ledgers of customers and suppliers
 * say, and is taken back as the next year begins: what is paid then is measured against what it was booked on.
 */
import { type ExchangeRate, toOre } from '../basics/exchange-rate.ts';
import { absolute, type Ore, sum } from '../basics/money.ts';
import { firstResultAccount } from './account.ts';
import { addBalances, type Balance, differenceRows } from './opening-balances.ts';
import { amountOpen, type WholeInCurrency } from './part-in-currency.ts';
import { reverseRows } from './reversal.ts';
import {
  differenceAccountOf,
  differenceAccounts,
  exchangeGainAccount,
  isOfExchange,
} from './settlement-accounts.ts';
import { type PostingRow, signedRow } from './voucher.ts';

/** Within what the balance sheet has as trade receivables and payables. */
export const revaluationAccounts = { invoice: 1517, purchase: 2447 } as const;

/** An invoice of ours, or a supplier's, as a day ends. Credit notes are below zero. */
export interface OpenInCurrency extends WholeInCurrency {
  readonly kind: keyof typeof revaluationAccounts;
  readonly id: string;
  readonly number: string;
  readonly who: string;
  readonly currency: string;
  readonly openOre: Ore;
}

export interface RevaluedItem extends OpenInCurrency {
  /** What is open in hundredths of the currency: the same part as is open of the kronor. */
  readonly amount: bigint;
  readonly valueOre: Ore;
  /** Above zero is a gain. */
  readonly gainOre: Ore;
}

export type ClosingRates = ReadonlyMap<string, ExchangeRate['exchangeRateE6']>;

/** Those whose rate is given. */
export function revalue(items: readonly OpenInCurrency[], rates: ClosingRates): RevaluedItem[] {
  return items.flatMap((item) => {
    const exchangeRateE6 = rates.get(item.currency);
    if (exchangeRateE6 === undefined) return [];
    const amount = amountOpen(item);
    const valueOre = toOre(amount, { exchangeRateE6 });
    const moreOre = valueOre - item.openOre;
    return [{ ...item, amount, valueOre, gainOre: item.kind === 'invoice' ? moreOre : -moreOre }];
  });
}

/** All that a revaluation is booked on: a voucher of these alone is one, or takes one back. */
export const accountsOfRevaluation: readonly number[] = [
  ...Object.values(revaluationAccounts),
  exchangeGainAccount,
  differenceAccounts.exchange,
];

/** What there is to be on each account, debit above zero: each document by itself, and the year's gain and loss. */
export function revaluationBalances(items: readonly RevaluedItem[]): Balance[] {
  const gains = items.map(({ gainOre }) => gainOre);
  return addBalances(
    items.map(({ kind, gainOre }) => ({
      account: revaluationAccounts[kind],
      balanceOre: gainOre,
    })),
    [gains.filter((ore) => ore > 0n), gains.filter((ore) => ore < 0n)].map((some) => {
      const gainOre = sum(some);
      return { account: differenceAccountOf('exchange', -gainOre), balanceOre: -gainOre };
    }),
  );
}

/**
 * What is to be booked on the closing day: each document by itself, and the year's gain and loss. Where some of it is booked
 * already, the difference alone: a rate that was wrong is no gain once and a loss the next time.
 */
export function revaluationRows(
  items: readonly RevaluedItem[],
  booked: readonly Balance[],
): PostingRow[] {
  const wanted = revaluationBalances(items);
  if (booked.length > 0) return withNote(differenceRows(wanted, booked));
  const isDocuments = ({ account }: Balance): boolean => account < firstResultAccount;
  return [
    ...items.map((item) =>
      signedRow(revaluationAccounts[item.kind], item.gainOre, noteOf(item).slice(0, noteMax)),
    ),
    ...wanted
      .filter((one) => !isDocuments(one))
      .map(({ account, balanceOre }) => signedRow(account, balanceOre)),
  ].filter((row) => row.debitOre !== row.creditOre);
}

/**
 * What takes it back as the next year begins, so that nothing of it is left there: of what is booked to the end of that day,
 * by hand too, and of what is booked now.
 */
export function takenBackRows(
  rows: readonly PostingRow[],
  bookedNextDay: readonly Balance[],
): PostingRow[] {
  if (bookedNextDay.length === 0) return reverseRows(rows);
  const now = rows.map(({ account, debitOre, creditOre }) => ({
    account,
    balanceOre: debitOre - creditOre,
  }));
  return withNote(differenceRows([], [...bookedNextDay, ...now]));
}

const withNote = (rows: readonly PostingRow[]): PostingRow[] =>
  rows.map((row) => ({ ...row, note: 'Ändrad omräkning' }));

/**
 * Those of the currencies whose rate is so far from what their documents were booked on that it is most often typed for a
 * hundred of the currency, the other way round, or with a decimal missing.
 */
export function farRates(items: readonly RevaluedItem[]): string[] {
  const size = (ores: readonly Ore[]): Ore => sum(ores.map(absolute));
  return [...Map.groupBy(items, ({ currency }) => currency)]
    .filter(
      ([, some]) =>
        !isOfExchange(
          size(some.map(({ gainOre }) => gainOre)),
          size(some.map(({ openOre }) => openOre)),
        ),
    )
    .map(([currency]) => currency);
}

/** Characters of a row's note. */
const noteMax = 200;

const noteOf = ({ kind, number, who, currency }: RevaluedItem): string =>
  `${kind === 'invoice' ? 'Kundfaktura' : 'Leverantörsfaktura'} ${number}, ${who}, ${currency}`;
