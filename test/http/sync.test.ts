/**
 * A copy that the guide's own program keeps (examples/typescript/sync.ts): whatever is done to the books, in any order, it
 * is afterwards what the books are, and no call was made for a single thing.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTransaction, createBankAccount, removeTransaction } from '#src/bank/service.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { dismissTillReports } from '#src/intake/till-reports/inbox.ts';
import { receivedTillReport } from '#src/intake/till-reports/received.ts';
import { judgeTillReports } from '#src/intake/till-reports/service.ts';
import { keepTillReport } from '#src/intake/till-reports/store.ts';
import { AppError } from '#src/lib/errors.ts';
import { writeInvoice } from '#src/purchases/by-hand/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { bookPurchases, rejectPurchase } from '#src/purchases/inbox/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { removeDraft } from '#src/sales/invoices/drafts.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { ledgerVoucher, post } from '../database/books.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { until } from '../support/processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const actor = 'test';
let books: Installation;
let url: string;
let folder: string;
let bankAccount: string;
let reader: string;
beforeAll(async () => {
  books = await createInstallation();
  url = await books.app.listen({ port: 0, host: '127.0.0.1' });
  const account = { name: 'Företagskonto', ledgerAccount: 1930 };
  bankAccount = (await owner((tx) => createBankAccount(tx, account, actor))).id;
  reader = (await books.makeKey(['data:read', 'bank:read'])).key;
  folder = await mkdtemp(join(tmpdir(), 'huvudbok-sync-'));
});
afterAll(async () => {
  await books.close();
  await rm(folder, { recursive: true });
});

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Deed = (tx: Tx, random: () => number) => Promise<unknown>;

/** Done to one that fits, at random; nothing when there is none. */
const on =
  (
    table: string,
    where: string,
    work: (tx: Tx, key: string, random: () => number) => Promise<unknown>,
  ): Deed =>
  async (tx, random) => {
    const key = /accounts|articles/.test(table) ? 'number' : 'id';
    const { rows } = await books.owner.query<{ key: string }>(
      `select ${key}::text as key from ${table} where ${where} order by 1`,
    );
    const found = rows[Math.floor(random() * rows.length)]?.key;
    if (found !== undefined) await work(tx, found, random);
  };
const word = (random: () => number) => `Namn ${Math.floor(random() * 1_000_000)}`;
const line = (account: number, ore: bigint) => ({
  ...{ account, ore, vatCode: 'I25', deduction: wholeDeduction },
  ...{ note: null, costCenter: null, project: null },
});

