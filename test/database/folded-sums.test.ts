/** Sums beside the ledger of a series that has many vouchers: right at every number, and never many rows. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { times } from '../support/processes.ts';
import { ledgerVoucher, post, row, tamper } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await createBooks();
});
afterAll(() => books.close());

/** As many vouchers, over the months, some with revenue and some without. */
const many = (count: number, series = 'A') =>
  times(count).map((n) =>
    ledgerVoucher({
      series,
      date: `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
      rows:
        n % 3 === 0
          ? [row(6110, 100 + n), row(1930, -100 - n)]
          : [row(1930, 80 + n), row(3001, -80 - n)],
    }),
  );

/** The parts that each table of sums has of a series. */
async function partsOf(series: string): Promise<Record<string, number[]>> {
  const tables = ['month_balances', 'month_totals', 'day_revenues'];
  const found: Record<string, number[]> = {};
  for (const table of tables) {
    const rows = await db(books.owner).query<{ part: number }>({
      text: `select distinct t.part from ledger.${table} t join ledger.series s on s.id = t.series_id
        where s.code = $1 order by 1`,
      values: [series],
    });
    found[table] = rows.map(({ part }) => part);
  }
  return found;
}

const all = (parts: number[]) => ({
  month_balances: parts,
  month_totals: parts,
  day_revenues: parts,
});

const problems = async () => (await verifyBooks(db(books.owner), () => undefined)).problems;

test('the sums of a series are those of its vouchers, to the last before a part is past and from the first after', async () => {
  await post(books.owner, many(2_040));
  for (let n = 0; n < 7; n += 1) await post(books.owner, many(1));
  expect(await partsOf('A')).toEqual(all([1]));
  // 2 048, of revenue; then one that is not.
  await post(books.owner, many(2).slice(1));
  expect(await partsOf('A')).toEqual(all([0, 2]));
  await post(books.owner, many(1));
  expect(await problems()).toEqual([]);
});

test('a batch that goes past several parts leaves them folded', async () => {
  await post(books.owner, [...many(4_500, 'C'), ...many(3, 'M')]);
  expect(await partsOf('C')).toEqual(all([0, 3]));
  expect(await partsOf('M')).toEqual(all([1]));
  expect(await problems()).toEqual([]);
});

test('whoever posts beside others leaves every part folded that is past', async () => {
  await Promise.all(
    times(30).map((n) => post(books.owner, many(n % 2 ? 150 : 1, n % 3 ? 'A' : 'C'))),
  );
  expect((await partsOf('A'))['month_balances']).toEqual([0, 2]);
  expect(await problems()).toEqual([]);
});

/** Pages of the sums' tables that posting one voucher looks at. */
async function pagesOfOne(series: string): Promise<number> {
  const counted = async (): Promise<number> => {
    const client = await connect(books.url, 'test');
    try {
      const { rows } = await client.query(
        `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::integer as pages
          from pg_statio_user_tables where relname in ('month_balances', 'month_totals', 'day_revenues')`,
      );
      return rows[0].pages;
    } finally {
      await client.end();
    }
  };
  const work = (count: number) =>
    withTx(books.owner, async (tx) => {
      await postToLedger(tx, many(1 + count, series).slice(1));
      await tx.query(sql`select pg_stat_force_next_flush()`);
    });
  // What was posted before this is told of too.
  await work(0);
  const before = await counted();
  await work(1);
  return (await counted()) - before;
}

test('an export or a backup that is open for long slows nobody who posts down', async () => {
  await post(books.owner, many(700, 'M'));
  const usual = await pagesOfOne('M');
  const reader = await connect(books.url, 'test');
  onTestFinished(() => reader.end());
  await reader.query('begin isolation level repeatable read; select from ledger.month_balances');
  for (let n = 0; n < 1_350; n += 1) await post(books.owner, many(2, 'M').slice(1));
  expect(await partsOf('M')).toEqual(all([0, 2]));
  expect(await pagesOfOne('M')).toBeLessThan(3 * usual);
  await reader.query('commit');
});

test('a sum that is folded wrongly is found', async () => {
  await tamper(
    books.url,
    `update ledger.month_balances set debit_ore = debit_ore + 1 where part = 0 and account = 1930`,
  );
  expect((await problems()).map(({ kind }) => kind)).toContain('wrong_month_balance');
});
