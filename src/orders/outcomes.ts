/**
 * Calls waiting for what becomes of their order. The intake worker says "decided" on one channel;
 * the waiting process then reads the outcome from the tables, many at once. A notice that is missed
 * (the connection was lost, the order was decided before anyone waited) costs nothing: whoever waits
 * reads again on every reconnect and once more before giving up.
 */
import type pg from 'pg';
import { connect, db, type Pool } from '../db/pool.ts';
import { createBatcher, type Submit } from '../http/batcher.ts';
import { keyRefusal } from '../keys/refusal.ts';
import { listOutcomes, type OrderOutcome } from './store.ts';

export const outcomeChannel = 'huvudbok_order_decided';

/** An attempt, and the SHA-256 of the key that asks about it. */
interface Waiting {
  readonly keyHash: Buffer;
  readonly orderId: string;
  readonly attemptId: string | null;
}

const RECONNECT_MS = 1_000;

export class OrderOutcomes {
  readonly #url: string;
  readonly #read: Submit<Waiting, OrderOutcome>;
  readonly #wakers = new Map<string, Set<() => void>>();
  #client: pg.Client | undefined;
  #isStopped = false;

  constructor(url: string, pool: Pool) {
    this.#url = url;
    this.#read = createBatcher<Waiting, OrderOutcome>({
      maxItems: 500,
      maxInFlight: 2,
      run: async (orders) => {
        const outcomes = await listOutcomes(db(pool), orders);
        return outcomes.map((outcome) => (outcome.refusal ? keyRefusal(outcome.refusal) : outcome));
      },
    });
  }

  async start(): Promise<void> {
    const client = await connect(this.#url, 'huvudbok outcomes');
    client.on('notification', ({ payload }) => {
      for (const attemptId of (payload ?? '').split(',')) this.#wake(attemptId);
    });
    client.on('error', () => undefined);
    try {
      await client.query(`listen ${outcomeChannel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    // From here on only: a connection lost before it listened is tried again by whoever started it.
    client.on('end', () => void this.#reconnect());
    this.#client = client;
    if (this.#isStopped) return client.end();
    for (const attemptId of [...this.#wakers.keys()]) this.#wake(attemptId);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#client?.end();
  }

  /** The outcome now, decided or not. */
  read(attempt: Waiting): Promise<OrderOutcome> {
    return this.#read(attempt);
  }

  /**
   * Waits until the attempt is decided, at most `timeoutMs`; then answers how it stands.
   * `mayBeDecided` reads at once, for an attempt that someone else stored.
   */
  async wait(
    attempt: Waiting & { readonly attemptId: string },
    options: { timeoutMs: number; mayBeDecided: boolean },
  ): Promise<OrderOutcome> {
    const deadline = performance.now() + options.timeoutMs;
    const notice = this.#listen(attempt.attemptId);
    try {
      if (options.mayBeDecided) {
        const outcome = await this.read(attempt);
        if (outcome.status !== 'received') return outcome;
      }
      for (;;) {
        const left = deadline - performance.now();
        const woken = left > 0 && (await notice.next(left));
        const outcome = await this.read(attempt);
        if (outcome.status !== 'received' || !woken) return outcome;
      }
    } finally {
      notice.close();
    }
  }

  /** Remembers notices from now on, so that one given before `next` is called is not lost. */
  #listen(attemptId: string) {
    let isWoken = false;
    let resolveNext: ((woken: boolean) => void) | undefined;
    const waker = (): void => {
      isWoken = true;
      resolveNext?.(true);
    };
    const wakers = this.#wakers.get(attemptId) ?? new Set();
    this.#wakers.set(attemptId, wakers.add(waker));
    return {
      next: (timeoutMs: number): Promise<boolean> =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(false), timeoutMs);
          resolveNext = (woken) => {
            clearTimeout(timer);
            isWoken = false;
            resolve(woken);
          };
          if (isWoken) resolveNext(true);
        }),
      close: (): void => {
        wakers.delete(waker);
        if (wakers.size === 0 && this.#wakers.get(attemptId) === wakers)
          this.#wakers.delete(attemptId);
      },
    };
  }

  #wake(attemptId: string): void {
    for (const waker of this.#wakers.get(attemptId) ?? []) waker();
  }

  async #reconnect(): Promise<void> {
    while (!this.#isStopped) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      try {
        return await this.start();
      } catch {
        // Still down; the calls that wait have their own deadline.
      }
    }
  }
}
