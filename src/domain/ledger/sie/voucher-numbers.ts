/** Which voucher numbers of a series there were, in memory that follows how unordered they are. */

/** So many stretches and strays are kept of a file; beyond them nothing more is said of numbers. */
export class NumbersKept {
  #left = 1_000_000;

  /** Whether there is room for one more. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
}

interface Stretch {
  readonly from: number;
  to: number;
  /** Where the first of them stands. */
  readonly line: number;
}

/** Numbers that nobody has, with where the next one stands that somebody has. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

export class VoucherNumbers {
  /** In ascending order, as the numbers of a series should stand (SIE 4B, #VER 7). */
  readonly #stretches: Stretch[] = [];
  /** Those that came after a higher one. */
  readonly #strays = new Set<number>();
  readonly #kept: NumbersKept;

  constructor(kept: NumbersKept) {
    this.#kept = kept;
  }

  /** How the number stands to those before it. */
  add(number: number, line: number): 'next' | 'repeated' | 'unordered' | 'unknown' {
    const last = this.#stretches.at(-1);
    if (!last || number > last.to) {
      if (last && number === last.to + 1) last.to = number;
      else if (!this.#kept.take()) return 'unknown';
      else this.#stretches.push({ from: number, to: number, line });
      return 'next';
    }
    if (this.#strays.has(number) || this.#isInStretch(number)) return 'repeated';
    if (!this.#kept.take()) return 'unknown';
    this.#strays.add(number);
    return 'unordered';
  }

  /** Numbers from 1 on that are left out. */
  gaps(): Gap[] {
    const strays = [...this.#strays].sort((a, b) => a - b);
    const gaps: Gap[] = [];
    let next = 1;
    let nth = 0;
    for (const { from, to, line } of this.#stretches) {
      for (let stray = strays[nth]; stray !== undefined && stray < from; stray = strays[++nth]) {
        if (stray > next) gaps.push({ from: next, to: stray - 1, line });
        next = Math.max(next, stray + 1);
      }
      if (from > next) gaps.push({ from: next, to: from - 1, line });
      next = to + 1;
    }
    return gaps;
  }

  #isInStretch(number: number): boolean {
    let low = 0;
    let high = this.#stretches.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const { from, to } = this.#stretches[middle] ?? { from: 0, to: 0 };
      if (number < from) high = middle - 1;
      else if (number > to) low = middle + 1;
      else return true;
    }
    return false;
  }
}
