/** Omräkning: what is open in other currencies as a year ends, at that day's rate, and what is paid after it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { bookInCurrency } from '../support/invoices.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { bookSupplierInvoice, makeSupplier } from '../support/supplier-invoices.ts';

const PAGE = '/rakenskapsar/2026/omrakning';
const today = '2027-02-10';
let books: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let ours: string;
beforeAll(async () => {
  books = await createInstallation({ today });
  reader = await logIn(books, 'lasare');
  keeper = await logIn(books, 'medarbetare');
  const euro = { currency: 'EUR', exchangeRateE6: 11_234_500n };
  ours = await bookInCurrency(books.owner, { ...euro, amount: 100_000n });
  await owner(async (tx) => {
    const of = { supplierId: await makeSupplier(tx), issueDate: '2026-03-05', dueDate: null };
    const dollars = { currency: 'USD', exchangeRateE6: 9_543_200n };
    await bookSupplierInvoice(tx, { ...of, ...dollars, invoiceNumber: 'U-1', totalOre: 43_278n });
    await bookSupplierInvoice(tx, { ...of, ...euro, invoiceNumber: 'E-1', totalOre: 100_000n });
    await bookSupplierInvoice(tx, { ...of, invoiceNumber: 'K-1', totalOre: 100_000n });
    await pay(tx, 'E-1', '2026-12-20', 561_725n);
  });
});
afterAll(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
async function pay(tx: Tx, number: string, date: string, amountOre: bigint, isWhole = false) {
  const [found] = await tx.query<{ id: string }>(
    sql`select id from purchases.invoices where invoice_number = ${number}`,
  );
  const purchaseId = found?.id ?? '';
  return payPurchase(tx, { purchaseId, date, today, amountOre, isWhole }, 'test');
}
const balances = async (day: string): Promise<Record<number, bigint>> => {
  const rows = await db(books.owner).query<{ account: number; ore: bigint }>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as ore from ledger.voucher_rows
        where account in (1510, 1517, 2440, 2447, 3960, 7960) and verification_date <= ${day}::date
        group by account having sum(debit_ore - credit_ore) <> 0 order by account`,
  );
  return Object.fromEntries(rows.map(({ account, ore }) => [account, ore]));
};
const plain = (html: string): string => html.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');
const seenIn = (html: string): string => /name="seen" value="(\w+)"/.exec(html)?.[1] ?? '';
const keptIn = (html: string): string => /name="rates" value="([^"]*)"/.exec(html)?.[1] ?? '';
const reckon = async (query: string) => (await keeper.get(`${PAGE}?${query}`)).body;
const book = (html: string) =>
  keeper.post(PAGE, { ...tokensOf(html), series: 'A', rates: keptIn(html), seen: seenIn(html) });
const rates = 'kursEUR=11,2&kursUSD=9,75';

test('while the year goes on the checklist does not speak of it as over', async () => {
  const during = await createInstallation({ today: '2026-11-29' });
  try {
    await bookInCurrency(during.owner, {
      ...{ currency: 'EUR', exchangeRateE6: 11_234_500n, amount: 100n },
    });
    const person = await logIn(during, 'medarbetare');
    const html = (await person.get('/rakenskapsar/2026/bokslut')).body;
    expect(html).toContain('En faktura i en annan valuta är öppen.');
    expect(html).not.toContain('när året slutade');
    expect((await person.get(PAGE)).body).toContain('Räkenskapsåret pågår');
  } finally {
    await during.close();
  }
});

test('each invoice is shown with its difference, booked once, and taken back as the next year begins', async () => {
  expect((await reader.get('/rakenskapsar/2026/bokslut')).body).toContain('3 fakturor i andra');
  expect((await reader.get(PAGE)).statusCode).toBe(403);
  expect(seenIn(await reckon('kursEUR=11,2'))).toBe('');
  const html = await reckon(rates);
  // Decimal: 1000 × 11.20 − 11234.50; −(432.78 × 9.75 − 4130.11); −(500 × 11.20 − 5617.25).
  for (const text of ['1 000,00 EUR', '−34,50', '432,78 USD', '−89,50', '500,00 EUR', '17,25']) {
    expect(plain(html)).toContain(text);
  }
  expect((await book(html)).body).toContain('Lägg upp räkenskapsåret efter 2026');
  const next = { year: 2027, start: '2027-01-01', end: '2027-12-31' };
  await owner((tx) => createYear(tx, next, 'test'));
  const before = await balances('2026-12-31');
  const twice = await Promise.all([book(await reckon(rates)), book(await reckon(rates))]);
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  expect(await balances('2026-12-31')).toEqual({
    ...before,
    1517: -3_450n,
    2447: -7_225n,
    3960: -1_725n,
    7960: 12_400n,
  });
  expect(await balances('2027-01-01')).toEqual(before);
  expect((await keeper.get('/rakenskapsar/2026/bokslut')).body).not.toContain('3 fakturor i andra');
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});

test('what customers have paid too much is pointed at, since the books know its kronor alone', async () => {
  const hint = 'På 2420 står';
  expect(await reckon('')).not.toContain(hint);
  const credit = (date: string, ore: bigint) =>
    owner((tx) =>
      postAppVoucher(
        tx,
        {
          ...{ series: 'A', date, description: 'Betalt för mycket', counterparty: 'Kund GmbH' },
          rows: [
            { account: 1930, debitOre: ore, creditOre: 0n, note: null },
            { account: 2420, debitOre: 0n, creditOre: ore, note: null },
          ],
        },
        'test',
      ),
    );
  await credit('2026-12-31', 123_400n);
  await credit('2027-01-02', 500n);
  expect(plain(await reckon(''))).toContain('På 2420 står 1 234,00 kr 31 december 2026.');
});

test('what was paid late in the year, told afterwards, changes only the difference', async () => {
  expect(plain(await reckon(rates))).toContain('Inget är kvar att räkna om');
  await owner((tx) => pay(tx, 'U-1', '2026-12-30', 413_011n));
  const { statusCode, headers } = await book(await reckon(rates));
  expect(statusCode).toBe(303);
  expect(headers['location']).toContain('/verifikat/');
  expect(await balances('2026-12-31')).toMatchObject({ 1517: -3_450n, 2447: 1_725n });
  expect((await balances('2027-01-01'))[2447]).toBeUndefined();
});

test('what is paid in the next year is measured from the closing day’s rate', async () => {
  await owner((tx) => pay(tx, 'E-1', '2027-01-15', 555_000n, true));
  const paid = { invoiceId: ours, date: '2027-01-15', today, amountOre: 1_130_000n };
  await owner((tx) => registerPayment(tx, { ...paid, differences: { exchange: -6_550n } }, 'test'));
  const [year] = await db(books.owner).query<{ ore: bigint }>(
    sql`select sum(credit_ore - debit_ore)::bigint as ore from ledger.voucher_rows
        where account in (3960, 7960) and verification_date >= '2027-01-01'`,
  );
  // (11300.00 − 11200.00) + (5600.00 − 5550.00).
  expect(year?.ore).toBe(15_000n);
  expect(await balances('2027-01-31')).not.toMatchObject({ 1517: expect.anything() });
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});
