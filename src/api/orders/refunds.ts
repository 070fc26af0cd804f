/** POST /api/inbound/aterbetalning: a shop's refund of an order. */
import { z } from 'zod';
import { keyRefusal } from '../../access/keys/refusal.ts';
import type { Submit } from '../../db/batching/batcher.ts';
import type { Db } from '../../db/pool.ts';
import { parseJson } from '../../domain/basics/json.ts';
import { type Access, callerOf } from '../../http/access.ts';
import { bytesOf } from '../../http/body.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App } from '../../http/fastify.ts';
import { checkAllBut } from '../../http/problems.ts';
import { receivedRefund } from '../../intake/orders/received.ts';
import { isOssOn, type ReceivedOrder, type StoredOrder } from '../../intake/orders/store.ts';
import { readRefund } from '../../intake/refunds/service.ts';
import { refuse } from '../../lib/errors.ts';
import { intakeQuery } from '../trials.ts';
import { orderBodyLimit } from './intake.ts';
import { acceptedRefund, checkedRefund, refundInput, rejectedRefund } from './refund-schemas.ts';
import { type CompareWithFirst, differenceOf } from './repeated.ts';

/**
 * The answer says that the refund is kept, or what is wrong with its form: never what it met in the books, which a
 * key that sends orders does not see.
 */
export function registerRefunds(
  app: App,
  access: Access,
  reader: Db,
  {
    store,
    compare,
  }: {
    readonly store: Submit<ReceivedOrder, StoredOrder>;
    readonly compare: CompareWithFirst;
  },
): void {
  app.route({
    method: 'POST',
    url: '/api/inbound/aterbetalning',
    bodyLimit: orderBodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write'], { legacy: 'ORDER_INBOUND_SECRET' }),
    schema: {
      operationId: 'receiveRefund',
      summary: 'Receive a refund of an order',
      description:
        "Becomes a credit note of the order's invoice: everything that remains of it, unless `amount` (with VAT, shared by VAT rate in proportion to what remains) or `rows` says how much. A draft, booked when the company books orders automatically. `refundId` credits once: sent again for the same order the answer is `duplicate: true`, whatever the body (`differingFields` names what is another than in the one that was credited, where the same key sent it and its order), and several partial refunds each have a number of their own. The answer tells nothing of what exists: a refund of an order that is unknown here, is not booked yet, or has less left, is kept with its reason for a person, and one that came before its order's invoice was booked is tried again by itself when it is. `/api/inbound/avstamning` with `refundIds` tells what became of refunds whose order the same key sent. With ?dryRun=true its form is judged and nothing is kept.",
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      querystring: intakeQuery,
      body: refundInput,
      response: {
        200: z.union([acceptedRefund, checkedRefund]),
        ...errorResponses(...keyErrors, ...writeErrors, rejectedRefund),
      },
    },
    // The body is described for readers only: what breaks the shape is kept with its reason.
    validatorCompiler: checkAllBut('headers', 'body'),
    handler: async (request) => {
      const raw = bytesOf(request);
      const { hash: keyHash, hasHungUp } = callerOf(request);
      const sender = { keyHash, requestId: request.id };
      const received = receivedRefund(raw, parseJson(raw).value, sender);
      const { dryRun = false } = request.query;
      const stored = dryRun ? null : await store(received, hasHungUp);
      if (stored && stored.outcome !== 'stored') throw keyRefusal(stored.outcome);
      const read = await readForm(raw, reader);
      if ('problems' in read) {
        throw refuse('unprocessable', read.problems, {
          detail: { refund_id: received.externalId, reason: 'invalid_refund', stored: !dryRun },
        });
      }
      if (!stored) return { ok: true as const, dry_run: true as const };
      if (stored.order_id === received.orderId) return { ok: true as const };
      // However the first one stands: nothing but that its number has come, unless the key sent both it and its order.
      const differing = stored.attempt_id === null ? await compare(received, stored.order_id) : [];
      return { ok: true as const, duplicate: true as const, ...differenceOf(differing) };
    },
  });
}

/** Other currencies are taken where the company has said so, which is asked for when one comes. */
async function readForm(raw: Buffer, reader: Db): Promise<ReturnType<typeof readRefund>> {
  const read = readRefund(raw, { isOssOn: false });
  const isInOther =
    'problems' in read && read.problems.some(({ reason }) => reason === 'refund_in_other_currency');
  return isInOther && (await isOssOn(reader)) ? readRefund(raw, { isOssOn: true }) : read;
}
