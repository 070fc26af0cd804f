/** What can settle an invoice, when, and by what right: refused by the services, and by the database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setOff } from '#src/bank/set-off.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import {
  differenceAccounts,
  exchangeGainAccount,
  settlementKindOf,
} from '#src/domain/ledger/settlement-accounts.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { bookPurchases, createSupplierOf } from '#src/purchases/inbox/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { registerReminder, withdrawFee } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type EInvoiceParts, eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { hiddenOf, textOfPage } from '../support/pages.ts';
import { logIn, tokensOf } from '../support/person.ts';
import { refusalOf, tamper } from './books.ts';

const ACTOR = 'test';
let books: Installation;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
});
afterAll(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const rows = <Row extends object>(statement: ReturnType<typeof sql>) =>
  db(books.owner).query<Row>(statement);
/** Of 1 250 kr, dated 2026-03-31. */
const invoice = () => makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 10_000_000n }]);

async function voucherOf(invoiceId: string): Promise<string> {
  const [row] = await db(books.owner).query<{ voucher_id: string }>(
    sql`select voucher_id from sales.invoices where id = ${invoiceId}::uuid`,
  );
  return row?.voucher_id ?? '';
}
const openOf = async (id: string) => {
  const [row] = await rows<{ open_ore: bigint; status: string }>(
    sql`select open_ore, status from sales.invoices where id = ${id}::uuid`,
  );
  return row;
};
const refused = (path: string, reason: string) => ({ detail: { problems: [{ path, reason }] } });

let number = 0;
/** A booked supplier's invoice of 1 250 kr, dated 2026-03-01 unless said. */
async function purchase(parts: EInvoiceParts = {}): Promise<string> {
  number += 1;
  const response = await books.call({
    method: 'POST',
    url: '/api/inbound/peppol',
    payload: eInvoice({ number: `L-${number}`, ...parts }),
    headers: { 'content-type': 'application/xml' },
  });
  const id: string = response.json().draftId;
  await owner(async (tx) => {
    const [known] = await tx.query(
      sql`select from purchases.invoices where id = ${id}::uuid and supplier_id is not null`,
    );
    if (!known) await createSupplierOf(tx, id, ACTOR);
    await bookPurchases(tx, [id], ACTOR);
  });
  return id;
}

test('the database has the same list of accounts as the domain', async () => {
  const kinds = await rows<{ account: number; kind: string | null }>(
    sql`select account, sales.settlement_kind(account) as kind
        from generate_series(1000, 9999) as account
        union all select account, sales.settlement_kind(account)
        from unnest(array[19301, 193001, 151001, 999999999]) as account`,
  );
  const differing = kinds.filter(({ account, kind }) => settlementKindOf(account) !== kind);
  expect(differing).toEqual([]);
  const booked = [...Object.values(differenceAccounts), exchangeGainAccount];
  const posted = await rows<{ number: number }>(sql`select number from ledger.accounts
    where number = any (${booked}::integer[]) and is_active`);
  expect(posted).toHaveLength(booked.length);
});

