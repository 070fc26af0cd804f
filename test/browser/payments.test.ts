/** A day's payments, from what is due to a file at the bank and its rows back, until nothing is left to pay. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { withTx } from '#src/db/pool.ts';
import { camt053, testIban } from '../support/bank-file.ts';
import { TODAY } from '../support/installation.ts';
import { bookSupplierInvoice, makeSupplier } from '../support/supplier-invoices.ts';
import {
  bringAxe,
  complaintsOf,
  expectNoSidewaysScroll,
  findBarriers,
  openSite,
  type Site,
} from './browser.ts';

const ACTOR = 'test';
let site: Site;
beforeAll(async () => {
  site = await openSite();
  await withTx(site.owner, async (tx) => {
    const account = { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban };
    await createBankAccount(tx, account, ACTOR);
    const supplierId = await makeSupplier(tx);
    for (const [invoiceNumber, kind, totalOre] of [
      ['F1', 'invoice', 100_000n],
      ['F2', 'invoice', 50_000n],
      ['K1', 'credit_note', 20_000n],
    ] as const) {
      const dates = { issueDate: '2026-11-01', dueDate: kind === 'invoice' ? '2026-11-18' : null };
      await bookSupplierInvoice(tx, { ...dates, supplierId, invoiceNumber, kind, totalOre });
    }
  });
});
afterAll(() => site.close());

test('what is due is paid and gone', async () => {
  const page = await site.openAs('medarbetare');
  await bringAxe(page);
  await page.getByRole('link', { name: 'Betalningar', exact: true }).click();
  await page.waitForURL('**/betalningar');
  // What is due is ticked; the credit note is taken with it.
  await page.getByLabel('Markera Granens Frakt AB K1').check();
  await page.getByRole('button', { name: 'Gå vidare' }).click();
  await page.waitForURL('**/betalningar/ny?**');
  expect(await findBarriers(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Skapa betalfilen' }).click();
  await page.getByRole('heading', { level: 1, name: /^Betalfil 1/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const place = page.url();
  const href = await page.getByRole('link', { name: 'Hämta filen' }).getAttribute('href');
  const xml = await (await page.context().request.get(`${site.address}${href}`)).text();
  await page.goto(place);
  await page.getByRole('button', { name: 'Markera som sänd' }).click();
  await page.getByText('är markerad som sänd').waitFor();

  const paid = [...xml.matchAll(/<EndToEndId>(\w+)<.*?<InstdAmt Ccy="SEK">([\d.]+)</gs)];
  expect(paid).toHaveLength(2);
  const entries = paid.map(([, id, kronor]) => ({
    ...{ day: TODAY, ore: -Math.round(Number(kronor) * 100), text: 'Betalning' },
    details: [
      `<Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="SEK">${kronor}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`,
    ],
  }));
  await page.goto('/bank/import');
  const buffer = Buffer.from(camt053({ entries, opening: 5_000_000 }));
  await page
    .getByLabel('Filer från banken')
    .setInputFiles({ name: 'utdrag.xml', mimeType: 'text/xml', buffer });
  await page.getByRole('button', { name: 'Förhandsgranska' }).click();
  await page.getByRole('button', { name: /^Läs in/ }).click();
  await page.getByRole('link', { name: 'Visa vad det blev' }).waitFor();
  await page.goto('/bank');
  await page.getByRole('button', { name: 'Godkänn de markerade' }).click();
  await page.getByText('2 bankrader är bokförda').waitFor();
  await page.goto('/betalningar');
  await page.getByRole('heading', { name: 'Inget att betala' }).waitFor();
  await page.goto(place);
  await page.getByRole('heading', { level: 1, name: /Betald$/ }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});
