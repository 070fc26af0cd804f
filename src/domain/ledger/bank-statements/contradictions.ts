/**
 * Where a statement tells another balance than what is known of the same moment. One of the two is then wrong, or of
 * another account, and nothing in either proves which.
 */
import { addDays } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';
import type { BankStatement } from '../bank-files/statement.ts';
import type { DaySlice } from './merging.ts';

export interface Contradiction {
  readonly day: string;
  /** Whether of what the account held as the day began, or as it ended. */
  readonly at: 'opening' | 'closing';
  readonly known: Ore;
  readonly told: Ore;
}

/** The days of a statement that has told balances: those within, neither first nor last, it has the whole of. */
export interface ToldSpan {
  readonly first: string;
  readonly last: string;
  readonly opening: Ore;
}

export interface ToldDays {
  readonly statement: Pick<BankStatement, 'opening' | 'saidFrom' | 'saidTo'>;
  /** The earliest day first. */
  readonly days: ReadonlyMap<string, { readonly slice: DaySlice }>;
}

export interface KnownBalances {
  /** Of days that statements have told of, the earliest first. */
  readonly days: readonly string[];
  readonly sliceOf: (day: string) => DaySlice | null;
  readonly spans: readonly ToldSpan[];
}

export function contradictionsOf(told: ToldDays, known: KnownBalances): readonly Contradiction[] {
  const found = new Map<string, Contradiction>();
  const hold = (day: string, at: Contradiction['at'], has: Ore | null, says: Ore | null): void => {
    if (has === null || says === null || has === says || found.has(day)) return;
    found.set(day, { day, at, known: has, told: says });
  };
  for (const [day, { slice }] of told.days) {
    const before = known.sliceOf(day);
    if (before === null) {
      const held = heldWithin(known, day);
      if (slice.isFromStart) hold(day, 'opening', held, slice.opening);
      if (slice.isToEnd) hold(day, 'closing', held, slice.closing);
    } else if (!isNext(before, slice)) {
      const [start, end] = [
        before.isFromStart && slice.isFromStart,
        before.isToEnd && slice.isToEnd,
      ];
      if (start) hold(day, 'opening', before.opening, slice.opening);
      if (end) hold(day, 'closing', before.closing, slice.closing);
    }
  }
  const days = [...told.days.keys()];
  const [first, last] = wholeDays(told.statement, days);
  if (first === null || last === null) return [...found.values()];
  const toldAt = (day: string): Ore | null => {
    const previous = days[placeOf(days, day) - 1];
    if (previous === undefined) return told.statement.opening;
    return told.days.get(previous)?.slice.closing ?? null;
  };
  for (let place = placeOf(known.days, first); place < known.days.length; place += 1) {
    const day = known.days[place] ?? last;
    if (day > last) break;
    const slice = told.days.has(day) ? null : known.sliceOf(day);
    if (slice?.isFromStart) hold(day, 'opening', slice.opening, toldAt(day));
    if (slice?.isToEnd) hold(day, 'closing', slice.closing, toldAt(day));
  }
  // Both may have days whole on which neither has rows; they tell least.
  for (const span of found.size === 0 ? known.spans : []) {
    const [, day = first] = [addDays(span.first, 1), first].sort();
    if (day > last || day >= span.last || told.days.has(day) || known.sliceOf(day)) continue;
    hold(day, 'opening', heldWithin(known, day), toldAt(day));
  }
  return [...found.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Whether one's rows begin where the other's end, as those do that the bank booked on the day afterwards. */
const isNext = (a: DaySlice, b: DaySlice): boolean =>
  ![a, b].every(({ isFromStart, isToEnd }) => isFromStart && isToEnd) &&
  ((a.closing !== null && a.closing === b.opening) ||
    (b.closing !== null && b.closing === a.opening));

/** The first and last day that a statement has the whole of, or rows of; null when it says no days and has no rows. */
function wholeDays(
  { saidFrom, saidTo }: ToldDays['statement'],
  days: readonly string[],
): readonly [string | null, string | null] {
  const [first, last] = [days[0], days.at(-1)];
  const startsBefore = saidFrom !== null && (first === undefined || saidFrom < first);
  const endsAfter = saidTo !== null && (last === undefined || saidTo > last);
  return [
    startsBefore ? addDays(saidFrom, 1) : (first ?? null),
    endsAfter ? addDays(saidTo, -1) : (last ?? null),
  ];
}

/** What the account held on a day within a known statement that has no rows of it; null when none has the day whole. */
function heldWithin({ days, sliceOf, spans }: KnownBalances, day: string): Ore | null {
  const span = spans.find(({ first, last }) => first < day && day < last);
  if (!span) return null;
  const previous = days[placeOf(days, day) - 1];
  if (previous === undefined || previous < span.first) return span.opening;
  const slice = sliceOf(previous);
  return slice?.isToEnd ? slice.closing : null;
}

/** Of sorted days, the first that is not before the day. */
export function placeOf(days: readonly string[], day: string): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? '') < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
