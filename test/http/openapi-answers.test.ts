/** The examples of answers in the API's description have been answered: here, and `vitest -u` writes them down. */
import { fileURLToPath } from 'node:url';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { exampleDate } from '#src/http/schemas.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { createDimension } from '#src/ledger/dimensions/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { createArticle } from '#src/sales/articles/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { type Installation, TODAY } from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { openBooks } from './books.ts';

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Shown> };
}
interface Operation {
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Shown }> };
  readonly responses: Record<string, { readonly content?: Record<string, { example?: unknown }> }>;
}
interface Shown {
  readonly $ref?: string;
  readonly examples?: readonly object[];
}

let books: Installation;
let document: Document;
let proposer: string;
let agency: string;
let customerId: string;
beforeAll(async () => {
  books = await openBooks({ workers: true });
  document = books.app.swagger() as unknown as Document;
  ({ key: proposer } = await books.makeKey(['data:read', 'proposals:write']));
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type)
      values (1686, 'Fordringar för kontokort', 'asset') on conflict do nothing`);
    await createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930 }, 'test');
    await createDimension(
      tx,
      { kind: 'cost_center', code: '10', name: 'Butik' },
      'test',
      'butik-1',
    );
    const facts = { description: 'Kaffe 500 g', supply: 'goods', account: 3002 } as const;
    await createArticle(
      tx,
      'K-500',
      { ...facts, unitPriceE4: 625_000n, unit: 'st', externalId: '8841' },
      'test',
    );
    await createSupplier(
      tx,
      {
        name: 'Pappersbruket AB',
        organizationNumber: '5560360793',
        vatNumber: 'SE556036079301',
        endpoint: null,
        countryCode: 'SE',
        account: 6110,
        paymentDays: 30,
        accounts: [],
      },
      'test',
    );
    await changeSetting(tx, 'order-oss', 'on', 'test');
    ({ key: agency } = await createAgencyKey(tx, 'Siffror & Co AB', 'test'));
  });
  const { rows } = await books.owner.query('select id from sales.customers limit 1');
  customerId = rows[0].id;
});
afterAll(() => books.close());

/** What has been answered, by operation and status. */
const answered: Record<string, Record<string, unknown>> = {};

interface Asked {
  /** Instead of the path itself. */
  readonly url?: string;
  readonly key?: string | null;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

async function ask(
  name: string,
  { url, key, body, idempotencyKey }: Asked = {},
): Promise<Response> {
  const [method, path = ''] = name.split(' ') as ['GET' | 'POST', string];
  const isFile = Buffer.isBuffer(body);
  const type = isFile ? 'application/octet-stream' : 'application/json';
  const answer = await books.call({
    method,
    url: url?.startsWith('?') ? `${path}${url}` : (url ?? path),
    ...(key === undefined ? {} : { key }),
    ...(body ? { payload: isFile ? body : JSON.stringify(body) } : {}),
    headers: {
      ...(body ? { 'content-type': type } : {}),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
  });
  answered[name] = { ...answered[name], [answer.statusCode]: answer.json() };
  return answer;
}

/** The body that the description shows of the call, on this day. */
function shown(name: string): object {
  const [method = '', path = ''] = name.split(' ');
  const { content } = document.paths[path]?.[method.toLowerCase()]?.requestBody ?? {};
  const { $ref = '', ...own } = content?.['application/json']?.schema ?? {};
  const { examples: [example] = [] } =
    document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? own;
  const text = JSON.stringify(example).replaceAll(exampleDate, TODAY);
  return JSON.parse(text.replace(/(?<="customerId":")[^"]+/, customerId));
}

/** Sends that body, or that with some of it otherwise. */
const send = (name: string, { body, ...more }: Asked = {}): Promise<Response> =>
  ask(name, { ...more, body: Array.isArray(body) ? body : { ...shown(name), ...body } });

const receipt = { idempotencyKey: 'receipt-2026-0311' };

/** What is handed in and posted, as on a shop's day. */
async function write() {
  const voucher = 'POST /api/v1/verifikat';
  const { id: voucherId } = (await send(voucher, receipt)).json();
  await send(voucher, { ...receipt, body: { description: 'Annat' } });
  await send(voucher, {
    body: {
      rows: [
        { account: 1930, debit: 1250, credit: 0 },
        { account: 3001, debit: 0, credit: 1000 },
      ],
    },
  });
  await send(voucher, { key: (await books.makeKey(['data:read'])).key });
  await ask('POST /api/v1/verifikat/bunt', { body: shown('POST /api/v1/verifikat/bunt') });
  const order = shown('POST /api/inbound/order');
  await send('POST /api/inbound/order', { body: { externalId: 'W-100244', total: 700 } });
  const { invoiceId } = (await send('POST /api/inbound/order')).json();
  const german = {
    externalId: 'W-100243',
    total: 119,
    customer: { name: 'Erika Muster', countryCode: 'DE' },
    rows: [{ description: 'Kaffeekanne', quantity: 2, unitPrice: 59.5, vatRate: 19 }],
  };
  const abroad = await books.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: { ...order, ...german },
  });
  await withTx(books.owner, (tx) => bookInvoices(tx, [invoiceId, abroad.json().invoiceId], 'test'));
  await send('POST /api/inbound/order/bunt', { body: [{ ...order, externalId: 'W-100246' }] });
  for (const name of ['aterbetalning', 'dagskassa', 'avstamning']) {
    await send(`POST /api/inbound/${name}`);
  }
  // Addressed to this company, and not to the example one.
  await send('POST /api/inbound/peppol', { body: { document: eInvoice() } });
  const { id: ownInvoiceId } = (await send('POST /api/v1/kundfakturor')).json();
  // One row: of several of one moment nobody knows which is first.
  const { rows: bankRows } = shown('POST /api/v1/banktransaktioner') as { rows: object[] };
  await send('POST /api/v1/banktransaktioner', {
    body: { rows: bankRows.slice(0, 1), closingBalance: 22_500 },
  });
  await send('POST /api/v1/avrakning');
  const bytes = Buffer.from('Kaffe 40,00');
  const fileName = 'Kvitto.txt';
  await ask('POST /api/v1/underlag', { url: `?fileName=${fileName}`, body: bytes });
  await withTx(books.owner, (tx) => addAttachment(tx, { voucherId, fileName, bytes }, 'test'));
  const { id: proposalId } = (await send('POST /api/v1/forslag', { key: proposer })).json();
  await until(async () => {
    const { rows: waiting } =
      await books.owner.query(`select from intake.order_attempts where status = 'received'
      union all select from intake.till_reports where status = 'received'`);
    return waiting.length === 0;
  });
  return { voucherId, invoiceId: ownInvoiceId, proposalId };
}

/** What there is to read afterwards, and how calls are refused. */
async function read({ voucherId, invoiceId, proposalId }: Awaited<ReturnType<typeof write>>) {
  // Events are told when every transaction that began before them has ended, other tests' too.
  await until(
    async () => (await books.call({ url: '/api/v1/handelser?limit=2' })).json().data.length === 2,
  );
  for (const name of ['meta', 'bokforbarhet']) await ask(`GET /api/v1/${name}`);
  for (const name of ['overview', 'monthly']) await ask(`GET /api/stats/${name}`);
  const lists = 'verifikat saldon konton dimensioner artiklar kunder leverantorer rakenskapsar';
  for (const name of [
    ...lists.split(' '),
    'kundfakturor',
    'inkop',
    'banktransaktioner',
    'avrakning',
    'dagskassor',
    'handelser',
  ]) {
    await ask(`GET /api/v1/${name}`, { url: '?limit=1' });
  }
  await ask('GET /api/stats/daily', { url: `?from=${TODAY}&to=${TODAY}` });
  const { data: series } = (await books.call({ url: '/api/v1/serier' })).json();
  const { id } = series.find(({ code }: { code: string }) => code === 'A');
  await ask('GET /api/v1/serier', { url: `?id=${id}` });
  await ask('GET /api/v1/oss', { url: '?quarter=2026-Q4' });
  await ask('GET /api/v1/kundfakturor/{id}', { url: `/api/v1/kundfakturor/${invoiceId}` });
  const [purchase] = (await books.call({ url: '/api/v1/inkop' })).json().data;
  for (const purchaseId of [purchase.id, invoiceId])
    await ask('GET /api/v1/inkop/{id}', { url: `/api/v1/inkop/${purchaseId}` });
  const [tillReport] = (await books.call({ url: '/api/v1/dagskassor' })).json().data;
  await ask('GET /api/v1/dagskassor/{id}', { url: `/api/v1/dagskassor/${tillReport.id}` });
  await ask('GET /api/v1/underlag', {
    url: `?voucher=${voucherId}`,
    key: (await books.makeKey(['documents:read'])).key,
  });
  await ask('GET /api/v1/forslag', { key: proposer });
  const proposal = `/api/v1/forslag/${proposalId}`;
  await ask('GET /api/v1/forslag/{id}', { url: proposal, key: proposer });
  await ask('POST /api/v1/forslag/{id}/aterta', { url: `${proposal}/aterta`, key: proposer });
  const { access_token } = (await ask('POST /api/byra/token', { key: agency })).json();
  await ask('GET /api/stats/byra', { key: access_token });
  await ask('GET /api/v1/meta', { key: null });
  const { key } = await books.makeKey(['data:read'], 1);
  for (const _ of [1, 2]) await ask('GET /api/v1/kunder', { key, url: '?limit=1' });
  await withTx(books.owner, (tx) => setLock(tx, 'period', TODAY, 'test'));
  await send('POST /api/v1/verifikat');
}

/** What is another each time, as something that stands still; the same thing is the same wherever it is told. */
function still(value: unknown): unknown {
  const told = (name: string, one: unknown): unknown => {
    if (name === 'installation_schema_version') return 222;
    if (name === 'app_version') return '0.1.0';
    if (name === 'expires_at' && typeof one === 'number') return 1_795_176_000;
    if (name.endsWith('cursor') && typeof one === 'string') return 'WyJleGFtcGxlIl0';
    if (name === 'access_token') return `svct_${'example'.padEnd(43, '0')}`;
    // The description itself has all of them.
    return name === 'endpoints' ? (one as unknown[]).slice(0, 3) : one;
  };
  const known = new Map<string, number>();
  const numberOf = (text: string): string => {
    known.set(text, known.get(text) ?? known.size + 1);
    return String(known.get(text));
  };
  return JSON.parse(
    JSON.stringify(value, told)
      .replaceAll(
        /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
        (id) => `01980a3c-5b1e-7c3a-9d0f-${numberOf(id).padStart(12, '0')}`,
      )
      .replaceAll(/\b[0-9a-f]{64}\b/g, (hash) => numberOf(hash).padStart(64, '0'))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)/g, `${TODAY}T09:12:44.120Z`),
  );
}

test('every operation that a key opens shows what was answered, and refusals of each kind are shown', async () => {
  await read(await write());
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const opensJson = operations.filter(
    ([, { responses }]) => responses['200']?.content?.['application/json'],
  );
  const missing = opensJson
    .map(([name]) => name)
    .filter((name) => answered[name]?.['200'] === undefined);
  // Whoever is logged in reads it, and not a key.
  expect(missing).toEqual(['GET /fakturor/{fakturaId}/inkasso']);
  const statuses = new Set(Object.values(answered).flatMap((one) => Object.keys(one)));
  expect([...statuses].sort()).toEqual(['200', '400', '401', '403', '404', '409', '422', '429']);
  const file = fileURLToPath(new URL('../../src/api/openapi-answers.json', import.meta.url));
  await expect(`${JSON.stringify(still(answered), null, 2)}\n`).toMatchFileSnapshot(file);
  for (const [name, { responses }] of operations) {
    for (const status of Object.keys(answered[name] ?? {})) {
      expect([name, status, responses[status]?.content?.['application/json']?.example]).toEqual([
        name,
        status,
        expect.anything(),
      ]);
    }
  }
});
