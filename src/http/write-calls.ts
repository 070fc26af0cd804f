/**
 * What the v1 write routes share (contract 4.4, 4.5, 7): an Idempotency-Key or a dry run.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { WriteCall } from '../access/keys/write-calls.ts';
import { type RunWriting, withTrial, withTx } from '../db/pool.ts';
import { sha256Of } from '../lib/sha256.ts';
import { callerOf } from './access.ts';
import { idempotencyKeyOf } from './body.ts';
import { queryBoolean } from './schemas.ts';

export const dryRunParameter = queryBoolean.describe(
  'Check everything without writing: no number is taken and no Idempotency-Key is needed',
);

/** `?dryRun=true` checks everything and writes nothing. */
export const writeQuery = z.strictObject({ dryRun: dryRunParameter });

/** In an answer to `?dryRun=true`. */
export const dryRunMark = z.literal(true).describe('Nothing has been written');

/**
 * preValidation hook: a call that is to write something needs an Idempotency-Key. Whoever misspelt `dryRun=true` is told of
 * that, by the schema that comes next, and not of a key that is not needed.
 */
export async function requireIdempotencyKey(request: FastifyRequest): Promise<void> {
  const given = dryRunOf(request);
  if (given === undefined || given === 'false') idempotencyKeyOf(request);
}

const dryRunOf = ({ query }: FastifyRequest): unknown => (query as { dryRun?: unknown }).dryRun;

export function isDryRun(request: FastifyRequest): boolean {
  const given = dryRunOf(request);
  return given === 'true' || given === true;
}

/** `said` is what a retry must repeat: the body, unless the call is more than that. */
export function writeCallOf(request: FastifyRequest, said = request.canonicalBody): WriteCall {
  return {
    keyHash: callerOf(request).hash,
    idempotencyKey: isDryRun(request) ? null : idempotencyKeyOf(request),
    requestHash: sha256Of(said),
    request: said,
    requestId: request.id,
  };
}

/**
 * A call as `writeCallOf`, and how it is run: a dry run does all of it in a transaction that is taken back, under a key of
 * its own that goes with it. For what is not judged by many calls together.
 */
export function runnableCallOf(
  request: FastifyRequest,
  said?: string,
): WriteCall & { readonly run: RunWriting } {
  const call = writeCallOf(request, said);
  return isDryRun(request)
    ? { ...call, idempotencyKey: request.id, run: withTrial }
    : { ...call, run: withTx };
}
