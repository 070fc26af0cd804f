/**
 * What somebody cannot do by SQL with rights of their own: the owner of the company at a browser, a
 * bookkeeper, a worker, a key. What is owed, what is booked, what is locked and what is written down.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import type { Role } from '#src/access/users/roles.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, createPool, databaseErrorOf, db, withTx } from '#src/db/pool.ts';
import type { DatabaseRole as Login } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import type { SettingName } from '#src/domain/basics/company-settings.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { bookPurchases, createSupplierOf } from '#src/purchases/inbox/service.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { makeInvoice } from '../support/invoices.ts';
import { logIn } from '../support/person.ts';

const forbidden = '42501';

let books: Installation;
const sessions = new Map<Role, string>();
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  for (const role of ['agare', 'medarbetare', 'lasare'] as const) {
    const { cookies } = await logIn(books, role);
    sessions.set(role, hashOfSecret(String(cookies.get(sessionCookie))).toString('hex'));
  }
  await books.call({ method: 'POST', url: '/api/inbound/order', payload: orderBody() });
  for (const number of ['F-1', 'F-2']) {
    const headers = { 'content-type': 'application/xml' };
    const payload = eInvoice({ number });
    await books.call({ method: 'POST', url: '/api/inbound/peppol', payload, headers });
  }
  await withTx(books.owner, async (tx) => {
    const [first] = await tx.query<{ id: string }>(
      sql`select id from purchases.invoices where invoice_number = 'F-1'`,
    );
    if (!first) throw new Error('the e-invoice became no draft');
    await createSupplierOf(tx, first.id, 'test');
    await bookPurchases(tx, [first.id], 'test');
  });
  await books.owner.query(`insert into events.endpoints (id, url, created_by, after_epoch, after_xid,
    after_seq) values (gen_random_uuid(), 'https://example.com', 'test', 0, '0', 0)`);
});
afterAll(() => books.close());

/** All the statements in one transaction, as the login and, where there is one, the person. */
function login(role: Login, person?: Role) {
  let client: pg.Client;
  beforeEach(async () => {
    client = await connect(await roleUrl(books.url, role), 'attacker');
    client.on('error', () => undefined);
  });
  afterEach(() => client.end());
  return async (...statements: string[]): Promise<unknown[] | string> => {
    try {
      await client.query('begin');
      if (person) await client.query(`set local huvudbok.session = '${sessions.get(person)}'`);
      let rows: unknown[] = [];
      for (const statement of statements) rows = (await client.query(statement)).rows;
      await client.query('commit');
      return rows;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      const known = databaseErrorOf(error);
      return known?.constraint ?? known?.code ?? String(error);
    }
  };
}

const asOwner = async (text: string) => db(books.owner).query<object>({ text, values: [] });

/** What the books say, whoever has tried. */
const standing = () =>
  asOwner(`select
    (select json_agg(s order by s.id) from ledger.series s) as series,
    (select json_agg(l) from ledger.locks l) as locks,
    (select json_agg(y) from ledger.fiscal_years y) as years,
    (select json_agg(i order by i.id) from sales.invoices i) as invoices,
    (select json_agg(i order by i.id) from purchases.invoices i) as purchases,
    (select json_agg(e) from events.endpoints e) as endpoints,
    (select json_agg(k order by k.id) from restricted.api_keys k) as keys,
    (select json_agg(u.role order by u.id) from restricted.users u) as roles,
    (select count(*) from ledger.vat_filings) as filings,
    (select count(*) from purchases.payments) as payments`);

const draft = `(id, document_id, status, kind, seller, invoice_number, issue_date, currency, net_ore, vat_ore,
  rounding_ore, prepaid_ore, payable_ore, payment`;

/** No login but the functions' owner may. */
const nobodys = [
  `update ledger.series set last_number = 0`,
  `update ledger.series set last_hash = ''`,
  `insert into ledger.series (id, fiscal_year_id, code, name, last_number)
   select gen_random_uuid(), id, 'Z', 'x', 7 from ledger.fiscal_years`,
  `insert into ledger.series (id, fiscal_year_id, code, name, last_hash)
   select gen_random_uuid(), id, 'Z', 'x', '' from ledger.fiscal_years`,
  `update sales.invoices set open_ore = 0`,
  `update sales.invoices set status = 'paid'`,
  `update sales.invoices set number = 1, status = 'booked'`,
  `update purchases.invoices set open_ore = 0`,
  `update purchases.invoices set status = 'booked', booking_date = '2026-03-31', decided_at = now()`,
  `update purchases.invoices set voucher_id = null`,
  `update purchases.invoices set payable_ore = 1`,
  `update purchases.invoices set decided_by = 'cli'`,
  `insert into purchases.invoices ${draft}, open_ore)
   select gen_random_uuid(), null, 'booked', 'invoice', '{}', 'X', now(), 'SEK', 1, 0, 0, 0, 1, '{}', 1`,
  `update purchases.payments set amount_ore = 1`,
  `update sales.payments set amount_ore = 1`,
  `update sales.reminders set fee_ore = 0`,
  `update events.endpoints set url = 'https://elsewhere.example'`,
  `update restricted.api_keys set hash = sha256('x')`,
  `update restricted.api_keys set scopes = array['data:read']`,
  `select hash from restricted.api_keys`,
  `select hash from restricted.agency_keys`,
  `update restricted.agency_keys set hash = sha256('x')`,
  `insert into ledger.month_balances select * from ledger.month_balances`,
  `update ledger.month_totals set revenue_ore = 0`,
  `update ledger.day_revenues set revenue_ore = 0`,
  `update sales.receivables set open_ore = 0`,
  `update sales.receivable_changes set ore = 0`,
  `delete from purchases.payable_changes`,
  `update ledger.fiscal_years set end_date = '2027-12-31'`,
  `update ledger.vat_settlements set period_end = '2026-06-30'`,
  `update ledger.vat_filings set filed_by = 'cli'`,
  `insert into ledger.vat_filings (period_start, period_end, filed_on, filed_by)
   values ('2026-01-01', '2026-03-31', '2026-04-01', 'cli')`,
  `insert into ledger.vat_returns (period_start, period_end, filed_on, way, filed_by, parts)
   values ('2026-01-01', '2026-03-31', '2026-04-01', 'file', 'cli', '[]')`,
  `update ledger.vat_returns set parts = '[]'`,
  `delete from ledger.vat_returns`,
  `update ledger.vat_assignments set return_number = null`,
  `update ledger.settlement_judgements set period_end = null`,
];

