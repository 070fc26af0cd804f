import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rotateKey } from '#src/access/keys/rotation.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { getCollectionFacts } from '#src/sales/collection/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { openBooks } from './books.ts';

const url = '/api/inbound/order';
const reconciliation = '/api/inbound/avstamning';
const LIMIT = 1024 * 1024;
let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(() => books.close());

type Payload = string | Buffer | object;
const send = (payload: Payload, headers: Record<string, string> = {}, key?: string) =>
  books.call({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
    ...(key ? { key } : {}),
  });
const text = (overrides: object = {}) => JSON.stringify(orderBody(overrides));
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const row = (overrides: object = {}) => ({
  description: 'Vara',
  quantity: 1,
  unitPrice: 100,
  vatRate: 25,
  ...overrides,
});
const net = (overrides: object = {}) =>
  text({ pricesIncludeVat: false, total: undefined, rows: [row()], ...overrides });

const one = async <Row extends object>(statement: ReturnType<typeof sql>) => {
  const [found] = await db(books.owner).query<Row>(statement);
  return found;
};
const counts = () =>
  one<{ orders: number; attempts: number; invoices: number }>(sql`
    select (select count(*)::integer from intake.orders) as orders,
      (select count(*)::integer from intake.order_attempts) as attempts,
      (select count(*)::integer from sales.invoices) as invoices`);

interface Asked {
  externalIds?: string[];
  sha256s?: string[] | null;
}
const ask = (payload: Asked | object, key?: string) =>
  books.call({ method: 'POST', url: reconciliation, payload, ...(key ? { key } : {}) });

/** What a rejected order must look like. */
async function expectRejected(payload: Payload, reason: string) {
  const answer = await send(payload);
  expect(answer.statusCode).toBe(422);
  const { error, message, detail } = answer.json();
  expect(error).toBe('unprocessable');
  expect(detail).toMatchObject({ reason, stored: true, order_id: expect.any(String) });
  expect(detail.problems.length).toBeGreaterThan(0);
  expect(message).toBe(detail.problems[0].message);
  return answer.json();
}

test('a refund waits for a person, or is the order again, as its description says', async () => {
  const refund = { total: -199, rows: [row({ unitPrice: 199, quantity: -1 })] };
  const sold = text({ externalId: 'Å-1', total: 199, rows: [row({ unitPrice: 199 })] });
  const { invoiceId } = (await send(sold)).json();
  const before = await counts();
  const again = await send(text({ ...refund, externalId: 'Å-1' }));
  expect(again.json()).toMatchObject({ ok: true, invoiceId, duplicate: true });
  expect(await counts()).toEqual(before);
  await expectRejected(text({ ...refund, externalId: 'Å-1-retur' }), 'negative_total');
  const rows = [row({ unitPrice: 299 }), row({ unitPrice: 199, quantity: -1 })];
  expect((await send(text({ externalId: 'Å-2', total: 100, rows }))).statusCode).toBe(200);
});

