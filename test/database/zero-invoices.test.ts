/** Invoices on zero kronor: judged as any other, `paid` at once, a voucher only where kronor moved. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { openBooks } from '../http/books.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { makeDraft } from '../support/invoices.ts';
import { refusalOf, tamper } from './books.ts';

let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(() => books.close());
afterEach(() =>
  books.owner.query('update ledger.locks set period_locked_to = null, vat_locked_to = null'),
);

const piece = { quantityE4: 10_000n, unitPriceE4: 1_000_000n };
const back = { quantityE4: -10_000n, unitPriceE4: 1_000_000n };
const free = { quantityE4: 10_000n, unitPriceE4: 0n };

const book = async (id: string) => {
  const [outcome] = await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
  return outcome;
};
const one = async <Row extends object>(statement: ReturnType<typeof sql>) => {
  const [row] = await db(books.owner).query<Row>(statement);
  return row;
};
const stored = (id: string) =>
  one<{ status: string; number: number | null; voucher_id: string | null; open_ore: bigint }>(
    sql`select status, number, voucher_id, open_ore from sales.invoices where id = ${id}::uuid`,
  );

/** No draft, no number, no change: the refusal is all that is left. */
async function expectRefused(id: string, code: string, detail: object): Promise<void> {
  const numbers = sql`select last_number from sales.invoice_numbers`;
  const before = await one(numbers);
  const outcome = await book(id);
  expect(outcome?.refusal).toMatchObject({ code, detail });
  expect(outcome?.invoice).toMatchObject({ status: 'draft', invoice_number: null });
  expect(await stored(id)).toMatchObject({ status: 'draft', number: null });
  expect(await one(numbers)).toEqual(before);
}

describe.each([
  ['a row at 0 kr', [free]],
  ['rows that cancel out', [piece, back]],
])('%s', (_what, rows) => {
  test('gets number and OCR, is paid, and no voucher is made', async () => {
    const id = await makeDraft(books.owner, rows);
    const outcome = await book(id);
    expect(outcome?.refusal).toBeNull();
    expect(outcome?.invoice).toMatchObject({ status: 'paid', total_amount: 0 });
    expect(outcome?.invoice.ocr).toMatch(/^\d{6,}$/);
    const row = await stored(id);
    expect(row).toMatchObject({ status: 'paid', voucher_id: null, open_ore: 0n });
    const events = await db(books.owner).query<{ type: string }>(
      sql`select type from events.outbox where subject = ${id}::uuid order by seq`,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'invoice.drafted',
      'invoice.booked',
      'invoice.paid',
    ]);
  });

  test('is stopped by what stops any other invoice', async () => {
    const outside = await makeDraft(books.owner, rows, '2031-01-01');
    const reason = 'date_outside_fiscal_years';
    await expectRefused(outside, 'unprocessable', { problems: [{ path: 'date', reason }] });
    for (const lock of ['period', 'vat']) {
      await books.owner.query(`update ledger.locks set ${lock}_locked_to = '2026-03-31'`);
      const id = await makeDraft(books.owner, rows);
      const earliest = '2026-04-01';
      await expectRefused(id, 'period_locked', { lock, earliest_allowed_date: earliest });
      await books.owner.query(`update ledger.locks set ${lock}_locked_to = null`);
      expect((await book(id))?.invoice.status).toBe('paid');
    }
    const id = await makeDraft(books.owner, rows);
    await books.owner.query('update ledger.accounts set is_active = false where number = 3001');
    const inactive = { reason: 'inactive_account', params: { account: 3001 } };
    await expectRefused(id, 'unprocessable', { problems: [inactive] });
    await books.owner.query('update ledger.accounts set is_active = true where number = 3001');
  });

  test('the database itself lets none of them past', async () => {
    const booked = (id: string) => `update sales.invoices set status = 'paid', number = 99999,
      ocr = '1', booked_at = now() where id = '${id}'`;
    const outside = await makeDraft(books.owner, rows, '2031-01-01');
    const constraint = 'invoices_are_in_open_years';
    expect(await refusalOf(books.owner, booked(outside))).toBe(constraint);
    const id = await makeDraft(books.owner, rows);
    await books.owner.query(`update ledger.locks set vat_locked_to = '2026-03-31'`);
    expect(await refusalOf(books.owner, booked(id))).toBe(constraint);
    const priced = await makeDraft(books.owner, [piece]);
    expect(await refusalOf(books.owner, booked(priced))).toBe('invoices_amount_is_posted');
    const unjudged = `select * from sales.book_invoices(array['${id}']::uuid[],
      array['${id}']::uuid[], '{test}', array[null]::uuid[], '{}', '{}', '{}', '{}', '{}')`;
    expect(await refusalOf(books.owner, unjudged)).toBe('invoices_are_judged_by_rows');
  });
});

