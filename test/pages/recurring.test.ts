/** Invoices that recur, as somebody who keeps the books writes, changes and ends them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { makeDue } from '#src/sales/recurring/service.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { errorAt, hiddenOf, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Kaffekoppen i Umeå AB' }));
});
afterAll(() => books.close());

const home = '/aterkommande';
const rent = (more: Record<string, string> = {}): Record<string, string> => ({
  customer: 'Kaffekoppen i Umeå AB',
  invoiceDate: TODAY,
  every: 'month:1',
  lastDate: '',
  becomes: 'draft',
  'rows[0].description': 'Hyra {månad}',
  'rows[0].quantity': '1',
  'rows[0].unitPrice': '5 000',
  'rows[0].vatRate': '25',
  do: 'save',
  ...more,
});
const make = (today: string) =>
  makeDue(books.owner, {
    today,
    actor: 'job:recurring-invoices',
    timeZone: 'Europe/Stockholm',
    canMail: false,
    mailFrom: undefined,
    onBroken: (_, error) => {
      throw error;
    },
  });

test('one is written, made on its day, changed and ended, and a reader sees it all', async () => {
  expect(textOfPage((await person.get(home)).body)).toContain('Inga återkommande fakturor än');
  const sent = await person.submit(`${home}/ny`, rent());
  expect(sent.statusCode).toBe(303);
  const place = String(sent.headers.location);
  expect(await make(TODAY)).toBe(1);
  const made = textOfPage((await reader.get(place)).body);
  expect(made).toContain('Varje månad');
  expect(made).toContain('2026-12-20');
  expect(made).toContain('Utkast');
  expect(made).not.toContain('Avsluta');
  const list = textOfPage((await reader.get(home)).body);
  expect(list).toContain('Kaffekoppen i Umeå AB');
  expect(list).toContain('Hyra {månad}');
  expect(list).not.toContain('Ny återkommande faktura');

  const form = await person.get(`${place}/redigera`);
  expect(form.body).toContain('value="Hyra {månad}"');
  expect(textOfPage(form.body)).not.toContain('Spara och bokför');
  const version = hiddenOf(form.body, 'version');
  const more = { version, invoiceDate: '2026-12-20', every: 'month:3', becomes: 'booked' };
  const changed = await person.submit(`${place}/redigera`, rent(more));
  expect(changed.statusCode).toBe(303);
  expect(textOfPage((await person.get(place)).body)).toContain('Varje kvartal');
  // Whoever saw it before that is told, and nothing is lost of what they typed.
  const late = await person.submit(`${place}/redigera`, rent({ ...more, notes: 'Min text' }));
  expect(late.statusCode).toBe(422);
  expect(late.body).toContain('Min text');

  expect((await person.submit(`${place}/avsluta`, {}, place)).statusCode).toBe(303);
  expect(textOfPage((await person.get(place)).body)).toContain('Ta upp igen');
  expect(await make('2027-06-30')).toBe(0);
});

test('what is wrong stands at its field, all that was typed is there still', async () => {
  const past = await person.submit(`${home}/ny`, rent({ invoiceDate: '2026-11-19' }));
  expect(past.statusCode).toBe(422);
  expect(errorAt(past.body, 'invoiceDate')).toContain('tidigast i dag');
  const odd = await person.submit(
    `${home}/ny`,
    rent({ lastDate: '2026-01-01', 'rows[0].description': 'Hyra {manad}' }),
  );
  expect(errorAt(odd.body, 'lastDate')).toContain('före nästa faktura');
  expect(errorAt(odd.body, 'rows[0].description')).toContain('{manad} betyder ingenting');
  expect(odd.body).toContain('value="2026-01-01"');
  const unknown = await person.submit(`${home}/ny`, rent({ every: 'day:1', becomes: '' }));
  expect(unknown.statusCode).toBe(400);
  expect(errorAt(unknown.body, 'every')).not.toBe('');
  const counted = await person.submit(`${home}/ny`, rent({ do: 'count' }));
  expect(textOfPage(counted.body)).toContain('6 250,00');
});

test('one that could not be made is among what there is to do, and in its list', async () => {
  await person.submit(`${home}/ny`, rent());
  const active = (is: boolean) =>
    books.owner.query(`update sales.customers set is_active = ${is} where name like 'Kaffe%'`);
  await active(false);
  await make(TODAY);
  await active(true);
  expect(textOfPage((await person.get('/oversikt')).body)).toContain(
    'återkommande faktura behöver ses',
  );
  expect(textOfPage((await person.get(home)).body)).toContain('Behöver ses');
  expect(await make(TODAY)).toBe(1);
  expect(textOfPage((await person.get(home)).body)).not.toContain('Behöver ses');
});

test('an invoice that is there is taken as its pattern', async () => {
  const [id = ''] = await makeDrafts(books.owner, [1000n]);
  expect((await person.get(`/kundfakturor/${id}`)).body).toContain(`${home}/ny?som=${id}`);
  const form = (await person.get(`${home}/ny?som=${id}`)).body;
  expect(form).toContain('value="Kaffebryggare"');
  expect(form).toContain(`value="${TODAY}"`);
});

test('only whoever keeps the books writes them', async () => {
  expect((await reader.get(`${home}/ny`)).statusCode).toBe(403);
  expect((await reader.submit(`${home}/ny`, rent())).statusCode).toBe(403);
  const [count] = await db(books.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from sales.recurring_invoices where created_by like 'user:%'`,
  );
  expect(count?.count).toBe(2);
});
