import type { FastifyReply } from 'fastify';

const windowSeconds = 3_600;

/** draft-ietf-httpapi-ratelimit-headers: what is left of the hour's quota of calls. */
export function setRateLimitHeaders(
  reply: FastifyReply,
  { quota, used, seconds_left }: { quota: number; used: bigint; seconds_left: number },
): void {
  const remaining = Math.max(0, quota - Number(used));
  reply.header('ratelimit-policy', `"hour";q=${quota};w=${windowSeconds}`);
  reply.header('ratelimit', `"hour";r=${remaining};t=${seconds_left}`);
}
