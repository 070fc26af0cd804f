/**
 * How much one process takes on at once: so many calls and so many bytes. A holder may have at most as
 * much as is still free, and so never all of it: one gets half, two a third each, and whoever comes next
 * always finds room (the dynamic threshold of Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", 1998, with α = 1).
 */
import { type Limit, Overloaded } from '../db/batching/overloaded.ts';

export interface LoadAmount {
  readonly calls: number;
  readonly bytes: number;
}

/** What a call holds of a budget until it leaves. */
export interface BudgetShare {
  /** More bytes of the same call; throws `overloaded`, and takes nothing, when there is no room for them. */
  grow(bytes: number): void;
  /** Gives everything back; once, however often it is called. */
  leave(): void;
}

export class Budget {
  readonly #max: LoadAmount;
  readonly #limit: Limit;
  readonly #byHolder = new Map<string, { calls: number; bytes: number }>();
  #calls = 0;
  #bytes = 0;

  /** `limit` is what a call is told that it met when there are too many. */
  constructor(max: LoadAmount, limit: Limit = 'calls') {
    this.#max = max;
    this.#limit = limit;
  }

  get used(): LoadAmount {
    return { calls: this.#calls, bytes: this.#bytes };
  }

  /** A place for a call; throws `overloaded` when the holder has its share. */
  enter(holder: string, bytes = 0): BudgetShare {
    this.#take(holder, 1, bytes);
    let held = bytes;
    let isIn = true;
    return {
      grow: (more) => {
        if (!isIn) return;
        this.#take(holder, 0, more);
        held += more;
      },
      leave: () => {
        if (isIn) this.#giveBack(holder, held);
        isIn = false;
      },
    };
  }

  #take(holder: string, calls: number, bytes: number): void {
    const own = this.#byHolder.get(holder) ?? { calls: 0, bytes: 0 };
    if (calls > 0 && own.calls + calls > this.#max.calls - this.#calls) {
      throw new Overloaded(this.#limit);
    }
    if (bytes > 0 && own.bytes + bytes > this.#max.bytes - this.#bytes) {
      throw new Overloaded('bytes');
    }
    own.calls += calls;
    own.bytes += bytes;
    this.#calls += calls;
    this.#bytes += bytes;
    this.#byHolder.set(holder, own);
  }

  #giveBack(holder: string, bytes: number): void {
    this.#calls -= 1;
    this.#bytes -= bytes;
    const own = this.#byHolder.get(holder);
    if (!own) return;
    own.calls -= 1;
    own.bytes -= bytes;
    if (own.calls === 0) this.#byHolder.delete(holder);
  }
}
