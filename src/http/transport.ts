/** Only TLS or loopback: a key sent in the clear over a network is a key given away. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address: string): boolean =>
  loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

export function requireHttps(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') {
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    } else if (!isLoopback(request.ip)) {
      throw new AppError(
        'https_required',
        'Använd https: nyckeln får inte skickas i klartext. Bakom en proxy: sätt TRUST_PROXY till dess adress och X-Forwarded-Proto.',
      );
    }
  });
}

/** The token of the first visit stands in its address, once; it has no prefix that the log knows it by. */
const tokenInAddress = /([?&]nyckel=)[^&#]*/gi;

/**
 * What the log keeps of a request: never a header or a body. Percent signs are decoded, so that the
 * log's blanking of secrets sees them.
 */
export function loggedRequest(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    url: request.url
      .replace(/%[2-7][0-9a-f]/gi, decodeURIComponent)
      .replace(tokenInAddress, '$1[dolt]'),
    remoteAddress: request.ip,
  };
}

/**
 * The sender's address as PostgreSQL can keep it. A proxy may forward one with a zone or a port, or a
 * word; the proxy's own address then counts for all it let through.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const addresses = [ip, socket.remoteAddress].map((address) => address?.replace(/%.*/, '') ?? '');
  return addresses.find((address) => isIP(address) !== 0) ?? '::';
}
