/** The pages that there are in English, chosen and used from the keyboard: at a desk and on a telephone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import {
  bringAxe,
  complaintsOf,
  expectNoSidewaysScroll,
  findBarriers,
  findTouching,
  openSite,
  type Site,
} from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ content: 'demo' });
});
afterAll(() => site.close());

const idOf = async (query: ReturnType<typeof sql>): Promise<string> => {
  const [row] = await db(site.owner).query<{ id: string }>(query);
  if (!row) throw new Error('the example company has none');
  return row.id;
};

/** An e-invoice whose rows can be changed. */
const waitingInvoice = sql`select id from purchases.invoices
  where status in ('new', 'review') and not is_by_hand and document_id is not null order by id limit 1`;

test('English is chosen with the keyboard, and read at a desk and on a telephone', {
  timeout: 300_000,
}, async () => {
  const page = await site.openAs('agare', { viewport: { width: 1280, height: 900 } });
  await bringAxe(page);
  await page.getByRole('link', { name: 'English' }).press('Enter');
  await page.waitForURL('**/mitt-konto#sprak');
  const language = page.getByLabel('Språk');
  await language.focus();
  await page.keyboard.press('ArrowDown');
  expect(await language.inputValue()).toBe('en');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The menu, and the pages that there are in English').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('sv');
  expect(await page.locator('.side').getAttribute('lang')).toBe('en');

  const order = await idOf(sql`select id from intake.orders order by id limit 1`);
  const purchase = await idOf(waitingInvoice);
  const proposal = await idOf(sql`select id from proposals.proposals order by id limit 1`);
  const addresses = [
    '/installningar/api-nycklar',
    '/installningar/api-nycklar/ny',
    '/installningar/webhooks',
    '/installningar/webhooks/ny',
    '/drift',
    '/handelser',
    '/order',
    `/order/${order}`,
    '/leverantorsinkorg',
    `/leverantorsinkorg/${purchase}`,
    '/forslag',
    `/forslag/${proposal}`,
    // The frame alone.
    '/verifikat',
  ];
  const faults: string[] = [];
  for (const address of addresses) {
    const answer = await page.goto(address);
    if (answer?.status() !== 200) faults.push(`${address} answers ${answer?.status()}`);
    // Of a telephone axe is asked in test/slow.
    faults.push(...(await findBarriers(page)).map((fault) => `${address}: ${fault}`));
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const touching = (await findTouching(page)).map((two) => `buttons touch: ${two}`);
      const found = [...touching, ...complaintsOf(page)];
      faults.push(...found.map((fault) => `${address} at ${width} px: ${fault}`));
      await expectNoSidewaysScroll(page).catch((error) => faults.push(String(error)));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(faults).toEqual([]);
});

test('scripts speak the language of the page', async () => {
  const page = await site.openAs('agare');
  await page.goto('/mitt-konto');
  await page.getByLabel('Språk').selectOption('en');
  await page.getByRole('button', { name: 'Spara språket' }).click();
  await page.getByText('The menu, and the pages that there are in English').waitFor();

  await page.goto('/installningar/api-nycklar/ny');
  await page.getByLabel('Reads', { exact: false }).first().check();
  await page.getByLabel('Name').fill('The shop');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');

  await page.goto('/leverantorsinkorg');
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  await all.check();
  await page.getByText(/^\d+ of \d+ selected\./).waitFor();
  await all.uncheck();

  const purchase = await idOf(waitingInvoice);
  await page.goto(`/leverantorsinkorg/${purchase}`);
  await page.locator('[name="rows[0].debit"]').fill('1,234.50');
  await page
    .getByText('Debit 1,234.50')
    .or(page.getByText(/^Debit [\d,]+\.\d\d/))
    .first()
    .waitFor();
  await page
    .getByText(/Difference|balance/)
    .first()
    .waitFor();
  expect(complaintsOf(page)).toEqual([]);
});
