/** Typed work is not lost: leaving asks, and what was begun is there again after Back, a reload or elsewhere. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { PASSWORD } from '../support/person.ts';
import { complaintsOf, findBarriers, logIn, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const description = (page: Page) => page.getByLabel('Beskrivning');
/** Until the server has it, which the address tells. */
const kept = (page: Page) => page.waitForURL(/fortsatt=/);

async function begin(page: Page, what: string): Promise<void> {
  await page.goto('/verifikat/ny');
  await description(page).fill(what);
  await page.getByLabel('Konto, rad 1').fill('6250');
  await page.getByLabel('Debet, rad 1').fill('22');
  await kept(page);
}

async function emailOfLatest(): Promise<string> {
  const { rows } = await site.owner.query<{ email: string }>(
    'select email from restricted.users order by created_at desc limit 1',
  );
  return rows[0]?.email ?? '';
}

test('leaving a half-written voucher asks; it is there after a reload, and in another browser', async () => {
  const page = await site.openAs('medarbetare');
  const email = await emailOfLatest();
  await begin(page, 'Frimärken till jul');
  const questions: string[] = [];
  page.once('dialog', async (dialog) => {
    questions.push(dialog.type());
    await dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await expect.poll(() => questions).toEqual(['beforeunload']);
  expect(await description(page).inputValue()).toBe('Frimärken till jul');

  await page.reload();
  expect(await description(page).inputValue()).toBe('Frimärken till jul');
  expect(await page.getByLabel('Debet, rad 1').inputValue()).toBe('22');

  const elsewhere = await site.open({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
  await logIn(elsewhere, email, PASSWORD);
  await elsewhere.goto('/verifikat/ny');
  expect(await findBarriers(elsewhere)).toEqual([]);
  await elsewhere.getByRole('link', { name: /^Fortsätt/ }).click();
  expect(await description(elsewhere).inputValue()).toBe('Frimärken till jul');
  await elsewhere.getByLabel('Konto, rad 2').fill('1930');
  await elsewhere.getByLabel('Kredit, rad 2').fill('22');
  await elsewhere.getByRole('button', { name: 'Bokför', exact: true }).click();
  await elsewhere.getByText(/är bokfört/).waitFor();
  await elsewhere.goto('/verifikat/ny');
  expect(await elsewhere.getByText('Påbörjat').count()).toBe(0);
  expect([...complaintsOf(page), ...complaintsOf(elsewhere)]).toEqual([]);
});

test('what is typed while the server is away stays on the page, and is sent when it is back', async () => {
  const page = await site.openAs('medarbetare');
  await begin(page, 'Strömavbrott');
  await page.context().setOffline(true);
  await page.getByLabel('Konto, rad 2').fill('1930');
  await page.getByLabel('Kredit, rad 2').fill('22');
  const post = page.getByRole('button', { name: 'Bokför', exact: true });
  await post.dblclick();
  const away = page.getByText('Servern svarar inte.');
  await away.waitFor();
  expect(await page.getByLabel('Kredit, rad 2').inputValue()).toBe('22');
  await page.context().setOffline(false);
  await away.waitFor({ state: 'detached' });
  await page.reload();
  expect(await page.getByLabel('Kredit, rad 2').inputValue()).toBe('22');
  await post.click();
  await page.getByText(/är bokfört/).waitFor();
});

test('Back leads to what was typed, also after it was refused', async () => {
  const page = await site.openAs('medarbetare');
  await begin(page, 'Ur balans');
  await page.getByRole('button', { name: 'Bokför', exact: true }).click();
  await page
    .getByText('Rätta det som är markerat')
    .or(page.locator('.fault, .error'))
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Mallar' }).click();
  await page.getByRole('heading', { level: 1, name: /mallar/i }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Nytt verifikat' }).waitFor();
  expect(await description(page).inputValue()).toBe('Ur balans');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Nytt verifikat' }).waitFor();
  expect(await description(page).inputValue()).toBe('Ur balans');

  // A form that is not kept while one types is so once it is refused.
  await page.goto('/kunder/ny');
  await page.getByLabel('Namn', { exact: true }).fill('Nästan AB');
  await page.getByLabel('Betalningsvillkor, dagar').fill('99');
  await page.getByRole('button', { name: 'Spara' }).click();
  await page.locator('.error').first().waitFor();
  await page.getByRole('link', { name: 'Leverantörer', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Leverantörer' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Namn', { exact: true }).inputValue()).toBe('Nästan AB');
  expect(complaintsOf(page)).toEqual([]);
});

test('an account that is missing is made from the voucher and back, by keys alone', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/verifikat/ny');
  await page.waitForLoadState('load');
  const tabTo = async (name: string) => {
    for (let n = 0; n < 60; n += 1) {
      const at = await page.evaluate<string>(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      );
      if (at.replace(/\s+/g, ' ').startsWith(name)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never came to ${name}`);
  };
  await tabTo('Beskrivning');
  await page.keyboard.type('Postlåda');
  await tabTo('Konto, rad 1');
  await page.keyboard.type('6251');
  await tabTo('Nytt konto');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Nytt konto' }).waitFor();
  expect(await page.getByLabel('Nummer').inputValue()).toBe('6251');
  await tabTo('Namn');
  await page.keyboard.type('Postboxar');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Nytt verifikat' }).waitFor();
  expect(await description(page).inputValue()).toBe('Postlåda');
  expect(await page.getByLabel('Konto, rad 1').inputValue()).toBe('6251');
  expect(await page.getByRole('main').textContent()).toContain('Postboxar');
  expect(complaintsOf(page)).toEqual([]);
});

test('an invoice is booked from its PDF in three clicks, and is in the register with it', async () => {
  const facts = { organizationNumber: null, vatNumber: null, endpoint: null, countryCode: 'SE' };
  const supplier = {
    name: 'Bilbolaget AB',
    account: 5615,
    paymentDays: 10,
    accounts: [],
    ...facts,
  };
  await withTx(site.owner, (tx) => createSupplier(tx, supplier, 'test'));
  const page = await site.openAs('medarbetare');
  await page.goto('/leverantorsinkorg');
  await page.getByRole('link', { name: 'Ny leverantörsfaktura' }).click();
  const buffer = Buffer.from('%PDF-1.4\n%%EOF');
  await page
    .getByLabel(/PDF eller bild/)
    .setInputFiles({ name: 'faktura.pdf', mimeType: 'application/pdf', buffer });
  await page.locator('iframe[title="faktura.pdf"]').waitFor();
  await page.getByLabel('Leverantör', { exact: true }).fill('Bilbolaget AB');
  await page.getByLabel('Fakturanummer').fill('1001');
  await page.getByLabel('Fakturadatum').fill('2026-03-10');
  await page.getByLabel('Att betala, med moms').fill('5 000');
  expect(await page.getByLabel('Förfallodag').inputValue()).toBe('2026-03-20');
  expect(await page.getByLabel('Konto').first().inputValue()).toBe('5615');
  await page.getByText('Raden utan belopp tar resten: 5 000,00 med moms.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Spara och bokför' }).click();
  await page.getByRole('heading', { name: 'Faktura 1001 från Bilbolaget AB Bokförd' }).waitFor();
  await page.locator('iframe[title="faktura.pdf"]').waitFor();
  await page.goto('/leverantorsinkorg?flik=bokforda');
  await page.getByRole('link', { name: 'Bilbolaget AB' }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});
