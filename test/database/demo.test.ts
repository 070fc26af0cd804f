/** The example company: the same books for the same day, whole, and with something of everything. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PasswordHash, rawHashOf } from '#src/access/users/passwords.ts';
import { createPool, db, type Pool, type Tx, withTx } from '#src/db/pool.ts';
import { type Sql, sql } from '#src/db/sql.ts';
import { type Demo, readDemo, seedDemo } from '#src/demo/service.ts';
import { listMissingNumbers } from '#src/intake/till-reports/inbox-store.ts';
import { getMonthEnds } from '#src/ledger/months/store.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { exportCase } from '#src/sales/collection/service.ts';
import { type Content, cloneDatabase, type TestDatabase } from '../support/database.ts';
import { createBooks } from '../support/installation.ts';
import { testKeyring } from '../support/secrets.ts';
import { demoContent } from './demo-content.ts';

const timeZone = 'Europe/Stockholm';
const november = '2026-11-20';
const january = '2026-01-05';

interface Opened {
  readonly pool: Pool;
  readonly database: TestDatabase;
}
interface Seeded extends Opened {
  readonly demo: Demo;
}

async function open(content?: Content): Promise<Opened> {
  const database = await cloneDatabase(content);
  return {
    database,
    pool: createPool({ url: database.url, max: 2, applicationName: 'test' }),
  };
}

async function seed(today: string): Promise<Seeded> {
  const opened = await open();
  const demo = await withTx(opened.pool, (tx) =>
    seedDemo(tx, { today, timeZone, keyring: testKeyring }, 'test'),
  );
  return { ...opened, demo };
}

let first: Seeded;
/** Those that other tests have, made on the same day too. */
let second: Opened;
let young: Seeded;
beforeAll(async () => {
  [first, second, young] = await Promise.all([seed(november), open('demo'), seed(january)]);
}, 300_000);
afterAll(async () => {
  for (const { pool, database } of [first, second, young]) {
    await pool.end();
    await database.drop();
  }
});

const rows = <Row extends object>(statement: Sql, { pool } = first): Promise<Row[]> =>
  db(pool).query<Row>(statement);

