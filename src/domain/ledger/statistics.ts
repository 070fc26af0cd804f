/**
 * Figures for people: whole kronor in tables that add up. Each month is rounded, results are
 * differences and totals are sums of what is shown; what is not named is one remainder.
 */
import { addMonths, monthOf } from '../basics/dates.ts';
import { divideRounded, type Ore } from '../basics/money.ts';

/** Öre by month; `month` is its first day. */
export interface MonthResult {
  readonly month: string;
  readonly revenueOre: Ore;
  readonly costsOre: Ore;
}

export interface Results {
  readonly revenue: number;
  readonly costs: number;
  readonly result: number;
}

export interface MonthRecord extends Results {
  /** `YYYY-MM` */
  readonly month: string;
}

/** Half an öre away from zero, like all rounding here. */
export const wholeKronor = (ore: Ore): number => Number(divideRounded(ore, 100n));

/**
 * Every month from the first voucher's to the current one, also those where nothing happened; none when
 * there is no voucher. Vouchers dated after the current month wait for theirs.
 */
export function monthRecords(
  firstDay: string | null,
  today: string,
  results: readonly MonthResult[],
): MonthRecord[] {
  if (firstDay === null) return [];
  const byMonth = new Map(results.map((result) => [result.month, result]));
  const records: MonthRecord[] = [];
  for (let month = `${monthOf(firstDay)}-01`; month <= today; month = addMonths(month, 1)) {
    const { revenueOre = 0n, costsOre = 0n } = byMonth.get(month) ?? {};
    const [revenue, costs] = [wholeKronor(revenueOre), wholeKronor(costsOre)];
    records.push({ month: month.slice(0, 7), revenue, costs, result: revenue - costs });
  }
  return records;
}

export function totalResults(months: readonly Results[]): Results {
  const total = (pick: (month: Results) => number) =>
    months.reduce((sum, month) => sum + pick(month), 0);
  return {
    revenue: total(({ revenue }) => revenue),
    costs: total(({ costs }) => costs),
    result: total(({ result }) => result),
  };
}

export interface Margin {
  readonly revenue: number;
  readonly cost_of_goods: number;
  readonly gross_margin: number;
  /** With one decimal; null without revenue. */
  readonly percent: number | null;
}

export function marginOf(revenue: number, costOfGoods: number): Margin {
  const gross_margin = revenue - costOfGoods;
  const tenths = (): number =>
    Number(divideRounded(BigInt(gross_margin) * 1000n, BigInt(revenue))) / 10;
  return {
    revenue,
    cost_of_goods: costOfGoods,
    gross_margin,
    percent: revenue === 0 ? null : tenths(),
  };
}

/** What the named parts leave of a total. */
export const remainderOf = (total: number, named: readonly number[]): number =>
  named.reduce((left, part) => left - part, total);