/** Everything that people do to what a key reads; what was used stays, by the database. */
const deeds: Readonly<Record<string, Deed>> = {
  'a customer comes': (tx, random) =>
    tx.query(
      sql`insert into sales.customers (id, name) values (gen_random_uuid(), ${word(random)})`,
    ),
  'a customer changes': on('sales.customers', 'true', (tx, id, random) =>
    tx.query(sql`update sales.customers set name = ${word(random)} where id = ${id}::uuid`),
  ),
  'a customer goes': on('sales.customers', "name like 'Namn%'", (tx, id) =>
    tx.query(sql`delete from sales.customers where id = ${id}::uuid`),
  ),
  'a supplier comes': (tx, random) =>
    tx.query(sql`insert into purchases.suppliers (id, name, created_by)
      values (gen_random_uuid(), ${word(random)}, 'test')`),
  'a supplier goes': on('purchases.suppliers', 'true', (tx, id) =>
    tx.query(sql`delete from purchases.suppliers where id = ${id}::uuid`),
  ),
  // Few numbers, so that one that went is taken again.
  'an article comes': (tx, random) =>
    tx.query(sql`insert into sales.articles (number, description, supply)
      values (${`A${Math.floor(random() * 5)}`}, ${word(random)}, 'goods') on conflict do nothing`),
  'an article is numbered anew': on('sales.articles', 'true', (tx, number, random) =>
    tx.query(sql`update sales.articles set number = ${`B${Math.floor(random() * 5)}`} where number = ${number}
      and not exists (select from sales.articles where number = ${`B${Math.floor(random() * 5)}`})`),
  ),
  'an article goes': on('sales.articles', 'true', (tx, number) =>
    tx.query(sql`delete from sales.articles where number = ${number}`),
  ),
  'an account comes': (tx, random) =>
    tx.query(sql`insert into ledger.accounts (number, name, type)
      values (${5900 + Math.floor(random() * 5)}, ${word(random)}, 'cost') on conflict do nothing`),
  'an account changes': on('ledger.accounts', 'true', (tx, number, random) =>
    tx.query(
      sql`update ledger.accounts set name = ${word(random)} where number = ${number}::integer`,
    ),
  ),
  'an account goes': on('ledger.accounts', 'number between 5900 and 5904', (tx, number) =>
    tx.query(sql`delete from ledger.accounts where number = ${number}::integer`),
  ),
  'a dimension comes': (tx, random) =>
    tx.query(sql`insert into ledger.dimensions (id, kind, code, name)
      values (gen_random_uuid(), 'project', ${String(Math.floor(random() * 1_000_000))}, ${word(random)})`),
  'a dimension goes': on('ledger.dimensions', 'true', (tx, id) =>
    tx.query(sql`delete from ledger.dimensions where id = ${id}::uuid`),
  ),
  'a series comes': (tx, random) =>
    tx.query(sql`insert into ledger.series (id, fiscal_year_id, code, name)
      select gen_random_uuid(), y.id, ${'XYZ'.charAt(Math.floor(random() * 3))}, 'Serie' from ledger.fiscal_years y
      order by y.year desc limit 1 on conflict do nothing`),
  'a series goes': on('ledger.series', "code in ('X', 'Y', 'Z')", (tx, id) =>
    tx.query(sql`delete from ledger.series where id = ${id}::uuid`),
  ),
  'a row of the bank comes': async (tx, random) => {
    const row = { accountId: bankAccount, bookedOn: TODAY, amountOre: 100n };
    await addTransaction(tx, { ...row, description: word(random) }, actor);
  },
  'a row of the bank goes': on('bank.transactions', 'voucher_id is null', (tx, id) =>
    removeTransaction(tx, id, actor),
  ),
  'a row of the bank gets its voucher': on('bank.transactions', 'voucher_id is null', (tx, id) =>
    tx.query(sql`update bank.transactions t set voucher_id = v.id, matched_at = now(), matched_by = 'test'
      from (select v.id from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
        where r.account = 1930 and r.debit_ore >= 100
          and not exists (select from bank.transactions m where m.voucher_id = v.id) limit 1) as v
      where t.id = ${id}::uuid`),
  ),
  'a row of the bank loses its voucher': on(
    'bank.transactions',
    'voucher_id is not null',
    (tx, id) =>
      tx.query(sql`update bank.transactions set voucher_id = null, matched_at = null, matched_by = null
      where id = ${id}::uuid`),
  ),
  'a bank account has another IBAN': (tx, random) =>
    tx.query(sql`update bank.accounts set iban = ${random() < 0.5 ? null : 'SE4550000000058398257466'}
      where id = ${bankAccount}::uuid`),
  'a draft goes': on('sales.invoices', "status = 'draft'", (tx, id) => removeDraft(tx, id, actor)),
  'a draft is booked': on('sales.invoices', "status = 'draft'", (tx, id) =>
    bookInvoices(tx, [id], actor),
  ),
  'an invoice is paid in part': on('sales.invoices', 'open_ore > 100', (tx, invoiceId) =>
    registerPayment(tx, { today: TODAY, invoiceId, date: TODAY, amountOre: 100n }, actor),
  ),
  'an invoice is credited': on(
    'sales.invoices',
    "status = 'booked' and kind = 'invoice'",
    (tx, id) => creditInvoice(tx, { invoiceId: id, date: TODAY }, actor),
  ),
  'a purchase comes': on('purchases.suppliers', 'true', (tx, supplierId) =>
    writeInvoice(
      tx,
      null,
      {
        ...{ kind: 'invoice' as const, supplierId, invoiceNumber: randomUUID(), payTo: null },
        ...{ issueDate: '2026-03-10', dueDate: null, reference: null, documentIds: [] },
        ...{ totalOre: 12_500n, vatOre: null, isVatIncluded: false, lines: [line(6110, 10_000n)] },
      },
      actor,
    ),
  ),
  'a purchase is booked': on('purchases.invoices', "status in ('new', 'review')", (tx, id) =>
    bookPurchases(tx, [id], actor),
  ),
  'a purchase is rejected': on('purchases.invoices', "status in ('new', 'review')", (tx, id) =>
    rejectPurchase(tx, id, 'Fel', actor),
  ),
  'a purchase is paid in part': on('purchases.invoices', 'open_ore > 100', (tx, purchaseId) =>
    payPurchase(tx, { today: TODAY, purchaseId, date: TODAY, amountOre: 100n }, actor),
  ),
  'a till reports': (tx, random) => {
    const amount = Math.floor(random() * 1_000);
    const body = {
      ...{ tillId: 'K', zNumber: Math.floor(random() * 20), date: TODAY },
      sales: [{ vatRate: 25, amount }],
      payments: [{ method: random() < 0.5 ? 'cash' : 'cheque', amount }],
    };
    return keepTillReport(tx, receivedTillReport(Buffer.from(JSON.stringify(body)), body));
  },
  'a till report is judged': on('intake.till_reports', "status = 'received'", (tx, id) =>
    judgeTillReports(tx, [id], { today: TODAY, actor }),
  ),
  'a till report is put aside': on('intake.till_reports', "status = 'stopped'", (tx, id) =>
    dismissTillReports(tx, [id], 'Fel', actor),
  ),
};

