/** POST /api/byra/token and GET /api/stats/byra (contract 2.8, 4.10, 4.11). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countCall } from '../../access/agency/store.ts';
import { type Db, db } from '../../db/pool.ts';
import { errorResponses } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { bearerOf } from '../../http/headers.ts';
import { setRateLimitHeaders } from '../../http/rate-limit.ts';
import { addressOf } from '../../http/transport.ts';
import { AppError } from '../../lib/errors.ts';
import { aggregate, token } from './schemas.ts';
import { exchange, readAggregate } from './service.ts';

const maxCallsPerHour = 60;

/** Agencies take turns by their addresses. */
type Read = <T>(request: FastifyRequest, work: (reader: Db) => Promise<T>) => Promise<T>;

export function registerAgency(app: App, { agencyReaders, clock, config }: AppDeps): void {
  const read: Read = (request, work) =>
    agencyReaders.run(addressOf(request), (pool) => work(db(pool)));

  app.route({
    method: 'POST',
    url: '/api/byra/token',
    onRequest: limitCalls(read, 'agency_token'),
    schema: {
      operationId: 'createAgencyToken',
      summary: 'Exchange the agency key for a token that is valid for an hour',
      description:
        'The agency key is good for nothing else. A new token can be had at any time, and the old one is valid until it expires.',
      tags: ['Agency'],
      security: [{ agencyKey: [] }],
      response: {
        200: token,
        ...errorResponses(
          'invalid_request',
          'unauthorized',
          'key_revoked',
          'https_required',
          'request_timeout',
          'payload_too_large',
          'rate_limited',
          'internal_error',
          'token_unavailable',
          'database_unavailable',
          'overloaded',
        ),
      },
    },
    handler: (request) => read(request, (reader) => exchange(reader, bearerOf(request))),
  });

  app.route({
    method: 'GET',
    url: '/api/stats/byra',
    onRequest: limitCalls(read, 'agency_aggregate'),
    schema: {
      operationId: 'getAgencyAggregate',
      summary: 'The state of the books, without amounts, counterparties and vouchers',
      description: 'One row a client, to tell at a glance where there is work to do.',
      tags: ['Agency'],
      security: [{ agencyToken: [] }],
      response: {
        200: aggregate,
        ...errorResponses(
          'unauthorized',
          'https_required',
          'no_access',
          'rate_limited',
          'internal_error',
          'db_error',
          'database_unavailable',
          'overloaded',
        ),
      },
    },
    handler: (request) => {
      const day = { today: clock.today(), timeZone: config.timeZone };
      return read(request, (reader) => readAggregate(reader, bearerOf(request), day));
    },
  });
}

/** Every call counts by its sender, whatever becomes of it. */
function limitCalls(read: Read, route: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { used, seconds_left } = await read(request, (reader) =>
      countCall(reader, addressOf(request), route),
    );
    setRateLimitHeaders(reply, { quota: maxCallsPerHour, used, seconds_left });
    if (used <= maxCallsPerHour) return;
    throw new AppError(
      'rate_limited',
      `Adressen har anropat ${maxCallsPerHour} gånger den här timmen; försök igen om ${seconds_left} sekunder.`,
      { headers: { 'retry-after': String(seconds_left) } },
    );
  };
}
