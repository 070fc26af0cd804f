/** What is undone, corrected or paid back after the bank's row was booked: no krona twice, none lost, and the row says what books it. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookDirectly } from '#src/bank/booking.ts';
import { bookExact, suggestMatches } from '#src/bank/matching/service.ts';
import { splitRow } from '#src/bank/matching/splitting.ts';
import { undoBooking, whatUndoingTakesBack } from '#src/bank/matching/undoing.ts';
import {
  createBankAccount,
  matchTransaction,
  stateBalance,
  unmatchTransaction,
} from '#src/bank/service.ts';
import { bridgeAt, listStandingSignOffs, signOff } from '#src/bank/statements/bridge.ts';
import { getBankTransaction, suggestVouchers } from '#src/bank/store.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { fileVatReturn } from '#src/ledger/vat-filings/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { Refusal } from '#src/lib/errors.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { takeBackLoss, writeOff } from '#src/sales/invoices/write-offs.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { tries } from '../support/tries.ts';

const ACTOR = 'test';
let books: Books;
let accountId: string;
const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
beforeEach(async () => {
  books = await createBooks();
  accountId = (
    await owner((tx) => createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930 }, ACTOR))
  ).id;
});
afterEach(() => books.close());

/** A row of the bank, not booked. */
let rows = 0;
async function row(ore: number, day = '2026-04-10', description = 'Insättning'): Promise<string> {
  rows += 1;
  const reference = `r${rows}`;
  await owner((tx) =>
    insertTransactions(tx, accountId, [
      { reference, bookedOn: day, amountOre: BigInt(ore), description },
    ]),
  );
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where reference = ${reference}`,
  );
  return found?.id ?? '';
}
/** One of 1 250 kronor with VAT. */
async function invoice(): Promise<string> {
  const [id = ''] = await makeDrafts(books.owner, [1000n]);
  await owner((tx) => bookInvoices(tx, [id], ACTOR));
  return id;
}
const split = (transactionId: string, lines: Parameters<typeof splitRow>[1]['lines']) =>
  owner((tx) => splitRow(tx, { transactionId, date: '2026-04-10', today: TODAY, lines }, ACTOR));
const part = (documentId: string, ore: number) =>
  ({ kind: 'invoice', documentId, amountOre: BigInt(ore) }) as const;
const account = (number: number, ore: number) =>
  ({ kind: 'account', account: number, amountOre: BigInt(ore), note: null }) as const;
const undo = (rowId: string) => owner((tx) => undoBooking(tx, rowId, ACTOR));
const said = (rowId: string) => owner((tx) => whatUndoingTakesBack(tx, rowId));
const byHand = (invoiceId: string, ore: number, date = '2026-04-15') =>
  owner((tx) =>
    registerPayment(tx, { today: TODAY, invoiceId, date, amountOre: BigInt(ore) }, ACTOR),
  );
const credit = (invoiceId: string) =>
  owner((tx) => creditInvoice(tx, { invoiceId, date: '2026-04-20' }, ACTOR));
async function balance(number: number): Promise<number> {
  const [found] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows where account = ${number}`,
  );
  return Number(found?.ore ?? 0n);
}
const invoices = () =>
  db(books.owner).query<{ open: bigint; most: bigint }>(
    sql`select open_ore as open, total_ore as most from sales.invoices where kind = 'invoice'`,
  );
const bookedBy = async (rowId: string): Promise<string | null> =>
  (await owner((tx) => getBankTransaction(tx, rowId))).voucher_id;

/** The ledgers agree, and nobody owes more than was ever asked. */
async function expectBooksHold(): Promise<void> {
  const all = await invoices();
  expect(await balance(1510)).toBe(all.reduce((total, { open }) => total + Number(open), 0));
  for (const { open, most } of all) expect(open).toBeLessThanOrEqual(most);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
}