describe.each([
  ['hb_app', 'agare'],
  ['hb_worker', undefined],
  ['hb_api', undefined],
  ['hb_agency', undefined],
] as const)('nobody who runs SQL as %s', (role, person) => {
  const run = login(role, person);
  test.each(nobodys)('may %s', async (statement) => {
    const before = await standing();
    expect(await run(statement)).toBe(forbidden);
    expect(await standing()).toEqual(before);
  });
});

describe('the owner at a browser, by SQL', () => {
  const run = login('hb_app', 'agare');
  const written = 'changes_are_written_down';

  test.each([
    `update ledger.locks set period_locked_to = '2026-01-31'`,
    `update ledger.fiscal_years set status = 'closed', closed_at = now(), closed_on = '2027-01-01'`,
    `insert into ledger.fiscal_years (id, year, start_date, end_date)
     values (gen_random_uuid(), 2027, '2027-01-01', '2027-12-31')`,
    `insert into ledger.vat_returns (period_start, period_end, filed_on, way, filed_by)
     values ('2026-01-01', '2026-03-31', '2026-04-01', 'file', 'cli')`,
    `insert into ledger.month_ends (month, acknowledged_by) values ('2026-03-01', 'cli')`,
    `update restricted.company set vat_period = 'year'`,
    `update restricted.users set role = 'agare' where role = 'lasare'`,
    `update restricted.api_keys set revoked_at = now(), revoked_by = 'cli'`,
    `insert into restricted.api_keys (id, name, hash, hint, scopes, created_by)
     values (gen_random_uuid(), 'x', sha256('x'), 'x', array['ledger:write'], 'cli')`,
    `insert into restricted.agency_keys (id, agency, hash, hint, created_by)
     values (gen_random_uuid(), 'x', sha256('x'), 'x', 'cli')`,
    `delete from events.endpoints`,
    `insert into sales.reference_rates (valid_from, valid_to, percent_e2)
     values ('2030-01-01', '2030-06-30', 0)`,
  ])('leaves a trace of %s', async (statement) => {
    const before = await standing();
    expect(await run(statement)).toBe(written);
    // What is written down of something else is no trace of this.
    expect(await run(`select audit.record('cli', 'user.renamed_x', 'x', '{}')`)).toEqual([
      { record: '' },
    ]);
    expect(await standing()).toEqual(before);
  });

  test.each([
    [`delete from ledger.vat_filings`, 'vat.withdrawn', '2025-12-31'],
    [`delete from ledger.vat_filings`, 'vat.filed', '2026-03-31'],
    [`delete from ledger.vat_filings`, 'vat.nothing', 'x'],
    [`update ledger.locks set period_locked_to = '2026-01-31'`, 'lock.period', '2026-02-28'],
    [`update ledger.locks set period_locked_to = '2026-01-31'`, 'lock.vat', '2026-01-31'],
    [`update restricted.company set vat_period = 'year'`, 'setting.changed', 'company-phone'],
    [
      `update restricted.users set role = 'agare' where role = 'lasare'`,
      'user.changed',
      randomUUID(),
    ],
    [`delete from events.endpoints`, 'webhook.created', 'x'],
    [
      `update sales.reference_rates set percent_e2 = 0 where valid_from = '2026-01-01'`,
      'reference_rate.changed',
      '2025-07-01',
    ],
  ])('passes %s off as nothing else: %s %s', async (statement, action, subject) => {
    await asOwner(`insert into ledger.vat_filings (period_start, period_end, filed_on, filed_by)
      values ('2026-01-01', '2026-03-31', '2026-04-01', 'test') on conflict do nothing`);
    const before = await standing();
    const entry = `select audit.record('cli', '${action}', '${subject}', '{}')`;
    expect(await run(entry, statement)).toBe(written);
    expect(await standing()).toEqual(before);
    await asOwner('delete from ledger.vat_filings');
    await asOwner('update ledger.locks set vat_locked_to = null');
  });

  test('changes every setting as the page does', async () => {
    const values: Record<SettingName, string> = {
      'company-name': 'Annat namn',
      'order-supply': 'services',
      'order-payment-terms': '20',
      'order-payment-accounts': 'card 1686, tip 2890',
      'till-accounts': 'card 1580, kassa-2/cash 1910, sales_0 3004',
      'order-oss': 'on',
      'order-booking': 'on',
      'order-collective-customer': '',
      'vat-period': 'month',
      'vat-large-taxpayer': 'on',
      'vat-yearly': 'sole_trader',
      'vat-digital': 'off',
      'e-invoice-booking': 'on',
      'bank-booking': 'on',
      'receiver-ids': '0088:7300010000001',
      'purchase-account': '4010',
      'company-address': 'Gatan 1',
      'company-postal-code': '111 22',
      'company-city': 'Orten',
      'company-seat': 'Orten',
      'company-email': 'a@exempel.se',
      'company-phone': '08-1',
      'company-bankgiro': '5050-1055',
      'company-plusgiro': '4-2',
      'company-swish': '123 456 78 90',
      'company-tax-ocr': '1655667788996',
      'company-iban': 'SE4550000000058398257466',
      'company-f-tax': 'on',
      'interest-from': 'demand',
      'interest-stated': 'off',
      'reminder-fees': 'on',
      'reminder-runs': 'on',
      'reminder-days': '5, 20',
      'reminder-run-fees': 'on',
      'reminder-bank-days': '5',
      'company-partner-account': '7',
      'months-from': '2026-02',
      'moved-on': '2026-01-31',
    };
    const [before] = (await asOwner('select * from restricted.company')) as [
      Record<string, unknown>,
    ];
    const pool = createPool({
      url: await roleUrl(books.url, 'hb_app'),
      max: 1,
      applicationName: 'test',
    });
    for (const [name, value] of Object.entries(values)) {
      const changed = withTx(pool, async (tx) => {
        await tx.query(sql`select from app.enter(decode(${sessions.get('agare')}, 'hex'))`);
        await changeSetting(tx, name as SettingName, value, 'test');
      });
      await expect(changed, name).resolves.toBeUndefined();
    }
    await pool.end();
    const [after] = (await asOwner('select * from restricted.company')) as [
      Record<string, unknown>,
    ];
    const { id, created_at, organization_number, vat_number, singleton } = before;
    expect(after).toMatchObject({ id, created_at, organization_number, vat_number, singleton });
    expect(after).toMatchObject({ seat: 'Orten', name: 'Annat namn', vat_period: 'month' });
    await asOwner(`update restricted.company c set (${Object.keys(before)}) =
      (select ${Object.keys(before)} from jsonb_populate_record(c, '${JSON.stringify(before)}'))`);
  });

  test('may do so when it is told of in the same transaction', async () => {
    expect(
      await run(
        `update ledger.locks set period_locked_to = null`,
        `select audit.record('cli', 'lock.period', 'none', '{}')`,
      ),
    ).toEqual([{ record: '' }]);
  });
});

