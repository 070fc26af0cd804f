/** Fiscal years follow upon each other without gaps (BFL 3 kap.). */
import type { Problem } from '../errors.ts';
import { addDays, addMonths } from './dates.ts';

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

/** What is wrong with a new year beside those there are, by the form's fields. */
export function yearProblems(
  { start, end }: Pick<YearSpan, 'start' | 'end'>,
  years: readonly Pick<YearSpan, 'start' | 'end'>[],
): Problem[] {
  const problems: Problem[] = [];
  const problem = (path: string, reason: string, message: string) =>
    problems.push({ path, reason, message });
  if (!start.endsWith('-01')) {
    problem('start', 'whole_months', 'Ett räkenskapsår börjar den första i en månad.');
  }
  if (!addDays(end, 1).endsWith('-01')) {
    problem('end', 'whole_months', 'Ett räkenskapsår slutar den sista i en månad.');
  }
  if (end <= start) problem('end', 'before_start', 'Sista dagen ligger före den första.');
  // Longer than a year only when the year is begun or changed; the law's limit is what is held here.
  else if (end >= addMonths(start, 18)) {
    problem('end', 'too_long', 'Ett räkenskapsår är högst 18 månader (BFL 3:3).');
  }
  if (problems.length > 0 || years.length === 0) return problems;
  if (years.some((other) => start <= other.end && other.start <= end)) {
    problem('start', 'overlaps', 'Dagarna hör redan till ett annat räkenskapsår.');
    return problems;
  }
  const isNext = years.some((other) => addDays(other.end, 1) === start);
  const isBefore = years.some((other) => addDays(end, 1) === other.start);
  if (!isNext && !isBefore) {
    problem(
      'start',
      'gap',
      'Räkenskapsår följer på varandra utan glapp; börja dagen efter det förra.',
    );
  }
  return problems;
}
