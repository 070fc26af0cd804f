/** Orders with the VAT of other EU countries and in other currencies: off until the company says so, and then from order to return. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseErrorOf, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(() => books.close());

const set = (value: 'on' | 'off') =>
  withTx(books.owner, (tx) => changeSetting(tx, 'order-oss', value, 'test'));
const query = <Row extends object>(statement: ReturnType<typeof sql>) =>
  db(books.owner).query<Row>(statement);
const post = (url: string, payload: object) => books.call({ method: 'POST', url, payload });
const get = (url: string) => books.call({ method: 'GET', url });

const german = { name: 'Erika Muster', countryCode: 'DE', address: 'Weg 1', city: 'Berlin' };
const row = (unitPrice: number, vatRate: number, more: object = {}) => ({
  description: 'Kanne',
  quantity: 1,
  unitPrice,
  vatRate,
  ...more,
});
/** 119 euro with 19 % to Germany, at 11,2345. */
const euro = (overrides: object = {}) =>
  orderBody({
    currency: 'EUR',
    exchangeRate: 11.2345,
    total: 119,
    customer: german,
    rows: [row(59.5, 19, { quantity: 2 })],
    ...overrides,
  });
async function send(body: object) {
  const answer = await post('/api/inbound/order', body);
  expect(answer.statusCode, answer.body).toBe(200);
  return String(answer.json().invoiceId);
}
async function booked(body: object) {
  const id = await send(body);
  const [outcome] = await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
  expect(outcome?.refusal).toBeNull();
  return id;
}
const voucherOf = (invoiceId: string) =>
  query<{ account: number; ore: bigint; note: string | null; vat_code: string | null }>(
    sql`select r.account, r.debit_ore - r.credit_ore as ore, r.note, r.vat_code
        from sales.invoices i join ledger.voucher_rows r on r.voucher_id = i.voucher_id
        where i.id = ${invoiceId}::uuid order by r.row_no`,
  );

describe('while the company has not switched it on', () => {
  test('orders and refunds are stopped with the reason as before, whatever else they say', async () => {
    const stopped = async (overrides: object) =>
      (await post('/api/inbound/order', euro(overrides))).json();
    expect((await stopped({})).detail.reason).toBe('currency_not_supported');
    const kronor = await stopped({ currency: 'SEK', exchangeRate: undefined });
    expect(kronor.detail).toMatchObject({
      reason: 'vat_rate_not_supported',
      problems: [{ path: 'rows[0].vatRate', reason: 'vat_rate_not_supported' }],
    });
    const refund = await post('/api/inbound/aterbetalning', {
      externalId: 'W-1',
      refundId: randomUUID(),
      refundDate: '2026-03-31',
      currency: 'EUR',
      amount: 1,
    });
    expect([refund.statusCode, refund.json().detail.problems[0].reason]).toEqual([
      422,
      'refund_in_other_currency',
    ]);
  });

  test('an order that was stopped is taken when it is switched on and tried again', async () => {
    const body = euro();
    expect((await post('/api/inbound/order', body)).statusCode).toBe(422);
    await set('on');
    const again = await post('/api/inbound/order', { ...body, note: 'again' });
    expect(again.statusCode, again.body).toBe(200);
  });
});

