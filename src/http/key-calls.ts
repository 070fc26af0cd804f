/**
 * The log of what keys call, refused calls too, as their pages show it. Answers wait for nothing: calls gather
 * in memory and are written together twice a second, of each key at most the hundred that the log keeps, so
 * that what it costs does not grow with how much is called.
 */
import { type MadeCall, recordCalls } from '../access/keys/call-store.ts';
import type { Db } from '../db/pool.ts';

const flushMs = 500;
const callsPerKeyMax = 100;

/** Of a key: the latest, and which of them is the oldest when there is no room for more. */
interface Latest {
  readonly calls: MadeCall[];
  oldest: number;
}

/** Gathers calls and writes them down. A database out of reach loses them: the log is no bookkeeping. */
export class KeyCalls {
  readonly #db: Db;
  readonly #report: (error: unknown) => void;
  #gathered = new Map<string, Latest>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Db, report: (error: unknown) => void) {
    this.#db = database;
    this.#report = report;
  }

  note(call: MadeCall): void {
    const key = call.hash.toString('latin1');
    const latest = this.#gathered.get(key);
    if (!latest) this.#gathered.set(key, { calls: [call], oldest: 0 });
    else if (latest.calls.length < callsPerKeyMax) latest.calls.push(call);
    else {
      latest.calls[latest.oldest] = call;
      latest.oldest = (latest.oldest + 1) % callsPerKeyMax;
    }
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /** Writes what has gathered; answers when that is done, also when it failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const calls = [...this.#gathered.values()].flatMap(({ calls: all, oldest }) => [
      ...all.slice(oldest),
      ...all.slice(0, oldest),
    ]);
    this.#gathered = new Map();
    if (calls.length === 0) return;
    await recordCalls(this.#db, calls).catch(this.#report);
  }
}
