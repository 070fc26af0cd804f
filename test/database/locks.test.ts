/** A lock and a posting, a booking and a change of its draft, never miss each other: one waits, and then sees the other. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseErrorOf, db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { closeYear, createYear } from '#src/ledger/fiscal-years/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import {
  createInstallation,
  type Installation,
  orderBody,
  voucherBody,
} from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { startApp, times, until } from '../support/processes.ts';
import { makeSupplier, writeSupplierInvoice } from '../support/supplier-invoices.ts';
import { ledgerVoucher } from './books.ts';

let books: Installation;
beforeEach(async () => {
  books = await createInstallation();
});
afterEach(() => books.close());

/** A transaction that stays open until told to commit. */
async function hold<T>(work: (tx: Tx) => Promise<T>) {
  const worked = Promise.withResolvers<T>();
  const commit = Promise.withResolvers<void>();
  const done = withTx(books.owner, async (tx) => {
    worked.resolve(await work(tx));
    await commit.promise;
  });
  await Promise.race([worked.promise, done]);
  return {
    result: await worked.promise,
    commit: () => {
      commit.resolve();
      return done;
    },
  };
}

/** Somebody waits for a lock in this database. */
async function isWaiting(): Promise<boolean> {
  const waiting = await db(books.owner).query(
    sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

const post = (tx: Tx, date = '2026-03-31') => postToLedger(tx, [ledgerVoucher({ date })]);
const lock = (tx: Tx) => setLock(tx, 'period', '2026-03-31', 'test');

describe.each<[string, (tx: Tx) => Promise<unknown>, string]>([
  ['a period lock', lock, 'period'],
  ['a VAT lock', (tx: Tx) => setLock(tx, 'vat', '2026-03-31', 'test'), 'vat'],
  [
    'the closing of a year',
    (tx: Tx) => closeYear(tx, { year: 2026, today: '2027-01-01' }, 'test'),
    'fiscal_year',
  ],
  [
    'a period lock by SQL alone',
    (tx: Tx) => tx.query(sql`update ledger.locks set period_locked_to = '2026-03-31'`),
    'period',
  ],
  [
    'the closing of a year by SQL alone',
    (tx: Tx) =>
      tx.query(
        sql`update ledger.fiscal_years set status = 'closed', closed_at = now(), closed_on = '2027-01-01'`,
      ),
    'fiscal_year',
  ],
])('%s', (_, shut, kind) => {
  test('waits for the posting in flight', async () => {
    const posting = await hold(post);
    let isShut = false;
    const shutting = withTx(books.owner, shut).then(() => {
      isShut = true;
    });
    await until(isWaiting);
    expect(isShut).toBe(false);
    await posting.commit();
    await shutting;
    expect(posting.result).toMatchObject([{ number: 1, error: null }]);
  });

  test('holds back the next posting, which then obeys it', async () => {
    const shutting = await hold(shut);
    const posting = withTx(books.owner, (tx) => post(tx));
    await until(isWaiting);
    await shutting.commit();
    expect(await posting).toMatchObject([{ error: 'period_locked', detail: { lock: kind } }]);
  });

  test('does not stop one who posts twice in a transaction, and waits for both', async () => {
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const posting = withTx(books.owner, async (tx) => {
      const first = await postToLedger(tx, [ledgerVoucher()], { dryRun: true });
      await mayGoOn;
      return [...first, ...(await post(tx))];
    });
    // In this database: what another one is a copy of has its numbers too.
    await until(async () => {
      const [held] = await db(books.owner).query<{ count: number }>(
        sql`select count(*)::integer as count from pg_locks
            where relation = 'ledger.series'::regclass and mode = 'RowShareLock'
              and database = (select oid from pg_database where datname = current_database())`,
      );
      return (held?.count ?? 0) > 0;
    });
    const shutting = withTx(books.owner, shut);
    await until(isWaiting);
    goOn();
    expect(await posting).toMatchObject([{ error: null }, { number: 1, error: null }]);
    await shutting;
  });
});

test('a lock holds for the series of a year that is being made', async () => {
  const year = { year: 2027, start: '2027-01-01', end: '2027-12-31' };
  const making = await hold((tx) => createYear(tx, year, 'test'));
  const locking = withTx(books.owner, (tx) => setLock(tx, 'period', '2027-01-31', 'test'));
  await until(isWaiting);
  await making.commit();
  const outcome = await withTx(books.owner, (tx) => post(tx, '2027-01-15'));
  expect(outcome).toMatchObject([{ error: 'period_locked' }]);
  await locking;
});

describe.each([
  ['a customer’s invoice', 'sales', 'invoices_are_frozen'],
  ['a supplier’s invoice', 'purchases', 'supplier_invoices_are_frozen'],
])('%s that is being booked', (_, schema, refusal) => {
  const rows = `${schema}.invoice_rows`;

  /** The draft, and what books it. */
  async function draft(): Promise<{ id: string; book: (tx: Tx) => Promise<unknown> }> {
    if (schema === 'sales') {
      const [id = ''] = await makeDrafts(books.owner, [100n]);
      return { id, book: (tx) => bookInvoices(tx, [id], 'test') };
    }
    const id = await withTx(books.owner, async (tx) =>
      writeSupplierInvoice(tx, {
        supplierId: await makeSupplier(tx),
        invoiceNumber: '1',
        issueDate: '2026-03-31',
        dueDate: null,
        totalOre: 12_500n,
      }),
    );
    return { id, book: (tx) => bookPurchases(tx, [id], 'test') };
  }

  test.each([
    ['changed', `update ${rows} set account = 3002 where invoice_id = $1 and row_no = 1`],
    ['removed', `delete from ${rows} where invoice_id = $1 and row_no = 1`],
    [
      'added',
      `insert into ${rows} select (jsonb_populate_record(r, '{"row_no":77}')).*
       from ${rows} r where invoice_id = $1 and row_no = 1`,
    ],
  ])('has no row %s meanwhile, which would be in no voucher', async (__, statement) => {
    const { id, book } = await draft();
    const booking = await hold(book);
    const changing = books.owner.query(statement, [id]).then(
      () => 'done',
      (error) => databaseErrorOf(error)?.constraint,
    );
    await until(isWaiting);
    await booking.commit();
    expect(await changing).toBe(refusal);
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems).toEqual([]);
  });
});

test('an order is not parted from its invoice while that is being booked, and so invoiced twice', async () => {
  await books.call({ method: 'POST', url: '/api/inbound/order', payload: orderBody() });
  const [id = ''] = await makeDrafts(books.owner, [100n]);
  await books.owner.query(`update sales.invoices set source = 'app' where id = $1`, [id]);
  await books.owner.query('update intake.orders set invoice_id = $1', [id]);
  const booking = await hold((tx) => bookInvoices(tx, [id], 'test'));
  const parting = books.owner.query('update intake.orders set invoice_id = null').then(
    () => 'done',
    (error) => databaseErrorOf(error)?.constraint,
  );
  await until(isWaiting);
  await booking.commit();
  expect(await parting).toBe('orders_keep_their_invoice');
});

test('under load no voucher of the locked period is committed after the lock', async () => {
  const apps = await Promise.all([startApp(books.url), startApp(books.url)]);
  let isLoading = true;
  let posted = 0;
  const client = async (index: number): Promise<void> => {
    while (isLoading) {
      const payload = voucherBody({ seriesCode: index % 3 === 0 ? 'M' : 'A' });
      const answer = await apps[index % 2]?.(books.key, {
        method: 'POST',
        url: '/api/v1/verifikat',
        payload,
      });
      if (answer?.statusCode !== 200) {
        expect(answer?.json().error).toBe('period_locked');
        return;
      }
      posted += 1;
    }
  };
  const clients = times(24).map(client);
  await until(() => posted > 100);
  await withTx(books.owner, lock);
  const count = async () => {
    const [row] = await db(books.owner).query<{ count: number }>(
      sql`select count(*)::integer as count from ledger.vouchers`,
    );
    return row?.count;
  };
  const atLock = await count();
  await Promise.all(clients);
  isLoading = false;
  expect(await count()).toBe(atLock);
  expect(posted).toBe(atLock);
});
