/** The API's description for people works under its own strict policy, and calls what it describes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ prints: false });
});
afterAll(() => site.close());

test('every operation is listed, one can be tried, and the browser complains of nothing', async () => {
  const page = await site.open();
  await page.goto('/docs');
  await page.getByText('/api/v1/meta').first().waitFor({ timeout: 0 });
  expect(await page.locator('.opblock').count()).toBeGreaterThan(10);
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  await page.locator('.auth-container input').first().fill(site.key);
  await page.locator('.auth-btn-wrapper .authorize').first().click();
  await page.locator('.btn-done').first().click();
  await page.getByText('/api/v1/meta').first().click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
  // One that writes, as it stands: under a key of its own.
  const post = page.locator('.opblock-post').filter({
    has: page.locator('[data-path="/api/v1/verifikat"]'),
  });
  await post.locator('.opblock-summary-control').click();
  await post.getByRole('button', { name: 'Execute' }).click();
  await post.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
  // An e-invoice is shown as it is sent, and not as what cannot be made of its schema.
  const invoice = page.locator('.opblock-post').filter({
    has: page.locator('[data-path="/api/inbound/peppol"]'),
  });
  await invoice.locator('.opblock-summary-control').click();
  expect(await invoice.locator('textarea.body-param__text').inputValue()).toMatch(
    /^<\?xml [^>]*>\s*<Invoice [\s\S]*<\/Invoice>/,
  );
  expect(complaintsOf(page)).toEqual([]);
});
