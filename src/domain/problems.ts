import type { Problem } from '../errors.ts';

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
