/** Statements of one account that overlap, follow each other and come again: every row of the bank is in once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/domain/basics/dates.ts';
import type { BankEntry, BankStatement } from '../../src/domain/ledger/bank-files/statement.ts';
import type {
  Contradiction,
  ToldSpan,
} from '../../src/domain/ledger/bank-statements/contradictions.ts';
import { findByIdentity } from '../../src/domain/ledger/bank-statements/identity.ts';
import type { EqualRows, KnownDay } from '../../src/domain/ledger/bank-statements/merging.ts';
import {
  type ComingRow,
  closingBalances,
  planStatement,
  type ReadStatement,
  readDays,
} from '../../src/domain/ledger/bank-statements/planning.ts';

interface BankRow {
  readonly day: string;
  readonly ore: bigint;
  readonly text: string;
}

const day = (nth: number): string => addDays('2026-03-01', nth);
const row = (nth: number, ore: number, text = 'Kaffe'): BankRow => ({
  day: day(nth),
  ore: BigInt(ore),
  text,
});

interface Telling {
  readonly format?: string;
  readonly hasBalances?: boolean;
  /** Of the account before all its rows. */
  readonly start?: bigint;
  readonly from?: string;
  readonly to?: string;
}

/** A statement of rows `from`–`to` (not included) of what the account has seen. */
function statementOf(
  all: readonly BankRow[],
  [from, to]: readonly [number, number],
  {
    format = 'camt.053.001.08',
    hasBalances = true,
    start = 1_000_00n,
    from: saidFrom,
    to: saidTo,
  }: Telling = {},
): ReadStatement {
  const sum = (rows: readonly BankRow[]) => rows.reduce((total, { ore }) => total + ore, 0n);
  const [opening, rows] = [start + sum(all.slice(0, from)), all.slice(from, to)];
  const entries = rows.map(
    ({ day: bookingDate, ore, text }, line): BankEntry => ({
      line,
      amount: ore,
      currency: 'SEK',
      isBooked: true,
      isReversal: false,
      bookingDate,
      valueDate: null,
      reference: null,
      servicerReference: null,
      code: null,
      text,
      balanceAfter: null,
      detailCount: 0,
      details: [],
    }),
  );
  const statement: BankStatement = {
    line: 1,
    place: 1,
    id: null,
    account: 'SE1',
    currency: 'SEK',
    isNotice: false,
    opening: hasBalances ? opening : null,
    closing: hasBalances ? opening + sum(rows) : null,
    entries: rows.length,
    credit: 0n,
    debit: 0n,
    from: rows[0]?.day ?? saidFrom ?? null,
    to: rows.at(-1)?.day ?? saidTo ?? null,
    saidFrom: saidFrom ?? null,
    saidTo: saidTo ?? null,
    sequence: null,
    isNewestFirst: false,
    areReversalsTurned: false,
  };
  const read = readDays(statement, entries, format);
  if (!read) throw new Error('every row has a day');
  return read;
}

/** An account that takes in statements one after the other, as the database does. */
class Account {
  readonly days = new Map<string, Omit<KnownDay, 'rows'> & { rows: ComingRow[] }>();
  readonly #spans: ToldSpan[] = [];
  doubts = 0;
  contradictions: readonly (Contradiction | null)[] = [];

  take(read: ReadStatement, equalRows: EqualRows | null = null): number {
    const known = {
      ...{ days: this.days, told: new Map() },
      spans: this.#spans,
    };
    const plan = planStatement(read, known, { isRepeated: false, equalRows });
    this.doubts += plan.doubts.length;
    this.contradictions = plan.doubts.flatMap(({ contradiction }) => contradiction ?? []);
    if (plan.doubts.length > 0) return 0;
    const { opening, from, to, saidFrom, saidTo } = read.statement;
    const [first, last] = [
      [from, saidFrom].filter((one) => one !== null).sort()[0],
      [to, saidTo]
        .filter((one) => one !== null)
        .sort()
        .at(-1),
    ];
    if (first !== undefined && last !== undefined) {
      this.#spans.push({ first, last, opening });
    }
    for (const [of, slice] of plan.days) {
      this.days.set(of, { slice, rows: this.days.get(of)?.rows ?? [] });
    }
    for (const added of plan.added) this.days.get(added.day)?.rows.push(added);
    return plan.added.length;
  }

