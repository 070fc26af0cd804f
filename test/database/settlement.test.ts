import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { isLuhnValid } from '#src/domain/basics/luhn.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { tries } from '../support/tries.ts';

let books: Books;
beforeEach(async () => {
  books = await createBooks();
});
afterEach(() => books.close());

const ACTOR = 'test';
const pay = (invoiceId: string, amountOre: bigint, date = '2026-04-15') =>
  withTx(books.owner, (tx) =>
    registerPayment(tx, { today: TODAY, invoiceId, date, amountOre }, ACTOR),
  );
const credit = (invoiceId: string, rows?: { rowNo: number; quantityE4?: bigint }[]) =>
  withTx(books.owner, (tx) =>
    creditInvoice(tx, { invoiceId, date: '2026-04-20', ...(rows ? { rows } : {}) }, ACTOR),
  );
const remind = (invoiceId: string, feeOre: bigint, sentDate = '2026-05-20') =>
  withTx(books.owner, (tx) =>
    registerReminder(
      tx,
      { today: TODAY, invoiceId, sentDate, feeOre, isFeeVouchedFor: true },
      ACTOR,
    ),
  );

async function standing(id: string) {
  const [row] = await db(books.owner).query<{ status: string; open_ore: bigint }>(
    sql`select status, open_ore from sales.invoices where id = ${id}::uuid`,
  );
  return row;
}

async function balance(account: number): Promise<bigint> {
  const [row] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account = ${account}`,
  );
  return row?.ore ?? 0n;
}

/** Receivables in the ledger are what the invoices say is owed. */
async function expectReceivablesAgree(): Promise<void> {
  const [row] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(open_ore), 0)::bigint as ore from sales.invoices`,
  );
  expect(await balance(1510)).toBe(row?.ore ?? 0n);
}

/** A booked invoice of 1 000 kr + VAT. */
async function bookedInvoice(): Promise<string> {
  const [id = ''] = await makeDrafts(books.owner, [1000n]);
  await withTx(books.owner, (tx) => bookInvoices(tx, [id], ACTOR));
  return id;
}

describe('payments', () => {
  test('in parts bring an invoice from booked to paid, each with its voucher', async () => {
    const id = await bookedInvoice();
    expect(await standing(id)).toEqual({ status: 'booked', open_ore: 125_000n });
    expect(await pay(id, 50_000n)).toMatchObject({ status: 'booked', openOre: 75_000n });
    expect(await pay(id, 75_000n)).toMatchObject({ status: 'paid', openOre: 0n });
    expect(await balance(1930)).toBe(125_000n);
    await expectReceivablesAgree();
  });

  test('a payment taken back opens the invoice again', async () => {
    const id = await bookedInvoice();
    await pay(id, 125_000n);
    expect(await pay(id, -125_000n)).toMatchObject({ status: 'booked', openOre: 125_000n });
    expect(await balance(1930)).toBe(0n);
    await expectReceivablesAgree();
  });

  test.each([
    ['more than remains', 125_001n, 'exceeds_open'],
    ['nothing', 0n, 'no_amount'],
    ['back more than came in', -1n, 'exceeds_paid'],
  ])('%s is refused and leaves nothing', async (_name, amount, reason) => {
    const id = await bookedInvoice();
    await expect(pay(id, amount)).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { problems: [{ path: 'amount', reason }] },
    });
    expect(await standing(id)).toEqual({ status: 'booked', open_ore: 125_000n });
    expect(await balance(1930)).toBe(0n);
  });

  test('of a draft, or in a locked period, are refused and leave nothing', async () => {
    const [draft = ''] = await makeDrafts(books.owner, [1n]);
    await expect(pay(draft, 125n)).rejects.toMatchObject({ code: 'unprocessable' });
    const id = await bookedInvoice();
    await db(books.owner).query(sql`update ledger.locks set period_locked_to = '2026-04-30'`);
    await expect(pay(id, 100n)).rejects.toMatchObject({
      code: 'period_locked',
      detail: { lock: 'period', earliest_allowed_date: '2026-05-01' },
    });
    expect(await standing(id)).toEqual({ status: 'booked', open_ore: 125_000n });
  });

  test('registered at once by many people never add up to more than the invoice', async () => {
    const id = await bookedInvoice();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => pay(id, 12_500n)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await standing(id)).toEqual({ status: 'paid', open_ore: 0n });
    await expectReceivablesAgree();
  });

  test('are never changed or removed', async () => {
    await pay(await bookedInvoice(), 100n);
    for (const statement of [
      'update sales.payments set amount_ore = 1',
      'delete from sales.payments',
      'truncate sales.payments',
    ]) {
      await expect(books.owner.query(statement)).rejects.toMatchObject({
        constraint: 'payments_are_immutable',
      });
    }
  });
});

