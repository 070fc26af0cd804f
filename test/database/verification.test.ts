/** The books are tampered with behind every trigger's back; verification says what and where. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { ledgerVoucher, post, tamper } from './books.ts';

/** With something in them, of which each test has a copy. */
let original: TestDatabase;
beforeAll(async () => {
  original = await cloneDatabase('company');
  const owner = createPool({ url: original.url, max: 1, applicationName: 'test' });
  await post(owner, [ledgerVoucher(), ledgerVoucher(), ledgerVoucher(), ledgerVoucher()]);
  const drafts = await makeDrafts(owner, [100n, 200n, 300n]);
  await withTx(owner, (tx) => bookInvoices(tx, drafts, 'test'));
  await owner.end();
  return () => original.drop();
});

let books: Books;
beforeEach(async () => {
  books = await createBooks({ copyOf: original.url });
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
      ['broken_chain A2', 'wrong_sum null', 'wrong_sum null'],
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
        'wrong_sum null',
        'wrong_sum null',
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
      ['broken_chain A3', 'gap A3', 'removed_voucher null', 'wrong_sum null', 'wrong_sum null'],
    ],
    [
      'the last voucher gone, its number too',
      `delete from ledger.voucher_rows where series = 'A' and number = 4;
       delete from ledger.vouchers where series = 'A' and number = 4;
       update ledger.series set last_number = 3 where code = 'A'`,
      [
        'removed_voucher null',
        'wrong_head A3',
        'wrong_month_balance A',
        'wrong_month_balance A',
        'wrong_month_balance A',
        'wrong_sum null',
        'wrong_sum null',
      ],
    ],
    [
      'every voucher of a series gone',
      `delete from ledger.voucher_rows where series = 'A'; delete from ledger.vouchers where series = 'A';
       delete from ledger.month_balances b using ledger.series s where s.id = b.series_id and s.code = 'A'`,
      [
        ...Array.from({ length: 4 }, () => 'removed_voucher null'),
        'wrong_head A4',
        'wrong_sum null',
        'wrong_sum null',
      ],
    ],
    [
      'the last voucher cut off so that chain, head and every kept sum agree',
      `update ledger.month_balances b set debit_ore = b.debit_ore - r.debit_ore, credit_ore = b.credit_ore - r.credit_ore
       from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
       where r.series = 'A' and r.number = 4 and b.series_id = v.series_id and b.account = r.account
         and b.vat_code = coalesce(r.vat_code, '');
       update ledger.month_totals set revenue_ore = revenue_ore / 4 * 3
       where series_id = (select id from ledger.series where code = 'A');
       update ledger.day_revenues set revenue_ore = revenue_ore / 4 * 3
       where series_id = (select id from ledger.series where code = 'A');
       delete from ledger.voucher_rows where series = 'A' and number = 4;
       delete from ledger.vouchers where series = 'A' and number = 4;
       update ledger.series s set last_number = 3, last_hash = v.hash
       from ledger.vouchers v where v.series_id = s.id and v.series = 'A' and v.number = 3`,
      ['removed_voucher null'],
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
      'a month balance under another VAT code',
      `update ledger.month_balances b set vat_code = 'MP2' from ledger.series s
       where s.id = b.series_id and s.code = 'A' and b.account = 3001`,
      ['wrong_month_balance A', 'wrong_month_balance A'],
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
      [
        'invoice_gap B1003',
        'voucher_without_invoice B2',
        'wrong_receivables B',
        'wrong_sum null',
        'wrong_sum null',
        'wrong_sum null',
      ],
    ],
    [
      'the first invoice gone',
      'delete from sales.invoices where number = 1001',
      [
        'voucher_without_invoice B1',
        'wrong_receivables B',
        'wrong_sum null',
        'wrong_sum null',
        'wrong_sum null',
      ],
    ],
    [
      'the last invoice gone',
      'delete from sales.invoices where number = 1003',
      [
        'invoice_wrong_head B1003',
        'voucher_without_invoice B3',
        'wrong_receivables B',
        'wrong_sum null',
        'wrong_sum null',
        'wrong_sum null',
      ],
    ],
    [
      'an invoice of another amount than its voucher',
      `update sales.invoices set total_ore = total_ore + 1, rounding_ore = 1 where number = 1002`,
      ['invoice_wrong_remainder B1002', 'invoice_wrong_voucher B1002', 'wrong_sum null'],
    ],
    [
      'an invoice that sold on another account than its voucher',
      `update sales.invoice_rows set account = 3002
       where invoice_id = (select id from sales.invoices where number = 1002)`,
      ['invoice_wrong_voucher B1002'],
    ],
    [
      'an invoice with VAT of another rate than its voucher',
      `update sales.invoice_rows set vat_rate = 12
       where invoice_id = (select id from sales.invoices where number = 1002)`,
      ['invoice_wrong_voucher B1002'],
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
      [
        'invoice_without_voucher B1002',
        'schema_changed null',
        'voucher_without_invoice B2',
        'wrong_sum null',
      ],
    ],
    [
      'a sum of a day’s revenue that is not the rows’',
      'update ledger.day_revenues set revenue_ore = revenue_ore + 1',
      ['wrong_sum null', 'wrong_sum null'],
    ],
    [
      'a month’s totals gone',
      `delete from ledger.month_totals t using ledger.series s where s.id = t.series_id and s.code = 'A'`,
      ['wrong_sum null'],
    ],
    [
      'sums of customers and of days with invoices that are not the invoices’',
      `update sales.customer_revenues set net_ore = net_ore - 1;
       update sales.day_invoices set invoices = invoices + 1`,
      ['wrong_sum null', 'wrong_sum null'],
    ],
    [
      'what months did to what customers owe that is not what happened to the invoices',
      'update sales.receivable_changes set ore = ore + 1',
      ['wrong_sum null'],
    ],
    [
      'documents counted that are not there',
      `update ledger.documented_vouchers set attached = attached + 1`,
      ['wrong_sum null'],
    ],
    [
      'a voucher that keeps VAT out of every box for no period',
      `update ledger.vouchers set source = 'vat' where id = ${ofA2}`,
      [
        'broken_chain A2',
        'vat_without_period A2',
        // It was summed among those that stand in boxes.
        ...Array.from({ length: 6 }, () => 'wrong_month_balance A'),
        'wrong_sum null',
      ],
    ],
  ])('%s', async (_, statement, expected) => {
    await tamper(books.url, statement);
    expect((await findings()).sort()).toEqual(expected);
  });
});

