/** Events on the wire: the feed's items, and the bodies of webhooks. */
import { z } from 'zod';
import { eventTypes } from './types.ts';

export const event = z
  .object({
    id: z.guid().describe('Samma vid varje omsändning; också i rubriken webhook-id'),
    type: z.enum(eventTypes),
    timestamp: z.string().meta({ format: 'date-time' }),
    data: z
      .looseObject({})
      .nullable()
      .describe('Det som hände, med de namn API:et har för samma saker; nya fält kan komma'),
  })
  .meta({ id: 'Event' });

export const eventQuery = z.strictObject({
  cursor: z
    .string()
    .max(200)
    .optional()
    .describe('next_cursor från förra svaret; utan den börjar listan med det äldsta som finns'),
  from: z.literal('now').optional().describe('Börja nu: svaret är tomt och bär en cursor'),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const eventPage = z
  .object({
    data: z.array(event),
    next_cursor: z.string().describe('Skicka med nästa gång; finns alltid'),
    has_more: z.boolean(),
  })
  .meta({ id: 'EventPage' });
