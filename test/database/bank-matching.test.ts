/** What rows of the bank are held for, booked and undone: no krona twice, none lost, and the ledgers agree all the time. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { bookDirectly, type DocumentPaid, payDocument } from '#src/bank/booking.ts';
import { addRule } from '#src/bank/matching/rules.ts';
import { bookExact, bookSuggested, suggestMatches } from '#src/bank/matching/service.ts';
import { undoBooking } from '#src/bank/matching/undoing.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { listOpenItems } from '#src/ledger/open-items/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { listDocuments } from '#src/ledger/vouchers/detail-store.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { writeOff } from '#src/sales/invoices/write-offs.ts';
import { camt053, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { bookInCurrency, makeDrafts } from '../support/invoices.ts';
import { bookSupplierInvoice, makeSupplier } from '../support/supplier-invoices.ts';
import { tries } from '../support/tries.ts';
import { inWords } from '../support/words.ts';

const ACTOR = 'test';
const by = { today: TODAY, actor: ACTOR };
let books: Books;
let invoices: { id: string; ocr: string; ore: number }[];
beforeEach(async () => {
  books = await createBooks();
  await withTx(books.owner, async (tx) => {
    await createBankAccount(
      tx,
      { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban },
      ACTOR,
    );
    await createBankAccount(
      tx,
      { name: 'Sparkonto', ledgerAccount: 1940, number: '90001234567' },
      ACTOR,
    );
  });
  const ids = await makeDrafts(books.owner, [1000n, 2000n, 2500n]);
  await withTx(books.owner, (tx) => bookInvoices(tx, ids, ACTOR));
  invoices = (
    await db(books.owner).query<{ id: string; ocr: string; ore: bigint }>(
      sql`select id, ocr, total_ore as ore from sales.invoices order by total_ore`,
    )
  ).map((one) => ({ ...one, ore: Number(one.ore) }));
});
afterEach(() => books.close());

const ocr = (reference: string): string =>
  `<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`;
const nth = (index: number) => invoices[index] ?? { id: '', ocr: '', ore: 0 };
async function receive(...entries: TestEntry[]): Promise<void> {
  const source = await fileOf(camt053({ entries, opening: 5_000_000 }));
  await withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, [source], null, ACTOR);
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources: [source], choices, today: TODAY }, ACTOR);
  });
}
const paid = (index: number, ore = nth(index).ore, day = '2026-04-10'): TestEntry => ({
  day,
  ore,
  text: 'Bankgiroinbetalning',
  details: [ocr(nth(index).ocr)],
});
const waitingIds = async () =>
  (
    await db(books.owner).query<{ id: string }>(
      sql`select id from bank.transactions where voucher_id is null`,
    )
  ).map(({ id }) => id);
const suggestions = async () => [...(await suggestMatches(db(books.owner))).suggestions.values()];
async function bookAll() {
  const found = (await suggestions()).filter(({ match }) => match.certainty !== 'none');
  return withTx(books.owner, (tx) =>
    bookSuggested(
      tx,
      found.map(({ row, digest }) => ({ rowId: row.id, digest })),
      by,
    ),
  );
}
const open = async () =>
  (
    await db(books.owner).query<{ ore: bigint }>(
      sql`select open_ore as ore from sales.invoices order by total_ore`,
    )
  ).map(({ ore }) => Number(ore));
async function balance(account: number): Promise<number> {
  const [row] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows where account = ${account}`,
  );
  return Number(row?.ore ?? 0n);
}
async function expectBooksHold(): Promise<void> {
  const owed = (await open()).reduce((sum, ore) => sum + ore, 0);
  expect(await balance(1510)).toBe(owed);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
}
const kinds = async () =>
  (await suggestions())
    .map(({ row, match }) =>
      match.certainty === 'none'
        ? `${row.amountOre} none ${match.reason}`
        : `${row.amountOre} ${match.certainty} ${match.target.kind} ${match.reasons.join(' ')}`,
    )
    .sort();

test('a payment by OCR of the whole is exact, and booked once whoever says so first', async () => {
  await receive(paid(0));
  expect(await kinds()).toEqual(['125000 exact documents ocr whole_amount']);
  const [one] = await suggestions();
  const approval = { rowId: one?.row.id ?? '', digest: one?.digest ?? '' };
  const both = await Promise.all(
    [1, 2].map(() => withTx(books.owner, (tx) => bookSuggested(tx, [approval], by))),
  );
  expect(both.map(({ booked }) => booked.length).sort()).toEqual([0, 1]);
  expect(both.flatMap(({ refused }) => refused)).toMatchObject([
    { fault: { reason: 'already_matched' } },
  ]);
  expect(await open()).toEqual([0, 250_000, 312_500]);
  expect(await balance(1930)).toBe(125_000);
  await expectBooksHold();
});

test('whom thousands have paid for is known by their accounts once, and not once an invoice', async () => {
  const from = (index: number): TestEntry => {
    const account = `<RltdPties><DbtrAcct><Id><Othr><Id>500000${index}</Id></Othr></Id></DbtrAcct></RltdPties>`;
    return { ...paid(index), details: [`${account}${ocr(nth(index).ocr)}`] };
  };
  await receive(from(0), from(1));
  await bookAll();
  await receive(from(0), from(1), { ...from(0), ore: 7, day: '2026-04-12' });
  const { documents } = (await suggestMatches(db(books.owner), { ids: await waitingIds() })).world;
  const known = new Set(documents.map(({ party }) => party.accounts));
  expect(documents.length).toBeGreaterThan(1);
  expect([...known].map((accounts) => accounts.toSorted())).toEqual([['5000000']]);
});

test('what a customer paid too much is given back from what they have left, and no more than once', async () => {
  const name = 'Webbkunder';
  const back = (day: string): TestEntry => ({ day, ore: -75_000, text: `Bg-bet. ${name}` });
  await receive(paid(0, 200_000), back('2026-04-21'));
  expect(await kinds()).toEqual([
    '-75000 none nothing_fits',
    '200000 likely documents ocr paid_too_much',
  ]);
  await bookAll();
  expect(await kinds()).toEqual(['-75000 likely account payer_name whole_amount']);
  expect((await bookAll()).refused).toEqual([]);
  expect(await balance(2420)).toBe(0);
  await receive(back('2026-04-24'));
  expect((await kinds()).join()).not.toContain('payer_name');
  await expectBooksHold();
});

const creditsLeft = async () =>
  (await listOpenItems(db(books.owner), 2420, TODAY)).items.map(({ openOre }) => Number(openOre));

test('what a customer paid twice in full is known as theirs: giving it back is suggested, and leaves nothing open', async () => {
  const back = { day: '2026-04-21', ore: -125_000, text: 'Bg-bet. Webbkunder' };
  await receive(paid(0), paid(0, 125_000, '2026-04-20'));
  expect((await bookAll()).refused).toEqual([]);
  expect(await creditsLeft()).toEqual([-125_000]);
  await receive(back);
  expect(await kinds()).toEqual(['-125000 likely account payer_name whole_amount']);
  expect((await bookAll()).refused).toEqual([]);
  expect(await balance(2420)).toBe(0);
  expect(await creditsLeft()).toEqual([]);
  // It was theirs, and is no longer: what somebody else is owed of the same sum is not taken for it.
  const vouchers = await db(
    books.owner,
  ).query(sql`select distinct v.counterparty as who from ledger.vouchers v
    join ledger.voucher_rows r on r.voucher_id = v.id where r.account = 2420`);
  expect(vouchers).toEqual([{ who: 'Webbkunder' }]);
  await receive({ ...back, day: '2026-04-24' });
  expect((await kinds()).join()).not.toContain('payer_name');
  await expectBooksHold();
});

test('what several customers in one deposit paid twice is each one’s own to have back', async () => {
  const ids = await makeDrafts(books.owner, [1000n, 2000n]);
  await Promise.all(
    ['Hotell Älvkanten', 'Granens Kafé'].map(async (name, place) => {
      const [customer] = await db(books.owner).query<{ id: string }>(
        sql`insert into sales.customers (id, name) values (gen_random_uuid(), ${name}) returning id`,
      );
      await db(
        books.owner,
      ).query(sql`update sales.invoices set customer_id = ${customer?.id ?? ''}::uuid
        where id = ${ids[place] ?? ''}::uuid`);
    }),
  );
  await withTx(books.owner, (tx) => bookInvoices(tx, ids, ACTOR));
  const ocrs = await db(books.owner).query<{ ocr: string; ore: bigint }>(
    sql`select ocr, total_ore as ore from sales.invoices where id = any (${ids}::uuid[]) order by total_ore`,
  );
  const details = ocrs.map(
    (one) =>
      `<AmtDtls><TxAmt><Amt Ccy="SEK">${Number(one.ore) / 100}</Amt></TxAmt></AmtDtls>${ocr(one.ocr)}`,
  );
  const deposit = { ore: 375_000, text: 'Bankgiroinbetalning', details };
  await receive({ ...deposit, day: '2026-04-10' });
  expect((await bookAll()).refused).toEqual([]);
  await receive({ ...deposit, day: '2026-04-20' });
  expect(await kinds()).toEqual(['375000 likely documents ocr paid_before']);
  expect((await bookAll()).refused).toEqual([]);
  await receive({ day: '2026-04-22', ore: -250_000, text: 'Bg-bet. Granens Kafé' });
  expect(await kinds()).toEqual(['-250000 likely account payer_name whole_amount']);
  await bookAll();
  expect(await creditsLeft()).toEqual([-125_000]);
  await receive({ day: '2026-04-23', ore: -125_000, text: 'Bg-bet. Hotell Älvkanten' });
  await bookAll();
  expect(await creditsLeft()).toEqual([]);
  expect(await balance(2420)).toBe(0);
  await expectBooksHold();
});

test('parts, rounding, too much, several at once and paid twice, each to the krona', async () => {
  await receive(
    paid(0, 125_050),
    paid(1, 100_000),
    {
      day: '2026-04-11',
      ore: 462_500,
      details: [
        `${ocr(nth(1).ocr)}`.replace(
          '</Strd>',
          `</Strd><Strd><CdtrRefInf><Ref>${nth(2).ocr}</Ref></CdtrRefInf></Strd>`,
        ),
      ],
    },
    paid(0, 125_000, '2026-04-20'),
  );
  expect(await kinds()).toEqual(
    [
      '100000 likely documents ocr part_amount',
      '125000 likely documents ocr paid_before',
      '125050 likely documents ocr rounded',
      '462500 exact documents ocr several_documents whole_amount',
    ].sort(),
  );
  expect((await bookAll()).refused).toEqual([]);
  expect(await open()).toEqual([0, 0, 0]);
  expect([await balance(1930), await balance(3740), await balance(2420)]).toEqual([
    812_550, -50, -125_000,
  ]);
  await expectBooksHold();
});

test('what the books have already is matched with its voucher and not booked again', async () => {
  await withTx(books.owner, (tx) =>
    postAppVoucher(
      tx,
      {
        series: 'A',
        date: '2026-04-09',
        description: 'Hyra april Fastighetsbolaget Granen',
        counterparty: null,
        rows: [
          { account: 5010, debitOre: 900_000n, creditOre: 0n },
          { account: 1930, debitOre: 0n, creditOre: 900_000n },
        ],
      },
      ACTOR,
    ),
  );
  await receive({ day: '2026-04-10', ore: -900_000, text: 'Fastighetsbolaget Granen' });
  expect(await kinds()).toEqual(['-900000 exact voucher whole_amount']);
  expect((await bookAll()).refused).toEqual([]);
  expect(await balance(1930)).toBe(-900_000);
  await expectBooksHold();
});

async function bookVoucher(date: string, description: string, ore: bigint): Promise<void> {
  const rows = [
    { account: 5010, debitOre: ore, creditOre: 0n },
    { account: 1930, debitOre: 0n, creditOre: ore },
  ];
  await withTx(books.owner, (tx) =>
    postAppVoucher(tx, { series: 'A', date, description, counterparty: null, rows }, ACTOR),
  );
}
/** On the savings account. */
async function receiveSavings(...entries: TestEntry[]): Promise<void> {
  const source = await fileOf(camt053({ account: '90001234567', entries }));
  await withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, [source], null, ACTOR);
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources: [source], choices, today: TODAY }, ACTOR);
  });
}

