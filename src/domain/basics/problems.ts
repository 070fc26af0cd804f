import { type Problem, refuse } from '../../lib/errors.ts';

const problemsMax = 100;

/**
 * At most a hundred problems; a last one says how many more there are. A body of ten thousand
 * faulty rows would otherwise be answered with megabytes that nobody reads.
 */
export function capProblems(problems: readonly Problem[]): Problem[] {
  const more = problems.length - problemsMax;
  if (more <= 0) return [...problems];
  const message = `Ytterligare ${more} fel visas inte. Rätta felen ovan och försök igen.`;
  return [...problems.slice(0, problemsMax), { path: '', reason: 'more_problems', message }];
}

/** The problem of a day that has not come; none when it has. */
export function futureProblems(path: string, date: string, today: string): Problem[] {
  if (date <= today) return [];
  const message = `${date} har inte varit än; skriv dagen det hände, senast ${today}.`;
  return [{ path, reason: 'in_the_future', message }];
}

/** Throws 422 with the problems, when there are any. */
export function refuseAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw refuse('unprocessable', problems);
}
