/** Numbers and dates as Swedish writes them: on pages, on paper and in sentences. Amounts are in öre. */
import { groupDigits, minus, nbsp, withoutTrailing } from './digits.ts';

/** `1 234,50 kr`, with spaces that do not break and a real minus. */
export function formatKronor(ore: bigint): string {
  const magnitude = ore < 0n ? -ore : ore;
  const kronor = groupDigits(String(magnitude / 100n));
  const decimals = String(magnitude % 100n).padStart(2, '0');
  return `${ore < 0n ? minus : ''}${kronor},${decimals}${nbsp}kr`;
}

/** `1 234,50`, for a column whose head says kr. */
export function amountText(ore: bigint): string {
  return formatKronor(ore).slice(0, -`${nbsp}kr`.length);
}

/** `1 234,5` of a value scaled by 10 000, with at least so many decimals and no zeros beyond them. */
export function decimalText(valueE4: bigint, least = 0): string {
  const digits = String(valueE4 < 0n ? -valueE4 : valueE4).padStart(5, '0');
  const whole = groupDigits(digits.slice(0, -4));
  const fraction = withoutTrailing(digits.slice(-4), '0').padEnd(least, '0');
  return `${valueE4 < 0n ? minus : ''}${whole}${fraction && `,${fraction}`}`;
}

const months = [
  'januari',
  'februari',
  'mars',
  'april',
  'maj',
  'juni',
  'juli',
  'augusti',
  'september',
  'oktober',
  'november',
  'december',
] as const;

/** `3 mars 2026` from an ISO date, for prose; tables show the ISO date itself. */
export function dayInWords(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}

/** `mars 2026` from a month (`2026-03`) or a date in it. */
export function monthInWords(date: string): string {
  const [year = '', month = ''] = date.split('-');
  return `${months[Number(month) - 1]} ${year}`;
}