test('a voucher that one of two rows can mean is taken for neither, however many rows stand between', async () => {
  await bookVoucher('2026-04-10', 'Fastighetsbolaget Granen', 900_000n);
  const between = Array.from({ length: 500 }, (_, place) => ({
    day: '2026-04-09',
    ore: -100 - place,
    text: 'Kortköp',
  }));
  const rent = { ore: -900_000, text: 'Fastighetsbolaget Granen' };
  await receive({ ...rent, day: '2026-04-08' }, ...between, { ...rent, day: '2026-04-12' });
  expect(await bookExact(books.owner, by)).toBe(0);
});

test('of a transfer of which somebody books the other row meanwhile nothing is booked twice', async () => {
  await receive({ day: '2026-04-10', ore: -50_000, text: 'Överföring till sparkonto' });
  await receiveSavings({ day: '2026-04-11', ore: 50_000, text: 'Insättning' });
  const found = await suggestions();
  const [own, other] = [-50_000n, 50_000n].map((ore) =>
    found.find(({ row }) => row.amountOre === ore),
  );
  const isWaitedFor = async (): Promise<boolean> =>
    (
      await db(books.owner).query(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length > 0;
  let approval: ReturnType<typeof bookSuggested> | undefined;
  await withTx(books.owner, async (tx) => {
    const direct = { date: '2026-04-11', today: TODAY, account: 3740, series: 'A' };
    const of = { transactionId: other?.row.id ?? '', description: 'Ränta', counterparty: null };
    await bookDirectly(tx, { ...direct, ...of }, ACTOR);
    const one = { rowId: own?.row.id ?? '', digest: own?.digest ?? '' };
    approval = withTx(books.owner, (waiting) => bookSuggested(waiting, [one], by));
    while (!(await isWaitedFor()));
  });
  expect((await approval)?.booked).toEqual([]);
  expect([await balance(1930), await balance(1940)]).toEqual([0, 50_000]);
});

test('a rule for the account that the row is of harms no other row', async () => {
  await withTx(books.owner, (tx) =>
    addRule(tx, { text: 'Omföring', direction: null, account: 1930 }, ACTOR),
  );
  await receive({ day: '2026-04-10', ore: -50_000, text: 'Omföring' }, paid(0));
  expect((await bookAll()).booked.length).toBe(1);
});

test('öre of many payments in one deposit are each invoice’s own', async () => {
  const details = [0, 1, 2].map((index) => ({
    ore: nth(index).ore + (index === 0 ? -60 : 90),
    inside: ocr(nth(index).ocr),
  }));
  await receive({
    day: '2026-04-10',
    ore: details.reduce((sum, { ore }) => sum + ore, 0),
    text: 'Bankgiroinbetalning',
    details: details.map(
      ({ ore, inside }) =>
        `<AmtDtls><TxAmt><Amt Ccy="SEK">${ore / 100}</Amt></TxAmt></AmtDtls>${inside}`,
    ),
  });
  expect(await kinds()).toEqual(['687620 likely documents ocr rounded']);
  expect((await bookAll()).refused).toEqual([]);
  expect(await open()).toEqual([0, 0, 0]);
  expect([await balance(1930), await balance(3740)]).toEqual([687_620, -120]);
  await expectBooksHold();
});

test('öre that even out in one deposit are nothing to book', async () => {
  const details = [0, 1].map(
    (index) =>
      `<AmtDtls><TxAmt><Amt Ccy="SEK">${(nth(index).ore + (index === 0 ? -50 : 50)) / 100}</Amt></TxAmt></AmtDtls>${ocr(nth(index).ocr)}`,
  );
  await receive({ day: '2026-04-10', ore: 375_000, text: 'Bankgiroinbetalning', details });
  expect((await bookAll()).booked.length).toBe(1);
  expect(await open()).toEqual([0, 0, 312_500]);
  await expectBooksHold();
});

test('what a person has taken back is not booked again without one', async () => {
  await receive(paid(0));
  expect(await bookExact(books.owner, by)).toBe(1);
  const [row] = await db(books.owner).query<{ id: string }>(sql`select id from bank.transactions`);
  await withTx(books.owner, (tx) => undoBooking(tx, row?.id ?? '', ACTOR));
  expect(await bookExact(books.owner, by)).toBe(0);
  expect(await kinds()).toEqual(['125000 likely documents ocr whole_amount']);
  expect((await bookAll()).booked.length).toBe(1);
  await expectBooksHold();
});

test('money between two accounts is one voucher, and both rows are matched with it', async () => {
  await receive({ day: '2026-04-10', ore: -50_000, text: 'Överföring till sparkonto' });
  await receiveSavings({ day: '2026-04-11', ore: 50_000, text: 'Insättning' });
  const { booked, refused } = await bookAll();
  expect(refused).toEqual([]);
  expect(new Set(booked.map(({ voucherId }) => voucherId)).size).toBe(1);
  expect(booked.length).toBe(2);
  expect([await balance(1930), await balance(1940)]).toEqual([-50_000, 50_000]);
  await expectBooksHold();
});

test('undone, rows and invoices are as before, and what was undone is not taken for what books the row', async () => {
  await receive(paid(0, 125_050), { day: '2026-04-12', ore: -13_600, text: 'BANKTJÄNSTER' });
  const before = await kinds();
  const { booked } = await bookAll();
  expect(booked.length).toBe(2);
  for (const { rowId } of booked) await withTx(books.owner, (tx) => undoBooking(tx, rowId, ACTOR));
  expect(await open()).toEqual([125_000, 250_000, 312_500]);
  expect([await balance(1930), await balance(3740), await balance(6570)]).toEqual([0, 0, 0]);
  expect(await kinds()).toEqual(before);
  await expectBooksHold();
  const [{ rowId = '' } = {}] = booked;
  await expect(withTx(books.owner, (tx) => undoBooking(tx, rowId, ACTOR))).rejects.toMatchObject({
    faults: [{ reason: 'nothing_to_undo' }],
  });
  expect((await bookAll()).refused).toEqual([]);
  await expectBooksHold();
});

test('what is exact is booked without a person where the company says so, and nothing else', async () => {
  const asked = async () =>
    (await db(books.owner).query(sql`select from pgboss.job where name = 'bank-booking'`)).length;
  await receive({ day: '2026-04-02', ore: -13_600, text: 'BANKTJÄNSTER' });
  expect(await asked()).toBe(0);
  await withTx(books.owner, (tx) => changeSetting(tx, 'bank-booking', 'on', ACTOR));
  await receive(paid(0), paid(1, 100_000));
  expect(await asked()).toBe(1);
  expect(await bookExact(books.owner, { ...by, actor: 'job:bank-booking' })).toBe(1);
  expect(await open()).toEqual([0, 250_000, 312_500]);
  expect(await bookExact(books.owner, by)).toBe(0);
  expect((await kinds()).length).toBe(2);
  await expectBooksHold();
});

test('each booked row is told of, as the worker that delivers it reads it; undone, that it has no voucher', async () => {
  await receive(paid(0), paid(1, 100_000));
  await bookExact(books.owner, by);
  const worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
    max: 1,
    applicationName: 'test worker',
  });
  onTestFinished(() => worker.end());
  const told = () =>
    db(worker).query<{ told: { transactionId: string; voucher: object | null } }>(
      sql`select events.describe(e.type, e.subject) as told from events.outbox e
          where e.type = 'payment.matched'`,
    );
  const [one, ...others] = await told();
  expect(others).toEqual([]);
  expect(one?.told).toEqual({
    transactionId: expect.any(String),
    account: 1930,
    date: '2026-04-10',
    amount: nth(0).ore / 100,
    voucher: {
      id: expect.any(String),
      label: expect.stringMatching(/^[A-Z]+\d+$/),
      source: expect.any(String),
    },
  });
  await withTx(books.owner, (tx) => undoBooking(tx, one?.told.transactionId ?? '', ACTOR));
  expect((await told()).map(({ told: { voucher } }) => voucher)).toEqual([null]);
});

