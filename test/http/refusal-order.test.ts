/** Refusals come in one order, 401 → 403 → 429 → 413 → 400 → 409 → 422, so that a client acts on what comes first. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { type Installation, TODAY } from '../support/installation.ts';
import { openBooks } from './books.ts';

let books: Installation;
let customerId: string;
beforeAll(async () => {
  books = await openBooks();
  ({ id: customerId } = await withTx(books.owner, async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type) values (1686, 'Avräkning', 'asset')
      on conflict do nothing`);
    return insertCustomer(tx, { name: 'Kunden AB' });
  }));
});
afterAll(() => books.close());

const settlement = (amount: number) => ({
  provider: 'Kortbolaget',
  settlementId: 'AVR-1',
  date: TODAY,
  payout: 100,
  lines: [{ kind: 'sale', amount }],
});
const invoice = (unitPrice: number) => ({
  customerId,
  invoiceDate: TODAY,
  paymentTerms: 30,
  rows: [{ description: 'Timmar', quantity: 1, unitPrice, vatRate: 25, account: 3001 }],
});
const file = (bytes: string) => Buffer.from(bytes);

const calls = [
  {
    url: '/api/v1/avrakning',
    scopes: ['bank:write', 'ledger:write'],
    headers: {},
    good: () => settlement(100),
    bad: () => settlement(99),
  },
  {
    url: '/api/v1/kundfakturor',
    scopes: ['ledger:write', 'data:read'],
    headers: {},
    good: () => invoice(100),
    bad: () => invoice(-100),
  },
  {
    url: '/api/v1/forslag',
    scopes: ['proposals:write', 'data:read'],
    headers: {},
    good: () => ({ kind: 'invoice_draft', payload: invoice(100) }),
    bad: () => ({ kind: 'invoice_draft', payload: invoice(-100) }),
  },
  {
    url: '/api/v1/underlag?fileName=kvitto',
    scopes: ['documents:write'],
    headers: { 'content-type': 'application/octet-stream' },
    good: () => file('%PDF-1.7\n'),
    bad: () => file('\u0000\u0001'),
  },
] as const;

test.each(calls)(
  '$url: a new body under a used Idempotency-Key is told to take a new key, though its sums are wrong too',
  async ({ url, scopes, headers, good, bad }) => {
    const { key } = await books.makeKey([...scopes]);
    const send = (payload: object, idempotencyKey: string) =>
      books.call({
        method: 'POST',
        url,
        key,
        headers: { ...headers, 'idempotency-key': idempotencyKey },
        payload,
      });
    const used = randomUUID();
    const first = await send(good(), used);
    expect(first.statusCode, first.body).toBe(200);
    expect((await send(bad(), randomUUID())).statusCode).toBe(422);
    const refused = await send(bad(), used);
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({
        error: 'idempotency_conflict',
        detail: expect.objectContaining({ first_request_id: first.headers['x-request-id'] }),
      }),
    ]);
    // What was done under the key is answered as before.
    expect((await send(good(), used)).headers['idempotent-replayed']).toBe('true');
  },
);

describe('a key that may book has nobody to ask', () => {
  test('and is told so before what it sends is read, and before its quota is', async () => {
    const { key } = await books.makeKey(['proposals:write', 'data:read', 'ledger:write'], 1);
    for (const payload of ['{', '{"kind": 1}', '{"kind": 2}']) {
      const refused = await books.call({
        method: 'POST',
        url: '/api/v1/forslag',
        key,
        headers: { 'idempotency-key': randomUUID() },
        payload,
      });
      expect([refused.statusCode, refused.json().error]).toEqual([403, 'scope_conflict']);
    }
  });
});
