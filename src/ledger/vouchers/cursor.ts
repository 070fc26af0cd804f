/** Where a page of vouchers ended: the last one's place in the reading order. */
import { isDate } from '../../domain/basics/dates.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';

/** Which vouchers are asked for: those that fulfil all that is given. */
export interface VouchersAsked {
  /** YYYY-MM-DD, both days included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A series code. */
  readonly serie?: string | undefined;
  /** An account that a row must be on. */
  readonly konto?: number | undefined;
  readonly id?: readonly string[] | undefined;
  /** What they are called where they came from. */
  readonly externalId?: readonly string[] | undefined;
}

export interface VoucherQuery extends VouchersAsked {
  /** Vouchers a page, at most. */
  readonly limit: number;
  /** Where the page before ended, as it said. */
  readonly cursor?: string | undefined;
}

export interface VoucherPlace {
  readonly date: string;
  readonly series: string;
  readonly number: number;
}

const filtersOf = ({ from, to, serie, konto, id, externalId }: VouchersAsked) => [
  ...[from, to, serie, konto, id],
  ...(externalId === undefined ? [] : [externalId]),
];

type Parts = readonly [date: string, series: string, number: number];

const isPlace = (parts: readonly unknown[]): parts is Parts => {
  const [date, series, number] = parts;
  return (
    typeof date === 'string' &&
    isDate(date) &&
    typeof series === 'string' &&
    !series.includes('\0') &&
    Number.isInteger(number) &&
    Number(number) >= 1 &&
    Number(number) <= 2_147_483_647
  );
};

export const encodeCursor = (query: VoucherQuery, { date, series, number }: VoucherPlace): string =>
  encodePlace(filtersOf(query), [date, series, number]);

/** Throws 400 of a cursor that cannot be read, or was made with other filters. */
export function decodeCursor(query: VoucherQuery): VoucherPlace | undefined {
  if (query.cursor === undefined) return undefined;
  const [date, series, number] = decodePlace(filtersOf(query), query.cursor, isPlace);
  return { date, series, number };
}
