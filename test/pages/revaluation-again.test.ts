/** Omräkning done again: other rates, invoices that were paid after all, vouchers taken back by hand, accounts that others use. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { runCommand } from '../support/command.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { bookInCurrency } from '../support/invoices.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { bookSupplierInvoice, makeSupplier } from '../support/supplier-invoices.ts';

const PAGE = '/rakenskapsar/2026/omrakning';
const CHECKLIST = '/rakenskapsar/2026/bokslut';
const today = '2027-02-10';
let books: Installation;
let keeper: LoggedIn;
let supplierId: string;
beforeAll(async () => {
  books = await createInstallation({ today });
  keeper = await logIn(books, 'medarbetare');
  await bookInCurrency(books.owner, { ...euro, amount: 100_000n });
  await owner(async (tx) => {
    await createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, 'test');
    supplierId = await makeSupplier(tx);
  });
  await buy('U-1', { currency: 'USD', exchangeRateE6: 9_500_000n });
});
afterAll(() => books.close());

const euro = { currency: 'EUR', exchangeRateE6: 11_000_000n };
const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const buy = (invoiceNumber: string, rate: typeof euro) =>
  owner((tx) =>
    bookSupplierInvoice(tx, {
      ...{ supplierId, issueDate: '2026-03-05', dueDate: null, invoiceNumber },
      ...{ ...rate, totalOre: 10_000n },
    }),
  );
const pay = (number: string, date: string, amountOre: bigint) =>
  owner(async (tx) => {
    const [found] = await tx.query<{ id: string }>(
      sql`select id from purchases.invoices where invoice_number = ${number}`,
    );
    const purchaseId = found?.id ?? '';
    return payPurchase(tx, { purchaseId, date, today, amountOre, isWhole: true }, 'test');
  });
/** As they stand at the end of a day; debit above zero. */
const balances = async (day: string): Promise<Record<number, bigint>> => {
  const rows = await db(books.owner).query<{ account: number; ore: bigint }>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as ore from ledger.voucher_rows
        where account in (1517, 2447, 3960, 7960) and verification_date <= ${day}::date
        group by account having sum(debit_ore - credit_ore) <> 0`,
  );
  return Object.fromEntries(rows.map(({ account, ore }) => [account, ore]));
};
const plain = (html: string): string =>
  html
    .replaceAll('\u00a0', ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
const reckon = async (query = '') => (await keeper.get(`${PAGE}?${query}`)).body;
async function book(query = ''): Promise<string> {
  const html = await reckon(query);
  const sent = { series: 'A', rates: hidden(html, 'rates'), seen: hidden(html, 'seen') };
  const { headers, statusCode } = await keeper.post(PAGE, { ...tokensOf(html), ...sent });
  expect(statusCode).toBe(303);
  return String(headers['location']).split('/').at(-1) ?? '';
}
const checklist = async () => plain((await keeper.get(CHECKLIST)).body);
const rates = 'kursEUR=11,5&kursUSD=10';

test('a rate that was typed wrong leaves no gain or loss behind once it is right', async () => {
  expect(await checklist()).toContain('2 fakturor i andra valutor var öppna när året slutade');
  await book('kursEUR=15&kursUSD=6');
  expect(await balances('2026-12-31')).toEqual({ 1517: 400_000n, 2447: 35_000n, 3960: -435_000n });
  await book(rates);
  // 1000 × (11.50 − 11.00) gained, 100 × (10.00 − 9.50) lost.
  const right = { 1517: 50_000n, 2447: -5_000n, 3960: -50_000n, 7960: 5_000n };
  expect(await balances('2026-12-31')).toEqual(right);
  expect(await balances('2027-01-01')).toEqual({});
  expect(await checklist()).not.toContain('i andra valutor');
});

test('of two tabs the second is told why nothing was booked, though nothing is left to book and its form is gone', async () => {
  const html = await reckon('kursEUR=12&kursUSD=10');
  const other = await reckon('kursEUR=12&kursUSD=10');
  const send = (body: string) =>
    keeper.post(PAGE, {
      ...tokensOf(body),
      ...{ series: 'A', rates: hidden(body, 'rates'), seen: hidden(body, 'seen') },
    });
  expect((await send(html)).statusCode).toBe(303);
  const late = await send(other);
  expect(late.statusCode).toBe(422);
  expect(late.body).toContain('role="alert"><p>Inget är kvar att räkna om.</p>');
  await book(rates);
});

test('a voucher that was taken back by hand is booked anew, and its mirror is there once', async () => {
  const [last] = await db(books.owner).query<{ id: string; number: number }>(
    sql`select id, number from ledger.vouchers where description like 'Omräkning till%'
        order by number desc limit 1`,
  );
  await owner((tx) =>
    correctVoucher(
      tx,
      {
        ...{ correctedId: last?.id ?? '', date: '2026-12-31' },
        ...{ description: 'Rättelse', replacement: null },
      },
      'test',
    ),
  );
  expect(await balances('2027-01-01')).not.toEqual({});
  await book(rates);
  expect(await balances('2026-12-31')).toEqual({
    ...{ 1517: 50_000n, 2447: -5_000n, 3960: -50_000n, 7960: 5_000n },
  });
  expect(await balances('2027-01-01')).toEqual({});
});

test('the checklist tells of what was booked of the year after it, and what is not open any more is taken back', async () => {
  // What changes nothing asks for nothing.
  await buy('U-0', { currency: 'USD', exchangeRateE6: 10_000_000n });
  expect(await checklist()).not.toContain('räkna om igen');
  await pay('U-0', '2026-12-27', 100_000n);
  await buy('U-2', { currency: 'USD', exchangeRateE6: 9_000_000n });
  expect(await checklist()).toContain('räkna om igen');
  // At the rates of then.
  await book();
  expect(await balances('2026-12-31')).toMatchObject({ 2447: -15_000n, 7960: 15_000n });
  expect(await checklist()).not.toContain('räkna om igen');
  await pay('U-1', '2026-12-28', 95_000n);
  await pay('U-2', '2026-12-29', 90_000n);
  expect(await checklist()).toContain('räkna om igen');
  await book('kursEUR=11,5');
  expect(await balances('2026-12-31')).toEqual({ 1517: 50_000n, 3960: -50_000n });
});

test('a rate for a hundred of the currency is warned of, and a command wants it said', async () => {
  const far = plain(await reckon('kursEUR=1150'));
  expect(far).toContain('Kursen för EUR är långt från den som fakturorna bokfördes på');
  expect(plain(await reckon('kursEUR=11,9'))).not.toContain('långt från');
  const words = ['year', 'revalue', '2026', '--rate', 'EUR=1150'];
  const refused = await runCommand(books, words, { today });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--any-rate')]);
  const taken = await runCommand(books, [...words, '--any-rate', '--rate', 'GBP=13'], { today });
  expect(taken.stderr).toBe('');
  const [told] = await db(books.owner).query<{ description: string }>(
    sql`select description from ledger.vouchers where description like 'Omräkning till%'
        order by number desc limit 1`,
  );
  // Only of currencies that something is open in.
  expect(told?.description).toBe('Omräkning till balansdagens kurs 2026: EUR 1150');
  await book('kursEUR=11,5');
  expect(await balances('2026-12-31')).toEqual({ 1517: 50_000n, 3960: -50_000n });
});

test('what somebody else has on the account is left alone', async () => {
  const rows = [
    { account: 1517, debitOre: 777n, creditOre: 0n },
    { account: 1930, debitOre: 0n, creditOre: 777n },
  ];
  await owner((tx) =>
    postAppVoucher(
      tx,
      { series: 'A', date: '2026-12-30', description: 'Eget bruk', counterparty: null, rows },
      'test',
    ),
  );
  expect(plain(await reckon('kursEUR=11,5'))).toContain('Inget är kvar att räkna om');
});

test('where nothing is open any more all of it is taken back', async () => {
  const [ours] = await db(books.owner).query<{ id: string }>(
    sql`select id from sales.invoices where currency = 'EUR'`,
  );
  const paid = { invoiceId: ours?.id ?? '', date: '2026-12-30', today, amountOre: 1_100_000n };
  await owner((tx) => registerPayment(tx, paid, 'test'));
  expect(await checklist()).toContain('räkna om igen');
  const html = await reckon();
  expect(plain(html)).toContain('Inga fakturor i annan valuta var öppna');
  await book();
  expect(await balances('2026-12-31')).toEqual({ 1517: 777n });
  expect(await balances('2027-01-01')).toEqual({ 1517: 777n });
  expect(await checklist()).not.toContain('räkna om igen');
  const none = await runCommand(books, ['year', 'revalue', '2026'], { today });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('Inget är kvar')]);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});

test('rates at which nothing differs are noted, by page and command, and the checklist asks no more', async () => {
  const even = await createInstallation({ today });
  try {
    await bookInCurrency(even.owner, { ...euro, amount: 100_000n });
    const person = await logIn(even, 'medarbetare');
    const steps = async () => plain((await person.get(CHECKLIST)).body);
    expect(await steps()).toContain('är inte omräknad till balansdagens kurs');
    const html = (await person.get(`${PAGE}?kursEUR=11`)).body;
    expect(html).toContain('Anteckna kurserna');
    const sent = {
      series: hidden(html, 'series'),
      rates: hidden(html, 'rates'),
      seen: hidden(html, 'seen'),
    };
    const noted = await person.post(PAGE, { ...tokensOf(html), ...sent });
    expect([noted.statusCode, noted.headers['location']]).toEqual([303, CHECKLIST]);
    expect(await steps()).not.toContain('annan valuta var öppen');
    expect((await person.get(PAGE)).body).not.toContain('Anteckna kurserna');
    const words = ['year', 'revalue', '2026', '--rate', 'EUR=11'];
    const again = await runCommand(even, words, { today });
    expect(again.stderr).toContain('Inget är kvar att räkna om');
    // Another invoice at that rate changes nothing; one at another does.
    await bookInCurrency(even.owner, { ...euro, amount: 5_000n });
    expect(await steps()).not.toContain('räkna om igen');
    await bookInCurrency(even.owner, { ...euro, exchangeRateE6: 11_500_000n, amount: 5_000n });
    expect(await steps()).toContain('räkna om igen');
    const [counted] = await db(even.owner).query<{ count: bigint }>(
      sql`select count(*) from ledger.vouchers where description like 'Omräkning%'`,
    );
    expect(counted?.count).toBe(0n);
  } finally {
    await even.close();
  }
});

test('a lock over the closing day is told with the way past it, and no other day', async () => {
  const locked = await createInstallation({ today });
  try {
    await bookInCurrency(locked.owner, { ...euro, amount: 100_000n });
    await withTx(locked.owner, async (tx) => {
      await createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, 'test');
      await setLock(tx, 'period', '2026-12-31', 'test');
    });
    const person = await logIn(locked, 'medarbetare');
    const html = (await person.get(`${PAGE}?kursEUR=12`)).body;
    const sent = { series: 'A', rates: hidden(html, 'rates'), seen: hidden(html, 'seen') };
    const refused = await person.post(PAGE, { ...tokensOf(html), ...sent });
    expect(refused.statusCode).toBe(422);
    const said = plain(refused.body);
    expect(said).toContain(
      'Perioden är låst till och med 2026-12-31. Verifikatet bokförs 2026-12-31 och ingen annan dag: flytta låset under Räkenskapsår och lås',
    );
    expect(said).not.toContain('Tidigaste tillåtna');
    for (const words of [
      ['revalue', '2026', '--rate', 'EUR=12'],
      ['result', '2026'],
    ]) {
      const { code, stderr } = await runCommand(locked, ['year', ...words], { today });
      expect([code, stderr]).toEqual([1, expect.stringContaining('lock period --reason')]);
    }
  } finally {
    await locked.close();
  }
});
