/** Only TLS or loopback: a key sent in the clear over a network is a key given away. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Who has hung up already has no address. */
const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Style sheets and pictures, the same for all: the page that says why there is none has them too. */
const isPublic = ({ url }: FastifyRequest): boolean => url.startsWith('/public/');

export function requireHttps(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !isLoopback(request.ip) && !isPublic(request)) {
      throw new AppError(
        'https_required',
        'Använd https: nyckeln får inte skickas i klartext. Bakom en proxy: sätt TRUST_PROXY till dess adress och X-Forwarded-Proto.',
      );
    }
  });
}

const parameterName = /^[\w-]{1,40}$/;
const parametersMax = 12;
const pathMax = 300;

/** Names only: what somebody searches for is their customer's, and the first visit's token stands here. */
function loggedQuery(query: string): string {
  const names = [...new URLSearchParams(query).keys()].slice(0, parametersMax);
  return names.map((name) => `${parameterName.test(name) ? name : '[dolt]'}=[dolt]`).join('&');
}

/**
 * What the log keeps of a request: never a header, a body or what the query asks for. Percent signs are
 * decoded, so that the log's blanking of secrets sees them.
 */
export function loggedRequest(request: FastifyRequest): Record<string, unknown> {
  const [path = '', ...query] = request.url.split('?');
  const shown = path.slice(0, pathMax).replace(/%[2-7][0-9a-f]/gi, decodeURIComponent);
  return {
    method: request.method,
    url: query.length === 0 ? shown : `${shown}?${loggedQuery(query.join('?'))}`,
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
