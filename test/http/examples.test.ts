/** Each of `examples/` as a process of its own against a real installation, and both clients where calls go wrong. */
import { execFile, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { Huvudbok, HuvudbokError } from '../../clients/typescript/huvudbok.ts';
import { ledgerVoucher, post } from '../database/books.ts';
import { eInvoice, inEnvelope } from '../support/e-invoice.ts';
import {
  createInstallation,
  type Installation,
  TODAY,
  voucherBody,
} from '../support/installation.ts';
import { until } from '../support/processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let books: Installation;
let url: string;
let folder: string;

beforeAll(async () => {
  books = await createInstallation({ workers: true });
  url = await books.app.listen({ port: 0, host: '127.0.0.1' });
  folder = await mkdtemp(join(tmpdir(), 'huvudbok-examples-'));
});
afterAll(async () => {
  await books.close();
  await rm(folder, { recursive: true });
});

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HUVUDBOK_URL: url,
  HUVUDBOK_KEY: books.key,
  PYTHONDONTWRITEBYTECODE: '1',
  ...more,
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

/** Runs to its end, whatever that is. */
async function runExample(
  program: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const options = { cwd: root, env: environment(more) };
  return run(program, [...args], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }) => ({ code, stdout: `${stdout}${stderr}` }),
  );
}

/** A server of the examples, on a port of its own; its lines as they come. */
async function startExample(args: readonly string[], more: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    env: environment({ PORT: '0', ...more }),
  });
  const closed = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  await until(() => /listening on \d+/.test(output));
  const [, port] = /listening on (\d+)/.exec(output) ?? [];
  return { address: `http://127.0.0.1:${port}/`, said: () => output, kill };
}

const invoicesOf = async (externalId: string) => {
  const answer = await books.call({
    method: 'GET',
    url: `/api/v1/kundfakturor?externalId=${externalId}`,
  });
  return answer.json().data as { total_amount: number; status: string; rows: object[] }[];
};

/** Receivers of shops' webhooks answer first, and hand on afterwards. */
async function draftsOf(externalId: string) {
  await until(async () => (await invoicesOf(externalId)).length > 0);
  return invoicesOf(externalId);
}

async function reconciled(ids: { externalIds?: string[]; refundIds?: string[] }) {
  const answer = await books.call({
    method: 'POST',
    url: '/api/inbound/avstamning',
    payload: ids,
  });
  return answer.json();
}

/** What Huvudbok was sent of a refund, each time that it was. */
async function sentRefunds(refundId: string): Promise<object[]> {
  const rows = await db(books.owner).query<{ raw: Buffer }>(
    sql`select a.raw from intake.order_attempts a join intake.orders o on o.id = a.order_id where o.refund_key = ${refundId}`,
  );
  return rows.map(({ raw }) => JSON.parse(raw.toString()));
}

const newInbox = () => join(folder, `${randomBytes(8).toString('hex')}.sqlite`);

const signed = (secret: string, header: string, body: object, headers: object = {}) => {
  const text = JSON.stringify(body);
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  return { method: 'POST', body: text, headers: { [header]: signature, ...headers } };
};

const wooLine = (name: string, quantity: number, total: string, total_tax: string) => ({
  name,
  quantity,
  total,
  total_tax,
});

const wooOrder = (id: number, change: object = {}) => ({
  id,
  status: 'processing',
  currency: 'SEK',
  total: '377.01',
  date_created: `${TODAY}T10:00:00`,
  date_modified: `${TODAY}T12:00:00`,
  billing: {
    first_name: 'Anna',
    last_name: 'Andersson',
    company: '',
    email: 'anna@example.se',
    country: 'SE',
  },
  // Three that a discount left with a sum that three does not divide.
  line_items: [wooLine('Kaffekopp', 3, '213.34', '53.34'), wooLine('Bok', 1, '57.86', '3.47')],
  shipping_lines: [{ method_title: 'Frakt', total: '39.20', total_tax: '9.80' }],
  fee_lines: [],
  refunds: [] as { id: number; total: string }[],
  ...change,
});