describe('an order that can be billed', () => {
  test('has its units and discounts on the draft, and the discount off what was paid', async () => {
    const rows = [
      {
        description: 'Bönor',
        quantity: 1.5,
        unit: 'kg',
        unitPrice: 199,
        discountPct: 10,
        vatRate: 25,
      },
      { description: 'Frakt', quantity: 1, unitPrice: 49, vatRate: 25 },
    ];
    // 298,50 less 10 % is 268,65.
    const answer = await send(orderBody({ total: 317.65, rows }));
    expect(answer.statusCode, answer.body).toBe(200);
    expect(
      await db(books.owner).query(sql`select unit, discount_e2, net_ore + vat_ore as gross_ore
        from sales.invoice_rows where invoice_id = ${answer.json().invoiceId}::uuid order by row_no`),
    ).toEqual([
      { unit: 'kg', discount_e2: 1_000n, gross_ore: 26_865n },
      { unit: null, discount_e2: 0n, gross_ore: 4_900n },
    ]);
  });

  test('becomes a draft with the amounts, the buyer and the terms of the order', async () => {
    const body = orderBody({
      deliveryDate: '2026-03-30',
      customer: { name: 'Anna Andersson', email: 'anna@example.se' },
      total: 249,
      rows: [
        { description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 },
        { description: 'Bok', quantity: 2, unitPrice: 25, vatRate: 6, articleNumber: 'B-1' },
      ],
    });
    const answer = await send(body);
    expect(answer.statusCode).toBe(200);
    const { invoiceId, customerId, ...rest } = answer.json();
    expect(rest).toEqual({ ok: true });
    const invoice = await one(sql`select status, source, customer_id, invoice_date,
      delivery_date, due_date,
      net_ore, vat_ore, rounding_ore, total_ore, number, debtor from sales.invoices
      where id = ${invoiceId}`);
    expect(invoice).toEqual({
      status: 'draft',
      source: 'order',
      customer_id: customerId,
      invoice_date: '2026-03-31',
      delivery_date: '2026-03-30',
      due_date: '2026-04-30',
      // 199 − 39.80 and 50 − 2.83: VAT is a part of the price.
      net_ore: 20_637n,
      vat_ore: 4_263n,
      rounding_ore: 0n,
      total_ore: 24_900n,
      number: null,
      debtor: {
        name: 'Anna Andersson',
        email: 'anna@example.se',
        orgNumber: null,
        vatNumber: null,
        countryCode: null,
        address: null,
        postalCode: null,
        city: null,
        phone: null,
      },
    });
    const rows = await db(books.owner).query(sql`select description, account, net_ore, vat_ore,
      article_number from sales.invoice_rows where invoice_id = ${invoiceId} order by row_no`);
    expect(rows).toEqual([
      {
        description: 'Kaffebryggare',
        account: 3001,
        net_ore: 15_920n,
        vat_ore: 3_980n,
        article_number: null,
      },
      { description: 'Bok', account: 3003, net_ore: 4_717n, vat_ore: 283n, article_number: 'B-1' },
    ]);
    const customer = await one(sql`select name from sales.customers where id = ${customerId}`);
    expect(customer).toEqual({ name: 'Webbkunder' });
  });

  test('its bytes are kept as they came', async () => {
    const payload = `  ${text({ note: 'å' })}\n`;
    await send(payload);
    const kept = await one<{ raw: Buffer; request_id: string }>(
      sql`select raw from intake.order_attempts where sha256 = decode(${sha256(payload)}, 'hex')`,
    );
    expect(kept?.raw.toString()).toBe(payload);
  });

  test('sent again it is answered with the first invoice, marked as a duplicate', async () => {
    const body = orderBody();
    const first = (await send(body)).json();
    const before = await counts();
    for (const again of [
      JSON.stringify(body),
      JSON.stringify(body, null, 2),
      JSON.stringify({ ...body, externalId: ` ${body.externalId}` }),
    ]) {
      const answer = await send(again);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ ...first, duplicate: true });
    }
    expect(await counts()).toEqual(before);
  });

  test('a shop that changes an order under its number hears that the invoice is as the first, and in what they differ', async () => {
    const body = orderBody();
    const first = (await send(body)).json();
    const before = await counts();
    const { externalId, customer, ...rest } = body;
    const deep = `{"externalId":${JSON.stringify(externalId)},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const others: [Payload, string[]][] = [
      [{ ...body, total: 1, currency: 'EUR' }, ['currency', 'total']],
      [{ ...body, payments: [] }, ['payments']],
      [{ externalId, customer }, Object.keys(rest).sort()],
      [deep, ['x']],
    ];
    for (const [again, differingFields] of others) {
      const expected = { ...first, duplicate: true, differingFields };
      expect((await send(again)).json()).toEqual(expected);
      expect((await send(again, { prefer: 'respond-async' })).json()).toEqual(expected);
    }
    const bulk = await books.call({
      method: 'POST',
      url: `${url}/bunt`,
      payload: JSON.stringify([{ ...body, total: 2 }]),
    });
    expect(bulk.json().results[0]).toMatchObject({ duplicate: true, differingFields: ['total'] });
    expect(await counts()).toEqual(before);
  });

  test('in what an order differs from the one that another key sent is told to nobody, and to a key that replaced it is', async () => {
    const { id, key } = await books.makeKey(['intake:write']);
    const body = orderBody();
    await send(body, {}, key);
    const guess = { ...body, total: 1 };
    const answer = (await send(guess)).json();
    expect(answer).toMatchObject({ duplicate: true });
    expect(answer.differingFields).toBeUndefined();
    const { created } = await withTx(books.owner, (tx) => rotateKey(tx, id, 0, 'test'));
    expect((await send(guess, {}, created.key)).json().differingFields).toEqual(['total']);
  });

  test('sent many times at once, from two shops, with different bytes, it is billed once', async () => {
    const body = orderBody();
    const { key } = await books.makeKey(['intake:write']);
    const before = await counts();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, call) =>
        send(`${JSON.stringify(body)}${' '.repeat(call % 10)}`, {}, call % 2 ? key : undefined),
      ),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(30).fill(200));
    const bodies = answers.map((answer) => answer.json());
    expect(new Set(bodies.map(({ invoiceId }) => invoiceId)).size).toBe(1);
    expect(bodies.filter(({ duplicate }) => duplicate === undefined)).toHaveLength(1);
    const after = await counts();
    expect(after?.invoices).toBe(Number(before?.invoices) + 1);
    expect(after?.orders).toBe(Number(before?.orders) + 1);
  });

  test('fields that shops send besides are read past', async () => {
    const body = orderBody({ gateway: { id: [1, null, { x: 'y' }] }, tags: [] });
    const rows = [{ ...orderBody().rows[0], weight: 7, options: [{ a: 1 }] }];
    expect((await send({ ...body, rows })).statusCode).toBe(200);
  });

  test('a number that is 255 characters of two units each is still one order', async () => {
    const externalId = '\u{1F4E6}'.repeat(255);
    const first = await send(text({ externalId }));
    expect(first.statusCode).toBe(200);
    const again = await send(text({ externalId, note: 'other bytes' }));
    expect(again.json()).toMatchObject({ ...first.json(), duplicate: true });
    const asked = await ask({ externalIds: [externalId] });
    expect(asked.json().orders[0].status).toBe('draft');
  });

  test('a number in another spelling is the same order, shown as it came', async () => {
    const number = `Å-${randomUUID()}`;
    const spellings = [` ${number}`, number.normalize('NFD'), `\u00a0${number}\ufeff\n`, number];
    const before = await counts();
    const answers = await Promise.all(
      spellings.map((externalId) => send(text({ externalId, currency: 'EUR' }))),
    );
    expect(new Set(answers.map((answer) => answer.json().detail.order_id)).size).toBe(1);
    expect(answers.map((answer) => answer.json().detail.external_id)).toEqual(spellings);
    const billed = await Promise.all(spellings.map((externalId) => send(text({ externalId }))));
    expect(new Set(billed.map((answer) => answer.json().invoiceId)).size).toBe(1);
    expect(billed.filter((answer) => answer.json().duplicate !== true)).toHaveLength(1);
    const after = await counts();
    expect([after?.orders, after?.invoices]).toEqual([
      Number(before?.orders) + 1,
      Number(before?.invoices) + 1,
    ]);
    const { orders } = (await ask({ externalIds: spellings })).json();
    expect(orders.map((order: { externalId: string }) => order.externalId)).toEqual(spellings);
    for (const { status, invoiceId } of orders) {
      expect([status, invoiceId]).toEqual(['draft', billed[0]?.json().invoiceId]);
    }
    const inner = await send(text({ externalId: number.replace('-', ' -') }));
    expect(inner.json().invoiceId).not.toBe(billed[0]?.json().invoiceId);
  });

  test('the content type neither opens nor closes anything', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      expect((await send(text(), { 'content-type': type })).statusCode).toBe(200);
    }
    const bare = await books.call({ method: 'POST', url, payload: Buffer.from(text()) });
    expect(bare.statusCode).toBe(200);
  });

  test('it becomes a draft in a locked period too: booking is what a lock stops', async () => {
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-12-31', 'test'));
    try {
      expect((await send(text())).statusCode).toBe(200);
    } finally {
      await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
    }
  });

  test('an unknown parameter is named before anything is stored', async () => {
    const before = await counts();
    const answer = await books.call({
      method: 'POST',
      url: `${url}?book=true`,
      payload: orderBody(),
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail.problems[0].path).toBe('book');
    expect(await counts()).toEqual(before);
  });
});

describe('an order that cannot be billed', () => {
  test.each<[string, object | string]>([
    ['currency_not_supported', { currency: 'EUR' }],
    ['currency_not_supported', { currency: 'sek' }],
    ['vat_rate_not_supported', { rows: [row({ unitPrice: 199, vatRate: 24 })] }],
    ['vat_rate_not_supported', { rows: [row({ unitPrice: 199, vatRate: 0.25 })] }],
    ['total_mismatch', { total: 250 }],
    ['vat_treatment_unclear', { rows: [row({ unitPrice: 199, vatRate: 0 })] }],
    ['date_outside_fiscal_year', { orderDate: '2031-01-01' }],
    ['negative_total', { total: -199, rows: [row({ unitPrice: 199, quantity: -1 })] }],
    ['invalid_order', { orderDate: '2026-02-30' }],
    ['invalid_order', { total: undefined }],
    ['invalid_order', { rows: [] }],
    ['invalid_order', { rows: [row({ quantity: '1' })] }],
    ['invalid_order', { rows: [row({ unitPrice: 1.00001 })] }],
    ['invalid_order', { customer: null }],
    ['invalid_order', { customer: { name: 'A', countryCode: 'Sverige!' } }],
    ['invalid_order', { pricesIncludeVat: 'true' }],
    ['invalid_order', { externalId: 17 }],
    ['invalid_order', { externalId: '' }],
    ['invalid_order', { externalId: 'x'.repeat(256) }],
    ['invalid_order', { rows: [row({ unitPrice: 9e9 }), row({ unitPrice: 9e9 })], total: 1.8e10 }],
  ])('is stored with its reason: %s', async (reason, overrides) => {
    const before = await counts();
    const payload = text(overrides as object);
    const { detail } = await expectRejected(payload, reason);
    const after = await counts();
    expect(after).toEqual({
      orders: Number(before?.orders) + 1,
      attempts: Number(before?.attempts) + 1,
      invoices: before?.invoices,
    });
    // Sent again unchanged, it is refused again and nothing new is stored.
    const again = await expectRejected(payload, reason);
    expect(again.detail).toEqual(detail);
    expect(await counts()).toEqual(after);
  });

  test('the stored number and the faults are told', async () => {
    const { detail, message } = await expectRejected(
      text({ externalId: 'R-1', currency: 'EUR', orderDate: '2031-01-01' }),
      'currency_not_supported',
    );
    expect(detail.external_id).toBe('R-1');
    expect(detail.problems.map(({ path }: { path: string }) => path)).toEqual([
      'currency',
      'orderDate',
    ]);
    expect(message).toContain('EUR');
  });

  test.each(['sek', 'Sek', 'SEK '])(
    'a currency written ”%s” is told how to be written',
    async (currency) => {
      const { message } = await expectRejected(text({ currency }), 'currency_not_supported');
      expect(message).toBe(`currency är ”${currency}”; skriv SEK.`);
    },
  );

  test('a total that does not add up shows the öre of every row', async () => {
    const { detail } = await expectRejected(
      text({ externalId: 'R-2', total: 250, rows: [row({ unitPrice: 199 })] }),
      'total_mismatch',
    );
    expect(detail.oren).toEqual({
      prices_include_vat: true,
      rows: [{ row_no: 1, vat_rate: 25, net: 159.2, vat: 39.8, gross: 199 }],
      vat_rounded_per_rate: { net: 159.2, vat: 39.8, gross: 199 },
      vat_rounded_per_row: { net: 159.2, vat: 39.8, gross: 199 },
      total: 250,
      difference: 51,
    });
  });

  test('without a customer for unknown buyers, a known one is still billed', async () => {
    const customer = randomUUID();
    await db(books.owner).query(sql`insert into sales.customers (id, name)
      values (${customer}, 'Kända AB')`);
    const before = await one<{ id: string }>(
      sql`select collective_customer_id as id from restricted.company`,
    );
    await db(books.owner).query(sql`update restricted.company set collective_customer_id = null`);
    try {
      await expectRejected(text(), 'customer_unknown');
      const known = await send(text({ customer: { name: 'Kända AB' } }));
      expect(known.json().customerId).toBe(customer);
    } finally {
      await db(books.owner).query(
        sql`update restricted.company set collective_customer_id = ${before?.id}`,
      );
    }
  });

  test('an account that is missing or inactive is named; mended and sent anew it is billed', async () => {
    const body = orderBody();
    const activate = (isActive: boolean) =>
      db(books.owner).query(
        sql`update ledger.accounts set is_active = ${isActive} where number = 3001`,
      );
    await activate(false);
    try {
      const { detail } = await expectRejected(body, 'account_missing');
      expect(detail.problems[0].account).toBe(3001);
    } finally {
      await activate(true);
    }
    expect((await send({ ...body, sent: 2 })).statusCode).toBe(200);
  });

  test('rejected and then corrected, it is judged afresh and billed', async () => {
    const body = orderBody({ currency: 'EUR' });
    const { detail } = await expectRejected(body, 'currency_not_supported');
    const second = await expectRejected({ ...body, currency: 'NOK' }, 'currency_not_supported');
    expect(second.detail.order_id).toBe(detail.order_id);
    const answer = await send({ ...body, currency: 'SEK' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().duplicate).toBeUndefined();
    // The rejected body is now a duplicate of what has been billed.
    const again = await send(body);
    expect(again.json()).toEqual({
      ...answer.json(),
      duplicate: true,
      differingFields: ['currency'],
    });
  });

  test.each<[string, string]>([
    ['an empty list', '[]'],
    ['a list of orders', `[${text()}]`],
    ['null', 'null'],
    ['a number', '17'],
    ['a text', '"order"'],
    ['an empty object', '{}'],
    ['an object without externalId', '{"orderDate":"2026-03-31"}'],
    ['NUL in a text', text({ customer: { name: 'A\0B' } })],
    ['NUL in externalId', text({ externalId: 'A\0B' })],
    ['NUL in a name', text({ 'a\0b': 1 })],
    ['NUL in a name and its text', text({ 'a\0b': { c: 'x\0' } })],
    ['half a character', text({ customer: { name: '\ud83e' } })],
    ['half a character in a name and its text', text({ '\ud83e': '\ud83e' })],
    ['a name given twice', text().replace('{', '{"currency":"EUR",')],
    ['a name with NUL given twice', '{"a\\u0000":1,"a\\u0000":2}'],
    ['externalId given twice', text().replace('{', '{"externalId":"other",')],
    ['lists in lists without end', '['.repeat(5_000) + ']'.repeat(5_000)],
    [
      'a field nested without end',
      text({ deep: 0 }).replace('"deep":0', `"deep":${'['.repeat(99)}${']'.repeat(99)}`),
    ],
    ['1e400', text({ total: 0 }).replace('"total":0', '"total":1e400')],
    ['thousands of faults', JSON.stringify({ rows: Array(20_000).fill(1) })],
    ['thousands of NULs', JSON.stringify(Array(20_000).fill('\0'))],
  ])('%s is stored as invalid_order, not lost and not stuck', async (_, payload) => {
    // Fresh bytes each run, since an order without a number is known by them.
    const { detail } = await expectRejected(payload, 'invalid_order');
    expect(detail.problems.length).toBeLessThanOrEqual(101);
    const asked = await ask({ sha256s: [sha256(payload)] });
    expect(asked.json().orders[0]).toMatchObject({ status: 'rejected', reason: 'invalid_order' });
  });

  test('what is not JSON is refused and not stored', async () => {
    const before = await counts();
    for (const payload of [
      ...['', 'hello', '{', `${text()}}`, 'NaN', '{"a":01}', "{'a':1}", '\ufeff', '<order/>'],
      Buffer.from(text({ customer: { name: 'Åsa' } }), 'latin1'),
      Buffer.from(text(), 'utf16le'),
    ]) {
      const answer = await send(payload);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toBe('invalid_request');
    }
    expect(await counts()).toEqual(before);
  });

  test('1 MB is taken, a byte more is not', async () => {
    const padded = (bytes: number) => {
      const body = text();
      return body + ' '.repeat(bytes - Buffer.byteLength(body));
    };
    expect((await send(padded(LIMIT))).statusCode).toBe(200);
    const before = await counts();
    const over = await send(padded(LIMIT + 1));
    expect(over.statusCode).toBe(413);
    expect(over.json().error).toBe('payload_too_large');
    expect(await counts()).toEqual(before);
  });
});

describe('whose invoice it is', () => {
  const customers: Record<string, string> = {};
  beforeAll(async () => {
    const make = async (name: string, fields: Record<string, string | boolean>) => {
      const id = randomUUID();
      customers[name] = id;
      const { email = null, org = null, vat = null, active = true } = fields;
      await db(books.owner).query(sql`insert into sales.customers (id, name, email,
          organization_number, vat_number, is_active)
        values (${id}, ${name}, ${email}, ${org}, ${vat}, ${active})`);
      const { outside = null } = fields;
      await db(books.owner).query(
        sql`update sales.customers set external_id = ${outside} where id = ${id}`,
      );
    };
    await make('Butikens kund', { outside: 'Å-88' });
    await make('Vilande butikskund', { outside: '89', active: false });
    await make('Momskunden AB', { vat: 'SE556016068001' });
    await make('Orgkunden AB', { org: '5560125790' });
    await make('Mejlkunden', { email: 'Kund@Example.se' });
    await make('Namnkunden HB', {});
    await make('Vilande AB', { email: 'vilande@example.se', active: false });
  });

  test.each<[string, object]>([
    ['Butikens kund', { name: 'x', externalId: ' A\u030a-88', vatNumber: 'SE556016068001' }],
    ['Momskunden AB', { name: 'x', externalId: 'å-88', vatNumber: 'SE 556016-0680 01' }],
    ['Momskunden AB', { name: 'x', externalId: 88, vatNumber: 'SE 556016-0680 01' }],
    ['Momskunden AB', { name: 'x', externalId: 'a'.repeat(256), vatNumber: 'SE556016068001' }],
    ['Momskunden AB', { name: 'x', vatNumber: 'SE 556016-0680 01' }],
    ['Momskunden AB', { name: 'Namnkunden HB', vatNumber: 'se556016068001' }],
    ['Orgkunden AB', { name: 'Namnkunden HB', orgNumber: '556012-5790' }],
    ['Orgkunden AB', { name: 'x', orgNumber: '165560125790', email: 'kund@example.se' }],
    ['Mejlkunden', { name: 'Namnkunden HB', email: ' KUND@example.SE ' }],
    ['Namnkunden HB', { name: ' namnkunden hb' }],
  ])('%s is found by its strongest sign', async (name, customer) => {
    const answer = await send(text({ customer }));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().customerId).toBe(customers[name]);
  });

  test.each<[string, object]>([
    ['an inactive customer of the shop', { name: 'Vilande', externalId: '89' }],
    ['an inactive customer', { name: 'Vilande AB', email: 'vilande@example.se' }],
    ['a name with a wildcard', { name: 'Namnkunden%' }],
    ['a stranger', { name: 'Okänd' }],
  ])('%s is billed as one of many, under the name of the order', async (_, customer) => {
    const answer = await send(text({ customer }));
    const { customerId, invoiceId } = answer.json();
    const invoice = await one<{ debtor: { name: string }; name: string }>(sql`
      select i.debtor, c.name from sales.invoices i join sales.customers c on c.id = i.customer_id
      where i.id = ${invoiceId} and c.id = ${customerId}`);
    expect(invoice?.name).toBe('Webbkunder');
    expect(invoice?.debtor.name).toBe((customer as { name: string }).name);
  });
});

describe('the buyer on the invoice', () => {
  const debtorOf = (invoiceId: string) =>
    one<{ debtor: Record<string, string | null>; filled: string[]; status: string }>(sql`
      select debtor, debtor_filled as filled, status from sales.invoices where id = ${invoiceId}`);

  test('is the order’s own, its gaps filled from the register, and as that stands when it is booked', async () => {
    const id = randomUUID();
    await db(books.owner).query(sql`insert into sales.customers (id, name, organization_number)
      values (${id}, 'Fyllnadskunden AB', '5568320120')`);
    const customer = { name: 'Fyllnadskunden', orgNumber: '556832-0120', email: 'a@example.se' };
    const { invoiceId } = (await send(text({ customer }))).json();
    expect(await debtorOf(invoiceId)).toMatchObject({ filled: ['countryCode'] });
    await db(books.owner).query(sql`update sales.customers set address = 'Storgatan 1',
      postal_code = '111 22', city = 'Stockholm', vat_number = 'SE556832012001', email = 'b@example.se'
      where id = ${id}`);
    await withTx(books.owner, (tx) => bookInvoices(tx, [invoiceId], 'test'));
    const booked = await debtorOf(invoiceId);
    expect(booked).toMatchObject({
      status: 'booked',
      debtor: {
        ...{ name: 'Fyllnadskunden', email: 'a@example.se', orgNumber: '5568320120' },
        ...{ vatNumber: 'SE556832012001', countryCode: 'SE', address: 'Storgatan 1' },
      },
    });
    expect(booked?.filled.toSorted()).toEqual([
      ...['address', 'city', 'countryCode', 'postalCode', 'vatNumber'],
    ]);
    const facts = await getCollectionFacts(db(books.owner), invoiceId, 'Europe/Stockholm');
    expect(facts?.debtor).toMatchObject({ address: 'Storgatan 1', city: 'Stockholm' });
    // Frozen: what the register says later does not reach it.
    await db(books.owner).query(sql`update sales.customers set city = 'Göteborg' where id = ${id}`);
    await expect(
      books.owner.query(`update sales.invoices set debtor_filled = '{}' where id = '${invoiceId}'`),
    ).rejects.toThrow('never changed');
    expect(await debtorOf(invoiceId)).toEqual(booked);
  });

  test('may be told whole by the order, and one of many gets nothing from the collective customer', async () => {
    const customer = { name: 'Ny', address: 'Vägen 2', postalCode: '903 20', city: 'Umeå' };
    await books.owner.query(`update sales.customers set address = 'Lagret', phone = '090'
      where name = 'Webbkunder'`);
    const { invoiceId } = (await send(text({ customer }))).json();
    await withTx(books.owner, (tx) => bookInvoices(tx, [invoiceId], 'test'));
    expect(await debtorOf(invoiceId)).toMatchObject({
      debtor: { address: 'Vägen 2', phone: null },
      filled: [],
    });
  });
});

describe('not waiting for the answer', () => {
  test('Prefer: respond-async is answered at once where no worker has decided, and says so', async () => {
    const idle = await openBooks({ env: { INTAKE_WAIT_MS: '0' } });
    try {
      const answerTo = (prefer: string) =>
        idle.call({ method: 'POST', url, payload: orderBody(), headers: { prefer } });
      for (const prefer of ['respond-async, wait=5', 'wait=5, Respond-Async; x=1']) {
        const answer = await answerTo(prefer);
        expect(answer.statusCode).toBe(202);
        expect(answer.headers['preference-applied']).toBe('respond-async');
        const { ok, status, orderId } = answer.json();
        expect({ ok, status, orderId }).toEqual({
          ok: true,
          status: 'queued',
          orderId: expect.any(String),
        });
      }
      const waited = await answerTo('no-respond-async');
      expect(waited.statusCode).toBe(503);
      expect(waited.headers).not.toHaveProperty('preference-applied');
    } finally {
      await idle.close();
    }
  });

  test('what became of an order that was not waited for stands in the reconciliation', async () => {
    const body = orderBody();
    const { orderId } = (await send(body, { prefer: 'respond-async' })).json();
    await vi.waitFor(
      async () => {
        const [order] = (await ask({ externalIds: [body.externalId] })).json().orders;
        expect(order).toMatchObject({ externalId: body.externalId, orderId, status: 'draft' });
        expect(order.invoiceId).toMatch(/^[0-9a-f-]{36}$/);
      },
      { timeout: 150_000 },
    );
    const again = await send(body, { prefer: 'respond-async' });
    expect(again.statusCode).toBe(200);
    expect(again.json().duplicate).toBe(true);
  });

  test('an order whose job was lost is queued anew when it is sent again, and not before', async () => {
    const idle = await openBooks({ env: { INTAKE_WAIT_MS: '0' } });
    try {
      const body = orderBody();
      const post = () => idle.call({ method: 'POST', url, payload: body });
      const jobs = async () => {
        const [row] = await db(idle.owner).query<{ count: number }>(
          sql`select count(*)::integer as count from pgboss.job where name = 'order-intake'`,
        );
        return row?.count;
      };
      await post();
      await post();
      expect(await jobs()).toBe(1);
      await idle.owner.query(`begin;
        alter table intake.order_attempts disable trigger order_attempts_are_frozen;
        update intake.order_attempts set received_at = now() - interval '6 minutes';
        alter table intake.order_attempts enable trigger order_attempts_are_frozen; commit`);
      expect((await post()).statusCode).toBe(503);
      expect(await jobs()).toBe(2);
    } finally {
      await idle.close();
    }
  });

  test('with no worker the caller is told to come back; the order is safe and drafted once', async () => {
    const slow = await openBooks({ env: { INTAKE_WAIT_MS: '50' } });
    try {
      const body = orderBody();
      const post = () => slow.call({ method: 'POST', url, payload: body });
      for (let call = 0; call < 3; call += 1) {
        const answer = await post();
        expect(answer.statusCode).toBe(503);
        expect(answer.json()).toMatchObject({
          error: 'processing_delayed',
          detail: { stored: true, order_id: expect.any(String) },
        });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      const asked = await slow.call({
        method: 'POST',
        url: reconciliation,
        payload: { externalIds: [body.externalId] },
      });
      expect(asked.json().orders[0]).toMatchObject({ status: 'received', reason: null });
      const [attempt] = await db(slow.owner).query<{ id: string; attempts: number }>(
        sql`select id, count(*) over ()::integer as attempts from intake.order_attempts`,
      );
      expect(attempt?.attempts).toBe(1);
      const { judgeAttempts } = await import('#src/intake/orders/service.ts');
      await withTx(slow.owner, (tx) => judgeAttempts(tx, [attempt?.id ?? '']));
      const answer = await post();
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ ok: true, duplicate: true });
    } finally {
      await slow.close();
    }
  });
});

describe('POST /api/inbound/avstamning', () => {
  test('a new key that sends an order again knows it, and one that never did does not', async () => {
    const order = orderBody();
    await send(order);
    const { key } = await books.makeKey(['intake:write']);
    const asked = { externalIds: [order.externalId] };
    expect((await ask(asked, key)).json().orders[0].status).toBe('unknown');
    expect((await send({ ...order, total: 1 }, {}, key)).json().duplicate).toBe(true);
    expect((await ask(asked, key)).json().orders[0].status).toBe('draft');
  });

  test('a key that replaces another knows the orders that one sent', async () => {
    const { id, key } = await books.makeKey(['intake:write']);
    const order = orderBody();
    await send(order, {}, key);
    const { created } = await withTx(books.owner, (tx) => rotateKey(tx, id, 0, 'test'));
    const asked = { externalIds: [order.externalId] };
    expect((await ask(asked, created.key)).json().orders[0].status).toBe('draft');
  });

  test('tells of the orders this key sent, and of nobody else’s', async () => {
    const { key } = await books.makeKey(['intake:write']);
    const mine = orderBody();
    const theirs = orderBody();
    const bad = orderBody({ currency: 'EUR' });
    const { invoiceId, customerId } = (await send(mine, {}, key)).json();
    await send(theirs);
    await send(bad, {}, key);
    const externalIds = [mine, theirs, bad].map(({ externalId }) => externalId);
    const sha256s = [mine, theirs].map((body) => sha256(JSON.stringify(body)));
    const { orders } = (await ask({ externalIds: [...externalIds, 'never'], sha256s }, key)).json();
    expect((await ask({ externalIds, sha256s: null }, key)).json().orders).toEqual(
      orders.slice(0, externalIds.length),
    );
    const unknown = { status: 'unknown' };
    const draft = { status: 'draft', reason: null, invoiceId, customerId };
    expect(orders).toEqual([
      expect.objectContaining({ externalId: mine.externalId, ...draft }),
      { externalId: theirs.externalId, ...unknown },
      expect.objectContaining({
        externalId: bad.externalId,
        status: 'rejected',
        reason: 'currency_not_supported',
        invoiceId: null,
      }),
      { externalId: 'never', ...unknown },
      expect.objectContaining({ sha256: sha256s[0], ...draft }),
      { sha256: sha256s[1], ...unknown },
    ]);
  });

  test('the latest body of an order speaks for it, each by its hash for itself', async () => {
    const body = orderBody({ currency: 'EUR' });
    await send(body);
    await send({ ...body, currency: 'SEK' });
    const first = sha256(JSON.stringify(body));
    const { orders } = (await ask({ externalIds: [body.externalId], sha256s: [first] })).json();
    expect(orders.map(({ status }: { status: string }) => status)).toEqual(['draft', 'draft']);
  });

  test('takes a thousand questions and no more', async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `q-${n}`);
    const full = await ask({ externalIds: ids });
    expect(full.statusCode).toBe(200);
    expect(full.json().orders).toHaveLength(1_000);
    expect((await ask({ externalIds: [...ids, 'one more'] })).statusCode).toBe(400);
    const both = await ask({ externalIds: ids, sha256s: ['0'.repeat(64)] });
    expect(both.statusCode).toBe(400);
    expect((await ask({})).json()).toEqual({ orders: [] });
  });

  test.each([
    [{ externalId: ['a'] }, 'externalId'],
    [{ externalIds: 'a' }, 'externalIds'],
    [{ externalIds: [1] }, 'externalIds[0]'],
    [{ externalIds: [''] }, 'externalIds[0]'],
    [{ externalIds: ['a\0'] }, 'externalIds[0]'],
    [{ sha256s: ['x'] }, 'sha256s[0]'],
    [{ sha256s: ['A'.repeat(64)] }, 'sha256s[0]'],
    [[], 'body'],
  ])('%j is refused by name', async (payload, path) => {
    const answer = await ask(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail.problems[0].path).toBe(path);
  });
});

describe('automatic booking', () => {
  test('an accepted order is booked by itself: number, OCR and voucher in series B', async () => {
    const set = (value: string) =>
      withTx(books.owner, (tx) => changeSetting(tx, 'order-booking', value, 'test'));
    await set('on');
    try {
      const { invoiceId } = (await send(text())).json();
      const invoice = await vi.waitFor(
        async () => {
          const found = await one<{ status: string; number: number; ocr: string; v: string }>(
            sql`select status, number, ocr, voucher_id as v from sales.invoices where id = ${invoiceId}`,
          );
          expect(found?.status).toBe('booked');
          return found;
        },
        { timeout: 150_000 },
      );
      expect(invoice?.number).toBeGreaterThan(1_000);
      expect(invoice?.ocr).toMatch(new RegExp(`^${invoice?.number}\\d{2}$`));
      const read = await books.call({ url: `/api/v1/verifikat?id=${invoice?.v}` });
      const [voucher] = read.json().data;
      expect(voucher).toMatchObject({
        series: 'B',
        source: 'invoice',
        verification_date: '2026-03-31',
      });
      expect(voucher.rows).toEqual([
        expect.objectContaining({ account: 1510, debit: 199, credit: 0 }),
        expect.objectContaining({ account: 3001, debit: 0, credit: 159.2 }),
        expect.objectContaining({ account: 2611, debit: 0, credit: 39.8 }),
      ]);
      const free = { total: 0, rows: [row({ unitPrice: 199 }), row({ unitPrice: -199 })] };
      const unverified = {
        customer: { name: 'Kunde GmbH', countryCode: 'DE', vatNumber: 'DE123456789' },
        rows: [row({ unitPrice: 199, vatRate: 0 })],
      };
      const waiting = (await send(text(unverified))).json().invoiceId;
      const paid = (await send(text(free))).json().invoiceId;
      // The free one came last and needs no person; what rests on an unchecked VAT number does.
      const statuses = () =>
        one(sql`select (select status from sales.invoices where id = ${paid}) as paid,
          (select status from sales.invoices where id = ${waiting}) as waiting,
          (select count(*)::integer from pgboss.job where data ->> 'invoiceId' = ${waiting}) as jobs`);
      await vi.waitFor(
        async () => expect(await statuses()).toEqual({ paid: 'paid', waiting: 'draft', jobs: 0 }),
        { timeout: 150_000 },
      );
    } finally {
      await set('off');
    }
  });
});

describe('whatever a shop sends', () => {
  const anyValue = fc.anything({ withNullPrototype: false, maxDepth: 3 });
  const anyRow = fc.record(
    {
      description: fc.oneof(fc.string({ unit: 'binary' }), anyValue),
      quantity: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double()),
      unitPrice: fc.oneof(
        fc.integer({ min: 0, max: 99_999 }).map((ore) => ore / 100),
        fc.double(),
      ),
      vatRate: fc.oneof(fc.constantFrom(25, 12, 6, 0), fc.double()),
      articleNumber: anyValue,
    },
    { requiredKeys: ['quantity', 'unitPrice', 'vatRate'] },
  );
  const anyOrder = fc.record(
    {
      externalId: fc.oneof(fc.uuid(), fc.string({ unit: 'binary' }), anyValue),
      orderDate: fc.constantFrom('2026-05-05', '2026-02-30', ''),
      currency: fc.constantFrom('SEK', 'EUR', '\0', ''),
      pricesIncludeVat: fc.oneof(fc.boolean(), anyValue),
      total: fc.oneof(fc.double(), fc.nat(), anyValue),
      customer: fc.oneof(
        fc.record({ name: fc.string({ unit: 'binary' }), email: anyValue, vatNumber: fc.string() }),
        anyValue,
      ),
      rows: fc.oneof(fc.array(anyRow, { maxLength: 4 }), anyValue),
    },
    { requiredKeys: [] },
  );

  test('it is billed or stored with a reason, at once: never a fault of ours, never stuck', async () => {
    const property = fc.asyncProperty(fc.oneof(anyOrder, fc.jsonValue()), async (body) => {
      const answer = await send(JSON.stringify(body) ?? '');
      expect([200, 400, 422]).toContain(answer.statusCode);
    });
    await fc.assert(property, { numRuns: tries(60) });
  });

  test('afterwards no order waits and no job has failed', async () => {
    const left = await one(sql`
      select (select count(*)::integer from intake.order_attempts where status = 'received') as waiting,
        (select count(*)::integer from pgboss.job where state in ('retry', 'failed')) as failed`);
    expect(left).toEqual({ waiting: 0, failed: 0 });
  });

  test('an order without VAT in its prices is billed to the öre', async () => {
    const answer = await send(net({ rows: [row({ unitPrice: 33.33, quantity: 3 })] }));
    const invoice = await one(sql`select net_ore, vat_ore, total_ore from sales.invoices
      where id = ${answer.json().invoiceId}`);
    expect(invoice).toEqual({ net_ore: 9_999n, vat_ore: 2_500n, total_ore: 12_499n });
  });
});