async function counts(statement: Sql, from = first): Promise<Record<string, number>> {
  const found = await rows<{ name: string; count: number }>(statement, from);
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(first.pool, work);

async function balance(account: number, to = november, from = first): Promise<bigint> {
  const [row] = await rows<{ ore: bigint }>(
    sql`select ledger.balance_at(${account}, ${to}::date) as ore`,
    from,
  );
  return row?.ore ?? 0n;
}

test('what was open on invoices as any month ended, or a day in it, is what stood on 1510 and 2440 then', async () => {
  for (const seeded of [first, young]) {
    const ends = await rows<Record<string, bigint | string>>(
      sql`select d.day::date as day, sales.open_on(d.day::date) - ledger.balance_at(1510, d.day::date) as customers,
            purchases.open_on(d.day::date) + ledger.balance_at(2440, d.day::date) as suppliers
          from ledger.fiscal_years y
          cross join lateral generate_series(y.start_date + interval '1 month', y.end_date + interval '1 day', interval '1 month') as m (next)
          cross join lateral (values (m.next - interval '1 day'), (m.next - interval '12 days')) as d (day) order by 1`,
      seeded,
    );
    expect(ends.length).toBeGreaterThan(40);
    expect(ends.filter(({ customers, suppliers }) => customers !== 0n || suppliers !== 0n)).toEqual(
      [],
    );
  }
});

test('the same day gives the same books, but for ids, secrets and times', async () => {
  const [one, other] = [await demoContent(first.pool), await demoContent(second.pool)];
  for (const [part, content] of Object.entries(one)) {
    expect(content.length, part).toBeGreaterThan(0);
    expect(content, part).toEqual(other[part]);
  }
});

test('run again, it changes nothing and shows no secret', async () => {
  const before = await demoContent(first.pool);
  const again = await owner(readDemo);
  expect(again).toEqual({ ...first.demo, secrets: null });
  expect(await demoContent(first.pool)).toEqual(before);
});

test('an installation of somebody else is refused', async () => {
  const foreign = await createBooks();
  try {
    await expect(withTx(foreign.owner, readDemo)).rejects.toThrow('tillhör Testbolaget AB');
  } finally {
    await foreign.close();
  }
});

test('leaves no jobs behind, whose lines would bury the password that start shows only once', async () => {
  const [left] = await rows<{ jobs: number; unjudged: number }>(
    sql`select (select count(*) from pgboss.job)::integer as jobs,
      (select count(*) from intake.order_attempts where status = 'received')::integer as unjudged`,
  );
  expect(left).toEqual({ jobs: 0, unjudged: 0 });
});

describe('the books', () => {
  test.each([
    ['in November', () => first, november],
    ['in January', () => young, january],
  ])('hold %s', async (_, seeded, today) => {
    const { pool, demo } = seeded();
    const { problems, vouchers } = await verifyBooks(db(pool), () => undefined);
    expect(problems).toEqual([]);
    expect(vouchers).toBe(demo.vouchers);
    const [open] = await rows<{ receivables: bigint; payables: bigint; latest: string }>(
      sql`select (select sum(open_ore) from sales.invoices)::bigint as receivables,
        (select sum(open_ore) from purchases.invoices where debt_account = 2440)::bigint as payables,
        (select max(verification_date) from ledger.vouchers) as latest`,
      seeded(),
    );
    expect(await balance(1510, '9999-12-31', seeded())).toBe(open?.receivables);
    expect(await balance(2440, '9999-12-31', seeded())).toBe(-(open?.payables ?? 0n));
    expect((open?.latest ?? '') <= today).toBe(true);
  });

  test('are those of a small company, and never lack money', async () => {
    expect(first.demo.vouchers).toBeGreaterThan(1_500);
    expect(first.demo.vouchers).toBeLessThan(2_500);
    const [year] = await rows<{ revenue: bigint; result: bigint; low: bigint }>(
      sql`select sum(case when account < 4000 then credit_ore - debit_ore else 0 end)::bigint as revenue,
          sum(credit_ore - debit_ore)::bigint as result,
          (select min(ledger.balance_at(1930, d::date)) from generate_series('2025-01-31'::date,
            ${november}::date, interval '10 days') as d) as low
        from ledger.month_balances where account between 3000 and 7999 and month < '2026-01-01'`,
    );
    const { revenue = 0n, result = 0n, low = 0n } = year ?? {};
    expect(revenue > 600_000_000n && revenue < 1_000_000_000n).toBe(true);
    expect(result > 0n && result < revenue / 5n).toBe(true);
    expect(low > 0n).toBe(true);
  });

  test('settle VAT each quarter, and pay it', async () => {
    for (const account of [2611, 2614, 2621, 2631, 2641, 2645]) {
      expect(await balance(account, '2026-09-30'), String(account)).toBe(0n);
    }
    expect(await balance(2650, '2026-10-31')).toBeLessThan(0n);
    expect(await balance(2650)).toBe(0n);
    expect(await rows(sql`select from ledger.vat_filings`)).toHaveLength(7);
  });

  test('carry the result of the year that is closed to equity', async () => {
    expect(await balance(2099, '2025-12-31')).toBeLessThan(0n);
    expect(await balance(2099)).toBe(0n);
    expect(await rows(sql`select year, status from ledger.fiscal_years order by year`)).toEqual([
      { year: 2025, status: 'closed' },
      { year: 2026, status: 'open' },
    ]);
    expect(await rows(sql`select period_locked_to, vat_locked_to from ledger.locks`)).toEqual([
      { period_locked_to: '2026-09-30', vat_locked_to: '2026-09-30' },
    ]);
  });

  test('leave the year before open until March', async () => {
    const locks = sql`select status, period_locked_to, vat_locked_to
      from ledger.fiscal_years, ledger.locks where year = 2025`;
    expect(await rows(locks, young)).toEqual([
      { status: 'open', period_locked_to: '2025-11-30', vat_locked_to: '2025-09-30' },
    ]);
  });

  test('have vouchers of every kind, a correction among them, some without document', async () => {
    const bySource = await counts(
      sql`select source as name, count(*)::integer as count from ledger.vouchers group by 1`,
    );
    expect(bySource).toMatchObject({ opening: 1, closing: 5, vat: 7, reversal: 1 });
    // What was wrong is linked to what took it back and to what stands in its place.
    expect(
      await rows(sql`select count(*)::integer as corrected, count(c.replacement_id)::integer as replaced
        from ledger.corrections c`),
    ).toEqual([{ corrected: 1, replaced: 1 }]);
    // VAT as the law has it: 6 % on carriage of persons, none on stamps; a quarter of pensions in tax.
    expect(
      await rows(sql`select v.description, round(100.0 * sum(r.debit_ore) filter (where r.account = 2641)
          / sum(r.debit_ore) filter (where r.account <> 2641))::integer as percent
        from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
        where v.description in ('Porto', 'Tågbiljetter kundbesök')
        group by v.description order by v.description`),
    ).toEqual([
      { description: 'Porto', percent: null },
      { description: 'Tågbiljetter kundbesök', percent: 6 },
    ]);
    expect(
      await rows(sql`select distinct round(10000.0 * tax.debit_ore / premium.debit_ore)::integer as rate
        from ledger.voucher_rows tax join ledger.voucher_rows premium on premium.account = 7410
        where tax.account = 7533`),
    ).toEqual([{ rate: 2426 }]);
    expect(Object.keys(bySource).sort()).toEqual([
      'accrual_posting',
      'app',
      'closing',
      'invoice',
      'opening',
      'payment',
      'provider_settlement',
      'purchase_by_hand',
      'reminder',
      'reversal',
      'supplier_invoice',
      'supplier_payment',
      'till_report',
      'vat',
    ]);
    const byType = await counts(
      sql`select media_type as name, count(*)::integer as count from ledger.attachments group by 1`,
    );
    expect(Object.keys(byType).sort()).toEqual([
      'application/pdf',
      'image/png',
      'text/csv',
      'text/plain',
    ]);
    const [missing] = await rows<{ count: bigint }>(
      sql`select ledger.count_attachments_missing() as count`,
    );
    expect(missing?.count).toBeGreaterThan(5n);
  });
});

describe('there are', () => {
  test('a payout of card sales on its way, which a row of the bank is held for', async () => {
    expect(
      await rows(sql`select s.payout_voucher_id, t.voucher_id, ledger.balance_at(1686, '9999-12-31')
          - (select sum(r.debit_ore - r.credit_ore)::bigint from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
            where r.account = 1686 and (v.source = 'till_report' or v.description = 'Kortbolaget, veckans utbetalning')) as ore
        from bank.provider_settlements s join bank.transactions t on t.amount_ore = s.payout_ore
          and t.description like '%' || s.number`),
    ).toEqual([{ payout_voucher_id: null, voucher_id: null, ore: 1_167_500n }]);
  });

  test('a till, of which a report waits for an account and a number is missing, and what the cards have not paid out', async () => {
    for (const seeded of [first, young]) {
      const found = await rows<{ status: string; reason: string | null; count: number }>(
        sql`select status, reason, count(*)::integer as count from intake.till_reports group by 1, 2 order by 1`,
        seeded,
      );
      expect(found).toEqual([
        { status: 'posted', reason: null, count: expect.any(Number) },
        { status: 'stopped', reason: 'means_unknown', count: 1 },
      ]);
      expect(found[0]?.count).toBeGreaterThan(15);
      expect(await listMissingNumbers(db(seeded.pool), 10)).toHaveLength(1);
      const [low] = await rows<{ cash: bigint; cards: bigint }>(
        sql`select min(ledger.balance_at(1910, d::date)) as cash, min(ledger.balance_at(1686, d::date)) as cards
          from generate_series('2025-01-31'::date, ${november}::date, interval '1 day') as d`,
        seeded,
      );
      expect(low?.cash).toBe(0n);
      expect((low?.cards ?? -1n) >= 0n).toBe(true);
    }
  });

  test('registers with something unusual in each', async () => {
    const [found] = await rows(sql`select
      (select count(*)::integer from sales.customers) as customers,
      (select count(*)::integer from sales.customers where not is_active) as inactive_customers,
      (select max(char_length(name)) from sales.customers) as longest_name,
      (select count(*)::integer from sales.customers where country_code <> 'SE') as foreign_customers,
      (select count(*)::integer from purchases.suppliers) as suppliers,
      (select count(*)::integer from sales.articles) as articles,
      (select count(*)::integer from sales.articles where not is_active) as inactive_articles,
      (select count(distinct kind)::integer from ledger.dimensions) as dimension_kinds`);
    expect(found).toEqual({
      customers: 16,
      inactive_customers: 1,
      longest_name: expect.any(Number),
      foreign_customers: 1,
      suppliers: 11,
      articles: 17,
      inactive_articles: 1,
      dimension_kinds: 2,
    });
    expect(Number((found as { longest_name: number }).longest_name)).toBeGreaterThan(100);
  });

  test('invoices in every state', async () => {
    const [found] = await rows<Record<string, number>>(sql`select
      count(*) filter (where status = 'draft' and source = 'app')::integer as drafts,
      count(*) filter (where status = 'draft' and source = 'order')::integer as order_drafts,
      count(*) filter (where booking_refusal is not null)::integer as refused,
      count(*) filter (where status = 'paid')::integer as paid,
      count(*) filter (where status = 'credited')::integer as credited,
      count(*) filter (where kind = 'credit_note')::integer as credit_notes,
      count(*) filter (where open_ore > 0 and due_date >= ${november}::date)::integer as not_due,
      count(*) filter (where open_ore > 0 and due_date < ${november}::date)::integer as overdue,
      count(*) filter (where open_ore > 0 and exists (
        select from sales.payments p where p.invoice_id = i.id))::integer as partly_paid,
      count(*) filter (where exists (
        select from sales.reminders r where r.invoice_id = i.id and open_ore > 0))::integer as reminded,
      count(*) filter (where exists (
        select from sales.disputes d where d.invoice_id = i.id))::integer as disputed,
      max((select count(*) from sales.invoice_rows r where r.invoice_id = i.id))::integer as most_rows
      from sales.invoices i`);
    expect(found).toMatchObject({ drafts: 3, credited: 1, credit_notes: 2, disputed: 1 });
    for (const [state, count] of Object.entries(found ?? {})) {
      expect(count, state).toBeGreaterThan(0);
    }
    expect(found?.['overdue']).toBeGreaterThan(4);
    expect(found?.['most_rows']).toBeGreaterThan(50);
  });

  test('a claim to collect over a change of rate, paid in part', async () => {
    const [claim] = await rows<{ id: string }>(
      sql`select id from sales.invoices where open_ore > 0 order by due_date limit 1`,
    );
    const options = {
      day: november,
      preparedAt: new Date(0),
      timeZone: 'UTC',
      format: 'json',
    } as const;
    const { content } = await owner((tx) => exportCase(tx, claim?.id ?? '', options, 'test'));
    const { interest, payments, reminders } = JSON.parse(content);
    const rates = interest.segments.map(({ ratePct }: { ratePct: number }) => ratePct);
    expect(rates).toEqual([11, 10, 10, 10]);
    expect(interest.incomplete).toBe(false);
    expect([payments.length, reminders.length]).toEqual([2, 2]);
  });

  test('orders of every fate', async () => {
    const fates =
      await counts(sql`select coalesce(reason, status) as name, count(*)::integer as count
      from intake.order_attempts group by 1`);
    expect(fates).toEqual({
      draft: expect.any(Number),
      duplicate: 1,
      currency_not_supported: 1,
      date_outside_fiscal_year: 1,
      invalid_order: 1,
      negative_total: 1,
      total_mismatch: 2,
      vat_rate_not_supported: 1,
      vat_treatment_unclear: 1,
    });
    expect(fates['draft']).toBeGreaterThan(30);
  });

  test('e-invoices of every fate, and payments of some', async () => {
    const fates = await counts(
      sql`select status as name, count(*)::integer as count from purchases.invoices group by 1`,
    );
    expect(fates).toEqual({ booked: expect.any(Number), new: 2, rejected: 1, review: 5 });
    const rules = await rows<{ rule: string }>(sql`select distinct w ->> 'rule' as rule
      from purchases.invoices i, jsonb_array_elements(i.warnings) w where i.status = 'review' order by 1`);
    expect(rules.map(({ rule }) => rule)).toEqual([
      'BR-CO-16',
      'HB-CREDIT-NOTE',
      'HB-FOREIGN-CURRENCY',
      'HB-PAYMENT-CHANGED',
      'HB-SUPPLIER-UNKNOWN',
      'HB-TOTALS',
    ]);
    const refused = await counts(sql`select reason as name, count(*)::integer as count
      from intake.e_invoices where status = 'rejected' group by 1`);
    expect(refused).toEqual({ wrong_receiver: 1, document_unreadable: 1 });
    const [partly] = await rows<{ count: number }>(sql`select count(*)::integer as count
      from purchases.invoices i where open_ore > 0 and exists (
        select from purchases.payments p where p.invoice_id = i.id)`);
    expect(partly?.count).toBe(1);
    expect(
      await rows(sql`select from purchases.attachments where invoice_id not in
      (select id from purchases.invoices where is_by_hand)`),
    ).toHaveLength(1);
    const [written] =
      await rows(sql`select sum(open_ore) filter (where debt_account = 2440)::bigint as owed,
        sum(open_ore) filter (where laid_out_by is not null)::bigint as laid_out,
        (select count(*)::integer from ledger.attachments a join purchases.invoices b using (voucher_id)
          where b.is_by_hand) as files
      from purchases.invoices i where is_by_hand`);
    expect(written).toEqual({ owed: 500_000n, laid_out: 62_500n, files: 2 });
  });

  test('months that are done and one that is not', async () => {
    const ends = await getMonthEnds(db(first.pool), { today: november, timeZone });
    expect(ends).toEqual({
      last_closed_month: '2026-09-01',
      open_month: '2026-10-01',
      open_month_failing: ['bank', 'underlag', 'leverantorsinkorg', 'kundfakturor'],
      months_behind: 1,
    });
    const unmatched = sql`select from bank.transactions where voucher_id is null`;
    expect(await rows(unmatched)).toHaveLength(12);
  });

  test('people of each role with the password that is shown, and keys', async () => {
    const { secrets } = first.demo;
    const users = await rows<{ email: string; role: string } & PasswordHash>(
      sql`select email, role, password_salt as salt, password_cost as cost,
            password_verifier as verifier
          from restricted.users`,
    );
    expect(users.map(({ role }) => role).sort()).toEqual([
      'administrator',
      'agare',
      'lasare',
      'medarbetare',
    ]);
    for (const { verifier, ...hashing } of users) {
      expect(hashing.cost).toBe('m=19456,t=2,p=1');
      expect(sha256Of(await rawHashOf(secrets?.password ?? '', hashing))).toEqual(verifier);
    }
    expect(secrets?.password).not.toBe(young.demo.secrets?.password);
    expect(secrets?.key).toMatch(/^svc_test_/);
    expect(
      await rows(sql`select from restricted.api_keys where revoked_at is not null`),
    ).toHaveLength(1);
    expect(await rows(sql`select from restricted.agency_keys`)).toHaveLength(1);
    expect(await rows(sql`select from events.endpoints where disabled_at is null`)).toEqual([]);
  });
});
