/**
 * Which rows of a statement are new, when others of the account are in already. Banks give rows no name of their own,
 * so equal rows are counted, day by day: of statements that overlap the larger count holds, of ones that follow each
 * other the counts add (bank-csv-facts, section 1). The balances that a day's rows begin and end with tell which; where
 * nothing proves either, that is a doubt, and a person says.
 */
import type { Ore } from '../../basics/money.ts';
import { isNamed, pairRows, type RowMarks } from './pairing.ts';

/** What is known of a day, and what a statement says of it. */
export interface DaySlice {
  /** Before the first and after the last of its rows. */
  readonly opening: Ore | null;
  readonly closing: Ore | null;
  /** Whether no row of the day can come before the first of these, or after the last. */
  readonly isFromStart: boolean;
  readonly isToEnd: boolean;
}

export interface KnownDay {
  /** Null when no statement has told of it. */
  readonly slice: DaySlice | null;
  readonly rows: readonly RowMarks[];
}

export interface ComingDay<Row extends RowMarks> {
  readonly slice: DaySlice;
  /** Oldest first. */
  readonly rows: readonly Row[];
}

/** What a person says that rows are which may be in already. */
export type EqualRows = 'new' | 'known';

export interface MergedDay<Row extends RowMarks> {
  readonly added: readonly Row[];
  readonly slice: DaySlice;
  /** How many rows may be in already and may be new; 0 when all is proved. */
  readonly doubtful: number;
}

export interface Merging {
  /** Whether the statement has been here before, by the bank's own name of it. */
  readonly isRepeated: boolean;
  readonly equalRows: EqualRows | null;
  /** Whether it tells another balance of the day than what is known, or other rows: then nothing in either proves anything. */
  readonly isContradicted: boolean;
  /** Whether it has all that is known of its days, each row by a name of its own: its balances are the later ones. */
  readonly isLater: boolean;
}

export function mergeDay<Row extends RowMarks>(
  known: KnownDay,
  coming: ComingDay<Row>,
  { isRepeated, equalRows, isContradicted, isLater }: Merging,
): MergedDay<Row> {
  // What a person typed, they read at the bank: it is the same row, whatever they called it.
  const [typed, stated] = [true, false].map((isTyped) =>
    known.rows.filter(({ format }) => (format === null) === isTyped),
  ) as [RowMarks[], RowMarks[]];
  const rows = pairRows(coming.rows, typed, 'amount').left;
  if (known.slice === null) return { added: rows, slice: coming.slice, doubtful: 0 };
  const slice = isLater
    ? superseding(known.slice, coming.slice)
    : joined(known.slice, stated, coming);
  const strict = pairRows(rows, stated, 'marks');
  const loose = pairRows(strict.left, strict.over, 'amount');
  const isWhole = isRepeated || areOne(known.slice, coming.slice);
  const common = strict.paired + loose.across;
  const isDisjoint = common === 0 && (loose.paired === 0 || !isWhole);
  if (isDisjoint) return { added: rows, slice, doubtful: 0 };
  const areNamed =
    (rows.every(isNamed) && stated.every(isNamed)) ||
    (common > 0 && common === sameNames(rows, stated));
  const proved = isContradicted ? null : relate(known.slice, stated, coming, common);
  const relation = isRepeated || areNamed ? 'overlap' : (proved ?? fromPerson(equalRows));
  if (relation === null) {
    // Balances after rows differ with the statements'.
    const doubtful = isContradicted ? strict.paired + loose.paired : common;
    return { added: [], slice: known.slice, doubtful };
  }
  if (relation === 'follow') return { added: rows, slice, doubtful: 0 };
  // Two sources, or the same one later, may have other words for a row.
  const added = isWhole || loose.across > 0 ? loose.left : strict.left;
  return { added, slice, doubtful: 0 };
}

/** How many rows are in already by the bank's own id of them, whatever else the day has. */
function sameNames(rows: readonly RowMarks[], stated: readonly RowMarks[]): number {
  const names = new Set(stated.filter(isNamed).map(({ servicerReference }) => servicerReference));
  return rows.filter((row) => isNamed(row) && names.has(row.servicerReference)).length;
}

type Relation = 'follow' | 'overlap';