describe('credit notes', () => {
  test('the whole invoice: its own number, the voucher mirrored, nothing owed', async () => {
    const id = await bookedInvoice();
    const note = await credit(id);
    expect(note).toMatchObject({ status: 'booked', invoice_number: 1002, total_amount: 1250 });
    expect(await standing(id)).toEqual({ status: 'credited', open_ore: 0n });
    expect(await balance(3001)).toBe(0n);
    expect(await balance(2611)).toBe(0n);
    await expectReceivablesAgree();
    await expect(credit(id)).rejects.toMatchObject({
      detail: { problems: [{ reason: 'nothing_left' }] },
    });
  });

  test('after payment leaves us owing the customer until it is paid back', async () => {
    const id = await bookedInvoice();
    await pay(id, 125_000n);
    await credit(id);
    expect(await standing(id)).toEqual({ status: 'credited', open_ore: -125_000n });
    await pay(id, -125_000n, '2026-05-01');
    expect(await standing(id)).toEqual({ status: 'credited', open_ore: 0n });
    await expectReceivablesAgree();
  });

  test('the whole while a fee is left: open until that is paid, and credited then', async () => {
    const id = await bookedInvoice();
    await remind(id, 6_000n);
    await credit(id);
    expect(await standing(id)).toEqual({ status: 'booked', open_ore: 6_000n });
    await expect(credit(id)).rejects.toMatchObject({
      detail: { problems: [{ reason: 'nothing_left' }] },
    });
    await pay(id, 6_000n, '2026-05-21');
    expect(await standing(id)).toEqual({ status: 'credited', open_ore: 0n });
    await expectReceivablesAgree();
  });

  test('the whole after a payment that was more than what stands, once it is taken back', async () => {
    const id = await bookedInvoice();
    await remind(id, 6_000n);
    await pay(id, 131_000n, '2026-05-21');
    await credit(id);
    expect(await standing(id)).toEqual({ status: 'credited', open_ore: -125_000n });
    await pay(id, -131_000n, '2026-05-22');
    expect(await standing(id)).toEqual({ status: 'booked', open_ore: 6_000n });
    await expectReceivablesAgree();
  });

  test('of a part, then payment of the rest, makes the invoice paid', async () => {
    const id = await makeInvoice(books.owner, [
      { quantityE4: 30_000n, unitPriceE4: 1_000_000n },
      { quantityE4: 10_000n, unitPriceE4: 500_000n },
    ]);
    await credit(id, [{ rowNo: 1, quantityE4: 20_000n }]);
    expect(await standing(id)).toEqual({ status: 'booked', open_ore: 18_750n });
    await pay(id, 18_750n);
    expect(await standing(id)).toEqual({ status: 'paid', open_ore: 0n });
    await expectReceivablesAgree();
  });

  test.each([
    ['a row that is not there', [{ rowNo: 9 }], 'unknown_row'],
    ['more than the row', [{ rowNo: 1, quantityE4: 30_001n }], 'quantity_exceeds_row'],
    ['with the wrong sign', [{ rowNo: 1, quantityE4: -1n }], 'quantity_exceeds_row'],
    ['a row twice', [{ rowNo: 1 }, { rowNo: 1 }], 'repeated_row'],
    ['only the priced row of a discounted invoice', [{ rowNo: 1 }], 'credit_exceeds_invoice'],
    ['only the discount', [{ rowNo: 2 }], 'credit_exceeds_invoice'],
  ])('%s is refused and leaves nothing', async (_name, rows, reason) => {
    const id = await makeInvoice(books.owner, [
      { quantityE4: 30_000n, unitPriceE4: 1_000_000n },
      { quantityE4: 10_000n, unitPriceE4: -500_000n },
    ]);
    await expect(credit(id, rows)).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { problems: [{ reason }] },
    });
    const [row] = await db(books.owner).query<{ count: number }>(
      sql`select count(*)::integer as count from sales.invoices`,
    );
    expect(row?.count).toBe(1);
  });

  test('any sequence of part credits takes back the invoice to the öre', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.bigInt({ min: 1n, max: 999_999n }),
        fc.infiniteStream(fc.integer({ min: 1, max: 12 })),
        async (quantity, unitPriceE4, parts) => {
          const id = await makeInvoice(books.owner, [
            { quantityE4: BigInt(quantity) * 10_000n, unitPriceE4 },
          ]);
          for (let left = quantity; left > 0; ) {
            const part = Math.min(left, parts.next().value ?? left);
            await credit(id, [{ rowNo: 1, quantityE4: BigInt(part) * 10_000n }]);
            left -= part;
          }
          expect((await standing(id))?.open_ore).toBe(0n);
          await expectReceivablesAgree();
        },
      ),
      { numRuns: tries(4) },
    ));
});

