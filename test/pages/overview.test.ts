import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/service.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { keepDocument } from '#src/ledger/documents/service.ts';
import { postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

const nbsp = '\u00a0';
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(nbsp, ' ')
    .replace(/\s+/g, ' ');
const whole = (kronor: number): string =>
  String(kronor)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+$)/g, ' ');

let installation: Installation;
let reader: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation({ workers: true });
  reader = await logIn(installation, 'lasare');
});
afterAll(() => installation.close());

const asOwner = (statement: ReturnType<typeof sql>) => db(installation.owner).query(statement);

async function post(date: string, rows: readonly (readonly [number, bigint])[], text = 'x') {
  await withTx(installation.owner, async (tx) => {
    const [outcome] = await postToLedger(tx, [
      {
        id: uuid(),
        series: 'A',
        date,
        description: text,
        counterparty: 'Motparten',
        source: 'api',
        actor: 'test',
        rows: rows.map(([account, ore]) => ({
          account,
          debitOre: ore > 0n ? ore : 0n,
          creditOre: ore < 0n ? -ore : 0n,
        })),
      },
    ]);
    expect(outcome?.error).toBeNull();
  });
}

test('an empty company is told what will stand here', async () => {
  const page = await reader.get('/oversikt');
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('när det första verifikatet är bokfört');
  expect(page.body).toContain('Inget är bokfört än');
  // Whoever only reads moves nobody in.
  expect(page.body).not.toContain('href="/flytta-in"');
  const administrator = await logIn(installation, 'administrator');
  const way = 'Kommer ni från ett annat program? <a href="/flytta-in">';
  expect((await administrator.get('/oversikt')).body).toContain(way);
  expect(page.body).not.toContain('<figure');
});

describe('with books', () => {
  beforeAll(async () => {
    await post('2026-01-10', [
      [1930, 125_050n],
      [3001, -100_040n],
      [2611, -25_010n],
    ]);
    await post('2026-02-10', [
      [4000, 300_051n],
      [2440, -300_051n],
    ]);
    await post(
      '2026-11-19',
      [
        [1930, -7_777n],
        [6991, 7_777n],
      ],
      'Porto <img src=x> & annat',
    );
  });

  test('each number is the one the API answers', async () => {
    const api = (await installation.call({ url: '/api/stats/overview' })).json();
    const text = plain((await reader.get('/oversikt')).body);
    for (const { month, revenue, costs, result } of api.months) {
      expect(text).toContain(`${month} ${whole(revenue)} ${whole(costs)} ${whole(result)}`);
    }
    expect(api.months).toHaveLength(11);
    expect(text).toContain(`Rörelseresultat ${whole(api.totals.result)} kr sedan januari 2026`);
    expect(text).toContain(`Likviditet ${whole(Math.round(api.liquidity.balance))} kr`);
    expect(text).toContain(`Kundfordringar ${whole(api.receivables)} kr`);
    expect(text).toContain(`Leverantörsskulder ${whole(api.payables)} kr`);
    expect(text).toContain(`${api.attachments_missing} verifikat utan underlag`);
  });

  test('what was posted last is there, as text', async () => {
    const { body } = await reader.get('/oversikt');
    expect(body).toContain('Porto &lt;img src&#x3D;x&gt; &amp; annat');
    expect(body).not.toContain('<img src=x>');
  });

  test('the chart is drawn, described and in figures', async () => {
    const { body } = await reader.get('/oversikt');
    expect(body).toMatch(
      /<svg viewBox="0 0 720 272" role="img" aria-labelledby="month-chart-title month-chart-text">/,
    );
    expect(body.match(/<rect class="revenue"/g)).toHaveLength(12);
    expect(body).toContain('Bäst gick januari 2026');
    expect(body).toContain('sämst februari 2026');
    expect(body).not.toMatch(/ style=| on\w+=/);
  });
});

test('what waits is counted, with how much is overdue', async () => {
  const before = plain((await reader.get('/oversikt')).body);
  for (const none of [
    'order har stannat',
    'fakturautkast',
    'bankrad utan',
    'går snart ut',
    'underlag i inkorgen',
  ]) {
    expect(before).not.toContain(none);
  }
  const sent = await installation.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: orderBody({ total: 999 }),
  });
  expect(sent.statusCode).toBe(422);
  const draft = await installation.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: orderBody(),
  });
  expect(draft.statusCode).toBe(200);
  const customer = await withTx(installation.owner, (tx) => insertCustomer(tx, { name: 'Sen AB' }));
  const invoice = await installation.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId: customer.id,
      invoiceDate: '2026-09-01',
      paymentTerms: 30,
      book: true,
      rows: [{ description: 'Kaffe', quantity: 1, unitPrice: 800, vatRate: 25, account: 3001 }],
    },
  });
  expect([invoice.statusCode, invoice.body]).toEqual([200, expect.anything()]);
  await withTx(installation.owner, async (tx) => {
    await createKey(
      tx,
      {
        name: 'Kort',
        scopes: ['data:read'],
        quotaPerHour: 1,
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      },
      'test',
    );
    const account = await createBankAccount(
      tx,
      { name: 'Bank', ledgerAccount: 1930, iban: null },
      'test',
    );
    await tx.query(sql`insert into bank.transactions (id, account_id, reference, booked_on, amount_ore, description)
      values (${uuid()}, ${account.id}, 'r1', '2026-11-01', 100, 'x')`);
    await keepDocument(tx, { fileName: 'kvitto.txt', bytes: Buffer.from('kvitto') }, 'test');
  });
  await asOwner(sql`delete from sales.reference_rates where valid_to >= '2026-11-20'`);

  const text = plain((await reader.get('/oversikt')).body);
  expect(text).toContain('1 order har stannat');
  expect(text).toContain('1 fakturautkast');
  expect(text).toContain('1 underlag i inkorgen');
  expect(text).toContain('1 bankrad utan verifikat');
  expect(text).toContain('månader att avsluta Januari 2026 väntar på:');
  expect(text).toContain('Referensräntan saknas Utan den räknas ingen dröjsmålsränta');
  expect(text).toContain('1 000 kr förfallet på 1 faktura');
  expect(text).not.toContain('går snart ut');
  const administrator = await logIn(installation, 'administrator');
  expect(plain((await administrator.get('/oversikt')).body)).toContain('1 API-nyckel går snart ut');
  // Each line leads to a page that whoever reads it may open.
  for (const person of [reader, await logIn(installation, 'medarbetare'), administrator]) {
    const { body } = await person.get('/oversikt');
    const tasks = /<ul class="tasks">[\s\S]*?<\/ul>/.exec(body)?.[0] ?? '';
    const links = [...tasks.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&').replaceAll('&#x3D;', '='),
    );
    expect(links.length).toBe(
      (tasks.match(/<li>/g) ?? []).length - (person === administrator ? 0 : 1),
    );
    expect(links).toContain('/manadsavslut');
    expect(links).toContain('/bank');
    for (const href of links) expect((await person.get(href)).statusCode, href).toBe(200);
  }
});