test('what euro cost another day is suggested, booked as exchange, and undone', async () => {
  const euro = { currency: 'EUR', exchangeRateE6: 11_234_500n };
  await withTx(books.owner, async (tx) => {
    const supplierId = await makeSupplier(tx);
    const of = { supplierId, issueDate: '2026-03-05', dueDate: '2026-04-04', ...euro };
    await bookSupplierInvoice(tx, { ...of, invoiceNumber: 'INV-77', totalOre: 43_278n });
  });
  await bookInCurrency(books.owner, { ...euro, amount: 100_000n });
  // The bank tells what was sent in euro, and what came or left in kronor.
  const sent = (amount: string, who: string) =>
    `<Amt Ccy="EUR">${amount}</Amt><RltdPties>${who}</RltdPties>`;
  const [ours] = await db(books.owner).query<{ ocr: string }>(
    sql`select ocr from sales.invoices where currency = 'EUR'`,
  );
  await receive(
    {
      day: '2026-04-10',
      ore: 1_140_025,
      details: [`${sent('1000.00', '')}${ocr(ours?.ocr ?? '')}`],
    },
    {
      day: '2026-04-10',
      ore: -490_318,
      text: 'Utlandsbetalning',
      details: [sent('432.78', '<Cdtr><Nm>Granens Frakt AB</Nm></Cdtr>')],
    },
  );
  // Decimal('432.78') * Decimal('11.2345') = 4862.06691 and 1000 * 11.2345 = 11234.50.
  const before = await kinds();
  expect(before).toEqual([
    '-490318 likely documents payer_name exchange_rate',
    '1140025 likely documents ocr exchange_rate',
  ]);
  const state = async () => [
    await balance(1510),
    await balance(2440),
    await balance(7960),
    await balance(3960),
  ];
  const [owed, due, ...none] = await state();
  expect([due, ...none]).toEqual([-486_207, 0, 0]);
  const { booked } = await bookAll();
  expect(booked.length).toBe(2);
  expect(await state()).toEqual([(owed ?? 0) - 1_123_450, 0, 4_111, -16_575]);
  await expectBooksHold();
  for (const { rowId } of booked) await withTx(books.owner, (tx) => undoBooking(tx, rowId, ACTOR));
  expect(await state()).toEqual([owed, -486_207, 0, 0]);
  expect(await kinds()).toEqual(before);
  await expectBooksHold();
});