describe('a payment', () => {
  const pay = (invoiceId: string, given: object = {}) => {
    const payment = { invoiceId, date: '2026-04-15', today: TODAY, amountOre: 125_000n, ...given };
    return owner((tx) => registerPayment(tx, payment, ACTOR));
  };

  test.each([
    ['through receivables', { account: 1510 }, 'account', 'not_a_money_account'],
    ['through revenue', { account: 3001 }, 'account', 'not_a_money_account'],
    ['through VAT', { account: 2611 }, 'account', 'not_a_money_account'],
    ['before the invoice', { date: '2026-03-30' }, 'date', 'paid_before_invoice'],
    ['on a day to come', { date: '2026-11-21' }, 'date', 'in_the_future'],
    ['of a krona of rounding', { amountOre: 100n, account: 3740 }, 'amount', 'rounding_too_large'],
  ])('%s is refused and leaves nothing', async (_what, given, path, reason) => {
    const id = await invoice();
    await expect(pay(id, given)).rejects.toMatchObject(refused(path, reason));
    expect(await openOf(id)).toEqual({ status: 'booked', open_ore: 125_000n });
  });

  test('with a fee, öre and a loss is one voucher, and each row has its kind', async () => {
    const id = await invoice();
    const differences = { bank_fee: 500n, rounding: -50n, loss: 24_550n };
    const { voucherId, openOre } = await pay(id, { amountOre: 100_000n, differences });
    expect(openOre).toBe(0n);
    expect(
      await rows(sql`select account, debit_ore - credit_ore as ore from ledger.voucher_rows
        where voucher_id = ${voucherId}::uuid order by account`),
    ).toEqual([
      { account: 1510, ore: -125_000n },
      { account: 1930, ore: 100_000n },
      { account: 2611, ore: 4_910n },
      { account: 3740, ore: -50n },
      { account: 6351, ore: 19_640n },
      { account: 6570, ore: 500n },
    ]);
    expect(
      await rows(sql`select kind, amount_ore from sales.payments
        where invoice_id = ${id}::uuid order by account`),
    ).toEqual([
      { kind: 'money', amount_ore: 100_000n },
      { kind: 'rounding', amount_ore: -50n },
      { kind: 'loss', amount_ore: 24_550n },
      { kind: 'bank_fee', amount_ore: 500n },
    ]);
  });

  test('of more than what is open and written off says how much of it may come in', async () => {
    const id = await invoice();
    await pay(id, { amountOre: 25_000n, differences: {} });
    await pay(id, { amountOre: 0n, differences: { loss: 100_000n } });
    const tooMuch = pay(id, { amountOre: 100_001n, differences: {} });
    await expect(tooMuch).rejects.toMatchObject({
      faults: [
        { reason: 'exceeds_open_and_lost', params: { openOre: 100_000n, lostOre: 100_000n } },
      ],
    });
    await pay(id, { amountOre: 100_000n, differences: {} });
    expect((await openOf(id))?.open_ore).toBe(0n);
  });

  test('of a loss takes back VAT by what was sold and is not credited, and gives it again when it is taken back', async () => {
    const id = await makeInvoice(books.owner, [
      { quantityE4: 10_000n, unitPriceE4: 10_000_000n },
      { quantityE4: 10_000n, unitPriceE4: 1_000_000n, vatRate: 12, account: 3002 },
      { quantityE4: 10_000n, unitPriceE4: 500_000n, vatRate: 0, account: 3004 },
    ]);
    await owner((tx) =>
      creditInvoice(tx, { invoiceId: id, date: '2026-04-01', rows: [{ rowNo: 1 }] }, ACTOR),
    );
    // 112 kr at 12 % and 50 kr without VAT remain.
    const booked = (voucherId: string | null) =>
      rows(sql`select account, debit_ore - credit_ore as ore, vat_code from ledger.voucher_rows
        where voucher_id = ${voucherId}::uuid order by row_no`);
    const lost = await pay(id, { amountOre: 0n, differences: { loss: 16_200n } });
    expect(lost.openOre).toBe(0n);
    expect(await booked(lost.voucherId)).toEqual([
      { account: 6351, ore: 10_000n, vat_code: 'MP2' },
      { account: 2621, ore: 1_200n, vat_code: 'U2' },
      { account: 6351, ore: 5_000n, vat_code: null },
      { account: 1510, ore: -16_200n, vat_code: null },
    ]);
    await books.owner.query(
      `update ledger.accounts set vat_code = 'X' where number in (2621, 3002)`,
    );
    try {
      const back = await pay(id, { amountOre: 0n, differences: { loss: -8_100n } });
      expect(back.openOre).toBe(8_100n);
      const again = await booked(back.voucherId);
      expect(again).toHaveLength(4);
      expect(again).toEqual(
        expect.arrayContaining([
          { account: 6351, ore: -5_000n, vat_code: 'MP2' },
          { account: 2621, ore: -600n, vat_code: 'U2' },
          { account: 6351, ore: -2_500n, vat_code: null },
          { account: 1510, ore: 8_100n, vat_code: null },
        ]),
      );
    } finally {
      await books.owner.query(`update ledger.accounts set vat_code = 'MP2' where number = 3002`);
      await books.owner.query(`update ledger.accounts set vat_code = 'U2' where number = 2621`);
    }
  });

  test('through another account, from before, is taken back the way it came, and no further', async () => {
    const id = await invoice();
    await pay(id, { amountOre: 10_000n });
    const { voucherId } = await pay(id, { amountOre: 20_000n });
    await tamper(
      books.url,
      `update sales.payments set account = 3001 where voucher_id = '${voucherId}'`,
    );
    const insert = (ore: number) => `insert into sales.payments (id, invoice_id, payment_date, kind,
      amount_ore, account, voucher_id, created_by) values ('${uuid()}', '${id}', '2026-04-15', 'money',
      ${ore}, 3001, '${voucherId}', 'x')`;
    await expect(pay(id, { amountOre: 100n, account: 3001 })).rejects.toMatchObject(
      refused('account', 'not_a_money_account'),
    );
    await expect(pay(id, { amountOre: -20_001n, account: 3001 })).rejects.toMatchObject(
      refused('account', 'not_a_money_account'),
    );
    expect(await refusalOf(books.owner, insert(-20_001))).toBe('payments_kind_is_of_account');
    expect(await refusalOf(books.owner, insert(1))).toBe('payments_kind_is_of_account');
    const { openOre } = await pay(id, { amountOre: -20_000n, account: 3001 });
    expect(openOre).toBe(115_000n);
    expect(await refusalOf(books.owner, insert(-1))).toBe('payments_kind_is_of_account');
  });

  test('the database takes no other account, kind or day', async () => {
    const id = await invoice();
    const { voucherId } = await pay(id, { amountOre: 100n });
    const insert = (kind: string, account: number, date = '2026-04-15', ore = 100) =>
      refusalOf(
        books.owner,
        `insert into sales.payments (id, invoice_id, payment_date, kind, amount_ore, account,
          voucher_id, created_by)
        values ('${uuid()}', '${id}', '${date}', '${kind}', ${ore}, ${account}, '${voucherId}', 'x')`,
      );
    const wrongAccount = 'payments_kind_is_of_account';
    expect(await insert('money', 1510)).toBe(wrongAccount);
    expect(await insert('money', 3001)).toBe(wrongAccount);
    expect(await insert('money', 2440)).toBe(wrongAccount);
    expect(await insert('set_off', 1930)).toBe(wrongAccount);
    expect(await insert('bank_fee', 1930)).toBe(wrongAccount);
    expect(await insert('rounding', 3740)).toBe('payments_rounding_is_small');
    expect(await insert('money', 1930, '2026-03-30')).toBe('payments_follow_their_invoice');
    // The voucher books 1 kr, which is registered already.
    expect(await insert('money', 1930)).toBe('payments_are_booked');
  });
});

