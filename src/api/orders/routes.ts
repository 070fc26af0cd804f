/** POST /api/inbound/order (contract 2.6, 4.8), many of them at once, and POST /api/inbound/avstamning. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createBatcher } from '../../db/batching/batcher.ts';
import { db } from '../../db/pool.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { bytesOf, parseJsonBody } from '../../http/body.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { checkAllBut } from '../../http/problems.ts';
import { noQuery } from '../../http/schemas.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { identityOf, refundKeyOf } from '../../intake/orders/identity.ts';
import type { TriedOrder } from '../../intake/orders/service.ts';
import {
  type ReceivedOrder,
  type ReconciledRefund,
  reconcileOrders,
  reconcileRefunds,
  type StoredOrder,
  storeOrders,
} from '../../intake/orders/store.ts';
import { tillReportStatesOf } from '../till-reports/states.ts';
import { createTrier, intakeQuery, type Try } from '../trials.ts';
import { registerOrderBulk } from './bulk.ts';
import {
  acceptedAnswer,
  createIntake,
  orderBodyLimit,
  orderOf,
  prefersAsync,
  type TakeInOrder,
  triedAnswer,
} from './intake.ts';
import { registerRefunds } from './refunds.ts';
import { createComparison } from './repeated.ts';
import {
  acceptedOrder,
  delayedOrder,
  orderInput,
  preferHeaders,
  queuedOrder,
  reconciliation,
  reconciliationInput,
  rejectedOrder,
  triedOrder,
} from './schemas.ts';

const batchBytes = 4 * orderBodyLimit;

export function registerOrders(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { pool } = deps;
  const store = createBatcher<ReceivedOrder, StoredOrder>({
    name: 'orders',
    maxItems: 100,
    maxInFlight: 2,
    maxWeight: batchBytes,
    weigh: (order) => order.raw.length,
    holderOf: holderOfCall,
    run: (orders) => storeOrders(db(pool), orders),
  });
  const compare = createComparison(pool);
  const takeIn = createIntake(deps, store, compare);
  const tryOut = createTrier(deps, 'order');
  registerIntake(routes, access, takeIn, tryOut);
  registerOrderBulk(routes, deps, access, { takeIn, tryOut });
  registerRefunds(routes, access, db(pool), { store, compare });
  registerReconciliation(routes, deps, access);
}

function registerIntake(app: App, access: Access, takeIn: TakeInOrder, tryOut: Try): void {
  app.route({
    method: 'POST',
    url: '/api/inbound/order',
    bodyLimit: orderBodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write'], { legacy: 'ORDER_INBOUND_SECRET' }),
    schema: {
      operationId: 'receiveOrder',
      summary: 'Receive an order',
      description:
        'Answers when the order has become an invoice draft or has been stored with its reason. The same externalId never becomes two invoices; it is compared without white space around it and in Unicode form NFC. Sent again with other content once it has its invoice, it changes nothing: the answer is duplicate: true, and differingFields names what is another than in the order that the invoice was made of. Prefer: respond-async answers 202 at once; ask /api/inbound/avstamning afterwards. Unknown fields are read past. A refund is sent to /api/inbound/aterbetalning. Sent as an order of a negative amount, with an externalId of its own, the answer is 422 negative_total: it lies in the order inbox until a person has credited the invoice. Under the externalId of the order itself the answer is duplicate: true, and nothing is credited. A return is deducted from another order by a negative quantity, as long as total does not go below zero. With ?dryRun=true the order is judged as if it were the first of its number, and nothing is kept.',
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      headers: preferHeaders,
      querystring: intakeQuery,
      body: orderInput,
      response: {
        200: z.union([acceptedOrder, triedOrder]),
        202: queuedOrder,
        ...errorResponses(...keyErrors, ...writeErrors, rejectedOrder, delayedOrder),
      },
    },
    // The body is described for readers only: what breaks the shape is stored with its reason.
    validatorCompiler: checkAllBut('headers', 'body'),
    handler: async (request, reply) => {
      const received = orderOf(bytesOf(request), request);
      if (request.query.dryRun) {
        return triedAnswer(await tryOut<TriedOrder>(received.raw, callerOf(request)), received);
      }
      const taken = await takeIn(received, {
        isAsync: prefersAsync(request),
        hasHungUp: callerOf(request).hasHungUp,
      });
      if (!taken.isQueued) return acceptedAnswer(taken);
      reply.header('preference-applied', 'respond-async');
      return reply.code(202).send({ ok: true, orderId: taken.orderId, status: 'queued' });
    },
  });
}

function registerReconciliation(app: App, { readers }: AppDeps, access: Access): void {
  app.route({
    method: 'POST',
    url: '/api/inbound/avstamning',
    bodyLimit: orderBodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write']),
    preValidation: parseJsonBody,
    schema: {
      operationId: 'reconcileOrders',
      summary: 'What became of the orders? Answers for those that the same key has sent',
      description:
        'Ask by the numbers or by SHA-256 of the bytes that were sent, after a timeout or as a check at night. Answers say nothing about what others have sent.',
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      querystring: noQuery,
      body: reconciliationInput,
      response: { 200: reconciliation, ...errorResponses(...keyErrors, ...writeErrors) },
    },
    handler: async (request) => {
      const externalIds = request.body.externalIds ?? [];
      const sha256s = request.body.sha256s ?? [];
      const hashes = sha256s.map((hash) => Buffer.from(hash, 'hex'));
      const refundIds = request.body.refundIds ?? [];
      const tillReports = request.body.tillReports ?? [];
      const { found, refunds, reports } = await withKey(readers, callerOf(request), async (tx) => ({
        found: await reconcileOrders(tx, externalIds.map(identityOf), hashes),
        refunds:
          refundIds.length === 0 ? [] : await reconcileRefunds(tx, refundIds.map(refundKeyOf)),
        reports: await tillReportStatesOf(tx, tillReports),
      }));
      // The latest attempt speaks for an order; earlier ones stay reachable by their hash.
      const byIdentity = new Map(found.map((order) => [order.identity, order]));
      const byHash = new Map(found.map((order) => [order.sha256, order]));
      const state = (order: (typeof found)[number] | undefined) =>
        order
          ? {
              status: order.status === 'duplicate' ? ('draft' as const) : order.status,
              reason: order.reason,
              orderId: order.order_id,
              invoiceId: order.invoice_id,
              customerId: order.customer_id,
              receivedAt: order.received_at.toISOString(),
            }
          : { status: 'unknown' as const };
      return {
        orders: [
          ...externalIds.map((externalId) => ({
            externalId,
            ...state(byIdentity.get(identityOf(externalId))),
          })),
          ...sha256s.map((sha256) => ({ sha256, ...state(byHash.get(sha256)) })),
        ],
        ...(refundIds.length === 0
          ? {}
          : { refunds: refundIds.flatMap((refundId) => refundStates(refundId, refunds)) }),
        ...(tillReports.length === 0 ? {} : { tillReports: reports }),
      };
    },
  });
}

/** One for each order that the number has been sent for; of a number that was never sent, that it is unknown. */
function refundStates(
  refundId: string,
  found: readonly ReconciledRefund[],
): NonNullable<z.infer<typeof reconciliation>['refunds']> {
  const own = found.filter((refund) => refund.refund_key === refundKeyOf(refundId));
  if (own.length === 0) return [{ refundId, status: 'unknown' as const }];
  return own.map((refund) => ({
    refundId,
    externalId: refund.external_id,
    status: refund.status === 'duplicate' ? ('draft' as const) : refund.status,
    reason: refund.reason,
    invoiceId: refund.invoice_id,
    receivedAt: refund.received_at.toISOString(),
  }));
}
