/** Invoices to customers and from suppliers read by key: whole, by what a shop knows, and in a copy that loses nothing. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { connect, db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { writeInvoice, writeOutlay } from '#src/purchases/by-hand/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { bookPurchases, rejectPurchase } from '#src/purchases/inbox/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { deleteDraft } from '#src/sales/invoices/draft-store.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type Installation, orderBody, TODAY } from '../support/installation.ts';
import { openBooks } from './books.ts';

type Told = Record<string, unknown>;

let books: Installation;
let customerId = '';
let supplierId = '';
let drafts: string[] = [];
let booked = '';
let ordered = '';
let purchase = '';
let outlay = '';

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const get = (path: string, headers: Record<string, string> = {}) =>
  books.call({ url: `/api/v1/${path}`, headers });
const data = async (path: string): Promise<Told[]> => {
  const answer = await get(path);
  expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
  return answer.json().data;
};
const ids = (those: readonly Told[]) => those.map(({ id }) => id);
const create = async (more: object = {}) => {
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId,
      invoiceDate: '2026-03-02',
      paymentTerms: 30,
      rows: [
        { description: 'Timmar', quantity: 1.5, unitPrice: 33.33, vatRate: 25, account: 3001 },
        { description: 'Mat', quantity: 3, unitPrice: 0.07, vatRate: 12, account: 3002 },
      ],
      ...more,
    },
  });
  expect([answer.statusCode, answer.json().message]).toEqual([200, undefined]);
  return answer.json().id as string;
};
const line = (account: number, ore: bigint) => ({
  ...{ account, ore, vatCode: 'I25', deduction: wholeDeduction },
  ...{ note: 'Kaffe', costCenter: null, project: null },
});
const written = {
  ...{ issueDate: '2026-03-10', dueDate: null, reference: null, documentIds: [] },
  ...{ totalOre: 12_500n, vatOre: null, isVatIncluded: false, lines: [line(6110, 10_000n)] },
};

beforeAll(async () => {
  books = await openBooks({ workers: true });
  const [customer] = await db(books.owner).query<{ id: string }>(sql`
    insert into sales.customers (id, name, email, organization_number, payment_terms_days)
    values (${randomUUID()}, 'Granen AB', 'granen@kund.example', '5560360793', 30) returning id`);
  customerId = customer?.id ?? '';
  drafts = [await create(), await create(), await create()];
  booked = await create({ book: true, yourReference: 'Anna' });
  const order = await books.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: orderBody({ externalId: ' Ångström-7 ' }),
  });
  ordered = order.json().invoiceId;
  await owner(async (tx) => {
    const supplier = {
      ...{ name: 'Bilbolaget AB', organizationNumber: null, vatNumber: null, endpoint: null },
      ...{ countryCode: 'SE', account: null, paymentDays: 10 },
      accounts: [{ kind: 'bankgiro' as const, number: '9912346' }],
    };
    supplierId = (await createSupplier(tx, supplier, 'test')).id;
    const invoice = { kind: 'invoice' as const, supplierId, invoiceNumber: 'F-1', payTo: null };
    purchase = await writeInvoice(tx, null, { ...invoice, ...written }, 'test');
    const kind = 'invoice' as const;
    const bought = {
      kind,
      laidOutBy: 'Anna Anställd',
      debtAccount: 2820,
      sellerName: 'Kaffehuset',
    };
    outlay = await writeOutlay(tx, null, { ...bought, invoiceNumber: null, ...written }, 'test');
  });
});
afterAll(() => books.close());

describe('customer invoices', () => {
  test('one is told whole, and alike in the list', async () => {
    await owner((tx) =>
      registerPayment(
        tx,
        { today: TODAY, invoiceId: booked, date: '2026-03-20', amountOre: 1_033n },
        'test',
      ),
    );
    const one = (await get(`kundfakturor/${booked}`)).json();
    expect(await data(`kundfakturor?id=${booked}`)).toEqual([one]);
    expect(one).toMatchObject({
      ...{ kind: 'invoice', status: 'booked', source: 'api', external_id: null },
      ...{ customer_id: customerId, invoice_date: '2026-03-02', due_date: '2026-04-01' },
      debtor: { name: 'Granen AB', org_number: '5560360793', country_code: 'SE' },
      ...{ net_amount: 50.21, vat_amount: 12.53, total_amount: 62.74, your_reference: 'Anna' },
      ...{ fees_amount: 0, paid_amount: 10.33, credited_amount: 0, remaining_amount: 52.41 },
      rows: [
        {
          row_no: 1,
          quantity: 1.5,
          unit_price: 33.33,
          vat_rate: 25,
          account: 3001,
          net_amount: 50,
        },
        { row_no: 2, quantity: 3, unit_price: 0.07, vat_rate: 12, account: 3002, net_amount: 0.21 },
      ],
      payments: [{ date: '2026-03-20', amount: 10.33, kind: 'money', account: 1930 }],
      url: `https://bok.example/kundfakturor/${booked}`,
    });
    const vouchers = await data(`verifikat?id=${one.voucher_id}`);
    expect(vouchers).toMatchObject([{ source: 'invoice', series: 'B' }]);
    const { next_cursor: none, has_more: more } = (await get(`kundfakturor?id=${booked}`)).json();
    expect([none, more]).toEqual([null, false]);
  });

  test('a shop finds the invoice of its order by the number that it gave it', async () => {
    const decomposed = encodeURIComponent('A\u030angstro\u0308m-7');
    const [found] = await data(`kundfakturor?externalId=${decomposed}&externalId=annan`);
    expect(found).toMatchObject({ id: ordered, external_id: ' Ångström-7 ', source: 'order' });
    expect(await data('kundfakturor?externalId=annan')).toEqual([]);
  });

  test('filters hold together, and each takes several', async () => {
    expect(await data(`kundfakturor?status=booked&id=${drafts[0]}`)).toEqual([]);
    const some = await data(`kundfakturor?status=booked&status=paid&customer=${customerId}`);
    expect(ids(some)).toEqual([booked]);
    expect(ids(await data(`kundfakturor?customer=${randomUUID()}`))).toEqual([]);
    const three = await data(`kundfakturor?status=draft&customer=${customerId}`);
    expect(ids(three)).toEqual([...drafts].sort());
  });

  test('while pages are read, what comes, is paid and is removed skips and repeats nothing', async () => {
    const there = ids(await data('kundfakturor?limit=200'));
    const first = (await get('kundfakturor?limit=2')).json();
    const [gone] = first.data;
    const added = await create();
    await owner((tx) => deleteDraft(tx, gone.id));
    const found: Told[] = [...first.data];
    for (let page = first; page.has_more; ) {
      page = (await get(`kundfakturor?limit=2&cursor=${page.next_cursor}`)).json();
      found.push(...page.data);
    }
    expect(new Set(ids(found)).size).toBe(found.length);
    expect(ids(found)).toEqual(expect.arrayContaining([...there, added]));
    drafts = drafts.filter((id) => id !== gone.id);
    const answer = await get(`kundfakturor/${gone.id}`);
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found']);
  });

  test('a page of huge invoices ends early and says so', async () => {
    const rows = Array.from({ length: 1_800 }, () => ({
      ...{ description: 'Rad', quantity: 1, unitPrice: 1, vatRate: 25, account: 3001 },
    }));
    const huge: string[] = [];
    for (let n = 0; n < 4; n += 1) huge.push(await create({ rows }));
    const asked = huge.map((id) => `id=${id}`).join('&');
    const page = (await get(`kundfakturor?limit=200&${asked}`)).json();
    expect([page.data.length, page.has_more]).toEqual([3, true]);
    const rest = (await get(`kundfakturor?limit=200&${asked}&cursor=${page.next_cursor}`)).json();
    expect([...ids(page.data), ...ids(rest.data)]).toEqual([...huge].sort());
    expect(rest.has_more).toBe(false);
    await owner(async (tx) => {
      for (const id of huge) await deleteDraft(tx, id);
    });
  });
});

test('suppliers’ invoices and outlays are told whole, and who laid out the money is not', async () => {
  const [waiting] = await data(`inkop?id=${purchase}`);
  expect(waiting).toMatchObject({ origin: 'by_hand', rows: [], remaining_amount: 0 });
  await owner((tx) => bookPurchases(tx, [purchase, outlay], 'test'));
  const payment = { today: TODAY, purchaseId: purchase, date: '2026-03-20' };
  await owner((tx) => payPurchase(tx, { ...payment, amountOre: 2_501n }, 'test'));
  const one = (await get(`inkop/${purchase}`)).json();
  expect(await data(`inkop?supplier=${supplierId}`)).toEqual([one]);
  expect(await data('inkop?number=F-1')).toEqual([one]);
  expect(one).toMatchObject({
    ...{ status: 'booked', invoice_number: 'F-1', seller: { name: 'Bilbolaget AB' } },
    ...{ invoice_date: '2026-03-10', due_date: '2026-03-20', currency: 'SEK' },
    ...{ payable_amount: 125, paid_amount: 25.01, remaining_amount: 99.99 },
    payments: [{ date: '2026-03-20', amount: 25.01, kind: 'money', account: 1930 }],
  });
  expect(one.rows).toContainEqual(
    expect.objectContaining({ account: 6110, debit: 100, credit: 0 }),
  );
  const answer = await get(`inkop/${outlay}`);
  expect(answer.json()).toMatchObject({ origin: 'outlay', supplier_id: null, status: 'booked' });
  expect(answer.body).not.toContain('Anställd');
  expect((await get(`inkop/${purchase}`)).body).not.toContain('9912346');
});

test('what has changed since is told, and nothing else', async () => {
  const since = `updatedSince=${encodeURIComponent(new Date().toISOString())}`;
  expect([await data(`kundfakturor?${since}`), await data(`inkop?${since}`)]).toEqual([[], []]);
  await owner(async (tx) => {
    const payment = { today: TODAY, invoiceId: booked, date: '2026-03-21', amountOre: 100n };
    await registerPayment(tx, payment, 'test');
    const invoice = { kind: 'invoice' as const, supplierId, invoiceNumber: 'F-2', payTo: null };
    const id = await writeInvoice(tx, null, { ...invoice, ...written }, 'test');
    await rejectPurchase(tx, id, 'Fel', 'test');
  });
  expect(ids(await data(`kundfakturor?${since}`))).toEqual([booked]);
  const changed = await data(`inkop?${since}`);
  expect(changed).toMatchObject([{ invoice_number: 'F-2', status: 'rejected', rejection: 'Fel' }]);
});

describe.each(['kundfakturor', 'inkop'])('%s', (path) => {
  test('answers 304 to who has it, listed and alone', async () => {
    const [first] = await data(`${path}?limit=1`);
    for (const url of [path, `${path}/${first?.['id']}`]) {
      const etag = String((await get(url)).headers['etag']);
      const again = await get(url, { 'if-none-match': etag });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
  });

  test('is closed to keys that may only hand in, in the database too', async () => {
    const { key } = await books.makeKey(['intake:write']);
    for (const url of [`/api/v1/${path}`, `/api/v1/${path}/${booked}`]) {
      const answer = await books.call({ url, key });
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'insufficient_scope']);
    }
    // By SQL of the API's own login, too.
    const credential = createHash('sha256').update(key).digest('hex');
    const list = path === 'inkop' ? 'list_purchases' : 'list_invoices';
    const client = await connect(await roleUrl(books.url, 'hb_api'), 'test');
    try {
      await client.query("select set_config('huvudbok.credential', $1, false)", [credential]);
      await expect(
        client.query(`select id from api.${list}(null, null, null, null, null, null, 10)`),
      ).rejects.toMatchObject({ code: 'HB403' });
    } finally {
      await client.end();
    }
  });

  test.each([
    ['?id=x', 'id'],
    ['/x', 'id'],
    [`/${randomUUID()}?limit=1`, 'limit'],
    ['?status=klar', 'status'],
    ['?cursor=x', 'cursor'],
    ['?cursor=WyIiLCJ4Il0', 'cursor'],
    ['?updatedSince=2026-02-30T00:00:00Z', 'updatedSince'],
    ['?limit=201', 'limit'],
    ['?limit=0', 'limit'],
    ['?limit=99999999999999999999', 'limit'],
    [
      path === 'inkop' ? '?number=%00' : '?externalId=%00',
      path === 'inkop' ? 'number' : 'externalId',
    ],
    [path === 'inkop' ? '?refundId=a' : '?refundId=%00', 'refundId'],
    [
      path === 'inkop' ? '?externalId=a' : '?supplier=a',
      path === 'inkop' ? 'externalId' : 'supplier',
    ],
  ])('%s is refused by name', async (asked, field) => {
    const answer = await get(`${path}${asked}`);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    expect(answer.json().detail.problems[0].path).toContain(field);
  });

  test('a cursor does not continue another list', async () => {
    const { next_cursor: cursor } = (await get(`${path}?limit=1`)).json();
    const other = path === 'inkop' ? 'kundfakturor' : 'inkop';
    for (const url of [`${other}?cursor=${cursor}`, `${path}?status=booked&cursor=${cursor}`]) {
      expect((await get(url)).json().detail.problems[0].reason).toBe('foreign_cursor');
    }
  });
});

test('names stand beside accounts and dimensions when they are asked for, in list and single alike', async () => {
  const account = async (number: number) => (await data(`konton?id=${number}`))[0]?.['name'];
  const plain = (await get(`kundfakturor/${booked}`)).json();
  const named = (await get(`kundfakturor/${booked}?include=account_names`)).json();
  expect(await data(`kundfakturor?id=${booked}&include=account_names`)).toEqual([named]);
  expect(plain.payments.length).toBeGreaterThan(0);
  const names = new Map<unknown, unknown>();
  for (const number of [1930, 3001, 3002]) names.set(number, await account(number));
  const withNames = (rows: Told[]) =>
    rows.map((row) => ({ ...row, account_name: names.get(row['account']) }));
  expect(named).toEqual({
    ...plain,
    rows: withNames(plain.rows),
    payments: withNames(plain.payments),
  });

  const dimensions = await db(books.owner).query<{ id: string }>(sql`
    insert into ledger.dimensions (id, kind, code, name)
    values (${randomUUID()}, 'cost_center', 'K1', 'Butiken') returning id`);
  const costCenter = dimensions[0]?.id ?? '';
  const rows = [{ ...line(6110, 10_000n), costCenter }];
  const bought = await owner((tx) =>
    writeOutlay(
      tx,
      null,
      {
        ...{ kind: 'invoice', laidOutBy: 'Anna', debtAccount: 2820, sellerName: 'Kaffehuset' },
        ...{ invoiceNumber: null, ...written, lines: rows },
      },
      'test',
    ),
  );
  await owner((tx) => bookPurchases(tx, [bought], 'test'));
  const query = 'include=account_names&include=dimensions';
  const one = (await get(`inkop/${bought}?${query}`)).json();
  expect(await data(`inkop?id=${bought}&${query}`)).toEqual([one]);
  const center = { cost_center: costCenter, cost_center_code: 'K1', cost_center_name: 'Butiken' };
  expect(one.rows).toContainEqual(
    expect.objectContaining({
      ...{ account: 6110, account_name: await account(6110), ...center },
      ...{ project: null, project_code: null, project_name: null },
    }),
  );
  const [voucher] = await data(`verifikat?id=${one.voucher_id}&${query}`);
  expect(voucher?.['rows']).toContainEqual(expect.objectContaining({ account: 6110, ...center }));
  const bare = (await get(`verifikat?id=${one.voucher_id}`)).json().data[0];
  const plainRow = ['account', 'credit', 'debit', 'note', 'row_no', 'vat_code'];
  expect(Object.keys(bare.rows[0]).sort()).toEqual(plainRow);
  const refused = await get('kundfakturor?include=dimensions');
  expect([refused.statusCode, refused.json().detail.problems[0].path]).toEqual([400, 'include']);
});