describe('a payment to a supplier', () => {
  const pay = (purchaseId: string, given: object = {}) => {
    const payment = { purchaseId, date: '2026-04-15', today: TODAY, amountOre: 125_000n, ...given };
    return owner((tx) => payPurchase(tx, payment, ACTOR));
  };

  test.each([
    ['through payables', { account: 2440 }, 'account', 'not_a_money_account'],
    ['through costs', { account: 4000 }, 'account', 'not_a_money_account'],
    ['through a bank fee alone', { account: 6570 }, 'account', 'not_a_money_account'],
    ['before the invoice', { date: '2025-01-01' }, 'date', 'paid_before_purchase'],
    ['on a day to come', { date: '2026-11-21' }, 'date', 'in_the_future'],
  ])('%s is refused', async (_what, given, path, reason) => {
    const id = await purchase();
    await expect(pay(id, given)).rejects.toMatchObject(refused(path, reason));
  });

  test('pays the fee on top of the debt', async () => {
    const id = await purchase();
    const differences = { bank_fee: 2_500n, rounding: 40n };
    const { openOre, voucherId } = await pay(id, { amountOre: 127_460n, differences });
    expect(openOre).toBe(0n);
    expect(
      await rows(sql`select account, debit_ore - credit_ore as ore from ledger.voucher_rows
        where voucher_id = ${voucherId}::uuid order by account`),
    ).toEqual([
      { account: 1930, ore: -127_460n },
      { account: 2440, ore: 125_000n },
      { account: 3740, ore: -40n },
      { account: 6570, ore: 2_500n },
    ]);
    const insert = (kind: string, account: number, date = '2026-04-15') =>
      refusalOf(
        books.owner,
        `insert into purchases.payments (id, invoice_id, paid_on, kind, amount_ore, account,
          voucher_id, created_by)
        values ('${uuid()}', '${id}', '${date}', '${kind}', 1, ${account}, '${voucherId}', 'x')`,
      );
    expect(await insert('money', 2440)).toBe('payments_kind_is_of_account');
    expect(await insert('loss', 6351)).toBe('payments_kind_is_of_account');
    expect(await insert('money', 1930, '2025-01-01')).toBe('payments_follow_their_invoice');
    expect(await insert('money', 1930)).toBe('payments_are_booked');
  });
});

