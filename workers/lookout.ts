/**
 * Wakes a process's workers: at once when a job is put on one of their queues (NOTIFY), when a job that
 * waited for its hour may be taken, and when somebody else has died with one in hand. One statement every
 * ten seconds for all queues is the backstop for a notice that was lost.
 */
import type { Logger } from 'pino';
import { giveBackJobs, holdQueues, jobChannel, listOutlooks } from '#src/db/job-store.ts';
import { listen } from '#src/db/listener.ts';
import { db, type Pool } from '#src/db/pool.ts';

export interface LookoutOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly pool: Pool;
  readonly log: Logger;
  /** What this process works. */
  readonly queues: readonly string[];
  /** What somebody else works. */
  readonly watched: readonly string[];
  /** The jobs that this process has at work. */
  readonly inHand: ReadonlySet<string>;
  /** Lets the workers of a queue look for jobs. */
  readonly wake: (queue: string) => void;
  /** A job of the queue has been at work too long. */
  readonly overdue: (queue: string) => Promise<void>;
}

export interface Lookout {
  /** A job has failed, and may be tried again in a moment that nobody is told of. */
  lookSoon(): void;
  stop(): Promise<void>;
}

const lookMs = 10_000;
/** After a look that failed, or one that found what must be seen to. */
const againMs = 1_000;
/** By then what failed is written down. */
const soonMs = 250;
/** A job that was taken by this process while it could not listen may be on its way here. */
const youngMs = 1_000;

/** Has taken over what the dead left and listens when it returns; `wake` may come before that. */
export async function startLookout(options: LookoutOptions): Promise<Lookout> {
  const { url, applicationName, pool, log, queues, inHand, wake, overdue } = options;
  const all = [...queues, ...options.watched];
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let lookAt = Number.POSITIVE_INFINITY;

  const lookIn = (ms: number): void => {
    if (stopping.signal.aborted) return;
    const at = performance.now() + ms;
    if (timer !== undefined && at >= lookAt) return;
    clearTimeout(timer);
    lookAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      looking = looking.then(look);
    }, ms);
  };

  async function look(): Promise<void> {
    if (stopping.signal.aborted) return;
    let nextMs = lookMs;
    try {
      for (const { queue, due_ms, overdue_ms } of await listOutlooks(db(pool), all)) {
        if (due_ms !== null && due_ms <= 0) wake(queue);
        else if (due_ms !== null) nextMs = Math.min(nextMs, due_ms);
        if (overdue_ms === null) continue;
        if (overdue_ms > 0) nextMs = Math.min(nextMs, overdue_ms);
        else {
          await overdue(queue);
          nextMs = Math.min(nextMs, againMs);
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'looking at the job queue');
      nextMs = againMs;
    }
    lookIn(Math.ceil(nextMs) + 1);
  }

  let hasBegun = false;
  const listener = await listen({
    url,
    applicationName,
    channel: jobChannel,
    onNotification: wake,
    prepare: async (connection) => {
      const left = { inHand: [...inHand], youngMs: hasBegun ? youngMs : 0 };
      const given = await giveBackJobs(db(connection), queues, left);
      if (given.length > 0) log.info({ queues: given }, 'took over what was left behind');
      await holdQueues(db(connection), queues);
    },
    onListening: () => {
      if (!hasBegun) return;
      lookIn(0);
      for (const queue of queues) wake(queue);
    },
  });
  hasBegun = true;
  lookIn(0);
  return {
    lookSoon: () => lookIn(soonMs),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await listener.close();
      await looking;
    },
  };
}
