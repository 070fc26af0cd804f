/**
 * A queue in which those who wait take turns: of each holder first come, first served, and of the holders
 * one after the other (round robin), so that whoever has much waiting delays nobody who has little. What
 * has waited too long is taken out.
 */
interface Entry<Item> {
  readonly item: Item;
  readonly since: number;
}

/** Late ones are looked for this many times in the time that they may wait. */
const looks = 4;

export class FairQueue<Item> {
  readonly #waitMs: number;
  readonly #onLate: (late: readonly Item[]) => void;
  /** In the order of turns: the first of the map has the next. */
  readonly #lines = new Map<string, Entry<Item>[]>();
  #size = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(waitMs: number, onLate: (late: readonly Item[]) => void) {
    this.#waitMs = waitMs;
    this.#onLate = onLate;
  }

  get size(): number {
    return this.#size;
  }

  push(holder: string, item: Item): void {
    const entry = { item, since: performance.now() };
    const line = this.#lines.get(holder);
    if (line) line.push(entry);
    else this.#lines.set(holder, [entry]);
    this.#size += 1;
    this.#watch ??= setInterval(() => this.#look(), this.#waitMs / looks).unref();
  }

  /** Whose turn it is; undefined when nobody waits. */
  peek(): Item | undefined {
    for (const [first] of this.#lines.values()) return first?.item;
    return undefined;
  }

  shift(): Item | undefined {
    for (const [holder, line] of this.#lines) {
      const first = line.shift();
      this.#size -= 1;
      // With one holder alone there is no turn to pass on.
      if (line.length === 0) this.#lines.delete(holder);
      else if (this.#lines.size > 1) {
        this.#lines.delete(holder);
        this.#lines.set(holder, line);
      }
      return first?.item;
    }
    return undefined;
  }

  #look(): void {
    if (this.#size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    const before = performance.now() - this.#waitMs;
    const late: Item[] = [];
    for (const [holder, line] of this.#lines) {
      const end = line.findIndex(({ since }) => since > before);
      const taken = line.splice(0, end === -1 ? line.length : end);
      late.push(...taken.map(({ item }) => item));
      if (line.length === 0) this.#lines.delete(holder);
    }
    this.#size -= late.length;
    if (late.length > 0) this.#onLate(late);
  }
}
