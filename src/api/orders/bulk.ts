/** POST /api/inbound/order/bunt: up to a thousand orders in one call, each by itself. */
import { z } from 'zod';
import { type Access, callerOf } from '../../http/access.ts';
import {
  answerEach,
  bulkBodyLimit,
  bulkItemsMax,
  placeInBulk,
  refusedItemSchema,
  takeBulk,
} from '../../http/bulk.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { checkAllBut } from '../../http/problems.ts';
import type { TriedOrder } from '../../intake/orders/service.ts';
import { AppError } from '../../lib/errors.ts';
import { intakeQuery, type Try } from '../trials.ts';
import {
  acceptedAnswer,
  orderBodyLimit,
  orderOf,
  prefersAsync,
  type TakeInOrder,
  triedAnswer,
} from './intake.ts';
import { acceptedOrder, orderExample, orderInput, preferHeaders, triedOrder } from './schemas.ts';

const accepted = acceptedOrder
  .extend({ status: z.literal(200) })
  .meta({ id: 'AcceptedBulkOrder', description: 'The order is an invoice draft' });

const queued = z
  .object({ status: z.literal(202), ok: z.literal(true), orderId: z.uuid() })
  .meta({ id: 'QueuedBulkOrder', description: 'Kept, and waits to be judged' });

const tried = triedOrder.extend({ status: z.literal(200) }).meta({
  id: 'TriedBulkOrder',
  description: 'With dryRun: it would become an invoice draft, nothing is kept',
});

type TakenBulkOrder = z.output<typeof accepted> | z.output<typeof queued> | z.output<typeof tried>;

const orderBulkAnswer = z
  .object({
    results: z
      .array(z.union([accepted, queued, tried, refusedItemSchema]))
      .describe('One for each order, in the order they came'),
  })
  .meta({ id: 'OrderBulk', description: 'What became of each order' });

export function registerOrderBulk(
  app: App,
  { config }: AppDeps,
  access: Access,
  { takeIn, tryOut }: { readonly takeIn: TakeInOrder; readonly tryOut: Try },
): void {
  app.route({
    method: 'POST',
    url: '/api/inbound/order/bunt',
    bodyLimit: bulkBodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write'], { legacy: 'ORDER_INBOUND_SECRET' }),
    schema: {
      operationId: 'receiveOrders',
      summary: 'Receive up to 1 000 orders in one call',
      description:
        'A JSON array, or one order a line (application/x-ndjson), at most 4 MB and each order 1 MB. Every order is kept, judged and answered in its place as POST /api/inbound/order would have answered it; the answer as a whole is 200. An order that is kept with a reason has status 422 and detail.stored, and is not sent again unchanged; 503 processing_delayed is kept too, and its result is given when it is sent again. With Prefer: respond-async each is answered 202 as soon as it is kept. Counts as one call, and one more for each 100 orders. With ?dryRun=true each is judged as if it were the first of its number, and nothing is kept.',
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      headers: preferHeaders,
      querystring: intakeQuery,
      consumes: ['application/json', 'application/x-ndjson'],
      body: z
        .array(orderInput)
        .min(1)
        .max(bulkItemsMax)
        .meta({ example: [orderExample] }),
      response: { 200: orderBulkAnswer, ...errorResponses(...keyErrors, ...writeErrors) },
    },
    // As for one by itself: what breaks the shape is kept with its reason.
    validatorCompiler: checkAllBut('headers', 'body'),
    handler: async (request, reply) => {
      const items = await takeBulk(request, reply, access);
      const { hasHungUp } = callerOf(request);
      const isAsync = prefersAsync(request);
      const deadline = performance.now() + config.intakeWaitMs;
      const results = await answerEach<TakenBulkOrder>(
        request,
        items,
        async (item, index) => {
          if (item.bytes.length > orderBodyLimit) {
            throw new AppError('payload_too_large', 'Ordern är större än 1 MB.');
          }
          const received = orderOf(item.bytes, request, placeInBulk(item, index));
          if (request.query.dryRun) {
            const left = deadline - performance.now();
            const outcome = await tryOut<TriedOrder>(received.raw, callerOf(request), left);
            return { status: 200, ...triedAnswer(outcome, received) };
          }
          const taken = await takeIn(received, { isAsync, hasHungUp, deadline });
          return taken.isQueued
            ? { status: 202, ok: true, orderId: taken.orderId }
            : { status: 200, ...acceptedAnswer(taken) };
        },
        // They are kept as the bytes they are.
        bulkBodyLimit,
      );
      return { results };
    },
  });
}
