/** What no suggestion is right for, by hand in a browser: a provider's payout, rows split over accounts and invoices, rows of one voucher, and items that settle each other. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { writeInvoice } from '#src/purchases/by-hand/service.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { testIban } from '../support/bank-file.ts';
import { TODAY } from '../support/installation.ts';
import { makeInvoice } from '../support/invoices.ts';
import {
  bringAxe,
  complaintsOf,
  expectNoSidewaysScroll,
  findBarriers,
  openSite,
  type Site,
} from './browser.ts';

const actor = 'test';
let site: Site;
let page: Page;
/** The customer's invoice: its number, and what is open of it in kronor. */
let invoice: { number: number; kronor: number };
beforeAll(async () => {
  site = await openSite();
  const invoiceId = await makeInvoice(site.owner, [
    { quantityE4: 10_000n, unitPriceE4: 10_000_000n },
  ]);
  const { rows } = await site.owner.query<{ number: number; ore: bigint }>(
    'select number, open_ore as ore from sales.invoices where id = $1',
    [invoiceId],
  );
  const { number = 0, ore = 0n } = rows[0] ?? {};
  invoice = { number, kronor: Number(ore) / 100 };
  await withTx(site.owner, async (tx) => {
    const account = { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban };
    const { id: bank } = await createBankAccount(tx, account, actor);
    await tx.query(sql`insert into ledger.accounts (number, name, type)
      values (1686, 'Avräkning', 'asset'), (1684, 'Fordran', 'asset') on conflict do nothing`);
    const supplier = {
      ...{ name: 'Granens Frakt AB', organizationNumber: null, vatNumber: null, endpoint: null },
      ...{ countryCode: 'SE', account: 4000, paymentDays: 10, accounts: [] },
    };
    const { id: supplierId } = await createSupplier(tx, supplier, actor);
    const line = { account: 4000, ore: null, vatCode: 'I25', deduction: wholeDeduction };
    const lines = [{ ...line, note: null, costCenter: null, project: null }];
    for (const [invoiceNumber, totalOre] of [
      ['F1', 100_000n],
      ['F2', 50_000n],
    ] as const) {
      const dates = { issueDate: TODAY, dueDate: TODAY };
      const rest = { reference: null, payTo: null, documentIds: [], kind: 'invoice' as const };
      const amounts = { totalOre, vatOre: null, isVatIncluded: true, lines };
      const written = { ...dates, ...rest, ...amounts, supplierId, invoiceNumber };
      const id = await writeInvoice(tx, null, written, actor);
      await bookPurchases(tx, [id], actor);
    }
    await insertTransactions(
      tx,
      bank,
      (
        [
          ['KORTBOLAGET AVR-1', 9_000n],
          ['Insättning kontor', ore - 5_000n],
          ['Samlad utbetalning', -155_000n],
          ['Lön första', -30_000n],
          ['Lön andra', -20_000n],
        ] as const
      ).map(([description, amountOre], place) => ({
        ...{ reference: `r${place}`, bookedOn: TODAY, amountOre, description },
      })),
    );
    const voucher = { series: 'A', date: TODAY, counterparty: null, source: 'app' };
    const row = (number: number, kronor: number) => ({
      ...{ account: number, debitOre: BigInt(Math.max(kronor, 0) * 100) },
      creditOre: BigInt(Math.max(-kronor, 0) * 100),
    });
    for (const [description, account, against, kronor] of [
      ['Lön i två omgångar', 7010, 1930, 500],
      ['Utlägg åt granne', 1684, 2893, 1000],
      ['Granne betalar', 1684, 2893, -600],
    ] as const)
      await postAppVoucher(
        tx,
        { ...voucher, description, rows: [row(account, kronor), row(against, -kronor)] },
        actor,
      );
  });
  const body = {
    ...{ provider: 'Kortbolaget', settlementId: 'AVR-1', date: TODAY, payout: 90 },
    lines: [
      { kind: 'sale', amount: 100 },
      { kind: 'fee', amount: -10 },
    ],
  };
  const sent = await site.call({ method: 'POST', url: '/api/v1/avrakning', payload: body });
  expect(sent.statusCode, sent.body).toBe(200);
  page = await site.openAs('medarbetare');
  await bringAxe(page);
});
afterAll(() => site.close());

