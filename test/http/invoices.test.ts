import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import type { Installation } from '../support/installation.ts';
import { openBooks, openSecondApp } from './books.ts';

const url = '/api/v1/kundfakturor';
let books: Installation;
let customerId: string;

beforeAll(async () => {
  books = await openBooks();
  const customer = await withTx(books.owner, (tx) =>
    insertCustomer(tx, { name: 'Bageriet i Åmål AB', email: 'faktura@bageriet.example' }),
  );
  customerId = customer.id;
});
afterAll(() => books.close());
afterEach(() => run('update ledger.locks set period_locked_to = null, vat_locked_to = null'));

const run = (statement: string) => books.owner.query(statement);

async function count(statement: string): Promise<number> {
  const [row] = await db(books.owner).query<{ n: number }>({ text: statement, values: [] });
  return row?.n ?? -1;
}
const invoices = () => count('select count(*)::integer as n from sales.invoices');
const vouchers = () => count('select count(*)::integer as n from ledger.vouchers');
const lastNumber = () => count('select last_number as n from sales.invoice_numbers');

const row = (overrides: object = {}) => ({
  description: 'Konsulttimmar',
  quantity: 10,
  unitPrice: 950,
  vatRate: 25,
  account: 3001,
  ...overrides,
});
const body = (overrides: object = {}) => ({
  customerId,
  invoiceDate: '2026-03-31',
  paymentTerms: 30,
  rows: [row()],
  ...overrides,
});
const post = (payload: object | string, options: { key?: string; idempotencyKey?: string } = {}) =>
  books.call({
    method: 'POST',
    url,
    payload,
    headers: {
      'content-type': 'application/json',
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
    ...(options.key ? { key: options.key } : {}),
  });

describe('a draft', () => {
  test('is made with the amounts of EN 16931 and takes no number', async () => {
    const numberBefore = await lastNumber();
    const response = await post(
      body({
        deliveryDate: '2026-03-27',
        yourReference: 'Anna',
        notes: 'Tack för köpet!\nVälkommen åter',
      }),
    );
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: expect.any(String),
      status: 'draft',
      invoice_number: null,
      net_amount: 9500,
      vat_amount: 2375,
      total_amount: 11875,
      due_date: '2026-04-30',
      ocr: null,
    });
    expect(await lastNumber()).toBe(numberBefore);
    const [stored] = await db(books.owner).query<{ debtor: object; created_by: string }>(
      sql`select debtor, created_by, delivery_date, your_reference, notes from sales.invoices
          where id = ${response.json().id}::uuid`,
    );
    expect(stored).toMatchObject({
      debtor: { name: 'Bageriet i Åmål AB', email: 'faktura@bageriet.example' },
      created_by: expect.stringMatching(/^key:/),
      delivery_date: '2026-03-27',
      your_reference: 'Anna',
      notes: 'Tack för köpet!\nVälkommen åter',
    });
  });

  test('keeps the unit and the discount of each row, which is taken off before VAT', async () => {
    const answer = await post(
      body({
        rows: [
          row({ quantity: 3, unitPrice: 33.33, unit: 'tim', discountPct: 12.5 }),
          row({ quantity: 1, unitPrice: 100, discountPct: 100 }),
          row({ quantity: 1, unitPrice: 10, unit: null, discountPct: null }),
        ],
        book: true,
      }),
    );
    // 99,99 less 12,5 % is 87,49125; rounded once.
    expect(answer.json()).toMatchObject({
      status: 'booked',
      net_amount: 97.49,
      vat_amount: 24.37,
      total_amount: 121.86,
    });
    const { id } = answer.json();
    const rowsOf = (invoiceId: string) =>
      db(books.owner).query(sql`select row_no, unit, discount_e2, net_ore from sales.invoice_rows
        where invoice_id = ${invoiceId}::uuid order by row_no`);
    const rows = [
      { row_no: 1, unit: 'tim', discount_e2: 1_250n, net_ore: 8_749n },
      { row_no: 2, unit: null, discount_e2: 10_000n, net_ore: 0n },
      { row_no: 3, unit: null, discount_e2: 0n, net_ore: 1_000n },
    ];
    expect(await rowsOf(id)).toEqual(rows);
    const note = await withTx(books.owner, (tx) =>
      creditInvoice(tx, { invoiceId: id, date: '2026-03-31' }, 'test'),
    );
    expect(note.total_amount).toBe(121.86);
    expect(await rowsOf(note.id)).toEqual(rows);
  });

  test.each([
    [{ unit: '' }, 'rows[0].unit', 'too_short'],
    [{ unit: 'x'.repeat(21) }, 'rows[0].unit', 'too_long'],
    [{ unit: 'tim\nst' }, 'rows[0].unit', 'control_character'],
    [{ unit: 7 }, 'rows[0].unit', 'wrong_type'],
    [{ discountPct: -0.01 }, 'rows[0].discountPct', 'negative'],
    [{ discountPct: 100.01 }, 'rows[0].discountPct', 'too_large'],
    [{ discountPct: 33.333 }, 'rows[0].discountPct', 'too_many_decimals'],
    [{ discountPct: '10' }, 'rows[0].discountPct', 'wrong_type'],
  ])('is not made of %j', async (fault, path, reason) => {
    const answer = await post(body({ rows: [row(fault)] }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail.problems).toEqual([expect.objectContaining({ path, reason })]);
  });

  test('may lie in a locked period, for only booking is what a lock stops', async () => {
    await run(`update ledger.locks set period_locked_to = '2026-12-31'`);
    expect((await post(body())).statusCode).toBe(200);
  });

  test.each([
    [
      'VAT on the sum, not row by row',
      [
        row({ quantity: 1, unitPrice: 0.1 }),
        row({ quantity: 1, unitPrice: 0.1 }),
        row({ quantity: 1, unitPrice: 0.1 }),
      ],
      [0.3, 0.08, 0.38],
    ],
    ['a tie goes away from zero', [row({ quantity: 1, unitPrice: 0.02 })], [0.02, 0.01, 0.03]],
    ['half an öre of a row goes up', [row({ quantity: 0.5, unitPrice: 0.01 })], [0.01, 0, 0.01]],
    [
      'rates side by side',
      [
        row(),
        row({ vatRate: 12, account: 3002 }),
        row({ vatRate: 6, account: 3003 }),
        row({ vatRate: 0, account: 3004 }),
      ],
      [38_000, 4_085, 42_085],
    ],
    ['a discount row', [row(), row({ quantity: -1, unitPrice: 500 })], [9_000, 2_250, 11_250]],
    ['nothing at all', [row({ unitPrice: 0 })], [0, 0, 0]],
    ['four decimals', [row({ quantity: 0.0001, unitPrice: 123.4567 })], [0.01, 0, 0.01]],
    [
      'the largest amount there is',
      [row({ quantity: 1, unitPrice: 7_999_999_999.99, account: 3001 })],
      [7_999_999_999.99, 2_000_000_000, 9_999_999_999.99],
    ],
  ])('%s', async (_name, rows, [net, vat, total]) => {
    const response = await post(body({ rows, book: true }));
    expect(response.json()).toMatchObject({
      status: total === 0 ? 'paid' : 'booked',
      net_amount: net,
      vat_amount: vat,
      total_amount: total,
    });
  });

  test('an account outside VAT takes rows of 0 %', async () => {
    const rows = [row({ vatRate: 0, account: 3980 })];
    expect((await post(body({ rows }))).statusCode).toBe(200);
  });
});

