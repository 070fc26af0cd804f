/** The one stop shop's quarter on its page, and an invoice in euro as people see it, print it and are paid for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let keeper: LoggedIn;
let invoice = '';

beforeAll(async () => {
  books = await createInstallation({ workers: true });
  keeper = await logIn(books, 'medarbetare');
  await withTx(books.owner, (tx) => changeSetting(tx, 'order-oss', 'on', 'test'));
  invoice = await booked({
    currency: 'EUR',
    exchangeRate: 11.2345,
    total: 119,
    customer: { name: 'Erika Muster', countryCode: 'DE' },
    rows: [{ description: 'Kanne', quantity: 2, unitPrice: 59.5, vatRate: 19 }],
  });
  await booked({
    total: 125.5,
    customer: { name: 'Aino', countryCode: 'FI' },
    rows: [{ description: 'Kannu', quantity: 1, unitPrice: 125.5, vatRate: 25.5 }],
  });
});
afterAll(() => books.close());

async function booked(order: object): Promise<string> {
  const payload = orderBody(order);
  const answer = await books.call({ method: 'POST', url: '/api/inbound/order', payload });
  expect(answer.statusCode, answer.body).toBe(200);
  const id = String(answer.json().invoiceId);
  await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
  return id;
}

test('the quarter is told by country and rate, in euro when the rate is given', async () => {
  expect((await keeper.get('/moms')).body).toContain('/moms/oss/2026-Q1');
  const { body } = await keeper.get('/moms/oss/2026-Q1');
  expect(body).toContain('30 april 2026');
  expect(body).toMatch(/<td>DE<\/td><td>Varor<\/td><td class="number">19 %/);
  expect(body).toContain('25,5 %');
  expect(body).toContain('<label for="f-SEK">SEK för en euro');
  const inEuro = (await keeper.get('/moms/oss/2026-Q1?SEK=10')).body;
  // 19 euro, and 25,50 kronor at 10.
  expect(inEuro).toContain('<strong>21,55 euro</strong>');
  for (const wrong of ['0', '-1', 'elva', '1,1234567']) {
    const answer = await keeper.get(`/moms/oss/2026-Q1?SEK=${wrong}`);
    expect([answer.statusCode, answer.body.includes('en euro är, t.ex. 11,2345')]).toEqual([
      200,
      true,
    ]);
  }
  expect((await keeper.get('/moms/oss/2026-Q2')).body).toContain(
    'Inget sålt med andra länders moms',
  );
  expect((await keeper.get('/moms/oss/2026-Q5')).statusCode).toBe(404);
  expect((await keeper.get('/moms/2026-03-31')).body).toContain('One Stop Shop');
});

test('the invoice is shown in what its buyer pays, with the kronor that are booked', async () => {
  const { body } = await keeper.get(`/kundfakturor/${invoice}`);
  expect(body).toContain('119,00 EUR');
  expect(body).toContain('11,2345 kr för en EUR');
  expect(body).toContain('DE 19 %');
  expect(body).not.toContain(`/aterkommande/ny?som=${invoice}`);
  const again = await keeper.get(`/aterkommande/ny?som=${invoice}`);
  expect([again.statusCode, again.body.includes('med moms')]).toEqual([422, true]);
});

test('paid later in other kronor it is settled with the exchange difference', async () => {
  const address = `/kundfakturor/${invoice}/betalning`;
  const form = await keeper.get(address);
  expect(form.body).toContain('Valutakursdifferens');
  const [, seen = ''] = /name="seen" value="([^"]*)"/.exec(form.body) ?? [];
  const answer = await keeper.post(address, {
    ...tokensOf(form.body),
    seen,
    amount: '1400',
    date: '2026-04-10',
    account: '1930',
    exchange: '-63,09',
  });
  expect(answer.statusCode, answer.body).toBe(303);
  expect(
    await db(books.owner).query(sql`select i.status, i.open_ore,
        (select json_agg(json_build_array(r.account, r.debit_ore - r.credit_ore) order by r.row_no)
          from ledger.voucher_rows r where r.voucher_id in (
            select p.voucher_id from sales.payments p where p.invoice_id = i.id)) as rows
      from sales.invoices i where i.id = ${invoice}::uuid`),
  ).toEqual([
    {
      status: 'paid',
      open_ore: 0n,
      rows: [
        [1930, 140_000],
        [3960, -6_309],
        [1510, -133_691],
      ],
    },
  ]);
  expect((await keeper.get(`/kundfakturor/${invoice}`)).body).toContain('Valutakursdifferens');
});

test('an invoice in kronor has none, whoever says so', async () => {
  const id = await booked({});
  const address = `/kundfakturor/${id}/betalning`;
  const form = await keeper.get(address);
  expect(form.body).not.toContain('Valutakursdifferens');
  const [, seen = ''] = /name="seen" value="([^"]*)"/.exec(form.body) ?? [];
  const answer = await keeper.post(address, {
    ...tokensOf(form.body),
    seen,
    amount: '198',
    date: '2026-04-10',
    account: '1930',
    exchange: '1',
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('i en annan valuta än kronor');
});