async function startWoo(more: NodeJS.ProcessEnv = {}, inbox = newInbox()) {
  const started = await startExample(['examples/typescript/woocommerce.ts', inbox], {
    WOOCOMMERCE_SECRET: 'hemlig',
    ...more,
  });
  const send = async (body: object, secret = 'hemlig') =>
    (await fetch(started.address, signed(secret, 'x-wc-webhook-signature', body))).status;
  return { ...started, send };
}

test('a WooCommerce order becomes a draft to the öre, and its refund is kept once', async () => {
  const { address, send } = await startWoo();
  const order = wooOrder(4711);
  // What WooCommerce sends as the webhook is saved, unsigned.
  expect((await fetch(address, { method: 'POST', body: 'webhook_id=7' })).status).toBe(200);
  expect(await send(order, 'fel')).toBe(401);
  expect(await send({ ...order, status: 'pending' })).toBe(200);
  expect(await send(order)).toBe(200);
  expect(await send(order)).toBe(200);
  expect(await draftsOf('4711')).toMatchObject([{ total_amount: 377.01, status: 'draft' }]);

  const refunds = [
    { id: 8, total: '-0.00' },
    { id: 9, total: '-61.33' },
  ];
  const refunded = { ...order, status: 'refunded', refunds };
  expect(await send(refunded)).toBe(200);
  await until(async () => (await sentRefunds('9')).length > 0);
  // Whatever is written on the order later, the refund is of the day that it was made.
  expect(await send({ ...refunded, date_modified: '2099-01-02T12:00:00' })).toBe(200);
  expect(await send(wooOrder(4712))).toBe(200);
  await draftsOf('4712');
  expect(await sentRefunds('9')).toEqual([
    { externalId: '4711', refundId: '9', refundDate: TODAY, amount: 61.33 },
  ]);
  expect(await sentRefunds('8')).toEqual([]);
});

test('a WooCommerce order with free shipping, a gift and no name becomes a draft, and German VAT is none of ours', async () => {
  const { send } = await startWoo();
  const free = { method_title: 'Fri frakt', total: '0.00', total_tax: '0.00', taxes: [] };
  const tax_lines = [
    { rate_id: 1, rate_percent: 25 },
    { rate_id: 2, rate_percent: 19 },
  ];
  const nobody = { first_name: '', last_name: '', company: '', email: '', country: 'SE' };
  const gift = { ...wooLine('Kopp', 1, '0.00', '0.00'), taxes: [{ id: 1, total: '0' }] };
  const cheap = { ...wooLine('Spik', 1, '0.05', '0.01'), taxes: [{ id: 1, total: '0.0125' }] };
  const change = { total: '0.06', tax_lines, shipping_lines: [free], billing: nobody };
  expect(await send(wooOrder(4713, { ...change, line_items: [cheap, gift] }))).toBe(200);
  const [{ rows } = { rows: [] }] = await draftsOf('4713');
  expect(rows).toMatchObject(Array(3).fill({ vat_rate: 25 }));

  const kanna = { ...wooLine('Kanna', 1, '100.00', '19.00'), taxes: [{ id: 2, total: '19' }] };
  const german = { ...change, total: '119.00', line_items: [kanna] };
  const billing = { ...nobody, first_name: 'Erika', country: 'DE' };
  expect(await send(wooOrder(4714, { ...german, billing }))).toBe(200);
  await until(async () => {
    const { orders } = await reconciled({ externalIds: ['4714'] });
    return orders[0].status === 'rejected';
  });
  expect(await reconciled({ externalIds: ['4714'] })).toMatchObject({
    orders: [{ status: 'rejected', reason: 'vat_rate_not_supported' }],
  });
});

