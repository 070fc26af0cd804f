/** From the income statement to the voucher behind a figure, and back with a file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherBody } from '../support/installation.ts';
import { complaintsOf, openSite, type Site, savedFile } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

test('a figure is followed to what is behind it', async () => {
  for (const date of ['2026-02-10', '2026-05-20']) {
    const payload = voucherBody({ date, description: `Försäljning ${date}` });
    const answer = await site.call({ method: 'POST', url: '/api/v1/verifikat', payload });
    expect(answer.statusCode, answer.body).toBe(200);
  }
  const page = await site.openAs('lasare');
  await page.getByRole('link', { name: 'Rapporter', exact: true }).click();
  await page.getByRole('link', { name: 'Resultaträkning', exact: true }).click();
  await page.getByLabel('Från').fill('2026-01-01');
  await page.getByLabel('Till och med').fill('2026-06-30');
  await page.getByLabel('Månad för månad').check();
  await page.getByRole('button', { name: 'Visa' }).click();
  await page.getByRole('columnheader', { name: '2026-05', exact: true }).waitFor();

  // The figure of May alone, which is the second sale.
  const row = page.getByRole('row').filter({ hasText: '3001 ' });
  await row.getByRole('link').nth(4).click();
  await page.getByRole('heading', { level: 1, name: 'Huvudbok' }).waitFor();
  await page.getByText('Försäljning 2026-05-20').waitFor();
  expect(await page.getByText('Försäljning 2026-02-10').count()).toBe(0);
  await page.getByRole('link', { name: 'A2', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: /A2/ }).waitFor();
  await page.goBack();

  const file = await savedFile(page, () => page.getByRole('link', { name: 'CSV' }).click());
  expect(file.name).toBe('huvudbok-2026-05-01-2026-05-31.csv');
  expect(file.bytes.toString()).toContain('Försäljning 2026-05-20');
  expect(complaintsOf(page)).toEqual([]);
});