/** Nothing is in the way of anybody, at a wide window or a narrow one. */
async function lookAt(): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  const wide = page.viewportSize();
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 390, height: 844 });
  // Until the script has seen that its table no longer fits.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  await expectNoSidewaysScroll(page);
  if (wide) await page.setViewportSize(wide);
}
async function openRow(text: string): Promise<void> {
  await page.goto('/bank');
  await page.getByRole('row', { name: text }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}
async function typePart(no: number, kind: string, what: string, amount: string): Promise<void> {
  const part = page.getByRole('group', { name: `Del ${no}`, exact: true });
  await part.getByLabel('Vad').selectOption(kind);
  await part.getByLabel('Konto eller nummer').fill(what);
  await part.getByLabel('Belopp').fill(amount);
}

test('a provider’s settlement waits until its row of the bank is said yes to', async () => {
  await page.goto('/bank/avrakningar');
  await page.getByRole('link', { name: 'Kortbolaget' }).click();
  await page.getByText('Väntar på banken').waitFor();
  await lookAt();
  const place = page.url();
  await page.goto('/bank');
  await page.getByRole('button', { name: 'Godkänn de markerade' }).click();
  await page.getByText('1 bankrad är bokförd').waitFor();
  await page.goto(place);
  await page.getByText('Utbetald', { exact: true }).waitFor();
  // What the provider sent is the voucher's document.
  await page
    .getByRole('link', { name: /^A\d+$/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'avrakning-AVR-1.json' }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});

test('money in is split over a customer’s invoice and a fee that was kept', async () => {
  await openRow('Insättning kontor');
  await page.getByRole('link', { name: 'dela upp raden' }).click();
  await page.getByRole('heading', { name: 'Dela upp bankraden' }).waitFor();
  await lookAt();
  await typePart(1, 'invoice', String(invoice.number), String(invoice.kronor));
  await typePart(2, 'account', '6570', '-49');
  await page.getByRole('button', { name: 'Bokför' }).click();
  // What differs is said, and all that was typed stands there still.
  await page.getByText(/skiljer/).waitFor();
  await lookAt();
  const fee = page.getByRole('group', { name: 'Del 2', exact: true }).getByLabel('Belopp');
  expect(await fee.inputValue()).toBe('-49');
  await fee.fill('-50');
  await page.getByRole('button', { name: 'Bokför' }).click();
  await page.getByText('Bankraden är bokförd på sina delar').waitFor();
  await page.getByText(String(invoice.number)).first().waitFor();
  // One key to the next row that waits.
  await page.locator('a:focus', { hasText: 'Nästa bankrad' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Utan verifikat', { exact: true }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});

test('money out is split over suppliers’ invoices and an account', async () => {
  await openRow('Samlad utbetalning');
  await page.getByRole('link', { name: 'dela upp raden' }).click();
  await typePart(1, 'purchase', 'F1', '1000');
  await typePart(2, 'purchase', 'F2', '500');
  await typePart(3, 'account', '6570', '50');
  await page.getByRole('button', { name: 'Bokför' }).click();
  await page.getByText('Bankraden är bokförd på sina delar').waitFor();
  await page.goto('/betalningar');
  await page.getByRole('heading', { name: 'Inget att betala' }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});

test('two rows are matched with the one voucher that books both', async () => {
  await openRow('Lön första');
  await page.getByRole('link', { name: 'matcha flera' }).click();
  await page.getByRole('heading', { name: 'Flera bankrader, ett verifikat' }).waitFor();
  await lookAt();
  await page.getByLabel(/^Markera .*200,00$/).check();
  const { rows } = await site.owner.query<{ label: string }>(
    `select series || number as label from ledger.vouchers where description = 'Lön i två omgångar'`,
  );
  await page.getByLabel('Verifikat').fill(rows[0]?.label ?? '');
  await page.getByRole('button', { name: 'Matcha' }).click();
  await page.getByText('2 bankrader är matchade').waitFor();
  await page.getByRole('link', { name: 'Varje bankrad har sitt verifikat' }).click();
  await page.getByRole('heading', { name: 'Varje bankrad har sitt verifikat' }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});

test('what evens out is ticked and paired, and opened again', async () => {
  await page.goto('/kontoplan/1684/poster');
  await page.getByLabel(/^Markera .*1.000,00$/).check();
  await page.getByLabel(/^Markera .*600,00$/).check();
  await lookAt();
  await page.getByRole('button', { name: 'Pricka av markerade' }).click();
  await page.getByText(/600,00.kr är avprickat. Resten står kvar/).waitFor();
  await page.getByLabel(/^Markera .*400,00$/).waitFor();
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: /^Häv/ }).click();
  await page.getByText('Avprickningen är hävd').waitFor();
  await page.getByLabel(/^Markera .*1.000,00$/).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});
