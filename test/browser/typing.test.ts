/** What is typed in a hurry: nothing is booked that the page did not show, and Enter only moves on. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { fillInCompany, makeInvoice } from '../support/invoices.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await fillInCompany(site.owner);
  await withTx(site.owner, async (tx) => {
    await insertCustomer(tx, { name: 'Rosteriet AB' });
    await tx.query(sql`insert into sales.articles (number, description, supply, account, unit_price_e4)
      values ('E61', 'Espressomaskin', 'goods', 3001, 489000000),
             ('K1', 'Kaffe', 'goods', 3002, 1000000)`);
  });
});
afterAll(() => site.close());

const counts = async () => {
  const { rows } = await site.owner.query<{ vouchers: number; booked: number }>(`select
    (select count(*)::int from ledger.vouchers) as vouchers,
    (select count(*)::int from sales.invoices where status <> 'draft') as booked`);
  return rows[0];
};
const row = (page: Page) => page.getByRole('group', { name: 'Rad 1', exact: true });
const total = (page: Page) => page.locator('[data-sum-total]');
const plain = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ');

async function begin(page: Page): Promise<void> {
  await page.goto('/kundfakturor/ny');
  await page.getByLabel('Kund', { exact: true }).fill('Rosteriet AB');
}
const book = (page: Page) => page.getByRole('button', { name: 'Spara och bokför' }).click();

test('an article number and a Tab fill the row, and another number another row', async () => {
  const page = await site.openAs('medarbetare');
  await begin(page);
  await row(page).getByLabel('Artikel').pressSequentially('E61');
  await page.keyboard.press('Tab');
  await expect.poll(async () => plain(await total(page).textContent())).toBe('61 125,00 kr');
  expect(await row(page).getByLabel('Beskrivning').inputValue()).toBe('Espressomaskin');
  await row(page).getByLabel('Artikel').fill('K1');
  await page.keyboard.press('Tab');
  await expect.poll(async () => plain(await total(page).textContent())).toBe('112,00 kr');
  expect(await row(page).getByLabel('Beskrivning').inputValue()).toBe('Kaffe');
  const before = await counts();
  await book(page);
  await page.getByText(/bokförd med nummer/).waitFor();
  expect((await counts())?.booked).toBe((before?.booked ?? 0) + 1);
  expect(complaintsOf(page)).toEqual([]);
});

test('a row takes an account by its whole name', async () => {
  const page = await site.openAs('medarbetare');
  await begin(page);
  await row(page).getByLabel('Beskrivning').fill('Kaffe');
  await row(page).getByLabel('À-pris').fill('100');
  const account = row(page).getByLabel('Konto');
  await account.pressSequentially('försäljning');
  await page.keyboard.press('Tab');
  await row(page)
    .getByText(/3001 Försäljning inom Sverige, 25 % moms, /)
    .waitFor();
  expect(await account.inputValue()).toBe('försäljning');
  await page.getByRole('button', { name: 'Spara utkast' }).click();
  await page.getByText('Skriv kontots fyra siffror').waitFor();
  await account.fill('');
  await account.pressSequentially('försäljning inom sverige, 12');
  await page.keyboard.press('Tab');
  expect(await account.inputValue()).toBe('3002');
});

test('a day typed as one is used to is written out as it was understood, whatever language the browser has', async () => {
  const page = await site.openAs('medarbetare', { locale: 'en-US' });
  await page.goto('/verifikat/ny');
  const date = page.getByLabel('Datum');
  for (const typed of ['261128', '20261128', '2026-11-28', '28/11 2026', '28.11.2026']) {
    await date.fill('');
    await date.pressSequentially(typed);
    await page.keyboard.press('Tab');
    expect([typed, await date.inputValue()]).toEqual([typed, '2026-11-28']);
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('seriesCode');
  }
  const thisYear = new Date().getFullYear();
  await date.fill('3/2');
  await date.press('Enter');
  expect(await date.inputValue()).toBe(`${thisYear}-02-03`);
  await date.fill('31/2');
  await page.getByRole('button', { name: 'Bokför', exact: true }).click();
  expect(await date.evaluate((one: { validationMessage: string }) => one.validationMessage)).toBe(
    'Skriv ett datum som finns, i formen ÅÅÅÅ-MM-DD.',
  );
  expect(await date.inputValue()).toBe('31/2');
  expect(complaintsOf(page)).toEqual([]);
});

test('a day without script is understood with its year, and else refused as it was typed', async () => {
  const page = await site.openAs('medarbetare', { javaScriptEnabled: false });
  await page.goto('/verifikat/ny');
  await page.getByLabel('Datum').fill('28/11');
  await page.getByLabel('Beskrivning').fill('Kaffe');
  await page.getByRole('button', { name: 'Bokför', exact: true }).click();
  await page.getByText('Skriv ett datum som finns, i formen ÅÅÅÅ-MM-DD.').waitFor();
  expect(await page.getByLabel('Datum').inputValue()).toBe('28/11');
  await page.goto('/verifikat?fran=261101&till=30/11 2026');
  expect(await page.getByText('Skriv ett datum som finns').count()).toBe(0);
});

test('a day picked in the calendar stands in its field, and the calendar is no stop for the keyboard', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/verifikat/ny');
  const date = page.getByLabel('Datum');
  const calendar = page.locator('[data-calendar]').first();
  await calendar.click();
  await page.locator('.day input[type=date]').fill('2026-03-03');
  expect(await date.inputValue()).toBe('2026-03-03');
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('date');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('seriesCode');
});

test('a discount is counted as the server counts it, and nothing while it is no discount', async () => {
  const page = await site.openAs('medarbetare');
  await begin(page);
  await row(page).getByLabel('Beskrivning').fill('Bönor');
  await row(page).getByLabel('Antal').fill('3');
  await row(page).getByLabel('Enhet').fill('kg');
  await row(page).getByLabel('À-pris utan moms').fill('33,33');
  const discount = row(page).getByLabel('Rabatt %');
  for (const wrong of ['tio', '100,01', '-1', '3,333']) {
    await discount.fill(wrong);
    expect(plain(await total(page).textContent())).toBe('0,00 kr');
  }
  // 99,99 less 12,5 % is 87,49125, and 25 % of 87,49 is 21,8725.
  await discount.fill('12,5');
  expect(plain(await total(page).textContent())).toBe('109,36 kr');
  await book(page);
  await page.getByText(/bokförd med nummer/).waitFor();
});

describe.each([
  { name: 'with script, before the register has answered', javaScriptEnabled: true },
  { name: 'without script', javaScriptEnabled: false },
])('$name', ({ javaScriptEnabled }) => {
  test('a total that the page did not show comes back to look at, and is booked from there', async () => {
    const page = await site.openAs('medarbetare', { javaScriptEnabled });
    await page.route('**/forslag/artiklar*', () => undefined);
    await begin(page);
    await row(page).getByLabel('Artikel').fill('E61');
    const before = await counts();
    await book(page);
    await page.getByText('Inget är bokfört: fakturan blir').waitFor();
    expect(await counts()).toEqual(before);
    expect(plain(await page.getByRole('main').textContent())).toContain('61 125,00 kr');
    await page.getByRole('button', { name: 'Bokför', exact: true }).click();
    await page.getByText(/bokförd med nummer/).waitFor();
    expect((await counts())?.booked).toBe((before?.booked ?? 0) + 1);
  });

  test('Enter in a field books nothing, whichever it is', async () => {
    const id = await makeInvoice(site.owner, [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }]);
    const page = await site.openAs('agare', { javaScriptEnabled });
    const before = await counts();
    const places = {
      '/verifikat/ny': ['Datum', 'Beskrivning', 'Motpart', 'Konto, rad 1', 'Debet, rad 1'],
      '/kundfakturor/ny': ['Fakturadatum', 'Er referens'],
      [`/kundfakturor/${id}/betalning`]: ['Betalningsdag', 'Belopp i kronor'],
      [`/kundfakturor/${id}/kreditera`]: ['Kreditfakturans datum', 'Krediteras av rad 1'],
      [`/kundfakturor/${id}/paminnelse`]: ['Skickas', 'Påminnelseavgift'],
    };
    for (const [address, labels] of Object.entries(places)) {
      for (const label of javaScriptEnabled ? labels : labels.slice(-1)) {
        await page.goto(address);
        const field = page.getByLabel(label).first();
        await field.press('Enter');
        if (javaScriptEnabled) {
          const focused = await page.evaluate<string>('document.activeElement.id');
          expect(focused).not.toBe(await field.getAttribute('id'));
        } else await page.getByText('Inget är sparat än').waitFor();
        expect(new URL(page.url()).pathname).toBe(address);
      }
    }
    expect(await counts()).toEqual(before);
  });
});

test('nothing is typed into a form that is on its way, as with a large file, to be gone when its answer comes', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/leverantorsinkorg/ny');
  const supplier = page.locator('[name=supplier]');
  await supplier.pressSequentially('Gra');
  // As slow as can be: it never arrives.
  await page.evaluate(`addEventListener('submit', (event) => event.preventDefault())`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'kvitto.txt', mimeType: 'text/plain', buffer: Buffer.from('kvitto') });
  await page.locator('form[inert]').waitFor();
  await page.keyboard.type('nens');
  expect(await supplier.inputValue()).toBe('Gra');
  // Stopped, and then back at it with the browser's own button.
  await page.keyboard.press('Escape');
  await supplier.pressSequentially('x');
  expect(await supplier.inputValue()).toMatch(/x/);
  await page.evaluate(`document.querySelector('main form').requestSubmit()`);
  await page.locator('form[inert]').waitFor();
  await page.evaluate(`dispatchEvent(new Event('pageshow'))`);
  await supplier.pressSequentially('nens');
  expect(await supplier.inputValue()).toMatch(/nens/);
  expect(complaintsOf(page)).toEqual([]);
});