test('a WooCommerce order that is cancelled is credited with what remains, once, and not at all before it was paid', async () => {
  const { send } = await startWoo();
  const never = wooOrder(4731, { status: 'cancelled' });
  expect(await send(never)).toBe(200);
  const order = wooOrder(4732, { refunds: [{ id: 30, total: '-77.01' }] });
  expect(await send(order)).toBe(200);
  const cancelled = { ...order, status: 'cancelled' };
  expect(await send(cancelled)).toBe(200);
  await until(async () => (await sentRefunds('4732-cancelled')).length > 0);
  const paidBack = { id: 31, total: '-300.00' };
  expect(await send({ ...cancelled, refunds: [...order.refunds, paidBack] })).toBe(200);
  expect(await send(wooOrder(4733))).toBe(200);
  await draftsOf('4733');
  const about = { externalId: '4732', refundDate: TODAY };
  expect(await sentRefunds('30')).toEqual([{ ...about, refundId: '30', amount: 77.01 }]);
  expect(await sentRefunds('4732-cancelled')).toEqual([{ ...about, refundId: '4732-cancelled' }]);
  expect([await sentRefunds('31'), await sentRefunds('4731-cancelled')]).toEqual([[], []]);
});

test('what a shop sent while Huvudbok was away is handed on by a receiver that was killed meanwhile', async () => {
  const inbox = newInbox();
  const away = await startWoo({ HUVUDBOK_URL: 'http://127.0.0.1:1' }, inbox);
  const ids = [4721, 4722, 4723];
  for (const id of ids) expect(await away.send(wooOrder(id))).toBe(200);
  await away.kill();
  const { send } = await startWoo({}, inbox);
  expect(await send(wooOrder(4722))).toBe(200);
  for (const id of ids) expect(await draftsOf(String(id))).toHaveLength(1);
  const left = new DatabaseSync(inbox);
  await until(() => left.prepare('select 1 from received').all().length === 0);
  left.close();
});

async function startShopify() {
  const { address } = await startExample(['examples/typescript/shopify.ts', newInbox()], {
    SHOPIFY_SECRET: 'hemlig',
  });
  return async (body: object, topic: string) => {
    const topicOf = { 'x-shopify-topic': topic };
    return (await fetch(address, signed('hemlig', 'x-shopify-hmac-sha256', body, topicOf))).status;
  };
}

const tax = (rate: number, price: string) => [{ rate, price }];
const shopifyOrder = {
  id: 820_982_911,
  created_at: `${TODAY}T00:30:00+02:00`,
  currency: 'SEK',
  taxes_included: false,
  total_price: '286.25',
  email: 'beata@example.se',
  billing_address: { name: 'Beata Berg', country_code: 'SE' },
  line_items: [
    {
      id: 1,
      title: 'Kanna',
      quantity: 2,
      price: '100.00',
      sku: 'K1',
      tax_lines: tax(0.25, '47.25'),
      discount_allocations: [{ amount: '11.00' }],
    },
  ],
  shipping_lines: [{ title: 'Post', price: '40.00', tax_lines: tax(0.25, '10.00') }],
};

