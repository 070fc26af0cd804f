/** Balances by month: what the rows come to, counted anew the plain way, on random books of broken years. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import type { LedgerRow } from '#src/ledger/vouchers/posting-store.ts';
import { ledgerVoucher, post } from '../database/books.ts';
import type { Installation } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/saldon';
/** Before that of the company, 2026: one of four months, and one of twelve that begins in the middle of a year. */
const years = [
  { year: 2024, start: '2024-05-01', end: '2024-08-31' },
  { year: 2025, start: '2024-09-01', end: '2025-12-31' },
  { year: 2026, start: '2026-01-01', end: '2026-12-31' },
];
const accounts = [1510, 1930, 2440, 2999, 3001, 4010, 8999];
const lastMonth = '2026-10';

interface Balance {
  readonly account: number;
  readonly account_name?: string;
  readonly year: number;
  readonly month: string;
  readonly opening: number;
  readonly debit: number;
  readonly credit: number;
  readonly closing: number;
}
interface Posted {
  readonly month: string;
  readonly account: number;
  readonly debit: number;
  readonly credit: number;
  readonly carried: readonly (string | null)[];
}

let books: Installation;
let center: string;
let project: string;
const posted: Posted[] = [];

const anyVoucher = fc.record({
  series: fc.constantFrom('A', 'B'),
  day: fc.integer({ min: 0, max: 899 }),
  rows: fc.array(
    fc.tuple(
      fc.constantFrom(...accounts),
      fc.constantFrom(...accounts),
      // Now and then the same amounts, so that balances come back to nothing.
      fc.oneof(fc.constantFrom(10_000, 20_000), fc.integer({ min: 1, max: 1e9 })),
      fc.nat(3),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

beforeAll(async () => {
  books = await openBooks();
  await withTx(books.owner, async (tx) => {
    for (const span of years.toReversed()) await createYear(tx, span, 'test');
    const made = (kind: 'cost_center' | 'project', code: string) =>
      insertDimension(tx, { kind, code, name: code });
    center = (await made('cost_center', 'K1')).id;
    project = (await made('project', 'P1')).id;
  });
  const drawn = fc.sample(anyVoucher, { numRuns: 120, seed: 20261124 });
  const vouchers = drawn.map(({ series, day, rows }) => {
    const date = new Date(Date.UTC(2024, 4, 1 + day)).toISOString().slice(0, 10);
    return ledgerVoucher({
      series,
      date,
      rows: rows.flatMap(([debit, credit, ore, place]): LedgerRow[] => [
        {
          ...{ account: debit, debitOre: BigInt(ore), creditOre: 0n },
          costCenter: place % 2 === 1 ? center : null,
          project: place >= 2 ? project : null,
        },
        { account: credit, debitOre: 0n, creditOre: BigInt(ore) },
      ]),
    });
  });
  const outcomes = await post(books.owner, vouchers);
  expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
  for (const { date, rows } of vouchers) {
    for (const row of rows) {
      posted.push({
        ...{ month: date.slice(0, 7), account: row.account },
        ...{ debit: Number(row.debitOre), credit: Number(row.creditOre) },
        carried: [row.costCenter ?? null, row.project ?? null],
      });
    }
  }
});
afterAll(() => books.close());

const monthsOf = ({ start, end }: { start: string; end: string }): string[] => {
  const found: string[] = [];
  for (let at = new Date(`${start}T00:00:00Z`); at <= new Date(`${end}T00:00:00Z`); ) {
    found.push(at.toISOString().slice(0, 7));
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  }
  return found;
};

interface Asked {
  readonly konto?: readonly number[];
  readonly fromMonth?: string;
  readonly toMonth?: string;
  readonly year?: number;
  readonly dimension?: string;
}

/** What should come, row by row. */
function expected({ konto, fromMonth, toMonth, year, dimension }: Asked = {}): Balance[] {
  const rows = posted.filter(
    ({ carried }) => dimension === undefined || carried.includes(dimension),
  );
  const last =
    toMonth ??
    posted
      .map(({ month }) => month)
      .toSorted()
      .at(-1) ??
    '';
  const found: Balance[] = [];
  for (const account of accounts.filter((one) => konto === undefined || konto.includes(one))) {
    let standing = 0;
    for (const span of years) {
      if (account >= 3000) standing = 0;
      for (const month of monthsOf(span).filter((one) => one <= last)) {
        const those = rows.filter((row) => row.account === account && row.month === month);
        const debit = those.reduce((sum, row) => sum + row.debit, 0);
        const credit = those.reduce((sum, row) => sum + row.credit, 0);
        const opening = standing;
        standing += debit - credit;
        const isAsked =
          (fromMonth === undefined || month >= fromMonth) &&
          (year === undefined || span.year === year);
        if (!isAsked || (debit === 0 && credit === 0 && standing === 0)) continue;
        found.push({
          ...{ account, year: span.year, month },
          opening: opening / 100,
          debit: debit / 100,
          credit: credit / 100,
          closing: standing / 100,
        });
      }
    }
  }
  return found;
}

const address = (asked: Asked, more = '') => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return `${url}?${query}${more}`;
};

async function read(asked: Asked = {}, limit = 1000): Promise<Balance[]> {
  const found: Balance[] = [];
  for (let cursor = ''; ; ) {
    const answer = await books.call({ url: address(asked, `&limit=${limit}${cursor}`) });
    expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
    const page = answer.json();
    expect(page.data.length).toBeLessThanOrEqual(limit);
    found.push(...page.data);
    if (!page.has_more) return found;
    expect(page.data).toHaveLength(limit);
    cursor = `&cursor=${page.next_cursor}`;
  }
}

describe('balances', () => {
  test('are what the rows come to, account by account and month by month', async () => {
    const balances = await read();
    expect(balances.length).toBeGreaterThan(100);
    expect(balances).toEqual(expected());
    expect(
      posted
        .map(({ month }) => month)
        .toSorted()
        .at(-1),
    ).toBe(lastMonth);
  });

  test.each<Asked>([
    { konto: [1930] },
    { konto: [1930, 3001] },
    { konto: [1000] },
    { fromMonth: '2025-02' },
    { toMonth: '2025-02' },
    { fromMonth: '2026-03', toMonth: '2026-03' },
    { fromMonth: '2026-11', toMonth: '2026-12' },
    { fromMonth: '2027-01', toMonth: '2027-12' },
    { fromMonth: '2020-01', toMonth: '2020-12' },
    { year: 2024 },
    { year: 2025, konto: [2440, 4010] },
    { year: 2025, fromMonth: '2025-06' },
    { year: 1999 },
  ])('of %j are those, and what went before counts', async (asked) => {
    expect(await read(asked)).toEqual(expected(asked));
  });

  test('of a dimension are of the rows that carry it', async () => {
    for (const dimension of [center, project]) {
      for (const rest of [{}, { konto: [1930, 3001], fromMonth: '2025-06' }]) {
        const asked = { ...rest, dimension };
        const balances = await read(asked);
        expect(balances).toEqual(expected(asked));
        expect(balances.length).toBeGreaterThan(0);
      }
    }
    expect(await read({ dimension: crypto.randomUUID() })).toEqual([]);
  });

  test.each([1, 7, 50])('come whole in pages of %d', async (limit) => {
    const asked = limit === 1 ? { konto: [3001, 8999], year: 2024 } : { konto: [1510, 3001, 8999] };
    expect(await read(asked, limit)).toEqual(expected(asked));
  });

  test('have names when they are asked for', async () => {
    const answer = await books.call({ url: address({ konto: [1930] }, '&include=account_names') });
    const names = new Set(answer.json().data.map((one: Balance) => one.account_name));
    expect([...names]).toEqual([expect.stringMatching(/\S/)]);
    const chart = await books.call({ url: '/api/v1/konton?id=1930' });
    expect([...names]).toEqual([chart.json().data[0].name]);
  });

  test('are answered with 304 until something is posted', async () => {
    const asked = address({ konto: [1930], year: 2024 });
    const { headers } = await books.call({ url: asked });
    const again = { url: asked, headers: { 'if-none-match': String(headers['etag']) } };
    expect((await books.call(again)).statusCode).toBe(304);
    const rows: LedgerRow[] = [
      { account: 1930, debitOre: 1n, creditOre: 0n },
      { account: 3001, debitOre: 0n, creditOre: 1n },
    ];
    await post(books.owner, [ledgerVoucher({ date: '2024-05-31', rows })]);
    posted.push({ month: '2024-05', account: 1930, debit: 1, credit: 0, carried: [] });
    posted.push({ month: '2024-05', account: 3001, debit: 0, credit: 1, carried: [] });
    expect((await books.call(again)).statusCode).toBe(200);
    expect(await read()).toEqual(expected());
  });
});

describe('what cannot be read', () => {
  test.each([
    ['konto=1', 'konto'],
    ['konto=bank', 'konto'],
    ['fromMonth=2026-13', 'fromMonth not_a_month'],
    ['fromMonth=2026-3', 'fromMonth not_a_month'],
    ['toMonth=2026-03-01', 'toMonth not_a_month'],
    ['fromMonth=2026-03&toMonth=2026-02', 'fromMonth after_to'],
    ['year=tjugo', 'year not_an_integer'],
    ['dimension=K1', 'dimension wrong_format'],
    ['limit=1001', 'limit too_large'],
    ['cursor=x', 'cursor unreadable_cursor'],
    ['include=dimensions', 'include'],
    ['month=2026-03', 'month unknown_field'],
  ])('%s is refused by name', async (query, problem) => {
    const answer = await books.call({ url: `${url}?${query}` });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    const { path, reason } = answer.json().detail.problems[0];
    expect(`${path} ${reason}`).toContain(problem);
  });

  test('a cursor does not continue with other filters', async () => {
    const { next_cursor } = (await books.call({ url: `${url}?limit=1` })).json();
    const answer = await books.call({ url: `${url}?limit=1&konto=1930&cursor=${next_cursor}` });
    expect(answer.json().detail.problems[0].reason).toBe('foreign_cursor');
  });

  test('a key that may only hand in reads none', async () => {
    const { key } = await books.makeKey(['intake:write']);
    const answer = await books.call({ url, key });
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'insufficient_scope']);
  });
});
