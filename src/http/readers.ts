/**
 * Those who read: a pool of connections of their own, so many at once, and a queue in which holders take
 * turns. However much is read, posting keeps its connections and most of the processors.
 */

import { FairQueue } from '../db/batching/fair-queue.ts';
import { type HasHungUp, HungUp } from '../db/batching/hanging-up.ts';
import { Overloaded } from '../db/batching/overloaded.ts';
import type { Pool } from '../db/pool.ts';
import { Budget } from './budget.ts';

/** Reading can wait longer than writing: nothing gathers behind it but other readers. */
const waitMsMax = 5_000;

export interface ReadersOptions {
  readonly pool: Pool;
  /** How many read at once. */
  readonly atOnce: number;
  /** How many wait for their turn. */
  readonly waiting: number;
  readonly waitMs?: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export class Readers {
  readonly #pool: Pool;
  readonly #atOnce: number;
  readonly #room: Budget;
  readonly #queue: FairQueue<Waiting>;
  #running = 0;

  constructor({ pool, atOnce, waiting, waitMs = waitMsMax }: ReadersOptions) {
    this.#pool = pool;
    this.#atOnce = atOnce;
    this.#room = new Budget({ calls: waiting, bytes: 0 }, 'readers');
    this.#queue = new FairQueue(waitMs, (late) => {
      for (const { reject } of late) reject(new Overloaded('waiting_time'));
    });
  }

  /** How many read, and how many wait to. */
  get counts(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#queue.size };
  }

  /** Runs `work` when it is the holder's turn; rejects with `overloaded` when that is too far off. */
  async run<T>(
    holder: string,
    work: (pool: Pool) => Promise<T>,
    hasHungUp: HasHungUp = () => false,
  ): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#turn(holder);
    try {
      if (hasHungUp()) throw new HungUp();
      return await work(this.#pool);
    } finally {
      const next = this.#queue.shift();
      // Whoever is next takes over the place.
      if (next) next.begin();
      else this.#running -= 1;
    }
  }

  async #turn(holder: string): Promise<void> {
    const place = this.#room.enter(holder);
    try {
      await new Promise<void>((begin, reject) => this.#queue.push(holder, { begin, reject }));
    } finally {
      place.leave();
    }
  }
}
