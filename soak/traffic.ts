/** Who calls, and for what: integrators that post, shops, suppliers, readers, and those who get it wrong. */

import { eInvoice } from '../test/support/e-invoice.ts';
import { orderBody, voucherBody } from '../test/support/installation.ts';
import { type Body, Caller, post, type World } from './callers.ts';
import { beAtThePages } from './person.ts';

/** Every caller, each until the traffic is over. */
export function startTraffic(world: World): Promise<unknown>[] {
  const caller = (name: string) => new Caller(name, world);
  return [
    ...[1, 2, 3, 4].map((n) => postVouchers(caller(`posts-${n}`))),
    postWithFickleKey(caller('fickle')),
    getItWrong(caller('wrong')),
    ...[1, 2].map((n) => makeInvoices(caller(`invoices-${n}`))),
    ...[1, 2].map((n) => handInOrders(caller(`orders-${n}`))),
    handInDocuments(caller('documents')),
    ...[1, 2].map((n) => followEvents(caller(`follows-${n}`))),
    readAll(caller('reads')),
    ...[1, 2].map((n) => beAtThePages(caller(`person-${n}`))),
  ];
}

const pick =
  (...names: readonly string[]) =>
  (body: Body): Body =>
    Object.fromEntries(names.map((name) => [name, body[name]]));
const voucherAnswer = pick('id', 'series', 'number', 'verification_date');

const series = ['A', 'A', 'M'];

/** Of different amounts, in two series; now and then the same key with another voucher. */
async function postVouchers(caller: Caller): Promise<void> {
  const { steady: key } = caller.world;
  await caller.repeat(60, async () => {
    const op = caller.next();
    const amount = caller.random.integer(1, 900_000) / 100;
    const voucher = voucherBody({
      description: op,
      seriesCode: caller.random.pick(series),
      rows: [
        { account: 1930, debit: amount, credit: 0 },
        { account: 3001, debit: 0, credit: amount },
      ],
    });
    const request = post('/api/v1/verifikat', voucher, op);
    await caller.untilAnswered('voucher', op, request, { key, keep: voucherAnswer });
    if (!caller.random.chance(3)) return;
    const other = { ...voucher, description: `${op} another` };
    const conflicting = post('/api/v1/verifikat', other, op);
    await caller.untilAnswered('wrong voucher', other.description, conflicting, { key });
  });
}

async function postWithFickleKey(caller: Caller): Promise<void> {
  await caller.repeat(60, async () => {
    const op = caller.next();
    const key = caller.world.fickle;
    const request = post('/api/v1/verifikat', voucherBody({ description: op }), op);
    await caller.untilAnswered('voucher', op, request, { key, keep: voucherAnswer });
  });
}

const row = (account: number, debit: number, credit: number) => ({ account, debit, credit });
const wrong: readonly object[] = [
  { rows: [row(1930, 100, 0), row(3001, 0, 99)] },
  { rows: [row(1930, 100, 0), row(9998, 0, 100)] },
  { rows: [row(1930, 100, 0)] },
  { date: '1999-01-01' },
  { seriesCode: 'Ö' },
  { source: 'invoice' },
  { counterparty: 'x'.repeat(600_000) },
];

async function getItWrong(caller: Caller): Promise<void> {
  const { steady, narrow } = caller.world;
  await caller.repeat(250, async () => {
    const op = caller.next();
    const fault = caller.random.integer(0, wrong.length + 1);
    const key = fault === wrong.length ? narrow : steady;
    const body = voucherBody({ description: op, ...wrong[fault] });
    const request = post('/api/v1/verifikat', body, op);
    await caller.untilAnswered('wrong voucher', op, request, fault > wrong.length ? {} : { key });
  });
}

async function makeInvoices(caller: Caller): Promise<void> {
  const { world, random } = caller;
  const keep = pick('id', 'status', 'invoice_number', 'total_amount');
  await caller.repeat(150, async () => {
    const op = caller.next();
    const book = random.chance(70);
    const invoice = {
      customerId: world.system.customerId,
      invoiceDate: '2026-03-31',
      paymentTerms: 30,
      notes: op,
      rows: [
        {
          description: 'Tjänst',
          quantity: random.integer(1, 9),
          unitPrice: random.integer(1, 9_000),
          vatRate: 25,
          account: 3001,
        },
      ],
      book,
    };
    const request = post('/api/v1/kundfakturor', invoice, op);
    const got = await caller.untilAnswered('invoice', op, request, { key: world.steady, keep });
    const { id, total_amount: total } = got?.body ?? {};
    if (book && typeof id === 'string' && typeof total === 'number' && world.toPay.length < 100) {
      world.toPay.push({ id, total });
    }
  });
}

/** One in ten in another currency, which becomes no invoice; one in twenty sent once more afterwards. */
async function handInOrders(caller: Caller): Promise<void> {
  const { steady: key } = caller.world;
  const keep = (body: Body) => pick('invoiceId', 'duplicate')(body);
  await caller.repeat(150, async () => {
    const op = caller.next();
    const order = orderBody({
      externalId: op,
      ...(caller.random.chance(10) ? { currency: 'EUR' } : {}),
    });
    const request = post('/api/inbound/order', order);
    await caller.untilAnswered('order', op, request, { key, keep });
    if (caller.random.chance(5)) await caller.untilAnswered('order', op, request, { key, keep });
  });
}

async function handInDocuments(caller: Caller): Promise<void> {
  const { steady: key } = caller.world;
  await caller.repeat(250, async () => {
    const op = caller.next();
    const body = eInvoice({ number: op, net: caller.random.integer(1, 50_000) });
    const headers = { 'content-type': 'application/xml' };
    const request = { method: 'POST', path: '/api/inbound/peppol', headers, body } as const;
    const keep = pick('draftId', 'invoiceNo', 'duplicate');
    await caller.untilAnswered('e-invoice', op, request, { key, keep });
  });
}

/** From the very first event, without ever going back. */
async function followEvents(caller: Caller): Promise<void> {
  const { steady: key } = caller.world;
  let cursor = '';
  const keep = (body: Body): Body => ({
    ids: (body['data'] as { id: string }[]).map(({ id }) => id),
  });
  await caller.repeat(300, async () => {
    const path = `/api/v1/handelser?limit=${caller.random.integer(1, 200)}${cursor}`;
    const got = await caller.untilAnswered('events', caller.name, { path }, { key, keep });
    const next = got?.body['next_cursor'];
    if (typeof next === 'string') cursor = `&cursor=${next}`;
  });
}

const readings = [
  '/api/v1/meta',
  '/api/v1/verifikat?limit=200',
  '/api/v1/verifikat?serie=A&konto=1930',
  '/api/v1/bokforbarhet',
  '/api/stats/overview',
  '/api/stats/monthly',
  '/api/stats/daily?from=2026-03-01&to=2026-03-31',
  '/openapi.json',
  '/readyz',
];

async function readAll(caller: Caller): Promise<void> {
  const { steady: key } = caller.world;
  await caller.repeat(100, async () => {
    const path = caller.random.pick(readings);
    await caller.untilAnswered('read', path, { path }, { key });
  });
}
