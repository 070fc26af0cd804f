/** Moms: the periods, a return with its boxes and what is behind them, its file, and what mends it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

const Q1 = '/moms/2026-03-31';
let books: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let sale = '';
beforeAll(async () => {
  books = await createInstallation();
  reader = await logIn(books, 'lasare');
  keeper = await logIn(books, 'medarbetare');
  sale = await post('2026-02-10', [
    { account: 1930, debit: 1250.5, credit: 0 },
    { account: 3001, debit: 0, credit: 1000.4 },
    { account: 2611, debit: 0, credit: 250.1 },
  ]);
  await post('2026-02-11', [
    { account: 4010, debit: 403.6, credit: 0 },
    { account: 2641, debit: 100.9, credit: 0 },
    { account: 1930, debit: 0, credit: 504.5 },
  ]);
});
afterAll(() => books.close());

async function post(date: string, rows: object[]): Promise<string> {
  const payload = voucherBody({ date, rows });
  const answer = await books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().id;
}

test('the periods are told with when they are filed and what they come to', async () => {
  const { body } = await reader.get('/moms');
  expect(body).toContain('2026-01-01 – 2026-03-31');
  expect(body).toContain('Skulle ha lämnats');
  expect(body).toContain('2026-05-12');
  expect(body).toMatch(/150,00/);
  expect(body).toContain('Pågår');
});

test('a box opens the vouchers behind it', async () => {
  const { body } = await reader.get(Q1);
  expect(body).toContain(`${Q1}/ruta/05`);
  const box = (await reader.get(`${Q1}/ruta/48`)).body;
  expect(box).toContain('Ingående moms att dra av');
  expect(box).toContain('100,90');
  expect((await reader.get(`${Q1}/ruta/05`)).body).toContain(`/verifikat/${sale}`);
  expect((await reader.get(`${Q1}/ruta/99`)).statusCode).toBe(404);
});

test('many vouchers behind a box are turned to page by page, none twice', async () => {
  for (let n = 0; n < 205; n += 1) {
    await post('2026-10-05', [
      { account: 1930, debit: 1, credit: 0 },
      { account: 3004, debit: 0, credit: 1 },
    ]);
  }
  const address = '/moms/2026-12-31/ruta/42';
  const labels = (html: string) =>
    [...html.matchAll(/class="row-link"[^>]*>([^<]+)</g)].map(([, label]) => label);
  const first = (await reader.get(address)).body;
  const next = /href="([^"]+efter[^"]+)"/.exec(first)?.[1]?.replaceAll('&#x3D;', '=') ?? '';
  const second = (await reader.get(next)).body;
  expect([labels(first).length, labels(second).length]).toEqual([200, 5]);
  expect(new Set([...labels(first), ...labels(second)]).size).toBe(205);
});

test('the file is as Skatteverket takes it, with what is said to them', async () => {
  const { body, headers } = await reader.get(`${Q1}/moms.xml?upplysning=R%C3%A4ttat`);
  expect(headers['content-type']).toContain('ISO-8859-1');
  expect(headers['content-disposition']).toContain('moms-5567026934-2026-03.xml');
  expect(body).toContain('<MomsBetala>150</MomsBetala>');
  const page = (await reader.get(`${Q1}?upplysning=${encodeURIComponent('10 €')}`)).body;
  expect(page).toContain('tecken som filen inte kan ha: €');
  expect(
    (await reader.get(`${Q1}/moms.xml?upplysning=${encodeURIComponent('10 €')}`)).statusCode,
  ).toBe(422);
});

describe('filed', () => {
  test('otherwise than by the file, it has a day and a reference', async () => {
    const without = await keeper.submit(
      `${Q1}/lamnad`,
      { way: 'other', on: '', reference: '' },
      Q1,
    );
    expect(without.body).toContain('Ange dagen den lämnades.');
    const unsaid = await keeper.submit(`${Q1}/lamnad`, { way: 'file', reference: 'K1' }, Q1);
    expect(unsaid.statusCode).toBe(400);
    expect(unsaid.body).toContain('eller ta bort referensen');
    const early = { way: 'other', on: '2026-03-31', reference: 'K1' };
    expect((await keeper.submit(`${Q1}/lamnad`, early, Q1)).body).toContain(
      'ligger efter periodens sista dag',
    );
    await keeper.submit(
      `${Q1}/lamnad`,
      { way: 'other', on: '2026-05-04', reference: 'Kvittens 17' },
      Q1,
    );
    const { body } = await reader.get(Q1);
    expect(body).toContain('Lämnad');
    expect(body).toContain('på annat sätt: Kvittens 17');
    expect((await reader.get(`${Q1}/lamnad/1/moms.xml`)).body).toContain(
      '<MomsBetala>150</MomsBetala>',
    );
    expect((await reader.get(`${Q1}/lamnad/2/moms.xml`)).statusCode).toBe(404);
  });

  test('it is mended by what a person counts to it, and filed anew', async () => {
    const { reversal } = await withTx(books.owner, (tx) =>
      correctVoucher(
        tx,
        { correctedId: sale, date: '2026-05-20', description: 'Fel pris', replacement: null },
        'test',
      ),
    );
    const page = (await keeper.get(Q1)).body;
    expect(page).toContain('Rättar kanske perioden');
    expect(page).toContain(`${Q1}/rattelser/${reversal.id}`);
    const forged = await reader.post(
      `${Q1}/rattelser/${reversal.id}`,
      tokensOf((await reader.get(Q1)).body),
    );
    expect(forged.statusCode).toBe(403);
    const wrong = await keeper.submit(`${Q1}/rattelser`, { voucher: 'A99999', year: '2026' }, Q1);
    expect(wrong.body).toContain('Det finns inget verifikat A99999 2026');
    await keeper.submit(`${Q1}/rattelser/${reversal.id}`, {}, Q1);
    const mended = (await keeper.get(Q1)).body;
    expect(mended).toContain('Rättad, lämna på nytt');
    expect(mended).toContain('Ny, kr');
    expect((await reader.get('/moms/2026-06-30')).body).toContain('rättar en lämnad deklaration');
    await keeper.submit(`${Q1}/lamnad`, { note: 'Fel pris' }, Q1);
    const anew = (await reader.get(`${Q1}/lamnad/2/moms.xml`)).body;
    expect(anew).toContain('<TextUpplysningMoms>Fel pris</TextUpplysningMoms>');
    expect(anew).toContain('<MomsBetala>-100</MomsBetala>');
    expect((await reader.get(`${Q1}/lamnad/1/moms.xml`)).body).toContain(
      '<MomsBetala>150</MomsBetala>',
    );
  });

  test('once more, as from another window, is told to change nothing; taken back, the one before holds', async () => {
    const again = { way: 'other', on: '2026-11-20', reference: 'Kvittens 18' };
    expect((await keeper.submit(`${Q1}/lamnad`, again, Q1)).statusCode).toBe(303);
    const told = (await keeper.get(Q1)).body;
    expect(told).toContain('redan antecknad som lämnad (nummer 2); inget nytt är antecknat');
    expect(told).not.toContain('Kvittens 18');
    await keeper.submit(`${Q1}/inte-lamnad`, { number: '2', reason: 'Fel not' }, Q1);
    const { body } = await keeper.get(Q1);
    expect(body).toContain('Nummer 1 gäller igen');
    expect(body).toContain('Rättad, lämna på nytt');
  });
});

test('imported vouchers that look like settlements are asked about on the page', async () => {
  const [imported] = await db(books.owner).query<{ id: string }>(
    sql`with f as (insert into ledger.sie_files (sha256, file_name, size, gzip, created_by)
          values (sha256('x'), 'x.se', 1, '\\x00', 'test') returning sha256),
        posted as (select * from ledger.post_vouchers(array['01900000-0000-7000-8000-000000000001'::uuid], array['A'],
          array['2026-09-30']::date[], array['Momsredovisning'], array[null], array['import'], array['test'],
          array[null]::uuid[], array[1, 1], array[1, 2], array[2611, 2650], array[100, 0]::bigint[],
          array[0, 100]::bigint[], array[null, null], array[null, null]::uuid[], array[null, null]::uuid[])),
        i as (insert into ledger.imports (id, sha256, file_name, report, created_by)
          select gen_random_uuid(), f.sha256, 'x.se', '{}', 'test' from f, posted returning id)
        insert into ledger.imported_vouchers (voucher_id, import_id, series, number)
        select '01900000-0000-7000-8000-000000000001', i.id, 'A', '1' from i returning voucher_id as id`,
  );
  const address = `/moms/importerade/${imported?.id}`;
  const page = (await keeper.get('/moms')).body;
  expect(page).toContain('Importerade verifikat som ser ut att redovisa moms');
  expect(page).toMatch(/<option value="2026-09-30" selected>/);
  expect((await reader.get('/moms')).body).not.toContain(address);
  await keeper.submit(address, { end: '2026-09-30' }, '/moms');
  expect((await keeper.get('/moms')).body).toContain('redovisar momsen till och med 2026-09-30');
  expect((await reader.get('/moms/2026-09-30')).body).toContain('importerat, redovisar moms');
  await keeper.submit(`${address}/ta-tillbaka`, {}, '/moms');
  expect((await keeper.get('/moms')).body).toContain('ser ut att redovisa moms');
});

test('sales within the EU are told buyer by buyer, and held against the boxes', async () => {
  const customer = await withTx(books.owner, (tx) =>
    insertCustomer(tx, { name: 'Kunde GmbH', countryCode: 'DE', vatNumber: 'DE123456789' }),
  );
  const invoice = await books.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId: customer.id,
      invoiceDate: '2026-08-10',
      paymentTerms: 30,
      book: true,
      rows: [{ description: 'Råd', quantity: 1, unitPrice: 2000.5, vatRate: 0, account: 3308 }],
    },
  });
  expect(invoice.statusCode, invoice.body).toBe(200);
  await post('2026-08-11', [
    { account: 1930, debit: 500, credit: 0 },
    { account: 3308, debit: 0, credit: 500 },
  ]);
  expect((await reader.get('/moms/2026-09-30')).body).toContain(
    '/moms/periodisk-sammanstallning/2026-Q3',
  );
  const address = '/moms/periodisk-sammanstallning/2026-08';
  const { body } = await reader.get(address);
  expect(body).toContain('DE123456789');
  expect(body).toContain('500,00 kr utan köparens momsnummer');
  expect(body).toContain('Skiljer');
  const wrong = await reader.get(`${address}/skv574008.txt?name=&phone=081234567&email=`);
  expect(wrong.body).toContain('Skriv numret med bindestreck');
  const file = await reader.get(`${address}/skv574008.txt?name=Anna&phone=08-1234567&email=`);
  expect(file.body).toBe(
    'SKV574008;\r\n556702693401;2608;Anna;08-1234567;\r\nDE123456789;;;2000\r\n',
  );
  expect((await reader.get('/moms/periodisk-sammanstallning/2026-13')).statusCode).toBe(404);
});
