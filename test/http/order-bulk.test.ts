import { randomUUID } from 'node:crypto';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/inbound/order/bunt';
const single = '/api/inbound/order';
let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(() => books.close());

const send = (payload: string, type = 'application/json', headers: Record<string, string> = {}) =>
  books.call({ method: 'POST', url, payload, headers: { 'content-type': type, ...headers } });
const sendAll = (orders: readonly unknown[], headers?: Record<string, string>) =>
  send(JSON.stringify(orders), 'application/json', headers);

interface Result {
  readonly status: number;
  readonly invoiceId?: string;
  readonly orderId?: string;
  readonly duplicate?: true;
  readonly error?: string;
  readonly message?: string;
  readonly detail?: { reason?: string; stored?: true; order_id?: string };
}
const resultsOf = (answer: Response): Result[] => {
  expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return answer.json().results;
};
const isDelayed = ({ error }: Result) => error === 'processing_delayed' || error === 'overloaded';

/** As a shop does: what is not yet decided is asked for again by sending the same. */
async function settle(sending: () => Promise<Response>): Promise<Result[]> {
  for (;;) {
    const results = resultsOf(await sending());
    if (!results.some(isDelayed)) return results;
  }
}

test('each order is kept and answered in its place, as it would have been by itself', async () => {
  const good = orderBody();
  const orders = [
    good,
    orderBody({ currency: 'EUR' }),
    orderBody({ total: 1 }),
    { externalId: randomUUID() },
    orderBody(),
  ];
  const results = await settle(() => sendAll(orders));
  expect(results.map(({ status, detail }) => [status, detail?.reason])).toEqual([
    [200, undefined],
    [422, 'currency_not_supported'],
    [422, 'total_mismatch'],
    [422, 'invalid_order'],
    [200, undefined],
  ]);
  expect(results[2]).toMatchObject({ index: 2, detail: { stored: true } });
  const alone = await books.call({ method: 'POST', url: single, payload: good });
  expect(alone.json()).toMatchObject({ invoiceId: results[0]?.invoiceId, duplicate: true });
  const refused = await books.call({ method: 'POST', url: single, payload: { ...orders[2] } });
  expect(refused.json().detail.order_id).toBe(results[2]?.detail?.order_id);
});

test('a bunt sent again makes nothing new, whichever way it is written', async () => {
  const orders = Array.from({ length: 40 }, () => orderBody());
  const first = await settle(() => sendAll(orders));
  const lines = orders.map((one) => JSON.stringify(one)).join('\r\n');
  const again = await settle(() => send(lines, 'application/x-ndjson'));
  expect(again.map(({ invoiceId, duplicate }) => [invoiceId, duplicate])).toEqual(
    first.map(({ invoiceId }) => [invoiceId, true]),
  );
});

test('the bytes that are kept are those of the order, as they came', async () => {
  const order = JSON.stringify(orderBody({ note: 'Räksmörgås }],[ "' }), null, 1).replace(
    /\n/g,
    ' ',
  );
  const other = JSON.stringify(orderBody());
  for (const [text, type] of [
    [`[ ${order} , ${other} ]`, 'application/json'],
    [`${order}\n${other}\n`, 'application/x-ndjson'],
  ] as const) {
    await settle(() => send(text, type));
    const kept = await db(books.owner).query<{ raw: Buffer }>(
      sql`select raw from intake.order_attempts where sha256 = ${sha256Of(Buffer.from(order))}`,
    );
    expect(kept.map(({ raw }) => raw.toString())).toEqual([order]);
  }
});

test('one order twice in a bunt is one invoice', async () => {
  const order = orderBody();
  const results = await settle(() => sendAll([order, orderBody(), order, { ...order, total: 5 }]));
  expect(new Set([0, 2, 3].map((place) => results[place]?.invoiceId)).size).toBe(1);
});

test('what is no JSON is told by its line, and is kept by nobody', async () => {
  const text = `${JSON.stringify(orderBody())}\n{"externalId":\n${JSON.stringify(orderBody())}`;
  const results = await settle(() => send(text, 'application/x-ndjson'));
  expect(results.map(({ status }) => status)).toEqual([200, 400, 200]);
  expect(results[1]?.message).toMatch(/^Rad 2 är inte giltig JSON/);
});

test('whoever does not want to wait is answered when all are kept', async () => {
  const orders = Array.from({ length: 30 }, () => orderBody());
  const answer = await sendAll(orders, { prefer: 'respond-async' });
  for (const { status } of resultsOf(answer)) expect([200, 202]).toContain(status);
  const state = await books.call({
    method: 'POST',
    url: '/api/inbound/avstamning',
    payload: { externalIds: orders.map(({ externalId }) => externalId) },
  });
  for (const { status } of state.json().orders) expect(['received', 'draft']).toContain(status);
});

describe('limits', () => {
  test('one of more than 1 MB is refused alone; more than 4 MB or a thousand together', async () => {
    const long = orderBody({ note: 'x'.repeat(1024 * 1024) });
    const results = await settle(() => sendAll([long, orderBody()]));
    expect(results.map(({ status }) => status)).toEqual([413, 200]);
    expect((await sendAll([long, long, long, long])).statusCode).toBe(413);
    const many = Array.from({ length: 1001 }, () => ({}));
    expect((await sendAll(many)).statusCode).toBe(413);
  });

  test('needs intake:write, and counts one call more for each hundred', async () => {
    const { key: reader } = await books.makeKey(['data:read', 'ledger:write']);
    const asked = { method: 'POST', url, payload: JSON.stringify([orderBody()]) } as const;
    expect((await books.call({ ...asked, key: reader })).statusCode).toBe(403);
    const { key } = await books.makeKey(['intake:write'], 2);
    const hundred = JSON.stringify(Array.from({ length: 200 }, () => orderBody()));
    expect((await books.call({ ...asked, payload: hundred, key })).statusCode).toBe(429);
    expect((await books.call({ ...asked, key })).statusCode).toBe(200);
  });
});
