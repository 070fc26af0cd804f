/**
 * What a quarter's return in the one stop shop tells (unionsordningen; directive 2006/112/EC articles 369f–369h): sales by
 * the country of the consumer, by its rate and by goods or services, in euro, and what corrects earlier quarters. It is
 * filed by itself: none of it is in the Swedish return.
 */
import { addMonths, lastDayOfMonth } from '../basics/dates.ts';
import { divideRounded, type Ore, sum } from '../basics/money.ts';
import type { DateSpan } from './vat-deadlines.ts';

/** Sales of one country, rate, supply and currency; amounts in hundredths of the currency, and in öre as booked. */
export interface OssSale {
  /** First day of the quarter that was sold in: of a credit note its invoice's. */
  readonly quarter: string;
  readonly country: string;
  readonly rateE2: number;
  readonly supply: 'goods' | 'services';
  readonly currency: string;
  readonly net: bigint;
  readonly vat: bigint;
  readonly netOre: Ore;
  readonly vatOre: Ore;
}

/**
 * How many of each currency one euro is, in millionths, as the European Central Bank published for the quarter's last
 * day, or the next day that it publishes (article 369h.2).
 */
export type EuroRates = ReadonlyMap<string, bigint>;

/** In cents; null while the rate of some currency is not known. */
interface InEuro {
  readonly netCent: bigint | null;
  readonly vatCent: bigint | null;
}

export interface OssLine
  extends InEuro,
    Pick<OssSale, 'country' | 'rateE2' | 'supply' | 'netOre' | 'vatOre'> {
  /** What was sold in each currency. */
  readonly sold: readonly Pick<OssSale, 'currency' | 'net' | 'vat'>[];
}

/** What an earlier quarter's VAT of a country changes by: below zero when it was too much. */
export interface OssCorrection extends Pick<InEuro, 'vatCent'> {
  /** As in `2026-Q1`. */
  readonly quarter: string;
  readonly country: string;
  readonly vatOre: Ore;
}

export interface OssReturn {
  readonly lines: readonly OssLine[];
  readonly corrections: readonly OssCorrection[];
  /** Of lines and corrections together. */
  readonly vatOre: Ore;
  readonly vatCent: bigint | null;
  /** Currencies that something was sold in, but the euro. */
  readonly currencies: readonly string[];
}

export interface OssQuarter extends DateSpan {
  readonly name: string;
  /** The last day of the month after, whatever day of the week that is. */
  readonly dueOn: string;
}

/** `2026-Q2`; undefined for what is none. The scheme began on 1 July 2021. */
export function ossQuarter(name: string): OssQuarter | undefined {
  const [, year, number] = /^(20\d{2})-Q([1-4])$/.exec(name) ?? [];
  if (!year) return undefined;
  const start = `${year}-${String(Number(number) * 3 - 2).padStart(2, '0')}-01`;
  const end = lastDayOfMonth(addMonths(start, 2));
  return { name, start, end, dueOn: lastDayOfMonth(addMonths(start, 3)) };
}

export const quarterOf = (day: string): string =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

export function ossReturn(
  { start }: Pick<OssQuarter, 'start'>,
  sales: readonly OssSale[],
  rates: EuroRates,
): OssReturn {
  const toCent = (amountOf: (sale: OssSale) => bigint, of: readonly OssSale[]): bigint | null => {
    const parts = of.map((sale) => inEuro(amountOf(sale), sale.currency, rates));
    return parts.every((part) => part !== null) ? sum(parts) : null;
  };
  const own = sales.filter(({ quarter }) => quarter === start);
  const lines = groups(own, ({ country, supply, rateE2 }) => `${country} ${supply} ${rateE2}`).map(
    ([first, group]): OssLine => ({
      country: first.country,
      rateE2: first.rateE2,
      supply: first.supply,
      netOre: sum(group.map(({ netOre }) => netOre)),
      vatOre: sum(group.map(({ vatOre }) => vatOre)),
      netCent: toCent(({ net }) => net, group),
      vatCent: toCent(({ vat }) => vat, group),
      sold: group.map(({ currency, net, vat }) => ({ currency, net, vat })),
    }),
  );
  const earlier = sales.filter(({ quarter }) => quarter !== start);
  const corrections = groups(earlier, ({ quarter, country }) => `${quarter} ${country}`).map(
    ([first, group]): OssCorrection => ({
      quarter: quarterOf(first.quarter),
      country: first.country,
      vatOre: sum(group.map(({ vatOre }) => vatOre)),
      vatCent: toCent(({ vat }) => vat, group),
    }),
  );
  const cents = [...lines, ...corrections].map(({ vatCent }) => vatCent);
  return {
    lines,
    corrections,
    vatOre: sum(sales.map(({ vatOre }) => vatOre)),
    vatCent: cents.every((cent) => cent !== null) ? sum(cents) : null,
    currencies: [...new Set(sales.map(({ currency }) => currency))]
      .filter((currency) => currency !== 'EUR')
      .sort(),
  };
}

/** With the first of each group, in the order of the firsts. */
function groups<One>(all: readonly One[], keyOf: (one: One) => string): [One, One[]][] {
  return [...Map.groupBy(all, keyOf).values()].flatMap((group): [One, One[]][] =>
    group[0] === undefined ? [] : [[group[0], group]],
  );
}

function inEuro(amount: bigint, currency: string, rates: EuroRates): bigint | null {
  if (currency === 'EUR') return amount;
  const rate = rates.get(currency);
  return rate === undefined ? null : divideRounded(amount * 1_000_000n, rate);
}

/** Greece has a code of its own where VAT is told (article 215). */
export const vatCountryCode = (country: string): string => (country === 'GR' ? 'EL' : country);
