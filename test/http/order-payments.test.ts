/** Payments that shops tell of with orders and refunds: the invoice is settled as it is booked, and nothing is counted twice. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { listOverdue } from '#src/sales/reminders/store.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

const free = [{ description: 'Prov', quantity: 1, unitPrice: 50, discountPct: 100, vatRate: 25 }];
let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(() => books.close());

const query = <Row extends object>(statement: ReturnType<typeof sql>) =>
  db(books.owner).query<Row>(statement);
const post = (url: string, payload: object) => books.call({ method: 'POST', url, payload });
const send = (overrides: object) => post('/api/inbound/order', orderBody(overrides));
const book = async (id: string) => {
  const [outcome] = await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
  return outcome;
};
async function booked(overrides: object): Promise<string> {
  const answer = await send(overrides);
  expect(answer.statusCode, answer.body).toBe(200);
  const { invoiceId } = answer.json();
  expect((await book(invoiceId))?.refusal).toBeNull();
  return invoiceId;
}
/** What the vouchers of an invoice's payments post, by account: above zero in debit. */
const paidOn = async (invoiceId: string) =>
  Object.fromEntries(
    (
      await query<{ account: number; ore: bigint }>(sql`select r.account,
          sum(r.debit_ore - r.credit_ore)::bigint as ore from ledger.voucher_rows r
        where r.voucher_id in (select voucher_id from sales.payments where invoice_id = ${invoiceId}::uuid)
        group by 1 order by 1`)
    ).map(({ account, ore }) => [account, ore]),
  );
const standing = async (invoiceId: string) =>
  (
    await query<{ status: string; open_ore: bigint }>(
      sql`select status, open_ore from sales.invoices where id = ${invoiceId}::uuid`,
    )
  )[0];

test('a gift card is a debt until it is redeemed, and its refund takes the debt back', async () => {
  const externalId = randomUUID();
  const rows = [
    { description: 'Presentkort', quantity: 2, unitPrice: 500, vatRate: 0, giftCard: true },
    { description: 'Kaffe', quantity: 1, unitPrice: 112, vatRate: 12 },
  ];
  const posted = async (id: string) =>
    query<{ account: number; ore: bigint }>(sql`select r.account,
        sum(r.debit_ore - r.credit_ore)::bigint as ore
      from ledger.voucher_rows r join sales.invoices i on i.voucher_id = r.voucher_id
      where i.id = ${id}::uuid group by 1 order by 1`);
  const sold = await booked({
    ...{ externalId, rows, total: 1112 },
    payments: [{ method: 'card', amount: 1112 }],
  });
  expect(await posted(sold)).toEqual([
    { account: 1510, ore: 111_200n },
    { account: 2421, ore: -100_000n },
    { account: 2621, ore: -1_200n },
    { account: 3002, ore: -10_000n },
  ]);
  const { noteId } = await refunded(externalId, { rows: [{ rowNo: 1, quantity: 1 }] });
  const note = String(noteId);
  expect((await book(note))?.refusal).toBeNull();
  expect(await posted(note)).toEqual([
    { account: 1510, ore: -50_000n },
    { account: 2421, ore: 50_000n },
  ]);
});

