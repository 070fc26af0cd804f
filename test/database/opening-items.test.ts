/** What was open when the books began, taken over invoice by invoice, and what can happen to it after. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import {
  type OpeningLine,
  type OpeningSide,
  readOpeningItems,
} from '#src/domain/sales/opening-items.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { setFirstBalances } from '#src/ledger/fiscal-years/opening-balances.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { exportCase } from '#src/sales/collection/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { readOpeningLines } from '#src/sales/opening-items/csv.ts';
import { getOpeningStanding, giveUp, takeOver } from '#src/sales/opening-items/service.ts';
import { listOpeningItems } from '#src/sales/opening-items/store.ts';
import { type Books, createBooks, voucherBody } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { startApp } from '../support/processes.ts';

let books: Books;
beforeEach(async () => {
  books = await createBooks();
  // 1510: 1 875,00; 2440: 800,00 less a credit of 100,00.
  const balances = [
    { account: 1510, balanceOre: 187_500n },
    { account: 1930, balanceOre: 100_000n },
    { account: 2440, balanceOre: -70_000n },
    { account: 2081, balanceOre: -217_500n },
  ];
  await withTx(books.owner, (tx) =>
    setFirstBalances(tx, { year: 2026, series: 'A', balances }, ACTOR),
  );
});
afterEach(() => books.close());

const ACTOR = 'test';
const today = '2026-11-20';
const take = async (side: OpeningSide, text: string) => {
  const lines = await readOpeningLines(text);
  return withTx(books.owner, (tx) => takeOver(tx, side, lines, ACTOR));
};
const itemsOf = (side: OpeningSide) => listOpeningItems(db(books.owner), side);
const one = async <Row extends object>(statement: ReturnType<typeof sql>) => {
  const [row] = await db(books.owner).query<Row>(statement);
  if (!row) throw new Error('no row');
  return row;
};
const failing = async () =>
  (
    await one<{ names: string[] }>(
      sql`select ledger.failing_conditions('2026-01-01', 'Europe/Stockholm') as names`,
    )
  ).names;
const problemsOf = async () => (await verifyBooks(db(books.owner), () => undefined)).problems;
const balance = async (account: number) =>
  (
    await one<{ ore: bigint }>(sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore
      from ledger.voucher_rows where account = ${account}`)
  ).ore;

const customers = [
  'fakturanummer;namn;organisationsnummer;fakturadatum;förfallodatum;belopp;kvar;ocr;konto',
  '5123;Kunden AB;556036-0793;2025-11-05;2025-12-05;1 250,00;;;3001',
  '5130;Anna Andersson;;2025-12-20;2026-01-19;1000;625,00;5130000;3002',
].join('\n');
const suppliers = [
  'F-77\tLeverantören AB\t556702-6934\t2025-12-01\t2025-12-31\t1000,00\t800,00\t123',
  'K-1\tLeverantören AB\t556702-6934\t2025-12-02\t2025-12-31\t-100,00',
].join('\n');

describe('customers', () => {
  test('claims are taken over without a voucher, agree with 1510, and are no sale', async () => {
    const vouchers = sql`select count(*)::integer as count from ledger.vouchers`;
    const before = await one<{ count: number }>(vouchers);
    const after = await take('customers', customers);
    expect(after).toMatchObject({ balanceOre: 187_500n, itemsOre: 187_500n, differenceOre: 0n });
    expect(await one(vouchers)).toEqual(before);
    expect(await itemsOf('customers')).toMatchObject([
      { number: '5123', party: 'Kunden AB', total_ore: 125_000n, open_ore: 125_000n },
      { number: '5130', party: 'Anna Andersson', total_ore: 100_000n, open_ore: 62_500n },
    ]);
    expect(
      await one(sql`select ocr, status, net_ore, vat_ore, debtor ->> 'name' as name
        from sales.invoices where number = 5130`),
    ).toEqual({
      ocr: '5130000',
      status: 'booked',
      net_ore: 55_804n,
      vat_ore: 6_696n,
      name: 'Anna Andersson',
    });
    expect(
      await one(sql`select (select open_ore from sales.receivables) as receivables,
      (select count(*)::integer from sales.customer_revenues) as sales,
      (select count(*)::integer from sales.day_invoices) as days`),
    ).toEqual({
      receivables: 187_500n,
      sales: 0,
      days: 0,
    });
    expect(await problemsOf()).toEqual([]);
    expect(await failing()).not.toContain('kundreskontra');
  });

  test('a month end fails as long as they do not agree', async () => {
    await take('customers', customers.split('\n').slice(0, 2).join('\n'));
    expect(await failing()).toContain('kundreskontra');
    const standing = await getOpeningStanding(db(books.owner), 'customers');
    expect(standing.differenceOre).toBe(62_500n);
    await take('customers', customers.split('\n').slice(2).join('\n'));
    expect(await failing()).not.toContain('kundreskontra');
  });

  test('can be paid, credited with the VAT of their account, and collected', async () => {
    await take('customers', customers);
    const [first, second] = await itemsOf('customers');
    const paid = await withTx(books.owner, (tx) =>
      registerPayment(
        tx,
        { invoiceId: first?.id ?? '', date: '2026-02-01', today, amountOre: 25_000n },
        ACTOR,
      ),
    );
    expect(paid).toMatchObject({ status: 'booked', openOre: 100_000n });
    const reminder = { invoiceId: first?.id ?? '', sentDate: '2026-02-10', today, feeOre: 0n };
    await withTx(books.owner, (tx) => registerReminder(tx, reminder, ACTOR));
    const wanted = {
      day: '2026-05-31',
      preparedAt: new Date('2026-05-31T10:00:00Z'),
      timeZone: 'Europe/Stockholm',
      format: 'json',
    } as const;
    const exported = await withTx(books.owner, (tx) =>
      exportCase(tx, first?.id ?? '', wanted, ACTOR),
    );
    expect(JSON.parse(exported.content)).toMatchObject({ invoice: { invoiceNo: 5123 } });
    await withTx(books.owner, (tx) =>
      creditInvoice(tx, { invoiceId: second?.id ?? '', date: '2026-03-01' }, ACTOR),
    );
    expect(await balance(3002)).toBe(55_804n);
    expect(await balance(2621)).toBe(6_696n);
    expect(await balance(1510)).toBe(100_000n);
    expect(await one(sql`select status, open_ore from sales.invoices where number = 5130`)).toEqual(
      { status: 'credited', open_ore: 0n },
    );
    expect(await problemsOf()).toEqual([]);
    expect(await failing()).not.toContain('kundreskontra');
  });

  test('the series of invoices goes on from their numbers, and no number is given twice', async () => {
    await take('customers', customers);
    // The same file again is told as that, not as more than the balance.
    await expect(take('customers', customers)).rejects.toMatchObject({
      detail: {
        problems: [0, 1].map((index) => ({
          path: `lines[${index}].number`,
          reason: 'opening_number_taken',
        })),
      },
    });
    const [id = ''] = await makeDrafts(books.owner, [1000n]);
    const [booked] = await withTx(books.owner, (tx) => bookInvoices(tx, [id], ACTOR));
    expect(booked?.invoice).toMatchObject({ invoice_number: 5131 });
    const [, second] = await itemsOf('customers');
    await withTx(books.owner, (tx) => giveUp(tx, 'customers', second?.id ?? '', ACTOR));
    await expect(take('customers', '5131;X;;2025-01-01;2025-02-01;1')).rejects.toMatchObject({
      detail: { problems: [{ reason: 'opening_number_taken' }] },
    });
    await take('customers', customers.split('\n').slice(2).join('\n'));
    expect(await problemsOf()).toEqual([]);
  });

  test('what was taken over by mistake may go, and the series with it; not what was paid', async () => {
    await take('customers', customers);
    const [first, second] = await itemsOf('customers');
    await withTx(books.owner, (tx) => giveUp(tx, 'customers', second?.id ?? '', ACTOR));
    expect(await one(sql`select last_number from sales.invoice_numbers`)).toEqual({
      last_number: 5123,
    });
    expect(await problemsOf()).toEqual([]);
    const payment = { invoiceId: first?.id ?? '', date: '2026-02-01', today, amountOre: 100n };
    await withTx(books.owner, (tx) => registerPayment(tx, payment, ACTOR));
    const removal = withTx(books.owner, (tx) => giveUp(tx, 'customers', payment.invoiceId, ACTOR));
    await expect(removal).rejects.toMatchObject({
      detail: { problems: [{ reason: 'opening_item_in_use' }] },
    });
    // Nor is one of the company's own invoices removed this way.
    const [id = ''] = await makeDrafts(books.owner, [1000n]);
    await withTx(books.owner, (tx) => bookInvoices(tx, [id], ACTOR));
    const own = withTx(books.owner, (tx) => giveUp(tx, 'customers', id, ACTOR));
    await expect(own).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      books.owner.query(`delete from sales.invoices where number = 5123`),
    ).rejects.toMatchObject({ constraint: 'invoices_are_frozen' });
    await expect(
      books.owner.query(`insert into sales.invoice_rows (invoice_id, row_no, description,
        quantity_e4, unit_price_e4, vat_rate, account, net_ore, vat_ore)
        select id, 2, 'x', 1, 1, 25, 3001, 1, 0 from sales.invoices where number = 5123`),
    ).rejects.toMatchObject({ constraint: 'invoices_are_frozen' });
  });
});

describe('suppliers', () => {
  test('debts and credits are taken over, agree with 2440, and are paid', async () => {
    await take('suppliers', suppliers);
    const items = await itemsOf('suppliers');
    expect(items).toMatchObject([
      { number: 'F-77', party: 'Leverantören AB', total_ore: 100_000n, taken_ore: 80_000n },
      { number: 'K-1', total_ore: -10_000n, open_ore: -10_000n },
    ]);
    expect(await failing()).not.toContain('leverantorsreskontra');
    const pay = { purchaseId: items[0]?.id ?? '', date: '2026-01-10', today, amountOre: 80_000n };
    await withTx(books.owner, (tx) => payPurchase(tx, pay, ACTOR));
    expect(await balance(2440)).toBe(10_000n);
    expect(await failing()).not.toContain('leverantorsreskontra');
    await expect(take('suppliers', suppliers.split('\n')[1] ?? '')).rejects.toMatchObject({
      detail: { problems: [{ reason: 'opening_purchase_taken' }] },
    });
    const removal = withTx(books.owner, (tx) => giveUp(tx, 'suppliers', pay.purchaseId, ACTOR));
    await expect(removal).rejects.toMatchObject({
      detail: { problems: [{ reason: 'opening_item_in_use' }] },
    });
    await withTx(books.owner, (tx) => giveUp(tx, 'suppliers', items[1]?.id ?? '', ACTOR));
    expect(await itemsOf('suppliers')).toHaveLength(1);
  });
});

test('nothing is taken over when one line is wrong, or more than the balance', async () => {
  const refusals: [OpeningSide, string, string][] = [
    ['customers', customers.replace('1 250,00', '1 250,01'), 'opening_exceeds_balance'],
    ['customers', customers.replace(';3002', ';5010'), 'opening_wrong_format'],
    ['customers', customers.replace(';3002', ';3777'), 'opening_account'],
    ['customers', customers.replace('5130', '5123'), 'opening_twice'],
    ['suppliers', suppliers.replace('800,00', '900,00'), 'opening_exceeds_balance'],
  ];
  for (const [side, text, reason] of refusals) {
    await expect(take(side, text), reason).rejects.toMatchObject({
      detail: { problems: [expect.objectContaining({ reason })] },
    });
    expect(await itemsOf(side)).toEqual([]);
  }
  await expect(take('customers', 'nummer;kund;x\n1;2;3')).rejects.toThrow();
  const count = sql`select count(*)::integer as count from sales.customers where name = 'Kunden AB'`;
  expect(await one(count)).toEqual({ count: 0 });
});

test('an invoice of our own from before the company moved in leaves no room for one that is taken over', async () => {
  const move = (day: string) =>
    withTx(books.owner, (tx) => changeSetting(tx, 'moved-on', day, ACTOR));
  await move('2026-06-30');
  const [id = ''] = await makeDrafts(books.owner, [1000n]);
  await withTx(books.owner, (tx) => bookInvoices(tx, [id], ACTOR));
  const standing = () => getOpeningStanding(db(books.owner), 'customers');
  expect(await standing()).toMatchObject({ balanceOre: 187_500n, differenceOre: 187_500n });
  await expect(take('customers', customers.replace('1 250,00', '1 250,01'))).rejects.toMatchObject({
    detail: { problems: [expect.objectContaining({ reason: 'opening_exceeds_balance' })] },
  });
  expect((await take('customers', customers)).differenceOre).toBe(0n);
  await expect(move('2026-07-31')).rejects.toMatchObject({
    detail: { problems: [expect.objectContaining({ reason: 'move_day_has_items' })] },
  });
});

test('the day of the move stays while somebody takes invoices over that are held against it', async () => {
  const lines = await readOpeningLines(suppliers);
  await withTx(books.owner, async (tx) => {
    await takeOver(tx, 'suppliers', lines, ACTOR);
    const moving = withTx(books.owner, async (other) => {
      await other.query(sql`set local lock_timeout = '100ms'`);
      await changeSetting(other, 'moved-on', '2026-06-30', ACTOR);
    });
    await expect(moving).rejects.toMatchObject({ code: '55P03' });
  });
});

test('nobody’s posting waits while customers are added to the register', async () => {
  const register = await books.owner.connect();
  await register.query('begin');
  await register.query('lock table sales.customers in share mode');
  const taking = take('customers', customers);
  const isWaiting = sql`select from pg_locks l
    where l.relation = 'sales.customers'::regclass and not l.granted
      and l.database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(() => db(books.owner).query(isWaiting)).toHaveLength(1);
  const payload = voucherBody({ date: '2026-03-10' });
  const call = await startApp(books.url);
  const { key } = await books.makeKey();
  const posted = await call(key, { method: 'POST', url: '/api/v1/verifikat', payload });
  await register.query('commit');
  register.release();
  expect(posted.statusCode).toBe(200);
  expect(await taking).toMatchObject({ differenceOre: 0n });
});

describe('a line', () => {
  const right: OpeningLine = {
    number: '5123',
    name: 'Kunden AB',
    organizationNumber: '556036-0793',
    invoiceDate: '2025-12-05',
    dueDate: '2026-01-04',
    total: '1 250,50 kr',
    open: '',
    ocr: '',
    account: '',
  };
  test.each<[Partial<OpeningLine>, OpeningSide, string]>([
    [{ number: 'F12' }, 'customers', 'number opening_wrong_format'],
    [{ number: '0' }, 'customers', 'number opening_wrong_format'],
    [{ number: '' }, 'suppliers', 'number opening_wrong_format'],
    [{ name: ' ' }, 'customers', 'name opening_wrong_format'],
    [{ organizationNumber: '556036-0794' }, 'customers', 'organizationNumber opening_wrong_format'],
    [{ invoiceDate: '2026-01-01' }, 'customers', 'invoiceDate opening_not_before_books'],
    [{ invoiceDate: '5/12' }, 'suppliers', 'invoiceDate opening_wrong_format'],
    [{ dueDate: '2025-12-04' }, 'customers', 'dueDate opening_due_before_invoice'],
    [{ total: 'mycket' }, 'customers', 'total opening_wrong_format'],
    [{ total: '-100' }, 'customers', 'total opening_not_positive'],
    [{ total: '0' }, 'suppliers', 'total opening_no_amount'],
    [{ open: '1300' }, 'customers', 'open opening_exceeds_total'],
    [{ open: '0' }, 'customers', 'open opening_exceeds_total'],
    [{ ocr: '51231' }, 'customers', 'ocr opening_wrong_format'],
    [{ account: '1930' }, 'customers', 'account opening_wrong_format'],
  ])('%o of %s: %s', (change, side, wanted) => {
    const { problems } = readOpeningItems([{ ...right, ...change }], side, '2026-01-01');
    expect(problems.map(({ path, reason }) => `${path} ${reason}`)).toContain(`lines[0].${wanted}`);
  });

  test('that is right is read', () => {
    const { items, problems } = readOpeningItems([right], 'customers', '2026-01-01');
    expect(problems).toEqual([]);
    expect(items).toMatchObject([
      { number: '5123', organizationNumber: '5560360793', totalOre: 125_050n, openOre: 125_050n },
    ]);
  });
});