test('a Shopify order with a discount and VAT on top becomes a draft to the öre', async () => {
  const send = await startShopify();
  const order = shopifyOrder;
  expect(await send(order, 'orders/paid')).toBe(200);
  expect(await draftsOf('820982911')).toMatchObject([{ total_amount: 286.25 }]);

  const card = {
    ...order,
    id: 8,
    total_price: '500.00',
    line_items: [
      { id: 2, title: 'Presentkort', quantity: 1, price: '500.00', tax_lines: [], gift_card: true },
    ],
    shipping_lines: [],
  };
  expect(await send(card, 'orders/paid')).toBe(200);
  expect((await draftsOf('8'))[0]?.rows).toMatchObject([{ account: 2421, net_amount: 500 }]);
  const tip = {
    id: 3,
    title: 'Dricks',
    quantity: 1,
    price: '20.00',
    tax_lines: [],
    tip_payment_gateway: 'shopify_payments',
  };
  const tipped = {
    ...order,
    total_price: '306.25',
    line_items: [...order.line_items, tip],
    payment_gateway_names: ['shopify_payments'],
  };
  expect(await send({ ...tipped, id: 10 }, 'orders/paid')).toBe(200);
  expect(await draftsOf('10')).toMatchObject([{ total_amount: 286.25 }]);
  // What is paid back of it is owed no more, and no part of what the invoice is credited with.
  const tipBack = {
    id: 6,
    order_id: 10,
    created_at: `${TODAY}T12:00:00+02:00`,
    transactions: [
      { amount: '70.00', kind: 'refund', status: 'success', gateway: 'shopify_payments' },
    ],
    refund_line_items: [{ quantity: 1, line_item: tip }],
  };
  expect(await send(tipBack, 'refunds/create')).toBe(200);
  await until(async () => (await sentRefunds('6')).length > 0);
  expect(await sentRefunds('6')).toEqual([
    {
      externalId: '10',
      refundId: '6',
      refundDate: TODAY,
      amount: 50,
      tip: 20,
      payments: [{ method: 'card', amount: 70 }],
    },
  ]);
  // By how much of each means it was paid nobody knows: a person does what is to be done.
  const byTwo = { ...tipped, id: 11, payment_gateway_names: ['gift_card', 'shopify_payments'] };
  expect(await send(byTwo, 'orders/paid')).toBe(200);
  expect(await send({ ...order, id: 9, test: true }, 'orders/paid')).toBe(200);

  // One that a person has to see is safe with Huvudbok, and not sent again for ever.
  const foreign = { ...order, id: 7, currency: 'NOK' };
  expect(await send(foreign, 'orders/paid')).toBe(200);
  const refund = {
    id: 5,
    order_id: order.id,
    created_at: `${TODAY}T12:00:00+02:00`,
    transactions: [
      { amount: '50.00', kind: 'refund', status: 'success' },
      { amount: '50.00', kind: 'refund', status: 'failure' },
    ],
  };
  expect(await send(refund, 'refunds/create')).toBe(200);
  await until(async () => (await sentRefunds('5')).length > 0);
  expect([await invoicesOf('11'), await invoicesOf('9')]).toEqual([[], []]);
  expect(await reconciled({ externalIds: ['7'], refundIds: ['5'] })).toMatchObject({
    orders: [{ externalId: '7', status: 'rejected', reason: 'currency_not_supported' }],
    refunds: [{ refundId: '5', externalId: String(order.id) }],
  });
});

test('a Shopify order is billed without what an edit took off it before it was paid', async () => {
  const send = await startShopify();
  const [kanna] = shopifyOrder.line_items;
  const bok = { ...kanna, id: 2, title: 'Bok', quantity: 1, price: '50.00', sku: null };
  const lines = [kanna, { ...bok, tax_lines: tax(0.06, '3.00'), discount_allocations: [] }];
  const taken = (line_item_id: number, quantity: number, subtotal: string, total_tax: string) => ({
    line_item_id,
    quantity,
    subtotal,
    total_tax,
    line_item: lines[line_item_id - 1],
  });
  const edited = {
    ...shopifyOrder,
    id: 12,
    total_price: '289.25',
    current_total_price: '118.12',
    line_items: lines,
    // Free, and without tax_lines.
    shipping_lines: [{ title: 'Hämtas', price: '0.00' }],
    refunds: [
      { id: 1, transactions: [], refund_line_items: [taken(1, 1, '94.50', '23.63')] },
      { id: 2, transactions: [], refund_line_items: [taken(2, 1, '50.00', '3.00')] },
    ],
  };
  expect(await send(edited, 'orders/paid')).toBe(200);
  expect(await draftsOf('12')).toMatchObject([
    { total_amount: 118.12, rows: [{ quantity: 1, vat_rate: 25 }, { vat_rate: 25 }] },
  ]);
});

