/** Amounts and days as banks write them. */
import { isDate } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';

/** No voucher holds more, nor does the database of a bank row (transactions_amount_range). */
const wholeDigitsMax = 10;
const plainAmount = /^(\d{1,18})(?:\.(\d{1,5}))?$/;

/** Öre of digits with a decimal point; null when it is no amount, or has a part of an öre. */
export function readPlainAmount(text: string): Ore | null {
  const [, whole = '', decimals = ''] = plainAmount.exec(text) ?? [];
  if (whole === '' || whole.length > wholeDigitsMax) return null;
  if (!/^0*$/.test(decimals.slice(2))) return null;
  return BigInt(whole + decimals.slice(0, 2).padEnd(2, '0'));
}

export type DecimalMark = '.' | ',';

/** Between thousands: nothing, or one of these. */
const spaces = /[ \u00a0\u202f\u2009]/g;

/**
 * An amount of a CSV file whose decimal mark is known: thousands may be marked by a space, and by a point where
 * the comma marks decimals; the minus may be a real one (U+2212) and may stand last; `kr` or a currency may follow.
 * Null when it is none.
 */
export function readCsvAmount(text: string, mark: DecimalMark): Ore | null {
  let plain = text.replace(spaces, '').replaceAll('\u2212', '-').toUpperCase();
  for (const unit of ['KR', 'SEK', 'EUR']) {
    if (plain.endsWith(unit)) plain = plain.slice(0, -unit.length);
  }
  if (plain.startsWith('-') && plain.endsWith('-')) return null;
  const isNegative = plain.startsWith('-') || plain.endsWith('-');
  if (plain.startsWith('-') || plain.startsWith('+')) plain = plain.slice(1);
  if (plain.endsWith('-')) plain = plain.slice(0, -1);
  if (mark === ',') {
    const [whole = '', ...rest] = plain.split(',');
    if (whole.includes('.') && !/^\d{1,3}(\.\d{3}){1,5}$/.test(whole)) return null;
    plain = [whole.replaceAll('.', ''), ...rest].join('.');
  }
  const ore = readPlainAmount(plain);
  return ore === null || !isNegative ? ore : -ore;
}

/** The mark that an amount has; null when it has none, or one that may as well be of thousands. */
export const decimalMarkOf = (text: string): DecimalMark | null =>
  text.includes(',') ? ',' : text.includes('.') ? '.' : null;

export type DayOrder = 'ymd' | 'dmy' | 'compact';

/**
 * `2026-11-05`, `2026/11/5`, and with a time of day after; `dmy` is `05-11-2026` or `5/11/2026`, `compact` is `20261105`.
 * Null when it is no day.
 */
export function readDay(text: string, order: DayOrder = 'ymd'): string | null {
  const [given = ''] = text.trim().split(/[T ]/);
  if (order === 'compact') {
    const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(given) ?? [];
    return year !== undefined && isDate(`${year}-${month}-${date}`)
      ? `${year}-${month}-${date}`
      : null;
  }
  const parts = given.split(/[-/.]/);
  if (parts.length !== 3) return null;
  const [year = '', ...rest] = order === 'ymd' ? parts : parts.reverse();
  const day = [year, ...rest.map((part) => part.padStart(2, '0'))].join('-');
  return isDate(day) ? day : null;
}