const voucher = (
  id: string,
  source: string,
  rows: readonly (readonly [number, number])[],
  date = '2026-04-15',
) =>
  `select error from ledger.post(array['${id}']::uuid[], array['A'], array['${date}']::date[], array['x'],
    array[null], array['${source}'], 'cli', array[${rows.map(() => 1)}], array[${rows.map((_, n) => n + 1)}],
    array[${rows.map(([account]) => account)}], array[${rows.map(([, ore]) => Math.max(ore, 0))}]::bigint[],
    array[${rows.map(([, ore]) => Math.max(-ore, 0))}]::bigint[], array[${rows.map(() => 'null')}]::text[],
    array[${rows.map(() => 'null')}]::uuid[], array[${rows.map(() => 'null')}]::uuid[])`;

describe('an owner who would rather be rid of what is booked, by SQL', () => {
  const run = login('hb_app', 'agare');
  const file = `insert into ledger.sie_files (sha256, file_name, size, gzip, created_by)
    values (sha256('gammalt'), 'gammalt.se', 7, 'x', 'cli') on conflict do nothing`;
  const importAs = (id: string) =>
    `insert into ledger.imports (id, sha256, file_name, report, created_by)
     values ('${id}', sha256('gammalt'), 'gammalt.se', '{"vouchers": 1}', 'cli')`;
  const wrote = (action: string, subject: string) =>
    `select audit.record('cli', '${action}', '${subject}', '{}')`;
  const ofImport = (id: string, which: string) =>
    `insert into ledger.imported_vouchers (import_id, voucher_id, series, number)
     select '${id}', v.id, v.series, v.number::text from ledger.vouchers v where ${which}`;

  test('passes no voucher of the company’s own off as imported, to begin anew without it', async () => {
    const id = randomUUID();
    const parts = [file, importAs(id), wrote('sie.imported', id)] as const;
    expect(await run(...parts, ofImport(id, 'true'))).toBe('imported_vouchers_are_their_imports');
    const old = randomUUID();
    expect(await run(file, importAs(old), wrote('sie.imported', old))).toHaveLength(1);
    const posted = randomUUID();
    const post = voucher(posted, 'import', [
      [1930, 100],
      [2081, -100],
    ]);
    const later = [post, ofImport(old, `id = '${posted}'`)] as const;
    expect(await run(...later)).toBe('imported_vouchers_are_their_imports');
  });

  test('undoes no import whose vouchers stand, on no day but today, and once', async () => {
    const [id, posted, reversal] = [randomUUID(), randomUUID(), randomUUID()];
    await asOwner(`insert into ledger.sie_files (sha256, file_name, size, gzip, created_by)
      values (sha256('nyare'), 'nyare.se', 7, 'x', 'cli')`);
    const rows = [
      [1930, 100],
      [2081, -100],
    ] as const;
    const taken = await run(
      `insert into ledger.imports (id, sha256, file_name, report, created_by)
       values ('${id}', sha256('nyare'), 'nyare.se', '{"vouchers": 1}', 'cli')`,
      wrote('sie.imported', id),
      voucher(posted, 'import', rows),
      ofImport(id, `id = '${posted}'`),
    );
    expect(taken).toEqual([]);
    const undo = (at: string) => [
      `update ledger.imports set undone_at = ${at} where id = '${id}'`,
      wrote('sie.import_undone', id),
    ];
    expect(await run(...undo('now()'))).toBe('imports_are_undone_with_their_vouchers');
    const back = [
      voucher(
        reversal,
        'reversal',
        rows.map(([account, ore]) => [account, -ore]),
      ),
      `insert into ledger.corrections (corrected_id, reversal_id, created_by)
       values ('${posted}', '${reversal}', 'cli')`,
      wrote('voucher.corrected', posted),
    ];
    expect(await run(...back, ...undo(`'1999-01-01'`))).toHaveLength(1);
    await run(...undo('null'));
    const [undone] = await asOwner(
      `select undone_at > now() - interval '1 hour' as today from ledger.imports where id = '${id}'`,
    );
    expect(undone).toEqual({ today: true });
  });

  test('gives an import that is undone no vouchers, by which its file would come in twice', async () => {
    const [id, posted] = [randomUUID(), randomUUID()];
    const rows = [
      [1930, 100],
      [2081, -100],
    ] as const;
    await asOwner(`insert into ledger.sie_files (sha256, file_name, size, gzip, created_by)
      values (sha256('undone'), 'undone.se', 6, 'x', 'cli')`);
    const refused = await run(
      `insert into ledger.imports (id, sha256, file_name, report, created_by)
       values ('${id}', sha256('undone'), 'undone.se', '{"vouchers": 1}', 'cli')`,
      wrote('sie.imported', id),
      `update ledger.imports set undone_at = now() where id = '${id}'`,
      wrote('sie.import_undone', id),
      voucher(posted, 'import', rows),
      ofImport(id, `id = '${posted}'`),
    );
    expect(refused).toBe('imported_vouchers_are_their_imports');
  });

  test('rotates a key once, into a new one that may no more, and lets none live again', async () => {
    const [old, heir, other] = [randomUUID(), randomUUID(), randomUUID()];
    const make = (id: string, scope: string) => [
      `insert into restricted.api_keys (id, name, hash, hint, scopes, created_by)
       values ('${id}', 'x', sha256('${id}'), 'x', array['${scope}'], 'cli')`,
      wrote('key.created', id),
    ];
    const change = (id: string, to: string) => [
      `update restricted.api_keys set ${to} where id = '${id}'`,
      wrote('key.rotated', id),
    ];
    const become = (id: string, to: string) => change(id, `successor_id = '${to}'`);
    await run(...make(old, 'intake:write'), ...make(other, 'intake:write'));
    const refused = 'keys_are_rotated_once';
    expect(await run(...become(old, other))).toBe(refused);
    expect(await run(...make(heir, 'ledger:write'), ...become(old, heir))).toBe(refused);
    expect(await run(...make(heir, 'intake:write'), ...become(old, heir))).toHaveLength(1);
    expect(await run(...become(old, other))).toBe(refused);
    const second = randomUUID();
    const twice = [...make(second, 'intake:write'), ...become(heir, second)];
    expect(await run(...twice, ...become(other, second))).toBe('api_keys_successor_key');
    expect(await run(...change(old, `expires_at = '2020-01-01'`))).toHaveLength(1);
    expect(await run(...change(old, `expires_at = '2099-01-01'`))).toBe('keys_end_no_later');
    expect(await run(...change(old, 'expires_at = null'))).toBe('keys_end_no_later');
  });
});

