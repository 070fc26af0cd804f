/** kill -9 in the middle of what posts at the end of months and years: nothing half is left, nobody waits, and the next does it once. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createAccrual } from '#src/ledger/accruals/service.ts';
import { listPostings } from '#src/ledger/accruals/store.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { compiled, onDay } from '../support/program.ts';
import { Running } from './running.ts';

const program = join(import.meta.dirname, '..', '..', 'src', 'cli', 'huvudbok.ts');
const day = '2027-01-10';
let books: Books;
beforeEach(async () => {
  books = await createBooks();
  await post(books.owner, [
    ledgerVoucher({ date: '2026-06-01', rows: [row(1930, 500_000), row(3001, -500_000)] }),
  ]);
});
afterEach(() => books.close());

const env = () => ({
  ...compiled,
  PATH: process.env['PATH'],
  DATABASE_URL: books.url,
  ...onDay(day),
});
const command = (...words: string[]) =>
  promisify(execFile)(process.execPath, [program, ...words, '--json'], { env: env() });
const vouchers = () =>
  db(books.owner).query<{ label: string; source: string }>(
    sql`select series || number as label, source from ledger.vouchers order by posted_at, series, number`,
  );

/** Kills the command while it waits, in the middle of its transaction, for what `hold` keeps from it. */
async function killWhileHeld(hold: string, ...words: string[]): Promise<void> {
  const holder = await connect(books.url, 'holder');
  try {
    await holder.query('begin');
    await holder.query(hold);
    const running = new Running(program, words, env());
    await until(async () => {
      const waiting = await db(books.owner).query(
        sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await running.kill('SIGKILL');
    await holder.query('rollback');
  } finally {
    await holder.end();
  }
  // The server sees that nobody is there, and takes back what was begun.
  await until(async () => {
    const left = await db(books.owner).query(
      sql`select from pg_stat_activity
          where datname = current_database() and application_name = 'huvudbok command'`,
    );
    return left.length === 0;
  });
}

test('accrual post: killed between two of a plan it has posted none of it, and the next posts each once', async () => {
  const next = { year: 2027, start: '2027-01-01', end: '2027-12-31' };
  await withTx(books.owner, (tx) => createYear(tx, next, 'test'));
  const { id } = await withTx(books.owner, (tx) =>
    createAccrual(
      tx,
      {
        kind: 'accrued_cost',
        description: 'El',
        series: 'P',
        amountOre: 60_000n,
        firstMonth: '2026-07-01',
        months: 6,
        movedOn: null,
        sharesOn: 'last',
        resultAccount: 5020,
        balanceAccount: 2990,
        costCenter: null,
        project: null,
        originVoucherId: null,
        lateOn: null,
      },
      { today: '2026-06-30', actor: 'test' },
    ),
  );
  const third = `select from ledger.accrual_postings where accrual_id = '${id}' and place = 3 for update`;
  await killWhileHeld(third, 'accrual', 'post');
  expect(await vouchers()).toHaveLength(1);
  expect(JSON.parse((await command('accrual', 'post')).stdout)).toMatchObject({ posted: 7 });
  expect(JSON.parse((await command('accrual', 'post')).stdout)).toMatchObject({ posted: 0 });
  const posted = await listPostings(db(books.owner), id);
  expect(posted.map(({ voucher }) => voucher)).toEqual(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P1']);
  expect(posted.at(-1)).toMatchObject({ part: 'back', date: '2027-01-01' });
  expect((await withTx(books.owner, (tx) => verifyBooks(tx, () => undefined))).problems).toEqual(
    [],
  );
});

test('year result and close: killed in the middle the year is as it was and takes vouchers, and the next does it once', async () => {
  const log = 'lock table audit.events in exclusive mode';
  await killWhileHeld(log, 'year', 'result', '2026');
  expect(await vouchers()).toHaveLength(1);
  await command('year', 'result', '2026');
  expect(await vouchers()).toMatchObject([{ source: 'app' }, { label: 'A2', source: 'closing' }]);
  await killWhileHeld(log, 'year', 'close', '2026');
  const late = ledgerVoucher({ date: '2026-12-31', rows: [row(1930, 100), row(3001, -100)] });
  expect(await post(books.owner, [late])).toMatchObject([{ number: 3, error: null }]);
  await command('year', 'result', '2026');
  const { stdout } = await command('year', 'close', '2026');
  expect(JSON.parse(stdout)).toEqual({ year: 2026, status: 'closed', undisposed: 0 });
  expect(await post(books.owner, [{ ...late, id: crypto.randomUUID() }])).toMatchObject([
    { error: 'period_locked' },
  ]);
  const told = await db(books.owner).query(
    sql`select count(*)::integer as count from audit.events where action = 'fiscal_year.closed'`,
  );
  expect(told).toEqual([{ count: 1 }]);
});

test('vat settle and filed, month acknowledge and year reopen: killed in the middle nothing is half, and the next does it once', async () => {
  const log = 'lock table audit.events in exclusive mode';
  const stands = async () => {
    const [one] = await db(books.owner).query(
      sql`select (select count(*)::integer from ledger.vat_filings) as filings,
            (select count(*)::integer from ledger.vat_returns) as returns,
            (select vat_locked_to from ledger.locks) as vat,
            (select period_locked_to from ledger.locks) as period,
            (select count(*)::integer from ledger.vouchers where source = 'vat') as settled,
            (select count(*)::integer from ledger.month_ends) as months,
            (select count(*)::integer from ledger.fiscal_years where status = 'closed') as closed`,
    );
    return one;
  };
  const sale = [row(1930, 125_000), row(3001, -100_000), row(2611, -25_000)];
  await post(books.owner, [ledgerVoucher({ date: '2026-05-10', rows: sale })]);
  for (const words of [
    ['vat', 'settle', '2026-06-30'],
    ['vat', 'filed', '2026-06-30'],
    ['month', 'acknowledge', '2026-05', '--despite', 'Underlag saknas', '--lock'],
    ['year', 'result', '2026'],
    ['year', 'close', '2026'],
    ['year', 'reopen', '2026', '--reason', 'Ett kvitto till'],
  ]) {
    const before = await stands();
    await killWhileHeld(log, ...words);
    expect([words, await stands()]).toEqual([words, before]);
    await command(...words);
  }
  expect(await stands()).toEqual({
    filings: 1,
    returns: 1,
    vat: '2026-06-30',
    period: '2026-05-31',
    settled: 1,
    months: 1,
    closed: 0,
  });
  const { problems } = await withTx(books.owner, (tx) => verifyBooks(tx, () => undefined));
  expect(problems).toEqual([]);
});