test('a person says what of a row is all of an invoice in euro, a part, and the bank’s fee', async () => {
  const euro = { currency: 'EUR', exchangeRateE6: 11_234_500n };
  const supplierId = await withTx(books.owner, makeSupplier);
  const ids = await withTx(books.owner, async (tx) => {
    const of = { supplierId, issueDate: '2026-03-05', dueDate: '2026-04-04' };
    await bookSupplierInvoice(tx, { ...of, ...euro, invoiceNumber: 'E-1', totalOre: 100_000n });
    await bookSupplierInvoice(tx, { ...of, invoiceNumber: 'K-1', totalOre: 100_000n });
    return tx.query<{ id: string }>(sql`select id from purchases.invoices order by invoice_number`);
  });
  const [inEuro = '', inKronor = ''] = ids.map(({ id }) => id);
  const day = '2026-04-10';
  await receive(
    ...[-500_000, -655_000, -105_000, -5_000].map((ore) => ({ day, ore, text: 'Utland' })),
  );
  const rowOf = async (ore: number) => {
    const [row] = await db(books.owner).query<{ id: string }>(
      sql`select id from bank.transactions where amount_ore = ${ore}::bigint`,
    );
    return row?.id ?? '';
  };
  const pay = async (ore: number, documentId: string, more: Partial<DocumentPaid> = {}) => {
    const transactionId = await rowOf(ore);
    const paying = {
      transactionId,
      kind: 'purchase',
      documentId,
      date: day,
      today: TODAY,
    } as const;
    return withTx(books.owner, (tx) => payDocument(tx, { ...paying, ...more }, ACTOR));
  };
  const rowsOf = async (voucherId: string) => {
    const rows = await db(books.owner).query<{ account: number; ore: bigint }>(
      sql`select account, debit_ore - credit_ore as ore from ledger.voucher_rows
          where voucher_id = ${voucherId}::uuid order by row_no`,
    );
    return rows.map(({ account, ore }) => `${account} ${ore}`);
  };
  const said = (work: Promise<unknown>) => expect(inWords(work)).rejects;
  const whole = { isWhole: true };
  await said(pay(-105_000, inKronor, whole)).toThrow('i en annan valuta än kronor');
  await said(pay(-5_000, inEuro, whole)).toThrow('en valutakurs brukar');
  await said(pay(-105_000, inKronor)).toThrow('förskott på 1480');
  await said(pay(-105_000, inKronor, { bankFeeOre: -5_000n })).toThrow('byt tecken');

  expect(await rowsOf(await pay(-105_000, inKronor, { bankFeeOre: 5_000n }))).toEqual([
    ...['1930 -105000', '2440 100000', '6570 5000'],
  ]);
  expect(await rowsOf(await pay(-500_000, inEuro))).toEqual(['1930 -500000', '2440 500000']);
  // 655 000 left, 5 000 of it the fee; 11 234.50 - 5 000.00 = 6 234.50 was open.
  const last = { ...whole, bankFeeOre: 5_000n };
  const voucherId = await pay(-655_000, inEuro, last);
  expect(await rowsOf(voucherId)).toEqual([
    ...['1930 -655000', '2440 623450', '6570 5000', '7960 26550'],
  ]);
  // One invoice and the row, though money, fee and exchange are each a part of the payment.
  expect((await listDocuments(db(books.owner), voucherId)).map(({ kind }) => kind)).toEqual([
    ...['purchase_payment', 'bank_transaction'],
  ]);
  await expectBooksHold();
  for (const ore of [-655_000, -105_000]) {
    const id = await rowOf(ore);
    await withTx(books.owner, (tx) => undoBooking(tx, id, ACTOR));
  }
  expect([await balance(2440), await balance(7960), await balance(6570)]).toEqual([
    ...[-723_450, 0, 0],
  ]);
  await expectBooksHold();
});

