/**
 * What a person types, as values: zod schemas from the texts of a form. Each says what is wrong in a
 * sentence that stands beside its field, so it does not name it.
 */

import { z } from 'zod';
import { dayOf } from '../../public/days.js';
import { isDate } from '../domain/basics/dates.ts';
import { maxExchangeRateE6 } from '../domain/basics/exchange-rate.ts';
import {
  normalizeOrganizationNumber,
  normalizeVatNumber,
  plainExternalId,
} from '../domain/basics/identifiers.ts';
import type { Ore } from '../domain/basics/money.ts';
import { capProblems } from '../domain/basics/problems.ts';
import { pathText } from '../http/problems.ts';
import type { Problem } from '../lib/errors.ts';
import { say } from '../lib/language.ts';
import { pageProblem } from '../lib/sentences/say.ts';

/** The sentence is said when it is needed, in the language of that page. */
const fault = (reason: string, error: () => string) => ({ error, params: { reason } });
/** Nothing more is asked of a text that is far too long: what comes after may take its square in time. */
const shortEnough = (max: number) =>
  [
    (value: string): boolean => value.length <= 2 * max && [...value].length <= max,
    { ...fault('too_long', () => say`Högst ${max} tecken.`), abort: true },
  ] as const;

/**
 * Holds what a form sent against its schema. Where the schema has no sentence of its own, no page of ours sent it
 * so: a field that is never left out is missing, or came twice.
 */
export const readTyped = <Value>(schema: z.ZodType<Value>, fields: unknown) =>
  schema.safeParse(fields, {
    error: ({ input, path = [] }) => {
      const name = pathText(path);
      const fault =
        input === undefined
          ? say`Formuläret kom utan fältet ${name}.`
          : say`Fältet ${name} kom i en form som inte kan läsas.`;
      return say`${fault} Ladda om sidan och skicka det igen.`;
    },
  });

/** Trimmed; control characters other than line breaks are nobody's text. */
const typed = z
  .string({ error: () => say`Fyll i fältet.` })
  .transform((text) => text.trim())
  .refine(
    (text) => !/[^\P{Cc}\n\r\t]/u.test(text),
    fault('control_character', () => say`Texten innehåller ett tecken som inte kan lagras.`),
  );

export const text = (max: number) =>
  typed
    .refine(
      (value) => value !== '',
      fault('required', () => say`Fyll i fältet.`),
    )
    .refine(...shortEnough(max));

/** Empty, or not sent, is null. */
export const optional = <Value>(schema: z.ZodType<Value, string>) =>
  z
    .string()
    .optional()
    .transform((value, context): Value | null => {
      if (value === undefined || value.trim() === '') return null;
      const result = readTyped(schema, value);
      if (result.success) return result.data;
      for (const { message } of result.error.issues) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });

export const optionalText = (max: number) =>
  z
    .string()
    .default('')
    .pipe(typed.refine(...shortEnough(max)))
    .transform((value) => value || null);

/** What another system calls a thing, in its one spelling; null when none does. */
export const externalId = optionalText(255).transform((id) =>
  id === null ? null : plainExternalId(id),
);

/**
 * `2026-11-28`, `20261128`, `261128`, `28/11 2026` or `28.11.2026` as YYYY-MM-DD; undefined when it is no such day. Never a
 * day without its year, which nobody would have seen before it was booked: the page writes that out.
 */
export const parseDay = (value: string): string | undefined => dayOf(value, null) ?? undefined;

export const day = typed.transform((value, context): string => {
  const found = parseDay(value);
  if (found !== undefined) return found;
  context.addIssue({
    code: 'custom',
    message:
      value === '' ? say`Fyll i fältet.` : say`Skriv ett datum som finns, i formen ÅÅÅÅ-MM-DD.`,
    params: { reason: value === '' ? 'required' : 'wrong_format' },
  });
  return z.NEVER;
});

const momentForm =
  /^(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/;

/** A moment as PostgreSQL writes it, to the microsecond, in the address of a list's next page. */
export const isMoment = (value: string): boolean => isDate(momentForm.exec(value)?.[1] ?? '');

/**
 * `1 234,50`, `1234.5` or `1,234.50` as a whole number of 10^-scale; undefined when it is no such number. A comma with
 * no point after it is a decimal comma, whatever the page's language: one sign never means two things.
 */
export function parseTyped(value: string, scale: number): bigint | undefined {
  const plain = value.replace(/^SEK|[\s\u00a0\u202f]|kr$/g, '');
  const isEnglish = /^[-−–]?\d{1,3}(,\d{3})+\.\d+$/.test(plain);
  const match = /^([-−–]?)(\d{1,13})(?:[.,](\d+))?$/.exec(
    isEnglish ? plain.replaceAll(',', '') : plain,
  );
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > scale) return undefined;
  const magnitude = BigInt(whole + fraction.padEnd(scale, '0'));
  return sign === '' ? magnitude : -magnitude;
}

