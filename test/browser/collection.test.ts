/** A claim handed over to be collected: one case in three files, fetched as a person fetches them. */
import { parseString } from 'fast-csv';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import type { CollectionCase } from '#src/domain/sales/collection-case.ts';
import { digestOf } from '#src/sales/collection/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { fillInCompany } from '../support/invoices.ts';
import { pageTexts } from '../support/pdf.ts';
import { complaintsOf, openSite, type Site, savedFile } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await fillInCompany(site.owner);
  await withTx(site.owner, (tx) =>
    insertCustomer(tx, {
      name: 'Kaffekoppen i Örnsköldsvik AB',
      organizationNumber: '5560360793',
      email: 'faktura@kaffekoppen.example',
      address: 'Åkergatan 3',
      postalCode: '891 33',
      city: 'Örnsköldsvik',
    }),
  );
});
afterAll(() => site.close());

test('PDF, JSON and CSV hold the same case, and the page has said what is in it', async () => {
  const page = await site.openAs('medarbetare');
  await bookLateInvoice(page);
  await payPart(page);
  await remind(page);

  const card = page.getByRole('region', { name: 'Inkasso', exact: true });
  const readiness = plain(await card.textContent());
  const menu = page.locator('details.menu');
  const fetched = [];
  for (const name of ['PDF', 'JSON', 'CSV']) {
    await menu.getByText('Inkassounderlag').click();
    fetched.push(await savedFile(page, () => menu.getByRole('link', { name }).click()));
    if (await page.evaluate<boolean>("document.querySelector('details.menu').open"))
      await menu.getByText('Inkassounderlag').click();
  }
  const [pdf, json, csv] = fetched;
  if (!pdf || !json || !csv) throw new Error('a file is missing');
  expect([pdf, json, csv].map(({ name }) => name)).toEqual([
    'inkasso-1001.pdf',
    'inkasso-1001.json',
    'inkasso-1001.csv',
  ]);

  const subject = JSON.parse(json.bytes.toString('utf8')) as CollectionCase;
  const digest = digestOf(subject);
  for (const { headers } of [pdf, json, csv]) expect(headers['x-case-digest']).toBe(digest);

  expect(subject.claim.principal.amount).toBe(1_000);
  expect(subject.claim.reminderFees.amount).toBe(60);
  expect(subject.payments).toEqual([{ date: '2026-05-04', amount: 250 }]);
  expect(subject.reminders).toEqual([{ reminderNo: 1, sentDate: '2026-05-15', fee: 60 }]);
  expect(subject.debtor.name).toBe('Kaffekoppen i Örnsköldsvik AB');

  const sheet = await readSheet(csv.bytes);
  for (const [name, value] of namedValues(subject, digest)) {
    expect([name, sheet.named.get(name)]).toEqual([name, cell(value)]);
  }
  const { lines, ...head } = subject.invoice;
  expect(sheet.named.size).toBe(namedValues(subject, digest).length);
  expect(head.invoiceNo).toBe(1001);
  expect(sheet.rows('line')).toEqual(
    lines.map((line) =>
      [
        line.rowNo,
        line.description,
        line.quantity,
        line.unit,
        line.unitPrice,
        line.discountPct,
        line.vatRatePct,
        line.lineAmount,
      ].map(cell),
    ),
  );
  expect(sheet.rows('payment')).toEqual(
    subject.payments.map(({ date, amount }) => [date, amount].map(cell)),
  );
  expect(sheet.rows('reminder')).toEqual(
    subject.reminders.map(({ reminderNo, sentDate, fee }) => [reminderNo, sentDate, fee].map(cell)),
  );
  expect(sheet.rows('segment')).toEqual(
    subject.interest.segments.map((one) =>
      [one.from, one.to, one.days, one.ratePct, one.balance, one.amount].map(cell),
    ),
  );
  expect(sheet.rows('claim')).toEqual(
    Object.entries(subject.claim).map(([name, { amount, currency }]) =>
      [name, amount, currency].map(cell),
    ),
  );

  const printed = plain((await pageTexts(pdf.bytes)).join(' '));
  for (const part of printedParts(subject)) expect(printed).toContain(part);
  expect(printed.replaceAll(' ', '')).toContain(digest);

  // What the card promised is what came.
  expect(readiness).toContain(`Åkergatan 3, Örnsköldsvik`);
  expect(readiness).toContain('1 000,00 kr');
  for (const { amount } of subject.payments) expect(readiness).toContain(kronor(amount));
  expect(readiness).toContain(kronor(subject.claim.interest.amount));
  expect(complaintsOf(page)).toEqual([]);
});

