/** ?dryRun=true of everything that writes: judged as in earnest, and nothing is left of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { eInvoice } from '../support/e-invoice.ts';
import {
  allScopes,
  type Installation,
  orderBody,
  TODAY,
  voucherBody,
} from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { openBooks } from './books.ts';

let books: Installation;
let key: string;
let proposer: string;
let customerId: string;
beforeAll(async () => {
  books = await openBooks({ workers: true });
  ({ key } = await books.makeKey(allScopes));
  ({ key: proposer } = await books.makeKey(['data:read', 'proposals:write']));
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type) values (1686, 'Avräkning', 'asset')
      on conflict do nothing`);
    await createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930 }, 'test');
  });
  const { rows } = await books.owner.query('select id from sales.customers limit 1');
  customerId = rows[0].id;
});
afterAll(() => books.close());

/** Everything that the books hold once the workers have judged what came, but for what says that a call was made. */
async function everything(): Promise<Record<string, string>> {
  await until(async () => {
    const { rows: waiting } =
      await books.owner.query(`select from intake.order_attempts where status = 'received'
      union all select from intake.till_reports where status = 'received'
      union all select from intake.e_invoices where status = 'received'`);
    return waiting.length === 0;
  });
  const { rows: tables } = await books.owner.query(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('archive', 'audit', 'bank', 'events', 'intake', 'ledger',
       'proposals', 'purchases', 'restricted', 'sales') and c.relname not in ('key_windows', 'key_calls',
       'key_call_counts', 'write_proofs') order by 1`,
  );
  const held: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await books.owner.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as held from ${name} t`,
    );
    held[name] = rows[0].held;
  }
  return held;
}

interface Writing {
  readonly url: string;
  readonly payload: object | string;
  readonly type?: string;
  readonly as?: () => string;
  /** The answer of a dry run. */
  readonly tried: object;
}
const settlement = {
  provider: 'Kortbolaget',
  settlementId: 'AVR-1',
  date: TODAY,
  payout: 75,
  lines: [
    { kind: 'sale', amount: 100 },
    { kind: 'fee', amount: -25 },
  ],
};
const refund = { externalId: 'W-1', refundId: 'R-1', refundDate: TODAY };
const tillReport = {
  tillId: 'KASSA-1',
  zNumber: 1,
  date: TODAY,
  sales: [{ vatRate: 25, amount: 125 }],
  payments: [{ method: 'cash', amount: 125 }],
};
const proposal = { kind: 'voucher', payload: voucherBody({ date: TODAY }) };
const invoice = () => ({
  customerId,
  invoiceDate: TODAY,
  paymentTerms: 30,
  book: true,
  rows: [{ description: 'Kaffe', quantity: 1, unitPrice: 100, vatRate: 25, account: 3001 }],
});
const amounts = { net_amount: 159.2, vat_amount: 39.8, rounding: 0, total_amount: 199 };
const order = orderBody();
const another = orderBody();

const writings: readonly (readonly [string, () => Writing])[] = [
  [
    'verifikat',
    () => ({
      url: '/api/v1/verifikat',
      payload: voucherBody(),
      tried: { dry_run: true, total_amount: 125 },
    }),
  ],
  [
    'verifikat/bunt',
    () => ({
      url: '/api/v1/verifikat/bunt',
      payload: [{ ...voucherBody(), idempotencyKey: 'bunt-0001' }],
      tried: { results: [{ status: 200, dry_run: true }] },
    }),
  ],
  [
    'kundfakturor',
    () => ({ url: '/api/v1/kundfakturor', payload: invoice(), tried: { dry_run: true } }),
  ],
  [
    'underlag',
    () => ({
      url: '/api/v1/underlag?fileName=Kvitto.pdf',
      payload: '%PDF-1.4 prov',
      type: 'application/octet-stream',
      tried: { dry_run: true, size: 13, media_type: 'application/pdf' },
    }),
  ],
  [
    'banktransaktioner',
    () => ({
      url: '/api/v1/banktransaktioner',
      payload: {
        account: 1930,
        rows: [{ date: TODAY, amount: -50, text: 'Kaffe', transactionId: 'T-1' }],
      },
      tried: { dry_run: true, account: 1930, added: 1, known: 0 },
    }),
  ],
  [
    'avrakning',
    () => ({
      url: '/api/v1/avrakning',
      payload: settlement,
      tried: { dry_run: true, settlementId: 'AVR-1', payout: 75, duplicate: false },
    }),
  ],
  [
    'forslag',
    () => ({
      url: '/api/v1/forslag',
      payload: proposal,
      as: () => proposer,
      tried: { dry_run: true, kind: 'voucher' },
    }),
  ],
  [
    'order',
    () => ({
      url: '/api/inbound/order',
      payload: order,
      tried: { ok: true, dry_run: true, ...amounts, warnings: [] },
    }),
  ],
  [
    'order/bunt',
    () => ({
      url: '/api/inbound/order/bunt',
      payload: [another, { ...orderBody(), total: 1 }],
      tried: {
        results: [
          { status: 200, ok: true, dry_run: true, ...amounts },
          {
            status: 422,
            error: 'unprocessable',
            detail: { reason: 'total_mismatch', stored: false },
          },
        ],
      },
    }),
  ],
  [
    'aterbetalning',
    () => ({
      url: '/api/inbound/aterbetalning',
      payload: refund,
      tried: { ok: true, dry_run: true },
    }),
  ],
  [
    'dagskassa',
    () => ({
      url: '/api/inbound/dagskassa',
      payload: tillReport,
      tried: { ok: true, dry_run: true },
    }),
  ],
  [
    'peppol',
    () => ({
      url: '/api/inbound/peppol',
      payload: eInvoice(),
      type: 'application/xml',
      tried: { ok: true, dry_run: true, invoiceNo: 'F-1001', total: 1250 },
    }),
  ],
];

