/**
 * Where a statement tells another balance than what is known of the same moment, or other rows of the same days. One of
 * the two is then wrong, or of another account, and nothing in either proves which.
 */
import { addDays } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';
import type { BankStatement } from '../bank-files/statement.ts';
import { areOne, type ComingDay, type DaySlice, type KnownDay } from './merging.ts';
import { isNamed, pairRows, type RowMarks } from './pairing.ts';

export interface BalanceContradiction {
  readonly day: string;
  /** Whether of what the account held as the day began, or as it ended. */
  readonly at: 'opening' | 'closing';
  readonly known: Ore;
  readonly told: Ore;
}

/** A day of which each has rows that the other lacks, though each has the whole of it or of another such day. */
export interface RowsContradiction {
  readonly day: string;
  readonly at: 'rows';
}

export type Contradiction = BalanceContradiction | RowsContradiction;

/** The days of a statement: those within, neither first nor last, it has the whole of. */
export interface ToldSpan {
  readonly first: string;
  readonly last: string;
  /** Null when it has no balances. */
  readonly opening: Ore | null;
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

export function balanceContradictions(
  told: ToldDays,
  known: KnownBalances,
): readonly BalanceContradiction[] {
  const found = new Map<string, BalanceContradiction>();
  const hold = (
    day: string,
    at: BalanceContradiction['at'],
    has: Ore | null,
    says: Ore | null,
  ): void => {
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
  const span = spans.find(
    ({ first, last, opening }) => opening !== null && first < day && day < last,
  );
  if (!span) return null;
  const previous = days[placeOf(days, day) - 1];
  if (previous === undefined || previous < span.first) return span.opening;
  const slice = sliceOf(previous);
  return slice?.isToEnd ? slice.closing : null;
}

export interface ToldRows {
  readonly statement: ToldDays['statement'];
  readonly days: ReadonlyMap<string, ComingDay<RowMarks>>;
}

export interface KnownRows {
  readonly days: ReadonlyMap<string, KnownDay>;
  /** Of further days, whose rows are not at hand. */
  readonly told: ReadonlyMap<string, DaySlice>;
  readonly spans: readonly ToldSpan[];
}

/**
 * Where each has rows that the other lacks of days it has the whole of. Fewer rows on one side alone are no
 * contradiction: banks book late, and lists are cut.
 */
export function rowContradictions(
  { statement, days }: ToldRows,
  known: KnownRows,
): readonly RowsContradiction[] {
  const [onlyTold, onlyKnown] = [new Set<string>(), new Set<string>()];
  for (const [day, coming] of days) {
    const of = known.days.get(day) ?? { slice: null, rows: [] };
    const [has, lacks] = differences(of, coming);
    if (has === 0 && lacks === 0) continue;
    if (of.slice !== null && isNext(of.slice, coming.slice)) continue;
    const isMutual = has > 0 && lacks > 0 && of.slice !== null && areBound(of.slice, coming.slice);
    const isKnownWhole = of.slice === null ? isWithin(known.spans, day) : isWhole(of.slice);
    if (has > 0 && (isKnownWhole || isMutual)) onlyTold.add(day);
    if (lacks > 0 && (isWhole(coming.slice) || isMutual)) onlyKnown.add(day);
  }
  if (onlyTold.size > 0) {
    const [first, last] = wholeDays(statement, [...days.keys()]);
    const stated = [...known.days].flatMap(([day, { slice }]) => (slice === null ? [] : day));
    for (const day of [...stated, ...known.told.keys()]) {
      if (first === null || last === null || day < first || day > last) continue;
      if (!days.has(day)) onlyKnown.add(day);
    }
  }
  if (onlyTold.size === 0 || onlyKnown.size === 0) return [];
  return [...new Set([...onlyTold, ...onlyKnown])].sort().map((day) => ({ day, at: 'rows' }));
}

const isWhole = ({ isFromStart, isToEnd }: DaySlice): boolean => isFromStart && isToEnd;

const isWithin = (spans: readonly ToldSpan[], day: string): boolean =>
  spans.some(({ first, last }) => first < day && day < last);

/** Whether all rows of one must be among those of the other: they begin or end alike, or come to the same. */
const areBound = (a: DaySlice, b: DaySlice): boolean =>
  (a.isFromStart && b.isFromStart) || (a.isToEnd && b.isToEnd) || areOne(a, b);

/** How many rows the coming day has that the known one lacks, and the other way. Rows with names of their own prove themselves. */
function differences(known: KnownDay, { rows }: ComingDay<RowMarks>): readonly [number, number] {
  const [typed, stated] = [true, false].map((isTyped) =>
    known.rows.filter(({ format }) => (format === null) === isTyped),
  ) as [RowMarks[], RowMarks[]];
  if (rows.every(isNamed) && stated.every(isNamed)) return [0, 0];
  const all = pairRows(rows, stated, 'amount');
  return [pairRows(all.left, typed, 'amount').left.length, all.over.length];
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
