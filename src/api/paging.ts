/** Pages of lists: cut of what was found, and where one of what is listed by day ended. */
import { isDate } from '../domain/basics/dates.ts';
import { decodePlace, encodePlace } from '../lib/cursor.ts';
import { refuse } from '../lib/errors.ts';
import { isUuid } from '../lib/uuid.ts';

export interface Page<Item> {
  readonly data: Item[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** The page of what was found, which is one more than `limit` where there is one. */
export function cutPage<Row, Item>(
  found: readonly Row[],
  limit: number,
  {
    answer,
    cursorOf,
  }: { readonly answer: (row: Row) => Item; readonly cursorOf: (last: Row) => string },
): Page<Item> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > rows.length && last !== undefined;
  return {
    data: rows.map(answer),
    next_cursor: hasMore ? cursorOf(last) : null,
    has_more: hasMore,
  };
}

/** A place in the list: what comes after it. */
export interface DayPlace {
  readonly date: string;
  readonly id: string;
}

/** What was asked for, but for where the page begins and how long it is; in one order whatever the call's. */
export type DayFilter = Readonly<Record<string, unknown>>;

const filtersOf = (filter: DayFilter) =>
  Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));

type Parts = readonly [date: string, id: string];

const isPlace = (parts: readonly unknown[]): parts is Parts => {
  const [date, id] = parts;
  return typeof date === 'string' && isDate(date) && isUuid(id);
};

export const encodeDay = (filter: DayFilter, { date, id }: DayPlace): string =>
  encodePlace(filtersOf(filter), [date, id]);

/** Throws 400 of a cursor that cannot be read, or was made with other filters. */
export function decodeDay(filter: DayFilter, cursor: string): DayPlace {
  const [date, id] = decodePlace(filtersOf(filter), cursor, isPlace);
  return { date, id };
}

/** Throws 400 of days or months that are the wrong way round, by the names of their parameters. */
export function requireOrder(
  from: string | undefined,
  to: string | undefined,
  names: { readonly from: string; readonly to: string } = { from: 'from', to: 'to' },
): void {
  if (from === undefined || to === undefined || from <= to) return;
  const message = `${names.from} (${from}) ligger efter ${names.to} (${to}); byt plats på dem.`;
  throw refuse('invalid_request', [{ path: names.from, reason: 'after_to', message }]);
}