describe('book: true', () => {
  test('sets number, OCR and voucher at once, in series B', async () => {
    const numberBefore = await lastNumber();
    const response = await post(body({ book: true }));
    const number = numberBefore + 1;
    expect(response.json()).toMatchObject({
      status: 'booked',
      invoice_number: number,
      ocr: expect.stringMatching(new RegExp(`^${number}\\d\\d$`)),
    });
    const [voucher] = await db(books.owner).query<{ id: string }>(
      sql`select voucher_id as id from sales.invoices where id = ${response.json().id}::uuid`,
    );
    const read = await books.call({ url: `/api/v1/verifikat?id=${voucher?.id}` });
    expect(read.json().data).toMatchObject([
      {
        series: 'B',
        source: 'invoice',
        description: `Kundfaktura ${number}`,
        counterparty: 'Bageriet i Åmål AB',
        verification_date: '2026-03-31',
        rows: [
          { account: 1510, debit: 11875, credit: 0 },
          { account: 3001, debit: 0, credit: 9500 },
          { account: 2611, debit: 0, credit: 2375 },
        ],
      },
    ]);
  });

  test.each([
    [
      'period',
      `update ledger.locks set period_locked_to = '2026-03-31'`,
      '2026-03-31',
      '2026-04-01',
    ],
    ['vat', `update ledger.locks set vat_locked_to = '2026-04-30'`, '2026-04-30', '2026-05-01'],
  ])(
    'a %s lock leaves the draft, says which, and a retry gets the same',
    async (lock, statement, to, next) => {
      await run(statement);
      const [invoicesBefore, vouchersBefore, numberBefore] = [
        await invoices(),
        await vouchers(),
        await lastNumber(),
      ];
      const idempotencyKey = randomUUID();
      const first = await post(body({ book: true }), { idempotencyKey });
      expect(first.statusCode).toBe(422);
      expect(first.json()).toMatchObject({
        error: 'unprocessable',
        message: expect.stringContaining(to),
        detail: {
          lock,
          locked_to: to,
          earliest_allowed_date: next,
          invoice_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      });
      expect(first.headers['idempotent-replayed']).toBeUndefined();

      // The lock is lifted, and still the same key tells the same.
      await run('update ledger.locks set period_locked_to = null, vat_locked_to = null');
      const second = await post(body({ book: true }), { idempotencyKey });
      expect(second.statusCode).toBe(422);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect({ ...second.json(), request_id: '' }).toEqual({ ...first.json(), request_id: '' });
      expect(await invoices()).toBe(invoicesBefore + 1);
      expect(await vouchers()).toBe(vouchersBefore);
      expect(await lastNumber()).toBe(numberBefore);
      const [draft] = await db(books.owner).query<{ status: string }>(
        sql`select status from sales.invoices where id = ${first.json().detail.invoice_id}::uuid`,
      );
      expect(draft?.status).toBe('draft');
    },
  );

  test('outside every fiscal year leaves the draft and names invoiceDate', async () => {
    const response = await post(body({ book: true, invoiceDate: '2031-01-01' }));
    expect(response.statusCode).toBe(422);
    expect(response.json().detail).toMatchObject({
      problems: [{ path: 'invoiceDate', reason: 'date_outside_fiscal_years' }],
      invoice_id: expect.any(String),
    });
  });

  test('with an inactive VAT account leaves the draft and says which account', async () => {
    await run('update ledger.accounts set is_active = false where number = 2611');
    const response = await post(body({ book: true }));
    await run('update ledger.accounts set is_active = true where number = 2611');
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      message: expect.stringContaining('2611'),
      detail: { problems: [{ path: 'book', reason: 'inactive_account', account: 2611 }] },
    });
  });
});

