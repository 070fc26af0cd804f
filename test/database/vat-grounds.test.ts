/** Sales without VAT are judged by who buys: when a draft is written, when it is booked, and on the PDF. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { countryOf, isEuCountry, vatPrefixOf } from '#src/domain/basics/countries.ts';
import { insertCustomer, type NewCustomer } from '#src/sales/customers/store.ts';
import { invoiceView } from '#src/sales/invoices/document-view.ts';
import { findInvoiceDocument } from '#src/sales/invoices/printing-store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { wordsOf } from '../support/words.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

const customerOf = async (customer: Partial<NewCustomer>): Promise<string> =>
  (await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Köpare', ...customer }))).id;
const post = (customerId: string, account: number, overrides: object = {}) =>
  books.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId,
      invoiceDate: '2026-03-31',
      paymentTerms: 30,
      rows: [{ description: 'Vara', quantity: 1, unitPrice: 100, vatRate: 0, account }],
      ...overrides,
    },
  });
const counts = async () => {
  const [row] = await db(books.owner).query<{ invoices: number; vouchers: number }>(
    sql`select (select count(*)::integer from sales.invoices) as invoices,
      (select count(*)::integer from ledger.vouchers) as vouchers`,
  );
  return row;
};

const german = { countryCode: 'DE', vatNumber: 'DE123456789' };
const swedish = { countryCode: 'SE', vatNumber: 'SE556036079301' };

describe('an invoice over the API', () => {
  test.each<[number, Partial<NewCustomer>]>([
    [3108, german],
    [3108, { countryCode: 'MC', vatNumber: 'FRAB123456789' }],
    [3108, { countryCode: 'GR', vatNumber: 'EL123456789' }],
    [3108, { countryCode: 'GB', vatNumber: 'XI123456789' }],
    [3308, german],
    [3105, { countryCode: 'NO' }],
    [3105, { countryCode: 'AX' }],
    [3305, { countryCode: 'US' }],
    [3305, { countryCode: 'XI', vatNumber: 'XI123456789' }],
    [3231, swedish],
    [3231, { countryCode: 'NO', vatNumber: 'SE556036079301' }],
    [3004, {}],
    [3211, {}],
  ])('is booked on %i to %o', async (account, customer) => {
    const answer = await post(await customerOf(customer), account, { book: true });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().status).toBe('booked');
  });

  test.each<[number, Partial<NewCustomer>, string]>([
    [3108, {}, 'eu_vat_number_missing'],
    [3108, swedish, 'eu_vat_number_missing'],
    [3108, { countryCode: 'DE' }, 'eu_vat_number_missing'],
    [3108, { countryCode: 'DE', vatNumber: 'SE556036079301' }, 'eu_vat_number_missing'],
    [3108, { countryCode: 'FR', vatNumber: 'DE123456789' }, 'vat_number_of_other_country'],
    [3308, {}, 'buyer_not_in_other_eu_country'],
    [3308, { countryCode: 'US' }, 'buyer_not_in_other_eu_country'],
    [3308, { countryCode: 'XI', vatNumber: 'XI123456789' }, 'buyer_not_in_other_eu_country'],
    [3308, { countryCode: 'DE' }, 'eu_vat_number_missing'],
    [3105, {}, 'buyer_not_outside_eu'],
    [3105, german, 'buyer_not_outside_eu'],
    [3105, { countryCode: 'XI', vatNumber: 'XI123456789' }, 'buyer_not_outside_eu'],
    [3305, swedish, 'buyer_not_outside_eu'],
    [3305, german, 'buyer_not_outside_eu'],
    [3231, {}, 'swedish_vat_number_missing'],
    [3231, german, 'swedish_vat_number_missing'],
  ])('is refused on %i to %o: %s', async (account, customer, reason) => {
    const customerId = await customerOf(customer);
    const before = await counts();
    for (const overrides of [{}, { book: true }]) {
      const answer = await post(customerId, account, overrides);
      expect(answer.statusCode).toBe(422);
      const { error, message, detail } = answer.json();
      expect([error, detail.problems.length]).toEqual(['unprocessable', 1]);
      expect(detail.problems[0]).toMatchObject({ path: 'rows[0].account', reason, account });
      expect(message).toMatch(/kund|köpare/i);
    }
    const dryRun = await books.call({
      method: 'POST',
      url: '/api/v1/kundfakturor?dryRun=true',
      payload: {
        customerId,
        invoiceDate: '2026-03-31',
        paymentTerms: 30,
        rows: [{ description: 'Vara', quantity: 1, unitPrice: 100, vatRate: 0, account }],
      },
    });
    expect(dryRun.statusCode).toBe(422);
    expect(await counts()).toEqual(before);
  });

  test('shows no VAT on an account of the margin scheme', async () => {
    const rows = [{ description: 'Mynt', quantity: 1, unitPrice: 100, vatRate: 25, account: 3211 }];
    const answer = await post(await customerOf({}), 3211, { rows });
    expect(answer.statusCode).toBe(422);
    const [problem] = answer.json().detail.problems;
    expect(problem).toMatchObject({ path: 'rows[0].vatRate', reason: 'margin_vat_shown' });
  });
});

test('a buyer who changes before the draft is booked stops it, and one who changes back lets it', async () => {
  const customerId = await customerOf(german);
  const { id } = (await post(customerId, 3308)).json();
  const setVatNumber = (number: string | null) =>
    books.owner.query('update sales.customers set vat_number = $2 where id = $1', [
      customerId,
      number,
    ]);
  const book = async () => (await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test')))[0];
  await setVatNumber(null);
  const refused = await book();
  expect(refused?.invoice.status).toBe('draft');
  expect(wordsOf(refused?.refusal)).toContain('momsnummer');
  const [stored] = await db(books.owner).query<{ reason: string }>(
    sql`select booking_refusal #>> '{detail,problems,0,reason}' as reason from sales.invoices
      where id = ${id}::uuid`,
  );
  expect(stored?.reason).toBe('eu_vat_number_missing');
  await setVatNumber('DE123456789');
  expect((await book())?.invoice.status).toBe('booked');
});

test('a PDF claims reverse charge only where the buyer can owe the VAT', async () => {
  const grounds = async (id: string) => {
    const found = await findInvoiceDocument(db(books.owner), id);
    return found && invoiceView(found).exemptions;
  };
  const lawful = (await post(await customerOf(german), 3308, { book: true })).json().id;
  expect(await grounds(lawful)).toEqual([expect.stringContaining('Omvänd betalningsskyldighet')]);
  // As it may stand in books from before the buyer was asked about.
  const { id } = (await post(await customerOf(german), 3308)).json();
  await books.owner.query(`update sales.invoices set debtor = debtor || '{"countryCode": "SE",
    "vatNumber": null}' where id = '${id}'`);
  expect(await grounds(id)).toEqual(['Raderna är fakturerade utan moms.']);
  const used = (await post(await customerOf({}), 3211, { book: true })).json().id;
  expect(await grounds(used)).toEqual([expect.stringContaining('Vinstmarginalbeskattning')]);
});

test('the database knows the same EU as the program', async () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const countries = letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter((code) => countryOf(code) === code);
  const judged = await db(books.owner).query<{ country: string; goods: string; sales: string }>(
    sql`select country, sales.vat_doubt('36', 0, country, null) as goods,
        sales.vat_doubt('39', 0, country, prefix || '123456789') as sales
      from unnest(${countries}::text[], ${countries.map(vatPrefixOf)}::text[]) as c (country, prefix)`,
  );
  for (const { country, goods, sales } of judged) {
    const isAbroad = isEuCountry(country) && country !== 'SE';
    expect([country, sales]).toEqual([country, isAbroad ? null : 'buyer_not_in_other_eu_country']);
    const isInside = isAbroad || country === 'SE' || country === 'XI';
    expect([country, goods]).toEqual([country, isInside ? 'buyer_not_outside_eu' : null]);
  }
  expect(judged).toHaveLength(countries.length);
});
