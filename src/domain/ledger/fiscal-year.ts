/** Fiscal years follow upon each other without gaps (BFL 3 kap.). */
import type { Problem } from '../../lib/errors.ts';
import { addDays, addMonths, isDate } from '../basics/dates.ts';
import { isPersonalNumber } from '../basics/identifiers.ts';

export interface YearSpan {
  /** The calendar year in which it ends. */
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

/** A year is twelve, but the first, and one that is changed, may be prolonged to this (BFL 3:3). */
const monthsMax = 18;
/** So far before the calendar's own end (`isDate`) that the day after a year, and the next year, exist. */
const lastDay = '9989-12-31';

const problem = (path: 'start' | 'end', reason: string, message: string): Problem => ({
  path,
  reason,
  message,
});

/** What is wrong with a year by itself, by the name of the part: whole months, at most eighteen. */
function spanProblems({ start, end }: Days): Problem[] {
  const unread = Object.entries({ start, end }).filter(([, date]) => !isDate(date));
  if (unread.length > 0) {
    const message = 'Skriv ett datum, ÅÅÅÅ-MM-DD.';
    return unread.map(([path]) => problem(path as 'start' | 'end', 'wrong_format', message));
  }
  const late = Object.entries({ start, end }).filter(([, date]) => date > lastDay);
  if (late.length > 0) {
    const message = `Välj en dag till och med ${lastDay}.`;
    return late.map(([path]) => problem(path as 'start' | 'end', 'out_of_range', message));
  }
  const problems: Problem[] = [];
  if (!start.endsWith('-01')) {
    const message = 'Ett räkenskapsår börjar den första i en månad.';
    problems.push(problem('start', 'whole_months', message));
  }
  if (!addDays(end, 1).endsWith('-01')) {
    const message = 'Ett räkenskapsår slutar den sista i en månad.';
    problems.push(problem('end', 'whole_months', message));
  }
  if (end <= start) {
    problems.push(problem('end', 'before_start', 'Sista dagen ligger före den första.'));
  } else if (end >= addMonths(start, monthsMax)) {
    const message =
      'Ett räkenskapsår är tolv månader; det första, och ett som läggs om, får vara upp till arton (BFL 3 kap. 3 §).';
    problems.push(problem('end', 'too_long', message));
  }
  return problems;
}

/**
 * What is wrong with a company's first fiscal year; a sole trader's (an organisation number that is a
 * personal identity number) also ends with the calendar year (BFL 3:1).
 */
export function firstYearProblems(days: Days, organizationNumber: string | null): Problem[] {
  const problems = spanProblems(days);
  if (problems.length > 0 || !isPerson(organizationNumber) || days.end.endsWith('-12-31')) {
    return problems;
  }
  const message =
    'En enskild näringsidkare har kalenderår: året slutar den 31 december (BFL 3 kap. 1 §).';
  return [problem('end', 'not_calendar_year', message)];
}

const isPerson = (number: string | null): boolean => number !== null && isPersonalNumber(number);

/** What is wrong with a new year beside those there are. */
export function yearProblems({ start, end }: Days, years: readonly Days[]): Problem[] {
  const problems = spanProblems({ start, end });
  if (problems.length > 0 || years.length === 0) return problems;
  if (years.some((other) => start <= other.end && other.start <= end)) {
    return [problem('start', 'overlaps', 'Dagarna hör redan till ett annat räkenskapsår.')];
  }
  const isNext = years.some((other) => addDays(other.end, 1) === start);
  const isBefore = years.some((other) => addDays(end, 1) === other.start);
  if (isNext || isBefore) return [];
  const message = 'Räkenskapsår följer på varandra utan glapp; börja dagen efter det förra.';
  return [problem('start', 'gap', message)];
}
