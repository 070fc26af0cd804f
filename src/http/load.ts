/**
 * What one process takes on, so that too much traffic is refused at once instead of gathering in memory
 * until the process ends. Every figure follows from the heap the process may use.
 */
import { getHeapStatistics } from 'node:v8';
import type { Limit } from '../db/batching/overloaded.ts';
import { shedCalls } from '../lib/metrics/load.ts';
import { Budget, type LoadAmount } from './budget.ts';

const mebibyte = 1024 * 1024;
/** An e-invoice; nothing that is longer is read at once. */
export const largestBody = 4 * mebibyte;
/** A voucher, an invoice, a form. */
export const defaultBodyLimit = mebibyte / 2;
const credentialsMax = 10_000;
/** So many connections may wait for the process to take them up (Node's `backlog`). */
const waitingConnectionsMax = 511;

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface LoadLimits {
  /** Calls that write, from their first byte until they are answered. */
  readonly calls: number;
  /** Of their bodies. */
  readonly bytes: number;
  /** Of large answers, until their readers have taken them. */
  readonly answer_bytes: number;
  /** Readings that wait for their turn. */
  readonly waiting_readers: number;
  readonly connections: number;
}

/**
 * A sixteenth of the heap in bodies, weighed by what they become (shedding.ts). Three of the largest must
 * have room, or one sender could keep all others out.
 */
export function limitsOf(heap_bytes: number): LoadLimits {
  const share = (bytes: number): number => Math.floor(heap_bytes / bytes);
  return {
    calls: Math.max(256, share(128 * 1024)),
    bytes: Math.max(3 * largestBody, share(16)),
    answer_bytes: Math.max(3 * largestBody, share(8)),
    waiting_readers: Math.max(128, share(512 * 1024)),
    connections: Math.max(2_000, share(64 * 1024)),
  };
}

const ownLimits = (): LoadLimits => limitsOf(getHeapStatistics().heap_size_limit);

/** What a credential is called here: its SHA-256, never itself. */
export const nameOf = (credential: Buffer): string => credential.toString('latin1');

/** How a process stands, for whoever watches it. */
export interface LoadCounts {
  /** Calls that write, in hand, and the bytes of their bodies. */
  readonly writing: LoadAmount;
  /** Large answers on their way. */
  readonly answering: LoadAmount;
  /** Calls refused as `overloaded` since the process started, by what stopped them. */
  readonly shed: Readonly<Record<Limit, number>>;
}

/** One for each HTTP process. */
export class Load {
  readonly limits: LoadLimits;
  readonly writing: Budget;
  readonly answering: Budget;
  readonly #shed: Record<Limit, number> = { calls: 0, bytes: 0, readers: 0, waiting_time: 0 };
  /** Credentials that have been let in, oldest first; what is not among them may be made up. */
  readonly #known = new Set<string>();
  #turn: Promise<void> = Promise.resolve();
  #connections = 0;
  #arriving: Promise<void> | undefined;

  constructor(limits: LoadLimits = ownLimits()) {
    this.limits = limits;
    this.writing = new Budget(limits);
    this.answering = new Budget({ calls: Infinity, bytes: limits.answer_bytes });
  }

  /**
   * Whose share a call is of: its credential's, once that has been let in, else its address's. So a flood
   * of made-up keys is one among the holders, not as many as it has keys.
   */
  holderOf(credential: Buffer | undefined, address: string): string {
    const name = credential && nameOf(credential);
    return name !== undefined && this.#known.has(name) ? name : address;
  }

  /** The credential has been let in. */
  remember(credential: Buffer): void {
    this.#known.add(nameOf(credential));
    if (this.#known.size <= credentialsMax) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      return;
    }
  }

  /** Large bodies are read one at a time, and whatever else has come is looked at between them. */
  takeTurn(): Promise<void> {
    this.#turn = this.#turn.then(nextIteration).then(() => this.#arriving);
    return this.#turn;
  }

  /** A connection has been taken up. */
  noteConnection(): void {
    this.#connections += 1;
    this.#arriving ??= this.#untilAllHaveArrived();
  }

  /**
   * Set while connections may be waiting to be taken up. Node takes up one in each turn of its loop (libuv
   * since 1.45), so a body that was read in each would keep the last of 250 waiting for 250 bodies (measured:
   * 29 s for a health check), and hide that its own sender has hung up.
   */
  get arriving(): Promise<void> | undefined {
    return this.#arriving;
  }

  async #untilAllHaveArrived(): Promise<void> {
    // What is left of the turn that took the first one up.
    await nextIteration();
    for (let turn = 0; turn < waitingConnectionsMax; turn += 1) {
      const before = this.#connections;
      await nextIteration();
      if (this.#connections === before) break;
    }
    this.#arriving = undefined;
  }

  noteShed(limit: Limit): void {
    this.#shed[limit] += 1;
    shedCalls.inc({ limit });
  }

  get counts(): LoadCounts {
    return {
      writing: this.writing.used,
      answering: this.answering.used,
      shed: { ...this.#shed },
    };
  }
}
