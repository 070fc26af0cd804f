/** Whether the balances that stand beside rows fit them, and in which order the rows stand. */
import type { Ore } from '../../basics/money.ts';

/**
 * The balances of one account's rows. Rows stand newest or oldest first; of the former every balance with what was
 * booked above it comes to the closing balance, of the latter every balance less what was booked down to it comes to
 * the opening one. Rows without a balance are no break.
 */
export class BalanceWalk {
  #above = 0n;
  #closing: Ore | null = null;
  #opening: Ore | null = null;
  #newestBreak: WalkBreak | null = null;
  #oldestBreak: WalkBreak | null = null;

  add(line: number, amount: Ore, balance: Ore | null): void {
    const through = this.#above + amount;
    if (balance !== null) {
      this.#closing ??= balance + this.#above;
      this.#opening ??= balance - through;
      const [asNewest, asOldest] = [this.#closing - this.#above, this.#opening + through];
      if (balance !== asNewest) this.#newestBreak ??= { line, found: balance, expected: asNewest };
      if (balance !== asOldest) this.#oldestBreak ??= { line, found: balance, expected: asOldest };
    }
    this.#above = through;
  }

  /** By the balances; where both orders fit them, or neither, by the days; else as it is `otherwise`: as most banks do. */
  isNewestFirst(firstDay: string | null, lastDay: string | null, otherwise = true): boolean {
    if ((this.#newestBreak === null) !== (this.#oldestBreak === null)) {
      return this.#newestBreak === null;
    }
    return firstDay === null || lastDay === null || firstDay === lastDay
      ? otherwise
      : firstDay > lastDay;
  }

  breakOf(isNewestFirst: boolean): WalkBreak | null {
    return isNewestFirst ? this.#newestBreak : this.#oldestBreak;
  }

  ends(isNewestFirst: boolean, net: Ore): { opening: Ore; closing: Ore } | null {
    if (this.#closing === null || this.#opening === null) return null;
    return isNewestFirst
      ? { opening: this.#closing - net, closing: this.#closing }
      : { opening: this.#opening, closing: this.#opening + net };
  }
}

interface WalkBreak {
  readonly line: number;
  readonly found: Ore;
  readonly expected: Ore;
}
