/** What is asked for is found by an index, however much there is beside it. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { createPool, db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { listCandidates } from '#src/intake/orders/intake-store.ts';
import type { VoucherPlace } from '#src/ledger/vouchers/cursor.ts';
import { listVouchers } from '#src/ledger/vouchers/store.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { uuid } from '#src/lib/uuid.ts';
import { type ReceivedDocument, storeDocuments } from '#src/purchases/e-invoices/store.ts';
import { findSupplierCoding } from '#src/purchases/inbox/store.ts';
import { listSeriesOf, listVouchersRegistered } from '#src/reports/books/listing-store.ts';
import { listOpenItems } from '#src/reports/books/open-items-store.ts';
import { getOverviewFigures } from '#src/reports/stats/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { testIban } from '../support/bank-file.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { times } from '../support/processes.ts';
import { ledgerVoucher, post, row } from './books.ts';

let books: Books;
let keyHash: Buffer;
beforeAll(async () => {
  books = await createBooks();
  const { key } = await books.makeKey();
  keyHash = sha256Of(key);
});
afterAll(() => books.close());

const book = (ids: readonly string[]) => withTx(books.owner, (tx) => bookInvoices(tx, ids, 'test'));

const refusal = { reason: 'document_unreadable', message: 'Det är inte XML.' };

function received(raw: Buffer, refused: ReceivedDocument['refusal'] = null): ReceivedDocument {
  const base = { keyHash, raw, size: raw.length, sha256: sha256Of(raw), refusal: refused };
  return { ...base, id: uuid(), requestId: uuid() };
}

interface Read {
  readonly inTurn: number;
  readonly byIndex: number;
}

/** Rows of `table` that this session has read one after the other, and by an index. */
async function countRead(tx: Tx, table: string): Promise<Read> {
  const [read] = await tx.query<{ in_turn: bigint; by_index: bigint }>(
    sql`select seq_tup_read as in_turn, idx_tup_fetch as by_index
        from pg_stat_xact_user_tables where relid = ${table}::regclass`,
  );
  return { inTurn: Number(read?.in_turn ?? 0), byIndex: Number(read?.by_index ?? 0) };
}

/** What `work` comes to, and what it read of `table`. */
const watch = <T>(table: string, work: (tx: Tx) => Promise<T>): Promise<{ result: T } & Read> =>
  withTx(books.owner, async (tx) => {
    // As the connections of whoever asks plan: for any values, which keeps the plan still.
    await tx.query(sql`set local plan_cache_mode = force_generic_plan`);
    const before = await countRead(tx, table);
    const result = await work(tx);
    const after = await countRead(tx, table);
    return {
      result,
      inTurn: after.inTurn - before.inTurn,
      byIndex: after.byIndex - before.byIndex,
    };
  });

test('an e-invoice costs no more when thousands have come: new, sent again, refused and refused again', async () => {
  const waiting = times(1_500).map(() => received(randomBytes(40)));
  const refused = times(1_500).map(() => received(randomBytes(40), refusal));
  const [known, refusedOnce, refusedTwice] = [waiting[700], refused[700], refused[800]];
  if (!known || !refusedOnce || !refusedTwice) throw new Error('nothing was made');
  for (const all of [waiting, refused]) {
    for (const half of [all.slice(0, 750), all.slice(750)])
      await storeDocuments(db(books.owner), half);
  }
  await db(books.owner).query(sql`analyze intake.e_invoices`);

  const sent = [
    received(randomBytes(40)),
    received(known.raw ?? Buffer.of()),
    received(randomBytes(40), refusal),
    received(refusedTwice.raw ?? Buffer.of(), refusal),
    received(refusedOnce.raw ?? Buffer.of()),
  ];
  const { result, inTurn, byIndex } = await watch('intake.e_invoices', (tx) =>
    storeDocuments(tx, sent),
  );
  expect(result.map(({ is_new }) => is_new)).toEqual([true, false, false, false, true]);
  expect(inTurn).toBe(0);
  expect(byIndex).toBeLessThan(50);
});

