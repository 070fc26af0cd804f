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
  header('webhook-id', 'Händelsens id, samma vid varje omsändning'),
  header('webhook-timestamp', 'När försöket gjordes, Unixtid i sekunder'),
  header('webhook-signature', 'Signaturer enligt Standard Webhooks, åtskilda av blanksteg'),
];

export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${eventSchemaName(type)}`,
          summary: eventMeanings[type],
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
            '2XX': { description: 'Mottagen; svara inom 15 sekunder och gör arbetet efteråt' },
            '410': { description: 'Mottagaren vill inte ha fler; adressen stängs av' },
            default: { description: 'Händelsen skickas igen, i tre dygn' },
          },
        },
      },
    ]),
  );
}