describe('what hinders a draft is told all at once, and leaves nothing', () => {
  test.each<[string, object, { path: string; reason: string }[]]>([
    [
      'a customer that is not there',
      { customerId: randomUUID() },
      [{ path: 'customerId', reason: 'unknown_customer' }],
    ],
    [
      'an account that is not there',
      { rows: [row({ account: 3999 }), row({ account: 3777, vatRate: 12 })] },
      [
        { path: 'rows[0].vatRate', reason: 'vat_rate_conflict' },
        { path: 'rows[1].account', reason: 'unknown_account' },
      ],
    ],
    [
      'an account that is no revenue',
      { rows: [row({ account: 1930 })] },
      [{ path: 'rows[0].account', reason: 'not_a_revenue_account' }],
    ],
    [
      '0 % on 3001',
      { rows: [row({ vatRate: 0 })] },
      [{ path: 'rows[0].vatRate', reason: 'vat_rate_conflict' }],
    ],
    [
      '25 % on 3002',
      { rows: [row({ account: 3002 })] },
      [{ path: 'rows[0].vatRate', reason: 'vat_rate_conflict' }],
    ],
    [
      'a negative total',
      { rows: [row({ quantity: -1 })] },
      [{ path: 'rows', reason: 'negative_total' }],
    ],
  ])('%s', async (_name, overrides, problems) => {
    const before = await invoices();
    const idempotencyKey = randomUUID();
    const response = await post(body({ ...overrides, book: true }), { idempotencyKey });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ error: 'unprocessable', detail: { problems } });
    expect(response.json().detail.problems).toHaveLength(problems.length);
    expect(await invoices()).toBe(before);
    // Nothing was written, so the same key may try again with something better.
    expect((await post(body(), { idempotencyKey })).statusCode).toBe(200);
  });

  test('a VAT conflict tells both rates', async () => {
    const response = await post(body({ rows: [row({ vatRate: 6 })] }));
    expect(response.json().detail.problems[0]).toMatchObject({
      account: 3001,
      account_vat_rate: 25,
      vat_rate: 6,
    });
  });

  test('an inactive customer and an inactive account', async () => {
    const other = await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Gammal kund' }));
    await run(`update sales.customers set is_active = false where id = '${other.id}'`);
    await run('update ledger.accounts set is_active = false where number = 3003');
    const rows = [row({ account: 3003, vatRate: 6 })];
    const response = await post(body({ customerId: other.id, rows }));
    await run('update ledger.accounts set is_active = true where number = 3003');
    expect(response.json().detail.problems).toMatchObject([
      { path: 'customerId', reason: 'inactive_customer' },
      { path: 'rows[0].account', reason: 'inactive_account' },
    ]);
  });
});

