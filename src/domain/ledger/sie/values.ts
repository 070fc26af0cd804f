/** What the fields of a post hold, out of their words. */
import { isDate } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';
import type { FieldKind, SieObject } from './posts.ts';
import type { SieField } from './syntax.ts';

/** Why a field cannot be used; `decimals` is of amounts, which have two at most. */
export type ValueFault = 'missing' | 'unreadable' | 'decimals';

export interface Read<Value> {
  readonly value: Value;
  readonly fault?: ValueFault;
  /** It could be read, but is not written as the format asks. */
  readonly isLoose?: boolean;
}

const amountText = /^([+-]?)(\d*)(?:([.,])(\d*))?$/;

/** `-1063.5` in öre. A decimal comma, a plus sign and a missing zero are understood, and told of. */
export function readAmount(text: string): Read<Ore> {
  if (text === '') return { value: 0n, fault: 'missing' };
  const match = text.length > 40 ? null : amountText.exec(text);
  const [, sign = '', whole = '', point = '.', fraction = ''] = match ?? [];
  if (!match || whole + fraction === '') return { value: 0n, fault: 'unreadable' };
  const cents = fraction.slice(0, 2).padEnd(2, '0');
  const magnitude = BigInt(whole + cents);
  const value = sign === '-' ? -magnitude : magnitude;
  // Three digits after a comma may as well be thousands.
  if (point === ',' && fraction.length > 2) return { value, fault: 'unreadable' };
  if (/[1-9]/.test(fraction.slice(2))) return { value, fault: 'decimals' };
  const isLoose = sign === '+' || point === ',' || whole === '' || fraction.length > 2;
  return isLoose ? { value, isLoose } : { value };
}

/** `20260131` as `2026-01-31`. */
export function readDate(text: string): Read<string> {
  if (text === '') return { value: '', fault: 'missing' };
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return /^\d{8}$/.test(text) && isDate(date)
    ? { value: date }
    : { value: '', fault: 'unreadable' };
}

function readPeriod(text: string): Read<string> {
  const day = readDate(`${text}01`);
  return { ...day, value: day.value.slice(0, 7) };
}

function readYear(text: string): Read<number> {
  return /^(0|-[1-9]\d?)$/.test(text)
    ? { value: Number(text) }
    : { value: 0, fault: text === '' ? 'missing' : 'unreadable' };
}

function readQuantity(text: string): Read<string | null> {
  if (text === '') return { value: null };
  return text.length <= 40 && /^-?\d+(\.\d+)?$/.test(text)
    ? { value: text }
    : { value: null, fault: 'unreadable' };
}

/** `{1 "100" 6 "P1"}`: dimension and object in pairs. */
function readObjects(words: readonly string[]): Read<readonly SieObject[]> {
  const objects: SieObject[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [dimension = '', code = ''] = words.slice(at, at + 2);
    if (dimension !== '' && code !== '') objects.push({ dimension, code });
  }
  const isWhole = 2 * objects.length === words.length;
  return isWhole ? { value: objects } : { value: objects, fault: 'unreadable' };
}

/** The value of a field of the kind; of one that is not there, what stands for nothing. */
export function readValue(kind: FieldKind, field: SieField | undefined): Read<unknown> {
  if (kind === 'objects') return readObjects(typeof field === 'object' ? field : []);
  // A list where a word should be is no word.
  const text = typeof field === 'string' ? field : '';
  switch (kind) {
    case 'code': {
      const value = text.trim();
      return value === '' ? { value, fault: 'missing' } : { value };
    }
    case 'code?':
      return { value: text.trim() };
    case 'text':
      return { value: text };
    case 'date':
      return readDate(text);
    case 'date?': {
      const { value, fault } = readDate(text);
      return fault === 'unreadable'
        ? { value: null, fault }
        : { value: value === '' ? null : value };
    }
    case 'period':
      return readPeriod(text);
    case 'year':
      return readYear(text);
    case 'amount':
      return readAmount(text);
    case 'quantity?':
      return readQuantity(text);
  }
}
