/** A mistake in the books, put right as the law asks for: by new vouchers, never by changing the old. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherBody } from '../support/installation.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const post = async (overrides: object = {}) => {
  const answer = await site.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(overrides),
  });
  expect(answer.statusCode).toBe(200);
};

const openVoucher = async (page: Page, label: string) => {
  await page.getByRole('link', { name: 'Verifikat', exact: true }).click();
  await page.getByRole('link', { name: label, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${label} `) }).waitFor();
};
const rowsOf = async (page: Page) => {
  const rows = await page.getByRole('table', { name: 'Verifikatets rader' }).getByRole('row').all();
  const texts = await Promise.all(
    rows.slice(1, -1).map((row) => row.getByRole('cell').allTextContents()),
  );
  const accounts = await page.getByRole('rowheader').getByRole('link').allTextContents();
  return texts.map((amounts, index) => [
    accounts[index],
    ...amounts.map((text) => text.replaceAll('\u00a0', ' ')),
  ]);
};

test('a wrong voucher is taken back and replaced, and each of the three leads to the others', async () => {
  await post({ description: 'Kontorsmaterial på fel konto' });
  const page = await site.openAs('medarbetare');
  await openVoucher(page, 'A1');
  await page.getByRole('link', { name: 'Rätta med ny verifikation' }).click();
  await page.getByLabel('Beskrivning', { exact: true }).fill('Rättelse av A1: fel intäktskonto');
  await page.getByLabel('Bokför också det som skulle ha stått där').check();
  await page.getByLabel('Konto, rad 2').fill('3002');
  await page.getByRole('button', { name: 'Bokför rättelsen' }).last().click();
  await page.getByText('A1 är rättat med A2 och ersatt av A3.').waitFor();

  await page.getByText('Rättelse: ersätter').waitFor();
  expect(await rowsOf(page)).toEqual([
    ['1930', '125,00', ''],
    ['3002', '', '100,00'],
    ['2611', '', '25,00'],
  ]);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'A2', exact: true }).click();
  await page.getByText('Rättelse: tar tillbaka').waitFor();
  expect(await rowsOf(page)).toEqual([
    ['1930', '', '125,00'],
    ['3001', '100,00', ''],
    ['2611', '25,00', ''],
  ]);
  await main.getByRole('link', { name: 'A1', exact: true }).click();
  await page.getByText('Rättat: togs tillbaka med').waitFor();
  expect(await main.getByRole('link', { name: 'A2', exact: true }).isVisible()).toBe(true);
  expect(await main.getByRole('link', { name: 'A3', exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Rätta med ny verifikation' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Verifikat', exact: true }).first().click();
  const labels = await page.locator('[data-list] .row-link').allTextContents();
  expect(labels.sort()).toEqual(['A1', 'A2', 'A3']);
  await page.getByText('Första och sista nummer i varje serie').click();
  const series = page.getByRole('group', { name: 'Nummerserier' }).getByRole('row').nth(1);
  expect(await series.getByRole('cell').allTextContents()).toEqual([
    '2026',
    expect.stringMatching(/^A /),
    '1',
    '3',
    'Obruten',
  ]);
  expect(complaintsOf(page)).toEqual([]);
});

test('in a locked period the way out is told, and taken', async () => {
  await post({ date: '2026-05-15', description: 'Hyra maj' });
  const administrator = await site.openAs('administrator');
  await administrator.getByRole('link', { name: 'Räkenskapsår och lås' }).click();
  await administrator.getByRole('link', { name: 'Visa lås och historik' }).click();
  await administrator.getByRole('link', { name: 'Ändra periodlåset' }).click();
  await administrator.getByLabel('Låst till och med').fill('2026-06-30');
  await administrator.getByLabel('Varför').fill('Halvåret är avstämt');
  await administrator.getByRole('button', { name: 'Spara' }).click();
  await administrator.getByText('Periodlåset gäller till och med 30 juni 2026.').waitFor();

  const page = await site.openAs('medarbetare');
  await openVoucher(page, 'A4');
  expect(await page.getByRole('main').textContent()).toContain('Låst');
  await page.getByRole('link', { name: 'Rätta med ny verifikation' }).click();
  const date = page.getByLabel('Datum');
  expect(await date.inputValue()).toBe('2026-07-01');
  expect(await page.getByRole('main').textContent()).toContain(
    'Tidigaste tillåtna datum är 2026-07-01.',
  );
  // Stubborn: the old day all the same.
  await date.fill('2026-05-15');
  await page.getByRole('button', { name: 'Bokför rättelsen' }).last().click();
  // The page before it names that day too.
  await expect.poll(() => date.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('main').textContent()).toMatch(/2026-07-01/);
  expect(await page.getByRole('main').textContent()).toMatch(/låst/);
  expect(await date.inputValue()).toBe('2026-05-15');
  await expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe('date');
  await date.fill('2026-07-01');
  await page.getByRole('button', { name: 'Bokför rättelsen' }).last().click();
  await page.getByText('A4 är rättat med A5.').waitFor();
  expect(complaintsOf(administrator)).toEqual([]);
});