test('what touches VAT is undone on the first day that its return leaves open, as was said', async () => {
  const id = await row(125_000, '2026-03-20');
  const date = '2026-03-20';
  await owner((tx) =>
    splitRow(
      tx,
      {
        ...{ transactionId: id, date, today: TODAY },
        lines: [account(3001, 100_000), account(2611, 25_000)],
      },
      ACTOR,
    ),
  );
  await owner((tx) => fileVatReturn(tx, { end: '2026-03-31', today: TODAY }, ACTOR));
  expect((await said(id))?.date).toBe('2026-04-01');
  expect((await undo(id)).date).toBe('2026-04-01');
  expect([await balance(1930), await balance(2611), await balance(3001)]).toEqual([0, 0, 0]);
  expect(await bookedBy(id)).toBeNull();
  await expectBooksHold();
});

test('a fee that a payment came without, and a locked month, are no hindrance', async () => {
  const [id, claim] = [await row(120_000), await invoice()];
  await split(id, [part(claim, 125_000), account(6570, -5_000)]);
  expect([await balance(1510), await balance(6570)]).toEqual([0, 5_000]);
  await owner((tx) => setLock(tx, 'period', '2026-05-31', ACTOR));
  expect((await undo(id)).date).toBe('2026-06-01');
  expect([await balance(1510), await balance(6570), await balance(1930)]).toEqual([125_000, 0, 0]);
  await expectBooksHold();
});

test('a payment that was taken back by hand since is not taken back once more', async () => {
  const [id, claim] = [await row(125_000), await invoice()];
  await split(id, [part(claim, 100_000), part(claim, 25_000)]);
  await byHand(claim, -125_000);
  expect((await said(id))?.paidBack).toHaveLength(1);
  await expect(undo(id)).rejects.toMatchObject({ faults: [{ reason: 'paid_back_since' }] });
  expect(await balance(1930)).toBe(0);
  await expectBooksHold();
});

test('a payment that somebody takes back by hand at the same moment is taken back once', async () => {
  const [id, claim] = [await row(125_000), await invoice()];
  await split(id, [part(claim, 100_000), part(claim, 25_000)]);
  await Promise.allSettled([byHand(claim, -125_000), undo(id), byHand(claim, -125_000), undo(id)]);
  expect([await balance(1930), await balance(1510)]).toEqual([0, 125_000]);
  await expectBooksHold();
});

test('after a credit note and a refund the refund is undone first, and then the payment', async () => {
  const [paid, claim] = [await row(125_000), await invoice()];
  await split(paid, [part(claim, 100_000), part(claim, 25_000)]);
  await credit(claim);
  const back = await row(-125_000, '2026-04-25');
  await split(back, [part(claim, 100_000), part(claim, 25_000)]);
  await expectBooksHold();
  await expect(undo(paid)).rejects.toMatchObject({ faults: [{ reason: 'paid_back_since' }] });
  expect((await said(back))?.documents).toMatchObject([{ ore: -125_000n, isReturn: true }]);
  await undo(back);
  expect((await said(paid))?.documents).toMatchObject([{ ore: 125_000n, isReturn: false }]);
  await undo(paid);
  expect([await balance(1510), await balance(1930)]).toEqual([0, 0]);
  await expectBooksHold();
});

