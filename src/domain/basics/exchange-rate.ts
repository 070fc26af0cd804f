/**
 * Another currency than kronor, and its rate. Amounts in a currency are hundredths of it, as öre are of a krona; the books
 * are in kronor (BFL 4 kap. 6 §).
 */
import { apportion, divideRounded, type Ore } from './money.ts';

export const homeCurrency = 'SEK';

/** Those with hundredths that the European Central Bank has a rate for: what is sold in them can be filed in euro. */
export const foreignCurrencies: readonly string[] =
  `EUR AUD BGN BRL CAD CHF CNY CZK DKK GBP HKD HUF IDR ILS INR MXN MYR NOK NZD PHP PLN RON SGD THB TRY
  USD ZAR`.split(/\s+/);

export const isForeignCurrency = (code: string): boolean => foreignCurrencies.includes(code);

/** Between these a rate of the currency is nothing to wonder at, kronor: outside them it is most often the other way round. */
const usualRates: Readonly<Record<string, readonly [least: number, most: number]>> = {
  EUR: [7, 18],
  USD: [5, 16],
  GBP: [8, 22],
  CHF: [7, 22],
  DKK: [0.9, 2.5],
  NOK: [0.6, 1.6],
  PLN: [1.5, 4.5],
};

export function isUnusualRate({ currency, exchangeRateE6 }: ExchangeRate): boolean {
  const [least, most] = usualRates[currency] ?? [];
  if (least === undefined || most === undefined) return false;
  const kronor = Number(exchangeRateE6) / 1_000_000;
  return kronor < least || kronor > most;
}

/** Kronor for one of the currency, in millionths. */
export interface ExchangeRate {
  readonly currency: string;
  readonly exchangeRateE6: bigint;
}

const one = 1_000_000n;

/** No currency costs more: ten thousand kronor. */
export const maxExchangeRateE6 = 10_000n * one;

/** Hundredths of a currency in öre. */
export const toOre = (
  amount: bigint,
  { exchangeRateE6 }: Pick<ExchangeRate, 'exchangeRateE6'>,
): Ore => divideRounded(amount * exchangeRateE6, one);

/** Parts of what has been converted as a sum; each within an öre of its own conversion. */
export const shareInOre = (
  ore: Ore,
  amounts: readonly bigint[],
  { exchangeRateE6 }: ExchangeRate,
): Ore[] =>
  apportion(
    ore,
    amounts.map((amount) => amount * exchangeRateE6),
    one,
  );