const decimal = (scale: number, sentence: () => string) =>
  typed.transform((value, context): bigint => {
    const parsed = parseTyped(value, scale);
    if (parsed !== undefined) return parsed;
    context.addIssue({
      code: 'custom',
      message: value === '' ? say`Fyll i fältet.` : sentence(),
      params: { reason: value === '' ? 'required' : 'wrong_format' },
    });
    return z.NEVER;
  });

/** Kronor as typed, in öre. */
export const amount = decimal(
  2,
  () => say`Skriv ett belopp i kronor, t.ex. 1 234,50.`,
) as z.ZodType<Ore, string>;
/** A quantity or unit price, in ten-thousandths. */
export const e4 = decimal(
  4,
  () => say`Skriv ett tal med högst fyra decimaler, t.ex. 1,5.`,
) as z.ZodType<bigint, string>;
/** Kronor for one of another currency, in millionths. */
export const exchangeRate = decimal(
  6,
  () => say`Skriv kronor för en av valutan, t.ex. 11,2345.`,
).refine((rate) => rate > 0n && rate <= maxExchangeRateE6, {
  error: () => say`Skriv kronor för en av valutan, över noll och högst 10 000.`,
  params: { reason: 'out_of_range' },
}) as z.ZodType<bigint, string>;
/** Percent as typed, in hundredths of a percentage point. */
export const percentE2 = decimal(
  2,
  () => say`Skriv en procentsats, t.ex. 8 eller 2,5.`,
) as z.ZodType<bigint, string>;

export const integer = (min: number, max: number) =>
  typed
    .refine(
      (value) => /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max,
      fault('out_of_range', () => say`Skriv ett heltal, ${min}–${max}.`),
    )
    .transform(Number);

/** An account's number, also with its name after it, as lists of choices put it. */
export const account = typed.transform((value, context): number => {
  const [, number] = /^([1-9]\d{3})(?!\d)/.exec(value) ?? [];
  if (number !== undefined) return Number(number);
  const message =
    value === '' ? say`Välj ett konto.` : say`Skriv kontots fyra siffror, t.ex. 1930.`;
  const reason = value === '' ? 'required' : 'wrong_format';
  context.addIssue({ code: 'custom', message, params: { reason } });
  return z.NEVER;
});

/** An account's number alone, as addresses have it. */
export const accountNumber = z
  .string()
  .regex(/^[1-9]\d{3}$/)
  .transform(Number);

const noSuchChoice = (): string => say`Välj något av alternativen.`;

export const choice = <const Values extends readonly string[]>(values: Values) =>
  z.string({ error: noSuchChoice }).pipe(z.enum(values, { error: noSuchChoice }));

/** A ticked box is sent, an empty one is not. */
export const ticked = z
  .string()
  .optional()
  .transform((value) => value !== undefined && value !== '');

/** Boxes of one name, as a list. */
export const tickedOf = <const Values extends readonly string[]>(values: Values) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .default([])
    .pipe(z.array(z.enum(values, { error: noSuchChoice })));

export const email = text(320).refine(
  (value) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value),
  fault('wrong_format', () => say`Skriv en e-postadress, t.ex. namn@exempel.se.`),
);

export const uuid = z.uuid({ error: noSuchChoice });

/** Ten digits, checked; typed in any of its spellings. */
export const organizationNumber = normalized(
  normalizeOrganizationNumber,
  () => say`Numret stämmer inte: skriv tio siffror, t.ex. 556036-0793, och kontrollera den sista.`,
);
export const vatNumber = normalized(
  normalizeVatNumber,
  () => say`Momsnumret stämmer inte: skriv det med landskod, t.ex. SE556036079301.`,
);

function normalized(normalize: (text: string) => string | null, sentence: () => string) {
  return typed.transform((value, context): string => {
    const found = normalize(value);
    if (found !== null) return found;
    context.addIssue({
      code: 'custom',
      message: value === '' ? say`Fyll i fältet.` : sentence(),
      params: { reason: 'wrong_format' },
    });
    return z.NEVER;
  });
}

/** What a schema found wrong in a form, each at its field. */
export const formProblems = (issues: readonly z.core.$ZodIssue[]): Problem[] =>
  capProblems(
    issues.map((issue) => ({
      path: pathText(issue.path),
      reason: issue.code === 'custom' ? String(issue.params?.['reason'] ?? 'invalid') : issue.code,
      message: issue.message,
    })),
  ).map(pageProblem);

/**
 * Reads a form part by part, so that what is wrong in all of them is told together: `problems` gathers it, each
 * at its part's place, and a part that cannot be read is `undefined`.
 */
export function partReader() {
  const problems: Problem[] = [];
  const read = <Value>(schema: z.ZodType<Value>, value: unknown, at = ''): Value | undefined => {
    const result = readTyped(schema, value);
    if (result.success) return result.data;
    const found = formProblems(result.error.issues);
    problems.push(...found.map((one) => ({ ...one, path: `${at}${one.path}` })));
    return undefined;
  };
  return { problems, read };
}
