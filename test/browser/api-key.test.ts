/** A key from birth to revocation, with the program that uses it calling from outside. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherBody } from '../support/installation.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** A call over the network, as a program makes it. */
async function callWith(key: string, url: string, body?: object) {
  const answer = await fetch(`${site.address}${url}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const copiedKey = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Kopiera nyckeln' }).click();
  await page.getByRole('button', { name: 'Kopierat' }).waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
};

test('a key is made, tried, watched, rotated and revoked', async () => {
  const page = await site.openAs('administrator');
  await page.getByRole('link', { name: 'Inställningar' }).click();
  await page.getByRole('link', { name: /^API-nycklar/ }).click();
  await page.getByRole('link', { name: 'Ny nyckel' }).click();

  const [reads, hands, books] = [
    'Läser data:read',
    'Lämnar in intake:write',
    'Bokför ledger:write',
  ].map((name) => page.getByRole('checkbox', { name: new RegExp(`^${name}`) }));
  if (!reads || !hands || !books) throw new Error('a card is missing');
  await books.check();
  await expect.poll(() => reads.isChecked()).toBe(true);
  expect(await hands.isChecked()).toBe(false);
  await reads.uncheck();
  expect(await books.isChecked()).toBe(false);
  await books.check();
  await page.getByLabel('Namn').fill('Lönesystemet');
  await page.getByRole('button', { name: 'Skapa nyckeln' }).click();

  await page.getByText('Väntar på första anropet').waitFor();
  const first = await copiedKey(page);
  expect(first).toMatch(/^svc_live_/);
  expect(await page.locator('#secret').textContent()).toBe(first);
  expect((await callWith(first, '/api/v1/meta')).status).toBe(200);
  // Nobody touches the page: it turns by itself.
  await page.getByText('Nyckeln fungerar').waitFor();

  const outside = voucherBody({ date: '2019-03-31' });
  expect((await callWith(first, '/api/v1/verifikat', outside)).status).toBe(422);
  expect((await callWith(first, '/api/inbound/order', {})).status).toBe(403);

  await page.getByRole('link', { name: 'Jag har sparat nyckeln' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lönesystemet' }).waitFor();
  expect(await page.content()).not.toContain(first);
  const calls = page.getByRole('table', { name: 'De senaste anropen' }).getByRole('row');
  const row = (route: string) => calls.filter({ hasText: route });
  // Calls are written down a moment after they are answered.
  const written = async () => {
    await page.reload();
    return row('/api/inbound/order').count();
  };
  await expect.poll(written, { interval: 300 }).toBe(1);
  expect(await row('/api/inbound/order').textContent()).toMatch(/403\s*insufficient_scope/);
  expect(await row('/api/v1/verifikat').textContent()).toContain('422');
  expect(await row('/api/v1/meta').textContent()).toContain('200');

  const oldPage = page.url();
  await page.getByLabel('Den gamla ska').selectOption('I ett dygn');
  await page.getByRole('button', { name: 'Byt', exact: true }).click();
  await page.getByText('Den gamla nyckeln gäller till').waitFor();
  const second = await copiedKey(page);
  expect(second).not.toBe(first);
  for (const key of [first, second]) {
    expect((await callWith(key, '/api/v1/meta')).status).toBe(200);
  }

  await page.goto(oldPage);
  await page.getByText('Nyckeln är bytt mot').waitFor();
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('button', { name: 'Återkalla genast' }).click();
  expect((await callWith(first, '/api/v1/meta')).status).toBe(200);
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Återkalla genast' }).click();
  await page.getByText('Lönesystemet är återkallad.').waitFor();
  const refused = await callWith(first, '/api/v1/meta');
  expect([refused.status, refused.body['error']]).toEqual([401, 'key_revoked']);
  expect((await callWith(second, '/api/v1/meta')).status).toBe(200);
  await page.reload();
  await expect.poll(() => calls.first().isVisible()).toBe(true);
  expect(complaintsOf(page)).toEqual([]);
});
