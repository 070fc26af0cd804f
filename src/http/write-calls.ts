/**
 * What the two v1 write routes share (contract 4.4, 4.5, 7): an Idempotency-Key or a dry run.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { WriteCall } from '../access/keys/write-calls.ts';
import { sha256Of } from '../lib/sha256.ts';
import { callerOf } from './access.ts';
import { idempotencyKeyOf } from './body.ts';
import { queryBoolean } from './schemas.ts';

/** `?dryRun=true` checks everything and writes nothing. */
export const writeQuery = z.strictObject({
  dryRun: queryBoolean.describe(
    'Check everything without writing: no number is taken and no Idempotency-Key is needed',
  ),
});

/** preValidation hook: a call that is to write something needs an Idempotency-Key. */
export async function requireIdempotencyKey(request: FastifyRequest): Promise<void> {
  if (!isDryRun(request)) idempotencyKeyOf(request);
}

function isDryRun({ query }: FastifyRequest): boolean {
  const given = (query as { dryRun?: unknown }).dryRun;
  return given === 'true' || given === true;
}

export function writeCallOf(request: FastifyRequest): WriteCall {
  return {
    keyHash: callerOf(request).hash,
    idempotencyKey: isDryRun(request) ? null : idempotencyKeyOf(request),
    requestHash: sha256Of(request.canonicalBody),
    request: request.canonicalBody,
    requestId: request.id,
  };
}