describe('what cannot be read is 400 and names the field', () => {
  const long = (n: number) => 'å'.repeat(n);
  test.each<[string, object, string, string]>([
    ['no customer', { customerId: undefined }, 'customerId', 'required'],
    ['a customer that is no uuid', { customerId: '42' }, 'customerId', 'wrong_format'],
    ['a day that is none', { invoiceDate: '2026-02-30' }, 'invoiceDate', 'not_a_date'],
    ['payment terms of 91 days', { paymentTerms: 91 }, 'paymentTerms', 'too_large'],
    ['payment terms below zero', { paymentTerms: -1 }, 'paymentTerms', 'negative'],
    ['payment terms and a half', { paymentTerms: 1.5 }, 'paymentTerms', 'wrong_type'],
    [
      'a due date after the last day',
      { invoiceDate: '9999-12-31', paymentTerms: 1 },
      'invoiceDate',
      'due_date_too_late',
    ],
    ['no rows', { rows: [] }, 'rows', 'too_few'],
    ['book as text', { book: 'true' }, 'book', 'wrong_type'],
    ['a field nobody knows', { dueDate: '2026-04-30' }, 'dueDate', 'unknown_field'],
    ['a reference too long', { yourReference: long(201) }, 'yourReference', 'too_long'],
    ['notes too long', { notes: long(5_001) }, 'notes', 'too_long'],
    [
      'a row without text',
      { rows: [row({ description: '  ' })] },
      'rows[0].description',
      'too_short',
    ],
    [
      'a row text too long',
      { rows: [row({ description: long(501) })] },
      'rows[0].description',
      'too_long',
    ],
    ['a day of delivery', { deliveryDate: '2026-02-30' }, 'deliveryDate', 'not_a_date'],
    ['a NUL', { notes: 'a\0b' }, 'notes', 'nul_character'],
    ['a quantity of 0', { rows: [row({ quantity: 0 })] }, 'rows[0].quantity', 'zero_quantity'],
    [
      'a quantity of five decimals',
      { rows: [row({ quantity: 0.00001 })] },
      'rows[0].quantity',
      'too_many_decimals',
    ],
    [
      'a price of five decimals',
      { rows: [row({ unitPrice: 0.00001 })] },
      'rows[0].unitPrice',
      'too_many_decimals',
    ],
    ['a quantity as text', { rows: [row({ quantity: '1' })] }, 'rows[0].quantity', 'wrong_type'],
    [
      'a price above the limit',
      { rows: [row({ unitPrice: 10_000_000_000 })] },
      'rows[0].unitPrice',
      'too_large',
    ],
    [
      'a row above the limit',
      { rows: [row({ quantity: 2, unitPrice: 9_999_999_999.99 })] },
      'rows[0]',
      'amount_too_large',
    ],
    [
      'a total above the limit',
      { rows: [row({ quantity: 1, unitPrice: 8_000_000_000 })] },
      'rows',
      'total_too_large',
    ],
    ['a foreign rate', { rows: [row({ vatRate: 19 })] }, 'rows[0].vatRate', 'unknown_value'],
    ['a rate as a share', { rows: [row({ vatRate: 0.25 })] }, 'rows[0].vatRate', 'unknown_value'],
    ['no rate', { rows: [row({ vatRate: undefined })] }, 'rows[0].vatRate', 'required'],
    ['an account as text', { rows: [row({ account: '3001' })] }, 'rows[0].account', 'wrong_type'],
  ])('%s', async (_name, overrides, path, reason) => {
    const before = await invoices();
    const response = await post(body(overrides));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: 'invalid_request',
      detail: { problems: expect.arrayContaining([expect.objectContaining({ path, reason })]) },
    });
    expect(await invoices()).toBe(before);
  });

  test.each<[string, object]>([
    ['terms of 0 days', { paymentTerms: 0 }],
    ['terms of 90 days', { paymentTerms: 90 }],
    ['a row text of 500', { rows: [row({ description: long(500) })] }],
    ['notes of 5 000', { notes: long(5_000) }],
    ['book false', { book: false }],
    ['fields that are null', { yourReference: null, notes: null, book: null }],
  ])('but %s goes', async (_name, overrides) => {
    expect((await post(body(overrides))).statusCode).toBe(200);
  });

  test('no Idempotency-Key', async () => {
    const response = await books.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${books.key}`, 'content-type': 'application/json' },
      payload: body(),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toBe('idempotency_required');
  });

  test('a body above 512 kB is 413', async () => {
    const response = await post(body({ notes: 'x'.repeat(512 * 1024) }));
    expect(response.statusCode).toBe(413);
    expect(response.json().error).toBe('payload_too_large');
  });
});

describe('one call, one invoice', () => {
  test('a retry gets the first answer; another body with the key is a conflict', async () => {
    const idempotencyKey = randomUUID();
    const first = await post(body({ book: true }), { idempotencyKey });
    const second = await post(body({ book: true }), { idempotencyKey });
    expect(second.body).toBe(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const other = await post(body({ book: true, paymentTerms: 10 }), { idempotencyKey });
    expect(other.statusCode).toBe(409);
    expect(other.json()).toMatchObject({
      error: 'idempotency_conflict',
      detail: {
        first_request_id: first.headers['x-request-id'],
        differing_fields: ['paymentTerms'],
      },
    });
  });

  test('a retry gets the first answer whatever has become of the invoice since', async () => {
    const idempotencyKey = randomUUID();
    const sent = body({ rows: [row({ quantity: 0.3333, unitPrice: 10.15 })] });
    const first = await post(sent, { idempotencyKey });
    await run(`delete from sales.invoice_rows where invoice_id = '${first.json().id}';
      delete from sales.invoices where id = '${first.json().id}'`);
    const second = await post(sent, { idempotencyKey });
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
  });

  test('the same Idempotency-Key on the voucher route is another call', async () => {
    const idempotencyKey = randomUUID();
    await post(body(), { idempotencyKey });
    const voucher = await books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      headers: { 'idempotency-key': idempotencyKey },
      payload: {
        seriesCode: 'A',
        date: '2026-03-31',
        description: 'Egen',
        rows: [
          { account: 1930, debit: 1, credit: 0 },
          { account: 3001, debit: 0, credit: 1 },
        ],
      },
    });
    expect(voucher.statusCode).toBe(200);
  });

  test('64 identical calls over two processes make one invoice', async () => {
    const second = await openSecondApp(books);
    const [before, numberBefore] = [await invoices(), await lastNumber()];
    const idempotencyKey = randomUUID();
    const request = {
      method: 'POST' as const,
      url,
      headers: {
        authorization: `Bearer ${books.key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      payload: body({ book: true }),
    };
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, n) => (n % 2 ? books.app : second.app).inject(request)),
    );
    await second.close();
    const statuses = new Set(responses.map(({ statusCode }) => statusCode));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    const ids = new Set(
      responses
        .filter(({ statusCode }) => statusCode === 200)
        .map((response) => response.json().id),
    );
    expect(ids.size).toBe(1);
    expect(await invoices()).toBe(before + 1);
    expect(await lastNumber()).toBe(numberBefore + 1);
  });

  test('many at once, good and bad, are numbered without a gap and never harm each other', async () => {
    await run(`update ledger.locks set period_locked_to = '2026-02-28'`);
    const numberBefore = await lastNumber();
    const kinds = Array.from({ length: 90 }, (_, n) => n % 3);
    const responses = await Promise.all(
      kinds.map((kind) =>
        post(
          body({
            book: true,
            ...(kind === 1 ? { invoiceDate: '2026-02-01' } : {}),
            ...(kind === 2 ? { rows: [row({ vatRate: 6 })] } : {}),
          }),
        ),
      ),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(
      kinds.map((kind) => (kind === 0 ? 200 : 422)),
    );
    const numbers = responses.flatMap((response) => response.json().invoice_number ?? []);
    expect(numbers.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, n) => numberBefore + 1 + n),
    );
    expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
  });
});