test('whatever is paid in whatever order, every row is booked in full and the ledgers agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          index: fc.nat(2),
          ore: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 400_000 })),
          undo: fc.boolean(),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      async (payments) => {
        const day = '2026-05-10';
        await receive(...payments.map(({ index, ore }) => paid(index, ore ?? nth(index).ore, day)));
        for (;;) {
          const { booked, refused } = await bookAll();
          expect(refused).toEqual([]);
          if (booked.length === 0) break;
          for (const [place, { rowId }] of booked.entries()) {
            if (payments[place]?.undo)
              await withTx(books.owner, (tx) => undoBooking(tx, rowId, ACTOR));
          }
          await expectBooksHold();
          if (payments.some(({ undo }) => undo)) break;
        }
        expect((await open()).every((ore) => ore >= 0)).toBe(true);
      },
    ),
    { numRuns: tries(2) },
  );
});

test('a row behind thousands of later ones is suggested and booked when it is asked for', async () => {
  await receive(paid(0));
  const [old] = await suggestions();
  await db(books.owner).query(sql`
    insert into bank.transactions (id, account_id, booked_on, amount_ore, description, reference)
    select gen_random_uuid(), account_id, date '2026-05-01', 100000 + n, 'Insättning', 'sen-' || n
    from bank.transactions, generate_series(1, 2000) n`);
  const id = old?.row.id ?? '';
  const own = db(books.owner);
  expect((await suggestMatches(own)).suggestions.has(id)).toBe(false);
  const asked = (await suggestMatches(own, { ids: [id] })).suggestions.get(id);
  expect(asked?.match.certainty).toBe('exact');
  const approvals = [{ rowId: id, digest: asked?.digest ?? '' }];
  const done = await withTx(books.owner, (tx) => bookSuggested(tx, approvals, by));
  expect(done).toMatchObject({ booked: [{}], refused: [] });
});

