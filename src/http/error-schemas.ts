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
    error: z.string().describe('Maskinkod, stabil för alltid: det enda att skilja fel åt med'),
    message: z.string().describe('Förklaring på svenska för en människa; kan skrivas om'),
    detail: z.object({}).optional().describe('Mer om felet, olika för olika koder'),
    request_id: z.uuid().describe('Samma som i rubriken X-Request-Id'),
  })
  .meta({
    id: 'Error',
    description: 'Varje fel har den här formen. En okänd kod är ett fel av allmänt slag.',
  });

export const problem = z
  .looseObject({
    path: z
      .string()
      .describe('Fältet, rubriken eller parametern, som rows[2].vatRate; tomt om helheten'),
    reason: z.string().describe('Stabilt ord för maskiner, som required eller unknown_account'),
    message: z.string().describe('Vad som är fel med just det fältet, och vägen ut'),
    account: z.int().optional().describe('Kontot som det gäller'),
    vat_rate: z.number().optional().describe('Momssatsen som angavs, i procent'),
    account_vat_rate: z.number().nullable().optional().describe('Kontots momssats; null utan moms'),
  })
  .meta({
    id: 'Problem',
    description: 'Ett av felen; mer som hör till reason kan stå bredvid.',
  });

/** Every fault at once (contract decisions): at most a hundred, and then one that counts the rest. */
export const problems = z.array(problem).describe('Alla fel på en gång, högst hundra');

const problemsDetail = z.object({ problems }).meta({ id: 'ProblemsDetail' });

const day = z.string().meta({ format: 'date' });

/** The locks there are. */
export const locks = {
  fiscal_year: 'Räkenskapsåret är stängt',
  period: 'Perioden är låst till och med locked_to',
  vat: 'Momsen är låst till och med locked_to, och en rad har en momskod eller är på ett momskonto',
};

/** What a refusal by a lock carries. */
export const lockFields = {
  lock: openEnum(locks),
  locked_to: day.describe('Sista låsta dagen'),
  earliest_allowed_date: day.nullable().describe('Första öppna dagen, när det finns någon'),
};

/** What `detail` is, of the codes that always carry the same. */
const details: { readonly [Code in ErrorCode]?: z.ZodType } = {
  invalid_request: problemsDetail.optional(),
  insufficient_scope: z.object({
    required: z.array(z.string()).describe('De behörigheter som anropet kräver'),
    missing: z.array(z.string()).describe('De av dem som nyckeln saknar'),
  }),
  cursor_ahead: z.object({
    resume_cursor: z
      .string()
      .describe('Det sista läget före ert som finns kvar: allt efter det kommer härifrån'),
  }),
  idempotency_conflict: z.object({
    first_request_id: z.uuid().describe('X-Request-Id på det första anropet'),
    first_seen_at: z.string().meta({ format: 'date-time' }),
    differing_fields: z.array(z.string()).describe('Fälten som skiljer kropparna åt'),
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
  const { meaning } = errorCodes[code];
  const told = z.object({ error: z.literal(code), ...(detail && { detail }) });
  const schema = z.intersection(errorBody, told).meta({ id: name, description: meaning });
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
      z
        .union([...kinds.map(({ schema }) => schema), errorBody])
        .describe(kinds.map(({ code }) => `\`${code}\`: ${errorCodes[code].meaning}`).join('\n\n')),
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