test('an access point’s folder is pushed: taken, refused, and left where nobody answers', async () => {
  const outbox = await mkdtemp(join(folder, 'outbox-'));
  await writeFile(join(outbox, 'a.xml'), inEnvelope(eInvoice()));
  await writeFile(join(outbox, 'b.xml'), '<Invoice');
  const args = ['examples/typescript/access-point.ts', outbox];
  const away = { HUVUDBOK_URL: 'http://127.0.0.1:1' };
  expect((await runExample(process.execPath, args, away)).code).toBe(1);
  expect(await readdir(outbox)).toEqual(['a.xml', 'b.xml']);

  expect(await runExample(process.execPath, args)).toEqual({
    code: 0,
    stdout: 'a.xml: taken\nb.xml: refused\n',
  });
  expect(await readdir(join(outbox, 'taken'))).toEqual(['a.xml', 'a.xml.json']);
  expect(await readdir(join(outbox, 'refused'))).toEqual(['b.xml', 'b.xml.json']);
});

test('a copy in SQLite has every voucher once, also those posted after it was first read', async () => {
  const file = join(folder, 'copy.sqlite');
  const post = (description: string) =>
    books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody({ description }),
    });
  await post('Före');
  const sync = () => runExample(process.execPath, ['examples/typescript/sync.ts', file]);
  const first = await sync();
  expect(first.stdout).toMatch(/^\d+ vouchers, \d+ records$/m);
  await post('Efter');
  await until(async () => {
    const answer = await books.call({ method: 'GET', url: '/api/v1/handelser?limit=200' });
    const types = answer.json().data.map(({ type }: { type: string }) => type);
    return types.filter((type: string) => type === 'voucher.posted').length >= 2;
  });
  await sync();
  await sync();
  const copy = new DatabaseSync(file);
  const { rows } = await books.owner.query(
    `select count(*)::int as vouchers, (select count(*)::int from ledger.voucher_rows) as rows,
       (select sum(debit_ore)::int from ledger.voucher_rows) as debit_ore from ledger.vouchers`,
  );
  expect(
    copy
      .prepare(
        `select (select count(*) from voucher) as vouchers, count(*) as rows, sum(debit_ore) as debit_ore from voucher_row`,
      )
      .get(),
  ).toEqual(rows[0]);
  copy.close();
});

