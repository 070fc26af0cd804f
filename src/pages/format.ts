/** Values as a person reads them, in Swedish. */
import { groupDigits, withoutTrailing } from '../domain/basics/digits.ts';
import { formatKronor, type Ore } from '../domain/basics/money.ts';

/** `1 234,50 kr`, with spaces that do not break. */
export const kronor = (ore: Ore): string => formatKronor(ore);

/** The same without the unit, for tables whose head has it; nothing for nothing when told so. */
export const amountText = (ore: Ore): string => formatKronor(ore).replace(/\skr$/u, '');
export const amountOrEmpty = (ore: Ore): string => (ore === 0n ? '' : amountText(ore));

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

/** `2026-11-21 10:38` in the installation's time zone. */
export { momentOf as moment } from '../lib/clock.ts';

/** A quantity or unit price in ten-thousandths, as short as it goes: `1,5`. */
export function e4Text(valueE4: bigint): string {
  const digits = (valueE4 < 0n ? -valueE4 : valueE4).toString().padStart(5, '0');
  const whole = groupDigits(digits.slice(0, -4));
  const fraction = withoutTrailing(digits.slice(-4), '0');
  return `${valueE4 < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `,${fraction}`}`;
}

/** A unit price in ten-thousandths of a krona, with the öre and what is finer: `48 900,00`, `0,1234`. */
export function priceText(valueE4: bigint): string {
  const [kronor = '', fraction = ''] = e4Text(valueE4).split(',');
  return `${kronor},${fraction.padEnd(2, '0')}`;
}

/** Whole numbers with spaces between the thousands. */
export const count = (value: number | bigint): string =>
  value < 0 ? `-${count(-value)}` : groupDigits(String(value));
