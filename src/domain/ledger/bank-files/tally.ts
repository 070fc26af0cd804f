/** What the entries of one statement come to, and whether they fit its balances. */
import type { Ore } from '../../basics/money.ts';
import type { BankFileProblems } from './problems.ts';
import type { BankEntry, BankStatement } from './statement.ts';

/** What the file says of a statement beside its entries. */
export type StatementFacts = Pick<
  BankStatement,
  | 'line'
  | 'place'
  | 'id'
  | 'account'
  | 'currency'
  | 'isNotice'
  | 'opening'
  | 'closing'
  | 'sequence'
  | 'isNewestFirst'
> & {
  /** The days it says it is of. */
  readonly from: string | null;
  readonly to: string | null;
  readonly path: string | null;
};

export class StatementTally {
  #entries = 0;
  #isWhole = true;
  #credit = 0n;
  #debit = 0n;
  #reversals = 0;
  #reversedCredit = 0n;
  #reversedDebit = 0n;
  #from: string | null = null;
  #to: string | null = null;
  #currency: string | null = null;

  /** An entry could not be read, which has been told: the sum says nothing more. */
  lose(): void {
    this.#isWhole = false;
  }

  get net(): Ore {
    return this.#credit - this.#debit;
  }

  /** Of the first entry that says it. */
  get currency(): string | null {
    return this.#currency;
  }

  add(entry: BankEntry): void {
    const { amount, bookingDate: day } = entry;
    this.#currency ??= entry.currency;
    if (!entry.isBooked) return;
    this.#entries += 1;
    if (amount > 0n) this.#credit += amount;
    else this.#debit -= amount;
    if (entry.isReversal) {
      this.#reversals += 1;
      if (amount > 0n) this.#reversedCredit += amount;
      else this.#reversedDebit -= amount;
    }
    if (day === null) return;
    if (this.#from === null || day < this.#from) this.#from = day;
    if (this.#to === null || day > this.#to) this.#to = day;
  }

  /** The statement, held against its balances; what is wrong or missing is told. */
  close({ path, ...facts }: StatementFacts, problems: BankFileProblems): BankStatement {
    const { line, opening, closing, isNotice } = facts;
    const at = { line, path };
    const currency = facts.currency ?? this.#currency;
    if (facts.account === null) problems.add('account_missing', at, {});
    if (currency === null) problems.add('currency_missing', at, {});
    else if (currency !== 'SEK') problems.add('currency_not_supported', at, { currency });
    let areReversalsTurned = false;
    if (opening !== null && closing !== null) {
      areReversalsTurned = this.#reversals > 0 && this.#fitsTurned(closing - opening);
      if (areReversalsTurned) problems.add('reversals_turned', at, { count: this.#reversals });
      else if (this.#isWhole && opening + this.net !== closing) {
        problems.add('sums_differ', at, { found: opening + this.net, expected: closing });
      }
    } else if (!isNotice) problems.add('balances_missing', at, {});
    return {
      ...facts,
      currency,
      areReversalsTurned,
      entries: this.#entries,
      credit: areReversalsTurned ? this.#turnedCredit : this.#credit,
      debit: areReversalsTurned ? this.#turnedDebit : this.#debit,
      from: this.#from ?? facts.from,
      to: this.#to ?? facts.to,
      saidFrom: facts.from,
      saidTo: facts.to,
    };
  }

  get #turnedCredit(): Ore {
    return this.#credit - this.#reversedCredit + this.#reversedDebit;
  }

  get #turnedDebit(): Ore {
    return this.#debit - this.#reversedDebit + this.#reversedCredit;
  }

  #fitsTurned(change: Ore): boolean {
    return change !== this.net && change === this.#turnedCredit - this.#turnedDebit;
  }
}