describe('an order that is paid', () => {
  test('by several means and with a tip is paid as it is booked, to the öre', async () => {
    const payments = [
      { method: 'gift_card', amount: 100, reference: 'GC-1' },
      { method: 'Card', amount: 89.01, reference: 'ch_1' },
      { method: 'swish', amount: 25 },
    ];
    const invoiceId = await booked({ payments, tip: 15.01 });
    expect(await standing(invoiceId)).toEqual({ status: 'paid', open_ore: 0n });
    expect(await paidOn(invoiceId)).toEqual({
      1510: -19_900n,
      1686: 8_901n,
      1930: 2_500n,
      2421: 10_000n,
      2890: -1_501n,
    });
    expect(
      await query(sql`select account, amount_ore, reference, payment_date from sales.payments
        where invoice_id = ${invoiceId}::uuid order by account`),
    ).toEqual([
      { account: 1686, amount_ore: 8_901n, reference: 'ch_1', payment_date: '2026-03-31' },
      { account: 1930, amount_ore: 999n, reference: 'swish', payment_date: '2026-03-31' },
      { account: 2421, amount_ore: 10_000n, reference: 'GC-1', payment_date: '2026-03-31' },
    ]);
  });

  test('on several days has a voucher a day, and none before its date', async () => {
    const payments = [
      { method: 'card', amount: 99, date: '2026-04-02' },
      { method: 'card', amount: 100 },
    ];
    const invoiceId = await booked({ payments });
    expect(
      await query(sql`select v.verification_date, v.series from ledger.vouchers v
        where v.id in (select voucher_id from sales.payments where invoice_id = ${invoiceId}::uuid)
        order by 1`),
    ).toEqual([
      { verification_date: '2026-03-31', series: 'C' },
      { verification_date: '2026-04-02', series: 'C' },
    ]);
    const early = await send({ payments: [{ method: 'card', amount: 199, date: '2026-03-30' }] });
    expect(early.json().detail).toMatchObject({
      reason: 'payments_mismatch',
      problems: [{ path: 'payments[0].date', reason: 'payment_before_order' }],
    });
  });

  test.each([
    ['an öre too little', { payments: [{ method: 'card', amount: 198.99 }] }, 'payments_mismatch'],
    [
      'a tip that nobody paid',
      { payments: [{ method: 'card', amount: 199 }], tip: 1 },
      'payments_mismatch',
    ],
    [
      'a means without an account',
      { payments: [{ method: 'shells', amount: 199 }] },
      'payment_method_unknown',
    ],
    ['a tip as a means', { payments: [{ method: 'tip', amount: 199 }] }, 'payment_method_unknown'],
  ])('%s stops it with its reason, and nothing is invoiced', async (_, overrides, reason) => {
    const answer = await send(overrides);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject({ reason: 'payments_mismatch', stored: true });
    expect(answer.json().detail.problems[0].reason).toBe(reason);
  });

  test('what is told of sums that differ is told to the öre', async () => {
    const answer = await send({ payments: [{ method: 'card', amount: 1 }], tip: 3 });
    expect(answer.json().detail.problems[0].message.replaceAll('\u00a0', ' ')).toBe(
      'Betalningarna är 1,00 kr, men ska vara 202,00 kr (199,00 kr och 3,00 kr i dricks).',
    );
  });

  test('a payment of another form than ours is the shop’s own, and stops nothing', async () => {
    for (const payments of [[], 'card', [{ gateway: 'stripe', amount: '199.00' }], {}]) {
      expect((await send({ payments })).statusCode).toBe(200);
    }
  });

  test('a tip and a means of nothing are nothing, and one below nothing is told', async () => {
    const payments = [
      { method: 'gift_card', amount: 0 },
      { method: 'card', amount: 199 },
      { method: 'a means that was not used', amount: 0 },
    ];
    const paid = await booked({ payments, tip: 0 });
    expect(await paidOn(paid)).toEqual({ 1510: -19_900n, 1686: 19_900n });
    for (const order of [{}, { total: 0, rows: free }]) {
      const answer = await send({ ...order, payments: [{ method: 'free', amount: 0 }], tip: -0 });
      expect(answer.statusCode, answer.body).toBe(200);
      await book(answer.json().invoiceId);
      expect(await paidOn(answer.json().invoiceId)).toEqual({});
    }
    const answer = await send({ payments: [{ method: 'card', amount: -1 }], tip: -1 });
    expect(answer.json().detail).toMatchObject({
      reason: 'invalid_order',
      problems: [
        { path: 'payments[0].amount', reason: 'below_zero' },
        { path: 'tip', reason: 'below_zero' },
      ],
    });
    const onlyTip = await send({ payments: [{ method: 'card', amount: 0 }], tip: 1 });
    expect(onlyTip.json().detail.reason).toBe('payments_mismatch');
  });

  test('whose invoice a person gives a later day is paid on that day, and stops nobody', async () => {
    const payments = [
      { method: 'card', amount: 99, date: '2026-04-01' },
      { method: 'swish', amount: 50 },
      { method: 'swish', amount: 50, date: '2026-04-20' },
    ];
    const [moved, other] = await Promise.all([send({ payments }), send({})]);
    const { invoiceId } = moved.json();
    await query(sql`update sales.invoices set invoice_date = '2026-04-10', due_date = '2026-05-10'
      where id = ${invoiceId}::uuid`);
    const both = [invoiceId, other.json().invoiceId];
    const outcomes = await withTx(books.owner, (tx) => bookInvoices(tx, both, 'test'));
    expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null]);
    expect(await standing(invoiceId)).toEqual({ status: 'paid', open_ore: 0n });
    expect(
      await query(sql`select payment_date, sum(amount_ore)::bigint as ore from sales.payments
        where invoice_id = ${invoiceId}::uuid group by 1 order by 1`),
    ).toEqual([
      { payment_date: '2026-04-10', ore: 14_900n },
      { payment_date: '2026-04-20', ore: 5_000n },
    ]);
  });

  test('when its payment is dated in a locked period, the invoice stays open and the reason is kept', async () => {
    const payments = [{ method: 'card', amount: 199, date: '2026-05-10' }];
    const answer = await send({ orderDate: '2026-05-10', payments });
    const { invoiceId } = answer.json();
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-05-31', 'test'));
    try {
      expect((await book(invoiceId))?.refusal?.code).toBe('period_locked');
    } finally {
      await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
    }
    await query(sql`update ledger.accounts set is_active = false where number = 1686`);
    try {
      expect((await book(invoiceId))?.refusal).toBeNull();
    } finally {
      await query(sql`update ledger.accounts set is_active = true where number = 1686`);
    }
    expect(await standing(invoiceId)).toEqual({ status: 'booked', open_ore: 19_900n });
    expect(
      await query(sql`select refusal ->> 'error' as error, voucher_id from sales.order_payments
        where invoice_id = ${invoiceId}::uuid`),
    ).toEqual([{ error: 'unprocessable', voucher_id: null }]);
    // Nobody who has paid is reminded of it by a run.
    const overdue = await listOverdue(db(books.owner), '2026-12-31', [invoiceId]);
    expect(overdue).toMatchObject([{ id: invoiceId, isSaidPaid: true }]);
  });

  test('by a provider is cleared by its settlement, and nothing is left on the clearing account', async () => {
    await query(sql`insert into ledger.accounts (number, name, type)
      select 1689, 'Zettle', type from ledger.accounts where number = 1686 on conflict do nothing`);
    await withTx(books.owner, (tx) =>
      changeSetting(tx, 'order-payment-accounts', 'zettle 1689, tip 2890', 'test'),
    );
    try {
      await booked({ payments: [{ method: 'zettle', amount: 199 }] });
      const paid = await booked({ payments: [{ method: 'zettle', amount: 199 }] });
      const [{ external_id: externalId } = { external_id: '' }] = await query<{
        external_id: string;
      }>(sql`select external_id from intake.orders where invoice_id = ${paid}::uuid`);
      const refundId = randomUUID();
      await post('/api/inbound/aterbetalning', {
        externalId,
        refundId,
        refundDate: '2026-04-01',
        amount: 50,
        payments: [{ method: 'zettle', amount: 50, reference: 're_1' }],
      });
      const note = await vi.waitFor(
        async () => {
          const [found] = await query<{ invoice_id: string }>(
            sql`select invoice_id from intake.orders where refund_key = ${refundId} and invoice_id is not null`,
          );
          expect(found).toBeDefined();
          return found?.invoice_id ?? '';
        },
        { timeout: 150_000 },
      );
      expect((await book(note))?.refusal).toBeNull();
      // 199 paid, 50 credited and 50 paid back: nothing is owed either way.
      expect(await standing(paid)).toEqual({ status: 'paid', open_ore: 0n });
      const settled = await post('/api/v1/avrakning', {
        provider: 'Zettle',
        settlementId: 'Z-1',
        date: '2026-04-02',
        account: 1689,
        payout: 348,
        lines: [
          { kind: 'sale', amount: 398 },
          { kind: 'refund', amount: -50 },
        ],
      });
      expect(settled.statusCode, settled.body).toBe(200);
      expect(
        await query(sql`select sum(debit_ore - credit_ore)::bigint as ore from ledger.voucher_rows
          where account = 1689`),
      ).toEqual([{ ore: 34_800n }]);
    } finally {
      await withTx(books.owner, (tx) =>
        changeSetting(
          tx,
          'order-payment-accounts',
          'card 1686, swish 1930, gift_card 2421, tip 2890',
          'test',
        ),
      );
    }
  });

  test('a refund gives the tip back by itself: nobody is owed it, and no VAT is taken back of it', async () => {
    const externalId = randomUUID();
    const paid = await booked({
      externalId,
      payments: [{ method: 'card', amount: 219 }],
      tip: 20,
    });
    const refund = (amount: number, tip: number, paidBack = amount + tip) =>
      refunded(externalId, { amount, tip, payments: [{ method: 'card', amount: paidBack }] });
    expect(await refund(50, 20.01)).toEqual({
      reason: 'refund_payments_mismatch',
      why: ['refund_tip_exceeds'],
    });
    expect(await refund(50, 20, 50)).toMatchObject({ why: ['payments_mismatch'] });
    expect(await refund(0, 20)).toMatchObject({ why: ['refund_of_tip_alone'] });
    const { noteId } = await refund(50, 20);
    expect((await book(String(noteId)))?.refusal).toBeNull();
    expect(await standing(paid)).toEqual({ status: 'paid', open_ore: 0n });
    // 219 came by card, 70 went back: 50 of the sale and all of the tip.
    expect(await paidOn(paid)).toEqual({ 1510: -14_900n, 1686: 14_900n, 2890: 0n });
    expect(await refund(10, 0.01)).toMatchObject({ why: ['refund_tip_exceeds'] });
  });

  test('a refund whose payments do not come to what is credited waits for a person', async () => {
    const externalId = randomUUID();
    await booked({ externalId, payments: [{ method: 'card', amount: 199 }] });
    const refundId = randomUUID();
    await post('/api/inbound/aterbetalning', {
      externalId,
      refundId,
      refundDate: '2026-04-01',
      payments: [{ method: 'card', amount: 198 }],
    });
    await vi.waitFor(
      async () =>
        expect(
          await query(sql`select a.reason from intake.order_attempts a
            join intake.orders o on o.id = a.order_id where o.refund_key = ${refundId}`),
        ).toEqual([{ reason: 'refund_payments_mismatch' }]),
      { timeout: 150_000 },
    );
  });
});