const changed = (table: string): string =>
  `Tabellen ${table} har andra kolumner, villkor, spärrar eller skydd än programmets egen.`;
/** Stands for the name of the test's database. */
const here = '<here>';

describe('finds what no longer guards the books', () => {
  test.each([
    [
      'row level security that is off',
      'alter table ledger.vouchers disable row level security',
      'Skyddet saknas i databasen: ledger.vouchers on.',
    ],
    [
      'a policy that is gone',
      'drop policy people_read on ledger.vouchers',
      "Skyddet saknas i databasen: ledger.vouchers people_read select hb_app: ( SELECT app.may('read'::text) AS may).",
    ],
    [
      'a policy for all',
      'create policy everybody on ledger.vouchers using (true)',
      'Skyddet hör inte till det här programmets databas: ledger.vouchers everybody all public: true.',
    ],
    [
      'a right too many',
      'grant update (open_ore) on purchases.invoices to hb_worker',
      'Rättigheten för hb_worker hör inte till det här programmets databas: purchases.invoices (booking_refusal, open_ore): update.',
    ],
    [
      'a right that is gone',
      'revoke select on ledger.series from hb_api',
      'Rättigheten för hb_api saknas i databasen: ledger.series: select.',
    ],
    [
      'a right for everybody',
      'grant usage on schema agency to public; grant execute on function agency.aggregate to public',
      'Rättigheten för alla hör inte till det här programmets databas: agency.aggregate(): execute.',
    ],
    [
      'a trigger that is off',
      'alter table ledger.vouchers disable trigger vouchers_are_immutable',
      'Spärren saknas i databasen: ledger.vouchers vouchers_are_immutable: ledger.refuse_change.',
    ],
    [
      'a trigger that fires only for copies',
      'alter table audit.events enable replica trigger events_are_immutable',
      'Spärren saknas i databasen: audit.events events_are_immutable: audit.refuse_change.',
    ],
    [
      'a trigger that is gone',
      'drop trigger payments_settle on purchases.payments',
      'Spärren saknas i databasen: purchases.payments payments_settle: purchases.settle_added.',
    ],
    [
      'a function of another owner',
      'alter function app.may owner to postgres',
      'Ägaren hör inte till det här programmets databas: app.may(): postgres.',
    ],
    [
      'a function with the caller’s rights in place of its owner’s',
      'alter function app.may security invoker',
      'Funktionen med ägarens rättigheter saknas i databasen: app.may.',
    ],
    [
      'a function whose names can be taken for others',
      'alter function app.may reset search_path',
      'Sökvägen hör inte till det här programmets databas: app.may: inte pg_catalog, pg_temp.',
    ],
    [
      'a function that does something else',
      `create or replace function app.may(p_right text) returns boolean language sql stable security definer
        set search_path = pg_catalog, pg_temp as 'select true'`,
      'Funktionen app.may() gör något annat än programmets egen.',
    ],
    [
      'a trigger that fires for nothing',
      `create or replace trigger vouchers_are_immutable before update or delete or truncate on ledger.vouchers
        for each statement when (false) execute function ledger.refuse_change()`,
      changed('ledger.vouchers'),
    ],
    [
      'a policy that lets more be written than read',
      'alter policy people_write on ledger.locks with check (true)',
      changed('ledger.locks'),
    ],
    [
      'a condition that is gone',
      'alter table ledger.voucher_rows drop constraint voucher_rows_one_side',
      changed('ledger.voucher_rows'),
    ],
    [
      'a voucher number that may be had twice',
      'alter table ledger.vouchers drop constraint vouchers_number_key cascade',
      changed('ledger.vouchers'),
    ],
    [
      'a value that is filled in',
      `alter table restricted.users alter column role set default 'agare'`,
      changed('restricted.users'),
    ],
    [
      'a rule by which nothing more is written in the audit log',
      'create rule nothing as on insert to audit.events do instead nothing',
      changed('audit.events'),
    ],
    [
      'rows that are shown beside those of the table',
      'create table public.more () inherits (ledger.voucher_rows)',
      changed('ledger.voucher_rows'),
    ],
    [
      'books that the next loss of power empties',
      'alter table ledger.accrual_postings set unlogged',
      changed('ledger.accrual_postings'),
    ],
    [
      'references that are asked for no more',
      `do $$ declare v_name text; begin
        select tgname into strict v_name from pg_trigger where tgrelid = 'ledger.attachments'::regclass
          and tgisinternal and tgtype & 4 = 4 order by 1 limit 1;
        execute format('alter table ledger.attachments disable trigger %I', v_name);
      end $$`,
      changed('ledger.attachments'),
    ],
    [
      'sessions in which no trigger fires',
      `alter database ${here} set session_replication_role = replica`,
      'Alla sessioner börjar utan spärrar. Ta bort det som databasens superanvändare: alter database … reset session_replication_role.',
    ],
    [
      'sessions that begin otherwise than the program says',
      `alter role hb_agency in database ${here} set datestyle = 'German'`,
      'Rollen börjar sina sessioner med något som inte är programmets: hb_agency DateStyle=German (här). Kör huvudbok migrate, som tar bort det.',
    ],
  ])('%s', async (_, statement, expected) => {
    const name = new URL(books.url).pathname.slice(1);
    await tamper(books.url, statement.replace(here, name));
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems.map(({ message }) => message)).toContain(expected);
  });

  test('but what an operator keeps beside the books, as for PgBouncer, is no fault of them', async () => {
    await tamper(
      books.url,
      `create schema pgbouncer;
       create function pgbouncer.find_login(text, out name text, out password text)
         language sql security definer set search_path = pg_catalog, pg_temp
         as 'select rolname, rolpassword from pg_authid where rolname = $1'`,
    );
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems, 'docs/operating.md says to make it').toEqual([]);
  });

  test('as the worker sees it, every night', async () => {
    await tamper(books.url, 'alter table ledger.vouchers disable row level security');
    const worker = createPool({
      url: await roleUrl(books.url, 'hb_worker'),
      max: 1,
      applicationName: 'test',
    });
    const { problems } = await verifyBooks(db(worker), () => undefined);
    await worker.end();
    expect(problems.map(({ message }) => message)).toEqual([
      'Skyddet saknas i databasen: ledger.vouchers on.',
    ]);
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
