/** The order inbox: what a shop sent and the books could not take, put right by a person. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { orderBody } from '../support/installation.ts';
import { fillInCompany } from '../support/invoices.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

/** Known once the first of these orders has been dealt with. */
const known = { name: 'Nya Kafferosteriet AB', email: 'ekonomi@kafferosteriet.example' };

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await fillInCompany(site.owner);
  await withTx(site.owner, (tx) => changeSetting(tx, 'order-collective-customer', '', 'test'));
});
afterAll(() => site.close());

const send = async (body: object) => {
  const answer = await site.call({ method: 'POST', url: '/api/inbound/order', payload: body });
  return answer.statusCode;
};

test('an order from an unknown buyer becomes a booked invoice', async () => {
  const status = await send(
    orderBody({
      externalId: 'W-1001',
      customer: known,
    }),
  );
  expect(status).toBe(422);

  const page = await site.openAs('medarbetare');
  await page.getByRole('link', { name: 'Order', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'W-1001' });
  expect(await row.textContent()).toContain('Köparen finns inte i kundregistret');
  await row.getByRole('link', { name: 'W-1001' }).click();
  const why = page.getByRole('region', { name: 'Varför den stoppades' });
  expect(await why.textContent()).toContain('customer_unknown');
  expect(await why.textContent()).toContain('Skapa kunden');

  await page.getByRole('link', { name: 'Skapa kund och försök igen' }).click();
  expect(await page.getByLabel('Namn').inputValue()).toBe('Nya Kafferosteriet AB');
  await page.getByLabel('Betalningsvillkor i dagar').fill('20');
  await page.getByRole('button', { name: 'Skapa kund och försök igen' }).click();
  await page.getByText('1 blev fakturautkast.').waitFor();
  await page.getByRole('link', { name: 'utkast' }).first().click();
  await page.waitForURL('**/kundfakturor/*');
  expect(await page.getByRole('main').textContent()).toContain('Nya Kafferosteriet AB');
  await page.getByRole('button', { name: 'Bokför', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: /^Faktura 1001 / }).waitFor();
  await page.getByRole('link', { name: 'Visa ordern' }).click();
  await page.getByText('Ordern har blivit en faktura').waitFor();
  await page.getByRole('link', { name: 'Order', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Order' }).waitFor();
  expect(await page.getByRole('main').textContent()).not.toContain('W-1001');
  expect(complaintsOf(page)).toEqual([]);
});

test('an order whose sum is wrong shows the öre, and is invoiced by hand', async () => {
  expect(await send(orderBody({ externalId: 'W-1002', total: 198, customer: known }))).toBe(422);
  const page = await site.openAs('medarbetare');
  await page.getByRole('link', { name: 'Order', exact: true }).click();
  await page.getByRole('link', { name: 'W-1002' }).click();
  expect(await page.getByRole('region', { name: 'Varför den stoppades' }).textContent()).toContain(
    'total_mismatch',
  );
  expect(await page.getByRole('region', { name: 'Örestabellen' }).textContent()).toContain('1,00');
  // Trying again would stop again, so it is not offered.
  expect(await page.getByRole('button', { name: 'Försök igen' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Fakturera för hand' }).click();
  await page.getByText('Kunden betalade 198,00 kr').waitFor();
  await page.locator('[name="rows[0].unitPrice"]').fill('158,40');
  await page.getByRole('button', { name: 'Spara utkast' }).click();
  await page.getByText('Utkastet är sparat.').waitFor();
  await page.getByText('198,00 kr').first().waitFor();
  await page.getByRole('link', { name: 'Visa ordern' }).click();
  await page.getByText(/^Fakturerad för hand av/).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});

test('an order in euro is rejected, and the reason kept', async () => {
  expect(await send(orderBody({ externalId: 'W-EUR', customer: known, currency: 'EUR' }))).toBe(
    422,
  );
  const page = await site.openAs('medarbetare');
  await page.getByRole('link', { name: 'Order', exact: true }).click();
  await page.getByRole('link', { name: 'W-EUR' }).click();
  expect(await page.getByRole('region', { name: 'Varför den stoppades' }).textContent()).toContain(
    'currency_not_supported',
  );
  await page.getByRole('button', { name: 'Avvisa med orsak' }).click();
  // Without a reason nothing is rejected, and the field says so.
  expect(await page.getByRole('button', { name: 'Avvisa med orsak' }).isVisible()).toBe(true);
  await page.getByLabel('Varför avvisas ordern?').fill('Kunden har betalat i butiken i stället.');
  await page.getByRole('button', { name: 'Avvisa med orsak' }).click();
  await page.getByText('Ordern är avvisad och väntar inte längre på någon.').waitFor();
  await page.getByRole('link', { name: /^Avvisade/ }).click();
  await page.getByRole('link', { name: 'W-EUR' }).click();
  await page.getByText('Avvisad: Kunden har betalat i butiken i stället.').waitFor();
  expect(complaintsOf(page)).toEqual([]);
});
