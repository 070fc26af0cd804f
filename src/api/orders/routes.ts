/** POST /api/inbound/order (contract 2.6, 4.8) and POST /api/inbound/avstamning. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { keyRefusal } from '../../access/keys/refusal.ts';
import { createBatcher, type Submit } from '../../db/batching/batcher.ts';
import { db } from '../../db/pool.ts';
import { parseJson } from '../../domain/basics/json.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { bytesOf, parseJsonBody } from '../../http/body.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { headerValues } from '../../http/headers.ts';
import { checkAllBut } from '../../http/problems.ts';
import { noQuery } from '../../http/schemas.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { identityOf, refundKeyOf } from '../../intake/orders/identity.ts';
import { receivedOrder } from '../../intake/orders/received.ts';
import {
  type OrderOutcome,
  type ReceivedOrder,
  type ReconciledRefund,
  reconcileOrders,
  reconcileRefunds,
  type StoredOrder,
  storeOrders,
} from '../../intake/orders/store.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { createOutcomeReader } from './outcomes.ts';
import { registerRefunds } from './refunds.ts';
import {
  acceptedOrder,
  delayedOrder,
  orderInput,
  preferHeaders,
  queuedOrder,
  reconciliation,
  reconciliationInput,
  rejectedOrder,
} from './schemas.ts';

const orderBodyLimit = 1024 * 1024;
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
  registerIntake(routes, deps, access, store);
  registerRefunds(routes, access, store);
  registerReconciliation(routes, deps, access);
}

function registerIntake(
  app: App,
  deps: AppDeps,
  access: Access,
  store: Submit<ReceivedOrder, StoredOrder>,
): void {
  const { pool, decisions, config } = deps;
  const readOutcome = createOutcomeReader(pool);
  app.route({
    method: 'POST',
    url: '/api/inbound/order',
    bodyLimit: orderBodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write'], 'ORDER_INBOUND_SECRET'),
    schema: {
      operationId: 'receiveOrder',
      summary: 'Receive an order',
      description:
        'Answers when the order has become an invoice draft or has been stored with its reason. The same externalId never becomes two invoices; it is compared without white space around it and in Unicode form NFC. Prefer: respond-async answers 202 at once; ask /api/inbound/avstamning afterwards. Unknown fields are read past. A refund is sent to /api/inbound/aterbetalning. Sent as an order of a negative amount, with an externalId of its own, the answer is 422 negative_total: it lies in the order inbox until a person has credited the invoice. Under the externalId of the order itself the answer is duplicate: true, and nothing is credited. A return is deducted from another order by a negative quantity, as long as total does not go below zero.',
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      headers: preferHeaders,
      querystring: noQuery,
      body: orderInput,
      response: {
        200: acceptedOrder,
        202: queuedOrder,
        ...errorResponses(...keyErrors, ...writeErrors, rejectedOrder, delayedOrder),
      },
    },
    // The body is described for readers only: what breaks the shape is stored with its reason.
    validatorCompiler: checkAllBut('headers', 'body'),
    handler: async (request, reply) => {
      // Nothing beyond JSON is judged here: the bytes are kept first, then the worker reads them.
      const raw = bytesOf(request);
      const { hash: keyHash } = callerOf(request);
      const sender = { keyHash, requestId: request.id };
      const received = receivedOrder(raw, parseJson(raw).value, sender);
      // Before it is stored: a worker may be quicker than the answer of the statement that stores it.
      const notice = decisions.listen(received.attemptId);
      try {
        const stored = await store(received, callerOf(request).hasHungUp);
        if (stored.outcome !== 'stored') throw keyRefusal(stored.outcome);
        const { order_id: orderId, attempt_id: attemptId } = stored;
        const isNew = stored.is_new === true;
        const isAsync = prefersAsync(request);
        const read = () => readOutcome({ keyHash, orderId, attemptId });
        const outcome =
          isAsync || attemptId === null
            ? await read()
            : await decisions.wait(
                attemptId,
                { timeoutMs: config.intakeWaitMs, since: isNew ? notice : undefined },
                read,
                ({ status }) => status !== 'received',
              );
        if (isAsync && outcome.status === 'received') {
          reply.header('preference-applied', 'respond-async');
          return reply.code(202).send({ ok: true, orderId, status: 'queued' });
        }
        return answer(reply, { ...outcome, external_id: received.externalId }, isNew);
      } finally {
        notice.close();
      }
    },
  });
}

/** `Prefer` holds preferences of any case, each with parameters or without (RFC 7240 2). */
const prefersAsync = (request: FastifyRequest): boolean =>
  headerValues(request, 'prefer')
    .flatMap((value) => value.split(','))
    .some((preference) => /^respond-async(?:[=;\s]|$)/i.test(preference.trim()));

/** `external_id` as this call spelt it. */
function answer(reply: FastifyReply, outcome: OrderOutcome, isNew: boolean) {
  if (outcome.invoice_id !== null) {
    const duplicate = !isNew || outcome.status === 'duplicate' ? { duplicate: true } : {};
    return reply.send({
      ok: true,
      invoiceId: outcome.invoice_id,
      customerId: outcome.customer_id,
      ...duplicate,
    });
  }
  if (outcome.status === 'received') {
    throw new AppError(
      'processing_delayed',
      'Ordern är mottagen och säkrad men inte färdigbehandlad; skicka den igen om en stund för att få svaret.',
      { headers: { 'retry-after': '5' }, detail: { order_id: outcome.order_id, stored: true } },
    );
  }
  const { problems = [], ...detail } = outcome.detail ?? {};
  throw refuse('unprocessable', problems, {
    detail: {
      order_id: outcome.order_id,
      external_id: outcome.external_id,
      reason: outcome.reason,
      ...detail,
      stored: true,
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
      const { found, refunds } = await withKey(readers, callerOf(request), async (tx) => ({
        found: await reconcileOrders(tx, externalIds.map(identityOf), hashes),
        refunds:
          refundIds.length === 0 ? [] : await reconcileRefunds(tx, refundIds.map(refundKeyOf)),
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
