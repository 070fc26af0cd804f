/**
 * Which vouchers booked from the bank want a document beside the kept statement: nobody is asked for one that there is
 * none of, and a purchase booked straight from a row wants its receipt.
 */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookDirectly } from '#src/bank/booking.ts';
import { bookExact } from '#src/bank/matching/service.ts';
import { splitRow } from '#src/bank/matching/splitting.ts';
import { undoBooking } from '#src/bank/matching/undoing.ts';
import {
  addTransaction,
  createBankAccount,
  matchTransaction,
  unmatchTransaction,
} from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { findVouchers } from '#src/ledger/vouchers/list-store.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { writeOff } from '#src/sales/invoices/write-offs.ts';
import { camt053, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';

const ACTOR = 'test';
const savings = '90001234567';
let books: Books;
let bankId: string;
let invoices: { id: string; number: number; ocr: string; ore: bigint }[];
const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
beforeEach(async () => {
  books = await createBooks();
  await owner(async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type) values (2650, 'Moms', 'liability'),
      (2821, 'Löneskulder', 'liability'), (5410, 'Inventarier', 'cost'), (6570, 'Avgifter', 'cost'), (8310, 'Ränta', 'revenue')
      on conflict do nothing`);
    const bank = { name: 'Konto', ledgerAccount: 1930, iban: testIban };
    bankId = (await createBankAccount(tx, bank, ACTOR)).id;
    await createBankAccount(tx, { name: 'Spar', ledgerAccount: 1940, number: savings }, ACTOR);
    const tax = { name: 'Skatt', kind: 'tax', ledgerAccount: 1630, number: '5591233878' } as const;
    await createBankAccount(tx, tax, ACTOR);
  });
  const ids = await makeDrafts(books.owner, [1000n, 2000n]);
  await owner((tx) => bookInvoices(tx, ids, ACTOR));
  invoices = await db(books.owner).query(
    sql`select id, number, ocr, total_ore as ore from sales.invoices order by total_ore`,
  );
});
afterEach(() => books.close());

/** Rows of a statement; answers their ids in its order. */
async function receive(entries: TestEntry[], account = testIban): Promise<string[]> {
  const source = await fileOf(camt053({ entries, account, opening: 5_000_000 }));
  const rows = await takeFile(source);
  return entries.map(({ ore }) => rows.find((one) => one.ore === BigInt(ore))?.id ?? '');
}
async function takeFile(source: Awaited<ReturnType<typeof fileOf>>): Promise<Row[]> {
  const known = (await listRows()).map(({ id }) => id);
  await owner(async (tx) => {
    const id = await keepFiles(tx, [source], null, ACTOR);
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources: [source], choices, today: TODAY }, ACTOR);
  });
  return (await listRows()).filter(({ id }) => !known.includes(id));
}
interface Row {
  id: string;
  ore: bigint;
}
const listRows = (): Promise<Row[]> =>
  db(books.owner).query(sql`select id, amount_ore as ore from bank.transactions`);
const row = (ore: number, text = 'Rad'): TestEntry => ({ day: '2026-04-10', ore, text });
const paying = (place: number): TestEntry => ({
  ...row(Number(invoices[place]?.ore), 'Bankgiroinbetalning'),
  details: [
    `<RmtInf><Strd><CdtrRefInf><Ref>${invoices[place]?.ocr}</Ref></CdtrRefInf></Strd></RmtInf>`,
  ],
});
const book = (transactionId: string, account: number): Promise<string> =>
  owner((tx) =>
    bookDirectly(
      tx,
      {
        ...{ transactionId, account, date: '2026-04-10', today: TODAY, series: 'A' },
        ...{ description: `Mot ${account}`, counterparty: null },
      },
      ACTOR,
    ),
  );
const bookExactly = (): Promise<number> => bookExact(books.owner, { today: TODAY, actor: ACTOR });
const voucherOf = async (rowId: string): Promise<string> =>
  (
    await db(books.owner).query<{ id: string }>(
      sql`select voucher_id as id from bank.transactions where id = ${rowId}::uuid`,
    )
  )[0]?.id ?? '';

/** What vouchers want a document, as the list has them, once every count agrees with it. */
async function wanting(): Promise<string[]> {
  const own = db(books.owner);
  const { vouchers } = await findVouchers(own, { lacksDocument: true }, undefined, { limit: 100 });
  const [counted] = await own.query<{ count: bigint; failing: string[] }>(
    sql`select ledger.count_attachments_missing() as count,
        ledger.failing_conditions('2026-04-01', 'Europe/Stockholm') as failing`,
  );
  expect(Number(counted?.count)).toBe(vouchers.length);
  const isOfApril = vouchers.some(({ date }) => date.startsWith('2026-04'));
  expect(counted?.failing.includes('underlag')).toBe(isOfApril);
  expect((await verifyBooks(own, () => undefined)).problems).toEqual([]);
  return vouchers.map(({ description }) => description).sort();
}

test('what pays, moves or settles what the books know, and what the bank itself charges, wants nothing more', async () => {
  const [, fee = '', interest = '', tax = '', wages = ''] = await receive([
    paying(0),
    row(-2_500, 'Bankavgift'),
    row(500, 'Ränta'),
    row(-40_000, 'Skatt'),
    row(-900_000, 'Löner'),
  ]);
  expect(await bookExactly()).toBe(1);
  await book(fee, 6570);
  await book(interest, 8310);
  await book(tax, 1630);
  await book(wages, 2821);
  expect(await wanting()).toEqual([]);
});
test('what the owner of a firm takes out, puts in and pays their own tax with is told by the statement', async () => {
  await owner((tx) =>
    tx.query(sql`insert into ledger.accounts (number, name, type) values (2012, 'Skatt', 'equity'),
      (2013, 'Uttag', 'equity'), (2018, 'Insättningar', 'equity'), (7331, 'Bil', 'cost') on conflict do nothing`),
  );
  const [taken = '', put = '', tax = ''] = await receive([row(-9_000), row(8_000), row(-7_000)]);
  await book(taken, 2013);
  await book(put, 2018);
  await book(tax, 2012);
  expect(await wanting()).toEqual([]);
  // Their own car's mileage, which no bank knows of, has its driver's log.
  await owner((tx) =>
    postAppVoucher(
      tx,
      {
        ...{ series: 'A', date: '2026-04-10', description: 'Körjournal', counterparty: null },
        rows: [
          { account: 7331, debitOre: 2_500n, creditOre: 0n, note: null },
          { account: 2018, debitOre: 0n, creditOre: 2_500n, note: null },
        ],
      },
      ACTOR,
    ),
  );
  expect(await wanting()).toEqual(['Körjournal']);
});

test('a purchase straight from a row wants its receipt, alone and beside an invoice, and is asked for it once', async () => {
  const [bought = '', both = ''] = await receive([
    row(-12_500, 'Clas Ohlson'),
    { ...row(Number(invoices[0]?.ore) + 10_000), text: 'Samlat' },
  ]);
  const voucherId = await book(bought, 5410);
  const lines = [
    { kind: 'invoice', documentId: invoices[0]?.id ?? '', amountOre: invoices[0]?.ore ?? 0n },
    { kind: 'account', account: 3001, amountOre: 10_000n, note: null },
  ] as const;
  const split = { transactionId: both, date: '2026-04-10', today: TODAY, lines };
  await owner((tx) => splitRow(tx, split, ACTOR));
  const paid = `Inbetalning kundfaktura ${invoices[0]?.number}`;
  expect(await wanting()).toEqual([paid, 'Mot 5410']);
  const receipt = {
    voucherId,
    fileName: 'kvitto.png',
    bytes: Buffer.from('89504e470d0a1a0a', 'hex'),
  };
  await owner((tx) => addAttachment(tx, receipt, ACTOR));
  expect(await wanting()).toEqual([paid]);
});

test('what is undone wants nothing, nor what takes it back; what stands in its place is asked anew', async () => {
  const [first = '', bought = '', moved = ''] = await receive([
    paying(0),
    row(-12_500, 'Clas Ohlson'),
    row(-30_000, 'Skatt'),
  ]);
  await bookExactly();
  await owner((tx) => undoBooking(tx, first, ACTOR));
  const wrong = await book(bought, 5410);
  expect(await wanting()).toEqual(['Mot 5410']);
  await owner((tx) => undoBooking(tx, bought, ACTOR));
  expect(await wanting()).toEqual([]);
  await book(bought, 6570);
  expect(await wanting()).toEqual([]);
  expect(wrong).not.toBe(await voucherOf(bought));

  const correctedId = await book(moved, 1630);
  const rows = [
    { account: 5410, debitOre: 30_000n, creditOre: 0n },
    { account: 1930, debitOre: 0n, creditOre: 30_000n },
  ].map((one) => ({ ...one, note: null, costCenter: null, project: null }));
  const replacement = { description: 'Rätt', counterparty: null, rows };
  await owner((tx) =>
    correctVoucher(tx, { correctedId, date: '2026-04-11', description: 'Fel', replacement }, ACTOR),
  );
  expect(await voucherOf(moved)).not.toBe('');
  expect(await wanting()).toEqual(['Rätt']);
});

test('a payment registered by hand waits for the bank, and is asked for again when its row is let go', async () => {
  const [invoice] = invoices;
  const paid = { invoiceId: invoice?.id ?? '', date: '2026-04-10', amountOre: invoice?.ore ?? 0n };
  await owner((tx) => registerPayment(tx, { ...paid, today: TODAY }, ACTOR));
  expect(await wanting()).toHaveLength(1);
  const [transactionId = ''] = await receive([row(Number(invoice?.ore))]);
  const [payment] = await db(books.owner).query<{ id: string }>(
    sql`select voucher_id as id from sales.payments`,
  );
  const match = { transactionId, voucherId: payment?.id ?? '' };
  await owner((tx) => matchTransaction(tx, match, ACTOR));
  expect(await wanting()).toEqual([]);
  // A file beside the statement is one document more, and the only one when the row is let go.
  const file = { voucherId: match.voucherId, fileName: 'avi.pdf', bytes: Buffer.from('%PDF-1.4') };
  await owner((tx) => addAttachment(tx, file, ACTOR));
  expect(await wanting()).toEqual([]);
  await owner((tx) => unmatchTransaction(tx, transactionId, ACTOR));
  expect(await wanting()).toEqual([]);
  await owner((tx) => matchTransaction(tx, match, ACTOR));
  expect(await wanting()).toEqual([]);
});

test('a row that a person typed is no statement', async () => {
  const typed = { bookedOn: '2026-04-10', amountOre: -2_500n, description: 'Avgift' };
  await owner((tx) => addTransaction(tx, { accountId: bankId, ...typed }, ACTOR));
  const [typedRow] = await listRows();
  await book(typedRow?.id ?? '', 6570);
  expect(await wanting()).toEqual(['Mot 6570']);
});

test('a transfer that somebody has posted is documented by the rows it books, and let go of by the last', async () => {
  const [out = ''] = await receive([row(-50_000, 'Till spar')]);
  const [into = ''] = await receive([row(50_000, 'Från konto')], savings);
  const rows = [
    { account: 1940, debitOre: 50_000n, creditOre: 0n },
    { account: 1930, debitOre: 0n, creditOre: 50_000n },
  ].map((one) => ({ ...one, note: null, costCenter: null, project: null }));
  const head = { series: 'A', date: '2026-04-10', description: 'Flytt', counterparty: null };
  const { id: voucherId } = await owner((tx) =>
    postAppVoucher(tx, { ...head, source: 'app', rows }, ACTOR),
  );
  expect(await wanting()).toEqual(['Flytt']);
  for (const transactionId of [out, into]) {
    await owner((tx) => matchTransaction(tx, { transactionId, voucherId }, ACTOR));
    expect(await wanting()).toEqual([]);
  }
  await owner((tx) => unmatchTransaction(tx, out, ACTOR));
  expect(await wanting()).toEqual([]);
  await owner((tx) => unmatchTransaction(tx, into, ACTOR));
  expect(await wanting()).toEqual(['Flytt']);
});

test('the tax account’s statement documents whatever it tells of', async () => {
  const text = [
    '"Bolaget AB";"559123-3878";"";""',
    '',
    '"";"Ingående saldo 2026-04-01";"";"100"',
    '"2026-04-13";"Förseningsavgift";"-40";"60"',
    '"";"Utgående saldo 2026-04-30";"";"60"',
  ].join('\n');
  const [fine] = await takeFile(await fileOf(text, 'skatt.csv'));
  await book(fine?.id ?? '', 5410);
  expect(await wanting()).toEqual([]);
});

test('money for what was written off wants no document, and the loss itself does', async () => {
  const act = { date: '2026-04-05', today: TODAY, reason: 'Konkurs' };
  await owner((tx) => writeOff(tx, { ...act, invoiceId: invoices[0]?.id ?? '' }, ACTOR));
  await receive([paying(0)]);
  await bookExactly();
  expect(await wanting()).toHaveLength(1);
});

test('books of before follow when they are brought to it, and the same way twice', async () => {
  const [, bought = '', fee = ''] = await receive([
    paying(0),
    row(-12_500, 'Clas Ohlson'),
    row(-2_500, 'Avgift'),
  ]);
  await bookExactly();
  await book(bought, 5410);
  await book(fee, 6570);
  const files = new URL('../../migrations/', import.meta.url);
  const text = await readFile(new URL('0287-document-what-statements-tell.sql', files), 'utf8');
  const fill = text.slice(text.lastIndexOf('select ledger.hold_documents'));
  await books.owner.query(`begin;
    update ledger.documented_vouchers d set own = own - (select count(*) from ledger.held_documents h
      join ledger.vouchers v on v.id = h.voucher_id
      where v.series_id = d.series_id and date_trunc('month', v.verification_date)::date = d.month);
    delete from ledger.held_documents; commit`);
  expect(await wanting()).toHaveLength(3);
  for (const _ of [1, 2]) {
    await books.owner.query(fill);
    expect(await wanting()).toEqual(['Mot 5410']);
  }
});

test('two people who match and attach at once are counted as one document', async () => {
  const [fee = '', other = ''] = await receive([row(-2_500, 'Avgift'), row(-1_500, 'Avgift')]);
  const rows = [
    { account: 6570, debitOre: 4_000n, creditOre: 0n },
    { account: 1930, debitOre: 0n, creditOre: 4_000n },
  ].map((one) => ({ ...one, note: null, costCenter: null, project: null }));
  const head = { series: 'A', date: '2026-04-10', description: 'Avgifter', counterparty: null };
  const { id: voucherId } = await owner((tx) =>
    postAppVoucher(tx, { ...head, source: 'app', rows }, ACTOR),
  );
  const file = { voucherId, fileName: 'a.pdf', bytes: Buffer.from('%PDF-1.4') };
  await Promise.all([
    owner((tx) => matchTransaction(tx, { transactionId: fee, voucherId }, ACTOR)),
    owner((tx) => addAttachment(tx, file, ACTOR)),
    owner((tx) => matchTransaction(tx, { transactionId: other, voucherId }, ACTOR)),
  ]);
  expect(await wanting()).toEqual([]);
});
