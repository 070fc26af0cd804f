/** What a person is led to do about an order that stopped: each way is walked to its end. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { hiddenOf, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  person = await logIn(books, 'administrator');
});
afterAll(() => books.close());

const run = (statement: string) => books.owner.query(statement);
const send = (payload: object) =>
  books.call({ method: 'POST', url: '/api/inbound/order', payload });
async function stopped(overrides: object): Promise<{ id: string; body: object }> {
  const body = orderBody(overrides);
  const answer = await send(body);
  expect(answer.statusCode, answer.body).toBe(422);
  return { id: answer.json().detail.order_id, body };
}

const plain = (attribute: string): string =>
  attribute
    .replaceAll('&#x3D;', '=')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The one main thing to do on the order's page: where it leads and what it says. */
async function mainOf(id: string): Promise<{ href: string; label: string; body: string }> {
  const { body } = await person.get(`/order/${id}`);
  const main =
    /<a class="button main" href="([^"]*)" data-main>([^<]*)</.exec(body) ??
    /action="([^"]*)"[^>]*>\s*(?:<input[^>]*>\s*)*<button class="main" type="submit" data-main>([^<]*)</.exec(
      body,
    );
  return { href: plain(main?.[1] ?? ''), label: main?.[2] ?? '', body };
}

/** Names of fields as programs have them, anywhere but in the raw body. */
const programWords = (html: string): string[] =>
  textOfPage(html.replace(/<pre[\s\S]*?<\/pre>/g, '')).match(
    /\b(?:rows\[\d+\]|customer)\.\w+|\b(?:externalId|orderDate|pricesIncludeVat|vatRate|unitPrice|discountPct)\b/g,
  ) ?? [];

/** What stands in the way is gone, so it can be tried again, and becomes a draft. */
async function expectRetryHelps(id: string, draft = 'fakturautkast'): Promise<void> {
  const { href, label } = await mainOf(id);
  expect([href, label]).toEqual([`/order/${id}/forsok-igen`, 'Försök igen']);
  const answer = await person.submit(href, {}, `/order/${id}`);
  const page = await person.get(String(answer.headers.location));
  expect(page.body).toContain(`1 blev ${draft}`);
}

const row = (overrides: object = {}) => ({
  ...{ description: 'Vara', quantity: 1, unitPrice: 199, vatRate: 25 },
  ...overrides,
});

test('a day after the last fiscal year: make the year', async () => {
  const { id } = await stopped({ orderDate: '2027-03-31' });
  const { href, label, body } = await mainOf(id);
  expect(label).toBe('Lägg upp räkenskapsåret');
  expect(body).not.toContain('forsok-igen');
  const form = await person.get(href);
  const value = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(form.body);
  const [start, end] = [value('start')?.[1] ?? '', value('end')?.[1] ?? ''];
  expect((await person.submit(href, { start, end })).statusCode).toBe(303);
  await expectRetryHelps(id);
  const bookkeeper = await logIn(books, 'medarbetare');
  const far = await stopped({ orderDate: '2037-03-31' });
  expect((await mainOf(far.id)).label).toBe('Fakturera för hand');
  expect((await bookkeeper.get(`/order/${far.id}`)).body).not.toContain('rakenskapsar/nytt');
});

test('an account that is closed, or not there: open it, or make it as BAS has it', async () => {
  await run('update ledger.accounts set is_active = false where number = 3002');
  await run('delete from ledger.accounts where number = 3003');
  const closed = await stopped({ rows: [row({ vatRate: 12 })] });
  expect(await mainOf(closed.id)).toMatchObject({
    href: '/kontoplan/3002/andra',
    label: 'Rätta konto 3002',
  });
  expect((await person.get('/kontoplan/3002/andra')).statusCode).toBe(200);
  await run('update ledger.accounts set is_active = true where number = 3002');
  await expectRetryHelps(closed.id);
  const missing = await stopped({ rows: [row({ vatRate: 6 })] });
  const { href, label } = await mainOf(missing.id);
  expect(label).toBe('Lägg upp konto 3003');
  const form = await person.get(href);
  expect(form.body).toContain('value="Försäljning inom Sverige, 6 % moms"');
  const [, vat = ''] = /<option value="([^"]*)" selected>MP3/.exec(form.body) ?? [];
  const name = 'Försäljning inom Sverige, 6 % moms';
  const fields = { number: '3003', name, type: 'revenue', vat: plain(vat), sru: '' };
  expect((await person.submit(href, fields)).statusCode).toBe(303);
  await expectRetryHelps(missing.id);
});

