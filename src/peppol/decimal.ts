/**
 * Exact decimal numbers, as the official rules compute them (xs:decimal): an integer and how many
 * of its digits stand after the decimal point. Never floating point.
 */
import { withoutTrailing } from '../lib/digits.ts';

export interface Decimal {
  readonly units: bigint;
  /** Digits after the decimal point. */
  readonly scale: number;
}

/** No amount needs more digits; a longer one would only cost time. */
const digitsMax = 64;
const lexical = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;
const powers: readonly bigint[] = Array.from({ length: digitsMax * 4 }, (_, n) => 10n ** BigInt(n));

export const zero: Decimal = { units: 0n, scale: 0 };
export const one: Decimal = { units: 1n, scale: 0 };
export const hundred: Decimal = { units: 100n, scale: 0 };

/** The number a text writes (xs:decimal, blanks around it allowed), or null when it is none. */
export function parseDecimal(text: string): Decimal | null {
  const trimmed = trimBlanks(text);
  if (trimmed.length > digitsMax || !lexical.test(trimmed)) return null;
  const point = trimmed.indexOf('.');
  if (point < 0) return { units: BigInt(unsigned(trimmed)), scale: 0 };
  const digits = trimmed.slice(0, point) + trimmed.slice(point + 1);
  return { units: BigInt(unsigned(digits)), scale: trimmed.length - point - 1 };
}

/** Whether a text writes a number, without reading it. */
export function isDecimal(text: string): boolean {
  const trimmed = trimBlanks(text);
  return trimmed.length <= digitsMax && lexical.test(trimmed);
}

// BigInt() takes a minus sign but no plus sign.
const unsigned = (digits: string): string => (digits[0] === '+' ? digits.slice(1) : digits);

/** A number written in our own code. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (!value) throw new Error(`Not a decimal number: ${text}`);
  return value;
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

function negate(a: Decimal): Decimal {
  return { units: -a.units, scale: a.scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** Divided by a power of ten: exact. */
export function shift(a: Decimal, digits: number): Decimal {
  return { units: a.units, scale: a.scale + digits };
}

/** Division is cut off somewhere; the processors of the official rules keep 18 decimals. */
const divisionScale = 18;

/** The quotient, to 18 decimals; a remainder of exactly a half is dropped. The divisor is not 0. */
export function divide(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(divisionScale, a.scale, b.scale);
  const negative = a.units < 0n !== b.units < 0n;
  const dividend = absolute(a).units * power(scale + b.scale - a.scale);
  const divisor = absolute(b).units;
  const quotient = dividend / divisor;
  const units = (dividend - quotient * divisor) * 2n > divisor ? quotient + 1n : quotient;
  return { units: negative ? -units : units, scale };
}

export function absolute(a: Decimal): Decimal {
  return a.units < 0n ? negate(a) : a;
}

/** Below 0, 0 or above 0 as a is less than, equal to or greater than b. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = unitsAt(a, scale);
  const right = unitsAt(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

export const equals = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;

/** Rounded to that many decimals; halves go towards plus infinity, as XPath's round() does. */
export function round(a: Decimal, scale: number): Decimal {
  if (a.scale <= scale) return a;
  const divisor = power(a.scale - scale);
  const shifted = a.units * 2n + divisor;
  const doubled = divisor * 2n;
  // BigInt division cuts towards zero; rounding needs the floor.
  const cut = shifted / doubled;
  const is_below = shifted < 0n && cut * doubled !== shifted;
  return { units: is_below ? cut - 1n : cut, scale };
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = zero;
  for (const value of values) total = add(total, value);
  return total;
}

/** Without needless zeroes, so that equal numbers are written alike: 25.00 → 25. */
export function format(a: Decimal): string {
  const digits = absolute(a)
    .units.toString()
    .padStart(a.scale + 1, '0');
  const whole = digits.slice(0, digits.length - a.scale);
  const fraction = withoutTrailing(digits.slice(digits.length - a.scale), '0');
  const sign = a.units < 0n ? '-' : '';
  return sign + whole + (fraction ? `.${fraction}` : '');
}

function unitsAt(a: Decimal, scale: number): bigint {
  return a.scale === scale ? a.units : a.units * power(scale - a.scale);
}

const power = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

const isBlankCode = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Without XML's four blanks at the ends. By hand: a pattern would try every run of blanks inside. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlankCode(text.charCodeAt(start))) start += 1;
  while (end > start && isBlankCode(text.charCodeAt(end - 1))) end -= 1;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Whether a text is nothing but XML's blanks. */
export function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (!isBlankCode(text.charCodeAt(i))) return false;
  return true;
}
