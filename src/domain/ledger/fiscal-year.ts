/** Fiscal years follow upon each other without gaps (BFL 3 kap.). */
import type { Fault } from '../../lib/errors.ts';
import { addDays, addMonths, isDate, latestDay } from '../basics/dates.ts';
import { isPersonalNumber } from '../basics/identifiers.ts';

export interface YearSpan {
  /** What it is called (`yearName`). */
  readonly year: number;
  readonly start: string;
  readonly end: string;
}

/** Twelve months right after the last year. */
export function nextYearAfter({ end }: Pick<YearSpan, 'end'>): YearSpan {
  const start = addDays(end, 1);
  const newEnd = addDays(addMonths(start, 12), -1);
  return { year: Number(newEnd.slice(0, 4)), start, end: newEnd };
}

type Days = Pick<YearSpan, 'start' | 'end'>;

/**
 * What a year is called among those there are: the calendar year in which it ends. Where another ends in that too, as when
 * a broken year is changed for the calendar's by a shortened one (BFL 3:3), the nearest that is free: after it, or before
 * it of a year that comes before all others.
 */
export function yearName({ start, end }: Days, years: readonly YearSpan[]): number {
  const taken = new Set(years.map(({ year }) => year));
  const step = years.some((other) => other.start < start) ? 1 : -1;
  let year = Number(end.slice(0, 4));
  while (taken.has(year)) year += step;
  return year;
}

/** No company moves in with more years than it must keep (BFL 7:2). */
const yearsBetweenMax = 7;

/** Years of twelve months from the one to the other; none when they do not come out even, or are many. */
export function yearsBetween(earlier: Days, later: Days): YearSpan[] {
  const between: YearSpan[] = [];
  let next = nextYearAfter(earlier);
  while (next.end < later.start && between.length <= yearsBetweenMax) {
    between.push(next);
    next = nextYearAfter(next);
  }
  return next.start === later.start && between.length <= yearsBetweenMax ? between : [];
}

/** A year is twelve, but the first, and one that is changed, may be prolonged to this (BFL 3:3). */
const monthsMax = 18;
/** What is wrong with a year by itself, by the name of the part: whole months, at most eighteen. */
function spanProblems({ start, end }: Days): Fault[] {
  const unread = Object.entries({ start, end }).filter(([, date]) => !isDate(date));
  if (unread.length > 0) {
    return unread.map(([path]) => ({ path, reason: 'no_date' }));
  }
  const late = Object.entries({ start, end }).filter(([, date]) => date > latestDay);
  if (late.length > 0) {
    return late.map(([path]) => ({ path, reason: 'day_too_late', params: { lastDay: latestDay } }));
  }
  const problems: Fault[] = [];
  if (!start.endsWith('-01')) {
    problems.push({ path: 'start', reason: 'year_starts_within_month' });
  }
  if (!addDays(end, 1).endsWith('-01')) {
    problems.push({ path: 'end', reason: 'year_ends_within_month' });
  }
  if (end <= start) {
    problems.push({ path: 'end', reason: 'before_start' });
  } else if (end >= addMonths(start, monthsMax)) {
    problems.push({ path: 'end', reason: 'year_too_long' });
  }
  return problems;
}

/**
 * What is wrong with a company's first fiscal year; a sole trader's (an organisation number that is a
 * personal identity number) also ends with the calendar year (BFL 3:1).
 */
export function firstYearProblems(days: Days, organizationNumber: string | null): Fault[] {
  const problems = spanProblems(days);
  if (problems.length > 0 || !isPerson(organizationNumber) || days.end.endsWith('-12-31')) {
    return problems;
  }
  return [{ path: 'end', reason: 'not_calendar_year' }];
}

const isPerson = (number: string | null): boolean => number !== null && isPersonalNumber(number);

/** What is wrong with a new year beside those there are. */
export function yearProblems({ start, end }: Days, years: readonly Days[]): Fault[] {
  const problems = spanProblems({ start, end });
  if (problems.length > 0 || years.length === 0) return problems;
  if (years.some((other) => start <= other.end && other.start <= end)) {
    return [{ path: 'start', reason: 'year_overlaps' }];
  }
  const isNext = years.some((other) => addDays(other.end, 1) === start);
  const isBefore = years.some((other) => addDays(end, 1) === other.start);
  if (isNext || isBefore) return [];
  return [{ path: 'start', reason: 'gap_between_years' }];
}