const fromPerson = (equalRows: EqualRows | null): Relation | null =>
  equalRows === null ? null : equalRows === 'new' ? 'follow' : 'overlap';

/** Whether both tell of the same rows: of the whole day, or from the same balance to the same. */
export const areOne = (a: DaySlice, b: DaySlice): boolean =>
  [a, b].every(({ isFromStart, isToEnd }) => isFromStart && isToEnd) ||
  (a.opening !== null &&
    a.closing !== null &&
    a.opening !== a.closing &&
    a.opening === b.opening &&
    a.closing === b.closing);

/** How coming rows stand to the known ones of which they share some; null when nothing proves it. */
function relate(
  known: DaySlice,
  stated: readonly RowMarks[],
  { slice: coming, rows }: ComingDay<RowMarks>,
  common: number,
): Relation | null {
  const isProved =
    areOne(known, coming) ||
    (known.isFromStart && coming.isFromStart) ||
    (known.isToEnd && coming.isToEnd) ||
    // A whole day has every row that there is.
    (known.isFromStart && known.isToEnd) ||
    (coming.isFromStart && coming.isToEnd);
  if (isProved) return 'overlap';
  const { opening, closing } = coming;
  if (opening === null || closing === null || known.opening === null || known.closing === null) {
    return null;
  }
  const follows = opening === known.closing && !coming.isFromStart && !known.isToEnd;
  const precedes = closing === known.opening && !known.isFromStart && !coming.isToEnd;
  const [knownPath, path] = [pathOf(known, stated), pathOf(coming, rows)];
  const isWithin = common === rows.length && knownPath.has(opening) && knownPath.has(closing);
  const holds = common === stated.length && path.has(known.opening) && path.has(known.closing);
  const begins = isEndShared(stated, known.closing, opening) && path.has(known.closing);
  const ends = isEndShared(rows, closing, known.opening) && knownPath.has(closing);
  const overlaps = isWithin || holds || begins || ends;
  if ((follows || precedes) === overlaps) return null;
  return overlaps ? 'overlap' : 'follow';
}

/** The balances that the rows pass. */
const pathOf = (
  { opening, closing }: DaySlice,
  rows: readonly RowMarks[],
): ReadonlySet<Ore | null> =>
  new Set([opening, closing, ...rows.map(({ balanceAfter }) => balanceAfter)]);

/** Whether the later rows begin within the earlier ones, and not just where those end. */
const isEndShared = (earlier: readonly RowMarks[], closing: Ore, opening: Ore): boolean =>
  opening !== closing && earlier.some(({ balanceAfter }) => balanceAfter === opening);

/** What both tell of the day together. */
function joined(
  known: DaySlice,
  stated: readonly RowMarks[],
  { slice: coming, rows }: ComingDay<RowMarks>,
): DaySlice {
  const isFromStart = known.isFromStart || coming.isFromStart;
  const isToEnd = known.isToEnd || coming.isToEnd;
  const [knownPath, path] = [pathOf(known, stated), pathOf(coming, rows)];
  const within = (balance: Ore | null, of: ReadonlySet<Ore | null>): boolean =>
    balance !== null && of.has(balance);
  const opening = isFromStart
    ? known.isFromStart
      ? (known.opening ?? (coming.isFromStart ? coming.opening : null))
      : coming.opening
    : within(known.opening, path)
      ? coming.opening
      : within(coming.opening, knownPath)
        ? known.opening
        : null;
  const closing = isToEnd
    ? known.isToEnd
      ? (known.closing ?? (coming.isToEnd ? coming.closing : null))
      : coming.closing
    : within(known.closing, path) && !isBefore(coming, known)
      ? coming.closing
      : within(coming.closing, knownPath)
        ? known.closing
        : null;
  return { opening, closing, isFromStart, isToEnd };
}

/** What the later one tells, which has all rows of the earlier. */
const superseding = (known: DaySlice, coming: DaySlice): DaySlice => ({
  opening: coming.opening ?? known.opening,
  closing: coming.closing ?? known.closing,
  isFromStart: known.isFromStart || coming.isFromStart,
  isToEnd: known.isToEnd || coming.isToEnd,
});

/** Whether one ends where the other begins. */
const isBefore = (a: DaySlice, b: DaySlice): boolean =>
  a.closing !== null && a.closing === b.opening && a.opening !== b.closing;
