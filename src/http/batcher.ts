/**
 * Natural batching: while one batch is with the database, arriving calls gather; when there is room
 * again, all that gathered go together. An idle caller waits for nobody, and under load the batch
 * grows by itself. This is what lets gapless numbers, which hold a row lock until commit, be given
 * faster than one commit at a time (docs/architecture.md).
 */
import { isUnreachable } from '../db/refusals.ts';

export interface BatcherOptions<Item, Answer> {
  /** Answers every item, in order. An item's own refusal is an Error among the answers. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  readonly maxItems: number;
  readonly maxInFlight: number;
  /** A batch also closes before its items together weigh more than this (bytes, rows, …). */
  readonly maxWeight?: number;
  readonly weigh?: (item: Item) => number;
}

export type Submit<Item, Answer> = (item: Item) => Promise<Answer>;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

export function createBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): Submit<Item, Answer> {
  const { run, maxItems, maxInFlight, maxWeight = Infinity, weigh = () => 0 } = options;
  let gathered: Waiting<Item, Answer>[] = [];
  let inFlight = 0;

  function take(): Waiting<Item, Answer>[] {
    let weight = 0;
    const end = gathered.findIndex(({ item }, index) => {
      weight += weigh(item);
      return index === maxItems || (index > 0 && weight > maxWeight);
    });
    const batch = end === -1 ? gathered : gathered.slice(0, end);
    gathered = end === -1 ? [] : gathered.slice(end);
    return batch;
  }

  async function send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
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
      // alone, so that its neighbours do not suffer. A database out of reach is no item's doing, and
      // to wait for it once for each would keep the last of them for minutes.
      if (batch.length === 1 || isUnreachable(error)) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await send([waiting]);
    }
  }

  async function drain(): Promise<void> {
    inFlight += 1;
    while (gathered.length > 0) await send(take());
    inFlight -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      if (inFlight < maxInFlight) void drain();
    });
}
