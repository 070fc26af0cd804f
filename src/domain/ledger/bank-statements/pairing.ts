/** Rows of two sources that are, or may be, the same: each with one other, and as many as can be. */
import type { Ore } from '../../basics/money.ts';

/** What tells rows of one day and amount apart. */
export interface RowMarks {
  readonly amount: Ore;
  /** Of which format: `csv.seb`, `camt.053`. Null of what a person typed. */
  readonly format: string | null;
  readonly text: string;
  readonly reference: string | null;
  readonly servicerReference: string | null;
  /** Of the account after the row: by the bank, or by the order of the statement's rows. */
  readonly balanceAfter: Ore | null;
}

export interface Pairing<Row, Known> {
  readonly paired: number;
  /** Of the pairs, those whose rows are of different formats. */
  readonly across: number;
  /** What has no other: of the coming rows, and of the known ones. */
  readonly left: readonly Row[];
  readonly over: readonly Known[];
}

/**
 * By `marks` rows of one format are the same when all agrees that both say; of two formats, whose words differ, when
 * one text begins as the other or the bank's own reference is the same. By `amount` nothing else is asked for, but that
 * two whose names are theirs alone do not have different ones.
 */
export function pairRows<Row extends RowMarks, Known extends RowMarks>(
  rows: readonly Row[],
  known: readonly Known[],
  by: 'marks' | 'amount',
): Pairing<Row, Known> {
  if (known.length === 0) return { paired: 0, across: 0, left: rows, over: known };
  const waiting = Map.groupBy(known, ({ amount }) => amount);
  const left: Row[] = [];
  let across = 0;
  const take = (row: Row, tries: readonly ((one: Known) => boolean)[]): boolean => {
    const candidates = waiting.get(row.amount) ?? [];
    for (const fits of tries) {
      const place = candidates.slice(0, triesMax).findIndex(fits);
      const [found] = place < 0 ? [] : candidates.splice(place, 1);
      if (found === undefined) continue;
      if (found.format !== row.format) across += 1;
      return true;
    }
    return false;
  };
  for (const row of rows) {
    const tries =
      by === 'amount' ? triesByAmount(row) : [isSameIn(row), (one: Known) => isLike(row, one)];
    if (!take(row, tries)) left.push(row);
  }
  const over = [...waiting.values()].flat();
  return { paired: rows.length - left.length, across, left, over };
}

/** What programs send by the API, where the bank's own name of a row is its alone. */
export const postedFormat = 'api';

/** Whether the row has a name that no other has. */
export const isNamed = ({ format, servicerReference }: RowMarks): boolean =>
  format === postedFormat && servicerReference !== null;

const triesByAmount = (row: RowMarks): ((one: RowMarks) => boolean)[] =>
  isNamed(row)
    ? [(one) => isNamed(one) && one.servicerReference === row.servicerReference, isUnnamed]
    : [() => true];

const isUnnamed = (row: RowMarks): boolean => !isNamed(row);

const isSameIn = (row: RowMarks) =>
  isNamed(row)
    ? (one: RowMarks): boolean =>
        isNamed(one) ? one.servicerReference === row.servicerReference : hasSameMarks(row, one)
    : (one: RowMarks): boolean => hasSameMarks(row, one);

const hasSameMarks = (row: RowMarks, one: RowMarks): boolean =>
  one.format === row.format &&
  one.text === row.text &&
  agree(one.reference, row.reference) &&
  agree(one.servicerReference, row.servicerReference) &&
  agree(one.balanceAfter, row.balanceAfter);

const agree = <Mark>(a: Mark | null, b: Mark | null): boolean =>
  a === null || b === null || a === b;

/** Of a thousand equal amounts a day nobody can tell by their words. */
const triesMax = 1_000;

/** Shorter texts begin as too many others. */
const prefixMin = 3;

/** Of two formats: banks cut texts, and say more in one than in another (`TIC`, `TIC  BG 0000005786439`). */
function isLike(a: RowMarks, b: RowMarks): boolean {
  if (a.format === b.format) return false;
  if (a.servicerReference !== null && a.servicerReference === b.servicerReference) return true;
  const [short = '', long = ''] = [fold(a.text), fold(b.text)].sort((x, y) => x.length - y.length);
  return short.length >= prefixMin && long.startsWith(short);
}

const fold = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