test('webhooks are checked without a library, kept once, and refused when old or forged', async () => {
  const key = randomBytes(32);
  const file = join(folder, 'events.sqlite');
  const { address } = await startExample(['examples/typescript/webhook-receiver.ts', file], {
    HUVUDBOK_WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
  });
  const send = (id: string, secondsAgo = 0, secret = key) => {
    const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
    const body = JSON.stringify({ id, type: 'voucher.posted', timestamp: '', data: {} });
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return fetch(address, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,AAAA v1,${signature.digest('base64')}`,
      },
    });
  };
  expect((await send('a')).status).toBe(204);
  expect((await send('a')).status).toBe(204);
  expect((await send('b', 3_600)).status).toBe(401);
  expect((await send('c', 0, randomBytes(32))).status).toBe(401);
  expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401);
  // Anybody can hang up in the middle: it goes on for the others.
  const { port } = new URL(address);
  const cut = connect(Number(port), '127.0.0.1');
  cut.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc', () => cut.destroy());
  await once(cut, 'close');
  expect((await send('a')).status).toBe(204);
  const inbox = new DatabaseSync(file);
  expect(inbox.prepare('select id from event').all()).toEqual([{ id: 'a' }]);
  inbox.close();
});

test('an agency sees who is behind, whose access is gone and who does not answer', async () => {
  const { key } = await withTx(books.owner, (tx) => createAgencyKey(tx, 'Byrån', 'test'));
  const file = join(folder, 'clients.json');
  await writeFile(
    file,
    JSON.stringify([
      { name: 'Borta AB', url: 'http://127.0.0.1:1', key },
      { name: 'Fel AB', url, key: `${key.slice(0, -4)}AAAA` },
      { name: 'Här AB', url, key },
    ]),
  );
  const { code, stdout } = await runExample(process.execPath, [
    'examples/typescript/agency-portal.ts',
    file,
  ]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/Borta AB.*no_answer[\s\S]*Fel AB.*wrong_key[\s\S]*Här AB/),
  ]);
});

test('an agency that has a moved client, or one whose answer it cannot read, still sees the others', async () => {
  const { key } = await withTx(books.owner, (tx) => createAgencyKey(tx, 'Byrån', 'test'));
  const redirected = await answering((_, response) =>
    response.writeHead(308, { location: `${url}/api/byra/token` }).end(),
  );
  const parked = await answering((_, response) => response.end('<h1>Till salu</h1>'));
  const newer = await answering(
    json(200, { access_token: 'svct_x' }),
    json(200, { schema_version: 2 }),
  );
  const client = (name: string, address: string) => ({ name, url: address, key });
  const file = join(folder, 'odd-clients.json');
  await writeFile(
    file,
    JSON.stringify([
      client('Flyttad AB', redirected.address),
      client('Såld AB', parked.address),
      client('Ny AB', newer.address),
      client('Utan AB', 'exempel.se'),
      client('Här AB', url),
    ]),
  );
  const { code, stdout } = await runExample(process.execPath, [
    'examples/typescript/agency-portal.ts',
    file,
  ]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /Flyttad AB.*moved[\s\S]*Såld AB.*wrong_address[\s\S]*Ny AB.*newer_than_this[\s\S]*Utan AB.*wrong_address[\s\S]*Här AB.*(behind|up_to_date)/,
    ),
  ]);
});

test('an agency that has asked too often is told so, and not that its client is away', async () => {
  const { key } = await withTx(books.owner, (tx) => createAgencyKey(tx, 'Byrån', 'test'));
  const file = join(folder, 'one-client.json');
  await writeFile(file, JSON.stringify([{ name: 'Här AB', url, key }]));
  for (let call = 0; call < 60; call += 1) await fetch(`${url}/api/byra/token`, { method: 'POST' });
  const { stdout } = await runExample(process.execPath, [
    'examples/typescript/agency-portal.ts',
    file,
  ]);
  expect(stdout).toMatch(/Här AB.*asked_too_often/);
});

test('the first calls by curl', async () => {
  const bin = await mkdtemp(join(folder, 'bin-'));
  await writeFile(join(bin, 'date'), `#!/bin/sh\necho ${TODAY}\n`);
  await chmod(join(bin, 'date'), 0o755);
  const { code, stdout } = await runExample('sh', ['examples/curl/first-calls.sh'], {
    PATH: `${bin}:${process.env['PATH']}`,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('"duplicate":true')]);
  expect(stdout).toContain('"dry_run":true');
});

/** Undefined where there is no Python. */
const python = await run('python3', ['--version']).then(
  () => 'python3',
  () => undefined,
);

test.skipIf(python === undefined)('orders out of a CSV file, and months, by Python', async () => {
  const file = join(folder, 'orders.csv');
  await writeFile(
    file,
    [
      'order,date,customer,email,description,quantity,price,vat',
      `py-1,${TODAY},Anna,anna@example.se,Kaffe,3,66.33,12`,
      `py-1,${TODAY},Anna,anna@example.se,Kopp,1,0.10,25`,
      `py-2,${TODAY},Beata,,Omöjlig,1,100,13`,
    ].join('\n'),
  );
  const first = await runExample('python3', ['examples/python/orders.py', file]);
  expect([first.code, first.stdout]).toEqual([1, expect.stringMatching(/py-1 drafted/)]);
  expect(first.stdout).toContain('py-2 kept for a person: vat_rate_not_supported');
  expect(await invoicesOf('py-1')).toMatchObject([{ total_amount: 199.09 }]);
  const again = await runExample('python3', ['examples/python/orders.py', file]);
  expect(again.stdout).toMatch(/py-1 known before/);
  expect(again.stdout).not.toContain('changed since');
  await writeFile(file, (await readFile(file, 'utf8')).replace('Kopp,1,0.10', 'Kopp,1,0.20'));
  const changed = await runExample('python3', ['examples/python/orders.py', file]);
  expect([changed.code, changed.stdout]).toEqual([
    1,
    expect.stringContaining('py-1 changed since: rows, total'),
  ]);
  const months = await runExample('python3', ['examples/python/result.py', '--csv']);
  expect([months.code, months.stdout]).toEqual([0, expect.stringMatching(/^month,revenue/)]);
});

/** A server that answers each call by the next of these, and the calls that came. */
async function answering(...answers: readonly RequestListener[]) {
  const calls: { method: string; key: string | undefined }[] = [];
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x').searchParams);
    calls.push({
      method: request.method ?? '',
      key: request.headers['idempotency-key'] as string | undefined,
    });
    request.resume();
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, calls, asked };
}

const json =
  (status: number, body: object, headers = {}): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const hangUp: RequestListener = (request) => request.socket.destroy();
/** The answer has begun, and not come to the end of its headers. */
const cutShort =
  (status: string): RequestListener =>
  (request) =>
    request.socket.end(`HTTP/1.1 ${status}\r\ncontent-ty`);
const busy = json(503, { error: 'overloaded', message: 'Fullt' }, { 'retry-after': '0' });
const posted = json(200, { label: 'A1' });

test('both clients fetch a file byte for byte', async () => {
  const voucher = ledgerVoucher();
  await post(books.owner, [voucher]);
  const bytes = Buffer.from('%PDF-1.4 \xff\x00å', 'latin1');
  await withTx(books.owner, (tx) =>
    addAttachment(tx, { voucherId: voucher.id, fileName: 'a.pdf', bytes }, 'test'),
  );
  const client = new Huvudbok({ url, key: books.key });
  const { data } = await client.get('/api/v1/underlag', { query: { voucher: voucher.id } });
  const id = data[0]?.id ?? '';
  expect(Buffer.from(await client.file('/api/v1/underlag/{id}', { path: { id } }))).toEqual(bytes);
  if (python === undefined) return;
  const words = `import os, sys; sys.path.insert(0, 'clients/python')
from huvudbok import Huvudbok
print(Huvudbok(os.environ['HUVUDBOK_URL'], os.environ['HUVUDBOK_KEY']).file(f'/api/v1/underlag/{sys.argv[1]}').hex())`;
  expect((await runExample('python3', ['-c', words, id])).stdout.trim()).toBe(
    bytes.toString('hex'),
  );
});

test('both clients send again what was not answered, under the same key, and no refusal', async () => {
  const words = `import sys; sys.path.insert(0, 'clients/python')
from huvudbok import Huvudbok, HuvudbokError
try: print(Huvudbok(sys.argv[1], 'k').post('/api/v1/verifikat', {}, idempotency_key='fee-2026-03')['label'])
except HuvudbokError as refusal: print(refusal.status, refusal.code, refusal.request_id)`;
  const byPython = async (address: string) =>
    (await runExample('python3', ['-c', words, address])).stdout.trim();
  const byTypeScript = (address: string) =>
    new Huvudbok({ url: address, key: 'k' })
      .post('/api/v1/verifikat', { body: '{}', idempotencyKey: 'fee-2026-03' })
      .then(
        (answer) => ('label' in answer ? answer.label : ''),
        (error: HuvudbokError) => `${error.status} ${error.code} ${error.requestId ?? 'None'}`,
      );
  for (const call of python === undefined ? [byTypeScript] : [byTypeScript, byPython]) {
    const cut = [cutShort('200 OK'), cutShort('422 Unprocessable Entity')];
    const again = await answering(hangUp, busy, ...cut, posted);
    expect(await call(again.address)).toBe('A1');
    expect(again.calls).toEqual(Array(5).fill({ method: 'POST', key: 'fee-2026-03' }));

    // One that says no time to speak of each time is asked ever more seldom, not six times in a moment and then never.
    const full = await answering(busy, busy, busy, posted);
    const begun = performance.now();
    expect(await call(full.address)).toBe('A1');
    expect(performance.now() - begun).toBeGreaterThan(1_700);

    const locked = json(422, { error: 'period_locked', message: 'Låst', request_id: 'r1' });
    const refused = await answering(locked, posted);
    expect(await call(refused.address)).toBe('422 period_locked r1');
    expect(refused.calls).toHaveLength(1);

    // A quota that opens in an hour is nothing to sit and wait for.
    const spent = json(429, { error: 'rate_limited', message: 'Slut' }, { 'retry-after': '3600' });
    const waiting = await answering(spent, posted);
    expect(await call(waiting.address)).toBe('429 rate_limited None');
    // Something between us and the installation has answered in a form of its own.
    const proxy = await answering((_, response) => response.writeHead(404).end('<html>'));
    expect(await call(proxy.address)).toBe('404 unknown None');
  }
});

/** The lines, and then the end of the answer, or of the connection. */
const lines =
  (isWhole: boolean, ...told: readonly (object | string)[]): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const text = told.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`));
    response.write(text.join(''), () => (isWhole ? response.end() : response.destroy()));
  };

test('both clients go on with an export where it broke off, and take no part for the whole', async () => {
  const words = `import sys; sys.path.insert(0, 'clients/python')
from huvudbok import Huvudbok, HuvudbokError
try: print(*[voucher['id'] for voucher in Huvudbok(sys.argv[1], 'k', retries=2).export_vouchers(serie='A')])
except HuvudbokError as refusal: print(refusal.status, refusal.code)
except Exception as failure: print('broken')`;
  const byPython = async (address: string) =>
    (await runExample('python3', ['-c', words, address])).stdout.trim();
  const byTypeScript = async (address: string): Promise<string> => {
    const client = new Huvudbok({ url: address, key: 'k', retries: 2 });
    const ids: string[] = [];
    try {
      for await (const { id } of client.exportVouchers({ query: { serie: 'A' } })) ids.push(id);
    } catch (error) {
      return error instanceof HuvudbokError ? `${error.status} ${error.code}` : 'broken';
    }
    return ids.join(' ');
  };
  const begin = {
    begin: { snapshot: 's1', taken_at: '', events_cursor: 'e', vouchers: 3, rows: 6 },
  };
  const [one, two, three] = ['a', 'b', 'c'].map((id) => ({ id, rows: [] })) as [
    object,
    object,
    object,
  ];
  const end = { end: { vouchers: 3 } };
  const revoked = { status: 401, error: 'key_revoked', message: 'Borta', request_id: 'r' };
  for (const call of python === undefined ? [byTypeScript] : [byTypeScript, byPython]) {
    // In the middle of a line, then of nothing at all, and at last to its end.
    const again = await answering(
      lines(false, begin, one, two, '{"id":"c","ro'),
      hangUp,
      lines(true, begin, three, end),
    );
    expect(await call(again.address)).toBe('a b c');
    expect(
      again.asked.map((query) => [query.get('serie'), query.get('snapshot'), query.get('after')]),
    ).toEqual([
      ['A', null, null],
      ['A', 's1', 'b'],
      ['A', 's1', 'b'],
    ]);

    const part = await answering(lines(true, begin, one), lines(true, begin), lines(true, begin));
    expect(await call(part.address)).toBe('broken');
    const stopped = await answering(lines(false, begin, one, revoked), lines(true, begin, end));
    expect(await call(stopped.address)).toBe('401 key_revoked');
    expect(stopped.calls).toHaveLength(1);
    const gone = await answering(json(409, { error: 'snapshot_gone', message: 'Andra' }));
    expect(await call(gone.address)).toBe('409 snapshot_gone');
  }
});