async function bookLateInvoice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Kundfakturor', exact: true }).click();
  await page.getByRole('link', { name: 'Ny faktura' }).click();
  await page.getByLabel('Kund', { exact: true }).fill('Kaffekoppen');
  await page.getByLabel('Fakturadatum').fill('2026-03-01');
  await page.getByLabel('Betalningsvillkor').fill('30');
  const row = page.getByRole('group', { name: 'Rad 1', exact: true });
  await row.getByLabel('Beskrivning').fill('Bryggkaffe; mörkrost "extra"');
  await row.getByLabel('Antal').fill('2,5');
  await row.getByLabel('À-pris').fill('400');
  await row.getByLabel('Konto').fill('3001');
  await page.getByRole('button', { name: 'Spara och bokför' }).click();
  await page.getByRole('heading', { level: 1, name: /^Faktura 1001 / }).waitFor();
}

async function payPart(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Registrera betalning' }).click();
  await page.getByLabel('Belopp i kronor').fill('250');
  await page.getByLabel('Betalningsdag').fill('2026-05-04');
  await page.getByRole('button', { name: 'Bokför' }).click();
  await page.getByText('Kvar att betala: 1 000,00 kr.').waitFor();
}

async function remind(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Registrera påminnelse' }).click();
  await page.getByLabel('Skickas').fill('2026-05-15');
  await page.getByLabel('Påminnelseavgift').fill('60');
  await page.getByLabel('Avgiften avtalades').check();
  await page.getByRole('button', { name: 'Registrera' }).click();
  await page.getByText('Påminnelse 1 är registrerad').waitFor();
}

const plain = (text: string | null): string => (text ?? '').replace(/\s+/gu, ' ');
const kronor = (amount: number): string =>
  `${amount
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+(?!\d))/g, ' ')} kr`;

/** As a cell holds it. */
function cell(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value).replace('.', ',') : String(value);
}

/** Everything of the case that has a name of its own. */
function namedValues(subject: CollectionCase, digest: string): [string, unknown][] {
  const { lines: _, ...invoice } = subject.invoice;
  const { segments: __, missingPeriods: ___, ...interest } = subject.interest;
  const of = (prefix: string, part: object): [string, unknown][] =>
    Object.entries(part).map(([name, value]) => [`${prefix}.${name}`, value]);
  return [
    ['digest', digest],
    ['schema', subject.schema],
    ['schemaVersion', subject.schemaVersion],
    ['preparedAt', subject.preparedAt],
    ['disputed', subject.disputed],
    ...of('creditor', subject.creditor),
    ...of('debtor', subject.debtor),
    ...of('invoice', invoice),
    ...of('interest', interest),
  ];
}

async function readSheet(bytes: Buffer) {
  const all: string[][] = [];
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  for await (const row of parseString(text, { delimiter: ';' })) all.push(row);
  const trimmed = (row: string[]) => row.slice(0, row.findLastIndex((value) => value !== '') + 1);
  return {
    named: new Map(
      all
        .filter(([section]) => section === 'case')
        .map(([, name = '', value = '']) => [name, value]),
    ),
    rows: (wanted: string) =>
      all.filter(([section]) => section === wanted).map((row) => trimmed(row).slice(1)),
  };
}

/** What a reader of the document must find. */
function printedParts({
  creditor,
  debtor,
  invoice,
  payments,
  reminders,
  interest,
  claim,
}: CollectionCase) {
  return [
    creditor.name,
    debtor.name,
    'Åkergatan 3',
    String(debtor.email),
    String(invoice.invoiceNo),
    String(invoice.ocr),
    invoice.invoiceDate,
    invoice.dueDate,
    kronor(invoice.netAmount),
    kronor(invoice.vatAmount),
    kronor(invoice.totalAmount),
    ...invoice.lines.flatMap((line) => [line.description, kronor(line.lineAmount)]),
    ...payments.flatMap(({ date, amount }) => [date, kronor(amount)]),
    ...reminders.flatMap(({ sentDate, fee }) => [sentDate, kronor(fee)]),
    ...interest.segments.flatMap((one) => [
      `${one.from} – ${one.to}`,
      String(one.days),
      kronor(one.balance),
      kronor(one.amount),
    ]),
    ...Object.values(claim).map(({ amount }) => kronor(amount)),
  ];
}