describe('a set-off', () => {
  let id: string;
  let purchaseId: string;
  /** Ours to the same party as the supplier's, both of 1 250 kr. */
  beforeEach(async () => {
    purchaseId = await purchase();
    const customer = await owner((tx) =>
      insertCustomer(tx, { name: 'Bruket', organizationNumber: '5560360793' }),
    );
    [id = ''] = await makeDrafts(books.owner, [1_000n]);
    await books.owner.query(
      `update sales.invoices set customer_id = '${customer.id}' where id = '${id}'`,
    );
    await owner((tx) => bookInvoices(tx, [id], ACTOR));
  });
  const act = (amountOre: bigint, given: object = {}) => {
    const common = { invoiceId: id, purchaseId, date: '2026-04-15', today: TODAY };
    return owner((tx) => setOff(tx, { ...common, amountOre, ...given }, ACTOR));
  };
  const owedTo = async () => {
    const [row] = await rows<{ open_ore: bigint }>(
      sql`select open_ore from purchases.invoices where id = ${purchaseId}::uuid`,
    );
    return row?.open_ore;
  };

  test('lessens both by one voucher, and can be taken back', async () => {
    const standing = await act(100_000n);
    expect(standing).toMatchObject({ openOre: 25_000n, status: 'booked' });
    expect(await owedTo()).toBe(25_000n);
    expect(
      await rows(sql`select account, debit_ore - credit_ore as ore from ledger.voucher_rows
        where voucher_id = ${standing.voucherId}::uuid order by account`),
    ).toEqual([
      { account: 1510, ore: -100_000n },
      { account: 2440, ore: 100_000n },
    ]);
    await expect(act(-100_001n)).rejects.toMatchObject(refused('amount', 'exceeds_set_off'));
    await expect(act(25_001n)).rejects.toMatchObject(refused('amount', 'set_off_exceeds_open'));
    expect(await act(-100_000n)).toMatchObject({ openOre: 125_000n });
    expect(await owedTo()).toBe(125_000n);
    // Both are here, so it wants no document.
    expect(
      await rows(sql`select count(*)::integer as lacking from ledger.vouchers v
        where v.description like 'Kvittning%' and ledger.wants_document(v.source, v.id)`),
    ).toEqual([{ lacking: 0 }]);
    const failing = await rows<{ names: string[] }>(
      sql`select ledger.failing_conditions('2026-04-01', 'Europe/Stockholm') as names`,
    );
    expect(failing[0]?.names).not.toContain('kundreskontra');
    expect(failing[0]?.names).not.toContain('leverantorsreskontra');
  });

  test('is between the same parties, on a day that has been, of something', async () => {
    const other = await invoice();
    await expect(act(1n, { invoiceId: other })).rejects.toMatchObject(
      refused('purchase', 'other_party'),
    );
    await expect(act(0n)).rejects.toMatchObject(refused('amount', 'no_amount'));
    await expect(act(1n, { date: '2026-03-30' })).rejects.toMatchObject(
      refused('date', 'set_off_before_invoice'),
    );
    await expect(act(1n, { date: '2026-11-21' })).rejects.toMatchObject(
      refused('date', 'in_the_future'),
    );
    expect(await owedTo()).toBe(125_000n);
  });

  test('is made on a page of the invoice, and told in the audit log', async () => {
    const person = await logIn(books, 'medarbetare');
    const address = `/kundfakturor/${id}/kvittning`;
    expect((await person.get(`/kundfakturor/${id}`)).body).toContain(`href="${address}"`);
    const form = (await person.get(address)).body.replaceAll('\u00a0', ' ');
    expect(form).toContain('name="amount" value="1 250,00"');
    const fields = { purchase: purchaseId, amount: '250', date: '2026-04-15' };
    const send = (given: object) =>
      person.post(address, {
        ...tokensOf(form),
        seen: hiddenOf(form, 'seen'),
        ...fields,
        ...given,
      });
    expect((await send({})).statusCode).toBe(303);
    expect(await owedTo()).toBe(100_000n);
    const page = textOfPage((await person.get(`/kundfakturor/${id}`)).body);
    expect(page).toMatch(/2440 ?Kvittning/);
    const log = textOfPage((await person.get('/handelser')).body);
    expect(log).toContain('kvittade en kundfaktura mot en leverantörsfaktura');
    const supplier = textOfPage((await person.get(`/leverantorsinkorg/${purchaseId}`)).body);
    expect(supplier).toMatch(/1510 ?Kvittning/);
  });

  test('by many at once is never more than either owes', async () => {
    const acts = Array.from({ length: 8 }, () => act(25_000n));
    const outcomes = await Promise.allSettled(acts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await openOf(id)).toEqual({ status: 'paid', open_ore: 0n });
    expect(await owedTo()).toBe(0n);
  });
});

