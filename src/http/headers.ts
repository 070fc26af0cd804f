import type { FastifyRequest } from 'fastify';

/** Every value a header was sent with; Node itself keeps one and drops or joins the rest. */
export function headerValues(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}
