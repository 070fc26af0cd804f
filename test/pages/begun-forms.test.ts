/** What somebody has begun to type: kept for them alone, gone on with anywhere, and gone when it is sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { uuid } from '#src/lib/uuid.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { hiddenOf, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
});
afterAll(() => books.close());

const form = '/verifikat/ny';
const typed = (description: string) => ({
  seriesCode: 'A',
  date: '2026-03-31',
  description,
  counterparty: '',
  'rows[0].account': '6250',
  'rows[0].debit': '22',
  'rows[1].account': '1930',
  'rows[1].credit': '22',
});
const keep = async (who: LoggedIn, description: string, id = uuid()): Promise<string> => {
  const fields = { ...typed(description), _begun: id, _address: form };
  expect((await who.submit(`/paborjat/${id}`, fields, form)).statusCode).toBe(303);
  return id;
};
const at = (id: string) => `${form}?fortsatt=${id}`;
/** What the form of a customer sends beside. */
const contact = { countryCode: 'SE', paymentTermsDays: '9' };
/** Handlebars writes `=` as an entity. */
const plainOf = (html: string): string => html.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
const keptPairs = async (id: string) => {
  const [row] = await db(books.owner).query<{ pairs: string | null }>(
    sql`select pairs from restricted.begun_forms where id = ${id}::uuid`,
  );
  return row?.pairs;
};

describe('what is begun', () => {
  test('is offered on its page and shown as it was typed, to that person alone', async () => {
    const id = await keep(person, 'Frimärken');
    const page = await person.get(form);
    expect(textOfPage(page.body)).toMatch(/Påbörjat 20\d\d-.*: Frimärken/);
    expect(plainOf(page.body)).toContain(`href="${at(id)}"`);
    const again = await person.get(at(id));
    expect(again.body).toContain('value="Frimärken"');
    expect(again.body).toContain('value="6250"');
    expect(hiddenOf(again.body, '_begun')).toBe(id);
    const other = await logIn(books, 'agare');
    expect((await other.get(form)).body).not.toContain('Frimärken');
    expect((await other.get(at(id))).body).not.toContain('Frimärken');
    expect((await other.submit(`/paborjat/${id}/kasta`, {}, form)).statusCode).toBe(303);
    expect(await keptPairs(id)).toContain('Frimärken');
  });

  test('is gone once it is sent, also for what the browser still had on its way', async () => {
    const id = await keep(person, 'Porto till kund');
    const sent = await person.submit(form, { ...typed('Porto till kund'), _begun: id }, at(id));
    expect(sent.headers.location).toMatch(/^\/verifikat\/[0-9a-f-]{36}$/);
    await keep(person, 'Porto till kund', id);
    expect(await keptPairs(id)).toBeNull();
    const page = await person.get(at(id));
    expect(page.statusCode).toBe(200);
    expect(textOfPage(page.body)).toContain('redan skickat eller kastat');
    expect(page.body).not.toContain('value="Porto till kund"');
  });

  test('is thrown away when that is asked for', async () => {
    const id = await keep(person, 'Ångrat');
    const answer = await person.submit(`/paborjat/${id}/kasta`, {}, form);
    expect(answer.headers.location).toBe(form);
    expect((await person.get(form)).body).not.toContain('Ångrat');
  });

  test('holds no secret, and leads nowhere but here', async () => {
    const id = uuid();
    const secret = { _address: '/mitt-konto/losenord', password: 'hemligt', next: 'hemligare' };
    await person.submit(`/paborjat/${id}`, secret, form);
    expect(await keptPairs(id)).toBeUndefined();
    for (const _address of ['//ond.example/', 'https://ond.example/', '/x\\y', '']) {
      const answer = await person.submit(`/paborjat/${id}`, { ...typed('x'), _address }, form);
      expect(answer.statusCode).toBe(400);
    }
    expect((await person.post(`/paborjat/${id}`, { _address: form })).statusCode).toBe(403);
  });

  test('is cleared away after a month', async () => {
    const id = await keep(person, 'Förra månaden');
    await books.owner.query(
      `update restricted.begun_forms set kept_at = now() - interval '31 days' where id = '${id}'`,
    );
    await books.owner.query('select restricted.purge_begun_forms()');
    expect(await keptPairs(id)).toBeUndefined();
  });
});

test('a refused form can be gone back to, and leaves nothing when it is taken', async () => {
  const refused = await person.submit('/kunder/ny', {
    ...contact,
    name: 'Nästan AB',
    paymentTermsDays: '99',
  });
  expect(refused.statusCode).toBe(400);
  const [, resume = ''] = /data-resume="([^"]*)"/.exec(plainOf(refused.body)) ?? [];
  expect((await person.get(resume)).body).toContain('value="Nästan AB"');
  const taken = await person.submit('/kunder/ny', { ...contact, name: 'Nästan AB' });
  expect(taken.statusCode).toBe(303);
  expect((await person.get(resume)).body).not.toContain('value="Nästan AB"');
});

describe('what a form lacks is made beside it, and what was typed is there again', () => {
  const follow = async (to: unknown) => person.get(String(to));

  test('an account, for the row that has an unknown one', async () => {
    const fields = { ...typed('Postlåda'), 'rows[0].account': '6251', wish: 'new_account' };
    const asked = await person.submit(form, fields);
    const address = String(asked.headers.location);
    expect(address).toMatch(/^\/kontoplan\/nytt\?nummer=6251&for=/);
    expect((await follow(address)).body).toContain('value="6251"');
    const account = { number: '6251', name: 'Postboxar', type: 'usual', vat: '', isActive: 'on' };
    const wrong = await person.submit(address, { ...account, number: '62' });
    expect(wrong.statusCode).toBe(400);
    const made = await person.submit(address, account);
    const back = await follow(made.headers.location);
    expect(textOfPage(back.body)).toContain('6251 Postboxar');
    expect(back.body).toContain('value="Postlåda"');
    expect(back.body).toMatch(/name="rows\[0\]\.account" value="6251"/);
  });

  test('a customer and an article, for an invoice', async () => {
    const invoice = {
      customer: 'Helt Ny AB',
      invoiceDate: '2026-03-31',
      notes: 'Tack!',
      'rows[0].description': 'Frakt',
      'rows[0].quantity': '1',
      'rows[0].unitPrice': '50',
      'rows[1].articleNumber': 'NY-1',
      'rows[1].quantity': '2',
    };
    const asked = await person.submit('/kundfakturor/ny', { ...invoice, do: 'new_customer' });
    const customer = await person.submit(String(asked.headers.location), {
      ...contact,
      name: 'Helt Ny AB',
    });
    const first = await follow(customer.headers.location);
    expect(first.body).toContain('value="Helt Ny AB"');
    expect(hiddenOf(first.body, 'customerId')).toMatch(/^[0-9a-f-]{36}$/);
    const _begun = hiddenOf(first.body, '_begun');
    const more = { ...invoice, _begun, do: 'new_article' };
    const askedMore = await person.submit('/kundfakturor/ny', more);
    expect(askedMore.headers.location).toContain('nummer=NY-1');
    const article = { number: 'NY-1', description: 'Mugg', supply: 'goods', unitPriceE4: '80' };
    const made = await person.submit(String(askedMore.headers.location), article);
    const second = await follow(made.headers.location);
    expect(second.body).toContain('value="Mugg"');
    expect(second.body).toContain('Tack!');
    // 50 + 2 × 80, and a quarter of it.
    expect(hiddenOf(second.body, 'shown')).toBe('26250');
  });
});