describe('keys', () => {
  test.each([
    [['ledger:write'] as const, ['data:read']],
    [['data:read'] as const, ['ledger:write']],
    [['intake:write'] as const, ['ledger:write', 'data:read']],
  ])('%j is not enough', async (scopes, missing) => {
    const { key } = await books.makeKey(scopes);
    const response = await post(body(), { key });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error: 'insufficient_scope', detail: { missing } });
  });

  test('a revoked key makes nothing', async () => {
    const { id, key } = await books.makeKey();
    await run(`update restricted.api_keys set revoked_at = now() where id = '${id}'`);
    expect((await post(body(), { key })).json().error).toBe('key_revoked');
  });
});

describe('dry run', () => {
  const check = (payload: object, address = url) =>
    books.app.inject({
      method: 'POST',
      url: `${address}?dryRun=true`,
      headers: { authorization: `Bearer ${books.key}`, 'content-type': 'application/json' },
      payload,
    });

  test('tells what would have been, and leaves no trace', async () => {
    const before = [
      await invoices(),
      await vouchers(),
      await lastNumber(),
      await count('select count(*)::integer as n from restricted.idempotency'),
    ];
    const response = await check(body({ book: true }));
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      dry_run: true,
      status: 'booked',
      net_amount: 9500,
      vat_amount: 2375,
      total_amount: 11875,
      due_date: '2026-04-30',
    });
    expect([
      await invoices(),
      await vouchers(),
      await lastNumber(),
      await count('select count(*)::integer as n from restricted.idempotency'),
    ]).toEqual(before);
  });

  test('refuses what the real call would refuse, without leaving a draft', async () => {
    const before = await invoices();
    await run(`update ledger.locks set period_locked_to = '2026-03-31'`);
    const locked = await check(body({ book: true }));
    expect(locked.statusCode).toBe(422);
    expect(locked.json()).toMatchObject({ error: 'unprocessable', detail: { lock: 'period' } });
    expect(locked.json().detail).not.toHaveProperty('invoice_id');
    expect((await check(body())).json()).toMatchObject({ dry_run: true, status: 'draft' });
    expect((await check(body({ rows: [row({ vatRate: 6 })] }))).statusCode).toBe(422);
    expect((await check(body({ paymentTerms: 91 }))).statusCode).toBe(400);
    expect(await invoices()).toBe(before);
  });

  test('of a voucher judges everything and posts nothing', async () => {
    const before = await vouchers();
    const voucher = (date: string, account = 3001) => ({
      seriesCode: 'A',
      date,
      description: 'Prov',
      rows: [
        { account: 1930, debit: 12.5, credit: 0 },
        { account, debit: 0, credit: 12.5 },
      ],
    });
    const address = '/api/v1/verifikat';
    expect((await check(voucher('2026-03-31'), address)).json()).toEqual({
      dry_run: true,
      series: 'A',
      verification_date: '2026-03-31',
      total_amount: 12.5,
    });
    await run(`update ledger.locks set period_locked_to = '2026-03-31'`);
    expect((await check(voucher('2026-03-31'), address)).json()).toMatchObject({
      error: 'period_locked',
      detail: { earliest_allowed_date: '2026-04-01' },
    });
    expect((await check(voucher('2026-04-01', 3333), address)).json()).toMatchObject({
      error: 'unprocessable',
      detail: { problems: [{ reason: 'unknown_account' }] },
    });
    expect(await vouchers()).toBe(before);
  });

  test('anything but true or false is 400, and false is no dry run', async () => {
    const response = await books.call({
      method: 'POST',
      url: `${url}?dryRun=yes`,
      payload: body(),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().detail.problems[0]).toMatchObject({ path: 'dryRun' });
    const real = await books.call({ method: 'POST', url: `${url}?dryRun=false`, payload: body() });
    expect(real.json()).toMatchObject({ status: 'draft' });
  });
});
