/** What the example company's calendar looks like on a given day: all of its books follow from that. */
import {
  addDays,
  addMonths,
  dayOfWeek,
  join,
  lastDayOfMonth,
  monthOf,
  split,
} from '../domain/basics/dates.ts';
import { isWorkingDay, nextWorkingDay } from '../domain/basics/holidays.ts';
import { vatDueDate } from '../domain/ledger/vat-deadlines.ts';

export interface VatPeriod {
  readonly start: string;
  readonly end: string;
  /** When its return is filed, and when it is to be paid. */
  readonly filedOn: string;
  readonly dueOn: string;
}

export interface Calendar {
  readonly today: string;
  /** The fiscal year in progress; the books begin with the year before it. */
  readonly year: number;
  readonly firstDay: string;
  /** From the first to the one in progress, `YYYY-MM`. */
  readonly months: readonly string[];
  /** Quarters that had ended by today, filed or not. */
  readonly vatPeriods: readonly VatPeriod[];
  /** Whether the accounts of the year before are done: they are in March. */
  readonly isLastYearClosed: boolean;
}

/** How long before the deadline the company files. */
const filingDaysBefore = 4;
const reporting = {
  period: 'quarter',
  largeTaxpayer: false,
  yearly: 'legal_person',
  digital: true,
} as const;

export function calendarOn(today: string): Calendar {
  const { year } = split(today);
  const firstDay = `${year - 1}-01-01`;
  const months = monthsFrom(firstDay, 24).filter((month) => month <= monthOf(today));
  return {
    today,
    year,
    firstDay,
    months,
    vatPeriods: months
      .flatMap((month) => vatPeriodOf(month) ?? [])
      .filter(({ end }) => end < today),
    isLastYearClosed: today >= `${year}-03-01`,
  };
}

const monthsFrom = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => monthOf(addMonths(day, index)));

/** The quarter that ends with the month, if one does. */
function vatPeriodOf(month: string): VatPeriod | undefined {
  const end = lastDayOfMonth(month);
  if (split(end).month % 3 !== 0) return undefined;
  const start = `${monthOf(addMonths(end, -2))}-01`;
  const dueOn = vatDueDate(reporting, { start, end });
  return { start, end, filedOn: addDays(dueOn, -filingDaysBefore), dueOn };
}

/** The month so many months before (after, when below zero) that of a date. */
export const monthBefore = (date: string, months: number): string =>
  monthOf(addMonths(`${monthOf(date)}-01`, -months));

/** A day of a month, or the month's last when it is shorter. */
export function dayIn(month: string, day: number): string {
  const last = lastDayOfMonth(month);
  const { year, month: number } = split(last);
  return join({ year, month: number, day: Math.min(day, split(last).day) });
}

/** The day itself when it is a working day, else the next one. */
export const workday = nextWorkingDay;

/** The day itself when it is a working day, else the last one before it. */
export function workdayBefore(date: string): string {
  let day = date;
  while (!isWorkingDay(day)) day = addDays(day, -1);
  return day;
}

/** The working day of a month that is nearest a day of it: before it, if there is one. */
export function workdayIn(month: string, day: number): string {
  const wanted = dayIn(month, day);
  const before = workdayBefore(wanted);
  return monthOf(before) === month ? before : workday(wanted);
}

const friday = 5;

/** When what happens once a week happens: on the month's Fridays, as far as they are working days. */
export function fridaysOf(month: string): string[] {
  return Array.from({ length: split(lastDayOfMonth(month)).day }, (_, index) => index + 1)
    .filter((day) => dayOfWeek(dayIn(month, day)) === friday)
    .map((day) => workdayIn(month, day));
}
