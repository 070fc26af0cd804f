import { type Fault, type Problem, refuse } from '../../lib/errors.ts';

const faultsMax = 100;

/**
 * At most a hundred faults; a last one says how many more there are. A body of ten thousand
 * faulty rows would otherwise be answered with megabytes that nobody reads.
 */
export function capProblems<Found extends Fault | Problem>(
  faults: readonly Found[],
): (Found | Fault)[] {
  const more = faults.length - faultsMax;
  if (more <= 0) return [...faults];
  return [...faults.slice(0, faultsMax), { path: '', reason: 'more_problems', params: { more } }];
}

/** The fault of a day that has not come; none when it has. */
export function futureProblems(path: string, date: string, today: string): Fault[] {
  return date <= today ? [] : [{ path, reason: 'in_the_future', params: { date, today } }];
}

/** Throws 422 with the faults, when there are any. */
export function refuseAny(faults: readonly (Fault | Problem)[]): void {
  if (faults.length > 0) throw refuse('unprocessable', faults);
}
