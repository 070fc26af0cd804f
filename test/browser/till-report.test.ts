/** A till report that stopped, mended by a person: the account is said in the settings, and it is tried again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOf, expectNoSidewaysScroll, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ content: 'demo', workers: true });
});
afterAll(() => site.close());

test('is found from the overview, says what is missing, and is booked once the account is said', async () => {
  const page = await site.openAs('administrator');
  await page.goto('/oversikt');
  await page.getByRole('link', { name: /dagskassa har stannat/ }).click();
  const row = page.getByRole('row').filter({ hasText: 'KASSA-1' });
  expect(await row.textContent()).toContain('har inget konto');
  await row.getByRole('link').first().click();
  const why = page.getByRole('region', { name: 'Varför den stoppades' });
  expect(await why.textContent()).toContain('”rikskupong” har inget konto');
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  const address = page.url();
  await page.goto('/installningar/foretag');
  const accounts = page.getByLabel('Kassans konton');
  await accounts.fill(`${await accounts.inputValue()}, rikskupong 1686`);
  await page.getByRole('button', { name: 'Spara' }).first().click();
  await page.getByText('Ändringarna är sparade.').waitFor();
  await page.goto(address);
  await page.getByRole('button', { name: 'Försök igen' }).click();
  await page.getByText('Bokförd', { exact: true }).first().waitFor();
  await page
    .locator('dl.facts')
    .getByRole('link', { name: /^A\d+$/ })
    .click();
  const voucher = await page.getByRole('main').textContent();
  expect(voucher).toContain('Dagskassa KASSA-1, Z');
  expect(voucher).toContain('rikskupong');
  await page.goto('/dagskassor?flik=alla');
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  expect(complaintsOf(page)).toEqual([]);
});