test('whatever happens to invoices between, what is undone leaves ledgers that agree', async () => {
  const acts = ['pay', 'part', 'hand', 'back', 'credit', 'lose', 'regain', 'undo', 'lock'] as const;
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom(...acts), fc.nat(1), fc.integer({ min: 1, max: 200_000 })),
        {
          minLength: 4,
          maxLength: 14,
        },
      ),
      async (steps) => {
        const claims = [await invoice(), await invoice()];
        const booked: string[] = [];
        let locked = '2026-03-31';
        for (const [act, which, ore] of steps) {
          const claim = claims[which] ?? '';
          const act1 = { invoiceId: claim, date: '2026-06-01', today: TODAY, reason: 'Konkurs' };
          const amount = act === 'pay' ? 125_000 : ore;
          const done = await (async () => {
            switch (act) {
              case 'pay':
              case 'part': {
                const id = await row(amount, '2026-06-02');
                const half = Math.floor(amount / 2);
                const date = '2026-06-02';
                const lines = [part(claim, amount - half), account(6570, half)].filter(
                  ({ amountOre }) => amountOre !== 0n,
                );
                await owner((tx) =>
                  splitRow(tx, { transactionId: id, date, today: TODAY, lines }, ACTOR),
                );
                booked.push(id);
                return;
              }
              case 'hand':
                return byHand(claim, ore, '2026-06-03');
              case 'back':
                return byHand(claim, -ore, '2026-06-04');
              case 'credit':
                return owner((tx) =>
                  creditInvoice(tx, { invoiceId: claim, date: '2026-06-05' }, ACTOR),
                );
              case 'lose':
                return owner((tx) => writeOff(tx, act1, ACTOR));
              case 'regain':
                return owner((tx) => takeBackLoss(tx, act1, ACTOR));
              case 'undo': {
                const id = booked.splice(ore % Math.max(booked.length, 1), 1)[0];
                if (id === undefined) return;
                return undo(id).catch((error) => {
                  booked.push(id);
                  throw error;
                });
              }
              case 'lock':
                if (locked > '2026-05-31') return;
                locked = '2026-05-31';
                return owner((tx) => setLock(tx, 'period', locked, ACTOR));
            }
          })().then(
            () => 'done',
            (error) => {
              // A refusal with its reason, never a broken statement.
              if (error instanceof Refusal) return 'refused';
              throw error;
            },
          );
          seen.set(`${act} ${done}`, (seen.get(`${act} ${done}`) ?? 0) + 1);
        }
        await expectBooksHold();
        await owner((tx) => setLock(tx, 'period', null, ACTOR, 'prov'));
      },
    ),
    {
      numRuns: tries(4),
      // Whatever chance brings, something is undone.
      examples: [
        [
          [
            ['pay', 0, 1],
            ['undo', 0, 1],
            ['pay', 0, 1],
            ['lock', 0, 1],
          ],
        ],
      ],
    },
  );
  expect(seen.get('undo done')).toBeGreaterThan(0);
});

const rent = { description: 'Fastighetsbolaget Granen' };
const direct = async (transactionId: string, number: number): Promise<string> =>
  owner((tx) =>
    bookDirectly(
      tx,
      {
        ...{ transactionId, account: number, date: '2026-04-10', today: TODAY, series: 'A' },
        ...{ ...rent, counterparty: null },
      },
      ACTOR,
    ),
  );
const correct = (correctedId: string, to: number | null, ore = 900_000n) =>
  owner((tx) =>
    correctVoucher(
      tx,
      {
        ...{ correctedId, date: '2026-04-12', description: 'Fel konto' },
        replacement:
          to === null
            ? null
            : {
                ...{ ...rent, counterparty: null },
                rows: [
                  { account: to, debitOre: ore, creditOre: 0n },
                  { account: 1930, debitOre: 0n, creditOre: ore },
                ],
              },
      },
      ACTOR,
    ),
  );

test('a row follows its voucher to what stands in its place, which then books no other', async () => {
  const first = await row(-900_000, '2026-04-10', rent.description);
  const wrong = await direct(first, 5020);
  const { replacement } = await correct(wrong, 5010);
  expect(await bookedBy(first)).toBe(replacement?.id);
  // The next rent of the same sum is a rent of its own.
  const next = await row(-900_000, '2026-04-20', rent.description);
  expect(await bookExact(books.owner, { today: TODAY, actor: ACTOR })).toBe(0);
  const match = (await suggestMatches(db(books.owner))).suggestions.get(next)?.match;
  expect(match?.certainty === 'none' ? '' : match?.target.kind).not.toBe('voucher');
  await expectBooksHold();
});

test.each([
  ['nothing', null, 900_000n],
  ['another sum', 5010, 800_000n],
])(
  'a row whose voucher is taken back with %s in its place waits for a person',
  async (_, to, ore) => {
    const id = await row(-900_000, '2026-04-10', rent.description);
    await correct(await direct(id, 5020), to, ore);
    expect(await bookedBy(id)).toBeNull();
    expect(await bookExact(books.owner, { today: TODAY, actor: ACTOR })).toBe(0);
    await direct(id, 5010);
    await expectBooksHold();
  },
);

