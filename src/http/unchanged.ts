/** Answers that a caller has already: an ETag on each, and 304 to whoever names it (RFC 9110, 13.1.2). */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An onSend hook: the answer, or nothing but 304 when `If-None-Match` has its ETag. */
export async function answerUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const digest = createHash('sha256').update(payload).digest('base64url');
  const etag = `"${digest.slice(0, 22)}"`;
  reply.header('etag', etag);
  if (!isKnown(request, etag)) return payload;
  reply.code(304);
  return '';
}

/** Whether the caller has the answer with that ETag already. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  // A proxy that compresses makes a tag weak; what it stands for is the same.
  return known.some((one) => one === '*' || one.replace(/^W\//, '') === etag);
}
