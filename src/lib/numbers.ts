/** Amounts, numbers and dates as whoever reads the page writes them. Amounts are in öre, dates ISO. */
import { groupDigits, minus, nbsp } from './digits.ts';
import { language } from './language.ts';
import * as swedish from './swedish.ts';

/** A number as Swedish has it, in the language that is spoken: `1,234.50` of `1 234,50`. */
export const numberText = (text: string): string =>
  language() === 'sv' ? text : text.replace(/[ \u00a0,]/g, (sign) => (sign === ',' ? '.' : ','));

/** `1 234,50 kr`; in English `SEK 1,234.50`. */
export function kronorText(ore: bigint): string {
  if (language() === 'sv') return swedish.formatKronor(ore);
  return `${ore < 0n ? minus : ''}SEK${nbsp}${amountText(ore < 0n ? -ore : ore)}`;
}

/** `1 234,50`, for a column whose head says kr. */
export const amountText = (ore: bigint): string => numberText(swedish.amountText(ore));

/** `1 234,5` of a value scaled by 10 000, with at least so many decimals and no zeros beyond them. */
export const decimalText = (valueE4: bigint, least = 0): string =>
  numberText(swedish.decimalText(valueE4, least));

/** Whole numbers, with something between the thousands. */
export const count = (value: number | bigint): string =>
  value < 0 ? `-${count(-value)}` : numberText(groupDigits(String(value)));

/** Made when it is needed: the first of its kind takes 20 ms of every start. */
let englishMonth: Intl.DateTimeFormat | undefined;

function englishMonthInWords(date: string): string {
  englishMonth ??= new Intl.DateTimeFormat('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return englishMonth.format(new Date(`${date.slice(0, 7)}-01`));
}

/** `mars 2026` from a month (`2026-03`) or a date in it. */
export const monthInWords = (date: string): string =>
  language() === 'sv' ? swedish.monthInWords(date) : englishMonthInWords(date);

/** `3 mars 2026` from an ISO date, for prose; tables show the ISO date itself. */
export const dayInWords = (date: string): string =>
  language() === 'sv' ? swedish.dayInWords(date) : `${Number(date.slice(8))} ${monthInWords(date)}`;