describe('a bookkeeper, by SQL', () => {
  const run = login('hb_app', 'medarbetare');
  const newPurchase = `(select id from purchases.invoices where invoice_number = 'F-2')`;
  const bookedPurchase = `(select id from purchases.invoices where invoice_number = 'F-1')`;

  test('books no supplier’s invoice with another voucher than its own', async () => {
    const id = randomUUID();
    const other = voucher(id, 'supplier_invoice', [
      [4000, 100],
      [2440, -100],
    ]);
    const book = `select purchases.book(${newPurchase}, '${id}', '2026-04-15', 'cli')`;
    expect(await run(other, book)).toBe('supplier_invoices_voucher_is_theirs');
    const nothing = `select purchases.book(${newPurchase}, null, '2026-04-15', 'cli')`;
    expect(await run(nothing)).toBe('supplier_invoices_amount_is_posted');
    const again = `select purchases.book(${bookedPurchase}, '${id}', '2026-04-15', 'cli')`;
    expect(await run(other, again)).toBe('supplier_invoices_are_frozen');
  });

  test('pays nothing with a voucher of something else, and nothing that is not booked', async () => {
    const pay = (
      purchase: string,
      id: string,
    ) => `insert into purchases.payments (id, invoice_id, paid_on,
      amount_ore, account, voucher_id, created_by)
      select gen_random_uuid(), i.id, '2026-04-15', 100, 1930, '${id}', 'cli'
      from purchases.invoices i where i.id = ${purchase}`;
    const rows = [
      [2440, 100],
      [1930, -100],
    ] as const;
    const [one, other, right] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await run(voucher(one, 'app', rows), pay(bookedPurchase, one))).toBe(
      'payments_are_booked',
    );
    expect(await run(voucher(other, 'supplier_payment', rows), pay(newPurchase, other))).toBe(
      'payments_follow_their_invoice',
    );
    expect(await run(voucher(right, 'supplier_payment', rows), pay(bookedPurchase, right))).toEqual(
      [],
    );

    // Nor with half of a set-off, which lessens no credit note.
    const half = randomUUID();
    const within = [
      [2440, 100],
      [2440, -100],
    ] as const;
    const lessen = pay(bookedPurchase, half)
      .replace('amount_ore,', 'kind, amount_ore,')
      .replace('100, 1930', "'set_off', 100, 2440");
    expect(await run(voucher(half, 'supplier_payment', within), lessen)).toBe(
      'payments_are_booked',
    );
    expect(
      await asOwner(`select open_ore from purchases.invoices where id = ${bookedPurchase}`),
    ).toEqual([{ open_ore: 124_900n }]);
  });

  test('takes over no debt that the opening balance does not hold', async () => {
    const item = {
      id: randomUUID(),
      number: '1',
      invoice_date: '2025-12-01',
      due_date: '2025-12-31',
      booking_date: '2026-01-01',
    };
    const [supplier] = (await asOwner('select id from purchases.suppliers')) as { id: string }[];
    const debt = [{ ...item, supplier_id: supplier?.id, payable_ore: 100 }];
    const within = 'opening_items_are_within_the_balance';
    expect(
      await run(`select purchases.add_opening_invoices('${JSON.stringify(debt)}', 'cli')`),
    ).toBe(within);
    const [customer] = (await asOwner('select id from sales.customers')) as { id: string }[];
    const row = {
      row_no: 1,
      description: 'x',
      account: 3001,
      vat_rate: 25,
      net_ore: 80,
      vat_ore: 20,
    };
    const claim = [
      { ...item, customer_id: customer?.id, number: 5000, total_ore: 100, rows: [row] },
    ];
    expect(await run(`select sales.add_opening_invoices('${JSON.stringify(claim)}', 'cli')`)).toBe(
      within,
    );
  });

  test('settles no VAT with a voucher that does not', async () => {
    const id = randomUUID();
    const posted = voucher(id, 'vat', [
      [2650, 100],
      [1930, -100],
    ]);
    const settle = (period: string) => [
      `insert into ledger.vat_settlements (voucher_id, period_end) values ('${id}', '${period}')`,
      `select audit.record('cli', 'vat.settled', 'x', '{}')`,
    ];
    expect(await run(posted, ...settle('2026-03-31'))).toBe('vat_settlements_settle');
    expect(await run(posted, ...settle('2026-02-28'))).toBe('vat_settlements_settle');
  });

  test('gives no voucher an origin that no page gives', async () => {
    const rows = [
      [4000, 100],
      [1930, -100],
    ] as const;
    for (const source of ['kassa', 'x', 'invoice', 'order', 'api']) {
      const post = voucher(randomUUID(), source, rows);
      expect([source, await run(post)]).toEqual([source, 'HB405']);
    }
    expect(await run(voucher(randomUUID(), 'import', rows))).toBe('imports_have_their_vouchers');
    expect(await run(voucher(randomUUID(), 'app', rows))).toEqual([{ error: null }]);
  });

  test('moves no VAT out of the boxes but by settling its period', async () => {
    for (const [account, refusal] of [
      [2650, 'vat_vouchers_have_their_period'],
      [1930, 'vat_vouchers_move_vat'],
    ] as const) {
      const rows = [
        [2611, 100],
        [account, -100],
      ] as const;
      expect(await run(voucher(randomUUID(), 'vat', rows))).toBe(refusal);
    }
  });

  test('says of no voucher that it opens, closes, takes back or pays what it does not', async () => {
    const rows = [
      [2611, 100],
      [1930, -100],
    ] as const;
    const origins = [
      'opening',
      'closing',
      'reversal',
      'reminder',
      'payment',
      'bank',
      'supplier_payment',
    ];
    for (const source of origins) {
      const post = voucher(randomUUID(), source, rows);
      expect([source, await run(post)]).toEqual([source, 'vouchers_are_what_they_say']);
    }
  });

  test('passes no sale and no purchase off as what opens or closes a year, on its first or last day', async () => {
    const rows = [
      [4000, 100],
      [1930, -100],
    ] as const;
    const days = [
      ['opening', '2026-01-01'],
      ['closing', '2026-12-31'],
    ] as const;
    for (const [source, day] of days) {
      const post = voucher(randomUUID(), source, rows, day);
      expect([source, await run(post)]).toEqual([source, 'vouchers_are_what_they_say']);
    }
    const result = [
      [8999, 100],
      [2099, -100],
    ] as const;
    const closed = voucher(randomUUID(), 'closing', result, '2026-12-31');
    expect(await run(closed)).toEqual([{ error: null }]);
  });

  test('makes up no row of the bank’s, and types none that is matched already', async () => {
    const [account, id] = [randomUUID(), randomUUID()];
    await asOwner(`insert into bank.accounts (id, name, ledger_account)
      values ('${account}', 'Sidokonto', 1940)`);
    const columns = 'id, account_id, reference, booked_on, amount_ore, description';
    const type = (reference: string, more = '', values = '') =>
      `insert into bank.transactions (${columns}${more})
       values (gen_random_uuid(), '${account}', '${reference}', '2026-04-15', 100, 'x'${values})`;
    expect(await run(type('20260415-1'))).toBe('transactions_are_the_banks');
    expect(await run(type('manuell-1', ', balance_after_ore', ', 100'))).toBe(forbidden);
    const posted = voucher(id, 'bank', [
      [4000, 100],
      [1930, -100],
    ]);
    const matched = [', voucher_id, matched_at, matched_by', `, '${id}', now(), 'x'`] as const;
    expect(await run(posted, type('manuell-1', ...matched))).toBe(forbidden);
    const match = `update bank.transactions set voucher_id = '${id}', matched_at = now(), matched_by = 'x'
      where reference = 'manuell-1'`;
    expect(await run(posted, type('manuell-1'), match)).toBe('transactions_have_room');
    expect(await run(type('manuell-1'))).toEqual([]);
  });

  /** By SQL as the program would write it: a payment file's row, a payout in it, what that pays. */
  const fileOf = (id: string, content: string, sha256 = `sha256('${content}')`) => [
    `insert into purchases.payment_files (id, account_id, message_id, content, sha256, created_by)
     select '${id}', a.id, '${id.slice(0, 35)}', convert_to('${content}', 'UTF8'), ${sha256}, 'x' from bank.accounts a limit 1`,
    `select audit.record('x', 'payment_file.created', '${id}', '{}')`,
  ];
  const payoutOf = (id: string, fileId: string, place: number, ore: number) =>
    `insert into purchases.payouts (id, file_id, place, end_to_end_id, block_id, execution_on, amount_ore, supplier_id,
       payee_name, payee_kind, payee_number)
     select '${id}', '${fileId}', ${place}, '${id.slice(0, 35)}', 'B', '2026-04-20', ${ore}, i.supplier_id, 'x', 'bankgiro', '9912346'
     from purchases.invoices i where i.id = ${bookedPurchase}`;
  const partOf = (payoutId: string, place: number, of: string, ore: number) =>
    `insert into purchases.payout_parts (payout_id, place, ${of.startsWith('(') ? 'invoice_id' : 'tax'}, amount_ore)
     values ('${payoutId}', ${place}, ${of}, ${ore})`;
  const asks = (id: string, { ore = '1.00', bankgiro = '9912346' } = {}) =>
    `<CdtTrfTxInf><PmtId><EndToEndId>${id.slice(0, 35)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="SEK">${ore}</InstdAmt></Amt>` +
    `<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>9900</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt><CdtrAcct><Id><Othr><Id>${bankgiro}</Id>` +
    `<SchmeNm><Prtry>BGNR</Prtry></SchmeNm></Othr></Id></CdtrAcct></CdtTrfTxInf>`;

  test('makes no payment file whose bytes ask the bank for something else than its payouts', async () => {
    const [file, payout] = [randomUUID(), randomUUID()];
    const whole = [payoutOf(payout, file, 1, 100), partOf(payout, 1, bookedPurchase, 100)];
    const told = 'payment_files_are_told';
    for (const content of [
      'x',
      asks(payout, { ore: '10.00' }),
      asks(payout, { bankgiro: '50501055' }),
      asks(payout) + asks(randomUUID()),
      asks(payout) + asks(payout),
      `${asks(payout)}<!--${asks(payout, { bankgiro: '50501055' })}-->`,
      `${asks(payout)}<p:CdtTrfTxInf/>`,
      `<?xml version="1.0" encoding="UTF-7"?>${asks(payout)}`,
      `<!DOCTYPE a SYSTEM "https://example.com/a.dtd">${asks(payout)}`,
      asks(payout).replace('<CdtrAcct>', '<CdtrAcct ><Id>50501055</Id></CdtrAcct ><CdtrAcct>'),
    ]) {
      expect([content, await run(...fileOf(file, content), ...whole)]).toEqual([content, told]);
    }
    // However the session reads the text of functions.
    const backslashes = 'set local standard_conforming_strings = off';
    const prefixed = `${asks(payout)}<s:MmbId/>`;
    expect(await run(backslashes, ...fileOf(file, prefixed), ...whole)).toBe(told);
    expect(await run(...fileOf(file, asks(payout), `sha256('x')`), ...whole)).toBe(told);
    expect(await run(...fileOf(file, ''))).toBe(told);
  });

  test('adds nothing to a payment file or a payout that is made, nor once it has been asked whether it is whole', async () => {
    const [file, payout, more] = [randomUUID(), randomUUID(), randomUUID()];
    const early = 'set constraints all immediate';
    const tax = (payoutId: string, place: number) =>
      partOf(payoutId, place, `'payroll 2026-03'`, 100);
    const made = [
      ...[...fileOf(file, asks(payout)), payoutOf(payout, file, 1, 100)],
      partOf(payout, 1, bookedPurchase, 100),
    ];
    expect(await run(...made, early, tax(payout, 2))).toBe('payouts_are_their_parts');
    const asked = 'set constraints purchases.payment_files_are_told_whole immediate';
    const whole = [payoutOf(more, file, 2, 100), tax(more, 1)];
    expect(await run(...made, asked, ...whole)).toBe('payment_files_are_told');
    expect(await run(...made, early, ...whole)).toMatch(/^(payment_files|payouts)_are_t/);
    expect(await run(...made)).toEqual([]);
    // What is written anew as it was is no newer for it.
    const untouched = `update purchases.payment_files set sent_at = sent_at where id = '${file}'`;
    const same = `update purchases.payouts set accepted_at = accepted_at where id = '${payout}'`;
    const kept = 'payment_files_are_kept';
    expect(await run(untouched, payoutOf(more, file, 2, 100), tax(more, 1))).toBe(kept);
    expect(await run(same, tax(payout, 2))).toBe(kept);
    const cancel = [
      `update purchases.payment_files set cancelled_at = now(), cancelled_by = 'x' where id = '${file}'`,
      `select audit.record('x', 'payment_file.cancelled', '${file}', '{}')`,
    ];
    expect(await run(...cancel, payoutOf(more, file, 2, 100), tax(more, 1))).toBe(kept);
    expect(await run(...cancel)).toEqual([{ record: '' }]);
  });

  test('claims no fee, and takes none back, but by a voucher of its own that books just that', async () => {
    const rows = [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }];
    const first = await makeInvoice(books.owner, rows);
    const second = await makeInvoice(books.owner, rows);
    const remind = (invoiceId: string, voucherId: string, day = '2026-04-15', no = 1) =>
      `insert into sales.reminders (id, invoice_id, reminder_no, sent_date, fee_ore, voucher_id, created_by, fee_is_vouched_for)
       values (gen_random_uuid(), '${invoiceId}', ${no}, '${day}', 6000, '${voucherId}', 'x', true)`;
    const withdraw = (invoiceId: string, voucherId: string) =>
      `insert into sales.withdrawn_fees (invoice_id, reminder_no, withdrawn_on, voucher_id, created_by)
       values ('${invoiceId}', 1, '2026-04-15', '${voucherId}', 'x')`;
    const fee = (id: string, ore = 6000, source = 'reminder') =>
      voucher(id, source, [
        [1510, ore],
        [3999, -ore],
      ]);
    const id = randomUUID();
    const bought = voucher(id, 'reminder', [
      [5410, 6000],
      [1930, -6000],
    ]);
    const booked = 'reminders_are_booked';
    expect(await run(bought, remind(first, id))).toBe(booked);
    expect(await run(fee(id, 100_000), remind(first, id))).toBe(booked);
    expect(await run(fee(id, 6000, 'app'), remind(first, id))).toBe(booked);
    expect(await run(fee(id), remind(first, id, '2026-04-14'))).toBe(booked);
    expect(await run(fee(id), remind(first, id), remind(second, id))).toBe(booked);
    const [draft] = (await asOwner(
      `select id from sales.invoices where status = 'draft' limit 1`,
    )) as { id: string }[];
    expect(await run(fee(id), remind(draft?.id ?? '', id))).toBe(booked);
    expect(await run(fee(id), remind(first, id))).toEqual([]);
    expect(await run(withdraw(first, id))).toBe(booked);
    const other = randomUUID();
    expect(await run(fee(other), withdraw(first, other))).toBe(booked);
    const back = voucher(other, 'reminder', [
      [3999, 6000],
      [1510, -6000],
    ]);
    expect(await run(back, withdraw(first, other))).toEqual([]);
    const correction = {
      correctedId: other,
      date: '2026-04-15',
      description: 'x',
      replacement: null,
    };
    await expect(
      withTx(books.owner, (tx) => correctVoucher(tx, correction, 'x')),
    ).rejects.toMatchObject({ detail: { problems: [{ reason: 'not_correctable' }] } });
  });

  test('takes back no voucher of an invoice, a payment or a fee, whose ledger would no longer be the books’', async () => {
    const invoice = await makeInvoice(books.owner, [
      { quantityE4: 10_000n, unitPriceE4: 1_000_000n },
    ]);
    const id = randomUUID();
    const given = randomUUID();
    const paid = voucher(id, 'payment', [
      [1930, 1000],
      [1510, -1000],
    ]);
    const payment = `insert into sales.payments (id, invoice_id, payment_date, amount_ore, account, voucher_id, created_by)
      values (gen_random_uuid(), '${invoice}', '2026-04-15', 1000, 1930, '${id}', 'x')`;
    expect(await run(paid, payment)).toEqual([]);
    const sent = voucher(given, 'supplier_payment', [
      [2440, 1000],
      [1930, -1000],
    ]);
    const ours = `insert into purchases.payments (id, invoice_id, paid_on, amount_ore, account, voucher_id, created_by)
      values (gen_random_uuid(), ${bookedPurchase}, '2026-04-15', 1000, 1930, '${given}', 'x')`;
    expect(await run(sent, ours)).toEqual([]);
    const vouchers = (await asOwner(`select distinct on (v.source) v.id, v.source,
        (select json_agg(json_build_array(r.account, r.credit_ore - r.debit_ore) order by r.row_no)
          from ledger.voucher_rows r where r.voucher_id = v.id) as back
      from ledger.vouchers v
      where v.source in ('invoice', 'payment', 'reminder', 'supplier_invoice', 'supplier_payment')
      order by v.source, v.number`)) as { id: string; source: string; back: [number, number][] }[];
    expect(vouchers.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['invoice', 'payment', 'supplier_invoice', 'supplier_payment']),
    );
    for (const { id: corrected, source, back } of vouchers) {
      const reversal = randomUUID();
      const correct = `insert into ledger.corrections (corrected_id, reversal_id, created_by)
        values ('${corrected}', '${reversal}', 'x')`;
      expect([source, await run(voucher(reversal, 'reversal', back), correct)]).toEqual([
        source,
        'corrections_are_of_no_invoice',
      ]);
    }
  });

  test('says of no payment another day or another account than its voucher has', async () => {
    const rows = [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }];
    const invoice = await makeInvoice(books.owner, rows);
    const paid = (id: string, { account = 1930, day = '2026-04-15' } = {}) =>
      `insert into sales.payments (id, invoice_id, payment_date, amount_ore, account, voucher_id, created_by)
       values (gen_random_uuid(), '${invoice}', '${day}', 1000, ${account}, '${id}', 'x')`;
    const given = (id: string, { account = 1930, day = '2026-04-15' } = {}) =>
      `insert into purchases.payments (id, invoice_id, paid_on, amount_ore, account, voucher_id, created_by)
       values (gen_random_uuid(), ${bookedPurchase}, '${day}', 1000, ${account}, '${id}', 'x')`;
    for (const [pay, source, debt] of [
      [paid, 'payment', 1510],
      [given, 'supplier_payment', 2440],
    ] as const) {
      const ore = debt === 1510 ? 1000 : -1000;
      const by = (id: string, account: number) =>
        voucher(id, source, [
          [account, ore],
          [debt, -ore],
        ]);
      const id = randomUUID();
      expect(await run(by(id, 5410), pay(id))).toBe('payments_are_booked');
      expect(await run(by(id, 1930), pay(id, { day: '2026-04-16' }))).toBe('payments_are_booked');
      expect(await run(by(id, 1930), pay(id, { account: 1910 }))).toBe('payments_are_booked');
      expect(await run(by(id, 1930), pay(id))).toEqual([]);
    }
  });

  test('has rows that come to nothing together booked by no voucher that moves nothing on their account', async () => {
    const id = randomUUID();
    const type = (reference: string, ore: number) =>
      `insert into bank.transactions (id, account_id, reference, booked_on, amount_ore, description)
       select gen_random_uuid(), a.id, 'manuell-${reference}', '2026-04-15', ${ore}, 'x' from bank.accounts a limit 1`;
    const match = `update bank.transactions set voucher_id = '${id}', matched_at = now(), matched_by = 'x'
      where reference in ('manuell-in', 'manuell-ut')`;
    const elsewhere = voucher(id, 'app', [
      [5410, 100],
      [2890, -100],
    ]);
    expect(await run(elsewhere, type('in', 1000), type('ut', -1000), match)).toBe(
      'transactions_have_room',
    );
  });

  test('asks for no page that nobody could read, and for no more of them than its day has room for', async () => {
    const ask = (letter: string, bytes: number) =>
      `select archive.request_rendering(repeat('${letter}', ${bytes}))`;
    expect(await run(ask('x', 8_000_001))).toBe('pages_size');
    const [had] = (await asOwner(`select archive.page_budget() as bytes`)) as { bytes: bigint }[];
    const setBudget = (bytes: bigint) =>
      asOwner(`create or replace function archive.page_budget() returns bigint language sql immutable
        set search_path = pg_catalog, pg_temp as 'select ${bytes}::bigint'`);
    await setBudget(1000n);
    expect(await run(ask('x', 900), ask('y', 100))).toEqual([{ request_rendering: null }]);
    expect(await run(ask('x', 900), ask('x', 900), ask('y', 101))).toBe('HB429');
    // What another transaction of theirs has asked for, and not committed yet, counts as well.
    await setBudget(5000n);
    const other = await connect(await roleUrl(books.url, 'hb_app'), 'attacker');
    onTestFinished(() => other.end());
    await other.query('begin');
    await other.query(`set local huvudbok.session = '${sessions.get('medarbetare')}'`);
    await other.query(ask('z', 500));
    expect(await run(`set local lock_timeout = '100ms'`, ask('w', 500))).toBe('55P03');
    await other.query('rollback');
    expect(await run(ask('w', 500))).toEqual([{ request_rendering: null }]);
    expect(had?.bytes).toBe(1_000_000_000n);
    await setBudget(had?.bytes ?? 0n);
  });

  test('gives an order no other invoice than it has', async () => {
    expect(await run('update intake.orders set invoice_id = null')).toBe(
      'orders_keep_their_invoice',
    );
  });
});

