/** What a company has forgotten to say of itself is asked for before its first invoice, and then no more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { textOfPage } from '../support/pages.ts';
import { logIn } from '../support/person.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

const bookkeeper = () => logIn(books, 'medarbetare');
const administrator = () => logIn(books, 'administrator');
const draft = async (): Promise<string> => {
  const [id = ''] = await makeDrafts(books.owner, [100n], '2026-03-31');
  return `/kundfakturor/${id}`;
};
const shown = { shown: '12500' };

test('the first invoice waits for an answer, the next one does not', async () => {
  const [person, page] = [await bookkeeper(), await draft()];
  const press = (fields = shown) => person.submit(`${page}/bokfor`, fields, page);
  expect((await press({ shown: '1' })).headers.location).toBe(page);
  expect((await press()).headers.location).toBe(`${page}/innan-bokning`);
  const question = textOfPage((await person.get(`${page}/innan-bokning`)).body);
  expect(question).toContain('saknas ert företags gatuadress, postnummer, ort, säte och bankgiro');
  expect(question).toContain('Be en administratör fylla i det under Inställningar först');
  expect(question).not.toContain('Fyll i det nu');
  // Who may not change the company cannot by sending what the page does not offer.
  const sent = { ...shown, do: 'save', company_address: 'Vägen 1' };
  expect((await person.submit(`${page}/innan-bokning`, sent)).statusCode).toBe(403);

  const owner = await administrator();
  const fill = (more: Record<string, string>) =>
    owner.submit(`${page}/innan-bokning`, {
      ...{ ...shown, do: 'save', company_address: 'Vägen 1', company_postal_code: '903 26' },
      ...{ company_city: 'Umeå', company_seat: 'Umeå' },
      ...more,
    });
  const wrong = await fill({ company_bankgiro: '5050-1056' });
  expect([wrong.statusCode, textOfPage(wrong.body)]).toEqual([
    422,
    expect.stringContaining('Numret stämmer inte'),
  ]);
  const missing = await fill({});
  expect(textOfPage(missing.body)).toContain('Fortfarande saknas bankgiro, plusgiro eller IBAN');

  const booked = await person.submit(`${page}/innan-bokning`, { ...shown, do: 'book' });
  expect(booked.headers.location).toBe(page);
  expect(textOfPage((await person.get(page)).body)).toContain('Faktura 1001');

  const next = await draft();
  await person.submit(`${next}/bokfor`, shown, next);
  expect(textOfPage((await person.get(next)).body)).toContain('Faktura 1002');
});
