/** What people do by mistake, or have happen to them: nothing is booked twice, and nothing typed is lost. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { countVouchers, TODAY } from '../support/installation.ts';
import { complaintsOf, expectNoSidewaysScroll, openSite, type Site } from './browser.ts';
import {
  booked,
  emailOf,
  endSessions,
  login,
  post,
  testEndedSession,
  typeVoucher,
} from './logged-out.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await withTx(site.owner, (tx) =>
    insertCustomer(tx, { name: 'Byvägens Bygg AB', email: 'k@exempel.se' }),
  );
});
afterAll(() => site.close());

describe('pressing twice', () => {
  test('a double click on Bokför makes one voucher', async () => {
    const page = await site.openAs('medarbetare');
    const before = await countVouchers(site.owner);
    await typeVoucher(page, 'Dubbelklick');
    await post(page).dblclick();
    await booked(page).waitFor();
    expect(await countVouchers(site.owner)).toBe(before + 1);
    expect(complaintsOf(page)).toEqual([]);
  });

  test('so it does without script', async () => {
    const page = await site.openAs('medarbetare', { javaScriptEnabled: false });
    const before = await countVouchers(site.owner);
    await typeVoucher(page, 'Dubbelklick');
    await post(page).dblclick();
    await page.getByRole('heading', { level: 1, name: /Dubbelklick/ }).waitFor();
    expect(await countVouchers(site.owner)).toBe(before + 1);
  });

  test('going back to the form and sending it again makes no second voucher', async () => {
    const page = await site.openAs('medarbetare');
    const before = await countVouchers(site.owner);
    await typeVoucher(page, 'Tillbaka');
    await post(page).click();
    await booked(page).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Nytt verifikat' }).waitFor();
    // The browser gives the page anew or as it was; either way nothing is booked a second time by chance.
    if ((await page.getByLabel('Beskrivning').inputValue()) === 'Tillbaka') {
      await post(page).click();
      await page
        .getByText('Det var redan gjort. Har du ändrat något sedan dess är det inte sparat.')
        .waitFor();
    }
    expect(await countVouchers(site.owner)).toBe(before + 1);
    expect(complaintsOf(page)).toEqual([]);
  });
});

test('two tabs with the same draft: the second is told, keeps what it typed, and does not overwrite', async () => {
  const page = await site.openAs('medarbetare');
  await page.getByRole('link', { name: 'Kundfakturor', exact: true }).click();
  await page.getByRole('link', { name: 'Ny faktura' }).click();
  await page.getByLabel('Kund', { exact: true }).fill('Byvägens Bygg');
  const row = page.getByRole('group', { name: 'Rad 1', exact: true });
  await row.getByLabel('Beskrivning').fill('Hyllor');
  await row.getByLabel('Antal').fill('1');
  await row.getByLabel('À-pris').fill('100');
  await row.getByLabel('Konto').fill('3001');
  await page.getByRole('button', { name: 'Spara utkast' }).click();
  await page.getByText('Utkastet är sparat.').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  for (const tab of [page, other]) await tab.getByRole('link', { name: 'Redigera' }).click();

  const reference = (tab: Page) => tab.getByLabel('Er referens');
  await reference(page).fill('Första fliken');
  await page.getByRole('button', { name: 'Spara utkast' }).click();
  await page.getByText('Utkastet är sparat.').waitFor();
  await reference(other).fill('Andra fliken');
  for (const _ of [1, 2]) {
    await other.getByRole('button', { name: 'Spara utkast' }).click();
    await other.getByText('har ändrat utkastet medan du skrev').waitFor();
    expect(await reference(other).inputValue()).toBe('Andra fliken');
  }
  await page.reload();
  expect(await page.getByRole('main').textContent()).toContain('Första fliken');
});

testEndedSession(() => site);

test('a button pressed after the session ended does nothing, and leads back to its page', async () => {
  const page = await site.openAs('administrator');
  const email = await emailOf(page);
  await page.getByRole('link', { name: 'Inställningar' }).click();
  await page.getByRole('link', { name: /^API-nycklar/ }).click();
  await page.getByRole('link', { name: 'Test', exact: true }).click();
  const place = page.url();
  await endSessions(site);
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Återkalla genast' }).click();
  await page.getByText('Du är inte inloggad längre, så inget gjordes.').waitFor();
  await login(page, email);
  await page.waitForURL(place);
  expect(await page.getByRole('button', { name: 'Återkalla genast' }).isVisible()).toBe(true);
});

test('Enter in the reason or on a box of Förslag decides nothing: it moves on', async () => {
  const { key } = await site.makeKey(['data:read', 'proposals:write']);
  const payload = {
    seriesCode: 'A',
    date: TODAY,
    description: 'Kontorsmaterial',
    rows: [
      { account: 6110, debit: 400, credit: 0 },
      { account: 1930, debit: 0, credit: 400 },
    ],
  };
  const long = 'Donaudampfschiffahrt'.repeat(20);
  for (const description of ['Kvittot', 'Det andra kvittot', long]) {
    const body = { kind: 'voucher', payload: { ...payload, description } };
    const made = await site.call({ method: 'POST', url: '/api/v1/forslag', key, payload: body });
    expect(made.statusCode).toBe(200);
  }
  const before = await countVouchers(site.owner);
  const page = await site.openAs('medarbetare');
  await page.goto('/forslag');
  const box = page.getByLabel('Markera Verifikat Det andra kvittot');
  await box.check();
  await box.press('Enter');
  await page.getByLabel('Skäl').fill('Privat');
  await page.getByLabel('Skäl').press('Enter');
  await page.getByRole('button', { name: 'Avvisa de markerade' }).press('Enter');
  await page.getByText('1 förslag är avvisat').waitFor();
  expect(await countVouchers(site.owner)).toBe(before);
  const left = await db(site.owner).query(
    sql`select payload ->> 'description' as description from proposals.proposals where status = 'open' order by created_at`,
  );
  expect(left).toEqual([{ description: 'Kvittot' }, { description: long }]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  expect(complaintsOf(page)).toEqual([]);
  await page.context().close();
});
