/** The pieces that routes' schemas are made of. */
import { z } from 'zod';
import { isDate } from '../domain/basics/dates.ts';
import { parseDecimal } from '../domain/basics/money.ts';

/**
 * The day of every example. What is served says the day's own date instead, so that examples can be sent
 * as they stand: an old day falls under a lock or in no fiscal year.
 */
export const exampleDate = '2026-03-31';

export const dateSchema = z
  .string()
  .refine(isDate, {
    error: 'ska vara ett datum som finns, i formen ÅÅÅÅ-MM-DD',
    params: { reason: 'not_a_date' },
  })
  .meta({ format: 'date', example: exampleDate });

/** No parameter at all, so that a misplaced one is named instead of ignored. */
export const noQuery = z.strictObject({});

/** Any 128 bits in the usual form: ids are the database's to know, whatever version they claim. */
export const idSchema = z.guid();

/** Text of `min` to `max` characters (Unicode code points, as PostgreSQL and JSON Schema count). */
export const textSchema = (max: number, min = 0) =>
  z
    .string()
    .refine((text) => text.length <= max || codePoints(text) <= max, {
      error: `får ha högst ${max} tecken`,
      params: { reason: 'too_long' },
    })
    .refine((text) => !text.includes('\0'), {
      error: 'innehåller ett NUL-tecken',
      params: { reason: 'nul_character' },
    })
    .refine((text) => min === 0 || text.trim().length >= min, {
      error: min > 1 ? `ska ha minst ${min} tecken` : 'får inte vara tomt',
      params: { reason: 'too_short' },
    })
    .meta({ maxLength: max, ...(min > 0 ? { minLength: min } : {}) });

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** An amount in kronor with at most two decimals, zero or more; becomes öre. */
export const amountSchema = z
  .number()
  .min(0)
  .max(9_999_999_999.99)
  .transform((kronor, context) => {
    const ore = parseDecimal(kronor, 2);
    if (ore !== null) return ore;
    const [reason, message] = Object.is(kronor, -0)
      ? ['negative', 'får inte vara negativt (−0); skriv 0']
      : ['too_many_decimals', 'får ha högst två decimaler'];
    context.addIssue({ code: 'custom', message, params: { reason } });
    return z.NEVER;
  });

/** A number between two others; becomes a bigint scaled by 10^scale. */
const decimalSchema = (scale: number, min: number, max: number) =>
  z
    .number()
    .min(min)
    .max(max)
    .transform((number, context) => {
      const scaled = parseDecimal(number === 0 ? 0 : number, scale);
      if (scaled !== null) return scaled;
      context.addIssue({
        code: 'custom',
        message: `får ha högst ${scale} decimaler`,
        params: { reason: 'too_many_decimals' },
      });
      return z.NEVER;
    })
    .meta({ type: 'number', minimum: min, maximum: max });

/** A number of at most 9 999 999 999,99 either way. */
export const signedDecimalSchema = (scale: number) =>
  decimalSchema(scale, -9_999_999_999.99, 9_999_999_999.99);

/** Kronor for one of a currency, above zero; becomes millionths. */
export const exchangeRateSchema = decimalSchema(6, 0.000_001, 10_000);

/** Per cent, 0–100; becomes hundredths of a per cent. */
export const percentSchema = decimalSchema(2, 0, 100);

/** A whole number in a query or a form: digits, below zero with a minus, and nothing else, as nobody means 0x10 or 1e2. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^-?\d{1,15}$/.test(text), {
      error: 'ska vara ett heltal',
      params: { reason: 'not_an_integer' },
    })
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Where the page before ended, as it said. */
export const cursorParameter = z
  .string()
  .max(500)
  .optional()
  .describe('next_cursor of the answer before');

/** A page of a list. */
export const pageSchema = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z
    .object({
      data: z.array(item),
      next_cursor: z.string().nullable(),
      has_more: z.boolean(),
    })
    .meta({ id, description });

/** `true` or `false` in a query; left out, nothing is asked. */
export const queryBoolean = z
  .string()
  .refine((text) => text === 'true' || text === 'false', {
    error: 'ska vara true eller false',
    params: { reason: 'not_a_boolean' },
  })
  .transform((text) => text === 'true')
  .optional()
  .meta({ type: 'boolean' });

/**
 * One of the values that there are, each with what it means, or one that has come since: clients must take
 * values they do not know (contract 7, 9).
 */
export function openEnum(meanings: Readonly<Record<string, string>>) {
  const values = Object.entries(meanings);
  const known = values.map(([value, meaning]) => z.literal(value).describe(meaning));
  return z.union([...known, z.string().describe('Others may come')]);
}
