/** What a file says of each account, and where what it says does not hold together. */
import type { Ore } from '../../basics/money.ts';
import type { SieProblems } from './problems.ts';
import { shortened } from './syntax.ts';

/** More accounts than this has no chart. */
export const accountsMax = 50_000;
const nameMax = 200;
/** Numbers of BAS have four digits; some programs have a few more. */
const numberMax = 20;

interface Balance {
  ore: Ore;
  readonly line: number;
}

interface AccountFacts {
  /** Where it is named first. */
  readonly line: number;
  declared: { readonly line: number; readonly name: string } | null;
  /** Of the file's year, and the closing one of the year before. */
  ib: Balance | null;
  ub: Balance | null;
  res: Balance | null;
  ubBefore: Balance | null;
  /** Of all vouchers, and of those until the day that the file's balances reach (#OMFATTN). */
  moved: Ore;
  movedUntil: Ore;
  /** Where it is posted on, or has a balance to carry over, first. */
  usedLine: number | null;
}

type BalanceName = 'ib' | 'ub' | 'res' | 'ubBefore';

export class AccountBalances {
  readonly #accounts = new Map<string, AccountFacts>();
  readonly #problems: SieProblems;
  #isFull = false;

  constructor(problems: SieProblems) {
    this.#problems = problems;
  }

  declare(account: string, name: string, line: number): void {
    const facts = this.#of(account, line);
    if (!facts) return;
    const short = shortened(name, nameMax);
    const { declared } = facts;
    if (declared && declared.name !== short) {
      const params = { account, name: declared.name, other: short };
      this.#problems.add('account_repeated', line, params);
    }
    facts.declared ??= { line, name: short };
  }

  move(account: string, ore: Ore, line: number, isWithin: boolean): void {
    const facts = this.#of(account, line);
    if (!facts) return;
    facts.usedLine ??= line;
    facts.moved += ore;
    if (isWithin) facts.movedUntil += ore;
  }

  /** False when the account had the balance already; then it is added to. */
  balance(name: BalanceName, account: string, ore: Ore, line: number): boolean {
    const facts = this.#of(account, line);
    if (!facts) return true;
    if (ore !== 0n && name !== 'res') facts.usedLine ??= line;
    const before = facts[name];
    if (before) before.ore += ore;
    else facts[name] = { ore, line };
    return before === null;
  }

  /** Accounts that are not declared, and those that the books have no room for. */
  judgeAccounts(isTransfer: boolean): void {
    for (const [account, { line, declared, usedLine }] of this.#accounts) {
      const at = usedLine ?? line;
      if (!/^[1-9]\d{3}$/.test(account)) {
        const kind = /^\d+$/.test(account) ? 'account_outside' : 'account_not_numeric';
        this.#problems.add(usedLine === null ? 'account_left_out' : kind, at, { account });
        continue;
      }
      if (account.startsWith('9') && usedLine !== null) {
        this.#problems.add('account_internal', at, { account });
      }
      // A file from a subsystem counts on the receiver's chart (SIE 4B 6).
      if (!declared && !isTransfer) this.#problems.add('account_unknown', line, { account });
    }
  }

  /** IB + movements = UB, and the movements of a result account its RES. */
  judgeMovements(hasOpening: boolean): void {
    for (const [account, facts] of this.#accounts) {
      const { ib, ub, res, ubBefore, line } = facts;
      const opening = (hasOpening ? ib : ubBefore)?.ore ?? 0n;
      const isResult = res !== null || (!ib && !ub && /^[3-8]/.test(account));
      if (ib || ub || (!isResult && /^[12]/.test(account))) {
        this.#compare('closing_differs', account, facts, opening, ub, ib?.line ?? line);
      }
      if (isResult) this.#compare('result_differs', account, facts, 0n, res, line);
    }
  }

  #compare(
    rule: 'closing_differs' | 'result_differs',
    account: string,
    { moved, movedUntil }: AccountFacts,
    from: Ore,
    balance: Balance | null,
    line: number,
  ): void {
    const found = balance?.ore ?? 0n;
    if (found === from + moved || found === from + movedUntil) return;
    this.#problems.add(rule, balance?.line ?? line, { account, found, expected: from + moved });
  }

  /** What was left of the year before is what this one begins with, account by account. */
  judgeOpening(): void {
    for (const [account, { ib, ubBefore, line }] of this.#accounts) {
      const found = ib?.ore ?? 0n;
      const expected = ubBefore?.ore ?? 0n;
      if (found === expected) continue;
      const at = ib?.line ?? ubBefore?.line ?? line;
      this.#problems.add('opening_differs', at, { account, found, expected });
    }
  }

  #of(account: string, line: number): AccountFacts | undefined {
    const known = this.#accounts.get(account);
    if (known) return known;
    if (account === '') return undefined;
    if (this.#accounts.size >= accountsMax || account.length > numberMax) {
      if (account.length > numberMax) {
        this.#problems.add('account_outside', line, { account: `${account.slice(0, numberMax)}…` });
      } else if (!this.#isFull) {
        this.#problems.add('too_many', line, { max: accountsMax, name: 'accounts' });
        this.#isFull = true;
      }
      return undefined;
    }
    const facts: AccountFacts = {
      line,
      declared: null,
      ib: null,
      ub: null,
      res: null,
      ubBefore: null,
      moved: 0n,
      movedUntil: 0n,
      usedLine: null,
    };
    this.#accounts.set(account, facts);
    return facts;
  }
}
