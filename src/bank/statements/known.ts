/** What is known of accounts while statements are planned: what is in, and what those planned before will bring. */
import type { Db } from '../../db/pool.ts';
import type { KnownDay } from '../../domain/ledger/bank-statements/merging.ts';
import type { RowMarks } from '../../domain/ledger/bank-statements/pairing.ts';
import type {
  ComingRow,
  KnownAccount,
  ReadStatement,
  StatementPlan,
} from '../../domain/ledger/bank-statements/planning.ts';
import { listKnownDays, listKnownRows } from './statement-store.ts';

export interface KeyedDay extends KnownDay {
  readonly rows: (RowMarks & { readonly key: string })[];
}

export class KnownStatements {
  readonly #db: Db;
  readonly #accounts = new Map<string, Map<string, KeyedDay>>();

  constructor(db: Db) {
    this.#db = db;
  }

  async around(accountId: string, { days }: ReadStatement): Promise<KnownAccount> {
    const known = this.#accounts.get(accountId) ?? new Map<string, KeyedDay>();
    this.#accounts.set(accountId, known);
    const sorted = [...days.keys()].sort();
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first === undefined || last === undefined)
      return { days: known, before: null, after: null };
    const slices = await listKnownDays(this.#db, accountId, [first, last]);
    // The nearest days before and after are among them, and are days of the next statement perhaps: with their rows.
    const span = [first, last, ...slices.keys()].sort();
    const stored = await listKnownRows(this.#db, accountId, [
      span[0] ?? first,
      span.at(-1) ?? last,
    ]);
    const rows = Map.groupBy(stored, ({ day }) => day);
    for (const day of new Set([...slices.keys(), ...rows.keys()])) {
      // What was planned since is known better than what is in.
      if (known.has(day)) continue;
      known.set(day, { slice: slices.get(day) ?? null, rows: rows.get(day) ?? [] });
    }
    return { days: known, before: null, after: null };
  }

  /** What the plan adds, each row by what the account is to know it by. */
  add(accountId: string, { added, days }: StatementPlan): (ComingRow & { readonly key: string })[] {
    const known = this.#accounts.get(accountId) ?? new Map<string, KeyedDay>();
    for (const [day, slice] of days) known.set(day, { slice, rows: known.get(day)?.rows ?? [] });
    const keyed = keyRows(added, known);
    for (const row of keyed) known.get(row.day)?.rows.push(row);
    return keyed;
  }
}

/** Rows by what the account is to know them by: day, amount, and number among equal ones. */
export function keyRows(
  added: readonly ComingRow[],
  known: ReadonlyMap<string, KeyedDay>,
): (ComingRow & { readonly key: string })[] {
  const numbers = numbersOf(added, known);
  return added.map((row) => {
    const equal = `${row.day} ${row.amount}`;
    const number = (numbers.get(equal) ?? 0) + 1;
    numbers.set(equal, number);
    return Object.assign(row, { key: `${equal} ${number}` });
  });
}

/** The highest number that a row has among equal ones, of the days that rows are added to. */
function numbersOf(
  added: readonly ComingRow[],
  known: ReadonlyMap<string, KeyedDay>,
): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const day of new Set(added.map((row) => row.day))) {
    for (const { key } of known.get(day)?.rows ?? []) {
      const place = key.lastIndexOf(' ');
      const [equal, number] = [key.slice(0, place), Number(key.slice(place + 1))];
      if (number > (numbers.get(equal) ?? 0)) numbers.set(equal, number);
    }
  }
  return numbers;
}
