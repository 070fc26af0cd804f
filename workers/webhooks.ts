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
import { type DueDelivery, fanOut, hasEndpoints, takeDue } from '#src/events/webhooks/store.ts';
import { webhookAttempts, webhookSeconds } from '#src/lib/metrics/metrics.ts';

export interface WebhookOptions {
  /** Connections of hb_worker. */
  readonly pool: Pool;
  readonly log: Logger;
  readonly config: Pick<Config, 'webhookNetworks' | 'keyring'>;
}

/** Attempts under way with one endpoint at the same time. */
const places = 8;
const pauseMs = 500;
/** When nothing has happened for a minute, and where there is nobody to tell. */
const restMs = { quiet: 1_000, alone: 5_000 };
const quietAfterMs = 60_000;
/** What is under way when told to stop may take this long; then it is left for another to repeat. */
const stopMs = 5_000;
/** Events given out in one transaction, and how far ahead of its receiver an endpoint may get. */
const limits = { page: 500, outstanding: 1_000 };

interface Round {
  readonly given: number;
  readonly due: number;
  /** Nobody wants to be told anything. */
  readonly isAlone: boolean;
}

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
  const round = async (): Promise<Round> => {
    const { due, ...rest } = await withTx(pool, async (tx) => ({
      given: await fanOut(tx, limits),
      due: await takeDue(tx, busy, places),
      isAlone: !(await hasEndpoints(tx)),
    }));
    for (const delivery of due) {
      const one = attempt(delivery).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    return { ...rest, due: due.length };
  };

  let busyAt = performance.now();
  const pauseAfter = ({ given, due, isAlone }: Round): number => {
    if (given + due + underWay.size > 0) busyAt = performance.now();
    if (isAlone) return restMs.alone;
    return performance.now() - busyAt < quietAfterMs ? pauseMs : restMs.quiet;
  };

  /** An attempt that ends leaves its place to the next; none may keep new events waiting for as long as it lasts. */
  const untilThereMayBeMore = async (ms: number): Promise<void> => {
    pause = new AbortController();
    if (isStopping) return;
    const moment = sleep(ms, undefined, { signal: pause.signal }).catch(() => undefined);
    await Promise.race([moment, ...underWay]);
    pause.abort();
  };

  let isStopping = false;
  let pause = new AbortController();
  const running = (async () => {
    while (!isStopping) {
      const last = await round().catch((error) => {
        log.error({ err: error }, 'webhooks');
        return { given: 0, due: 0, isAlone: false };
      });
      const ms = pauseAfter(last);
      if (last.given === 0 || last.due > 0) await untilThereMayBeMore(ms);
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