test('the first page of a journal reads no more vouchers than it shows, of whatever days', async () => {
  const dates = times(3_000).map(
    (n) => `2026-${String(1 + Math.floor(n / 270)).padStart(2, '0')}-15`,
  );
  for (const some of [dates.slice(0, 1_500), dates.slice(1_500)]) {
    await post(
      books.owner,
      some.map((date) => ledgerVoucher({ date })),
    );
  }
  await db(books.owner).query(sql`analyze ledger.vouchers`);
  // Everything until today; a month in the middle, and its last page; until the last day there is.
  for (const [from, to, after, shown] of [
    ['2026-01-01', '2026-12-15', 0, 51],
    ['2026-06-01', '2026-06-30', undefined, 51],
    ['2026-06-01', '2026-06-30', 1_610, 10],
    ['2026-12-01', '2026-12-31', undefined, 30],
  ] as const) {
    const { result, inTurn, byIndex } = await watch('ledger.vouchers', async (tx) => {
      const begun = await listSeriesOf(tx, { from, to });
      const series = begun.map(({ id, number }) => ({ id, number: after ?? number }));
      return listVouchersRegistered(tx, { from, to }, series, 50);
    });
    expect(result).toHaveLength(shown);
    expect(inTurn).toBe(0);
    // By an index only what is shown is fetched; where a series ends and begins is in the index itself.
    expect(byIndex, `${from} to ${to}`).toBeLessThan(700);
  }
});

test('a page of a series is the same by whatever way it is read, and of a small one reads no more than it has', async () => {
  // Numbers do not follow days, and some have two rows on the account.
  const twice = [row(1930, 100), row(1930, 200), row(3001, -300)];
  const seldom = times(40).map((n) =>
    ledgerVoucher({
      series: 'S',
      date: `2026-${String(12 - (n % 12)).padStart(2, '0')}-10`,
      ...(n % 3 === 0 ? { rows: twice } : {}),
    }),
  );
  const often = times(60).map((n) =>
    ledgerVoucher({ date: `2026-12-${String(28 - (n % 28)).padStart(2, '0')}` }),
  );
  await post(books.owner, [...seldom, ...often]);
  await db(books.owner).query(sql`analyze`);
  const every = await db(books.owner).query<{ id: string; date: string; series: string }>(
    sql`select id, verification_date as date, series from ledger.vouchers order by verification_date, series, number`,
  );
  for (const serie of ['S', 'A']) {
    for (const konto of [undefined, 1930]) {
      for (const from of [undefined, '2026-06-10']) {
        const expected = every
          .filter(({ series, date }) => series === serie && date >= (from ?? ''))
          .map(({ id }) => id);
        const found: string[] = [];
        let place: VoucherPlace | undefined;
        for (let more = true; more; ) {
          const asked = { serie, konto, from, limit: 500 };
          const { result, inTurn, byIndex } = await watch('ledger.vouchers', (tx) =>
            listVouchers(tx, asked, place),
          );
          expect(inTurn).toBe(0);
          if (serie === 'S') expect(byIndex).toBeLessThan(300);
          found.push(...result.map(({ id }) => id));
          place = result.at(-1);
          more = result.at(-1)?.has_more ?? false;
        }
        expect(found, `${serie} ${konto} ${from}`).toEqual(expected);
      }
    }
  }
});

test('where the next invoice of a supplier goes is told by its latest alone, of all that it has sent', async () => {
  const [supplier] = await db(books.owner).query<{ id: string }>(
    sql`insert into purchases.suppliers (id, name, created_by) values (${uuid()}, 'Ständiga Leveranser AB', 'test')
        returning id`,
  );
  if (!supplier) throw new Error('there is no supplier');
  const invoices = times(2_000).map((n) => ({ id: uuid(), account: n === 1_999 ? 5410 : 4010 }));
  const ids = invoices.map(({ id }) => id);
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`insert into purchases.invoices (id, is_by_hand, status, kind, supplier_id, seller, invoice_number,
        issue_date, due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore, payment, warnings,
        is_prepayment, prepayment_ids, written, written_by)
      select i.id, true, 'new', 'invoice', ${supplier.id}::uuid, '{"name":"Ständiga Leveranser AB"}', 'F' || i.n,
        '2026-03-01', '2026-03-31', 'SEK', 10000, 2500, 0, 0, 12500, '{"accounts":[]}', '[]', false, '{}', '{}', 'test'
      from unnest(${ids}::uuid[]) with ordinality as i (id, n)`);
    await tx.query(sql`insert into purchases.invoice_rows (invoice_id, row_no, account, debit_ore, credit_ore)
      select i.id, r.row_no, coalesce(r.account, i.account), r.debit, r.credit
      from unnest(${ids}::uuid[], ${invoices.map(({ account }) => account)}::integer[]) as i (id, account)
      cross join (values (1, null, 10000, 0), (2, 2641, 2500, 0), (3, 2440, 0, 12500)) as r (row_no, account, debit, credit)`);
  });
  await db(
    books.owner,
  ).query(sql`update purchases.invoices i set status = 'booked', booking_date = '2026-03-02',
      decided_at = timestamptz '2026-03-02' + n.n * interval '1 minute', decided_by = 'test'
    from unnest(${ids}::uuid[]) with ordinality as n (id, n) where n.id = i.id`);
  await db(books.owner).query(sql`analyze purchases.invoices, purchases.invoice_rows`);
  const { result, inTurn, byIndex } = await watch('purchases.invoice_rows', (tx) =>
    findSupplierCoding(tx, supplier.id),
  );
  expect(result?.account?.number).toBe(5410);
  expect(inTurn).toBe(0);
  expect(byIndex).toBeLessThan(20);
});

