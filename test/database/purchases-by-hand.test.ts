/** Suppliers' invoices and outlays that people write: kept, changed, booked with their files, paid and given back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { vatReturnOf } from '#src/domain/ledger/vat-return.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { keepDocument } from '#src/ledger/documents/service.ts';
import { listVatSums } from '#src/ledger/vat-filings/store.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import {
  type OutlayByHand,
  type SupplierInvoiceByHand,
  writeInvoice,
  writeOutlay,
} from '#src/purchases/by-hand/service.ts';
import { findByHand, listOwedPeople } from '#src/purchases/by-hand/store.ts';
import type { HandLine } from '#src/purchases/by-hand/written.ts';
import { payPurchase, repayOutlays } from '#src/purchases/inbox/payments.ts';
import { bookPurchases, rejectPurchase } from '#src/purchases/inbox/service.ts';
import { setOffCreditNote } from '#src/purchases/inbox/set-off.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { payablesReport } from '#src/reports/books/open-items.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { inWords } from '../support/words.ts';

const ACTOR = 'test';
let books: Installation;
let supplierId: string;
beforeAll(async () => {
  books = await createInstallation();
  const facts = { name: 'Bilbolaget AB', organizationNumber: null, vatNumber: null };
  const where = { endpoint: null, countryCode: 'SE', account: null, paymentDays: 10 };
  const accounts = [{ kind: 'bankgiro' as const, number: '9912346' }];
  const supplier = { ...facts, ...where, accounts };
  supplierId = (await owner((tx) => createSupplier(tx, supplier, ACTOR))).id;
});
afterAll(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);

const line = (account: number, ore: bigint | null, more: Partial<HandLine> = {}): HandLine => ({
  account,
  ore,
  vatCode: 'I25',
  deduction: wholeDeduction,
  note: null,
  costCenter: null,
  project: null,
  ...more,
});
const amounts = (totalOre: bigint, ...lines: HandLine[]) => ({
  totalOre,
  vatOre: null,
  isVatIncluded: false,
  lines,
});
const invoice = (
  invoiceNumber: string,
  totalOre: bigint,
  lines: readonly HandLine[],
  more: Partial<SupplierInvoiceByHand> = {},
): SupplierInvoiceByHand => ({
  kind: 'invoice',
  supplierId,
  invoiceNumber,
  issueDate: '2026-03-10',
  dueDate: null,
  reference: null,
  payTo: null,
  documentIds: [],
  ...amounts(totalOre, ...lines),
  ...more,
});
const write = (given: SupplierInvoiceByHand, id: string | null = null) =>
  owner((tx) => writeInvoice(tx, id, given, ACTOR));
const book = async (id: string) => {
  const [outcome] = await owner((tx) => bookPurchases(tx, [id], ACTOR));
  if (outcome?.refusal) throw outcome.refusal;
  return outcome?.voucherId ?? '';
};
const stateOf = async (id: string) => {
  const [found] = await db(books.owner).query<{ status: string; open_ore: bigint; due: string }>(
    sql`select status, open_ore, due_date::text as due from purchases.invoices where id = ${id}`,
  );
  return found;
};
const failing = async () => {
  const [row] = await db(books.owner).query<{ names: string[] }>(
    sql`select ledger.failing_conditions('2026-03-01', 'Europe/Stockholm') as names`,
  );
  return row?.names;
};
const pay = (purchaseId: string, amountOre: bigint, account = 1930) =>
  owner((tx) =>
    payPurchase(
      tx,
      { purchaseId, date: '2026-03-20', today: TODAY, amountOre, account, differences: {} },
      ACTOR,
    ),
  );

test('an invoice from paper is kept, changed, booked with its file, paid, and its credit note set off', async () => {
  const { id: documentId } = await owner((tx) =>
    keepDocument(tx, { bytes: Buffer.from('%PDF-1.4 leasing'), fileName: 'leasing.pdf' }, ACTOR),
  );
  const half = { kind: 'share', percent: 50 } as const;
  const leasing = line(5615, 400_000n, { deduction: half, note: 'ABC 123' });
  const id = await write(invoice('L-1', 500_000n, [leasing], { documentIds: [documentId] }));
  expect(await stateOf(id)).toMatchObject({ status: 'new', due: '2026-03-20' });
  expect(await failing()).toContain('leverantorsinkorg');

  await expect(inWords(write(invoice('L-1', 100n, [line(5410, null)])))).rejects.toThrow(
    'Bilbolaget AB har redan en faktura med nummer L-1 här.',
  );
  await write(invoice('L-1', 500_000n, [leasing], { reference: '10017' }), id);
  expect(await owner((tx) => findByHand(tx, id))).toMatchObject({
    payment: { reference: '10017', isOcr: true, accounts: [{ number: '9912346' }] },
    written: { lines: [{ account: 5615, ore: '400000', deduction: half }] },
  });

  const voucherId = await book(id);
  const rows = await db(books.owner).query(
    sql`select account, (debit_ore - credit_ore)::text as ore, note from ledger.voucher_rows
        where voucher_id = ${voucherId} order by row_no`,
  );
  expect(rows).toEqual([
    { account: 5615, ore: '450000', note: 'ABC 123' },
    { account: 2641, ore: '50000', note: null },
    { account: 2440, ore: '-500000', note: null },
  ]);
  const documents = await db(books.owner).query(
    sql`select file_name from ledger.attachments where voucher_id = ${voucherId}`,
  );
  expect(documents).toEqual([{ file_name: 'leasing.pdf' }]);
  await expect(inWords(write(invoice('L-9', 500_000n, [leasing]), id))).rejects.toThrow(
    'Fakturan är redan bokförd.',
  );
  expect((await pay(id, 300_000n)).openOre).toBe(200_000n);

  const credit = await write(
    invoice('K-1', 200_000n, [line(5615, 160_000n, { deduction: half })], { kind: 'credit_note' }),
  );
  await book(credit);
  expect(await stateOf(credit)).toMatchObject({ open_ore: -200_000n, due: null });
  const act = { purchaseId: id, otherId: credit, date: '2026-03-25', today: TODAY };
  await owner((tx) => setOffCreditNote(tx, { ...act, amountOre: 200_000n }, ACTOR));
  expect(await stateOf(id)).toMatchObject({ open_ore: 0n });
  const lacking = await db(books.owner).query(
    sql`select v.description from ledger.vouchers v
        where v.description like 'Kvittning%' and ledger.wants_document(v.source, v.id)`,
  );
  expect(lacking).toEqual([]);
  expect(await failing()).not.toContain('leverantorsreskontra');
});

test('one without a file lacks its document, until it has one; one that is rejected may be written again', async () => {
  const missing = async () => {
    const [row] = await db(books.owner).query<{ missing: string }>(
      sql`select ledger.count_attachments_missing()::text as missing`,
    );
    return Number(row?.missing);
  };
  const before = await missing();
  const id = await write(invoice('P-1', 12_500n, [line(5410, null)]));
  await owner((tx) => rejectPurchase(tx, id, 'fel', ACTOR));
  const again = await write(invoice('P-1', 12_500n, [line(5410, null)]));
  await book(again);
  expect(await missing()).toBe(before + 1);
});

test('an outlay is owed to who laid it out, and nobody else', async () => {
  const outlay = (more: Partial<OutlayByHand> = {}): OutlayByHand => ({
    kind: 'invoice',
    laidOutBy: 'Anna Ek',
    debtAccount: 2893,
    sellerName: 'Järnhandeln',
    invoiceNumber: null,
    issueDate: '2026-03-12',
    documentIds: [],
    ...amounts(12_500n, line(5460, null)),
    ...more,
  });
  const lay = (more: Partial<OutlayByHand> = {}) =>
    owner((tx) => writeOutlay(tx, null, outlay(more), ACTOR));
  const [ofOwner, ofEmployee, ofTrader] = [
    await lay(),
    await lay({ laidOutBy: 'Bo Alm', debtAccount: 2820 }),
    await lay({ laidOutBy: 'Cia Dal', debtAccount: 2018 }),
  ];
  const twice = await lay();
  expect(await stateOf(twice)).toMatchObject({ status: 'review' });
  await owner((tx) => rejectPurchase(tx, twice, 'samma kvitto', ACTOR));
  await expect(inWords(lay({ debtAccount: 2440 }))).rejects.toThrow('Ett utlägg är en skuld på');

  for (const id of [ofOwner, ofEmployee, ofTrader]) await book(id);
  expect(await stateOf(ofTrader)).toMatchObject({ open_ore: 0n });
  expect(await owner((tx) => listOwedPeople(tx))).toEqual([
    { name: 'Anna Ek', account: 2893, open_ore: 12_500n, count: 1 },
    { name: 'Bo Alm', account: 2820, open_ore: 12_500n, count: 1 },
  ]);
  await expect(inWords(pay(ofOwner, 12_500n, 2893))).rejects.toThrow('Skulden står på 2893');
  expect((await pay(ofOwner, 12_500n)).openOre).toBe(0n);
  expect((await pay(ofEmployee, 10_000n)).openOre).toBe(2_500n);
  const [balance] = await db(books.owner).query(
    sql`select sum(debit_ore - credit_ore) filter (where account = 2893)::text as owner,
          sum(debit_ore - credit_ore) filter (where account = 2820)::text as employee
        from ledger.voucher_rows`,
  );
  expect(balance).toEqual({ owner: '0', employee: '-2500' });
  expect(await failing()).not.toContain('leverantorsreskontra');
});

test('one payment gives back all of a person, and each can be taken back alone', async () => {
  const lay = async (laidOutBy: string, totalOre: bigint, kind: 'invoice' | 'credit_note') => {
    const common = { kind, laidOutBy, invoiceNumber: `K${totalOre}`, issueDate: '2026-03-12' };
    const sold = { debtAccount: 2820, sellerName: 'Resebyrån', documentIds: [] };
    const whole = { ...common, ...sold, ...amounts(totalOre, line(5810, null)) };
    const id = await owner((tx) => writeOutlay(tx, null, whole, ACTOR));
    await book(id);
    return id;
  };
  const three = [
    await lay('Dan Fors', 10_000n, 'invoice'),
    await lay('Dan Fors', 20_000n, 'invoice'),
    await lay('Dan Fors', 5_000n, 'credit_note'),
  ];
  const [first = ''] = three;
  const other = await lay('Eva Gran', 7_000n, 'invoice');
  const repay = (purchaseIds: string[], more: { account?: number; date?: string } = {}) => {
    const payment = { purchaseIds, date: '2026-03-20', today: TODAY, account: 1930, ...more };
    return owner((tx) => repayOutlays(tx, payment, ACTOR));
  };
  await expect(inWords(repay([first, other]))).rejects.toThrow('olika personer');
  await expect(inWords(repay([first], { date: '2026-03-11' }))).rejects.toThrow('2026-03-12');
  await expect(inWords(repay([first], { account: 5810 }))).rejects.toThrow('5810');
  const { voucherId, paidOre } = await repay([...three, first]);
  expect(paidOre).toBe(25_000n);
  for (const id of three) expect(await stateOf(id)).toMatchObject({ open_ore: 0n });
  expect(
    await db(books.owner).query(
      sql`select account, (debit_ore - credit_ore)::text as ore from ledger.voucher_rows
          where voucher_id = ${voucherId}::uuid order by row_no`,
    ),
  ).toEqual([
    { account: 2820, ore: '25000' },
    { account: 1930, ore: '-25000' },
  ]);
  await expect(inWords(repay(three))).rejects.toThrow('inget bokfört utlägg');
  expect((await pay(first, -10_000n)).openOre).toBe(10_000n);
  expect(await stateOf(three[1] ?? '')).toMatchObject({ open_ore: 0n });
  expect(await failing()).not.toContain('leverantorsreskontra');
});

test('a month of what is deducted in part and owed by us fills the boxes that paper and pencil do', async () => {
  const issueDate = '2026-04-10';
  const half = { kind: 'share', percent: 50 } as const;
  const guests = { kind: 'meals', people: 3 } as const;
  const bought: [bigint, HandLine][] = [
    // 4 000,30 + 1 000,08 VAT (1 000,075): half of it is 500,04.
    [500_038n, line(5615, 400_030n, { deduction: half })],
    // 1 500 + 180 at 12 %, three guests: 180 × 900 / 1 500 = 108.
    [168_000n, line(6072, 150_000n, { vatCode: 'I12', deduction: guests })],
    // 10 000,50 from the EU: we owe 2 500,13 (2 500,125) and deduct half, 1 250,07 (1 250,065).
    [1_000_050n, line(6540, 1_000_050n, { vatCode: 'ITEU1', deduction: half })],
    // Building work 20 000: 5 000 both ways.
    [2_000_000n, line(4425, 2_000_000n, { vatCode: 'ITOS1' })],
    // Goods from the USA 8 000: 2 000 both ways.
    [800_000n, line(4545, 800_000n, { vatCode: 'BI1' })],
  ];
  for (const [index, [total, one]] of bought.entries()) {
    await book(await write(invoice(`M-${index}`, total, [one], { issueDate })));
  }
  const period = { start: '2026-04-01', end: '2026-04-30' };
  const posted = await withTx(books.owner, (tx) => listVatSums(tx, period));
  const { boxes, toPay } = vatReturnOf(posted);
  // 48: 500,04 + 108 + 1 250,07 + 5 000 + 2 000 = 8 858,11. 30: 2 500,13 + 5 000.
  expect(Object.fromEntries(boxes.map(({ box, kronor }) => [box, Number(kronor)]))).toEqual({
    21: 10_000,
    24: 20_000,
    50: 8_000,
    30: 7_500,
    60: 2_000,
    48: 8_858,
  });
  expect(toPay).toBe(642n);
});

test('an invoice in euro is booked in kronor, paid with its exchange difference, and taken back as it was', async () => {
  const euro = { currency: 'EUR', exchangeRateE6: 11_234_500n, issueDate: '2026-03-02' };
  const services = line(5420, 100_000n, { vatCode: 'ITEU1' });
  const given = invoice('E-1', 100_000n, [services], euro);
  for (const [more, words] of [
    [{ exchangeRateE6: null }, 'hur många kronor en EUR kostade'],
    [{ currency: 'SEK' }, 'Belopp i kronor har ingen kurs'],
    [{ currency: 'XYZ' }, 'Valutan XYZ finns inte'],
  ] as const) {
    await expect(inWords(write({ ...given, ...more }))).rejects.toThrow(words);
  }
  const id = await write(given);
  expect(await findByHand(db(books.owner), id)).toMatchObject({
    status: 'new',
    currency: 'EUR',
    exchange_rate_e6: 11_234_500n,
    written: { totalOre: '100000' },
  });
  await book(id);
  expect(await stateOf(id)).toMatchObject({ status: 'booked', open_ore: 1_123_450n });

  const whole = (amountOre: bigint) =>
    owner((tx) =>
      payPurchase(
        tx,
        { purchaseId: id, date: '2026-03-20', today: TODAY, amountOre, isWhole: true },
        ACTOR,
      ),
    );
  await expect(inWords(whole(100_000n))).rejects.toThrow('en valutakurs brukar');
  await pay(id, 500_000n);
  const { voucherId } = await whole(650_000n);
  const rowsOfVoucher = async (voucher: string) => {
    const rows = await db(books.owner).query<{ account: number; ore: string }>(
      sql`select account, (debit_ore - credit_ore)::text as ore from ledger.voucher_rows
          where voucher_id = ${voucher}::uuid order by row_no`,
    );
    return rows.map(({ account, ore }) => `${account} ${ore}`);
  };
  expect(await rowsOfVoucher(voucherId)).toEqual(['2440 623450', '1930 -650000', '7960 26550']);
  expect(await stateOf(id)).toMatchObject({ open_ore: 0n });

  // All of it is taken back: the loss where it stands.
  const { voucherId: back, openOre } = await whole(-1_150_000n);
  expect(openOre).toBe(1_123_450n);
  expect(await rowsOfVoucher(back)).toEqual(['2440 -1123450', '1930 1150000', '7960 -26550']);
  const cheaper = await whole(1_100_000n);
  expect(await rowsOfVoucher(cheaper.voucherId)).toEqual([
    '2440 1123450',
    '1930 -1100000',
    '3960 -23450',
  ]);
  await expect(
    inWords(
      owner((tx) =>
        payPurchase(
          tx,
          {
            purchaseId: id,
            date: '2026-03-20',
            today: TODAY,
            amountOre: -1n,
            isWhole: true,
          },
          ACTOR,
        ),
      ),
    ),
  ).rejects.toThrow('en valutakurs brukar');
  expect(await failing()).not.toContain('leverantorsreskontra');
  const kronor = await write(invoice('E-2', 125_000n, [line(5410, 100_000n)]));
  await book(kronor);
  await expect(
    inWords(
      owner((tx) =>
        payPurchase(
          tx,
          {
            purchaseId: kronor,
            date: '2026-03-20',
            today: TODAY,
            amountOre: 120_000n,
            isWhole: true,
          },
          ACTOR,
        ),
      ),
    ),
  ).rejects.toThrow('annan valuta än kronor');
  const strange = await write(
    invoice('E-3', 100_000n, [services], { ...euro, exchangeRateE6: 89_000n }),
  );
  const [warned] = await db(books.owner).query<{ rule: string }>(
    sql`select warnings -> 0 ->> 'rule' as rule from purchases.invoices where id = ${strange}::uuid`,
  );
  expect(warned?.rule).toBe('HB-RATE');
});

test('a credit note in euro at another rate leaves only its exchange difference, which is closed without money', async () => {
  const euro = { currency: 'EUR', issueDate: '2026-03-02' } as const;
  const services = line(5420, null, { vatCode: 'ITEU1' });
  const write100 = async (
    number: string,
    rate: bigint,
    more: Partial<SupplierInvoiceByHand> = {},
  ) => {
    const given = { ...euro, exchangeRateE6: rate, ...more };
    const id = await write(invoice(number, 10_000n, [services], given));
    await book(id);
    return id;
  };
  const day = { date: '2026-03-20', today: TODAY };
  const whole = (purchaseId: string, amountOre: bigint) =>
    owner((tx) => payPurchase(tx, { ...day, purchaseId, amountOre, isWhole: true }, ACTOR));
  const setOff = (purchaseId: string, otherId: string, amountOre: bigint) =>
    owner((tx) => setOffCreditNote(tx, { ...day, purchaseId, otherId, amountOre }, ACTOR));
  const exchangeOf = async (id: string) => {
    const rows = await db(books.owner).query<{ account: number; ore: string }>(
      sql`select account, amount_ore::text as ore from purchases.payments
          where invoice_id = ${id}::uuid and kind = 'exchange' order by created_at, id`,
    );
    return rows.map(({ account, ore }) => `${account} ${ore}`);
  };

  // 1 103,45 booked, 1 090,00 set off: what is left, 13,45, we never pay.
  const first = await write100('EK-1', 11_034_500n);
  const credit = await write100('EK-2', 10_900_000n, { kind: 'credit_note' });
  await setOff(first, credit, 109_000n);
  expect(await stateOf(first)).toMatchObject({ open_ore: 1_345n });
  await whole(first, 0n);
  expect(await stateOf(first)).toMatchObject({ open_ore: 0n });
  expect(await exchangeOf(first)).toEqual(['3960 1345']);
  await expect(inWords(whole(first, 0n))).rejects.toThrow();

  // The other way round the credit note has it left, and we lose it.
  const cheap = await write100('EK-3', 10_900_000n);
  const dear = await write100('EK-4', 11_034_500n, { kind: 'credit_note' });
  await setOff(cheap, dear, 109_000n);
  await whole(dear, 0n);
  expect(await exchangeOf(dear)).toEqual(['7960 -1345']);
  await expect(inWords(whole(await write100('EK-5', 11_000_000n), 0n))).rejects.toThrow(
    'en valutakurs brukar',
  );

  // What was set off is not had back from the bank with what was paid.
  const both = await write100('EK-6', 11_000_000n);
  const part = await write100('EK-7', 11_000_000n, { kind: 'credit_note' });
  await setOff(both, part, 20_000n);
  await whole(both, 91_000n);
  await whole(both, -91_000n);
  expect(await stateOf(both)).toMatchObject({ open_ore: 90_000n });
  expect(await exchangeOf(both)).toEqual(['7960 -1000', '7960 1000']);

  // The ledger of suppliers says kronor, all of it.
  const { lines } = await payablesReport.read(
    db(books.owner),
    { from: '2026-01-01', to: TODAY, timeZone: 'Europe/Stockholm' },
    { limit: 500 },
  );
  const shown = lines.filter(({ cells }) => cells[1] === 'EK-6').map(({ cells }) => cells[4]);
  expect(shown).toEqual([110_000n]);
});

test('what is written by hand is whole to whoever checks the books, and stays when it is booked', async () => {
  const { problems } = await verifyBooks(db(books.owner), () => undefined);
  expect(problems).toEqual([]);
  for (const statement of [
    `delete from purchases.invoices where is_by_hand`,
    `update purchases.invoices set debt_account = 2440 where laid_out_by is not null`,
    `update purchases.invoices set written = '{}' where status = 'booked' and is_by_hand`,
  ]) {
    await expect(books.owner.query(statement), statement).rejects.toThrow();
  }
});
