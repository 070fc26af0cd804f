/** How many jobs of each queue a process handled in the latest minute. */

/** Parts of a minute that are forgotten one at a time. */
const parts = 4;

export class Throughput {
  /** The newest last. */
  #counts: Map<string, number>[] = [new Map()];

  count(queue: string, jobs: number): void {
    const newest = this.#counts.at(-1);
    newest?.set(queue, (newest.get(queue) ?? 0) + jobs);
  }

  /** Begins the next quarter of a minute and says what the latest four have been. */
  turn(): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const counted of this.#counts) {
      for (const [queue, jobs] of counted) sums[queue] = (sums[queue] ?? 0) + jobs;
    }
    this.#counts = [...this.#counts.slice(1 - parts), new Map()];
    return sums;
  }
}
