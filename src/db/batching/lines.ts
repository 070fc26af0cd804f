/**
 * Which batches are out: in lines that go beside each other, and in a line, where batches may follow, one behind the one
 * that the database has.
 */

/** As long as some hundred vouchers take; out longer than that, a batch is likely to wait for somebody. */
const patienceMs = 40;

/** Fewer wait for the batch that is out: a small one costs the database nearly as much as this many. */
const leastBehind = 8;

interface Sent {
  readonly size: number;
  /** Since when it has been out with none of its line before it. */
  since: number;
}

export class Lines {
  readonly #lines: readonly Sent[][];
  readonly #follows: boolean;

  constructor(count: number, follows: boolean) {
    this.#lines = Array.from({ length: count }, () => []);
    this.#follows = follows;
  }

  get areEmpty(): boolean {
    return this.#youngest() === undefined;
  }

  /**
   * The line that a batch of so many goes on now: the first when nothing is out, a free one when all that is out takes long,
   * and behind another that has no more. Undefined when it waits.
   */
  lineFor(gathered: number): number | undefined {
    const young = this.#youngest();
    if (young === undefined) return 0;
    const [head, behind] = this.#lines[young] as [Sent, Sent?];
    if (performance.now() >= head.since + patienceMs) return this.#free();
    const goesBehind = this.#follows && !behind && gathered >= Math.max(leastBehind, head.size);
    return goesBehind ? young : undefined;
  }

  /** How long until what is out counts as taking long, in milliseconds; undefined where no line is free then. */
  patienceLeft(): number | undefined {
    const young = this.#youngest();
    if (young === undefined || this.#free() === undefined) return undefined;
    const [head] = this.#lines[young] as [Sent];
    return Math.max(0, head.since + patienceMs - performance.now());
  }

  /** A batch of so many goes out on a line, and is back when what this returns is called. */
  send(at: number, size: number): () => void {
    const line = this.#lines[at] as Sent[];
    const sent: Sent = { size, since: performance.now() };
    line.push(sent);
    return () => {
      line.splice(line.indexOf(sent), 1);
      if (line[0]) line[0].since = performance.now();
    };
  }

  #free(): number | undefined {
    const free = this.#lines.findIndex((line) => line.length === 0);
    return free === -1 ? undefined : free;
  }

  /** The line whose head has been out for the shortest time. */
  #youngest(): number | undefined {
    let found: number | undefined;
    let since = -Infinity;
    for (const [at, [head]] of this.#lines.entries()) {
      if (!head || head.since < since) continue;
      found = at;
      since = head.since;
    }
    return found;
  }
}
