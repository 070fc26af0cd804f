/** GET /api/v1/handelser: what has happened, in order and none left out, for those who poll. */

import { beginning, decodePlace, encodePlace } from '../../domain/basics/event-cursor.ts';
import { changesCompleteUntil, latestPlace, listEvents } from '../../events/store.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { eventPage, eventQuery } from './schemas.ts';

export function registerEvents(app: App, { readers }: AppDeps, access: Access): void {
  app.route({
    method: 'GET',
    url: '/api/v1/handelser',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'listEvents',
      summary:
        'Events in the order they became true, for those who would rather ask than get webhooks',
      description:
        'Every event comes once, in an order that holds, whether or not there are webhooks. Keep next_cursor and send it next time: then nothing is lost and nothing repeated.',
      tags: ['Events'],
      security: [{ apiKey: [] }],
      querystring: eventQuery,
      response: {
        200: eventPage,
        ...errorResponses(...keyErrors, 'invalid_request', 'cursor_ahead'),
      },
    },
    handler: async (request) => {
      const { cursor, from, limit } = request.query;
      if (from === 'now') {
        const { place, since } = await withKey(readers, callerOf(request), async (tx) => ({
          place: await latestPlace(tx),
          since: await changesCompleteUntil(tx),
        }));
        return { data: [], next_cursor: encodePlace(place), has_more: false, updated_since: since };
      }
      const after = cursor === undefined ? beginning : decodePlace(cursor);
      const { found, since } = await withKey(readers, callerOf(request), async (tx) => ({
        found: await listEvents(tx, after, limit + 1),
        since: await changesCompleteUntil(tx),
      }));
      const page = found.slice(0, limit);
      return {
        data: page.map(({ event }) => event),
        next_cursor: encodePlace(page.at(-1) ?? after),
        has_more: found.length > limit,
        updated_since: since,
      };
    },
  });
}