async function work(count: number, random: () => number): Promise<void> {
  const names = Object.keys(deeds);
  for (let n = 0; n < count; n += 1) {
    const name = names[Math.floor(random() * names.length)] ?? '';
    if (n % 10 === 0) await makeDrafts(books.owner, [10n]);
    await owner(async (tx) => deeds[name]?.(tx, random)).catch((error) => {
      // What is used stays, and what has been settled is not settled again.
      const isRefused =
        error instanceof AppError || /^(HB|23)/.test(error.code ?? error.cause?.code ?? '');
      if (!isRefused) throw new Error(`${name}: ${error}`, { cause: error });
    });
  }
  await post(
    books.owner,
    Array.from({ length: count }, () => ledgerVoucher()),
  );
}

/** Nothing older goes on anywhere on the server, so all that has happened is told. */
async function settled(): Promise<void> {
  await until(async () => {
    const [waits] = await db(books.owner).query<{ waits: boolean }>(sql`select exists (
      select from events.outbox o where o.xid >= pg_snapshot_xmin(pg_current_snapshot())) as waits`);
    return waits?.waits === false;
  });
}

/** How many calls it took to bring the copy up to date. */
async function keep(file: string, { id, key }: { id: string; key: string }): Promise<number> {
  const used = async () => {
    const [window] = await db(books.owner).query<{ used: bigint }>(
      sql`select used from restricted.key_windows where key_id = ${id}::uuid`,
    );
    return Number(window?.used ?? 0n);
  };
  const before = await used();
  await run(process.execPath, ['examples/typescript/sync.ts', file], {
    cwd: root,
    env: { PATH: process.env['PATH'], HUVUDBOK_URL: url, HUVUDBOK_KEY: key },
  });
  return (await used()) - before;
}

const lists = {
  konton: ['number', 'ledger.accounts'],
  dimensioner: ['id', 'ledger.dimensions'],
  artiklar: ['number', 'sales.articles'],
  kunder: ['id', 'sales.customers'],
  leverantorer: ['id', 'purchases.suppliers'],
  kundfakturor: ['id', 'sales.invoices'],
  inkop: ['id', 'purchases.invoices'],
  dagskassor: ['id', 'intake.till_reports'],
  banktransaktioner: ['id', 'bank.transactions'],
  serier: ['id', 'ledger.series'],
  rakenskapsar: ['id', 'ledger.fiscal_years'],
} as const;

