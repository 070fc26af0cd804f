/** What the books promise, proved against the database itself: as its owner, with random vouchers. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { ledgerVoucher, post, refusalOf, row, seriesId } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await createBooks();
  await post(books.owner, [ledgerVoucher(), ledgerVoucher(), ledgerVoucher()]);
});
afterAll(() => books.close());

describe('nobody changes what is booked, the owner of the tables included', () => {
  test.each([
    `update ledger.vouchers set description = 'x'`,
    `update ledger.vouchers set description = description where false`,
    'delete from ledger.vouchers',
    'truncate ledger.vouchers cascade',
    `update ledger.voucher_rows set note = 'x'`,
    'delete from ledger.voucher_rows',
    'truncate ledger.voucher_rows',
    'truncate ledger.series cascade',
  ])('%s', async (statement) => {
    expect(await refusalOf(books.owner, statement)).toBe('vouchers_are_immutable');
  });
  test.each([
    `update audit.events set actor = 'x'`,
    'delete from audit.events',
    'truncate audit.events',
  ])('%s', async (statement) => {
    expect(await refusalOf(books.owner, statement)).toBe('events_are_immutable');
  });
  test.each([
    ['an account', 'delete from ledger.accounts where number = 1930'],
    ['the number of an account', 'update ledger.accounts set number = 1999 where number = 1930'],
    ['a series', `delete from ledger.series where code = 'A'`],
    ['a fiscal year', 'delete from ledger.fiscal_years'],
    ['the chart of accounts', 'truncate ledger.accounts cascade'],
    ['every dimension', 'truncate ledger.dimensions cascade'],
  ])('%s stays', async (_, statement) => {
    expect(await refusalOf(books.owner, statement)).toMatch(/fkey|in_use|immutable/);
  });
});

describe('the owner of the tables cannot write a faulty voucher past the ledger', () => {
  /** One voucher with its rows in one statement, as the ledger itself does it. */
  const insert = async (voucher: { number: number; rows?: string; total?: number }) => {
    const { number, total = 100, rows = '(1, 1930, 100, 0), (2, 3001, 0, 100)' } = voucher;
    return `with v as (
        insert into ledger.vouchers (id, series_id, series, number, verification_date, description,
          source, row_count, total_ore, posted_at, posted_by, format, content_hash, hash)
        values (gen_random_uuid(), '${await seriesId(books.owner)}', 'A', ${number}, '2026-03-31', 'x',
          'api', 2, ${total}, now(), 'test', 1, '', '') returning *)
      insert into ledger.voucher_rows (voucher_id, row_no, account, debit_ore, credit_ore,
        verification_date, series, number)
      select v.id, r.no, r.account, r.debit, r.credit, v.verification_date, v.series, v.number
      from v, (values ${rows}) as r (no, account, debit, credit)`;
  };

  test('that does not balance', async () => {
    const rows = '(1, 1930, 100, 0), (2, 3001, 0, 99)';
    expect(await refusalOf(books.owner, await insert({ number: 4, rows }))).toBe(
      'vouchers_balance',
    );
  });
  test('with fewer rows than it says', async () => {
    const rows = '(1, 1930, 100, 0)';
    expect(await refusalOf(books.owner, await insert({ number: 4, rows }))).toBe(
      'vouchers_balance',
    );
  });
  test('with another total than its rows', async () => {
    expect(await refusalOf(books.owner, await insert({ number: 4, total: 99 }))).toBe(
      'vouchers_balance',
    );
  });
  test('without rows', async () => {
    const rows =
      '(1, 1930, 100, 0), (2, 3001, 0, 100)) as r (no, account, debit, credit) where false';
    const statement = (await insert({ number: 4, rows })).replace(/\)[^)]*\(no, [^)]*\)$/, '');
    expect(await refusalOf(books.owner, statement)).toBe('vouchers_are_gapless');
  });
  test('with a number that leaves a gap, or one that is taken', async () => {
    expect(await refusalOf(books.owner, await insert({ number: 5 }))).toBe('vouchers_are_gapless');
    expect(await refusalOf(books.owner, await insert({ number: 3 }))).toBe('vouchers_number_key');
  });
  test('on an account that does not exist', async () => {
    const rows = '(1, 1930, 100, 0), (2, 9998, 0, 100)';
    expect(await refusalOf(books.owner, await insert({ number: 4, rows }))).toBe(
      'vouchers_balance',
    );
  });
  test('with a row on both sides, or on neither', async () => {
    for (const rows of [
      '(1, 1930, 100, 100), (2, 3001, 0, 0)',
      '(1, 1930, 0, 0), (2, 3001, 0, 100)',
    ])
      expect(await refusalOf(books.owner, await insert({ number: 4, rows }))).toBe(
        'voucher_rows_one_side',
      );
  });
  test('nor let rows join a voucher that is there', async () => {
    const statement = `insert into ledger.voucher_rows (voucher_id, row_no, account, debit_ore,
        credit_ore, verification_date, series, number)
      select v.id, r.no, r.account, r.debit, r.credit, v.verification_date, v.series, v.number
      from ledger.vouchers v, (values (4, 1930, 100, 0), (5, 3001, 0, 100)) as r (no, account, debit, credit)
      where v.number = 1`;
    expect(await refusalOf(books.owner, statement)).toBe('vouchers_balance');
  });
});

