/** What is known of accounts while statements are planned: what is in, and what those planned before will bring. */
import type { Db } from '../../db/pool.ts';
import type { ToldSpan } from '../../domain/ledger/bank-statements/contradictions.ts';
import type { DaySlice, KnownDay } from '../../domain/ledger/bank-statements/merging.ts';
import type { RowMarks } from '../../domain/ledger/bank-statements/pairing.ts';
import type {
  ComingRow,
  KnownAccount,
  ReadStatement,
  StatementPlan,
} from '../../domain/ledger/bank-statements/planning.ts';
import {
  type Announcement,
  listKnownDays,
  listKnownRows,
  listToldSpans,
  spanOf,
  toldSpan,
} from './statement-store.ts';

export interface KeyedDay extends KnownDay {
  readonly rows: (RowMarks & { readonly key: string })[];
}

type Span = readonly [string, string];

export class KnownStatements {
  readonly #db: Db;
  readonly #accounts = new Map<string, Map<string, KeyedDay>>();
  /** Of statements that are planned. */
  readonly #spans = new Map<string, ToldSpan[]>();
  /** Entries of notices that are planned, by account. */
  readonly #announced = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  async around(accountId: string, { statement, days }: ReadStatement): Promise<KnownAccount> {
    const known = this.#accounts.get(accountId) ?? new Map<string, KeyedDay>();
    this.#accounts.set(accountId, known);
    const [from, to] = spanOf(statement);
    if (from === null || to === null) return { days: known, told: new Map(), spans: [] };
    const told = await listKnownDays(this.#db, accountId, [from, to]);
    const sorted = [...days.keys()].sort();
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first !== undefined && last !== undefined) {
      await this.#readRows(accountId, known, { told, between: [first, last] });
    }
    const planned = this.#spans.get(accountId) ?? [];
    const spans = [
      ...(await listToldSpans(this.#db, accountId, [from, to])),
      ...planned.filter((one) => one.last > from && one.first < to),
    ];
    return { days: known, told, spans };
  }

  /** The days of the statement's rows with theirs, and the nearest before and after, which the next may have rows on. */
  async #readRows(
    accountId: string,
    known: Map<string, KeyedDay>,
    { told, between: [first, last] }: { told: ReadonlyMap<string, DaySlice>; between: Span },
  ): Promise<void> {
    const days = [...told.keys()].sort();
    const from = days.findLast((day) => day < first) ?? first;
    const to = days.find((day) => day > last) ?? last;
    const stored = await listKnownRows(this.#db, accountId, [from, to]);
    const rows = Map.groupBy(stored, ({ day }) => day);
    const within = days.filter((day) => day >= from && day <= to);
    for (const day of new Set([...within, ...rows.keys()])) {
      // What was planned since is known better than what is in.
      if (known.has(day)) continue;
      known.set(day, { slice: told.get(day) ?? null, rows: rows.get(day) ?? [] });
    }
  }

  /** Of a notice's entries those that no notice planned before has. */
  announce(accountId: string, some: readonly Announcement[]): Announcement[] {
    return some.filter(({ fingerprint, ordinal }) => {
      const key = `${accountId} ${fingerprint} ${ordinal}`;
      const isNew = !this.#announced.has(key);
      this.#announced.add(key);
      return isNew;
    });
  }

  /** What the plan adds, each row by what the account is to know it by. */
  add(
    accountId: string,
    { statement }: ReadStatement,
    { added, days }: StatementPlan,
  ): (ComingRow & { readonly key: string })[] {
    const known = this.#accounts.get(accountId) ?? new Map<string, KeyedDay>();
    for (const [day, slice] of days) known.set(day, { slice, rows: known.get(day)?.rows ?? [] });
    const keyed = keyRows(added, known);
    for (const row of keyed) known.get(row.day)?.rows.push(row);
    const span = toldSpan(statement);
    const spans = this.#spans.get(accountId) ?? [];
    if (span) spans.push(span);
    this.#spans.set(accountId, spans);
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