const between = [
  { ...piece, vatRate: 0 as const, account: 3004 },
  { ...back, vatRate: 0 as const, account: 3911 },
];

test('rows that leave amounts on different accounts get that voucher, and are paid', async () => {
  const id = await makeDraft(books.owner, between);
  expect((await book(id))?.invoice).toMatchObject({ status: 'paid', total_amount: 0 });
  const row = await stored(id);
  const rows = await db(books.owner).query(sql`select account, debit_ore, credit_ore
    from ledger.voucher_rows where voucher_id = ${row?.voucher_id}::uuid order by account`);
  expect(rows).toEqual([
    { account: 3004, debit_ore: 0n, credit_ore: 10_000n },
    { account: 3911, debit_ore: 10_000n, credit_ore: 0n },
  ]);
  const other = await makeDraft(books.owner, between);
  const past = `update sales.invoices set status = 'paid', number = 99999, ocr = '1',
    booked_at = now() where id = '${other}'`;
  expect(await refusalOf(books.owner, past)).toBe('invoices_amount_is_posted');
});

test('one that is credited is credited, by a note of zero without a voucher', async () => {
  const id = await makeDraft(books.owner, [free]);
  await book(id);
  const note = await withTx(books.owner, (tx) =>
    creditInvoice(tx, { invoiceId: id, date: '2026-04-20' }, 'test'),
  );
  expect(note).toMatchObject({ status: 'booked', total_amount: 0 });
  expect(await stored(id)).toMatchObject({ status: 'credited', open_ore: 0n });
});

describe('over the API', () => {
  const post = async (overrides: object, query = '') => {
    const customer = await withTx(books.owner, (tx) =>
      insertCustomer(tx, { name: 'Bageriet AB', email: null }),
    );
    return books.call({
      method: 'POST',
      url: `/api/v1/kundfakturor${query}`,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      payload: {
        customerId: customer.id,
        invoiceDate: '2026-03-31',
        paymentTerms: 30,
        book: true,
        rows: [{ description: 'Prov', quantity: 1, unitPrice: 0, vatRate: 25, account: 3001 }],
        ...overrides,
      },
    });
  };

  test('is booked and paid, and a dry run says so beforehand', async () => {
    expect((await post({}, '?dryRun=true')).json()).toMatchObject({
      dry_run: true,
      status: 'paid',
    });
    expect((await post({})).json()).toMatchObject({
      status: 'paid',
      invoice_number: expect.any(Number),
      ocr: expect.any(String),
    });
    expect((await post({ book: false })).json()).toMatchObject({ status: 'draft' });
  });

  test('a lock and a missing year answer 422, in a dry run too', async () => {
    await books.owner.query(`update ledger.locks set vat_locked_to = '2026-03-31'`);
    for (const query of ['', '?dryRun=true']) {
      const locked = await post({}, query);
      expect(locked.statusCode).toBe(422);
      expect(locked.json()).toMatchObject({ error: 'unprocessable', detail: { lock: 'vat' } });
      const outside = await post({ invoiceDate: '2031-01-01' }, query);
      expect(outside.json().detail.problems).toMatchObject([
        { path: 'invoiceDate', reason: 'date_outside_fiscal_years' },
      ]);
    }
  });
});

test('an order with everything taken off needs no person', async () => {
  await withTx(books.owner, (tx) => changeSetting(tx, 'order-booking', 'on', 'test'));
  const response = await books.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: orderBody({
      externalId: randomUUID(),
      total: 0,
      rows: [
        { description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 },
        { description: 'Rabatt 100 %', quantity: 1, unitPrice: -199, vatRate: 25 },
      ],
    }),
  });
  expect(response.statusCode).toBe(200);
  const { invoiceId } = response.json();
  await expect
    .poll(() => stored(invoiceId))
    .toMatchObject({ status: 'paid', number: expect.any(Number), voucher_id: null });
});

test('the books verify, and the month end has nothing to say of them', async () => {
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
  const failing = await one<{ names: string[] }>(
    sql`select ledger.failing_conditions('2026-03-01', 'Europe/Stockholm') as names`,
  );
  expect(failing?.names).not.toContain('kundreskontra');
  expect(failing?.names).not.toContain('underlag');
  await tamper(
    books.url,
    `update sales.invoices set voucher_id = null where voucher_id is not null`,
  );
  const { problems } = await verifyBooks(db(books.owner), () => undefined);
  expect(problems.map(({ kind }) => kind)).toContain('invoice_without_voucher');
});
