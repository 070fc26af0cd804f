/** Reading what people typed: each refusal names the option and the way out. */
import { InvalidArgumentError } from 'commander';
import { isDate } from '../domain/basics/dates.ts';
import { maxExchangeRateE6 } from '../domain/basics/exchange-rate.ts';
import {
  normalizeOrganizationNumber,
  normalizeVatNumber,
  plainExternalId,
} from '../domain/basics/identifiers.ts';
import { maxAmountOre, type Ore, parseDecimal } from '../domain/basics/money.ts';
import { parseYearSpan, type YearSpan } from '../ledger/fiscal-years/service.ts';
import { isUuid } from '../lib/uuid.ts';

/** Who the audit trail says did it. */
export const actor = 'cli';

export const jsonOption = ['--json', 'ett JSON-värde på stdout'] as const;
export interface Json {
  readonly json?: boolean;
}

export const collect = <T>(parse: (text: string) => T) =>
  Object.assign((value: string, before: T[] = []): T[] => [...before, parse(value)], {
    choices: choicesOf(parse),
  });

/** One of a few words, which a shell can suggest. */
export const word = <const Word extends string>(choices: readonly Word[]) =>
  Object.assign(
    (value: string): Word => {
      const found = choices.find((known) => known === value);
      if (found === undefined) {
        throw new InvalidArgumentError(`Välj bland ${choices.join(', ')}.`);
      }
      return found;
    },
    { choices },
  );

/** The words that a parser takes; none when they are not few and known. */
export function choicesOf(parse: unknown): readonly string[] {
  const isParser = typeof parse === 'function' && 'choices' in parse;
  return isParser ? (parse.choices as readonly string[]) : [];
}

export function text(max: number): (value: string) => string {
  return (value) => {
    const trimmed = value.trim();
    if (trimmed === '' || [...trimmed].length > max || /\p{Cc}/u.test(trimmed)) {
      throw new InvalidArgumentError(`Ange 1–${max} tecken.`);
    }
    return trimmed;
  };
}

/** What another system calls a thing, in its one spelling. */
export const externalId = (value: string): string => plainExternalId(text(255)(value));

export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(`Ange ett heltal ${min}–${max}.`);
    }
    return number;
  };
}

/** More than none; parts of one with a point. */
export function minutes(value: string): number {
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number))) {
    throw new InvalidArgumentError('Ange ett antal minuter.');
  }
  return number;
}

/** What is of the form, with point or comma, scaled by 10^scale; null of anything else. */
const decimalOf = (value: string, form: RegExp, scale: number): bigint | null =>
  form.test(value) ? parseDecimal(Number(value.replace(',', '.')), scale) : null;

/** An amount in kronor, with point or comma, as öre. */
export function kronor(value: string): Ore {
  const ore = decimalOf(value, /^-?\d{1,10}([.,]\d{1,2})?$/, 2);
  if (ore === null || ore > maxAmountOre || ore < -maxAmountOre) {
    throw new InvalidArgumentError('Ange kronor med högst två decimaler, t.ex. 1250.50.');
  }
  return ore;
}

/** An amount of something that has one. */
export function positiveKronor(value: string): Ore {
  const ore = kronor(value);
  if (ore <= 0n) throw new InvalidArgumentError('Ange mer än noll kronor, t.ex. 1250.50.');
  return ore;
}

/** So much of another currency, in hundredths. */
export function amountInCurrency(value: string): bigint {
  const amount = decimalOf(value, /^-?\d{1,10}([.,]\d{1,2})?$/, 2);
  if (amount === null) {
    throw new InvalidArgumentError(
      'Ange ett belopp i fakturans valuta med högst två decimaler, t.ex. 1250.50.',
    );
  }
  return amount;
}

/** Kronor for one of another currency, with point or comma, in millionths. */
export function exchangeRate(value: string): bigint {
  const rate = decimalOf(value, /^\d{1,5}([.,]\d{1,6})?$/, 6);
  if (rate === null || rate === 0n || rate > maxExchangeRateE6) {
    throw new InvalidArgumentError(
      'Ange kronor för en av valutan med högst sex decimaler, t.ex. 11.2345.',
    );
  }
  return rate;
}

/** Per cent, with point or comma, in hundredths. */
export function percent(value: string): bigint {
  const rate = decimalOf(value, /^\d{1,3}([.,]\d{1,2})?$/, 2);
  if (rate === null) {
    throw new InvalidArgumentError('Ange procent med högst två decimaler, t.ex. 20.6.');
  }
  return rate;
}

/** The account that the money of a payment came to or left, `what` it did there; 1930 unless said. */
export const moneyAccountOption = (what: string) =>
  [
    '--account <konto>',
    `kontot pengarna ${what}: 19xx, 1630, 168x, 2421, 2013, 2018 eller 2893`,
    integer(1000, 999_999_999),
    1930,
  ] as const;

/** What settles the rest of a payment that is some öre beside the debt. */
export const roundingOption = [
  '--rounding <kronor>',
  'öresutjämning som reglerar resten, under en krona (3740)',
  kronor,
] as const;

export function date(value: string): string {
  if (!isDate(value)) throw new InvalidArgumentError('Ange ett datum som finns, ÅÅÅÅ-MM-DD.');
  return value;
}

/** A month, as its first day. */
export function month(value: string): string {
  const first = `${value}-01`;
  if (!/^\d{4}-\d{2}$/.test(value) || !isDate(first)) {
    throw new InvalidArgumentError('Ange en månad, ÅÅÅÅ-MM.');
  }
  return first;
}

/** A date, or `none` for no date at all. */
export function dateOrNone(value: string): string | null {
  return value === 'none' ? null : date(value);
}

export function uuid(value: string): string {
  if (!isUuid(value.toLowerCase())) {
    throw new InvalidArgumentError('Ange ett id (uuid).');
  }
  return value.toLowerCase();
}

export function organizationNumber(value: string): string {
  const normal = normalizeOrganizationNumber(value);
  if (normal === null) {
    throw new InvalidArgumentError(
      'Organisationsnumret har fel form eller kontrollsiffra, t.ex. 556036-0793.',
    );
  }
  return normal;
}

export function vatNumber(value: string): string {
  const normal = normalizeVatNumber(value);
  if (normal === null)
    throw new InvalidArgumentError('Momsnumret har fel form, t.ex. SE556036079301.');
  return normal;
}

export function yearSpan(value: string): YearSpan {
  const span = parseYearSpan(value);
  if (!span || !isDate(span.start) || !isDate(span.end)) {
    throw new InvalidArgumentError('Ange ett år (2026) eller ett spann (2025-07-01..2026-06-30).');
  }
  return span;
}

export function email(value: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(value) || value.length > 320) {
    throw new InvalidArgumentError('Ange en e-postadress.');
  }
  return value;
}
