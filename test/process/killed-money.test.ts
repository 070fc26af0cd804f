/** kill -9 in the middle of what books money: nothing half done is left, and whoever does it again does all of it, once. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { bookExact } from '#src/bank/matching/service.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { connect, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { keepDocument } from '#src/ledger/documents/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { writeInvoice } from '#src/purchases/by-hand/service.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createRecurring, type WrittenRecurring } from '#src/sales/recurring/service.ts';
import { camt053, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { runCommand } from '../support/command.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';
import { compiled, entry, onDay } from '../support/program.ts';
import { Running } from './running.ts';

const ACTOR = 'test';
let books: Books;
beforeEach(async () => {
  books = await createBooks();
  await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban }, ACTOR),
  );
});
afterEach(() => books.close());

const mail = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'vi@exempel.se' };
const environment = (day = TODAY): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
  ...{ ...compiled, ...mail, ...onDay(day), DATABASE_URL: books.url },
});

const command = (day: string, ...words: string[]) =>
  runCommand(books, words, { env: mail, today: day });

type Dying = 'process' | 'connection';

/**
 * Kills whoever adds to the table in the middle of a transaction, as soon as `isTime` (SQL), and waits until it is gone.
 * To the books a process that dies is a connection that does, so only some die as processes.
 */
async function killAt(
  table: string,
  words: readonly string[],
  {
    day = TODAY,
    isTime = 'true',
    dies = 'connection',
  }: { readonly day?: string; readonly isTime?: string; readonly dies?: Dying } = {},
): Promise<void> {
  const holder = await connect(books.url, 'holder');
  onTestFinished(() => holder.end());
  await holder.query('select pg_advisory_lock(4711)');
  await books.owner.query(`create function wait_for_test() returns trigger language plpgsql as $$
    begin
      if ${isTime} then perform pg_advisory_xact_lock_shared(4711); end if;
      return null;
    end $$;
    create trigger wait_for_test after insert on ${table} for each statement execute function wait_for_test()`);
  const running =
    dies === 'process' ? new Running(entry, words, environment(day)) : command(day, ...words);
  const isWaiting = async () =>
    (
      await db(
        books.owner,
      ).query(sql`select from pg_locks where locktype = 'advisory' and not granted
        and objid = 4711 and database = (select oid from pg_database where datname = current_database())`)
    ).length > 0;
  await expect.poll(isWaiting, { timeout: 110_000 }).toBe(true);
  if (running instanceof Running) await running.kill('SIGKILL');
  else {
    await books.owner.query(`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and not granted and objid = 4711
        and database = (select oid from pg_database where datname = current_database())`);
    expect((await running).code).not.toBe(0);
  }
  await holder.query('select pg_advisory_unlock(4711)');
  const others = async () =>
    (
      await db(books.owner).query<{
        count: number;
      }>(sql`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and application_name like 'huvudbok%'`)
    )[0]?.count;
  await expect.poll(others, { timeout: 110_000 }).toBe(0);
  await books.owner.query(`drop trigger wait_for_test on ${table}; drop function wait_for_test()`);
}

const problems = async () => (await verifyBooks(db(books.owner), () => undefined)).problems;
const counts = (...tables: string[]): Promise<number[]> =>
  Promise.all(
    tables.map(async (table) => {
      const { rows } = await books.owner.query(`select count(*)::integer as count from ${table}`);
      return rows[0].count;
    }),
  );

