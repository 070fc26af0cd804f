/** The books are tampered with behind every trigger's back; verification says what and where. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { bookInvoices } from '#src/invoices/service.ts';
import { verifyBooks } from '#src/verification/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { ledgerVoucher, post, tamper } from './books.ts';

let books: Installation;
beforeEach(async () => {
  books = await createInstallation();
  await post(books.owner, [ledgerVoucher(), ledgerVoucher(), ledgerVoucher(), ledgerVoucher()]);
  const drafts = await makeDrafts(books.owner, [100n, 200n, 300n]);
  await withTx(books.owner, (tx) => bookInvoices(tx, drafts, 'test'));
});
afterEach(() => books.close());

/** What is found, as `kind series+number`. */
async function findings(): Promise<string[]> {
  const { problems } = await verifyBooks(db(books.owner), () => undefined);
  return problems.map(({ kind, series, number }) => `${kind} ${series}${number ?? ''}`);
}

test('whole books have no problems', async () => {
  expect(await findings()).toEqual([]);
});

const ofA2 = `(select id from ledger.vouchers where series = 'A' and number = 2)`;

describe('finds', () => {
  test.each([
    [
      'a changed description',
      `update ledger.vouchers set description = 'x' where id = ${ofA2}`,
      ['broken_chain A2'],
    ],
    [
      'a changed counterparty',
      `update ledger.vouchers set counterparty = 'x' where id = ${ofA2}`,
      ['broken_chain A2'],
    ],
    [
      'another author',
      `update ledger.vouchers set posted_by = 'x' where id = ${ofA2}`,
      ['broken_chain A2'],
    ],
    [
      'another day',
      `update ledger.vouchers set verification_date = '2026-03-30' where id = ${ofA2};
       update ledger.voucher_rows set verification_date = '2026-03-30' where voucher_id = ${ofA2}`,
      ['broken_chain A2'],
    ],
    [
      'a day outside the year',
      `update ledger.vouchers set verification_date = '2027-01-01' where id = ${ofA2}`,
      ['broken_chain A2', 'outside_year A2', 'unbalanced A2'],
    ],
    [
      'amounts changed on both sides',
      `update ledger.voucher_rows set debit_ore = debit_ore * 2, credit_ore = credit_ore * 2
       where voucher_id = ${ofA2};
       update ledger.vouchers set total_ore = total_ore * 2 where id = ${ofA2}`,
      [
        'broken_chain A2',
        'wrong_month_balance A',
        'wrong_month_balance A',
        'wrong_month_balance A',
      ],
    ],
    [
      'a changed amount',
      `update ledger.voucher_rows set debit_ore = 1 where voucher_id = ${ofA2} and row_no = 1`,
      ['broken_chain A2', 'unbalanced A2', 'wrong_month_balance A'],
    ],
    [
      'another account',
      `update ledger.voucher_rows set account = 2440 where voucher_id = ${ofA2} and row_no = 1`,
      ['broken_chain A2', 'wrong_month_balance A', 'wrong_month_balance A'],
    ],
    [
      'a row that is gone',
      `delete from ledger.voucher_rows where voucher_id = ${ofA2} and row_no = 3`,
      ['broken_chain A2', 'unbalanced A2', 'wrong_month_balance A'],
    ],
    [
      'a voucher that is gone',
      `delete from ledger.voucher_rows where voucher_id = ${ofA2};
       delete from ledger.vouchers where id = ${ofA2};
       update ledger.month_balances set debit_ore = debit_ore / 4 * 3, credit_ore = credit_ore / 4 * 3
       where series_id = (select series_id from ledger.vouchers where series = 'A' limit 1)`,
      ['broken_chain A3', 'gap A3'],
    ],
    [
      'the last voucher gone, its number too',
      `delete from ledger.voucher_rows where series = 'A' and number = 4;
       delete from ledger.vouchers where series = 'A' and number = 4;
       update ledger.series set last_number = 3 where code = 'A'`,
      ['wrong_head A3', 'wrong_month_balance A', 'wrong_month_balance A', 'wrong_month_balance A'],
    ],
    [
      'every voucher of a series gone',
      `delete from ledger.voucher_rows where series = 'A'; delete from ledger.vouchers where series = 'A';
       delete from ledger.month_balances b using ledger.series s where s.id = b.series_id and s.code = 'A'`,
      ['wrong_head A4'],
    ],
    [
      'two vouchers that changed places',
      `update ledger.vouchers set number = 1005 - number where series = 'A' and number in (2, 3);
       update ledger.vouchers set number = number - 1000 where number > 1000;
       update ledger.voucher_rows r set number = v.number from ledger.vouchers v where v.id = r.voucher_id`,
      ['broken_chain A2', 'broken_chain A3', 'broken_chain A4'],
    ],
    [
      'a changed hash',
      `update ledger.vouchers set hash = sha256('x') where id = ${ofA2}`,
      ['broken_chain A2', 'broken_chain A3'],
    ],
    [
      'a month balance changed',
      `update ledger.month_balances b set debit_ore = debit_ore + 1 from ledger.series s
       where s.id = b.series_id and s.code = 'A' and b.account = 1930`,
      ['wrong_month_balance A'],
    ],
    [
      'a month balance gone, and one of nothing',
      `update ledger.month_balances b set month = '2026-04-01' from ledger.series s
       where s.id = b.series_id and s.code = 'A' and b.account = 1930`,
      ['wrong_month_balance A', 'wrong_month_balance A'],
    ],
    [
      'an invoice gone from the middle',
      'delete from sales.invoices where number = 1002',
      ['invoice_gap B1003', 'voucher_without_invoice B2', 'wrong_receivables B'],
    ],
    [
      'the first invoice gone',
      'delete from sales.invoices where number = 1001',
      ['voucher_without_invoice B1', 'wrong_receivables B'],
    ],
    [
      'the last invoice gone',
      'delete from sales.invoices where number = 1003',
      ['invoice_wrong_head B1003', 'voucher_without_invoice B3', 'wrong_receivables B'],
    ],
    [
      'an invoice of another amount than its voucher',
      `update sales.invoices set total_ore = total_ore + 1, rounding_ore = 1 where number = 1002`,
      ['invoice_wrong_remainder B1002', 'invoice_wrong_voucher B1002'],
    ],
    [
      'an invoice of which something else remains than was paid',
      'update sales.invoices set open_ore = open_ore - 1 where number = 1002',
      ['invoice_wrong_remainder B1002', 'wrong_receivables B'],
    ],
    [
      'a sum of receivables that is not the invoices’',
      'update sales.receivables set open_ore = open_ore + 1',
      ['wrong_receivables B'],
    ],
    [
      'a booked invoice without its voucher',
      `alter table sales.invoices drop constraint invoices_amount_is_posted;
       update sales.invoices set voucher_id = null where number = 1002`,
      ['invoice_without_voucher B1002', 'voucher_without_invoice B2'],
    ],
  ])('%s', async (_, statement, expected) => {
    await tamper(books.url, statement);
    expect((await findings()).sort()).toEqual(expected);
  });
});

test('says the year, series and number in words a person can act on', async () => {
  await tamper(books.url, `update ledger.vouchers set description = 'x' where id = ${ofA2}`);
  const { vouchers, series, problems } = await verifyBooks(db(books.owner), () => undefined);
  expect({ vouchers, series }).toEqual({ vouchers: 7, series: 8 });
  expect(problems).toEqual([
    {
      kind: 'broken_chain',
      series: 'A',
      year: 2026,
      number: 2,
      message: 'Innehållet stämmer inte med hashkedjan: verifikatet har ändrats.',
    },
  ]);
});