describe('a credit note', () => {
  test('goes down in the boxes that the sale went up in, whatever the accounts have got since', async () => {
    const id = await invoice();
    const give = (account: number, code: string | null) =>
      books.owner.query('update ledger.accounts set vat_code = $1 where number = $2', [
        code,
        account,
      ]);
    await give(1510, 'X');
    await give(2611, null);
    await give(3001, 'X');
    try {
      const note = await owner((tx) =>
        creditInvoice(tx, { invoiceId: id, date: '2026-04-01' }, ACTOR),
      );
      expect(
        await rows(sql`select r.account, r.vat_code from sales.invoices i
          join ledger.voucher_rows r on r.voucher_id = i.voucher_id
          where i.id = ${note.id}::uuid order by r.row_no`),
      ).toEqual([
        { account: 1510, vat_code: null },
        { account: 3001, vat_code: 'MP1' },
        { account: 2611, vat_code: 'U1' },
      ]);
    } finally {
      await give(1510, null);
      await give(2611, 'U1');
      await give(3001, 'MP1');
    }
  });

  test('is never dated before its invoice, in the database neither', async () => {
    const id = await invoice();
    const credit = { invoiceId: id, date: '2026-03-30' };
    await expect(owner((tx) => creditInvoice(tx, credit, ACTOR))).rejects.toMatchObject(
      refused('date', 'credit_before_invoice'),
    );
    const insert = (day: string, effective: string) =>
      refusalOf(
        books.owner,
        `insert into sales.invoices (id, kind, credited_invoice_id, source, created_by, customer_id,
          invoice_date, effective_date, due_date, payment_terms_days, debtor, net_ore, vat_ore, total_ore)
        select '${uuid()}', 'credit_note', i.id, 'app', 'x', i.customer_id, '${day}', '${effective}',
          '${day}', 0, i.debtor, 0, 0, 0 from sales.invoices i where i.id = '${id}'`,
      );
    expect(await insert('2026-03-30', '2026-03-30')).toBe('credit_notes_follow_their_invoice');
    expect(await insert('2026-04-30', '2026-04-15')).toBe('invoices_credit_note_takes_effect');
    expect(await insert('2026-03-31', '2026-03-31')).toBe('1 rows');
  });

  test('is of an invoice that is booked, as what is paid and claimed is: of a draft all would be owed later', async () => {
    const [draft = ''] = await makeDrafts(books.owner, [100n]);
    const booked = await invoice();
    const credit = { invoiceId: booked, date: '2026-03-31' };
    const note = await owner((tx) => creditInvoice(tx, credit, ACTOR));
    for (const id of [draft, note.id]) {
      const insert = (table: string, columns: string, values: string) =>
        refusalOf(
          books.owner,
          `insert into sales.${table} (id, created_by, ${columns})
           select '${uuid()}', 'x', ${values} from sales.invoices i where i.id = '${id}'`,
        );
      expect(
        await insert(
          'invoices',
          `kind, credited_invoice_id, source, customer_id, invoice_date, effective_date, due_date,
           payment_terms_days, debtor, net_ore, vat_ore, total_ore`,
          `'credit_note', i.id, 'app', i.customer_id, i.invoice_date, i.invoice_date, i.invoice_date,
           0, i.debtor, 0, 0, 0`,
        ),
      ).toBe('credit_notes_follow_their_invoice');
      expect(
        await insert(
          'payments',
          'invoice_id, payment_date, kind, amount_ore, account, voucher_id',
          `i.id, i.invoice_date, 'money', 100, 1930, '${await voucherOf(booked)}'`,
        ),
      ).toBe('payments_follow_their_invoice');
      expect(
        await insert(
          'reminders',
          'invoice_id, reminder_no, sent_date, fee_ore, fee_is_vouched_for',
          `i.id, 1, '2026-05-02', 0, false`,
        ),
      ).toBe('reminders_are_booked');
    }
  });
});

