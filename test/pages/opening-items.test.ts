/** The page where open items are taken over, and the pages that then show them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { setFirstBalances } from '#src/ledger/fiscal-years/opening-balances.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let installation: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  reader = await logIn(installation, 'lasare');
  keeper = await logIn(installation, 'medarbetare');
});
afterAll(() => installation.close());

const customers = '/ingaende-poster/kunder';
const suppliers = '/ingaende-poster/leverantorer';
const line = {
  number: '5123',
  name: 'Kunden <AB>',
  organizationNumber: '556036-0793',
  invoiceDate: '2025-12-05',
  dueDate: '2026-01-04',
  total: '1 250,00',
  open: '1 000,00',
  ocr: '',
  account: '',
};

async function act(page: string, form: 'en' | 'flera', fields: Readonly<Record<string, string>>) {
  const { body } = await keeper.get(page);
  return keeper.post(`${page}/${form}`, { ...tokensOf(body), ...fields });
}

test('without an opening balance the page says what comes first', async () => {
  const { body } = await keeper.get(customers);
  expect(body).toContain('Kontot har ingen ingående balans');
  expect(body).toContain('href="/rakenskapsar/2026/ingaende"');
  expect(body).not.toContain(`${customers}/en`);
});

test('invoices are taken over one by one or many at once, and the difference is shown', async () => {
  const balances = [
    { account: 1510, balanceOre: 150_000n },
    { account: 2440, balanceOre: -80_000n },
    { account: 2081, balanceOre: -70_000n },
  ];
  await withTx(installation.owner, (tx) =>
    setFirstBalances(tx, { year: 2026, series: 'A', balances }, 'test'),
  );
  const wrong = await act(customers, 'en', { ...line, dueDate: '2025-12-04' });
  expect(wrong.statusCode).toBe(422);
  expect(wrong.body).toMatch(/id="f-dueDate-error">Förfallodagen ligger före fakturadagen/);
  expect(wrong.body.match(/örfallodagen ligger före/g)).toHaveLength(1);
  expect(wrong.body).toContain('value="Kunden &lt;AB&gt;"');

  const first = await act(customers, 'en', line);
  expect([first.statusCode, first.headers.location]).toEqual([303, customers]);
  const half = await keeper.get(customers);
  expect(half.body).toMatch(/chip warn">500,00\s*kr/);
  expect(half.body).toContain('Kunden &lt;AB&gt;');
  const many = await act(customers, 'flera', {
    lines: '5124;Anna Andersson;;2025-12-06;2026-01-05;500,00',
  });
  expect(many.statusCode).toBe(303);
  expect((await keeper.get(customers)).body).toMatch(/chip good">0,00\s*kr/);
  const debts = await act(suppliers, 'flera', {
    lines: 'F-1\tLeverantören AB\t\t2025-12-06\t2026-01-05\t800,00\t\tabc',
  });
  expect(debts.statusCode).toBe(303);

  const { body } = await reader.get(customers);
  const [, invoice = ''] = /href="(\/kundfakturor\/[0-9a-f-]{36})">5123</.exec(body) ?? [];
  const page = await reader.get(invoice);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('Övertagen med den ingående balansen');
  expect(page.body).toMatch(/1\s250,00/);
  const listed = await reader.get('/kundfakturor?visa=obetalda');
  expect(listed.statusCode).toBe(200);

  const purchases = await keeper.get(suppliers);
  const [, purchase = ''] =
    /href="(\/leverantorsinkorg\/[0-9a-f-]{36})">F-1</.exec(purchases.body) ?? [];
  const debt = await keeper.get(purchase);
  expect(debt.statusCode).toBe(200);
  expect(debt.body).toContain('alla övertagna');
  expect(debt.body).not.toContain('Originalet');
  expect((await keeper.get(`${purchase}/original`)).statusCode).toBe(404);
  expect((await keeper.get('/oversikt')).statusCode).toBe(200);
  const overview = await installation.call({ url: '/api/stats/overview' });
  expect(overview.statusCode).toBe(200);
});

test('a reader sees them and changes nothing', async () => {
  const { body } = await reader.get(customers);
  expect(body).toContain('5123');
  expect(body).not.toContain('Ta bort');
  const forged = await reader.post(`${customers}/en`, { ...tokensOf(body), ...line, number: '9' });
  expect(forged.statusCode).toBe(403);
});

test('one that was wrong is removed', async () => {
  const { body } = await keeper.get(customers);
  const [, action = ''] = /action="([^"]+\/ta-bort)"/.exec(body) ?? [];
  expect((await keeper.post(action, tokensOf(body))).statusCode).toBe(303);
  expect((await keeper.get(customers)).body).not.toContain('5123');
});