test('no VAT for a Swede: mend the article; for a company abroad: its VAT number', async () => {
  await run(
    `insert into sales.articles (number, description, supply) values ('M/1', 'Kurs', 'services')`,
  );
  const free = await stopped({ rows: [row({ vatRate: 0, articleNumber: 'M/1' })] });
  const step = await mainOf(free.id);
  expect(step).toMatchObject({ href: '/artiklar/M%2F1', label: 'Ändra kontot på artikel M/1' });
  expect((await person.get(step.href)).statusCode).toBe(200);
  expect(programWords(step.body)).toEqual([]);
  expect(textOfPage(step.body)).toContain('Momssatsen på rad 1 är 0 %');
  await run(`update sales.articles set account = 3004 where number = 'M/1'`);
  await expectRetryHelps(free.id);
  const { id: customer } = await withTx(books.owner, (tx) =>
    insertCustomer(tx, { name: 'Kunde GmbH', countryCode: 'DE' }),
  );
  const abroad = await stopped({ customer: { name: 'Kunde GmbH' }, rows: [row({ vatRate: 0 })] });
  const { href, label } = await mainOf(abroad.id);
  expect([href, label]).toEqual([`/kunder/${customer}/andra`, 'Komplettera Kunde GmbH']);
  expect((await person.get(href)).statusCode).toBe(200);
  await run(`update sales.customers set vat_number = 'DE123456789' where id = '${customer}'`);
  await expectRetryHelps(abroad.id);
});

test('a company abroad that is no customer yet: made with its VAT number, and the order goes through', async () => {
  const { id } = await stopped({
    customer: { name: 'Ny Kunde GmbH', countryCode: 'DE' },
    rows: [row({ vatRate: 0 })],
  });
  const { href, label } = await mainOf(id);
  expect([href, label]).toEqual([`/order/${id}/kund`, 'Skapa kund med momsnummer']);
  const answer = await person.submit(href, {
    ...{ name: 'Ny Kunde GmbH', email: '', organizationNumber: '', vatNumber: 'DE987654321' },
    ...{ countryCode: 'DE', paymentTermsDays: '' },
  });
  const page = await person.get(String(answer.headers.location));
  expect(page.body).toContain('1 blev fakturautkast');
});

test('the address that an order lacks is written on its draft, and the warning goes', async () => {
  const rows = [row({ unitPrice: 5000 })];
  const { invoiceId } = (await send(orderBody({ total: 5000, rows }))).json();
  const page = `/kundfakturor/${invoiceId}`;
  expect(textOfPage((await person.get(page)).body)).toContain('Köparen saknar adress');
  const form = await person.get(`${page}/redigera`);
  const fields = { ...fieldsOf(form.body), version: hiddenOf(form.body, 'version'), do: 'save' };
  const address = { address: 'Storgatan 1', postalCode: '903 26', city: 'Umeå' };
  const saved = await person.submit(`${page}/redigera`, { ...fields, ...address });
  expect(saved.statusCode, textOfPage(saved.body)).toBe(303);
  const shown = textOfPage((await person.get(page)).body);
  expect(shown).not.toContain('Köparen saknar adress');
  expect(shown).toContain('Storgatan 1');
});