describe('whoever may only read, and whoever is nobody', () => {
  const bookkeeper = login('hb_app', 'medarbetare');
  const reader = login('hb_app', 'lasare');
  const nobody = login('hb_app');

  test('of the queues that the installation tends itself, a bookkeeper asks for nothing', async () => {
    for (const queue of ['purge', 'verification', 'backup', 'mail-dead', '__pgboss__send-it']) {
      const enqueue = `select intake.enqueue('${queue}', array['{}']::jsonb[])`;
      expect([queue, await bookkeeper(enqueue)]).toEqual([queue, 'HB405']);
    }
  });

  test('ask for no work', async () => {
    for (const queue of ['order-intake', 'mail', 'purge', 'verification', 'invoice-booking']) {
      const enqueue = `select intake.enqueue('${queue}', array['{}']::jsonb[])`;
      expect([queue, await reader(enqueue)]).toEqual([queue, 'HB405']);
      expect([queue, await nobody(enqueue)]).toEqual([queue, 'HB405']);
    }
  });

  test('book, reject and take over nothing', async () => {
    const id = `'${randomUUID()}'`;
    for (const statement of [
      `select purchases.book(${id}, ${id}, '2026-03-31', 'cli')`,
      `select purchases.reject(${id}, 'x', 'cli')`,
      `select purchases.add_opening_invoices('[]', 'cli')`,
      `select sales.add_opening_invoices('[]', 'cli')`,
    ]) {
      expect([statement, await reader(statement)]).toEqual([statement, 'HB405']);
      expect([statement, await nobody(statement)]).toEqual([statement, 'HB405']);
    }
  });
});

describe('a key, by SQL', () => {
  const run = login('hb_api');

  test('posts no voucher with an origin of the application’s own', async () => {
    const hash = hashOfSecret(books.key).toString('hex');
    const post = (
      source: string,
    ) => `select outcome from api.post_vouchers(array['\\x${hash}']::bytea[],
      array['${randomUUID()}'], array['\\x${hash}']::bytea[], array['{}'],
      array['${randomUUID()}']::uuid[], array['A'], array['2026-04-15']::date[], array['x'], array[null],
      array['${source}'], array['${randomUUID()}']::uuid[], array[1, 1], array[1, 2], array[1930, 2611],
      array[100, 0]::bigint[], array[0, 100]::bigint[], array[null, null]::text[], array[null, null]::uuid[],
      array[null, null]::uuid[], null, false, null)`;
    for (const source of ['vat', 'opening', 'invoice', 'supplier_invoice', 'payment', 'app']) {
      expect([source, await run(post(source))]).toEqual([source, 'HB405']);
    }
    expect(await run(post('kassa'))).toEqual([{ outcome: 'posted' }]);
  });
});