const send = (
  { url, payload, type = 'application/json', as = () => key }: Writing,
  dryRun: boolean,
  headers: Record<string, string> = {},
) =>
  books.call({
    method: 'POST',
    url: dryRun ? `${url}${url.includes('?') ? '&' : '?'}dryRun=true` : url,
    key: as(),
    headers: { 'content-type': type, ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

test('every operation that writes has it', async () => {
  const { paths } = (await books.app.inject({ url: '/openapi.json' })).json();
  const without = Object.entries(
    paths as Record<string, Record<string, { parameters?: { name: string }[] }>>,
  )
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'get')
        .map(([method, { parameters = [] }]) => ({
          name: `${method.toUpperCase()} ${path}`,
          has: parameters.some(({ name }) => name === 'dryRun'),
        })),
    )
    .filter(({ has }) => !has)
    .map(({ name }) => name);
  // What is asked with a body, and the exchange of an agency's key, whose contract is frozen.
  expect(without.sort()).toEqual(['POST /api/byra/token', 'POST /api/inbound/avstamning']);
});

describe.each(writings)('POST %s', (_, writing) => {
  test('is answered as if it had been done, and nothing has', async () => {
    const before = await everything();
    const headers = { 'idempotency-key': randomUUID() };
    const tried = await send(writing(), true, headers);
    expect([tried.statusCode, tried.json()]).toMatchObject([200, writing().tried]);
    expect(await everything()).toEqual(before);
    // Tried as often as one likes, counted each time.
    const again = await send(writing(), true, headers);
    expect([again.statusCode, again.json()]).toMatchObject([200, writing().tried]);
    const left = (answer: typeof tried) =>
      Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]);
    expect(left(again)).toBe(left(tried) - 1);
    // The key is not used up, nor anything taken for having come before.
    const done = await send(writing(), false, headers);
    expect([done.statusCode, done.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(done.body).not.toContain('"duplicate":true');
    expect(done.body).not.toContain('dry_run');
    expect(await everything()).not.toEqual(before);
  });

  test('needs the same key', async () => {
    const { key: other } = await books.makeKey(['bank:read']);
    expect((await send({ ...writing(), as: () => other }, true)).statusCode).toBe(403);
    expect((await send({ ...writing(), as: () => 'svc_live_x' }, true)).statusCode).toBe(401);
  });
});

test('what it would be refused for is told as in earnest, and nothing is kept', async () => {
  const before = await everything();
  const refused = async (
    url: string,
    payload: object | string,
    type?: string,
    as?: () => string,
  ) => {
    const answer = await send(
      { url, payload, tried: {}, ...(type && { type }), ...(as && { as }) },
      true,
    );
    const { error, detail } = answer.json();
    return [
      answer.statusCode,
      error,
      detail?.reason ?? detail?.problems?.[0]?.reason,
      detail?.stored,
    ];
  };
  expect(await refused('/api/inbound/order', orderBody({ currency: 'NOK' }))).toEqual([
    422,
    'unprocessable',
    'currency_not_supported',
    false,
  ]);
  expect(await refused('/api/inbound/order', { hej: 1 })).toEqual([
    422,
    'unprocessable',
    'invalid_order',
    false,
  ]);
  expect(await refused('/api/inbound/aterbetalning', { refundId: 'R' })).toEqual([
    422,
    'unprocessable',
    'invalid_refund',
    false,
  ]);
  expect(await refused('/api/inbound/peppol', '<Invoice/>', 'application/xml')).toEqual([
    400,
    'invalid_request',
    'document_unreadable',
    false,
  ]);
  const others = eInvoice({ buyer: { orgNumber: '5560360793' } });
  expect(await refused('/api/inbound/peppol', others, 'application/xml')).toEqual([
    400,
    'invalid_request',
    'wrong_receiver',
    false,
  ]);
  expect((await refused('/api/inbound/peppol', 'hej', 'text/plain'))[0]).toBe(400);
  const unknown = { account: 1999, rows: [{ date: TODAY, amount: -1, text: 'X' }] };
  expect(await refused('/api/v1/banktransaktioner', unknown)).toEqual([
    422,
    'unprocessable',
    'bank_account_unknown',
    undefined,
  ]);
  expect((await refused('/api/v1/avrakning', { ...settlement, payout: 1 }))[0]).toBe(422);
  expect(await everything()).toEqual(before);
});

test('a lock stops it as it would in earnest', async () => {
  await withTx(books.owner, (tx) => setLock(tx, 'period', TODAY, 'test'));
  const tried = await send(
    { url: '/api/v1/avrakning', payload: { ...settlement, settlementId: 'AVR-2' }, tried: {} },
    true,
  );
  expect([tried.statusCode, tried.json().error]).toEqual([422, 'period_locked']);
});

test('tells nothing of what exists to whoever only hands in', async () => {
  const { key: shop } = await books.makeKey(['intake:write', 'documents:write']);
  const asShop = (url: string, payload: object | string, type?: string) =>
    send({ url, payload, tried: {}, as: () => shop, ...(type && { type }) }, true);
  // All of these have come by now, from somebody else.
  const answers = [
    await asShop('/api/inbound/order', order),
    await asShop('/api/inbound/aterbetalning', refund),
    await asShop('/api/inbound/peppol', eInvoice(), 'application/xml'),
    await asShop(
      '/api/v1/underlag?fileName=Kvitto.pdf',
      '%PDF-1.4 prov',
      'application/octet-stream',
    ),
  ];
  const unknown = [
    await asShop('/api/inbound/order', orderBody()),
    await asShop('/api/inbound/aterbetalning', { ...refund, refundId: 'R-99', externalId: 'W-99' }),
    await asShop('/api/inbound/peppol', eInvoice({ number: 'F-77' }), 'application/xml'),
    await asShop(
      '/api/v1/underlag?fileName=Kvitto.pdf',
      '%PDF-1.4 nytt',
      'application/octet-stream',
    ),
  ];
  const shown = (all: typeof answers) =>
    all.map((answer) => {
      const { documentSha256: _, sha256: __, invoiceNo: ___, ...rest } = answer.json();
      return [answer.statusCode, rest];
    });
  expect(shown(answers)).toEqual(shown(unknown));
});

test('a withdrawal is tried too', async () => {
  const [made] = (await books.call({ url: '/api/v1/forslag', key: proposer })).json().data;
  const url = `/api/v1/forslag/${made.id}/aterta`;
  const withdraw = (query: string) =>
    books.call({ method: 'POST', url: `${url}${query}`, key: proposer });
  expect((await withdraw('?dryRun=true')).json()).toEqual({ dry_run: true, kind: 'voucher' });
  expect(
    (await books.call({ url: `/api/v1/forslag/${made.id}`, key: proposer })).json(),
  ).toMatchObject({
    status: 'open',
  });
  expect((await withdraw('')).json()).toMatchObject({ status: 'withdrawn' });
});

test('what nobody fetched is cleared away, and what was fetched is gone', async () => {
  const count = async () =>
    (await books.owner.query('select count(*)::integer as count from intake.trials')).rows[0].count;
  expect(await count()).toBe(0);
  await books.owner.query(
    `insert into intake.trials (id, kind, raw, key_id, created_at)
     select gen_random_uuid(), 'order', '{}', id, now() - interval '2 hours' from restricted.api_keys limit 1`,
  );
  await books.owner.query('select * from restricted.purge_expired()');
  expect(await count()).toBe(0);
});
