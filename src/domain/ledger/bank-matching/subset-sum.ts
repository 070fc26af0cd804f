/** Which of some amounts come to a sum. */
import type { Ore } from '../../basics/money.ts';

/** More candidates give sums by chance. */
export const candidatesMax = 20;
const setMax = 8;

/**
 * The only set of two to eight amounts that comes to the sum, by their places; `several` when more than one does, or when
 * there are more than twenty candidates; null when none does. Amounts are above zero.
 */
export const onlySet = (amounts: readonly Ore[], sum: Ore): OnlySet =>
  onlyOf(
    [...amounts.entries()].filter(([, ore]) => ore > 0n && ore < sum),
    sum,
  );

/** The same of amounts of either sign: some are taken from others. */
export const onlyNetSet = (amounts: readonly Ore[], sum: Ore): OnlySet =>
  onlyOf(
    [...amounts.entries()].filter(([, ore]) => ore !== 0n),
    sum,
  );

type OnlySet = readonly number[] | 'several' | null;

function onlyOf(fitting: readonly (readonly [number, Ore])[], sum: Ore): OnlySet {
  if (fitting.length > candidatesMax) return 'several';
  // Each half has a thousand sets at most, where all of it would have a million.
  const middle = Math.ceil(fitting.length / 2);
  const bySum = Map.groupBy(setsOf(fitting.slice(0, middle)), ({ ore }) => ore);
  let found: readonly number[] | null = null;
  for (const { places, ore } of setsOf(fitting.slice(middle))) {
    for (const other of bySum.get(sum - ore) ?? []) {
      if (other.places.length + places.length > setMax) continue;
      if (found !== null) return 'several';
      found = [...other.places, ...places];
    }
  }
  return found;
}

interface AmountSet {
  readonly places: readonly number[];
  readonly ore: Ore;
}

/** All sets of some amounts that are not too large, the empty one too. */
function setsOf(amounts: readonly (readonly [number, Ore])[]): AmountSet[] {
  const sets: AmountSet[] = [{ places: [], ore: 0n }];
  for (const [place, ore] of amounts) {
    const larger = sets
      .filter(({ places }) => places.length < setMax)
      .map((set) => ({ places: [...set.places, place], ore: set.ore + ore }));
    sets.push(...larger);
  }
  return sets;
}
