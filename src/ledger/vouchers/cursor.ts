/**
 * Where a page ended: the last voucher's place in the reading order. Opaque to callers and bound to
 * the filters it was made with, so that it cannot quietly continue another list.
 */
import { createHash } from 'node:crypto';
import { isDate } from '../../domain/basics/dates.ts';
import { faultOf, refuse } from '../../lib/errors.ts';

/** Which vouchers are asked for: those that fulfil all that is given. */
export interface VoucherQuery {
  /** YYYY-MM-DD, both days included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A series code. */
  readonly serie?: string | undefined;
  /** An account that a row must be on. */
  readonly konto?: number | undefined;
  readonly id?: string | undefined;
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

function fingerprint({ from, to, serie, konto, id }: VoucherQuery): string {
  return createHash('sha256')
    .update(JSON.stringify([from, to, serie, konto, id]))
    .digest('base64url')
    .slice(0, 12);
}

export function encodeCursor(query: VoucherQuery, { date, series, number }: VoucherPlace): string {
  return Buffer.from(JSON.stringify([fingerprint(query), date, series, number])).toString(
    'base64url',
  );
}

export function decodeCursor(query: VoucherQuery): VoucherPlace | undefined {
  if (query.cursor === undefined) return undefined;
  const parts = parse(query.cursor);
  const [made, date, series, number] = Array.isArray(parts) ? parts : [];
  const isPlace =
    typeof date === 'string' &&
    isDate(date) &&
    typeof series === 'string' &&
    Number.isInteger(number);
  if (!isPlace || Number(number) < 1 || Number(number) > 2_147_483_647 || series.includes('\0')) {
    throw refuseCursor('unreadable_cursor');
  }
  if (made !== fingerprint(query)) {
    throw refuseCursor('foreign_cursor');
  }
  return { date, series, number: Number(number) };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const refuseCursor = (reason: 'foreign_cursor' | 'unreadable_cursor') =>
  refuse('invalid_request', [faultOf('cursor', reason)]);