describe('reminders', () => {
  test('are numbered, and a fee is owed until it is paid', async () => {
    const id = await bookedInvoice();
    expect(await remind(id, 0n)).toMatchObject({ reminderNo: 1, openOre: 125_000n });
    expect(await remind(id, 6_000n, '2026-05-21')).toMatchObject({
      reminderNo: 2,
      openOre: 131_000n,
    });
    expect(await balance(3999)).toBe(-6_000n);
    expect(await pay(id, 131_000n)).toMatchObject({ status: 'paid', openOre: 0n });
    await expectReceivablesAgree();
  });

  test.each([
    ['before the due date has passed', 0n, '2026-03-31', 'not_overdue'],
    ['with a fee above the law', 6_001n, '2026-05-20', 'fee_out_of_range'],
  ])('%s are refused', async (_name, fee, date, reason) => {
    await expect(remind(await bookedInvoice(), fee, date)).rejects.toMatchObject({
      detail: { problems: [{ reason }] },
    });
  });

  test('of a paid invoice are refused', async () => {
    const id = await bookedInvoice();
    await pay(id, 125_000n);
    await expect(remind(id, 0n)).rejects.toMatchObject({
      detail: { problems: [{ reason: 'nothing_to_remind' }] },
    });
  });
});

test('after payments, credits and reminders the books verify', async () => {
  const id = await bookedInvoice();
  await remind(id, 6_000n);
  await pay(id, 10_000n);
  await credit(id);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});

test('the debtor is frozen as the customer stood when the invoice was booked', async () => {
  const [id = ''] = await makeDrafts(books.owner, [100n]);
  await db(books.owner).query(
    sql`update sales.customers set name = 'Nytt namn AB', city = 'Kalmar'`,
  );
  await withTx(books.owner, (tx) => bookInvoices(tx, [id], ACTOR));
  await db(books.owner).query(sql`update sales.customers set name = 'Senare AB'`);
  const [row] = await db(books.owner).query<{ debtor: object }>(
    sql`select debtor from sales.invoices where id = ${id}::uuid`,
  );
  expect(row?.debtor).toMatchObject({ name: 'Nytt namn AB', city: 'Kalmar' });
});

describe('OCR', () => {
  const ocrFor = async (number: number): Promise<string> => {
    const [row] = await db(books.owner).query<{ ocr: string }>(
      sql`select sales.ocr_for(${number}::integer) as ocr`,
    );
    return row?.ocr ?? '';
  };

  test.each([
    [1001, '100164'],
    [310001, '31000185'],
    [12345, '1234574'],
  ])('invoice %i is paid with %s', async (number, expected) => {
    expect(await ocrFor(number)).toBe(expected);
  });

  test('passes the bank whichever check level the agreement has', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2_147_483_647 }), async (number) => {
        const ocr = await ocrFor(number);
        expect(ocr.startsWith(String(number))).toBe(true);
        expect(isLuhnValid(ocr)).toBe(true);
        expect(Number(ocr.at(-2))).toBe(ocr.length % 10);
      }),
    ));
});