test('a return: credit the invoice, never another one by hand', async () => {
  const { id } = await stopped({
    customer: { name: 'Ångrar & Co' },
    total: -199,
    rows: [row({ quantity: -1 })],
  });
  const { href, label, body } = await mainOf(id);
  expect([href, label]).toEqual([
    `/kundfakturor?sok=${encodeURIComponent('Ångrar & Co')}`,
    'Sök fakturan att kreditera',
  ]);
  expect((await person.get(href)).statusCode).toBe(200);
  expect(body).not.toContain(`/order/${id}/faktura`);
});

test('a foreign currency: invoiced by hand at a rate, with everything filled in, and never twice', async () => {
  const customer = { name: 'Euro Kund AB', orgNumber: '556036-0793' };
  const rows = [row({ quantity: 2, unitPrice: 99.95 }), row({ unitPrice: 10.1, vatRate: 12 })];
  const { id, body } = await stopped({ currency: 'EUR', customer, total: 210, rows });
  const list = await person.get('/order');
  expect(textOfPage(list.body)).toContain('210,00 EUR');
  const { href, label, body: page } = await mainOf(id);
  expect([href, label]).toEqual([`/order/${id}/faktura`, 'Fakturera för hand']);
  expect(textOfPage(page)).toContain('Kunden betalade 210,00 EUR');
  expect(textOfPage(page)).not.toContain('210,00 kr');
  expect(page).not.toContain('forsok-igen');
  const withoutRate = await person.get(href);
  expect(textOfPage(withoutRate.body)).toContain('Fyll i priserna i kronor');
  const withRate = await person.get(`${href}?kurs=11,5`);
  const make = plain(/href="(\/order\/[^"]*sedan[^"]*)"/.exec(withRate.body)?.[1] ?? '');
  const made = await person.submit(make, {
    ...{ name: 'Euro Kund AB', email: '', organizationNumber: '556036-0793', vatNumber: '' },
    ...{ countryCode: 'SE', paymentTermsDays: '' },
  });
  expect(made.headers.location).toContain(`/order/${id}/faktura?kurs=11%2C5`);

  const url = `${href}?kurs=11,5`;
  const form = await person.get(url);
  const filled = fieldsOf(form.body);
  expect(filled).toMatchObject({
    customer: 'Euro Kund AB · 556036-0793',
    invoiceDate: '2026-03-31',
    'rows[0].quantity': '2',
    // 99,95 EUR with 25 % VAT is 79,96 without; times 11,5.
    'rows[0].unitPrice': '919,54',
    'rows[0].vatRate': '25',
    'rows[1].account': '3002',
  });
  expect(filled['notes']).toContain('210,00 EUR');
  const customerId = hiddenOf(form.body, 'customerId');
  const saved = await person.submit(url, { ...filled, customerId, do: 'save' });
  expect(saved.statusCode, textOfPage(saved.body)).toBe(303);
  const invoiceId = /[0-9a-f-]{36}/.exec(String(saved.headers.location))?.[0] ?? '';
  const [invoice] = await db(books.owner).query<{ total_ore: bigint; source: string }>(
    sql`select total_ore, source from sales.invoices where id = ${invoiceId}::uuid`,
  );
  // 210 EUR times 11,5, to the öre.
  expect(invoice).toEqual({ total_ore: 241_500n, source: 'app' });
  expect((await send(body)).json()).toMatchObject({ duplicate: true, invoiceId });
  const twice = await person.submit(url, { ...filled, customerId, do: 'save' });
  expect(twice.statusCode).toBe(422);
  const shown = await person.get(`/order/${id}`);
  expect(textOfPage(shown.body)).toContain('Fakturerad för hand av Test administrator');

  // A draft that was a mistake goes, and the order waits for somebody again.
  await person.submit(`/kundfakturor/${invoiceId}/ta-bort`, {}, `/kundfakturor/${invoiceId}`);
  expect((await mainOf(id)).label).toBe('Fakturera för hand');
});

