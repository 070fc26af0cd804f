/**
 * Somebody's first hour: from the address that `huvudbok first-visit` prints to an invoice in the books,
 * with script and without.
 */
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { createSetupToken, firstVisitAddress } from '#src/installation/setup/token.ts';
import { pageTexts } from '../support/pdf.ts';
import { complaintsOf, openedFile, openSite, type Site } from './browser.ts';

const owner = { email: 'karin@fjallbergs.se', password: 'sju små ord om snö' };

let site: Site;
afterEach(() => site.close());

describe.each([
  { name: 'with script', javaScriptEnabled: true },
  { name: 'without script', javaScriptEnabled: false },
])('$name', ({ javaScriptEnabled }) => {
  test('a newcomer sets up the books and books a first invoice', async () => {
    site = await openSite({ content: 'nothing' });
    const page = await site.open({ javaScriptEnabled });

    const key = await setUpBooks(page);
    const meta = await fetch(`${site.address}/api/v1/meta`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(meta.status).toBe(200);

    await page.getByRole('link', { name: 'Till översikten' }).click();
    await page.waitForURL('**/oversikt');
    await page.getByRole('button', { name: 'Logga ut' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Du är utloggad.');
    await page.getByLabel('E-postadress').fill(owner.email);
    await page.getByLabel('Lösenord').fill(owner.password);
    await page.getByRole('button', { name: 'Logga in' }).click();
    await page.waitForURL('**/oversikt');

    await createCustomer(page);
    await writeDraft(page, javaScriptEnabled);
    await page.getByRole('button', { name: 'Bokför', exact: true }).click();
    await sayWhereToPay(page);
    await page.getByRole('heading', { level: 1, name: /^Faktura 1001 / }).waitFor();
    expect(await page.getByText('På fakturan saknas').count()).toBe(0);

    const invoice = page.url();
    const pdf = await openedFile(page, () =>
      page.getByRole('link', { name: 'PDF', exact: true }).click(),
    );
    expect(pdf.type).toBe('application/pdf');
    const [text = ''] = await pageTexts(pdf.bytes);
    expect(text).toContain('Fjällbergs Snickeri AB');
    expect(text).toContain('Byvägens Bygg AB');
    expect(text).toMatch(/Fakturanummer\s*1001\b/);
    expect(text).toContain('2 000,00');
    expect(text).toContain('5050-1055');
    expect(text).toContain('Snickargatan 1');

    // A Chromium with a viewer stands at the PDF now, one without has saved it and never left.
    await page.goto(invoice);
    await page.getByRole('link', { name: /^[A-Z]+1$/ }).click();
    await page.waitForURL('**/verifikat/*');
    const rows = await page
      .getByRole('group', { name: 'Rader' })
      .getByRole('row')
      .allTextContents();
    const plain = rows.map((row) => row.replaceAll('\u00a0', ' '));
    expect(plain.some((row) => row.includes('1510') && row.includes('2 000,00'))).toBe(true);
    expect(plain.some((row) => row.includes('2611') && row.includes('400,00'))).toBe(true);
    expect(complaintsOf(page)).toEqual([]);
  });
});

/** From the operator's address to the page that shows the key; gives the key. */
async function setUpBooks(page: Page): Promise<string> {
  const token = await createSetupToken(site.owner);
  await page.goto(firstVisitAddress(site.address, token ?? ''));
  expect(new URL(page.url()).search).toBe('');
  await page.getByLabel('Företagets namn').fill('Fjällbergs Snickeri AB');
  await page.getByLabel('Organisationsnummer').fill('556036-0793');
  await page.getByLabel('Räkenskapsårets första dag').fill('2026-01-01');
  await page.getByLabel('Räkenskapsårets sista dag').fill('2026-12-31');
  await page.getByLabel('Ditt namn').fill('Karin Fjällberg');
  await page.getByLabel('E-postadress').fill(owner.email);
  await page.getByLabel('Lösenord', { exact: true }).fill(owner.password);
  await page.getByLabel('Lösenordet en gång till').fill(owner.password);
  await page.getByRole('button', { name: 'Sätt upp bokföringen' }).click();
  await page.getByRole('heading', { name: 'Din första nyckel' }).waitFor();
  const [key = '', curl = ''] = await page.locator('pre').allTextContents();
  expect(curl).toBe(`curl -s ${site.address}/api/v1/meta -H 'Authorization: Bearer ${key}'`);
  return key;
}

async function createCustomer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('link', { name: 'Ny kund' }).click();
  await page.getByLabel('Namn', { exact: true }).fill('Byvägens Bygg AB');
  await page.getByLabel('Organisationsnummer').fill('556677-8899');
  await page.getByLabel('Gatuadress eller box').fill('Byvägen 3');
  await page.getByLabel('Postnummer').fill('903 26');
  await page.getByLabel('Ort').fill('Umeå');
  await page.getByRole('button', { name: 'Spara' }).click();
  await page.getByRole('heading', { level: 1, name: 'Byvägens Bygg AB' }).waitFor();
}

/** What the first invoice lacks is asked for before it is booked. */
async function sayWhereToPay(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Innan den första fakturan bokförs' }).waitFor();
  const lacking = page.getByText('På fakturan saknas ert företags gatuadress');
  expect(await lacking.textContent()).toContain('bankgiro, plusgiro eller IBAN');
  await page.getByLabel('Gatuadress').fill('Snickargatan 1');
  await page.getByLabel('Postnummer').fill('903 27');
  await page.getByLabel('Ort').first().fill('Umeå');
  await page.getByRole('button', { name: 'Spara och bokför' }).click();
  await page.getByText('Fortfarande saknas').waitFor();
  await page.getByLabel('Säte').fill('Umeå');
  await page.getByLabel('Bankgiro').fill('5050-1055');
  await page.getByRole('button', { name: 'Spara och bokför' }).click();
}

/** Two rows, 1 600 kr and VAT; the figures stand there before it is saved. */
async function writeDraft(page: Page, hasScript: boolean): Promise<void> {
  await page.getByRole('link', { name: 'Kundfakturor', exact: true }).click();
  await page.getByRole('link', { name: 'Ny faktura' }).click();
  await page.getByLabel('Kund', { exact: true }).fill('Byvägens Bygg');
  const rows = [
    { what: 'Hyllor i ek', quantity: '2', price: '500' },
    { what: 'Montering', quantity: '1,5', price: '400' },
  ];
  for (const [index, { what, quantity, price }] of rows.entries()) {
    const row = page.getByRole('group', { name: `Rad ${index + 1}`, exact: true });
    await row.getByLabel('Beskrivning').fill(what);
    await row.getByLabel('Antal').fill(quantity);
    await row.getByLabel('À-pris').fill(price);
    await row.getByLabel('Konto').fill('3001');
  }
  if (!hasScript) await page.getByRole('button', { name: 'Räkna om' }).click();
  await expect
    .poll(async () =>
      (await page.locator('[data-sum-total]').textContent())?.replaceAll('\u00a0', ' '),
    )
    .toBe('2 000,00 kr');
  await page.getByRole('button', { name: 'Spara utkast' }).click();
  await page.getByText('Utkastet är sparat.').waitFor();
}