test('money for what was written off is booked as the loss and its VAT the other way, and undone as it came', async () => {
  const { id } = nth(0);
  const act = { invoiceId: id, date: '2026-04-05', today: TODAY, reason: 'Konkurs' };
  await withTx(books.owner, (tx) => writeOff(tx, act, ACTOR));
  expect([await balance(6351), await balance(2611)]).toEqual([100_000, -112_500]);
  await receive(paid(0));
  expect(await kinds()).toEqual(['125000 exact documents ocr whole_amount']);
  const { booked } = await bookAll();
  expect(booked).toHaveLength(1);
  expect([await balance(6351), await balance(2611), await balance(2420)]).toEqual([0, -137_500, 0]);
  expect((await open())[0]).toBe(0);
  await expectBooksHold();
  await withTx(books.owner, (tx) => undoBooking(tx, booked[0]?.rowId ?? '', ACTOR));
  expect([await balance(6351), await balance(2611), await balance(1930)]).toEqual([
    100_000, -112_500, 0,
  ]);
  await expectBooksHold();
});

test('a supplier paid less its credit note, by name alone, is suggested, closes both, and opens both when undone', async () => {
  await withTx(books.owner, async (tx) => {
    const supplierId = await makeSupplier(tx);
    const days = { supplierId, issueDate: '2026-03-20', dueDate: '2026-04-20' };
    await bookSupplierInvoice(tx, { ...days, invoiceNumber: 'F1', totalOre: 100_000n });
    const kind = 'credit_note';
    await bookSupplierInvoice(tx, { ...days, kind, invoiceNumber: 'K1', totalOre: 20_000n });
  });
  await receive({ day: '2026-04-10', ore: -80_000, text: 'Granens Frakt' });
  expect(await kinds()).toEqual([
    '-80000 likely documents payer_name several_documents whole_amount',
  ]);
  const { booked, refused } = await bookAll();
  expect([booked.length, refused]).toEqual([1, []]);
  expect([await balance(2440), await balance(1930)]).toEqual([0, -80_000]);
  await expectBooksHold();
  await withTx(books.owner, (tx) => undoBooking(tx, booked[0]?.rowId ?? '', ACTOR));
  expect([await balance(2440), await balance(1930)]).toEqual([-80_000, 0]);
  await expectBooksHold();
});
