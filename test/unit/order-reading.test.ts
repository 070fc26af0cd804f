/** What stands on an order's page is what came, whatever it is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from '#src/domain/basics/json.ts';
import { handOrder } from '#src/intake/orders/by-hand.ts';
import type { OrderDecided, ShownAttempt } from '#src/intake/orders/inbox-store.ts';
import { readableOrder } from '#src/intake/orders/readable.ts';
import { orderTimeline } from '#src/intake/orders/timeline.ts';

test('JSON is put on lines of its own without a character being lost or added', () => {
  expect(indentJson('{"a":1.10,"b":[],"c":{ },"d":[1,"x\\":[{"]}')).toBe(
    '{\n  "a": 1.10,\n  "b": [],\n  "c": {},\n  "d": [\n    1,\n    "x\\":[{"\n  ]\n}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const indented = indentJson(JSON.stringify(value));
      expect(JSON.stringify(JSON.parse(indented))).toBe(JSON.stringify(value));
      expect(indented).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('anything can be read as an order, and nothing of it is judged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const order = readableOrder(body);
      const customer = readableOrder({ customer: body, rows: [body] }).customer;
      for (const text of [order.externalId, order.total, ...Object.values(customer)]) {
        expect(typeof text).toBe('string');
      }
    }),
  );
  expect(readableOrder({ total: -12.5, rows: [{ quantity: 1.5 }, 'x'] })).toMatchObject({
    total: '−12,5',
    totalOre: -1_250n,
    rows: [
      { rowNo: 1, quantity: '1,5' },
      { rowNo: 2, description: 'x' },
    ],
  });
});

test('a row that sells a gift card says so, and no other', () => {
  const rows = [{ giftCard: true }, { giftCard: false }, { giftCard: 'ja' }, {}];
  expect(readableOrder({ rows }).rows.map(({ giftCard }) => giftCard)).toEqual(['Ja', '', '', '']);
});

test('an attempt that was tried again twice is told three times, each with what it came to', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
  const attempt: ShownAttempt = {
    id: 'a',
    received_at: at(0),
    status: 'draft',
    is_stuck: false,
    reason: null,
    detail: null,
    decided_at: at(21),
    sha256: 'ab',
    size: 2,
    sender: 'Butiken',
    request_id: 'r0',
  };
  const decision = (minute: number, reason: string | null): OrderDecided => ({
    attempt_id: 'a',
    decision: 'retried',
    reason: null,
    judgement: reason === null ? null : { reason, detail: null },
    decided_at: at(minute),
    decided_by: 'user:1',
    request_id: `r${minute}`,
  });
  const decisions = [decision(10, 'customer_unknown'), decision(20, 'account_missing')];
  const dismissal: OrderDecided = {
    ...decision(15, null),
    decision: 'dismissed',
    reason: 'Fel',
  };
  const told = orderTimeline([attempt], [...decisions, dismissal]);
  expect(
    told.map((one) => (one.kind === 'dismissal' ? one.reason : 'outcome' in one && one.outcome)),
  ).toEqual([
    { status: 'draft', reason: null },
    'Fel',
    { status: 'rejected', reason: 'account_missing' },
    { status: 'rejected', reason: 'customer_unknown' },
  ]);
  expect(told.map(({ requestId }) => requestId)).toEqual(['r20', 'r15', 'r10', 'r0']);
});

test('an order invoiced by hand keeps units and discounts, and what they leave of the total', () => {
  const kept = { description: 'Bönor', quantity: 1, unit: 'kg', unitPrice: 125, vatRate: 25 };
  const byHand = (row: object) =>
    handOrder(
      { pricesIncludeVat: true, total: 112.5, rows: [{ ...kept, discountPct: 10, ...row }] },
      10_000n,
    );
  expect(byHand({})).toMatchObject({
    rows: [{ unit: 'kg', unitPriceE4: 1_000_000n, discountE2: 1_000n }],
    differenceOre: 0n,
  });
  expect(byHand({ discountPct: null })).toMatchObject({
    rows: [{ discountE2: 0n }],
    differenceOre: -1_250n,
  });
  // What cannot be read is for a person to fill in: nobody knows what the rows come to.
  for (const discountPct of ['10', 100.01, -1, 3.333]) {
    expect(byHand({ discountPct })).toMatchObject({
      rows: [{ discountE2: null }],
      differenceOre: null,
    });
  }
  expect(byHand({ unit: 'kg\nst' })).toMatchObject({ rows: [{ unit: null }] });
});