test('what adds up to something else, or cannot be read, is invoiced by hand to a customer of its own', async () => {
  const mismatch = await stopped({ total: 250 });
  expect((await mainOf(mismatch.id)).label).toBe('Fakturera för hand');
  const unreadable = await stopped({ orderDate: 'igår', customer: {} });
  const { href, body } = await mainOf(unreadable.id);
  expect(programWords(body)).toEqual([]);
  const form = await person.get(href);
  const filled = fieldsOf(form.body);
  expect(filled).toMatchObject({ 'rows[0].unitPrice': '159,2', invoiceDate: '2026-11-20' });
  const refused = await person.submit(href, { ...filled, customer: 'Webbkunder', do: 'save' });
  expect(refused.statusCode).toBe(422);
  expect(textOfPage(refused.body)).toContain('Samlingskunden är ingen köpare');
});

/** What a browser would send of the form as it stands. */
function fieldsOf(html: string): Record<string, string> {
  const body = html.replace(/<template[\s\S]*?<\/template>/g, '');
  const inputs = [...body.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = '']) => {
    const [, name] = /\sname="([^"]*)"/.exec(attributes) ?? [];
    const [, value = ''] = /\svalue="([^"]*)"/.exec(attributes) ?? [];
    return name === undefined || name.startsWith('_') ? [] : [[name, plain(value)] as const];
  });
  const areas = [...body.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, name = '', value = '']) => [name, plain(value)] as const,
  );
  const selects = [...body.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)].map(
    ([, name = '', options = '']) =>
      [name, /<option value="([^"]*)" selected/.exec(options)?.[1] ?? ''] as const,
  );
  return Object.fromEntries([...inputs, ...areas, ...selects]);
}

test('of an order its refunds are listed; a draft of one can be removed, and then it waits to be tried again or dismissed', async () => {
  const body = orderBody();
  const { invoiceId } = (await send(body)).json();
  await withTx(books.owner, (tx) => bookInvoices(tx, [invoiceId], 'test'));
  const refund = {
    externalId: body.externalId,
    refundId: 'R-77',
    refundDate: '2026-04-02',
    amount: 50,
  };
  const sent = await books.call({
    method: 'POST',
    url: '/api/inbound/aterbetalning',
    payload: { ...refund, payments: [{ method: 'card', amount: 50 }] },
  });
  expect(sent.statusCode, sent.body).toBe(200);
  const ofRefund = async () => {
    const [found] = await db(books.owner).query<{
      id: string;
      status: string;
      reason: string | null;
      draft: string | null;
    }>(sql`select o.id, a.status, a.reason, o.invoice_id as draft from intake.orders o
      join intake.order_attempts a on a.order_id = o.id where o.refund_key = 'R-77'`);
    if (!found || found.status === 'received') throw new Error('not judged yet');
    return found;
  };
  const first = await vi.waitFor(ofRefund, { timeout: 20_000, interval: 20 });
  expect(first.status).toBe('draft');

  const [order] = await db(books.owner).query<{ id: string }>(
    sql`select id from intake.orders where invoice_id = ${invoiceId}::uuid`,
  );
  const page = async () => (await person.get(`/order/${order?.id}`)).body;
  expect(textOfPage(await page())).toMatch(/Återbetalningar .*R-77 .*50,00/);
  expect(await page()).toContain(`href="/order/${first.id}"`);

  const draft = `/kundfakturor/${first.draft}`;
  expect((await person.get(draft)).body).toContain(`${draft}/ta-bort`);
  expect((await person.submit(`${draft}/ta-bort`, {}, draft)).statusCode).toBe(303);
  expect(await ofRefund()).toMatchObject({
    status: 'rejected',
    reason: 'refund_draft_removed',
    draft: null,
  });
  expect(textOfPage(await page())).toContain('hade blivit är borttaget');

  await expectRetryHelps(first.id, 'utkast till kreditfaktura');
  expect(await ofRefund()).toMatchObject({ status: 'draft', draft: expect.any(String) });
  // The order's own draft or invoice is nothing that goes this way.
  expect((await person.get(`/kundfakturor/${invoiceId}`)).body).not.toContain(
    `/${invoiceId}/ta-bort`,
  );
});