test('the buyers of a batch of orders are looked for one by one, in a register of any size', async () => {
  await db(books.owner).query(
    sql`insert into sales.customers (id, name, email)
        select gen_random_uuid(), 'Kund ' || n || ' AB', 'kund' || n || '@kunder.example' from generate_series(1, 4000) as n`,
  );
  await db(books.owner).query(sql`analyze sales.customers`);
  const keys = { externalIds: [], organizationNumbers: [], vatNumbers: ['SE559999000801'] };
  const { result, inTurn, byIndex } = await watch('sales.customers', (tx) =>
    listCandidates(tx, { ...keys, names: ['kund 7 ab'], emails: ['kund3999@kunder.example'] }),
  );
  expect(result.map(({ name }) => name).toSorted()).toEqual(['Kund 3999 AB', 'Kund 7 AB']);
  expect(inTurn).toBe(0);
  expect(byIndex).toBeLessThan(10);
});

test('all rows of a bank account are changed as fast after one alone was as before, not each held against all others', async () => {
  const account = await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930, iban: testIban }, 'test'),
  );
  await db(books.owner).query(
    sql`insert into bank.transactions (id, account_id, reference, booked_on, amount_ore, description)
        select gen_random_uuid(), ${account.id}::uuid, 'r' || n, '2026-03-01', 100 + n, 'Rad' from generate_series(1, 6000) as n`,
  );
  const touch = (tx: Tx, rows: number) =>
    tx.query(sql`update bank.transactions set updated_at = updated_at
      where id = any (array(select id from bank.transactions limit ${rows}))`);
  /** In a session of its own, which keeps the plans of what it did first. */
  const msOf = async (before: (tx: Tx) => Promise<unknown>): Promise<number> => {
    const pool = createPool({ url: books.url, max: 1, applicationName: 'test' });
    try {
      return await withTx(pool, async (tx) => {
        await before(tx);
        const started = performance.now();
        await touch(tx, 6000);
        return performance.now() - started;
      });
    } finally {
      await pool.end();
    }
  };
  const first = await msOf(async () => undefined);
  const afterOne = await msOf((tx) => touch(tx, 1));
  // Each held against all others is some twenty times as long.
  expect(afterOne / first).toBeLessThan(8);
});

test('the overview reads what is dated in a coming month alone, not all costs there are', async () => {
  const cost = (date: string) =>
    ledgerVoucher({
      date,
      counterparty: 'Hyresvärden AB',
      rows: [row(5010, 100), row(1930, -100)],
    });
  for (const _ of times(3))
    await post(
      books.owner,
      times(1_000).map(() => cost('2026-03-15')),
    );
  await post(books.owner, [cost('2026-12-31')]);
  await db(books.owner).query(sql`analyze ledger.vouchers, ledger.voucher_rows`);
  const { result, inTurn, byIndex } = await watch('ledger.voucher_rows', (tx) =>
    getOverviewFigures(tx, 50, '2026-11-30'),
  );
  expect(result.suppliers).toEqual([{ name: 'Hyresvärden AB', ore: 300_000 }]);
  expect(inTurn).toBe(0);
  expect(byIndex).toBeLessThan(100);
});

test('what was owed at the end of a day is told by what has happened since, not by every invoice', async () => {
  for (const _ of times(10))
    await book(
      await makeDrafts(
        books.owner,
        times(200).map(() => 1n),
      ),
    );
  // As if each had been paid: what is open is read however many it is of.
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`alter table sales.invoices disable trigger user`);
    await tx.query(sql`update sales.invoices set open_ore = 0`);
    await tx.query(sql`alter table sales.invoices enable trigger user`);
  });
  await book(await makeDrafts(books.owner, [100n, 200n]));
  await book(await makeDrafts(books.owner, [400n], '2026-12-20'));
  await db(books.owner).query(sql`analyze ledger.vouchers, sales.invoices`);
  const { result, inTurn, byIndex } = await watch('sales.invoices', (tx) =>
    listOpenItems(tx, 'receivables', '2026-12-15', { place: undefined, limit: 50 }),
  );
  expect(result.map(({ open_ore }) => open_ore).sort()).toEqual([12_500n, 25_000n]);
  expect(inTurn).toBe(0);
  expect(byIndex).toBeLessThan(100);
});
