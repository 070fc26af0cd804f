/**
 * Natural batching: while one batch is with the database, arriving calls gather; when it is back, all that
 * gathered go together. An idle caller waits for nobody, and under load the batch grows by itself. This is
 * what lets gapless numbers, which hold a row lock until commit, be given faster than one commit at a time
 * (docs/architecture.md). Where batches may follow each other, one of the same size goes behind the one that is
 * out, so that the database goes on with it at once. A further batch goes beside one that is long in coming
 * back, since it may wait for something that others do not; going beside each other always, batches were half
 * as large and posting took a third longer (docs/decisions/0004-posting-in-batches.md). Callers take turns, and whoever has waited
 * too long is told to come back: what is still waiting has not been sent, so nothing of it is done. Nor is
 * anything of a call whose sender hangs up meanwhile.
 */

import { batchItems, batchSeconds } from '../../lib/metrics/metrics.ts';
import { isOvertaken, isUnavailable } from '../refusals.ts';
import { FairQueue } from './fair-queue.ts';
import { type HasHungUp, HungUp } from './hanging-up.ts';
import { Lines } from './lines.ts';
import { Overloaded } from './overloaded.ts';

/** Waiting longer for the database to take a call in helps nobody: its sender may come back. */
const usualWaitMs = 2_000;

/** What became of something stored is told in the end: longer than any statement may take. */
export const outcomeWaitMs = 60_000;

export interface BatcherOptions<Item, Answer> {
  /** What gathers, for the figures: one word a batcher. */
  readonly name: string;
  /**
   * Answers every item, in order. An item's own refusal is an Error among the answers. Those of other lines (0, 1, …) are
   * beside this batch, and one of its own line may be before it.
   */
  readonly run: (items: readonly Item[], line: number) => Promise<readonly (Answer | Error)[]>;
  readonly maxItems: number;
  /** How many may be out beside each other when those before take long. */
  readonly maxInFlight: number;
  /** Whether one may be sent behind another of its line that is not back. */
  readonly follows?: boolean;
  /** A batch also closes before its items together weigh more than this (bytes, rows, …). */
  readonly maxWeight?: number;
  readonly weigh?: (item: Item) => number;
  /** Who sent it: holders take turns. */
  readonly holderOf?: (item: Item) => string;
  readonly waitMs?: number;
}

export type Submit<Item, Answer> = (item: Item, hasHungUp?: HasHungUp) => Promise<Answer>;

/** At least one, which came in one call and stay together; an item's own refusal is an Error among the answers. */
export type SubmitBundle<Item, Answer> = (
  items: readonly Item[],
  hasHungUp?: HasHungUp,
) => Promise<readonly (Answer | Error)[]>;

export const createBatcher = <Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): Submit<Item, Answer> => oneOf(createBundleBatcher(options));

/** For those that come one at a time, where others come many at a time. */
export const oneOf =
  <Item, Answer>(submit: SubmitBundle<Item, Answer>): Submit<Item, Answer> =>
  async (item, hasHungUp) => {
    const [answer] = await submit([item], hasHungUp);
    if (answer instanceof Error) throw answer;
    return answer as Answer;
  };

interface Waiting<Item, Answer> {
  readonly items: readonly Item[];
  readonly hasHungUp: HasHungUp;
  readonly resolve: (answers: readonly (Answer | Error)[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** The same for those that come many at a time: what waiting costs is then shared by all of a bundle. */
export function createBundleBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): SubmitBundle<Item, Answer> {
  const { maxItems, maxInFlight, follows = false } = options;
  const { maxWeight = Infinity, weigh = () => 0 } = options;
  const { holderOf = () => '', waitMs = usualWaitMs } = options;
  const gathered = new FairQueue<Waiting<Item, Answer>>(waitMs, (late) => {
    for (const { reject } of late) reject(new Overloaded('waiting_time'));
  });
  const lines = new Lines(maxInFlight, follows);
  let patience: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  function take(): Waiting<Item, Answer>[] {
    const batch: Waiting<Item, Answer>[] = [];
    let count = 0;
    let weight = 0;
    for (;;) {
      const next = gathered.peek();
      if (!next || count >= maxItems) return batch;
      if (next.hasHungUp()) {
        gathered.shift();
        next.reject(new HungUp());
        continue;
      }
      count += next.items.length;
      for (const item of next.items) weight += weigh(item);
      if (batch.length > 0 && (weight > maxWeight || count > maxItems)) return batch;
      batch.push(next);
      gathered.shift();
    }
  }

  /** Answers all of them, and calls `back` as soon as the database has: the next is then sent before this is told. */
  async function send(
    batch: readonly Waiting<Item, Answer>[],
    line: number,
    back: () => void,
  ): Promise<void> {
    const items = batch.flatMap((waiting) => waiting.items);
    let answers: readonly (Answer | Error)[];
    try {
      answers = await runTogether(options, items, line);
    } catch (error) {
      back();
      for (const { reject } of batch) reject(error);
      return;
    }
    back();
    let from = 0;
    for (const waiting of batch) {
      waiting.resolve(answers.slice(from, from + waiting.items.length));
      from += waiting.items.length;
    }
  }

  /** Sends what has gathered, when it may go. */
  function go(): void {
    const line = lines.lineFor(gathered.size);
    const batch = line === undefined ? [] : take();
    if (line !== undefined && batch.length > 0) {
      const isBack = lines.send(line, batch.length);
      void send(batch, line, () => {
        isBack();
        go();
      });
    } else if (!patience && gathered.size > 0) {
      const left = lines.patienceLeft();
      if (left !== undefined) patience = setTimeout(lookAgain, left);
    }
  }

  function endTurn(): void {
    turn = undefined;
    go();
  }

  function lookAgain(): void {
    patience = undefined;
    go();
  }

  return (items, hasHungUp = () => false) =>
    new Promise((resolve, reject) => {
      gathered.push(holderOf(items[0] as Item), { items, hasHungUp, resolve, reject });
      // Those that come in the same turn of the loop go with it: one alone costs the database as much as ten.
      if (!lines.areEmpty) go();
      else if (!turn) turn = setImmediate(endTurn);
    });
}

/** Answers every item: those of a batch that fails as a whole, one by one. */
async function runTogether<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
  items: readonly Item[],
  line: number,
  isAgain = false,
): Promise<readonly (Answer | Error)[]> {
  const { name, run } = options;
  const labels = { batch: name };
  batchItems.observe(labels, items.length);
  const took = batchSeconds.startTimer(labels);
  try {
    const answers = await run(items, line);
    if (answers.length === items.length && !answers.includes(undefined as Answer)) return answers;
    return items.map((_, n) => answers[n] ?? new Error('the batch left a call unanswered'));
  } catch (error) {
    // The whole batch failed, so nothing of it was written. One item may be the cause: try each
    // alone, so that its neighbours do not suffer. A database out of reach, or one that cannot write,
    // is no item's doing, and to wait for it once for each would keep the last of them for minutes.
    if (isUnavailable(error)) throw error;
    if (items.length === 1) {
      if (isAgain || !isOvertaken(error)) throw error;
      return await runTogether(options, items, line, true);
    }
    const answers: (Answer | Error)[] = [];
    for (const item of items) {
      answers.push(
        await runTogether(options, [item], line).then(([only]) => only as Answer, asError),
      );
    }
    return answers;
  } finally {
    took();
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
