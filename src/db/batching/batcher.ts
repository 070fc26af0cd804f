/**
 * Natural batching: while one batch is with the database, arriving calls gather; when it is back, all that
 * gathered go together. An idle caller waits for nobody, and under load the batch grows by itself. This is
 * what lets gapless numbers, which hold a row lock until commit, be given faster than one commit at a time
 * (docs/architecture.md). A further batch goes beside one that is long in coming back, since it may wait for
 * something that others do not; going beside each other always, batches were half as large and posting took
 * a third longer (docs/decisions/0004-posting-in-batches.md). Callers take turns, and whoever has waited
 * too long is told to come back: what is still waiting has not been sent, so nothing of it is done. Nor is
 * anything of a call whose sender hangs up meanwhile.
 */

import { batchItems, batchSeconds } from '../../lib/metrics/metrics.ts';
import { isUnavailable } from '../refusals.ts';
import { FairQueue } from './fair-queue.ts';
import { type HasHungUp, HungUp } from './hanging-up.ts';
import { Overloaded } from './overloaded.ts';

/** Waiting longer for the database to take a call in helps nobody: its sender may come back. */
const usualWaitMs = 2_000;

/** As long as some hundred vouchers take; out longer than that, a batch is likely to wait for somebody. */
const patienceMs = 40;

/** What became of something stored is told in the end: longer than any statement may take. */
export const outcomeWaitMs = 60_000;

export interface BatcherOptions<Item, Answer> {
  /** What gathers, for the figures: one word a batcher. */
  readonly name: string;
  /** Answers every item, in order. An item's own refusal is an Error among the answers. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  readonly maxItems: number;
  /** How many may be out at the same time when those before take long. */
  readonly maxInFlight: number;
  /** A batch also closes before its items together weigh more than this (bytes, rows, …). */
  readonly maxWeight?: number;
  readonly weigh?: (item: Item) => number;
  /** Who sent it: holders take turns. */
  readonly holderOf?: (item: Item) => string;
  readonly waitMs?: number;
}

export type Submit<Item, Answer> = (item: Item, hasHungUp?: HasHungUp) => Promise<Answer>;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly hasHungUp: HasHungUp;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

export function createBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): Submit<Item, Answer> {
  const { name, run, maxItems, maxInFlight, maxWeight = Infinity, weigh = () => 0 } = options;
  const { holderOf = () => '', waitMs = usualWaitMs } = options;
  const gathered = new FairQueue<Waiting<Item, Answer>>(waitMs, (late) => {
    for (const { reject } of late) reject(new Overloaded('waiting_time'));
  });
  /** Since when each batch that is not back has been out. */
  const out = new Set<number>();
  let patience: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  function take(): Waiting<Item, Answer>[] {
    const batch: Waiting<Item, Answer>[] = [];
    let weight = 0;
    for (;;) {
      const next = gathered.peek();
      if (!next || batch.length === maxItems) return batch;
      if (next.hasHungUp()) {
        gathered.shift();
        next.reject(new HungUp());
        continue;
      }
      weight += weigh(next.item);
      if (batch.length > 0 && weight > maxWeight) return batch;
      batch.push(next);
      gathered.shift();
    }
  }

  async function send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const labels = { batch: name };
    batchItems.observe(labels, batch.length);
    const took = batchSeconds.startTimer(labels);
    try {
      const answers = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer instanceof Error) reject(answer);
        else if (answer === undefined) reject(new Error('the batch left a call unanswered'));
        else resolve(answer);
      });
    } catch (error) {
      // The whole batch failed, so nothing of it was written. One item may be the cause: try each
      // alone, so that its neighbours do not suffer. A database out of reach, or one that cannot write,
      // is no item's doing, and to wait for it once for each would keep the last of them for minutes.
      if (batch.length === 1 || isUnavailable(error)) {
        for (const { reject } of batch) reject(error);
      } else for (const waiting of batch) await send([waiting]);
    } finally {
      took();
    }
  }

  /** Sends what has gathered when nothing is out, or all that is out takes long. */
  function go(): void {
    const soonest = Math.max(...out) + patienceMs;
    const wait = soonest - performance.now();
    if (wait > 0) {
      if (out.size < maxInFlight && !patience) patience = setTimeout(lookAgain, wait);
      return;
    }
    if (out.size === maxInFlight) return;
    const batch = take();
    if (batch.length === 0) return;
    const since = performance.now();
    out.add(since);
    void send(batch).finally(() => {
      out.delete(since);
      go();
    });
  }

  function endTurn(): void {
    turn = undefined;
    go();
  }

  function lookAgain(): void {
    patience = undefined;
    go();
  }

  return (item, hasHungUp = () => false) =>
    new Promise((resolve, reject) => {
      gathered.push(holderOf(item), { item, hasHungUp, resolve, reject });
      // Those that come in the same turn of the loop go with it: one alone costs the database as much as ten.
      if (out.size > 0) go();
      else if (!turn) turn = setImmediate(endTurn);
    });
}