describe('a reminder', () => {
  const remind = (invoiceId: string, sentDate: string, given: object = {}) => {
    const reminder = { invoiceId, sentDate, today: TODAY, feeOre: 0n, ...given };
    return owner((tx) => registerReminder(tx, reminder, ACTOR));
  };
  const fee = { feeOre: 6_000n, isFeeVouchedFor: true };
  const withdraw = (invoiceId: string, reminderNo: number, date = '2026-05-02') =>
    owner((tx) => {
      const reason = 'Betalningen var på väg';
      return withdrawFee(tx, { invoiceId, reminderNo, date, today: TODAY, reason }, ACTOR);
    });

  test('is sent once a day, never tomorrow, and has no fee without a right', async () => {
    const id = await invoice();
    await remind(id, '2026-05-01');
    for (const day of ['2026-05-01', '2026-04-30']) {
      await expect(remind(id, day)).rejects.toMatchObject(refused('sentDate', 'reminded_already'));
    }
    await expect(remind(id, '2026-11-21')).rejects.toMatchObject(
      refused('sentDate', 'in_the_future'),
    );
    await expect(remind(id, '2026-05-02', { feeOre: 1n })).rejects.toMatchObject(
      refused('fee', 'fee_not_agreed'),
    );
    expect(await remind(id, '2026-05-02', fee)).toMatchObject({ openOre: 131_000n });
    const insert = (day: string, ore: number) =>
      refusalOf(
        books.owner,
        `insert into sales.reminders (id, invoice_id, reminder_no, sent_date, fee_ore, voucher_id,
          created_by)
        select '${uuid()}', '${id}', 3, '${day}', ${ore}, case when ${ore} > 0 then voucher_id end, 'x'
        from sales.invoices where id = '${id}'`,
      );
    expect(await insert('2026-05-02', 0)).toBe('reminders_are_on_different_days');
    expect(await insert('2026-05-03', 100)).toBe('reminders_fee_is_agreed');
  });

  test('keeps standing when its fee is withdrawn, once and with its own voucher', async () => {
    const id = await invoice();
    await remind(id, '2026-05-01', fee);
    await expect(withdraw(id, 1, '2026-04-30')).rejects.toMatchObject(
      refused('date', 'before_reminder'),
    );
    expect(await withdraw(id, 1)).toMatchObject({ openOre: 125_000n });
    await expect(withdraw(id, 1)).rejects.toMatchObject(refused('reminderNo', 'withdrawn_already'));
    await remind(id, '2026-05-03');
    await expect(withdraw(id, 2)).rejects.toMatchObject(refused('reminderNo', 'no_fee'));
    for (const statement of ['delete from', 'truncate']) {
      expect(await refusalOf(books.owner, `${statement} sales.withdrawn_fees`)).toBe(
        'withdrawn_fees_are_immutable',
      );
    }
    expect(await openOf(id)).toEqual({ status: 'booked', open_ore: 125_000n });
  });

  test('whose fee was paid and then withdrawn leaves us owing it', async () => {
    const id = await invoice();
    await remind(id, '2026-05-01', fee);
    const paid = { invoiceId: id, date: '2026-05-02', today: TODAY, amountOre: 131_000n };
    await owner((tx) => registerPayment(tx, paid, ACTOR));
    expect(await withdraw(id, 1)).toMatchObject({ openOre: -6_000n });
  });
});

test('after all of it the books verify', async () => {
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});
