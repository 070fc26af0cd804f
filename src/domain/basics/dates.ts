/**
 * Calendar arithmetic on plain `YYYY-MM-DD` strings. A booking date has no clock and no time zone,
 * so it is never a point in time; strings of this form also sort as dates do.
 */

const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const dateText = /^(\d{4})-(\d{2})-(\d{2})$/;

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * Whether the text is a real calendar day from 1900-01-01 through 9999-12-31: older is a typing
 * error in bookkeeping, and 9999-12-31 is what callers send for "no end".
 */
export function isDate(text: string): boolean {
  if (!dateText.test(text)) return false;
  const { year, month, day } = split(text);
  return year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
}

/** So far before the calendar's own end that what is counted from a day (the day after, the next year) exists. */
export const latestDay = '9989-12-31';

/** The date `days` later (earlier when negative). */
export function addDays(date: string, days: number): string {
  return fromDayNumber(dayNumber(date) + days);
}

/** The same day `months` later, or the last day of that month when it is shorter. */
export function addMonths(date: string, months: number): string {
  const { year, month, day } = split(date);
  const index = year * 12 + month - 1 + months;
  const targetYear = Math.floor(index / 12);
  const targetMonth = index - targetYear * 12 + 1;
  const targetDay = Math.min(day, monthLength(targetYear, targetMonth));
  return join({ year: targetYear, month: targetMonth, day: targetDay });
}

/** Days from `from` to `to`: 0 for the same day, negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/** 1 = Monday … 7 = Sunday (ISO 8601). */
export function dayOfWeek(date: string): number {
  return ((((dayNumber(date) + 2) % 7) + 7) % 7) + 1;
}

/** Last day of the month that a date or a `YYYY-MM` lies in. */
export function lastDayOfMonth(dateOrMonth: string): string {
  const { year, month } = split(`${monthOf(dateOrMonth)}-01`);
  return join({ year, month, day: monthLength(year, month) });
}

/** The days `from`–`to` cut before each of `starts`: stretches without gaps, in date order. */
export function cutDays(
  from: string,
  to: string,
  starts: Iterable<string>,
): { from: string; to: string }[] {
  const cuts = [...new Set([from, ...starts])].filter((day) => from <= day && day <= to).sort();
  return cuts.map((day, index) => {
    const next = cuts[index + 1];
    return { from: day, to: next === undefined ? to : addDays(next, -1) };
  });
}

/** `YYYY-MM` of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** The date with these parts; the caller vouches for the day existing. */
export function join({ year, month, day }: CalendarDay): string {
  if (year < 0 || year > 9999) throw new RangeError(`year ${year} is outside the calendar`);
  const [y, m, d] = [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day).padStart(2, '0'),
  ];
  return `${y}-${m}-${d}`;
}

/** Year, month (1–12) and day of a date. */
export function split(date: string): CalendarDay {
  return {
    year: Number(date.slice(0, 4)),
    month: Number(date.slice(5, 7)),
    day: Number(date.slice(8, 10)),
  };
}

function monthLength(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (daysPerMonth[month - 1] ?? 0);
}

/**
 * Days since 0000-03-01. Counting years from March puts the leap day last, so every month's offset
 * is the same in all years (H. Hinnant, "chrono-compatible low-level date algorithms").
 */
function dayNumber(date: string): number {
  const { year, month, day } = split(date);
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return y * 365 + leapDays + Math.floor((m * 153 + 2) / 5) + day - 1;
}

function fromDayNumber(number: number): string {
  const era = Math.floor(number / 146_097);
  const dayOfEra = number - era * 146_097;
  const shortened =
    dayOfEra -
    Math.floor(dayOfEra / 1460) +
    Math.floor(dayOfEra / 36_524) -
    Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor(shortened / 365);
  const dayOfYear =
    dayOfEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((dayOfYear * 5 + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return join({
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((m * 153 + 2) / 5) + 1,
  });
}
