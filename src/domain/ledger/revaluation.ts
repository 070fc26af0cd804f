/**
 * Claims and debts in other currencies at the closing day's rate (årsredovisningslagen 4 kap. 13 §; K2 and K3 alike value
 * monetary items so). What the rate has moved is an exchange difference of the year, 3960 or 7960, as for all that is owed in
 * trade. It stands on accounts of its own beside 1510 and 2440, which go on being what the ledgers of customers and suppliers
 * say, and is taken back as the next year begins: what is paid then is measured against what it was booked on.
 */
import { type ExchangeRate, toOre } from '../basics/exchange-rate.ts';
import { divideRounded, type Ore, sum } from '../basics/money.ts';
import type { Balance } from './opening-balances.ts';
import { differenceAccountOf } from './settlement-accounts.ts';
import { type PostingRow, signedRow } from './voucher.ts';

/** Within what the balance sheet has as trade receivables and payables. */
export const revaluationAccounts = { invoice: 1517, purchase: 2447 } as const;

/** An invoice of ours, or a supplier's, as a day ends. Credit notes are below zero. */
export interface OpenInCurrency {
  readonly kind: keyof typeof revaluationAccounts;
  readonly id: string;
  readonly number: string;
  readonly who: string;
  readonly currency: string;
  /** All of it in hundredths of the currency, and what it was booked on; above zero both. */
  readonly wholeAmount: bigint;
  readonly wholeOre: Ore;
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

export const amountOpen = ({ wholeAmount, openOre, wholeOre }: OpenInCurrency): bigint =>
  divideRounded(wholeAmount * openOre, wholeOre);

/** What of it is booked already: debit above zero, by account. */
export const revaluationBooked = (balances: readonly Balance[]): Balance[] =>
  balances.filter(({ account }) => isRevaluationAccount(account));

const isRevaluationAccount = (account: number): boolean =>
  Object.values(revaluationAccounts).some((one) => one === account);

/**
 * What is to be booked on the closing day: each document by itself, and the year's gain and loss. Where some of it is booked
 * already, the difference alone.
 */
export function revaluationRows(
  items: readonly RevaluedItem[],
  booked: readonly Balance[],
): PostingRow[] {
  const balance =
    booked.length === 0
      ? items.map((item) =>
          signedRow(revaluationAccounts[item.kind], item.gainOre, noteOf(item).slice(0, noteMax)),
        )
      : Object.entries(revaluationAccounts).map(([kind, account]) => {
          const wanted = sum(
            items.filter((item) => item.kind === kind).map(({ gainOre }) => gainOre),
          );
          const before = booked.find((one) => one.account === account)?.balanceOre ?? 0n;
          return signedRow(account, wanted - before, 'Ändrad omräkning');
        });
  const gains = balance.map(({ debitOre, creditOre }) => debitOre - creditOre);
  const results = [gains.filter((ore) => ore > 0n), gains.filter((ore) => ore < 0n)].map((some) => {
    const gainOre = sum(some);
    return signedRow(differenceAccountOf('exchange', -gainOre), -gainOre);
  });
  return [...balance, ...results].filter((row) => row.debitOre !== row.creditOre);
}

/** Characters of a row's note. */
const noteMax = 200;

const noteOf = ({ kind, number, who, currency }: RevaluedItem): string =>
  `${kind === 'invoice' ? 'Kundfaktura' : 'Leverantörsfaktura'} ${number}, ${who}, ${currency}`;