describe('switched on', () => {
  beforeEach(() => set('on'));

  test('the setting is told of in the log', async () => {
    await set('off');
    await set('on');
    expect(
      await query(sql`select detail ->> 'value' as value from audit.events
        where action = 'setting.changed' and subject = 'order-oss' order by occurred_at desc limit 1`),
    ).toEqual([{ value: 'on' }]);
  });

  test('what stops for its currency or its rate is told a way out that is open', async () => {
    const told = async (overrides: object) =>
      (await post('/api/inbound/order', euro(overrides))).json().message;
    const rate = await told({ customer: { name: 'Anna' }, rows: [row(119, 19)] });
    expect(rate).toContain('customer.countryCode eller rows[0].vatCountry');
    expect(await told({ currency: 'eur' })).toBe('currency är ”eur”; skriv EUR.');
    expect(await told({ currency: 'JPY' })).toBe(
      'currency är JPY, en valuta som order inte tas emot i. Räkna om ordern till kronor.',
    );
    expect(await told({ rows: [row(119, 19, { currency: 'USD' })] })).toBe(
      'rows[0].currency är USD, men ordern är i EUR. Alla rader ska vara i orderns valuta.',
    );
  });

  test('an order in euro is booked in kronor, its VAT on 2670 by country and rate, and in no box', async () => {
    const before = await boxes();
    const id = await booked(
      euro({
        total: 138,
        rows: [row(59.5, 19), row(59.5, 19), row(9, 7), row(10, 20, { vatCountry: 'AT' })],
      }),
    );
    // 119 × 19/119 = 19; 9 × 7/107 = 0,5887…; 10 × 20/120 = 1,6667; × 11,2345 = 213,4555, 6,6284, 18,7616.
    // 138 × 11,2345 = 1 550,361: 1 336,9055, 101,1105 and 112,345.
    expect(await voucherOf(id)).toEqual([
      { account: 1510, ore: 155_036n, note: null, vat_code: null },
      { account: 3107, ore: -9_358n, note: 'OSS AT 20 %', vat_code: 'OSS' },
      { account: 3107, ore: -9_448n, note: 'OSS DE 7 %', vat_code: 'OSS' },
      { account: 3107, ore: -112_345n, note: 'OSS DE 19 %', vat_code: 'OSS' },
      { account: 2670, ore: -1_876n, note: 'OSS AT 20 %', vat_code: 'OSS' },
      { account: 2670, ore: -663n, note: 'OSS DE 7 %', vat_code: 'OSS' },
      { account: 2670, ore: -21_346n, note: 'OSS DE 19 %', vat_code: 'OSS' },
    ]);
    expect(await boxes()).toEqual(before);
    const told = (await get(`/api/v1/kundfakturor/${id}`)).json();
    expect(told).toMatchObject({
      currency: 'EUR',
      exchange_rate: 11.2345,
      currency_total: 138,
      total_amount: 1550.36,
    });
    expect(told.rows[2]).toMatchObject({
      vat_rate: 7,
      vat_country: 'DE',
      unit_price: 9,
      currency_net: 8.41,
      currency_vat: 0.59,
    });
  });

  test('payments in its currency settle it to the öre, tips too', async () => {
    const payments = [
      { method: 'gift_card', amount: 33.33 },
      { method: 'card', amount: 87.67, reference: 'ch_1' },
    ];
    const id = await booked(euro({ payments, tip: 2 }));
    expect(
      await query(sql`select status, open_ore from sales.invoices where id = ${id}::uuid`),
    ).toEqual([{ status: 'paid', open_ore: 0n }]);
    // 2 euro are 22,469 kronor; the rest of the payments comes to 1 336,91.
    expect(
      await query(sql`select r.account, sum(r.debit_ore - r.credit_ore)::bigint as ore
        from ledger.voucher_rows r where r.voucher_id in (
          select voucher_id from sales.payments where invoice_id = ${id}::uuid)
        group by 1 order by 1`),
    ).toEqual([
      { account: 1510, ore: -133_691n },
      { account: 1686, ore: 98_493n },
      { account: 2421, ore: 37_445n },
      { account: 2890, ore: -2_247n },
    ]);
    const short = await post('/api/inbound/order', euro({ payments: payments.slice(1) }));
    expect(short.json().detail.reason).toBe('payments_mismatch');
    expect(short.json().detail.problems[0].message).toContain('119,00 EUR');
  });

  test('refunds go back in its country, rate and currency, and all of them are the invoice', async () => {
    const body = euro({ rows: [row(59.5, 19), row(59.5, 19)] });
    const id = await booked(body);
    const refund = async (extra: object) => {
      const refundId = randomUUID();
      const answer = await post('/api/inbound/aterbetalning', {
        externalId: body.externalId,
        refundId,
        refundDate: '2026-04-02',
        ...extra,
      });
      expect(answer.statusCode, answer.body).toBe(200);
      return vi.waitFor(
        async () => {
          const [found] = await query<{ invoice_id: string | null; reason: string | null }>(
            sql`select o.invoice_id, a.reason from intake.orders o
              join intake.order_attempts a on a.order_id = o.id
              where o.external_id = ${refundId} and a.status <> 'received'`,
          );
          if (!found) throw new Error('not judged yet');
          return found;
        },
        { timeout: 150_000 },
      );
    };
    expect((await refund({ currency: 'NOK', amount: 1 })).reason).toBe('invalid_refund');
    const part = await refund({ currency: 'EUR', amount: 10 });
    const rest = await refund({ payments: [{ method: 'card', amount: 109 }] });
    const notes = [part, rest].map(({ invoice_id }) => String(invoice_id));
    await withTx(books.owner, (tx) => bookInvoices(tx, notes, 'test'));
    // 10 × 19/119 = 1,5966 euro, 1,60 of 19,00: 213,46 × 1,60 / 19 = 17,9756.
    const [first = '', last = ''] = notes;
    const rows = await voucherOf(first);
    expect(rows.map(({ account, note }) => [account, note])).toEqual([
      [1510, null],
      [3107, 'OSS DE 19 %'],
      [2670, 'OSS DE 19 %'],
    ]);
    expect(rows.find(({ account }) => account === 2670)?.ore).toBe(1_798n);
    expect(
      await query(sql`select account, sum(ore)::bigint as ore from (
          select r.account, r.debit_ore - r.credit_ore as ore from ledger.voucher_rows r
          join sales.invoices i on i.voucher_id = r.voucher_id
          where i.id = ${id}::uuid or i.credited_invoice_id = ${id}::uuid) as m
        group by 1 having sum(ore) <> 0`),
    ).toEqual([]);
    expect(
      await query(sql`select i.currency, i.exchange_rate_e6, i.total_ore,
          sum(r.currency_net + r.currency_vat)::bigint as own, min(r.oss_country) as country
        from sales.invoices i join sales.invoice_rows r on r.invoice_id = i.id
        where i.credited_invoice_id = ${id}::uuid group by i.id order by own`),
    ).toEqual([
      expect.objectContaining({
        currency: 'EUR',
        exchange_rate_e6: 11_234_500n,
        own: 1_000n,
        country: 'DE',
      }),
      expect.objectContaining({ own: 10_900n }),
    ]);
    expect(last).not.toBe('');
    expect((await refund({ amount: 0.01 })).reason).toBe('refund_exceeds_invoice');
  });

  test('credited by hand it goes back alike', async () => {
    const id = await booked(euro());
    const note = await withTx(books.owner, (tx) =>
      creditInvoice(tx, { invoiceId: id, date: '2026-04-03' }, 'test'),
    );
    expect(note.total_amount).toBe(1336.91);
    expect((await voucherOf(note.id)).map(({ account, ore }) => [account, ore])).toEqual([
      [1510, -133_691n],
      [3107, 112_345n],
      [2670, 21_346n],
    ]);
  });

  test('the database refuses rows in another currency than their invoice, and another VAT beside Sweden’s', async () => {
    const id = await send(euro());
    const attempt = (change: ReturnType<typeof sql>) =>
      query(change).then(
        () => 'done',
        (error) => databaseErrorOf(error)?.constraint,
      );
    expect(
      await attempt(
        sql`update sales.invoice_rows set vat_rate = 25 where invoice_id = ${id}::uuid`,
      ),
    ).toBe('invoice_rows_bear_one_vat');
    expect(
      await attempt(sql`update sales.invoices set currency = 'SEK' where id = ${id}::uuid`),
    ).toBe('invoices_currency_has_its_rate');
    expect(
      await attempt(sql`insert into sales.invoice_rows (invoice_id, row_no, description, quantity_e4, unit_price_e4,
          vat_rate, account, net_ore, vat_ore)
        values (${id}::uuid, 99, 'x', 10000, 0, 25, 3001, 0, 0)`),
    ).toBe('invoice_rows_are_in_its_currency');
  });

  test('the return of the quarter tells all of it by country and rate, in euro once the rates are given', async () => {
    const own = await openBooks({ workers: true });
    try {
      await withTx(own.owner, (tx) => changeSetting(tx, 'order-oss', 'on', 'test'));
      const make = async (overrides: object) => {
        const answer = await own.call({
          method: 'POST',
          url: '/api/inbound/order',
          payload: euro(overrides),
        });
        expect(answer.statusCode, answer.body).toBe(200);
        const id = String(answer.json().invoiceId);
        await withTx(own.owner, (tx) => bookInvoices(tx, [id], 'test'));
        return id;
      };
      const inKronor = { currency: 'SEK', exchangeRate: undefined };
      const first = await make({ orderDate: '2026-02-10' });
      await make({ ...inKronor, orderDate: '2026-03-31', total: 1190, rows: [row(1190, 19)] });
      await make({
        orderDate: '2026-05-02',
        customer: { name: 'Aino', countryCode: 'FI' },
        total: 125.5,
        rows: [row(125.5, 25.5)],
      });
      await withTx(own.owner, (tx) =>
        creditInvoice(tx, { invoiceId: first, date: '2026-05-05' }, 'test'),
      );
      const ask = async (query: string) =>
        (await own.call({ method: 'GET', url: `/api/v1/oss?${query}` })).json();
      const open = await ask('quarter=2026-Q1');
      expect(open).toMatchObject({
        from: '2026-01-01',
        to: '2026-03-31',
        due_date: '2026-04-30',
        currencies: ['SEK'],
        vat_eur: null,
        vat_amount: 403.46,
        posted_amount: 403.46,
        corrections: [],
      });
      const told = await ask('quarter=2026-Q1&rate=SEK:10');
      // 100 and 19 euro, and 1 000 and 190 kronor at 10.
      expect(told.lines).toEqual([
        {
          country: 'DE',
          vat_rate: 19,
          supply: 'goods',
          net_amount: 2123.45,
          vat_amount: 403.46,
          net_eur: 200,
          vat_eur: 38,
          sold: [
            { currency: 'EUR', net: 100, vat: 19 },
            { currency: 'SEK', net: 1000, vat: 190 },
          ],
        },
      ]);
      const next = await ask('quarter=2026-Q2');
      expect(next.lines).toMatchObject([
        { country: 'FI', vat_rate: 25.5, net_eur: 100, vat_eur: 25.5 },
      ]);
      expect(next.corrections).toEqual([
        { quarter: '2026-Q1', country: 'DE', vat_amount: -213.46, vat_eur: -19 },
      ]);
      expect(next.vat_eur).toBe(6.5);
      for (const bad of [
        '',
        'quarter=2026-Q5',
        'quarter=2026-Q1&rate=SEK:0',
        'quarter=2026-Q1&rate=11',
        'quarter=2026-Q1&x=1',
      ]) {
        const answer = await own.call({ method: 'GET', url: `/api/v1/oss?${bad}` });
        expect([bad, answer.statusCode]).toEqual([bad, 400]);
      }
    } finally {
      await own.close();
    }
  });

  test('and the books hold', async () => {
    expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
  });
});

/** What stands in any box of the Swedish return, so far. */
const boxes = () =>
  query(sql`select box, sum(credit_ore - debit_ore)::bigint as ore
    from ledger.vat_sums('2026-01-01', '2026-12-31') where box is not null group by 1 order by 1`);
