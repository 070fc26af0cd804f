import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let installation: Installation;
let keeper: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  keeper = await logIn(installation, 'medarbetare');
});
afterAll(() => installation.close());

const form = (overrides: Record<string, string> = {}) => ({
  number: 'T-100',
  description: 'T-tröja',
  supply: 'goods',
  isActive: 'on',
  ...overrides,
});

test('an article with a slash in its number is made, found, changed and removed', async () => {
  const made = await keeper.submit(
    '/artiklar/ny',
    form({ number: 'FRAKT/1 å', unitPriceE4: '1 234,5678', unit: 'st', account: '3001' }),
  );
  expect(made.statusCode, made.body).toBe(303);
  const list = (await keeper.get('/artiklar?q=frakt')).body;
  expect(list).toContain('1\u00a0234,5678');
  expect(list).toContain('3001 Försäljning inom Sverige');
  const page = `/artiklar/${encodeURIComponent('FRAKT/1 å')}`;
  expect(
    (await keeper.submit(page, form({ description: 'Frakt', supply: 'services' }))).statusCode,
  ).toBe(303);
  expect((await keeper.get('/artiklar?q=frakt')).body).toContain('Tjänst');
  expect((await keeper.submit(`${page}/ta-bort`, {}, page)).statusCode).toBe(303);
  expect((await keeper.get(page)).statusCode).toBe(404);
});

test.each([
  [{ number: '' }, 400, 'f-number-error'],
  [{ account: '1930' }, 422, 'f-account-error'],
  [{ account: '3123' }, 422, 'f-account-error'],
  [{ unitPriceE4: '1,23456' }, 400, 'f-unitPriceE4-error'],
  [{ unitPriceE4: '9999999999999' }, 400, 'f-unitPriceE4-error'],
  [{ supply: 'luft' }, 400, 'legend'],
])('%j is refused beside its field', async (wrong, status, error) => {
  const answer = await keeper.submit('/artiklar/ny', form({ number: 'X1', ...wrong }));
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toContain(error);
  expect(answer.body).toContain('value="T-tröja"');
});

test('a gift card is an article on 2421, invoiced by hand as a debt and sold by orders without a word', async () => {
  const made = await keeper.submit('/artiklar/ny', form({ number: 'PK', account: '2421' }));
  expect(made.statusCode, made.body).toBe(303);
  expect((await keeper.get('/artiklar/PK')).body).toContain('<option value="2421"');
  const customer = await withTx(installation.owner, (tx) =>
    insertCustomer(tx, { name: 'Den som ger bort' }),
  );
  const invoice = (vatRate: number) =>
    installation.call({
      method: 'POST',
      url: '/api/v1/kundfakturor',
      payload: {
        customerId: customer.id,
        invoiceDate: TODAY,
        paymentTerms: 30,
        rows: [{ description: 'Presentkort', quantity: 1, unitPrice: 500, vatRate, account: 2421 }],
        book: true,
      },
    });
  expect((await invoice(25)).json().detail.problems).toMatchObject([
    { path: 'rows[0].vatRate', reason: 'vat_rate_conflict' },
  ]);
  const booked = await invoice(0);
  expect(booked.json()).toMatchObject({ status: 'booked', vat_amount: 0, total_amount: 500 });
  const [{ rows = [] } = {}] = (
    await installation.call({ url: '/api/v1/verifikat?konto=2421' })
  ).json().data;
  expect(rows).toMatchObject([
    { account: 1510, debit: 500 },
    { account: 2421, credit: 500 },
  ]);
});

test('a number is taken once, and one that an invoice names is kept by the database', async () => {
  await keeper.submit('/artiklar/ny', form({ number: 'K-1' }));
  expect((await keeper.submit('/artiklar/ny', form({ number: 'K-1' }))).body).toContain(
    'finns redan',
  );
  const customer = await keeper.submit('/kunder/ny', { name: 'Köparen', countryCode: 'SE' });
  const invoice = await installation.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId: String(customer.headers.location).split('/').at(-1),
      invoiceDate: '2026-11-01',
      paymentTerms: 30,
      rows: [
        {
          articleNumber: 'K-1',
          description: 'Arbete',
          quantity: 1,
          unitPrice: 100,
          vatRate: 25,
          account: 3001,
        },
      ],
    },
  });
  expect(invoice.statusCode, invoice.body).toBe(200);
  expect((await keeper.get('/artiklar/K-1')).body).not.toContain('ta-bort');
  const refused = await keeper.submit('/artiklar/K-1/ta-bort', {}, '/artiklar/K-1');
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('står på fakturor');
});

test('text that is code is shown as text', async () => {
  const hostile = '"><svg onload=alert(1)>';
  await keeper.submit('/artiklar/ny', form({ number: hostile, description: hostile, unit: '<b>' }));
  for (const url of ['/artiklar', `/artiklar/${encodeURIComponent(hostile)}`]) {
    const { body } = await keeper.get(url);
    expect(body).not.toContain('<svg onload');
    expect(body).toContain('&lt;svg onload');
  }
});
