/** The pieces that routes' schemas are made of. */
import { z } from 'zod';
import { isDate } from '../domain/dates.ts';
import { parseDecimal } from '../domain/money.ts';
import { type ErrorCode, errorStatus } from '../errors.ts';

export const dateSchema = z
  .string()
  .refine(isDate, {
    error: 'ska vara ett datum som finns, i formen ÅÅÅÅ-MM-DD',
    params: { reason: 'not_a_date' },
  })
  .meta({ format: 'date', example: '2026-03-31' });

/** No parameter at all, so that a misplaced one is named instead of ignored. */
export const noQuery = z.strictObject({});

/** Any 128 bits in the usual form: ids are the database's to know, whatever version they claim. */
export const idSchema = z.guid();

/** Text of `min` to `max` characters (Unicode code points, as PostgreSQL and JSON Schema count). */
export const textSchema = (max: number, min = 0) =>
  z
    .string()
    .refine((text) => codePoints(text) <= max, {
      error: `får ha högst ${max} tecken`,
      params: { reason: 'too_long' },
    })
    .refine((text) => !text.includes('\0'), {
      error: 'innehåller ett NUL-tecken',
      params: { reason: 'nul_character' },
    })
    .refine((text) => min === 0 || text.trim().length >= min, {
      error: 'får inte vara tomt',
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

/** A number of at most 9 999 999 999,99 either way; becomes a bigint scaled by 10^scale. */
export const signedDecimalSchema = (scale: number) =>
  z
    .number()
    .min(-9_999_999_999.99)
    .max(9_999_999_999.99)
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
    .meta({ type: 'number', minimum: -9_999_999_999.99, maximum: 9_999_999_999.99 });

/**
 * The error responses of a route: each status with the codes it may carry. The codes every key route
 * shares need not be named again.
 */
export function errorResponses(...codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = errorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      status,
      z
        .object({
          error: z.enum(errors as [ErrorCode, ...ErrorCode[]]),
          message: z.string().describe('Förklaring på svenska för en människa'),
          detail: z.looseObject({}).optional(),
          request_id: z.uuid(),
        })
        .describe(errors.join(', ')),
    ]),
  );
}

export const keyErrors = [
  'unauthorized',
  'key_revoked',
  'https_required',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'server_misconfigured',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];

export const writeErrors = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
] as const satisfies readonly ErrorCode[];
