/** When a VAT return and its payment are due: skatteförfarandelagen (2011:1244) 26 kap. */
import { addMonths, join, lastDayOfMonth, monthOf, split } from '../basics/dates.ts';
import { nextWorkingDay } from '../basics/holidays.ts';

/** How the company reports VAT. The last three fields matter only for the period they name. */
export interface VatReporting {
  readonly period: 'month' | 'quarter' | 'year';
  /** Month: the taxable base is above 40 million kronor a year. */
  readonly largeTaxpayer: boolean;
  /** Year: which of the three deadlines applies. */
  readonly yearly: 'no_income_tax_return_or_eu_trade' | 'sole_trader' | 'legal_person';
  /** Year, legal person: files digitally, which gives a later date than paper. */
  readonly digital: boolean;
}

/** A stretch of whole months: a VAT period or a fiscal year, both days included. */
export interface DateSpan {
  readonly start: string;
  readonly end: string;
}

/**
 * The last day to file and pay VAT for a period: a calendar month, a calendar quarter or a fiscal
 * year. A deadline on a weekend or holiday moves to the next working day (lag 1930:173 2 §).
 */
export function vatDueDate(settings: VatReporting, period: DateSpan): string {
  return nextWorkingDay(statutoryDate(settings, period.end));
}

/**
 * The first VAT deadline on or after `today`. Periods from before the first fiscal year do not
 * exist; after the last known fiscal year the calendar goes on in twelve-month years.
 */
export function nextVatDueDate(
  settings: VatReporting,
  fiscalYears: readonly DateSpan[],
  today: string,
): string {
  for (const end of periodEnds(settings, fiscalYears, today)) {
    const due = nextWorkingDay(statutoryDate(settings, end));
    if (due >= today) return due;
  }
  throw new RangeError(`no VAT deadline after ${today}`);
}

/** The VAT period whose last day is `end`; undefined when none ends then. */
export function vatPeriodEndingOn(
  period: VatReporting['period'],
  fiscalYears: readonly DateSpan[],
  end: string,
): DateSpan | undefined {
  if (period === 'year') return fiscalYears.find((year) => year.end === end);
  const isLastDay = end === lastDayOfMonth(end);
  const months = period === 'month' ? 1 : 3;
  if (!isLastDay || split(end).month % months !== 0) return undefined;
  return { start: `${monthOf(addMonths(end, 1 - months))}-01`, end };
}

/** How the company reported VAT when it filed such a period: by its length, which a change of periods since leaves as it is. */
export function reportingOf(settings: VatReporting, { start, end }: DateSpan): VatReporting {
  const kinds = { 1: 'month', 3: 'quarter' } as const;
  const months = monthsOf(start, end);
  return { ...settings, period: months === 1 || months === 3 ? kinds[months] : 'year' };
}

function monthsOf(start: string, end: string): number {
  const [from, to] = [split(start), split(end)];
  return (to.year - from.year) * 12 + to.month - from.month + 1;
}

/** The VAT periods that end within the fiscal years and before `day`, the earliest first. */
export function vatPeriodsBefore(
  period: VatReporting['period'],
  fiscalYears: readonly DateSpan[],
  day: string,
): DateSpan[] {
  const [first] = fiscalYears.map(({ start }) => start).sort();
  const periods: DateSpan[] = [];
  if (first === undefined) return periods;
  for (let end = lastDayOfMonth(first); end < day; end = lastDayOfMonth(addMonths(end, 1))) {
    const ending = vatPeriodEndingOn(period, fiscalYears, end);
    if (ending) periods.push(ending);
  }
  return periods;
}

function statutoryDate(settings: VatReporting, periodEnd: string): string {
  if (settings.period === 'year') return yearlyDate(settings, periodEnd);
  if (settings.period === 'month' && settings.largeTaxpayer) return day26(periodEnd, 1);
  const { year, month } = split(addMonths(periodEnd, 2));
  return join({ year, month, day: month === 1 || month === 8 ? 17 : 12 });
}

function yearlyDate(settings: VatReporting, yearEnd: string): string {
  if (settings.yearly === 'no_income_tax_return_or_eu_trade') return day26(yearEnd, 2);
  const { year, month } = split(yearEnd);
  if (settings.yearly === 'sole_trader') return join({ year: year + 1, month: 5, day: 12 });
  if (month <= 4) return join({ year, month: settings.digital ? 12 : 11, day: 12 });
  if (month <= 6) {
    return settings.digital
      ? join({ year: year + 1, month: 1, day: 17 })
      : join({ year, month: 12, day: 27 });
  }
  if (month <= 8) return join({ year: year + 1, month: settings.digital ? 4 : 3, day: 12 });
  return settings.digital
    ? join({ year: year + 1, month: 8, day: 17 })
    : join({ year: year + 1, month: 7, day: 12 });
}

/** The 26th, in December the 27th, of a month counted from the period's end. */
function day26(periodEnd: string, monthsLater: number): string {
  const { year, month } = split(addMonths(periodEnd, monthsLater));
  return join({ year, month, day: month === 12 ? 27 : 26 });
}

function* periodEnds(
  settings: VatReporting,
  fiscalYears: readonly DateSpan[],
  today: string,
): Generator<string> {
  if (settings.period === 'year') {
    yield* fiscalYearEnds(fiscalYears, today);
    return;
  }
  const months = settings.period === 'month' ? 1 : 3;
  // A deadline lies at most three months after its period, so start well before that.
  const recent = addMonths(today, -6);
  const firstStart = fiscalYears.map((one) => one.start).sort()[0];
  const isYoung = firstStart !== undefined && firstStart > recent;
  const { year, month } = split(isYoung ? firstStart : recent);
  const first = join({ year, month: month - ((month - 1) % months), day: 1 });
  for (let step = 0; step < 12; step += 1) {
    yield lastDayOfMonth(addMonths(first, (step + 1) * months - 1));
  }
}

function* fiscalYearEnds(fiscalYears: readonly DateSpan[], today: string): Generator<string> {
  const ends = fiscalYears.map((year) => year.end).sort();
  yield* ends;
  let last = ends.at(-1) ?? join({ year: split(today).year - 2, month: 12, day: 31 });
  while (last <= today) {
    last = lastDayOfMonth(addMonths(last, 12));
    yield last;
  }
}