async function expectSame(file: string): Promise<void> {
  const copy = new DatabaseSync(file);
  for (const [list, [key, table]] of Object.entries(lists)) {
    const told = new Map<string, unknown>();
    for (let cursor = ''; ; ) {
      const answer = await books.call({ url: `/api/v1/${list}?limit=200${cursor}`, key: reader });
      const page = answer.json();
      for (const one of page.data) told.set(String(one[key]), one);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    const { rows } = await books.owner.query(`select count(*)::integer as count from ${table}`);
    expect([list, told.size]).toEqual([list, rows[0].count]);
    const kept = copy.prepare('select id, content from record where list = ?').all(list);
    expect([
      list,
      new Map(kept.map((one) => [one['id'], JSON.parse(String(one['content']))])),
    ]).toEqual([list, told]);
  }
  const { rows: vouchers } = await books.owner.query(
    `select v.id::text, v.series, v.number, count(*)::integer as rows, sum(r.debit_ore)::integer as ore
     from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id group by v.id order by v.id`,
  );
  expect(
    copy
      .prepare(
        `select v.id, v.series, v.number, count(*) as rows, sum(r.debit_ore) as ore
         from voucher v join voucher_row r on r.voucher_id = v.id group by v.id order by v.id`,
      )
      .all()
      .map((one) => ({ ...one })),
  ).toEqual(vouchers);
  copy.close();
}

test('what a long transaction changed comes once it ends, though later changes came before it', async () => {
  const file = join(folder, 'long.sqlite');
  const key = await books.makeKey(['data:read', 'bank:read']);
  const add = (tx: Tx, name: string) =>
    tx.query(sql`insert into sales.customers (id, name) values (gen_random_uuid(), ${name})`);
  const later = async (n: number) => {
    await owner((tx) => add(tx, `Later ${n}`));
    await makeDrafts(books.owner, [10n]);
  };
  await owner((tx) => add(tx, 'Before'));
  await makeDrafts(books.owner, [10n]);
  await settled();
  await keep(file, key);
  const start = await sinceTold();
  let told = '';
  await owner(async (long) => {
    // It has begun, and writes later: its changes are not of when it began.
    await later(9);
    await add(long, 'Long');
    await long.query(
      sql`update sales.customers set name = 'Before, renamed' where name = 'Before'`,
    );
    for (let round = 0; round < 3; round += 1) {
      await later(round);
      await keep(file, key);
    }
    // It stands still for as long as something is open.
    told = await sinceTold();
    const [row] = await long.query<{ is_safe: boolean }>(
      sql`select min(updated_at) > ${told}::timestamptz + interval '1 minute' as is_safe
        from sales.customers where name in ('Long', 'Before, renamed')`,
    );
    expect(row?.is_safe).toBe(true);
  });
  await settled();
  expect(Date.parse(told)).toBeGreaterThanOrEqual(Date.parse(start));
  await keep(file, key);
  await expectSame(file);
  await later(4);
  await settled();
  expect(Date.parse(await sinceTold())).toBeGreaterThan(Date.parse(told));
});

async function sinceTold(): Promise<string> {
  return (await books.call({ url: '/api/v1/handelser?from=now' })).json().updated_since;
}

test('after any work the copy is what the books are, for a handful of calls', async () => {
  const file = join(folder, 'copy.sqlite');
  const key = await books.makeKey(['data:read', 'bank:read']);
  const random = randomOf(20_260_331);
  await work(60, random);
  await settled();
  await keep(file, key);
  await expectSame(file);
  for (let round = 0; round < 2; round += 1) {
    await work(150, random);
    await settled();
    const { rows } = await books.owner.query(
      `select count(*)::integer as count from events.outbox where type = 'record.removed'`,
    );
    expect(rows[0].count).toBeGreaterThan(10);
    const calls = await keep(file, key);
    // 150 deeds and as many vouchers: two pages of events, two or three of vouchers, and each list once or twice.
    expect(calls).toBeLessThan(30);
    await expectSame(file);
  }
});
