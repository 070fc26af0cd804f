/**
 * Everything that a program, a supplier or a colleague can write, written by somebody who wants it to run
 * in the bookkeeper's browser. What it leaves is read on every page.
 */
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { orderBody, voucherBody } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';
import { kindOf, pathKindOf, walk } from './walk.ts';

/** Runs if it ever becomes markup, in an attribute, in a script or in a template. */
const evil = (where: string): string =>
  `${where}"'><img src=x onerror="globalThis.taken='${where}'"><script>globalThis.taken='${where}'</script>{{constructor}}</textarea></title>`;
const asXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await fill(site);
});
afterAll(() => site.close());

async function fill({ owner, call }: Site): Promise<void> {
  await withTx(owner, async (tx) => {
    await insertCustomer(tx, { name: evil('customer'), email: 'k@exempel.se' });
    await insertDimension(tx, { kind: 'project', code: '<b>P</b>', name: evil('dimension') });
    await createKey(
      tx,
      {
        name: evil('key').slice(0, 100),
        scopes: ['data:read'],
        quotaPerHour: 600,
        expiresAt: null,
      },
      'test',
    );
    await tx.query(sql`update restricted.company set name = ${evil('company')}`);
    await tx.query(sql`update ledger.accounts set name = ${evil('account')} where number = 1930`);
  });
  const [a = {}, b = {}, c = {}] = voucherBody().rows;
  const posted = await call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({
      description: evil('voucher'),
      counterparty: evil('counterparty').slice(0, 200),
      rows: [{ ...a, note: evil('note') }, b, c],
    }),
  });
  await withTx(owner, (tx) =>
    addAttachment(
      tx,
      {
        voucherId: posted.json().id,
        fileName: evil('file').replaceAll('/', '').slice(0, 190),
        bytes: Buffer.from(`<script>globalThis.taken='bilaga'</script>`),
      },
      'test',
    ),
  );
  for (const currency of ['SEK', 'EUR']) {
    await call({
      method: 'POST',
      url: '/api/inbound/order',
      payload: orderBody({
        externalId: evil(`order-${currency}`).slice(0, 100),
        currency,
        customer: { name: evil('buyer').slice(0, 200), email: 'x@exempel.se' },
        rows: [{ description: evil('line'), quantity: 1, unitPrice: 199, vatRate: 25 }],
      }),
    });
  }
  const document = eInvoice({
    number: asXml('F-1<i>'),
    seller: { name: asXml(evil('supplier').slice(0, 150)), orgNumber: '5560360793' },
  }).replace('Kopieringspapper', asXml(evil('item')));
  await call({
    method: 'POST',
    url: '/api/inbound/peppol',
    headers: { 'content-type': 'application/xml' },
    payload: document,
  });
  await call({
    method: 'POST',
    url: '/api/inbound/peppol',
    headers: { 'content-type': 'application/xml' },
    payload: '<script>globalThis.taken=1</script>',
  });
}

test('is text on every page, and runs on none', async () => {
  const page = await site.openAs('agare');
  const faults: string[] = [];
  let read = '';
  const readOn = async (address: string, answer: Response | null) => {
    const taken = await page.evaluate('globalThis.taken');
    if (taken !== undefined) faults.push(`${address} ran what ${taken} held`);
    if ((answer?.status() ?? 0) >= 500) faults.push(`${address} answers ${answer?.status()}`);
    // The content security policy would stop it; that it has to is a fault all the same.
    faults.push(...complaintsOf(page));
    read += await page.textContent('body');
  };
  // In another order the same lists are read, which is tried among what is slow.
  await walk(page, readOn, tries(1) > 1 ? kindOf : pathKindOf);
  expect(faults).toEqual([]);
  for (const where of [
    'customer',
    'dimension',
    'voucher',
    'counterparty',
    'note',
    'supplier',
    'item',
    'buyer',
    'line',
    'account',
  ]) {
    expect([where, read.includes(`${where}"'><img src=x`)]).toEqual([where, true]);
  }
  const [stored] = await db(site.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from ledger.vouchers where description like '%<script>%'`,
  );
  expect(stored?.count).toBe(1);
});
