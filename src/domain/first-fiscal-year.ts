/** What a company's first fiscal year may be (BFL 3 kap.). */

import type { Problem } from '../errors.ts';
import { addDays, addMonths, isDate, lastDayOfMonth } from './dates.ts';

/** A year at most, but for the first, which may be prolonged to this. */
const months_max = 18;

/**
 * What is wrong with a company's first fiscal year, by the name of the part; none when it is lawful: whole
 * months, at most eighteen of them, and for a sole trader (an organisation number that is a personal
 * identity number) ending with the calendar year (BFL 3:1, 3:3).
 */
export function firstYearProblems(
  { start, end }: { readonly start: string; readonly end: string },
  organizationNumber: string | null,
): Problem[] {
  const problem = (path: 'start' | 'end', reason: string, message: string): Problem[] => [
    { path, reason, message },
  ];
  if (!isDate(start)) return problem('start', 'wrong_format', 'Skriv ett datum, ÅÅÅÅ-MM-DD.');
  if (!isDate(end)) return problem('end', 'wrong_format', 'Skriv ett datum, ÅÅÅÅ-MM-DD.');
  if (!start.endsWith('-01')) {
    return problem('start', 'not_first_of_month', 'Ett räkenskapsår börjar den första i en månad.');
  }
  if (end !== lastDayOfMonth(end)) {
    return problem('end', 'not_last_of_month', 'Ett räkenskapsår slutar den sista i en månad.');
  }
  if (end < start) return problem('end', 'before_start', 'Året slutar innan det börjar.');
  if (end > addDays(addMonths(start, months_max), -1)) {
    return problem(
      'end',
      'too_long',
      'Ett räkenskapsår är tolv månader; det första får vara upp till arton (BFL 3 kap.).',
    );
  }
  if (isPerson(organizationNumber) && !end.endsWith('-12-31')) {
    return problem(
      'end',
      'not_calendar_year',
      'En enskild näringsidkare har kalenderår: året slutar den 31 december (BFL 3 kap. 1 §).',
    );
  }
  return [];
}

/** The third digit of an organisation number is at least 2, that of a personal identity number below. */
const isPerson = (number: string | null): boolean => number !== null && Number(number[2]) < 2;
