/** An invoice is booked once, with the next number, or stays a draft with the reason. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enqueue, invoiceBooking } from '#src/db/jobs.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { type Books, countVouchers, createBooks } from '../support/installation.ts';
import { listInvoices, makeDrafts } from '../support/invoices.ts';
import { startWorkers, times, until } from '../support/processes.ts';

let books: Books;
let worker: Pool;
beforeEach(async () => {
  books = await createBooks();
  const url = await roleUrl(books.url, 'hb_worker');
  worker = createPool({ url, max: 16, applicationName: 'test worker' });
});
afterEach(async () => {
  const { problems } = await verifyBooks(db(books.owner), () => undefined);
  await worker.end();
  await books.close();
  expect(problems).toEqual([]);
});

const book = (ids: readonly string[]) =>
  withTx(worker, (tx) => bookInvoices(tx, ids, 'job:invoice-booking'));
const lockPeriod = (date: string | null) =>
  withTx(books.owner, (tx) => setLock(tx, 'period', date, 'test'));
const numbers = async () => (await listInvoices(books.owner)).map(({ number }) => number);

test('64 bookings of one draft at once give one number and one voucher', async () => {
  const ids = await makeDrafts(books.owner, [100n]);
  const outcomes = await Promise.all(times(64).map(() => book(ids)));
  expect(new Set(outcomes.flat().map(({ invoice }) => invoice.invoice_number))).toEqual(
    new Set([1001]),
  );
  expect(outcomes.flat().every(({ refusal }) => refusal === null)).toBe(true);
  expect(await countVouchers(books.owner)).toBe(1);
});

test('bookings of many drafts at once, each in several, number them without gap or repetition', async () => {
  const ids = await makeDrafts(
    books.owner,
    times(40).map((n) => BigInt(n + 1)),
  );
  await Promise.all(times(20).map((n) => book(ids.slice(n, n + 21))));
  expect(await numbers()).toEqual(times(40).map((n) => 1001 + n));
  expect(await countVouchers(books.owner)).toBe(40);
});

test('jobs handed out twice to two workers book once', async () => {
  const ids = await makeDrafts(
    books.owner,
    times(30).map((n) => BigInt(n + 1)),
  );
  const jobs = ids.map((invoiceId) => ({ invoiceId }));
  await withTx(worker, (tx) => enqueue(tx, invoiceBooking, [...jobs, ...jobs]));
  await startWorkers(books.url);
  await startWorkers(books.url);
  await until(async () => {
    const left = await db(books.owner).query(
      sql`select from pgboss.job where state <> 'completed' limit 1`,
    );
    return left.length === 0;
  });
  expect(await numbers()).toEqual(times(30).map((n) => 1001 + n));
  expect(await countVouchers(books.owner)).toBe(30);
});

test('what a lock refuses stays a draft with the reason, costs no number, and can be booked later', async () => {
  await lockPeriod('2026-02-28');
  const open = await makeDrafts(books.owner, [1n, 2n, 3n]);
  const locked = await makeDrafts(books.owner, [4n, 5n], '2026-02-15');
  const mixed = [open[0], locked[0], open[1], locked[1], open[2]].map((id) => id ?? '');
  const outcomes = await book(mixed);
  expect(outcomes.filter(({ refusal }) => refusal).map(({ invoice }) => invoice.id)).toEqual(
    [...locked].sort(),
  );
  const drafts = (await listInvoices(books.owner)).filter(({ status }) => status === 'draft');
  expect(drafts.map(({ id }) => id)).toEqual([...locked].sort());
  for (const draft of drafts) {
    expect(draft.booking_refusal).toMatchObject({
      error: 'period_locked',
      detail: {
        lock: 'period',
        locked_to: '2026-02-28',
        earliest_allowed_date: '2026-03-01',
      },
    });
  }
  expect((await numbers()).filter((number) => number !== null)).toEqual([1001, 1002, 1003]);

  await lockPeriod(null);
  await book(mixed);
  expect(await numbers()).toEqual([1001, 1002, 1003, 1004, 1005]);
  const refusals = (await listInvoices(books.owner)).map((invoice) => invoice.booking_refusal);
  expect(refusals).toEqual(times(5).map(() => null));
});

test('a booking that is rolled back gives its number to the next', async () => {
  const [first = '', second = ''] = await makeDrafts(books.owner, [1n, 2n]);
  const failing = withTx(worker, async (tx) => {
    await bookInvoices(tx, [first], 'job:invoice-booking');
    throw new Error('power cut');
  });
  await expect(failing).rejects.toThrow('power cut');
  const [outcome] = await book([second]);
  expect(outcome?.invoice.invoice_number).toBe(1001);
});

test('an invoice of zero kronor gets its number, and no voucher', async () => {
  const ids = await makeDrafts(books.owner, [0n, 100n, 0n]);
  await book(ids);
  const invoices = await listInvoices(books.owner);
  expect(invoices.map(({ number }) => number)).toEqual([1001, 1002, 1003]);
  expect(invoices.filter(({ voucher_id }) => voucher_id !== null)).toHaveLength(1);
  expect(await countVouchers(books.owner)).toBe(1);
});

describe('a booked invoice is frozen, for the owner of the tables too', () => {
  let draft = '';
  beforeEach(async () => {
    [draft = ''] = await makeDrafts(books.owner, [500n]);
    await book(await makeDrafts(books.owner, [100n]));
  });
  test.each([
    `update sales.invoices set debtor = '{"name": "x"}' where number = 1001`,
    `update sales.invoices set net_ore = net_ore + 1, total_ore = total_ore + 1 where number = 1001`,
    `update sales.invoices set number = 1002 where number = 1001`,
    `update sales.invoices set created_at = now() - interval '1 day' where number = 1001`,
    `update sales.invoices set status = 'draft', number = null, ocr = null, voucher_id = null
     where number = 1001`,
    `delete from sales.invoices where number = 1001`,
    'truncate sales.invoices cascade',
    'truncate sales.invoice_rows',
    `update sales.invoice_rows set net_ore = net_ore + 1
     where invoice_id = (select id from sales.invoices where number = 1001)`,
    `delete from sales.invoice_rows
     where invoice_id = (select id from sales.invoices where number = 1001)`,
    `update sales.invoice_rows set invoice_id = '<draft>', row_no = 2
     where invoice_id = (select id from sales.invoices where number = 1001)`,
    `update sales.invoice_rows set invoice_id = (select id from sales.invoices where number = 1001),
     row_no = 2 where invoice_id = '<draft>'`,
    `insert into sales.invoice_rows (invoice_id, row_no, description, quantity_e4, unit_price_e4,
       vat_rate, account, net_ore, vat_ore)
     select id, 2, 'x', 1, 1, 25, 3001, 1, 1 from sales.invoices where number = 1001`,
  ])('%s', async (statement) => {
    const changing = books.owner.query(statement.replace('<draft>', draft));
    await expect(changing).rejects.toMatchObject({ constraint: 'invoices_are_frozen' });
  });

  test('but goes on to paid and credited, and a draft may change', async () => {
    await books.owner.query(`update sales.invoices set status = 'paid' where number = 1001`);
    await books.owner.query(`update sales.invoices set status = 'credited' where number = 1001`);
    await books.owner.query(
      `update sales.invoice_rows set description = 'x' where invoice_id = '${draft}'`,
    );
    await books.owner.query(`delete from sales.invoices where id = '${draft}'`);
  });
});