/** What became of a refund: its credit note, or why it waits. */
async function refunded(
  externalId: string,
  said: object,
): Promise<{ noteId?: string; reason?: string; why?: string[] }> {
  const refundId = randomUUID();
  const sent = { externalId, refundId, refundDate: '2026-04-01', ...said };
  const answer = await post('/api/inbound/aterbetalning', sent);
  expect(answer.statusCode, answer.body).toBe(200);
  return vi.waitFor(
    async () => {
      const [found] = await query<{ note: string | null; reason: string; why: string[] }>(
        sql`select o.invoice_id as note, a.reason,
            array(select p ->> 'reason' from jsonb_array_elements(a.detail -> 'problems') as p) as why
          from intake.order_attempts a join intake.orders o on o.id = a.order_id
          where o.refund_key = ${refundId} and (o.invoice_id is not null or a.reason is not null)`,
      );
      if (!found) throw new Error('not judged yet');
      return found.note === null
        ? { reason: found.reason, why: found.why }
        : { noteId: found.note };
    },
    { timeout: 150_000 },
  );
}

const tell = (invoiceId: string) =>
  query(sql`insert into sales.order_payments (invoice_id, place, method, account, amount_ore, payment_date)
    values (${invoiceId}::uuid, 9, 'card', 1686, 100, '2026-03-31')`);

