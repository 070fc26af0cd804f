/**
 * The few functions of XPath 2.0 that the official rules are written in, with XPath's own meaning.
 * A rule that XPath could not compute (a number that is none, two values where one is needed) cannot
 * be said to hold: it throws Uncomputable, which the walker reports as that rule being broken.
 */
import { type Decimal, parseDecimal, trimBlanks } from './decimal.ts';
import { quote } from './finding.ts';
import type { XmlElement } from './xml/tree.ts';

/** The message names what could not be computed with, to follow "Här står". */
export class Uncomputable extends Error {}

const doubleLexical = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const blanks = /[ \t\r\n]+/g;
const needsNormalizing = /^[ \t\r\n]|[ \t\r\n]$|[\t\r\n]|[ ]{2}/;

/** normalize-space(): single blanks inside, none at the ends. */
export function normalizeSpace(text: string | undefined): string {
  if (text === undefined) return '';
  return needsNormalizing.test(text) ? trimBlanks(text).replace(blanks, ' ') : text;
}

/** normalize-space() of the first element at a path; '' when there is none. */
export function textAt(element: XmlElement, path: string): string {
  return normalizeSpace(element.valueOf(path));
}

/** string-length(substring-after(text, '.')): how many characters follow the first point. */
export function lengthAfterPoint(text: string | undefined): number {
  if (text === undefined) return 0;
  const point = text.indexOf('.');
  return point < 0 ? 0 : [...text.slice(point + 1)].length;
}

/** string-length(): characters, not UTF-16 units. */
export function lengthOf(text: string): number {
  return text.length < 2 || !/[\ud800-\udfff]/.test(text) ? text.length : [...text].length;
}

/** number(): NaN when the text is no number. */
export function number(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  const trimmed = trimBlanks(text);
  if (doubleLexical.test(trimmed)) return Number(trimmed);
  if (trimmed === 'INF') return Number.POSITIVE_INFINITY;
  return trimmed === '-INF' ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** Comparing a text with a number casts it to xs:double: throws where number() gives NaN. */
export function double(text: string): number {
  const value = number(text);
  if (Number.isNaN(value) && trimBlanks(text) !== 'NaN') throw new Uncomputable(quote(text));
  return value;
}

/** Whether any of the elements, as a number, fulfils a comparison; none does when there are none. */
export function anyDouble(
  elements: readonly XmlElement[],
  holds: (value: number) => boolean,
): boolean {
  return elements.some((element) => holds(double(element.value)));
}

/** xs:decimal() of a text. Throws Uncomputable. */
export function toDecimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (!value) throw new Uncomputable(quote(text));
  return value;
}

/** xs:decimal() of the one element at a path; null when there is none. Throws Uncomputable. */
export function decimalAt(element: XmlElement, path: string): Decimal | null {
  const only = element.only(path);
  if (only === null) throw new Uncomputable(`två ${path}`);
  return only ? toDecimal(only.value) : null;
}

/** The text as xs:boolean (true, 1, false, 0), or undefined. */
export function boolean(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  const trimmed = trimBlanks(text);
  if (trimmed === 'true' || trimmed === '1') return true;
  return trimmed === 'false' || trimmed === '0' ? false : undefined;
}

const dateLexical =
  /^(-?(?:[1-9][0-9]{4,}|[0-9]{4}))-(0[1-9]|1[0-2])-([0-9]{2})(Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?$/;

/** The instant, in minutes, at which an xs:date begins (a date without zone counts as UTC), or null. */
function dateMinutes(text: string): number | null {
  const match = dateLexical.exec(trimBlanks(text));
  if (!match) return null;
  const [, year_text = '', month_text = '', day_text = '', zone = 'Z'] = match;
  const [year, month, day] = [Number(year_text), Number(month_text), Number(day_text)];
  if (year === 0 || Math.abs(year) > 99_999 || day < 1 || day > daysIn(year, month)) return null;
  return daysSince(year, month, day) * 1440 - zoneMinutes(zone);
}

/** castable as xs:date. */
export const isDate = (text: string): boolean => dateMinutes(text) !== null;

/** xs:date(): throws Uncomputable when the text is no date. */
export function date(text: string): number {
  const minutes = dateMinutes(text);
  if (minutes === null) throw new Uncomputable(quote(text));
  return minutes;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from a fixed day in the Gregorian calendar (counting from March makes leap days come last). */
function daysSince(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  const leap_days = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leap_days + Math.floor((153 * m + 2) / 5) + day;
}

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}
