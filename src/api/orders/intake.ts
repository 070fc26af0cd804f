/** An order of a call: kept first, then waited for, and how its outcome is told. One by one and in bulk. */
import type { FastifyRequest } from 'fastify';
import { keyRefusal } from '../../access/keys/refusal.ts';
import type { Submit } from '../../db/batching/batcher.ts';
import type { HasHungUp } from '../../db/batching/hanging-up.ts';
import { db } from '../../db/pool.ts';
import { parseJson } from '../../domain/basics/json.ts';
import { callerOf } from '../../http/access.ts';
import type { AppDeps } from '../../http/fastify.ts';
import { headerValues } from '../../http/headers.ts';
import { receivedOrder } from '../../intake/orders/received.ts';
import type { TriedOrder } from '../../intake/orders/service.ts';
import {
  listOutcomes,
  type OrderOutcome,
  type ReceivedOrder,
  type StoredOrder,
} from '../../intake/orders/store.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { apiProblem } from '../../lib/sentences/say.ts';
import { createOutcomeReader } from '../outcomes.ts';
import { type CompareWithFirst, differenceOf } from './repeated.ts';

export const orderBodyLimit = 1024 * 1024;

/** An attempt, and the SHA-256 of the key that asks about it. */
interface WaitingSender {
  readonly keyHash: Buffer;
  readonly orderId: string;
  readonly attemptId: string | null;
}

export interface OrderSender {
  /** Does not wait for what becomes of it. */
  readonly isAsync: boolean;
  readonly hasHungUp: HasHungUp;
  /** When it no longer waits, by `performance.now()`; a while from now unless said. */
  readonly deadline?: number;
}

export type Taken =
  | { readonly isQueued: true; readonly orderId: string }
  | {
      readonly isQueued: false;
      readonly outcome: OrderOutcome;
      readonly isNew: boolean;
      /** In which fields it is another than the order that the invoice was made of. */
      readonly differing: readonly string[];
    };

export type TakeInOrder = (received: ReceivedOrder, sender: OrderSender) => Promise<Taken>;

export function createIntake(
  { pool, decisions, config }: AppDeps,
  store: Submit<ReceivedOrder, StoredOrder>,
  compare: CompareWithFirst,
): TakeInOrder {
  const readOutcome = createOutcomeReader<WaitingSender, OrderOutcome>('order outcomes', (orders) =>
    listOutcomes(db(pool), orders),
  );
  return async (received, { isAsync, hasHungUp, deadline }) => {
    // Before it is stored: a worker may be quicker than the answer of the statement that stores it.
    const notice = decisions.listen(received.attemptId);
    try {
      const stored = await store(received, hasHungUp);
      if (stored.outcome !== 'stored') throw keyRefusal(stored.outcome);
      const { keyHash } = received;
      const { order_id: orderId, attempt_id: attemptId } = stored;
      const isNew = stored.is_new === true;
      const read = () => readOutcome({ keyHash, orderId, attemptId });
      const timeoutMs = deadline ? deadline - performance.now() : config.intakeWaitMs;
      const outcome =
        isAsync || attemptId === null
          ? await read()
          : await decisions.wait(
              attemptId,
              { timeoutMs, since: isNew ? notice : undefined },
              read,
              ({ status }) => status !== 'received',
            );
      if (isAsync && outcome.status === 'received') return { isQueued: true, orderId };
      const { externalId: external_id } = received;
      const differing = isOther(outcome, attemptId) ? await compare(received, orderId) : [];
      return { isQueued: false, outcome: { ...outcome, external_id }, isNew, differing };
    } finally {
      notice.close();
    }
  };
}

/** Whether the order's invoice was made of other bytes: these are not kept, came too late, or were rejected before. */
const isOther = ({ invoice_id, status, reason }: OrderOutcome, attemptId: string | null): boolean =>
  invoice_id !== null && (attemptId === null || status === 'duplicate' || reason !== null);

/** Nothing beyond JSON is judged here: the bytes are kept first, then the worker reads them. */
export const orderOf = (raw: Buffer, request: FastifyRequest, of?: string): ReceivedOrder =>
  receivedOrder(raw, parseJson(raw, of).value, {
    keyHash: callerOf(request).hash,
    requestId: request.id,
  });

/** The draft that it became; `external_id` is as this call spelt it. Throws when it became none, or has not yet. */
export function acceptedAnswer({ outcome, isNew, differing }: Extract<Taken, { isQueued: false }>) {
  if (outcome.invoice_id !== null && outcome.customer_id !== null) {
    const duplicate = !isNew || outcome.status === 'duplicate' ? { duplicate: true as const } : {};
    return {
      ok: true as const,
      invoiceId: outcome.invoice_id,
      customerId: outcome.customer_id,
      ...duplicate,
      ...differenceOf(differing),
    };
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

/** What the order would have become. Throws when it would have become nothing. */
export function triedAnswer(tried: TriedOrder, { externalId }: Pick<ReceivedOrder, 'externalId'>) {
  if (tried.status === 'rejected') {
    const { reason, detail } = tried;
    const { problems, ...more } = detail;
    throw refuse('unprocessable', problems, {
      detail: { external_id: externalId, reason, ...more, stored: false },
    });
  }
  const { net, vat, rounding, total } = tried.amounts;
  return {
    ok: true as const,
    dry_run: true as const,
    net_amount: net,
    vat_amount: vat,
    rounding,
    total_amount: total,
    warnings: tried.warnings.map(apiProblem),
  };
}

/** `Prefer` holds preferences of any case, each with parameters or without (RFC 7240 2). */
export const prefersAsync = (request: FastifyRequest): boolean =>
  headerValues(request, 'prefer')
    .flatMap((value) => value.split(','))
    .some((preference) => /^respond-async(?:[=;\s]|$)/i.test(preference.trim()));