test('bad vouchers in a batch never harm their neighbours, and cost no number', async () => {
  await withTx(books.owner, (tx) => setLock(tx, 'vat', '2026-01-31', 'test'));
  await db(books.owner).query(
    sql`update ledger.accounts set is_active = false where number = 3740`,
  );
  const bad = [
    ledgerVoucher({ rows: [row(1930, 1), row(9999, -1)] }),
    ledgerVoucher({ rows: [row(1930, 1), row(3740, -1)] }),
    ledgerVoucher({ series: 'Q' }),
    ledgerVoucher({ date: '1999-01-01' }),
    ledgerVoucher({ date: '2026-01-31' }),
    ledgerVoucher({ rows: [{ ...row(1930, 1), costCenter: ledgerVoucher().id }, row(3001, -1)] }),
  ];
  const batch = bad.flatMap((voucher) => [ledgerVoucher({ series: 'P' }), voucher]);
  const outcomes = await post(books.owner, [...batch, ledgerVoucher({ series: 'P' })]);
  expect(outcomes.filter((_, index) => index % 2 === 0).map(({ number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
  const refused = outcomes.filter((_, index) => index % 2 === 1);
  expect(refused.map(({ error }) => error)).toEqual([
    'unprocessable',
    'unprocessable',
    'unprocessable',
    'unprocessable',
    'period_locked',
    'unprocessable',
  ]);
  expect(refused.map(({ number }) => number)).toEqual(bad.map(() => null));
  await withTx(books.owner, (tx) => setLock(tx, 'vat', null, 'test'));
});

const accounts = [1510, 1930, 2440, 2611, 3001, 5010];
const randomVoucher = fc
  .record({
    series: fc.constantFrom('A', 'C', 'M'),
    month: fc.integer({ min: 1, max: 12 }),
    description: fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((text) => text.replaceAll('\0', '')),
    note: fc.option(fc.constantFrom('å', '"citat"', 'rad\nbrytning', '\\', '\u0001\u007f', '[],')),
    amounts: fc.array(
      fc.tuple(fc.constantFrom(...accounts), fc.integer({ min: 1, max: 99_999_999 })),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ series, month, description, note, amounts }) => {
    const total = amounts.reduce((sum, [, ore]) => sum + ore, 0);
    return ledgerVoucher({
      series,
      date: `2026-${String(month).padStart(2, '0')}-15`,
      description,
      counterparty: note,
      rows: [
        ...amounts.map(([account, ore]) => ({ ...row(account, ore), note })),
        row(1930, -total),
      ],
    });
  });

test('month balances are the sums of the rows, whatever was posted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomVoucher, { minLength: 1, maxLength: 20 }), async (vouchers) => {
      const outcomes = await post(books.owner, vouchers);
      expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
    }),
    { numRuns: tries(4) },
  );
  const rows = await db(books.owner).query<Record<'key', string> & Record<'d' | 'c', bigint>>(
    sql`select series_id || ' ' || account || ' ' || to_char(verification_date, 'YYYY-MM-01') as key,
          debit_ore as d, credit_ore as c
        from ledger.voucher_rows r join (select id, series_id from ledger.vouchers) v on v.id = voucher_id`,
  );
  const sums = new Map<string, [bigint, bigint]>();
  for (const { key, d, c } of rows) {
    const [debit, credit] = sums.get(key) ?? [0n, 0n];
    sums.set(key, [debit + d, credit + c]);
  }
  const kept = await db(books.owner).query<Record<'key', string> & Record<'d' | 'c', bigint>>(
    sql`select series_id || ' ' || account || ' ' || month as key, sum(debit_ore)::bigint as d,
          sum(credit_ore)::bigint as c
        from ledger.month_balances group by 1`,
  );
  expect(new Map(kept.map(({ key, d, c }) => [key, [d, c]]))).toEqual(sums);
});
