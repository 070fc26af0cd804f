/** A month and a year closed from start to end: what is in the way, a cost spread over the next year, an allocation, tax, the result, and what nobody may do after it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherBody } from '../support/installation.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ today: '2027-02-10' });
});
afterAll(() => site.close());

const post = (date: string, description: string, debit: number, credit: number, amount: number) =>
  site.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({
      date,
      description,
      rows: [
        { account: debit, debit: amount, credit: 0 },
        { account: credit, debit: 0, credit: amount },
      ],
    }),
  });
const receipt = { name: 'kvitto.pdf', mimeType: 'application/pdf' };

test('a person closes a month, and then the year', async () => {
  await post('2026-12-01', 'Konsultarvode till utlandet', 1930, 3305, 100_000);
  await post('2026-12-10', 'Försäkring 2027', 6310, 1930, 12_000);
  const page = await site.openAs('agare');
  const go = (name: string | RegExp) =>
    page.getByRole('link', { name, exact: true }).first().click();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor();

  // December waits for the documents of its vouchers, and leads to them.
  await go('Månadsavslut');
  await heading(/^Månadsavslut, december 2026 Står på tur/);
  for (const name of [/Konsultarvode till utlandet/, /Försäkring 2027/]) {
    await page.getByRole('link', { name }).click();
    const buffer = Buffer.from(`%PDF-1.7 ${name}`);
    await page.getByLabel('Lägg till bilagor').setInputFiles({ ...receipt, buffer });
    await press('Ladda upp');
    await page.getByRole('link', { name: 'kvitto.pdf' }).first().waitFor();
    if (String(name).includes('Konsult')) await go('Månadsavslut');
  }

  // The insurance is of the next year, which the books do not have yet.
  await go('Räkenskapsår och lås');
  await go('Nytt räkenskapsår');
  await press('Lägg upp året');
  await page.getByText('Räkenskapsåret 2027-01-01–2027-12-31 är upplagt').waitFor();
  await go('Verifikat');
  await go('A2');
  await go('Fördela över månader');
  await page.getByLabel('Första månaden').fill('2027-01');
  await page.getByLabel('Antal månader').fill('12');
  await page.getByLabel('Balanskonto', { exact: true }).fill('1730');
  await press('Visa fördelningen');
  await page.getByRole('cell', { name: '2027-12-31' }).waitFor();
  await press('Spara');
  await page.getByText('Sparat, och 2 verifikat bokfört.').waitFor();
  await page
    .getByRole('row', { name: /2027-01-31 Månadens del 6310 mot 1730 1 000,00 P1/ })
    .waitFor();

  await go('Månadsavslut');
  await page.getByText('Allt är klart.').waitFor();
  // The year's own vouchers are yet to be dated in it.
  await page.getByLabel(/^Lås perioden till och med/).uncheck();
  await press('Kvittera');
  await page.getByText('December 2026 är kvitterad.').waitFor();

  // Step by step: what the year earned without next year's insurance is allocated, taxed and taken to equity.
  await go('Räkenskapsår och lås');
  await go('2026');
  await go('Bokslut, steg för steg');
  await page.getByText('20,60 % på resultatet före skatt, på 3000–8899, 100 000,00 kr.').waitFor();
  await go('Bokför');
  await press('Bokför');
  await page.getByText(/Avsättning till periodiseringsfond är bokförd som A\d+/).waitFor();
  await page.goto('/rakenskapsar/2026/bokslut');
  await go('Bokför');
  await press('Bokför');
  await page.getByText(/Årets skatt är bokförd som A\d+/).waitFor();
  await page.goto('/rakenskapsar/2026/bokslut');
  await go('Bokför resultatet');
  await press('Bokför resultatet');
  await page.getByText('Resultatet 2026 är bokfört mot eget kapital.').waitFor();
  await go('Stäng året');
  await page.getByLabel('Skriv 2026 för att stänga').fill('2026');
  await press('Stäng 2026');
  await page.getByText('Räkenskapsåret 2026 är stängt.').waitFor();

  // The next year begins with it.
  await page.goto('/rakenskapsar/2027/ingaende');
  await press('För om till 2098');
  await page.getByText('Föregående års resultat är omfört.').waitFor();
  await page.getByRole('row', { name: /2098 .*−59 550,00/ }).waitFor();

  const late = await post('2026-12-31', 'För sent', 6110, 1930, 100);
  expect(late.json()).toMatchObject({ error: 'period_locked', detail: { lock: 'fiscal_year' } });
  expect(complaintsOf(page)).toEqual([]);
});
