/** Whoever is logged out while typing finds it all again after the login, however that came about. */
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { countVouchers, TODAY } from '../support/installation.ts';
import { PASSWORD } from '../support/person.ts';
import type { Site } from './browser.ts';

export async function typeVoucher(page: Page, description: string): Promise<void> {
  await page.getByRole('link', { name: 'Verifikat', exact: true }).click();
  await page.getByRole('link', { name: 'Nytt verifikat', exact: true }).click();
  await page.getByLabel('Datum').fill('2026-11-02');
  await page.getByLabel('Beskrivning').fill(description);
  await page.getByLabel('Konto, rad 1').fill('6110');
  await page.getByLabel('Debet, rad 1').fill('1 250,50');
  await page.getByLabel('Anteckning, rad 1').fill('Pärmar & "hålslag" <två>');
  await page.getByLabel('Konto, rad 2').fill('1930');
  await page.getByLabel('Kredit, rad 2').fill('1250,50');
}

async function expectTyped(page: Page, description: string): Promise<void> {
  expect(await page.getByLabel('Datum').inputValue()).toBe('2026-11-02');
  expect(await page.getByLabel('Beskrivning').inputValue()).toBe(description);
  expect(await page.getByLabel('Debet, rad 1').inputValue()).toBe('1 250,50');
  expect(await page.getByLabel('Anteckning, rad 1').inputValue()).toBe('Pärmar & "hålslag" <två>');
  expect(await page.getByLabel('Konto, rad 2').inputValue()).toBe('1930');
}

export const post = (page: Page) => page.getByRole('button', { name: 'Bokför', exact: true });
export const booked = (page: Page) => page.getByText(/^[A-Z]\d+ är bokfört\.$/);
export const login = async (page: Page, email: string) => {
  await page.getByLabel('E-postadress').fill(email);
  await page.getByLabel('Lösenord').fill(PASSWORD);
  await page.getByRole('button', { name: 'Logga in' }).click();
};
/** What two hours without a call do. */
export const endSessions = (site: Site) =>
  db(site.owner).query(
    sql`update restricted.sessions set last_seen_at = now() - interval '3 hours', created_at = now() - interval '4 hours'`,
  );
export const emailOf = async (page: Page): Promise<string> => {
  await page.getByRole('navigation').getByRole('link', { name: /@/ }).click();
  return (await page.locator('dl.facts dd').first().textContent()) ?? '';
};

const scripts = [
  { name: 'with script', javaScriptEnabled: true },
  { name: 'without script', javaScriptEnabled: false },
];

const wayBackOf = (javaScriptEnabled: boolean) => async (page: Page) => {
  if (!javaScriptEnabled)
    await page.getByRole('button', { name: 'Tillbaka till formuläret' }).click();
  await page.getByText('inget är sparat än: se efter').waitFor();
};

export const testEndedSession = (site: () => Site) =>
  describe.each(scripts)('logged out while typing, $name', ({ javaScriptEnabled }) => {
    const wayBack = wayBackOf(javaScriptEnabled);

    test('a session that ended gives everything back after the login', async () => {
      const page = await site().openAs('medarbetare', { javaScriptEnabled });
      const email = await emailOf(page);
      const before = await countVouchers(site().owner);
      await typeVoucher(page, 'Lång förmiddag');
      await endSessions(site());
      await post(page).click();
      await page.getByText('Det du skrev finns kvar').waitFor();
      // A slip on the way costs nothing.
      await page.getByLabel('E-postadress').fill(email);
      await page.getByLabel('Lösenord').fill('fel lösenord');
      await page.getByRole('button', { name: 'Logga in' }).click();
      await page.getByText('E-postadressen eller lösenordet stämmer inte.').waitFor();
      await login(page, email);
      await wayBack(page);
      await expectTyped(page, 'Lång förmiddag');
      expect(await countVouchers(site().owner)).toBe(before);
      await post(page).click();
      await booked(page).waitFor();
      expect(await countVouchers(site().owner)).toBe(before + 1);
    });
  });

/** The server's part of it is held by `pages/kept-form`. */
export const testOtherLogins = (site: () => Site) =>
  describe.each(scripts)('logged out while typing, $name', ({ javaScriptEnabled }) => {
    const wayBack = wayBackOf(javaScriptEnabled);

    test('a login in another tab gives everything back', async () => {
      const page = await site().openAs('medarbetare', { javaScriptEnabled });
      const email = await emailOf(page);
      await typeVoucher(page, 'Två flikar');
      const other = await page.context().newPage();
      await other.goto('/oversikt');
      await other.getByRole('button', { name: 'Logga ut' }).click();
      await login(other, email);
      await other.waitForURL('**/oversikt');
      await post(page).click();
      await page.getByText('inget är sparat än: se efter').waitFor();
      await expectTyped(page, 'Två flikar');
      await post(page).click();
      await booked(page).waitFor();
    });

    test('so does a login with a code', async () => {
      const page = await site().openAs('medarbetare', { javaScriptEnabled });
      const email = await emailOf(page);
      await page.getByRole('link', { name: 'Slå på' }).click();
      const shown = (await page.locator('#totp-secret').textContent()) ?? '';
      const totp = new TOTP({ secret: Secret.fromBase32(shown.replaceAll(' ', '')) });
      await page
        .getByRole('textbox', { name: 'Kod' })
        .fill(totp.generate({ timestamp: Date.parse(`${TODAY}T12:00:00Z`) }));
      await page.getByLabel('Ditt lösenord').fill(PASSWORD);
      await page.getByRole('button', { name: 'Slå på' }).click();
      await page.getByRole('heading', { name: 'Återställningskoder' }).waitFor();
      const [recovery = ''] = ((await page.locator('#recovery-codes').textContent()) ?? '').split(
        '\n',
      );
      await page.getByRole('link', { name: 'Jag har sparat dem' }).click();
      await typeVoucher(page, 'Med kod');
      await endSessions(site());
      await post(page).click();
      await login(page, email);
      await page.getByRole('textbox', { name: 'Kod' }).fill(recovery);
      await page.getByRole('button', { name: 'Fortsätt' }).click();
      await wayBack(page);
      await expectTyped(page, 'Med kod');
    });
  });
