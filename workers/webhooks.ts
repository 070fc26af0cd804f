/**
 * Tells endpoints what has happened. Every event becomes a delivery of each endpoint that wants it, and
 * every delivery is attempted until it succeeds or three days have passed. What is under way when the
 * process dies is attempted again by another within a minute, so a receiver may see an event twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '#src/config/config.ts';
import { type Pool, withTx } from '#src/db/pool.ts';
import { type AttemptResult, createSender } from '#src/events/webhooks/send.ts';
import { attemptDelivery, concludeAttempt } from '#src/events/webhooks/service.ts';
import { type DueDelivery, fanOut, takeDue } from '#src/events/webhooks/store.ts';
import { webhookAttempts, webhookSeconds } from '#src/metrics/metrics.ts';

export interface WebhookOptions {
  /** Connections of hb_worker. */
  readonly pool: Pool;
  readonly log: Logger;
  readonly config: Pick<Config, 'webhookNetworks' | 'keyring'>;
}

/** Attempts under way with one endpoint at the same time. */
const places = 8;
const pauseMs = 500;
/** What is under way when told to stop may take this long; then it is left for another to repeat. */
const stopMs = 5_000;
/** Events given out in one transaction, and how far ahead of its receiver an endpoint may get. */
const limits = { page: 500, outstanding: 1_000 };

export async function runWebhooks({
  pool,
  log,
  config,
}: WebhookOptions): Promise<{ stop(): Promise<void> }> {
  const sender = createSender(config.webhookNetworks);
  const busy = new Map<string, number>();
  const underWay = new Set<Promise<void>>();

  const attempt = async (delivery: DueDelivery): Promise<void> => {
    const { endpoint_id: endpointId, event_id: eventId } = delivery;
    busy.set(endpointId, (busy.get(endpointId) ?? 0) + 1);
    try {
      const result = await attemptDelivery(sender.send, config.keyring, delivery);
      countAttempt(result);
      const shutOff = await withTx(pool, (tx) => concludeAttempt(tx, delivery, result));
      const { status, durationMs: ms } = result;
      log.info({ endpoint: endpointId, event: eventId, status, ms }, 'webhook attempted');
      if (shutOff) log.warn({ endpoint: endpointId }, `webhook shut off: ${shutOff}`);
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'webhook attempt');
    } finally {
      const left = (busy.get(endpointId) ?? 1) - 1;
      if (left > 0) busy.set(endpointId, left);
      else busy.delete(endpointId);
    }
  };

  /** How many events were given out, and begins what is due. */
  const round = async (): Promise<{ given: number; due: number }> => {
    const given = await withTx(pool, (tx) => fanOut(tx, limits));
    const due = await withTx(pool, (tx) => takeDue(tx, busy, places));
    for (const delivery of due) {
      const one = attempt(delivery).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    return { given, due: due.length };
  };

  /** An attempt that ends leaves its place to the next; none may keep new events waiting for as long as it lasts. */
  const untilThereMayBeMore = async (): Promise<void> => {
    pause = new AbortController();
    if (isStopping) return;
    const moment = sleep(pauseMs, undefined, { signal: pause.signal }).catch(() => undefined);
    await Promise.race([moment, ...underWay]);
    pause.abort();
  };

  let isStopping = false;
  let pause = new AbortController();
  const running = (async () => {
    while (!isStopping) {
      const { given, due } = await round().catch((error) => {
        log.error({ err: error }, 'webhooks');
        return { given: 0, due: 0 };
      });
      if (given === 0 || due > 0) await untilThereMayBeMore();
    }
  })();

  return {
    async stop() {
      isStopping = true;
      pause.abort();
      await running;
      await Promise.race([Promise.all(underWay), sleep(stopMs)]);
      sender.close();
      await Promise.all(underWay);
    },
  };
}

function countAttempt({ status, durationMs }: AttemptResult): void {
  const isTaken = status !== null && status >= 200 && status < 300;
  const result = isTaken ? 'delivered' : status === null ? 'unreachable' : 'refused';
  webhookAttempts.inc({ result });
  webhookSeconds.observe({ result }, durationMs / 1000);
}
