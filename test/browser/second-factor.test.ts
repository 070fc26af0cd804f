/** The second factor as its owner meets it: a picture to scan, a code to show, a code to log in with. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TODAY } from '../support/installation.ts';
import { PASSWORD } from '../support/person.ts';
import { readQrCode } from '../support/qr.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** The installation's clock, and `seconds` from it. */
const at = (seconds: number): number => Date.parse(`${TODAY}T12:00:00Z`) + seconds * 1_000;

test('it is turned on with the picture and asked for at the next login', async () => {
  const page = await site.openAs('medarbetare');
  await page.getByRole('navigation').getByRole('link', { name: /@/ }).click();
  const email = (await page.locator('dl.facts dd').first().textContent()) ?? '';
  await page.getByRole('link', { name: 'Slå på' }).click();
  const picture = page.getByRole('img', { name: /^QR-kod/ });
  const strokes = await picture.locator('path').getAttribute('d');
  const [, , side] = (await picture.getAttribute('viewBox'))?.split(' ') ?? [];
  const scanned = new URL(readQrCode({ side: Number(side), strokes: strokes ?? '' }));
  expect((await picture.boundingBox())?.width).toBeGreaterThan(200);
  await page.getByRole('button', { name: 'Kopiera', exact: true }).click();
  await page.getByRole('button', { name: 'Kopierat' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(scanned.searchParams.get('secret')).toBe(copied.replaceAll(' ', ''));
  const app = new TOTP({ secret: Secret.fromBase32(copied.replaceAll(' ', '')) });
  const code = (seconds: number) => app.generate({ timestamp: at(seconds) });

  await page.getByRole('textbox', { name: 'Kod' }).fill('000000');
  await page.getByLabel('Ditt lösenord').fill(PASSWORD);
  await page.getByRole('button', { name: 'Slå på' }).click();
  await page.getByText('Koden stämmer inte').first().waitFor();
  // The same secret still: what was scanned holds.
  expect(await page.locator('#totp-secret').textContent()).toBe(copied);
  await page.getByRole('textbox', { name: 'Kod' }).fill(code(-30));
  await page.getByLabel('Ditt lösenord').fill(PASSWORD);
  await page.getByRole('button', { name: 'Slå på' }).click();
  await page.getByRole('heading', { level: 1, name: 'Återställningskoder' }).waitFor();
  await page.getByRole('link', { name: 'Jag har sparat dem' }).click();
  await page.getByText('10 av 10 återställningskoder finns kvar.').waitFor();

  await page.getByRole('button', { name: 'Logga ut', exact: true }).click();
  await page.getByLabel('E-postadress').fill(email);
  await page.getByLabel('Lösenord').fill(PASSWORD);
  await page.getByRole('button', { name: 'Logga in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ange koden' }).waitFor();
  await expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe('code');
  await page.keyboard.type(code(0));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/oversikt');
  expect(complaintsOf(page)).toEqual([]);
});
