/**
 * A bookkeeper's day, from the bank's files to an overview on which nothing of them waits: a statement, a list and a
 * workbook of forms that nobody knew, rows decided by keys and taken back, suppliers paid by file, customers reminded.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { camt053, type TestEntry, testIban } from '../support/bank-file.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';
import { bookSupplierInvoice, makeSupplier } from '../support/supplier-invoices.ts';
import { workbook } from '../support/workbook.ts';
import { complaintsOf, expectNoSidewaysScroll, openSite, type Site } from './browser.ts';

const actor = 'test';
const today = '2026-04-30';
let site: Site;
let page: Page;
let invoices: { number: number; ocr: string; ore: number }[];

beforeAll(async () => {
  site = await openSite({ today, env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@b.se' } });
  const { owner } = site;
  await fillInCompany(owner);
  await withTx(owner, async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type) values (1950, 'Bankkonto', 'asset'),
      (2893, 'Skuld till ägare', 'liability'), (8310, 'Ränta', 'revenue'), (6570, 'Avgifter', 'cost')
      on conflict do nothing`);
    await createBankAccount(
      tx,
      { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban },
      actor,
    );
    await createBankAccount(
      tx,
      { name: 'Sparkonto', ledgerAccount: 1940, number: '90001234567' },
      actor,
    );
    await createBankAccount(
      tx,
      { name: 'Kassakonto', ledgerAccount: 1950, number: '90001234575' },
      actor,
    );
    await changeSetting(tx, 'reminder-runs', 'on', actor);
    await changeSetting(tx, 'reminder-bank-days', '', actor);
    await bookSupplierInvoice(tx, {
      ...{ supplierId: await makeSupplier(tx), invoiceNumber: 'F1', totalOre: 100_000n },
      ...{ issueDate: '2026-04-01', dueDate: '2026-04-30' },
    });
  });
  const ids = await makeDrafts(owner, [1_000n, 2_000n, 3_000n, 4_000n]);
  await withTx(owner, async (tx) => {
    await tx.query(
      sql`update sales.customers set address = 'Gatan 1', postal_code = '111 22', city = 'Orten'`,
    );
    await bookInvoices(tx, ids, actor);
  });
  invoices = (
    await db(owner).query<{ number: number; ocr: string; ore: bigint }>(
      sql`select number, ocr, total_ore as ore from sales.invoices order by total_ore`,
    )
  ).map((one) => ({ ...one, ore: Number(one.ore) }));
  page = await site.openAs('agare');
});
afterAll(() => site.close());

const main = (): Promise<string> => page.getByRole('main').innerText();
async function tasks(): Promise<string> {
  await page.goto('/oversikt');
  return (await page.getByRole('heading', { name: 'Att göra' }).locator('..').innerText()).replace(
    /\s+/g,
    ' ',
  );
}
async function send(name: string, buffer: Buffer): Promise<void> {
  await page.goto('/bank/import');
  await page.getByLabel('Filer från banken').setInputFiles({ name, mimeType: '', buffer });
  await page.getByRole('button', { name: 'Förhandsgranska' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
async function takeIn(): Promise<void> {
  await page.getByRole('button', { name: 'Läs in' }).click();
  await page.getByRole('link', { name: 'Till bankraderna' }).waitFor();
}
const paid = (place: number, day: string): TestEntry => {
  const { ocr = '', ore = 0 } = invoices[place] ?? {};
  return {
    ...{ day, ore, text: 'Bankgiroinbetalning' },
    details: [`<RmtInf><Strd><CdtrRefInf><Ref>${ocr}</Ref></CdtrRefInf></Strd></RmtInf>`],
  };
};

test('three files of three forms come in, two of which nobody knew', async () => {
  expect(await tasks()).toContain('1 leverantörsfaktura att betala');
  const days = { from: '2026-04-01', to: '2026-04-29' };
  await send(
    'april.xml',
    Buffer.from(
      camt053({
        ...{ id: 'A', opening: 0, ...days },
        entries: [paid(0, '2026-04-10'), paid(1, '2026-04-13'), paid(2, '2026-04-14')],
      }),
    ),
  );
  await takeIn();

  // In Windows-1252, the newest first, money out in a column of its own, and no account in it.
  const list =
    'Bokförd den;Händelse;Uttag kr;Insättning kr;Kvar på kontot\r\n2026-04-20;Ränta Åre;;5,00;105,00\r\n2026-04-15;Överföring från ägare;;100,00;100,00\r\n';
  await send('egen.csv', Buffer.from(list, 'latin1'));
  await page.getByRole('link', { name: 'Säg vad kolumnerna är' }).click();
  await page.getByText('Överföring från ägare').waitFor();
  await expectNoSidewaysScroll(page);
  // All of it is guessed.
  await page.getByRole('button', { name: 'Spara och förhandsgranska' }).click();
  await page.locator('#f-konto:focus').waitFor();
  await page.getByLabel('Bankkonto för filer som inte säger det').selectOption('Sparkonto (1940)');
  expect(await page.getByLabel('Jag har sett efter det tveksamma').count()).toBe(0);
  await takeIn();

  // Amounts of which those without a minus are money out, and no balance to tell it by.
  const rows = [
    ['När', 'Vad', 'Kronor'],
    ['2026-04-21', 'Avgift för kort', 25],
    ['2026-04-22', 'Insatt av ägare', -400],
  ];
  await send('bok.xlsx', await workbook({ rows }));
  await page.getByRole('link', { name: 'Säg vad kolumnerna är' }).click();
  await page.getByLabel('Belopp utan minus är pengar ut').check();
  await page.getByRole('button', { name: 'Spara och förhandsgranska' }).click();
  // What account it is, and that there are no balances, in one go.
  await page.getByLabel('Bankkonto för filer som inte säger det').selectOption('Kassakonto (1950)');
  await page.getByLabel('Jag har sett efter det tveksamma').check();
  await takeIn();
  const signs = await db(site.owner).query<{ row: string }>(
    sql`select description || ' ' || amount_ore as row from bank.transactions t
        join bank.accounts a on a.id = t.account_id where a.ledger_account in (1940, 1950) order by t.booked_on`,
  );
  expect(signs.map(({ row }) => row)).toEqual([
    'Överföring från ägare 10000',
    'Ränta Åre 500',
    'Avgift för kort -2500',
    'Insatt av ägare 40000',
  ]);
});

test('what is certain is booked in one press, all of it taken back by u, and booked again', async () => {
  await page.goto('/bank');
  await page.getByRole('button', { name: 'Godkänn de markerade' }).click();
  await page.getByText('3 bankrader är bokförda.').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('link', { name: 'Ångra alla 3 som bokfördes samtidigt' }).click();
  await page.getByText('blir öppen igen').first().waitFor();
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Ångra de markerade' }).click();
  await page.getByText('3 verifikat är tillbakatagna').waitFor();
  // What a person has taken back is not certain again, so each is said yes to: j or k, and Enter.
  for (let left = 3; left > 0; left -= 1) {
    await page.goto('/bank');
    await page
      .getByRole('row', { name: 'Bankgiroinbetalning' })
      .first()
      .getByRole('button', { name: 'Godkänn' })
      .press('Enter');
    await page.getByText('1 bankrad är bokförd.').waitFor();
  }
  // u goes to the one decided last, and stands where it is taken back.
  await page.keyboard.press('u');
  await expect
    .poll(() => page.evaluate('document.activeElement?.hasAttribute("data-undo")'))
    .toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('bankraden väntar igen').waitFor();
  await page.getByRole('button', { name: 'Godkänn' }).press('Enter');
  await page.getByText('Bankraden är bokförd.').waitFor();
});

test('the others are booked on their pages, from one to the next', async () => {
  await page.goto('/bank');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  for (;;) {
    const yes = page.getByRole('button', { name: 'Godkänn', exact: true });
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (await yes.count()) await yes.click();
    else {
      const text = await main();
      await page
        .locator('#f-account')
        .fill(/Ränta/.test(text) ? '8310' : /Avgift/.test(text) ? '6570' : '2893');
      await page.getByRole('button', { name: 'Bokför', exact: true }).click();
    }
    await page.getByText(/Bankraden är bokförd/).waitFor();
    // u means the row that is shown.
    await page.keyboard.press('u');
    expect(await page.evaluate('document.activeElement?.hasAttribute("data-undo")')).toBe(true);
    const next = page.getByRole('link', { name: 'Nästa bankrad' });
    if ((await next.count()) === 0) break;
    await next.press('Enter');
    await page.getByText('Utan verifikat').first().waitFor();
  }
  expect(await tasks()).not.toContain('bankrad');
});

test('the supplier is paid by file, and the customer who has not paid is reminded', async () => {
  await page.goto('/oversikt');
  await page.getByRole('link', { name: 'leverantörsfaktura att betala' }).click();
  await page.getByRole('button', { name: 'Gå vidare' }).click();
  await page.getByRole('button', { name: 'Skapa betalfilen' }).click();
  await page.getByRole('heading', { level: 1, name: /^Betalfil 1/ }).waitFor();
  expect(await tasks()).toMatch(/1 betalfil att sända/);
  await page.getByRole('link', { name: 'betalfil att sända' }).click();
  await page
    .getByRole('link', { name: /^1$|Betalfil 1/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Markera som sänd' }).click();
  await page.getByText('är markerad som sänd').waitFor();

  expect(await tasks()).toContain('1 kundfaktura att påminna om');
  await page.getByRole('link', { name: 'kundfaktura att påminna om' }).click();
  for (const box of await page.locator('input[name="reminder"]').all()) await box.check();
  await page.getByRole('button', { name: 'Påminn de markerade …' }).click();
  await page.getByRole('button', { name: 'Gör körningen' }).click();
  await page.waitForURL('**/paminnelser/*');
  expect(await tasks()).not.toMatch(/betala|påminna|sända/);
});

test('the bank pays, the file of the next day brings it, and nothing of bank, payments and reminders waits any more', async () => {
  const [payout] = await db(site.owner).query<{ name: string }>(
    sql`select end_to_end_id as name from purchases.payouts`,
  );
  const opening = invoices.slice(0, 3).reduce((sum, { ore }) => sum + ore, 0);
  await send(
    'betalt.xml',
    Buffer.from(
      camt053({
        ...{ id: 'B', opening, from: '2026-04-30', to: '2026-04-30' },
        entries: [
          {
            ...{ day: '2026-04-30', ore: -100_000, text: 'Bg-betalning' },
            details: [`<Refs><EndToEndId>${payout?.name}</EndToEndId></Refs>`],
          },
        ],
      }),
    ),
  );
  await takeIn();
  await page.goto('/bank');
  await page.getByRole('button', { name: 'Godkänn de markerade' }).click();
  await page.getByText('1 bankrad är bokförd.').waitFor();
  expect(await tasks()).not.toMatch(/bankrad|betal|påminna|utkast|leverantör/);
  expect(complaintsOf(page)).toEqual([]);
});

test('with the VAT filed, the month signed off and the receipts attached, nothing is left to do', async () => {
  await page.goto('/oversikt');
  await page.getByRole('link', { name: 'momsdeklaration att lämna' }).click();
  await page.getByRole('button', { name: 'Boka om till 2650' }).click();
  await page.getByText('Momsen är bokad till 2650').waitFor();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Anteckna som lämnad' }).click();
  await page.getByText(/Deklarationen är antecknad som lämnad/).waitFor();

  await page.goto('/oversikt');
  await page.getByRole('link', { name: 'månad att avsluta' }).click();
  await page.getByText('Allt är klart.').waitFor();
  await page.getByRole('button', { name: 'Kvittera' }).click();
  await page.getByText('Mars 2026 är kvitterad och perioden låst.').waitFor();

  // What nobody but the company has the document of: what its owner paid in, and an invoice that came on paper. The
  // payments, the bank's fee and its interest are documented by its statements, what was undone is by its being so.
  expect(await tasks()).toMatch(/^Att göra 3 verifikat utan underlag/);
  for (const what of ['Insatt av ägare', 'Överföring från ägare', 'Granens Frakt AB']) {
    await page.goto('/oversikt');
    await page.getByRole('link', { name: 'verifikat utan underlag' }).click();
    await page.getByRole('row', { name: what }).getByRole('link').first().click();
    const buffer = Buffer.from(`%PDF-1.7 ${what}`);
    await page
      .getByLabel('Lägg till bilagor')
      .setInputFiles({ name: 'underlag.pdf', mimeType: 'application/pdf', buffer });
    await page.getByRole('button', { name: 'Ladda upp', exact: true }).click();
    await page.getByRole('link', { name: 'underlag.pdf' }).first().waitFor();
  }
  await page.goto('/verifikat?serie=C');
  await page.getByRole('link', { name: 'C10', exact: true }).click();
  await page.getByText('Underlaget finns redan här').waitFor();
  expect(await tasks()).toMatch(/^Att göra Ingenting väntar på dig/);
  expect(complaintsOf(page)).toEqual([]);
});
