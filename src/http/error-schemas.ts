/**
 * Refusals as the API's description tells of them (contract 7): one body for all, and for each code what
 * its `detail` is. New codes may come, so every answer may also be an `Error` of a code not named here.
 */
import { z } from 'zod';
import { limits } from '../db/batching/overloaded.ts';
import { type ErrorCode, errorCodes } from '../lib/errors.ts';
import { openEnum } from './schemas.ts';

const errorBody = z
  .object({
    error: z
      .string()
      .describe('Machine code, stable for ever: the only thing to tell refusals apart by'),
    message: z.string().describe('Explanation in Swedish, for a person; may be reworded'),
    detail: z
      .looseObject({})
      .optional()
      .describe('More about the refusal, different for different codes'),
    request_id: z.uuid().describe('The same as in the header X-Request-Id'),
  })
  .meta({
    id: 'Error',
    description:
      'Every refusal has this form. An unknown code is a refusal of the general kind of its status.',
  });

export const problem = z
  .looseObject({
    path: z
      .string()
      .describe(
        'The field, header or parameter, as rows[2].vatRate; empty when it is about the whole',
      ),
    reason: z.string().describe('Stable word for machines, as required or unknown_account'),
    message: z.string().describe('What is wrong with that very field, and the way out'),
    account: z.int().optional().describe('The account that it is about'),
    vat_rate: z.number().optional().describe('The VAT rate that was given, in per cent'),
    account_vat_rate: z
      .number()
      .nullable()
      .optional()
      .describe('VAT rate of the account; null without VAT'),
  })
  .meta({
    id: 'Problem',
    description: 'One of the faults; more that belongs to reason may stand beside.',
  });

/** Every fault at once (contract decisions): at most a hundred, and then one that counts the rest. */
export const problems = z.array(problem).describe('All faults at once, at most a hundred');

const problemsDetail = z.object({ problems }).meta({ id: 'ProblemsDetail' });

const day = z.string().meta({ format: 'date' });

/** The locks there are. */
export const locks = {
  fiscal_year: 'The fiscal year is closed',
  period: 'The period is locked through locked_to',
  vat: 'VAT is locked through locked_to, and a row has a VAT code or is on a VAT account',
};

/** What a refusal by a lock carries. */
export const lockFields = {
  lock: openEnum(locks),
  locked_to: day.describe('The last locked day'),
  earliest_allowed_date: day.nullable().describe('The first open day, when there is one'),
};

/** What `detail` is, of the codes that always carry the same. */
const details: { readonly [Code in ErrorCode]?: z.ZodType } = {
  invalid_request: problemsDetail.optional(),
  insufficient_scope: z.object({
    required: z.array(z.string()).describe('The scopes that the call requires'),
    missing: z.array(z.string()).describe('Those of them that the key lacks'),
  }),
  cursor_ahead: z.object({
    resume_cursor: z
      .string()
      .describe(
        'The last place before yours that is still there: everything after it comes from here',
      ),
  }),
  idempotency_conflict: z.object({
    first_request_id: z.uuid().describe('X-Request-Id of the first call'),
    first_seen_at: z.string().meta({ format: 'date-time' }),
    differing_fields: z.array(z.string()).describe('The fields in which the bodies differ'),
  }),
  period_locked: z.object(lockFields),
  overloaded: z.object({ limit: openEnum(limits) }),
};

export interface ErrorAnswer {
  readonly code: ErrorCode;
  readonly schema: z.ZodType;
}

/** A refusal whose `detail` is the route's own, as a named schema. */
export function errorAnswer(code: ErrorCode, name: string, detail?: z.ZodType): ErrorAnswer {
  const { meaning, retryable } = errorCodes[code];
  const told = z.object({ error: z.literal(code), ...(detail && { detail }) });
  const schema = z
    .intersection(errorBody, told)
    .meta({ id: name, description: meaning, 'x-retryable': retryable });
  return { code, schema };
}

/** `period_locked` is a PeriodLockedError, `db_error` a DbError. */
const nameOf = (code: string): string =>
  `${code.replace(/_error$/, '')}_error`.replace(/(?:^|_)([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

const common = new Map(
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
    code,
    errorAnswer(code, nameOf(code), details[code]),
  ]),
);

/** The error responses of a route: each status with the codes it may carry. */
export function errorResponses(
  ...answers: readonly (ErrorCode | ErrorAnswer)[]
): Record<number, z.ZodType> {
  const byStatus = new Map<number, ErrorAnswer[]>();
  for (const given of answers) {
    const answer = typeof given === 'string' ? common.get(given) : given;
    if (!answer) throw new TypeError(`${given} is no error code`);
    const { status } = errorCodes[answer.code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), answer]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      status,
      z.union([...kinds.map(({ schema }) => schema), errorBody]),
    ]),
  );
}

/** What any call with a key may meet. */
export const keyErrors = [
  'unauthorized',
  'key_revoked',
  'https_required',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'server_misconfigured',
  'database_unavailable',
  'overloaded',
] as const satisfies readonly ErrorCode[];

/** What a call under an Idempotency-Key may meet. */
export const idempotencyErrors = [
  'idempotency_required',
  'idempotency_conflict',
  'idempotency_in_progress',
] as const satisfies readonly ErrorCode[];

export const writeErrors = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
] as const satisfies readonly ErrorCode[];