test.each(['ledger.vouchers', 'audit.events'])(
  'a settlement whose booking dies as it writes %s is not there, and sent again it is booked once',
  async (table) => {
    const folder = await mkdtemp(join(tmpdir(), 'huvudbok-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'avrakning.json');
    await writeFile(
      file,
      JSON.stringify({
        ...{ provider: 'Kortbolaget', settlementId: 'AVR-1', date: '2026-03-31', payout: 9675 },
        lines: [
          { kind: 'sale', amount: 10_500 },
          { kind: 'refund', amount: -500 },
          { kind: 'fee', amount: -260 },
          { kind: 'fee_vat', amount: -65 },
        ],
      }),
    );
    const add = ['bank', 'settlement', 'add', file];
    const written = ['bank.provider_settlements', 'ledger.vouchers', 'ledger.attachments'];
    await killAt(table, add, { dies: table === 'ledger.vouchers' ? 'process' : 'connection' });
    expect(await counts(...written)).toEqual([0, 0, 0]);
    expect(await problems()).toEqual([]);
    expect(await command(TODAY, ...add)).toMatchObject({ code: 0 });
    expect(await command(TODAY, ...add)).toMatchObject({ code: 0 });
    expect(await counts(...written)).toEqual([1, 1, 1]);
    expect(await problems()).toEqual([]);
  },
);

test.each(['ledger.vouchers', 'ledger.attachments'])(
  "a till's report whose booking dies as it writes %s is not there, and read in again it is booked once",
  async (table) => {
    const folder = await mkdtemp(join(tmpdir(), 'huvudbok-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'z412.json');
    const report = {
      ...{ tillId: 'KASSA-1', zNumber: 412, date: '2026-03-31' },
      sales: [{ vatRate: 25, amount: 125 }],
      payments: [{ method: 'cash', amount: 125 }],
    };
    await writeFile(file, JSON.stringify(report));
    const add = ['till-report', 'add', file];
    const written = ['intake.till_reports', 'ledger.vouchers', 'ledger.attachments'];
    await killAt(table, add);
    expect(await counts(...written)).toEqual([0, 0, 0]);
    expect(await problems()).toEqual([]);
    expect(await command(TODAY, ...add)).toMatchObject({ code: 0 });
    expect(await command(TODAY, ...add)).toMatchObject({ code: 0 });
    expect(await counts(...written)).toEqual([1, 1, 1]);
    expect(await problems()).toEqual([]);
  },
);

// All is tried before it is done: the first half of what is written is taken back whatever happens.
test.each([
  ['tried', 'ledger.vouchers', 'true'],
  ['done', 'ledger.attachments', "nextval('public.times_for_test') = 2"],
])(
  'a proposal whose approval dies as it is %s still waits, and approved again becomes one voucher',
  async (_, table, isTime) => {
    const { key } = await books.makeKey(['data:read', 'proposals:write']);
    const id = await withTx(books.owner, async (tx) => {
      const document = await keepDocument(
        tx,
        { fileName: 'a.txt', bytes: Buffer.from('a') },
        ACTOR,
      );
      const payload = {
        ...{ seriesCode: 'A', date: TODAY, description: 'Kaffe', documentIds: [document.id] },
        rows: [
          { account: 6110, debit: 100, credit: 0 },
          { account: 1930, debit: 0, credit: 100 },
        ],
      };
      const [made] = await tx.query<{
        id: string;
        outcome: string;
      }>(sql`select outcome, id from api.propose(
        ${hashOfSecret(key)}, 'proposal-1', ${hashOfSecret('x')}, gen_random_uuid(), gen_random_uuid(), 'voucher',
        ${JSON.stringify(payload)}::jsonb, null)`);
      expect(made?.outcome).toBe('proposed');
      return made?.id ?? '';
    });
    const standing = async () => {
      const [found] = await db(books.owner).query<object>(sql`select p.status, p.result_id,
          (select count(*)::integer from ledger.vouchers) as vouchers,
          (select count(*)::integer from ledger.attachments) as documents,
          (select count(*)::integer from events.outbox where type = 'proposal.decided') as told
        from proposals.proposals p where p.id = ${id}::uuid`);
      return found;
    };
    const approve = ['proposal', 'approve', id];
    await books.owner.query('create sequence public.times_for_test');
    await killAt(table, approve, { isTime });
    await books.owner.query('drop sequence public.times_for_test');
    expect(await standing()).toEqual({
      status: 'open',
      result_id: null,
      vouchers: 0,
      documents: 0,
      told: 0,
    });
    expect(await command(TODAY, ...approve)).toMatchObject({ code: 0 });
    await command(TODAY, ...approve);
    const done = {
      status: 'approved',
      result_id: expect.any(String),
      vouchers: 1,
      documents: 1,
      told: 1,
    };
    expect(await standing()).toEqual(done);
    expect(await problems()).toEqual([]);
  },
);

test('a run of reminders that dies as it ends has reminded of nothing, and the next reminds of all once', async () => {
  await fillInCompany(books.owner);
  const ids = await makeDrafts(books.owner, [1000n, 2000n, 3000n]);
  const settings: [Parameters<typeof changeSetting>[1], string][] = [
    ['reminder-runs', 'on'],
    ['reminder-run-fees', 'on'],
    ['reminder-fees', 'on'],
    ['reminder-bank-days', ''],
  ];
  await withTx(books.owner, async (tx) => {
    for (const [name, value] of settings) await changeSetting(tx, name, value, ACTOR);
    const { id } = await insertCustomer(tx, { name: 'Kunden AB', email: 'kund@exempel.se' });
    await tx.query(sql`update sales.invoices set customer_id = ${id}`);
    await bookInvoices(tx, ids, ACTOR);
  });
  const written = ['sales.reminders', 'sales.mails', 'sales.reminder_runs', 'ledger.vouchers'];
  const day = '2026-04-10';
  await killAt('sales.run_reminders', ['reminders', 'run'], { day });
  expect(await counts(...written)).toEqual([0, 0, 0, 3]);
  expect(await problems()).toEqual([]);
  expect(await command(day, 'reminders', 'run')).toMatchObject({ code: 0 });
  await command(day, 'reminders', 'run');
  // A voucher for each invoice, and one for each fee.
  expect(await counts(...written)).toEqual([3, 3, 1, 6]);
  expect(await problems()).toEqual([]);
});

test('a payment file that dies as it is made, or as the bank’s answer is read, is made and answered once', async () => {
  await fillInCompany(books.owner);
  const lines = [
    {
      ...{ account: 4000, ore: null, vatCode: 'I25', deduction: wholeDeduction },
      ...{ note: null, costCenter: null, project: null },
    },
  ];
  await withTx(books.owner, async (tx) => {
    const supplier = {
      ...{ name: 'Granens Frakt AB', organizationNumber: null, vatNumber: null, endpoint: null },
      ...{ countryCode: 'SE', account: 4000, paymentDays: 10 },
      accounts: [{ kind: 'bankgiro' as const, number: '9912346' }],
    };
    const { id: supplierId } = await createSupplier(tx, supplier, ACTOR);
    for (const [invoiceNumber, totalOre] of [
      ['F1', 100_000n],
      ['F2', 50_000n],
    ] as const) {
      const dates = { issueDate: '2026-03-01', dueDate: '2026-03-31' };
      const amounts = { totalOre, vatOre: null, isVatIncluded: true, lines };
      const rest = { reference: null, payTo: null, documentIds: [], kind: 'invoice' as const };
      const written = { ...dates, ...amounts, ...rest, supplierId, invoiceNumber };
      await bookPurchases(tx, [await writeInvoice(tx, null, written, ACTOR)], ACTOR);
    }
  });
  const written = ['purchases.payment_files', 'purchases.payouts', 'purchases.payout_parts'];
  const create = ['payments', 'create', '--due', '2026-12-31'];
  await killAt('purchases.payout_parts', create, { dies: 'process' });
  expect(await counts(...written)).toEqual([0, 0, 0]);
  expect(await command(TODAY, ...create)).toMatchObject({ code: 0 });
  await command(TODAY, ...create);
  expect(await counts(...written)).toEqual([1, 2, 2]);
  const { rows: asked } = await books.owner.query(
    `select f.number, message_id, end_to_end_id from purchases.payouts p
      join purchases.payment_files f on f.id = p.file_id order by p.amount_ore`,
  );
  const sent = await command(TODAY, 'payments', 'sent', String(asked[0].number));
  expect(sent).toMatchObject({ code: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'svar.xml');
  await writeFile(
    file,
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>S</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${asked[0].message_id}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>X</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${asked[0].end_to_end_id}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`,
  );
  const refused = async () =>
    (await books.owner.query('select refusal from purchases.payouts order by amount_ore')).rows.map(
      ({ refusal }) => refusal,
    );
  await killAt('purchases.bank_answers', ['payments', 'answer', file]);
  expect([await refused(), await counts('purchases.bank_answers')]).toEqual([[null, null], [0]]);
  for (let time = 0; time < 2; time += 1) await command(TODAY, 'payments', 'answer', file);
  expect([await refused(), await counts('purchases.bank_answers')]).toEqual([
    [expect.stringContaining('AC01'), null],
    [1],
  ]);
  expect(await problems()).toEqual([]);
});

test.each(['ledger.vouchers', 'sales.mails'])(
  'invoices that recur, whose making dies as it writes %s, are made, booked and mailed once',
  async (table) => {
    await fillInCompany(books.owner);
    const day = '2026-03-31';
    const row = {
      ...{ articleNumber: null, description: 'Hyra {månad}', quantityE4: 10_000n, unit: null },
      ...{ unitPriceE4: 50_000_000n, discountE2: 0n, vatRate: 25 as const, account: null },
    };
    await withTx(books.owner, async (tx) => {
      const customer = { name: 'Kunden AB', email: 'kund@exempel.se' };
      const { id: customerId } = await insertCustomer(tx, customer);
      await tx.query(
        sql`update sales.customers set address = 'Gatan 1', postal_code = '111 22', city = 'Orten'`,
      );
      for (const paymentTermsDays of [10, 30]) {
        const rent: WrittenRecurring = {
          customerId,
          paymentTermsDays,
          becomes: 'mailed',
          rows: [row],
          recurrence: { anchor: day, unit: 'month', count: 1 },
          lastDate: null,
          isVatConfirmed: false,
          yourReference: null,
          notes: null,
        };
        await createRecurring(tx, rent, { today: day, actor: ACTOR });
      }
    });
    const written = ['sales.recurred_invoices', 'sales.invoices', 'ledger.vouchers', 'sales.mails'];
    const make = ['invoice', 'recurring', 'make'];
    // Each is of its own transaction: whoever only loses a connection goes on with the next.
    await killAt(table, make, { day, dies: 'process' });
    expect(new Set(await counts(...written)).size).toBe(1);
    for (const _ of [1, 2]) expect(await command(day, ...make)).toMatchObject({ code: 0 });
    expect(await counts(...written)).toEqual([2, 2, 2, 2]);
    expect(await problems()).toEqual([]);
  },
);

test('of rows that are booked by hundreds those before the kill are booked, the others not, and all once in the end', async () => {
  const count = 502;
  const ids = await makeDrafts(
    books.owner,
    Array.from({ length: count }, (_, n) => BigInt(n + 1)),
  );
  await withTx(books.owner, async (tx) => {
    await bookInvoices(tx, ids, ACTOR);
    await changeSetting(tx, 'bank-booking', 'on', ACTOR);
  });
  const invoices = await db(books.owner).query<{ ocr: string; ore: bigint }>(
    sql`select ocr, total_ore as ore from sales.invoices order by number`,
  );
  const entries = invoices.map(
    ({ ocr, ore }): TestEntry => ({
      ...{ day: '2026-04-10', ore: Number(ore), text: 'Bankgiroinbetalning' },
      details: [`<RmtInf><Strd><CdtrRefInf><Ref>${ocr}</Ref></CdtrRefInf></Strd></RmtInf>`],
    }),
  );
  const source = await fileOf(camt053({ entries }));
  await withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, [source], null, ACTOR);
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources: [source], choices, today: TODAY }, ACTOR);
  });
  const booked = async () => {
    const [found] = await db(books.owner).query<{
      rows: number;
      open: number;
      agrees: boolean;
    }>(sql`
      select (select count(*)::integer from bank.transactions where voucher_id is not null) as rows,
        (select count(*)::integer from sales.invoices where open_ore <> 0) as open,
        (select coalesce(sum(debit_ore - credit_ore), 0) from ledger.voucher_rows where account = 1930)
          = (select coalesce(sum(amount_ore), 0) from bank.transactions where voucher_id is not null)
        and (select sum(debit_ore - credit_ore) from ledger.voucher_rows where account = 1510)
          = (select sum(open_ore) from sales.invoices) as agrees`);
    return found;
  };
  await killAt('sales.payments', ['worker', 'upkeep'], {
    dies: 'process',
    isTime: 'exists (select from bank.transactions where voucher_id is not null)',
  });
  expect(await booked()).toEqual({ rows: 500, open: 2, agrees: true });
  expect(await problems()).toEqual([]);
  const by = { today: TODAY, actor: ACTOR };
  expect([await bookExact(books.owner, by), await bookExact(books.owner, by)]).toEqual([2, 0]);
  expect(await booked()).toEqual({ rows: count, open: 0, agrees: true });
  expect(await counts('sales.payments', 'ledger.vouchers')).toEqual([count, 2 * count]);
  expect(await problems()).toEqual([]);
});
