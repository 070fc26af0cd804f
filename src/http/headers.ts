import type { FastifyReply, FastifyRequest } from 'fastify';

/** The host prefix keeps other hosts of the domain from planting a cookie of this name. */
export const sessionCookie = '__Host-huvudbok';

const bearerForm = /^Bearer ([\x21-\x7e]+)$/i;

/** The one secret presented as `Authorization: Bearer …`; undefined when there is none, or several. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const [given = '', ...others] = headerValues(request, 'authorization');
  return others.length === 0 ? bearerForm.exec(given)?.[1] : undefined;
}

/** Every value a header was sent with; Node itself keeps one and drops or joins the rest. */
export function headerValues(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

/** What a key or token opens is for its holder alone: nothing on the way may keep it, or take it for a page. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
}
