/** Bodies arrive as bytes; each route says what they must be. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HungUp } from '../db/batching/hanging-up.ts';
import { canonicalJson, findJsonProblems, parseJson } from '../domain/basics/json.ts';
import { AppError, refuse } from '../lib/errors.ts';
import { hangUpOf } from './hanging-up.ts';
import { headerValues } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body in one canonical text, whatever its spacing and order: what a retry must repeat. */
    canonicalBody: string;
    /** As it came, byte for byte. */
    receivedBody: Buffer;
  }
}

/** How a body may be sent. Node takes the pieces of a chunked one together, and would hand on a compressed one as it is. */
const plainCodings = [
  ['Content-Encoding', 'identity'],
  ['Transfer-Encoding', 'chunked'],
] as const;

/** Every content type is read as bytes, cut off at the route's limit while it streams. */
export function registerBodies(app: FastifyInstance): void {
  app.decorateRequest('canonicalBody', '');
  app.decorateRequest('receivedBody');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('preParsing', async (request) => {
    for (const [path, plain] of plainCodings) {
      const coding = request.headers[path.toLowerCase()];
      if (coding === undefined || coding === '' || String(coding).toLowerCase() === plain) continue;
      const message = `${path} kan bara vara ${plain}; skicka kroppen okomprimerad.`;
      throw refuse('invalid_request', [{ path, reason: 'not_supported', message }]);
    }
    // Fastify would wait for ever for the end of a body that was cut off before it began to read.
    if (hangUpOf(request)()) throw new HungUp();
  });
}

/** A body without a content type never reaches a parser; it counts as empty. */
export function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** preValidation hook: turns the bytes into strictly checked JSON for the route's schema. */
export async function parseJsonBody(request: FastifyRequest): Promise<void> {
  request.receivedBody = bytesOf(request);
  const { text, value } = parseJson(request.receivedBody);
  const problems = findJsonProblems(text, value);
  if (problems.length > 0) throw refuse('invalid_request', problems);
  request.canonicalBody = canonicalJson(value);
  request.body = value;
}

const minKey = 8;
const maxKey = 255;

export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .min(minKey)
    .max(maxKey)
    .optional()
    .describe(
      'A key of its own for each new call, the same when it is sent again; required except with dryRun=true',
    ),
});

export function idempotencyKeyOf(request: FastifyRequest): string {
  const [key = '', ...others] = headerValues(request, 'idempotency-key');
  if (key === '') {
    throw new AppError(
      'idempotency_required',
      'Rubriken Idempotency-Key saknas. Sätt en egen nyckel (8–255 tecken) för varje nytt anrop och samma vid omsändning.',
    );
  }
  const refuseKey = (reason: string, message: string) =>
    refuse('invalid_request', [{ path: 'Idempotency-Key', reason, message }]);
  if (others.length > 0) throw refuseKey('repeated', 'Idempotency-Key ska skickas en gång.');
  if (key.length < minKey || key.length > maxKey) {
    throw refuseKey(
      'wrong_length',
      `Idempotency-Key ska ha ${minKey}–${maxKey} tecken; den har ${key.length}.`,
    );
  }
  return key;
}
