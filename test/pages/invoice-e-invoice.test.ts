/** An invoice as an e-invoice, as whoever sends invoices fetches it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { validateEInvoice } from '#src/peppol/validate.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let reader: LoggedIn;
let draft: string;
let invoice: string;
let toPerson: string;
beforeAll(async () => {
  books = await createInstallation();
  await fillInCompany(books.owner);
  reader = await logIn(books, 'lasare');
  [draft = '', invoice = '', toPerson = ''] = await makeDrafts(books.owner, [100n, 200n, 300n]);
  await db(books.owner).query(sql`update sales.customers
    set name = 'Åmåls kommun', organization_number = '2120001587'`);
  await book(invoice);
  await db(books.owner).query(sql`update sales.customers set organization_number = null`);
  await book(toPerson);
});
afterAll(() => books.close());

const book = (id: string) => withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
const page = (id: string) => reader.get(`/kundfakturor/${id}/e-faktura`);
const file = (id: string, query: Record<string, string>) =>
  reader.get(`/kundfakturor/${id}/e-faktura/fil?${new URLSearchParams(query)}`);

test('begins with the buyer’s own number, and is fetched when the reference is said', async () => {
  expect((await reader.get(`/kundfakturor/${invoice}`)).body).toContain('>E-faktura</a>');
  const shown = await page(invoice);
  expect(shown.statusCode).toBe(200);
  expect(shown.body).toContain('value="0007:2120001587"');
  const answer = await file(invoice, { till: '0007:2120001587', referens: ' BEST-17 ' });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="e-faktura-\d+\.xml"$/,
  );
  expect(validateEInvoice(answer.rawPayload).findings).toEqual([]);
  expect(answer.body).toContain('<cbc:BuyerReference>BEST-17</cbc:BuyerReference>');
});

test('says at its field what is missing or wrong, and keeps what was typed', async () => {
  const missing = await file(invoice, { till: '0007:2120001587', referens: '' });
  expect(missing.statusCode).toBe(422);
  expect(errorAt(missing.body, 'referens')).toContain('Utan den tar Peppol inte emot fakturan');
  expect(missing.body).toContain('value="0007:2120001587"');
  const wrong = await file(invoice, { till: '0007:2120001588', referens: 'Anna' });
  expect(errorAt(wrong.body, 'till')).not.toBe('');
  expect(wrong.body).toContain('value="Anna"');
});

test('a buyer whose organisation number nobody has written down is led to where it is written, and fetched all the same', async () => {
  const shown = await reader.get(`/kundfakturor/${toPerson}`);
  expect(shown.body).not.toContain('>E-faktura</a>');
  expect(shown.body).toContain(`<a href="/kundfakturor/${toPerson}/e-faktura">`);
  const form = await page(toPerson);
  const told = 'Fakturan har inget organisationsnummer på köparen.';
  expect(form.body).toContain(told);
  expect(form.body).toMatch(/Skriv in det på <a href="\/kunder\/[0-9a-f-]{36}">/);
  expect((await page(invoice)).body).not.toContain(told);
  const choices = { till: '0007:212000-1587', referens: 'Anna' };
  expect((await file(toPerson, choices)).statusCode).toBe(200);
});

test('of a draft says that it must be booked first', async () => {
  expect((await reader.get(`/kundfakturor/${draft}`)).body).not.toContain('>E-faktura</a>');
  expect(textOfPage((await page(draft)).body)).toContain('Bokför det först');
  expect((await file(draft, { till: '0007:2120001587', referens: 'Anna' })).statusCode).toBe(422);
});

test('is not offered to people, who have no address in Peppol', async () => {
  expect((await reader.get(`/kundfakturor/${toPerson}`)).body).not.toContain('>E-faktura</a>');
  const shown = await page(toPerson);
  expect(shown.statusCode).toBe(200);
  expect(shown.body).not.toContain('value="0007:');
});
