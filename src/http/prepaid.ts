/**
 * Calls of busy keys, counted against their quota before they come: who calls a hundred times a second is let in without
 * asking the database each time. What a key may is looked up by every statement all the same (row level security,
 * `restricted.judge_calls`), so a revoked key opens nothing; what no statement is asked for it is told within `lifeMs`.
 * The last twentieth of a quota is counted call by call (`api.count_ahead`), so it is never exceeded. A process that is
 * killed leaves as many calls counted as its keys make in a third of a second.
 */
import {
  type Admission,
  type CountedAhead,
  countAhead,
  uncount,
} from '../access/keys/admission-store.ts';
import type { Scope } from '../access/keys/scopes.ts';
import type { Db } from '../db/pool.ts';
import { nameOf } from './load.ts';

/** A key's pace is told this often, and as often it is looked up anew. */
const turnMs = 200;
/** A hundred a second. */
const busyCalls = 20;
/** Longer than a turn, so that calls find some left as it ends. */
const lifeMs = 400;
const mostAhead = 2_000;

interface Purse {
  readonly hash: Buffer;
  /** Calls of this turn. */
  calls: number;
  counted: CountedAhead | undefined;
  isFilling: boolean;
  /** Of those counted, how many have not come. */
  left: number;
  /** The most that the database has told of the hour: calls that it let in itself may have come after what was counted. */
  used: bigint;
  /** By performance.now(): until when they may be used, and when the hour that they are counted in ends. */
  until: number;
  hourEnds: number;
}

export class Prepaid {
  readonly #db: Db;
  readonly #purses = new Map<string, Purse>();
  #turns: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Lets a call of the key in and takes it from what is counted; undefined when the database must be asked. */
  take(hash: Buffer, required: readonly Scope[]): Admission | undefined {
    const purse = this.#purses.get(nameOf(hash));
    if (!purse) return undefined;
    purse.calls += 1;
    const { counted } = purse;
    const now = performance.now();
    if (!counted || purse.left === 0 || now >= purse.until) return undefined;
    const { key_id, name, scopes, quota } = counted;
    if (!required.every((scope) => scopes.includes(scope))) return undefined;
    purse.left -= 1;
    const used = purse.used - BigInt(purse.left);
    const seconds_left = Math.max(1, Math.ceil((purse.hourEnds - now) / 1000));
    return { outcome: 'admitted', key_id, name, scopes, quota, used, seconds_left };
  }

  /**
   * The database has let a call of the key in: its pace is followed from now on. What the call is told of the hour holds
   * nothing that has not come.
   */
  follow<Told extends { readonly used: bigint }>(hash: Buffer, told: Told): Told {
    const name = nameOf(hash);
    const purse = this.#purses.get(name);
    if (!purse) {
      const empty = { counted: undefined, isFilling: false, left: 0, until: 0, hourEnds: 0 };
      this.#purses.set(name, { hash, calls: 1, used: told.used, ...empty });
      this.#turns ??= setInterval(() => this.#turn(), turnMs).unref();
      return told;
    }
    purse.until = Math.min(performance.now() + lifeMs, purse.hourEnds);
    if (told.used > purse.used) purse.used = told.used;
    return { ...told, used: told.used - BigInt(purse.left) };
  }

  /** Takes back what is counted of the key and has not come, for who needs to know what is left of its hour. */
  async giveBack(hash: Buffer): Promise<void> {
    const purse = this.#purses.get(nameOf(hash));
    if (purse) await this.#empty(purse);
  }

  async stop(): Promise<void> {
    clearInterval(this.#turns);
    const all = [...this.#purses.values()];
    this.#purses.clear();
    await Promise.all(all.map((purse) => this.#empty(purse)));
  }

  #turn(): void {
    for (const [name, purse] of this.#purses) {
      const { calls } = purse;
      purse.calls = 0;
      if (calls >= busyCalls) {
        void this.#fill(purse, Math.min(mostAhead, Math.ceil(1.5 * calls)));
        continue;
      }
      void this.#empty(purse);
      if (calls === 0) this.#purses.delete(name);
    }
    if (this.#purses.size > 0) return;
    clearInterval(this.#turns);
    this.#turns = undefined;
  }

  /** Up to so many; where the database does not say that the key may, nothing. */
  async #fill(purse: Purse, wanted: number): Promise<void> {
    if (purse.isFilling) return;
    purse.isFilling = true;
    const lacking = Math.max(1, wanted - purse.left);
    const counted = await countAhead(this.#db, purse.hash, lacking).catch(() => undefined);
    purse.isFilling = false;
    if (!counted) return this.#empty(purse);
    const now = performance.now();
    const isNewHour = purse.counted !== undefined && purse.counted.opened_at !== counted.opened_at;
    purse.left = (isNewHour ? 0 : purse.left) + counted.calls;
    if (isNewHour || counted.used > purse.used) purse.used = counted.used;
    purse.counted = counted;
    purse.hourEnds = now + counted.seconds_left * 1000;
    purse.until = Math.min(now + lifeMs, purse.hourEnds);
    if (this.#purses.get(nameOf(purse.hash)) !== purse) await this.#empty(purse);
  }

  /** What is not taken back when the database is away is counted, and no call got it. */
  async #empty(purse: Purse): Promise<void> {
    const { hash, left, counted } = purse;
    purse.left = 0;
    purse.used = 0n;
    if (!counted || left === 0) return;
    await uncount(this.#db, hash, { calls: left, opened_at: counted.opened_at }).catch(
      () => undefined,
    );
  }
}
