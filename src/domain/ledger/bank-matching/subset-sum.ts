/** Which of some amounts come to a sum. */
import type { Ore } from '../../basics/money.ts';

/** More candidates give sums by chance. */
export const candidatesMax = 20;
const setMax = 8;
/** Sums tried for one row: beyond them it cannot be said that there is one set only. Some milliseconds at most. */
const triesMax = 20_000;

/**
 * The only set of two to eight amounts that comes to the sum, by their places; `several` when more than one does, or when
 * there are too many to say; null when none does. Amounts are above zero.
 */
export function onlySet(amounts: readonly Ore[], sum: Ore): readonly number[] | 'several' | null {
  const fitting = [...amounts.entries()].filter(([, ore]) => ore > 0n && ore < sum);
  if (fitting.length > candidatesMax) return 'several';
  // The largest first: what is left can then be given up soonest.
  fitting.sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0));
  const rests = restsOf(fitting.map(([, ore]) => ore));
  let found: readonly number[] | null = null;
  const chosen: number[] = [];
  let tries = 0;
  const search = (from: number, left: Ore): boolean => {
    if (left === 0n) {
      if (chosen.length < 2) return false;
      if (found !== null) return true;
      found = [...chosen];
      return false;
    }
    if (chosen.length === setMax) return false;
    for (let place = from; place < fitting.length; place += 1) {
      if ((rests[place] ?? 0n) < left) return false;
      const [index, ore] = fitting[place] ?? [0, 0n];
      if (ore > left) continue;
      // All that may still be chosen are no larger.
      if (ore * BigInt(setMax - chosen.length) < left) return false;
      tries += 1;
      if (tries > triesMax) return true;
      chosen.push(index);
      const isSeveral = search(place + 1, left - ore);
      chosen.pop();
      if (isSeveral) return true;
    }
    return false;
  };
  return search(0, sum) ? 'several' : found;
}

/** What all from each place on come to. */
function restsOf(amounts: readonly Ore[]): Ore[] {
  const rests: Ore[] = [];
  let sum = 0n;
  for (const ore of amounts.toReversed()) {
    sum += ore;
    rests.push(sum);
  }
  return rests.reverse();
}
