/** What a process has done of each queue in the latest minute. */

/** Parts of a minute that are forgotten one at a time. */
const parts = 4;

interface Done {
  readonly jobs: number;
  readonly busyMs: number;
}

/** Of a queue, in the latest minute. */
export interface Work extends Done {
  /** Batches or jobs that the process can have at work at the same time. */
  readonly slots: number;
}

const sumOf = (a: Done, b: Done): Done => ({ jobs: a.jobs + b.jobs, busyMs: a.busyMs + b.busyMs });
const nothing: Done = { jobs: 0, busyMs: 0 };

export class Throughput {
  readonly #slots = new Map<string, number>();
  /** The newest last. */
  #counts: Map<string, Done>[] = [new Map()];

  /** Says beforehand that a queue is worked here, so that one which stands still is known too. */
  declare(queue: string, slots: number): void {
    this.#slots.set(queue, slots);
  }

  count(queue: string, jobs: number, busyMs = 0): void {
    const newest = this.#counts.at(-1);
    newest?.set(queue, sumOf(newest.get(queue) ?? nothing, { jobs, busyMs }));
  }

  /** Begins the next quarter of a minute and says what the latest four have been, by queue. */
  turn(): ReadonlyMap<string, Work> {
    const queues = new Set([
      ...this.#slots.keys(),
      ...this.#counts.flatMap((one) => [...one.keys()]),
    ]);
    const work = [...queues].map((queue): [string, Work] => {
      const done = this.#counts.reduce(
        (sum, one) => sumOf(sum, one.get(queue) ?? nothing),
        nothing,
      );
      return [queue, { ...done, slots: this.#slots.get(queue) ?? 1 }];
    });
    this.#counts = [...this.#counts.slice(1 - parts), new Map()];
    return new Map(work);
  }
}