  get rows(): string[] {
    return [...this.days.values()]
      .flatMap(({ rows }) => rows.map((one) => `${one.day} ${one.amount}`))
      .sort();
  }
}

const rowsOf = (all: readonly BankRow[]): string[] =>
  all.map((one) => `${one.day} ${one.ore}`).sort();

describe('statements with balances', () => {
  it('two coffees are two rows, and come again as the same two', () => {
    const all = [row(0, -50_00), row(0, -50_00), row(1, 900_00), row(2, -50_00)];
    const account = new Account();
    expect(account.take(statementOf(all, [0, 3]))).toBe(3);
    expect(account.take(statementOf(all, [0, 3]))).toBe(0);
    expect(account.take(statementOf(all, [0, 4]))).toBe(1);
    expect(account.rows).toEqual(rowsOf(all));
  });

  it('of two of one day, each with a coffee, the one that follows the other adds its own', () => {
    const all = [row(0, -50_00), row(0, -50_00)];
    const account = new Account();
    for (const cut of [
      [0, 1],
      [1, 2],
    ] as const)
      expect(account.take(statementOf(all, cut))).toBe(1);
    expect(account.rows).toEqual(rowsOf(all));
    const backwards = new Account();
    for (const cut of [
      [1, 2],
      [0, 1],
    ] as const)
      expect(backwards.take(statementOf(all, cut))).toBe(1);
    expect(backwards.doubts).toBe(0);
  });

  it('of one day fetched at noon and again at night only what came between is new', () => {
    const all = [row(0, -50_00), row(0, 20_00), row(0, -50_00)];
    const account = new Account();
    expect(account.take(statementOf(all, [0, 2]))).toBe(2);
    expect(account.take(statementOf(all, [0, 3]))).toBe(1);
    expect(account.rows).toEqual(rowsOf(all));
  });

  it('cut anywhere, overlapping, in any order: every row is in once, or a person is asked', () => {
    const rows = fc.array(
      fc.record({
        nth: fc.integer({ min: 0, max: 5 }),
        ore: fc.constantFrom(-50_00n, -50_00n, 50_00n, 20_00n, 175_00n),
      }),
      { minLength: 1, maxLength: 14 },
    );
    const cuts = fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, cuts, (generated, places) => {
        const all = generated
          .toSorted((a, b) => a.nth - b.nth)
          .map(({ nth, ore }) => ({ day: day(nth), ore, text: 'x' }));
        const account = new Account();
        const seen = new Set<number>();
        for (const [a, b] of places) {
          const [from, to] = [Math.min(a, b, all.length), Math.min(Math.max(a, b), all.length)];
          const before = account.doubts;
          account.take(statementOf(all, [from, to]));
          if (account.doubts > before) return;
          for (let index = from; index < to; index += 1) seen.add(index);
        }
        const expected = rowsOf(all.filter((_, index) => seen.has(index)));
        // Sums that come to nothing between two cuts may hide that they are not neighbours: asked for, below.
        if (hasLoop(all)) return;
        expect(account.rows).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('whole days are never in doubt, whatever stands on them', () => {
    const rows = fc.array(
      fc.record({
        nth: fc.integer({ min: 0, max: 6 }),
        ore: fc.constantFrom(-50_00n, 50_00n, 20_00n, 100_01n),
      }),
      { minLength: 1, maxLength: 20 },
    );
    const spans = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rows, spans, (generated, days) => {
        const all = generated
          .toSorted((a, b) => a.nth - b.nth)
          .map(({ nth, ore }) => ({ day: day(nth), ore, text: 'x' }));
        const account = new Account();
        const seen = new Set<string>();
        for (const [a, b] of days) {
          const [first, last] = [day(Math.min(a, b)), day(Math.max(a, b))];
          const from = all.findIndex((one) => one.day >= first);
          const to = all.findLastIndex((one) => one.day <= last) + 1;
          if (from < 0 || to <= from) continue;
          const told = { from: addDays(first, -1), to: addDays(last, 1) };
          account.take(statementOf(all, [from, to], told));
          for (const one of all.slice(from, to)) seen.add(one.day);
        }
        expect(account.doubts).toBe(0);
        expect(account.rows).toEqual(rowsOf(all.filter((one) => seen.has(one.day))));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('statements that contradict each other', () => {
  const month = { from: day(0), to: day(14) };
  const other = { ...month, start: -500_00n };

  it('of one day that begins on two balances nothing comes in until a person says', () => {
    const [first, second] = [
      statementOf([row(4, 500_00)], [0, 1], month),
      statementOf([row(4, 500_00, '')], [0, 1], other),
    ];
    const account = new Account();
    expect(account.take(first)).toBe(1);
    expect(account.take(second)).toBe(0);
    expect(account.contradictions).toEqual([
      { day: day(4), at: 'opening', known: 1_000_00n, told: -500_00n },
    ]);
    expect(account.take(second, 'known')).toBe(0);
    expect(account.take(second, 'new')).toBe(1);
    expect(account.doubts).toBe(1);
  });

  it('of rows on other days, or of none, the balances that both tell of are held against each other', () => {
    for (const rows of [[], [row(9, 500_00)], [row(1, 70_00), row(12, 30_00)]]) {
      const account = new Account();
      account.take(statementOf([row(4, 500_00)], [0, 1], month));
      account.take(statementOf(rows, [0, rows.length], other));
      expect(account.contradictions, JSON.stringify(rows.map((one) => one.day))).not.toEqual([]);
      const backwards = new Account();
      backwards.take(statementOf(rows, [0, rows.length], other));
      backwards.take(statementOf([row(4, 500_00)], [0, 1], month));
      expect(backwards.contradictions).not.toEqual([]);
    }
  });

  it('a day that nobody has rows of was held through by whoever tells of days around it', () => {
    const account = new Account();
    account.take(statementOf([row(0, 1_00), row(20, 1_00)], [0, 2]));
    account.take(statementOf([row(9, 5_00)], [0, 1], { from: day(7), to: day(11), start: 7_00n }));
    expect(account.contradictions).toEqual([
      { day: day(9), at: 'opening', known: 1_001_00n, told: 7_00n },
    ]);
    account.take(statementOf([row(9, 5_00)], [0, 1], { from: day(18), to: day(30), start: 7_00n }));
    expect(account.contradictions).not.toEqual([]);
  });

  it('what the bank booked late on a day follows on what it said before, and is no contradiction', () => {
    const all = [row(4, 100_00), row(4, -50_00, 'Sen'), row(7, 20_00)];
    const account = new Account();
    account.take(statementOf(all, [0, 1], { from: day(3), to: day(6) }));
    expect(account.take(statementOf(all, [1, 3], { from: day(7), to: day(7) }))).toBe(2);
    expect(account.doubts).toBe(0);
  });

  it('whole days that begin on another balance never come in by themselves, whatever stands on them', () => {
    const rows = fc.array(
      fc.record({
        nth: fc.integer({ min: 1, max: 9 }),
        ore: fc.constantFrom(-50_00n, 50_00n, 20_00n, 100_01n),
      }),
      { minLength: 1, maxLength: 8 },
    );
    const read = (
      generated: readonly { readonly nth: number; readonly ore: bigint }[],
      start: bigint,
    ): ReadStatement => {
      const sorted = generated.toSorted((a, b) => a.nth - b.nth);
      const all = sorted.map(({ nth, ore }) => ({ day: day(nth), ore, text: 'x' }));
      return statementOf(all, [0, all.length], { from: day(0), to: day(10), start });
    };
    fc.assert(
      fc.property(rows, rows, fc.bigInt(1n, 500_00n), (one, two, apart) => {
        const account = new Account();
        const added = account.take(read(one, 0n));
        const before = account.rows;
        expect(added).toBe(one.length);
        expect(account.take(read(two, apart))).toBe(0);
        expect(account.contradictions).not.toEqual([]);
        expect(account.rows).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Whether the account comes back to a balance that it has had. */
function hasLoop(all: readonly BankRow[]): boolean {
  const seen = new Set([0n]);
  let at = 0n;
  return all.some(({ ore }) => {
    at += ore;
    const isKnown = seen.has(at);
    seen.add(at);
    return isKnown;
  });
}

describe('statements without balances', () => {
  const bare = { hasBalances: false, format: 'csv.lansforsakringar' } as const;

  it('equal rows of a day that neither has the whole of are asked for', () => {
    const all = [row(0, -50_00), row(1, -50_00), row(1, -50_00), row(2, -10_00)];
    const account = new Account();
    account.take(statementOf(all, [0, 2], bare));
    expect(account.take(statementOf(all, [2, 4], bare))).toBe(0);
    expect(account.doubts).toBe(1);
    expect(account.take(statementOf(all, [2, 4], bare), 'new')).toBe(2);
    expect(account.rows).toEqual(rowsOf(all));
  });

  it('what differs in words is another row, and needs no asking', () => {
    const all = [row(0, -50_00), row(1, -50_00, 'Kaffe'), row(1, -50_00, 'Te'), row(2, -10_00)];
    const account = new Account();
    account.take(statementOf(all, [0, 2], bare));
    expect(account.take(statementOf(all, [2, 4], bare))).toBe(2);
    expect(account.doubts).toBe(0);
  });

  it('a day within both statements has all its rows in both', () => {
    const all = [row(0, -1_00), row(1, -50_00), row(1, -50_00), row(2, -2_00), row(3, -3_00)];
    const account = new Account();
    account.take(statementOf(all, [0, 4], bare));
    expect(account.take(statementOf(all, [0, 5], bare))).toBe(1);
    expect(account.rows).toEqual(rowsOf(all));
  });
});

describe('of statements without balances, rows that differ', () => {
  const month = { hasBalances: false, from: day(0), to: day(14) };
  const csv = { hasBalances: false, format: 'csv.lansforsakringar' };
  const of = (rows: readonly BankRow[], telling: Telling): ReadStatement =>
    statementOf(rows, [0, rows.length], telling);
  const asked = (one: ReadStatement, other: ReadStatement): string[] => {
    const account = new Account();
    account.take(one);
    expect(account.take(other)).toBe(0);
    expect(account.rows).toHaveLength(one.statement.entries);
    return account.contradictions.map((found) => `${found?.day} ${found?.at}`);
  };
  const both = (one: ReadStatement, other: ReadStatement): string[] => {
    const days = asked(one, other);
    expect(asked(other, one)).toEqual(days);
    return days;
  };

  it('of days that each says it has whole are asked for, in either order', () => {
    const [here, there] = [of([row(4, -1_00)], month), of([row(4, -2_00)], month)];
    expect(both(here, there)).toEqual([`${day(4)} rows`]);
    expect(both(here, of([row(9, -1_00)], month))).toEqual([`${day(4)} rows`, `${day(9)} rows`]);
    const lists = [
      of([row(0, 1_00), row(3, -5_00), row(9, 2_00)], csv),
      of([row(1, 3_00), row(3, -6_00), row(12, 2_00)], csv),
    ] as const;
    expect(both(...lists)).toEqual([1, 3, 9].map((nth) => `${day(nth)} rows`));
  });

  it('and a person may take them in all the same', () => {
    const account = new Account();
    account.take(of([row(4, -1_00), row(4, -3_00)], month));
    const other = of([row(4, -2_00), row(4, -3_00)], month);
    expect(account.take(other)).toBe(0);
    expect(account.take(other, 'known')).toBe(1);
    const anew = new Account();
    anew.take(of([row(4, -1_00), row(4, -3_00)], month));
    expect(anew.take(other, 'new')).toBe(2);
  });

  it('are what the bank booked late, when one lacks none of the other’s', () => {
    const account = new Account();
    account.take(of([row(4, -1_00), row(6, -9_00)], month));
    expect(account.take(of([row(4, -1_00), row(4, -2_00), row(6, -9_00)], month))).toBe(1);
    expect(account.take(of([row(4, -1_00)], month))).toBe(0);
    expect(account.doubts).toBe(0);
  });

  it('follow each other where neither has the whole of the day they share', () => {
    const account = new Account();
    account.take(of([row(0, 1_00), row(3, -5_00)], csv));
    expect(account.take(of([row(3, -6_00), row(4, 2_00)], csv))).toBe(2);
    expect(account.doubts).toBe(0);
  });

  it('one deposit as one row and as its payments is asked for, though the balances agree', () => {
    const whole = of([row(4, 300_00)], { from: day(0), to: day(14) });
    const parts = of([row(4, 100_00), row(4, 200_00)], { from: day(0), to: day(14) });
    expect(both(whole, parts)).toEqual([`${day(4)} rows`]);
  });

  it('never both come in of days that both have whole, unless one holds all of the other', () => {
    const rows = fc.array(
      fc.record({ nth: fc.integer({ min: 1, max: 4 }), ore: fc.constantFrom(-1n, 2n, 3n) }),
      { minLength: 1, maxLength: 6 },
    );
    const read = (some: readonly { readonly nth: number; readonly ore: bigint }[]) =>
      of(
        some.toSorted((a, b) => a.nth - b.nth).map(({ nth, ore }) => row(nth, Number(ore))),
        month,
      );
    const holds = (one: readonly string[], other: readonly string[]): boolean => {
      const left = [...one];
      return other.every((each) => {
        const place = left.indexOf(each);
        if (place >= 0) left.splice(place, 1);
        return place >= 0;
      });
    };
    fc.assert(
      fc.property(rows, rows, (one, two) => {
        const account = new Account();
        account.take(read(one));
        const before = account.rows;
        account.take(read(two));
        const told = two.map(({ nth, ore }) => `${day(nth)} ${ore}`).sort();
        const isHeld = holds(before, told) || holds(told, before);
        expect(account.doubts === 0).toBe(isHeld);
        const most = before.length > told.length ? before : told;
        expect(account.rows).toEqual(isHeld ? most : before);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('a row of CSV is known when camt tells more of it', () => {
  const all = [row(0, 500_00, 'TIC'), row(1, -90_00, 'HB KORT')];
  const account = new Account();
  account.take(statementOf(all, [0, 2], { format: 'csv.handelsbanken' }));
  const longer = [row(0, 500_00, 'TIC  BG 0000005786439'), row(1, -90_00, 'Kortköp Pressbyrån')];
  expect(account.take(statementOf(longer, [0, 2]))).toBe(0);
});

it('the bank says what was held at the end of each month that a statement covers', () => {
  const all = [row(0, 1_00), row(30, 2_00), row(45, 4_00)];
  const read = statementOf(all, [0, 3], { to: '2026-05-31' });
  expect(closingBalances(read, new Map())).toEqual([
    { day: '2026-03-31', ore: 100_300n },
    { day: '2026-04-15', ore: 100_700n },
    { day: '2026-05-31', ore: 100_700n },
  ]);
});

it('an account is known by any number it has', () => {
  const account = { iban: 'SE4550000000058398257466', number: '5591233878', bankgiro: '9912346' };
  for (const said of [
    'SE45 5000 0000 0583 9825 7466',
    '559123-3878',
    '165591233878',
    '991-2346',
    'BG 991-2346',
  ]) {
    expect(findByIdentity([account], said)).toBe(account);
  }
  for (const said of [null, '', 'Konto', '1234', '5591233879', 'BG 559-1233', 'BG 5591233878']) {
    expect(findByIdentity([account], said)).toBeUndefined();
  }
});
