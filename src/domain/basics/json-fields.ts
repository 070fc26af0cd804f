/**
 * Reads the members of a JSON object one by one and gathers every fault on the way. A faulty member
 * yields a stand-in (empty text, zero), so what was read may only be used when `problems` is empty.
 */
import type { Fault, Reasoned } from '../../lib/errors.ts';
import { isDate } from './dates.ts';
import { maxAmountOre, oreToNumber, parseDecimal } from './money.ts';

const maxNumber = oreToNumber(maxAmountOre);

/** What a member should have been. */
export type ExpectedKind = 'text' | 'boolean' | 'date' | 'number' | 'object' | 'list';

export class JsonFields {
  readonly problems: Fault[];
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(members: Readonly<Record<string, unknown>>, path = '', problems: Fault[] = []) {
    this.#members = members;
    this.#path = path;
    this.problems = problems;
  }

  /** Absent, null and empty text are all "not given": shops send each of them. */
  has(name: string): boolean {
    const value = this.#members[name];
    return value !== undefined && value !== null && value !== '';
  }

  text(name: string, lengthMax: number): string {
    const value = this.#members[name];
    if (typeof value !== 'string') return this.#wrongType(name, 'text', '');
    if (value.trim() === '')
      return this.#refuse(name, { reason: 'required', params: { expected: 'text' } }, '');
    if (lengthOf(value) > lengthMax) {
      return this.#refuse(name, { reason: 'too_long', params: { lengthMax } }, '');
    }
    return value;
  }

  optionalText(name: string, lengthMax: number): string | null {
    const value = this.#members[name];
    const isBlank = typeof value === 'string' && value.trim() === '';
    return this.has(name) && !isBlank ? this.text(name, lengthMax) : null;
  }

  /** A text of at most that length, trimmed; anything else is as if it were not given. */
  textIfAny(name: string, lengthMax: number): string | null {
    const value = this.#members[name];
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || lengthOf(text) > lengthMax ? null : text;
  }

  boolean(name: string): boolean {
    const value = this.#members[name];
    return typeof value === 'boolean' ? value : this.#wrongType(name, 'boolean', false);
  }

  date(name: string): string {
    const value = this.#members[name];
    if (typeof value !== 'string') return this.#wrongType(name, 'date', '');
    return isDate(value) ? value : this.#refuse(name, { reason: 'invalid_date' }, '');
  }

  optionalDate(name: string): string | null {
    return this.has(name) ? this.date(name) || null : null;
  }

  number(name: string): number {
    const value = this.#members[name];
    return typeof value === 'number' ? value : this.#wrongType(name, 'number', 0);
  }

  /**
   * A number as a bigint scaled by 10^scale, at most 9 999 999 999,99 either way. Minus zero counts
   * as zero here: PHP shops write `-0.0` for a discount of nothing.
   */
  decimal(name: string, scale: number): bigint {
    const value = this.#members[name];
    if (typeof value !== 'number') return this.#wrongType(name, 'number', 0n);
    if (Math.abs(value) > maxNumber) {
      return this.#refuse(name, { reason: 'too_large', params: { mostOre: maxAmountOre } }, 0n);
    }
    const parsed = parseDecimal(value === 0 ? 0 : value, scale);
    return parsed ?? this.#refuse(name, { reason: 'too_many_decimals', params: { scale } }, 0n);
  }

  /** As `decimal`, and more than nothing. */
  positive(name: string, scale: number): bigint {
    const before = this.problems.length;
    const value = this.decimal(name, scale);
    if (value > 0n || this.problems.length > before) return value;
    return this.#refuse(name, { reason: 'not_above_zero' }, 0n);
  }

  /** As `decimal`, and nothing at the least. */
  notNegative(name: string, scale: number): bigint {
    const value = this.decimal(name, scale);
    return value >= 0n ? value : this.#refuse(name, { reason: 'below_zero' }, 0n);
  }

  object(name: string): JsonFields | null {
    const value = this.#members[name];
    if (isObject(value)) return new JsonFields(value, this.#at(name), this.problems);
    return this.#wrongType(name, 'object', null);
  }

  /** The objects of a list with at least one and at most `rowsMax` of them. */
  objects(name: string, rowsMax: number): JsonFields[] {
    const value = this.#members[name];
    if (!Array.isArray(value)) return this.#wrongType(name, 'list', []);
    if (value.length === 0) {
      return this.#refuse(name, { reason: 'too_few_rows', params: { of: 'order', count: 0 } }, []);
    }
    if (value.length > rowsMax) {
      return this.#refuse(
        name,
        { reason: 'too_many_rows', params: { count: value.length, rowsMax } },
        [],
      );
    }
    const items = new JsonFields(
      Object.fromEntries(value.entries()),
      this.#at(name),
      this.problems,
    );
    return value.flatMap((_, index) => items.object(String(index)) ?? []);
  }

  /** Records a fault of a member. */
  refuse(name: string, why: Reasoned): void {
    this.#refuse(name, why, null);
  }

  #wrongType<StandIn>(name: string, expected: ExpectedKind, standIn: StandIn): StandIn {
    const value = this.#members[name];
    if (value === undefined || value === null) {
      return this.#refuse(name, { reason: 'required', params: { expected } }, standIn);
    }
    const isQuoted = typeof value === 'string';
    return this.#refuse(name, { reason: 'wrong_type', params: { expected, isQuoted } }, standIn);
  }

  #refuse<StandIn>(name: string, why: Reasoned, standIn: StandIn): StandIn {
    this.problems.push({ path: this.#at(name), ...why });
    return standIn;
  }

  #at(name: string): string {
    if (/^\d+$/.test(name)) return `${this.#path}[${name}]`;
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters as people and PostgreSQL count them, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}