test('what a shop said of a payment is never changed or booked twice, whoever asks', async () => {
  const invoiceId = await booked({ payments: [{ method: 'card', amount: 199 }] });
  await expect(
    query(
      sql`update sales.order_payments set amount_ore = 1 where invoice_id = ${invoiceId}::uuid`,
    ),
  ).rejects.toThrow('never changed');
  await expect(
    query(sql`delete from sales.order_payments where invoice_id = ${invoiceId}::uuid`),
  ).rejects.toThrow('never changed');
  await query(sql`select sales.settle_as_ordered(${invoiceId}::uuid, 'test', null::uuid)`);
  await book(invoiceId);
  expect(await paidOn(invoiceId)).toEqual({ 1510: -19_900n, 1686: 19_900n });
  // Nothing is said afterwards of what is booked, nor of what no shop has sent.
  await expect(tell(invoiceId)).rejects.toThrow('never changed');
  const [byHand] = await query<{
    id: string;
  }>(sql`insert into sales.invoices (id, kind, source, created_by,
      customer_id, invoice_date, due_date, payment_terms_days, prices_include_vat, debtor, net_ore, vat_ore,
      rounding_ore, total_ore)
    select gen_random_uuid(), kind, 'app', created_by, customer_id, invoice_date, due_date, payment_terms_days,
      prices_include_vat, debtor, net_ore, vat_ore, rounding_ore, total_ore
    from sales.invoices where id = ${invoiceId}::uuid returning id`);
  await expect(tell(String(byHand?.id))).rejects.toThrow('never changed');
});
