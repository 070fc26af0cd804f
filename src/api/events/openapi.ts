/** Webhooks as the API's description tells of them: what is sent to an endpoint, and what it should answer. */

import { eventMeanings, eventTypes } from '../../events/types.ts';
import { eventSchemaName } from './schemas.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Standard Webhooks (docs/webhooks.md). */
const headers = [
  header('webhook-id', 'The id of the event, the same however often it is sent'),
  header('webhook-timestamp', 'When the attempt was made, Unix time in seconds'),
  header('webhook-signature', 'Signatures by Standard Webhooks, separated by spaces'),
];

export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${eventSchemaName(type)}`,
          summary: eventMeanings[type],
          description:
            'Sent to each endpoint that has asked for events of this type. May come more than once and out of order: keep the ids you have seen.',
          tags: ['Webhooks'],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${eventSchemaName(type)}` },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received; answer within 15 seconds and do the work afterwards' },
            '410': { description: 'The recipient wants no more; the address is shut off' },
            ...Object.fromEntries(
              ['3XX', '4XX', '5XX'].map((status) => [
                status,
                { description: 'The event is sent again, for three days' },
              ]),
            ),
          },
        },
      },
    ]),
  );
}
