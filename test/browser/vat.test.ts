/** A VAT return from the books to Skatteverket: looked at, settled, fetched as a file, filed, mended and filed anew. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherBody } from '../support/installation.ts';
import { complaintsOf, openSite, type Site, savedFile } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const post = async (overrides: object): Promise<string> => {
  const payload = voucherBody(overrides);
  const answer = await site.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().id;
};

test('a person files a VAT return, and mends it', async () => {
  await post({ date: '2026-09-30', description: 'Kontantförsäljning i kassan' });
  const page = await site.openAs('medarbetare');
  await page.getByRole('link', { name: /momsdeklaration att lämna/ }).click();
  await page.getByRole('heading', { level: 1, name: /^Moms 2026-07-01 – 2026-09-30/ }).waitFor();

  // What is behind a box.
  await page.getByRole('link', { name: '05', exact: true }).click();
  await page.getByText('Kontantförsäljning i kassan').waitFor();
  await page.goBack();

  await page.getByRole('button', { name: 'Boka om till 2650' }).click();
  await page.getByText('Momsen är bokad till 2650 med M1.').waitFor();

  await page.getByLabel('Upplysning till Skatteverket').fill('Första deklarationen & sista');
  await page.getByRole('button', { name: 'Lägg i filen' }).click();
  // The page before has such a link too, whose file would not have the text.
  await page.waitForURL(/upplysning=/);
  const file = await savedFile(page, () =>
    page.getByRole('link', { name: 'Hämta filen till Skatteverket' }).click(),
  );
  expect(file.name).toBe('moms-5567026934-2026-09.xml');
  const text = file.bytes.toString('latin1');
  expect(text).toContain('<Period>202609</Period>');
  expect(text).toContain('<MomsBetala>25</MomsBetala>');
  expect(text).toContain('Första deklarationen &amp; sista');

  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Anteckna som lämnad' }).click();
  await page.getByText(/Deklarationen är antecknad som lämnad/).waitFor();
  await page.getByText('Nummer 1, 25 kr').waitFor();

  // Nobody books into it any more; what mends it stands after it.
  const payload = voucherBody({ date: '2026-09-30' });
  const refused = await site.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  expect(refused.json()).toMatchObject({ error: 'period_locked', detail: { lock: 'vat' } });
  await post({ date: '2026-10-05', description: 'Glömd försäljning i september' });
  await page.getByText('Ett annat verifikat').click();
  await page.getByLabel('Verifikat', { exact: true }).fill('A2');
  await page.getByRole('button', { name: 'Räkna hit' }).click();
  await page.getByText('A2 räknas till perioden.').waitFor();
  await page.getByText('Rättad, lämna på nytt').waitFor();

  await page.getByLabel('På annat sätt', { exact: true }).check();
  await page.getByLabel('Dag den lämnades på annat sätt').fill('2026-11-20');
  await page.getByLabel('Referens').fill('Kvittens 17');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Anteckna som lämnad' }).click();
  await page.getByText('Nummer 2, 50 kr').waitFor();
  await page.getByText('på annat sätt: Kvittens 17').waitFor();
  const href = await page.getByRole('link', { name: 'Nummer 1, 25 kr' }).getAttribute('href');
  const first = await page.context().request.get(`${site.address}${href}`);
  expect((await first.body()).toString('latin1')).toBe(text);
  expect(complaintsOf(page)).toEqual([]);
});