test('what was taken back, and what took it back, is not offered to a row', async () => {
  const [id, claim] = [await row(125_000), await invoice()];
  const voucherId = await split(id, [part(claim, 100_000), part(claim, 25_000)]);
  await undo(id);
  const other = await row(-900_000, '2026-04-10', rent.description);
  const corrected = await direct(other, 5020);
  await correct(corrected, null);
  // Nor does either stand between books and bank.
  await owner((tx) =>
    stateBalance(tx, { accountId, closingDate: '2026-04-30', balanceOre: 0n }, ACTOR),
  );
  const bridge = await bridgeAt(db(books.owner), accountId, '2026-04-30');
  expect(bridge?.outside).toMatchObject({ count: 4, standing: 0, rows: [], ore: 0n });
  for (const rowId of [id, other]) {
    const offered = await owner(async (tx) =>
      suggestVouchers(tx, await getBankTransaction(tx, rowId)),
    );
    expect(offered.map((one) => one.id)).not.toContain(voucherId);
    expect(offered.map((one) => one.id)).not.toContain(corrected);
  }
});

test('rows are booked while the voucher of another is corrected, and neither waits for ever', async () => {
  const taken = await Promise.all(
    Array.from({ length: 4 }, async (_, place) => direct(await row(-10_000 - place), 5020)),
  );
  const waiting = await Promise.all(Array.from({ length: 4 }, (_, place) => row(-20_000 - place)));
  await Promise.all([
    ...taken.map((id, place) => correct(id, 5010, BigInt(10_000 + place))),
    ...waiting.map((id) => direct(id, 5020)),
  ]);
  expect(await balance(5010)).toBe(40_006);
  await expectBooksHold();
});

test('a day that is signed off is open again when another row is booked in place of one of the same sum', async () => {
  const [one, other] = [await row(-30_000), await row(-30_000)];
  await owner((tx) =>
    stateBalance(tx, { accountId, closingDate: '2026-04-30', balanceOre: -60_000n }, ACTOR),
  );
  await direct(one, 5020);
  await owner((tx) => signOff(tx, { accountId, day: '2026-04-30', note: '' }, ACTOR));
  const stands = async () =>
    (await listStandingSignOffs(db(books.owner), accountId)).map((signed) => signed.stands);
  expect(await stands()).toEqual([true]);
  await owner((tx) => unmatchTransaction(tx, one, ACTOR));
  const [voucher] = await db(books.owner).query<{ id: string }>(
    sql`select id from ledger.vouchers where source = 'bank'`,
  );
  const voucherId = voucher?.id ?? '';
  await owner((tx) => matchTransaction(tx, { transactionId: other, voucherId }, ACTOR));
  expect(await stands()).toEqual([false]);
});

/** What whoever can run any SQL says, as the owner of the database even. */
test('nobody says of vouchers that one undoes the other when it does not', async () => {
  const [id, claim] = [await row(125_000), await invoice()];
  const voucherId = await split(id, [part(claim, 100_000), part(claim, 25_000)]);
  const other = await direct(await row(-125_000), 5020);
  const say = (undone: string, by: string) =>
    owner((tx) =>
      tx.query(sql`insert into bank.undone_bookings (voucher_id, taken_back_by, created_by)
        values (${undone}, ${by}, 'test')`),
    );
  for (const [undone, back] of [
    [voucherId, other],
    [other, voucherId],
    [other, other],
  ] as const) {
    await expect(say(undone, back)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^undone_bookings_/),
    });
  }
  // A mirror of another document's payment is none either.
  const second = await invoice();
  await byHand(second, 125_000);
  await byHand(second, -125_000);
  const [back] = await db(books.owner).query<{ id: string }>(
    sql`select voucher_id as id from sales.payments where invoice_id = ${second}::uuid and amount_ore < 0`,
  );
  await expect(say(voucherId, back?.id ?? '')).rejects.toMatchObject({
    constraint: 'undone_bookings_take_back',
  });
  await owner((tx) => matchTransaction(tx, { transactionId: id, voucherId }, ACTOR));
});
