/** Fiscal years as people look at them. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { YearSpan } from '../../domain/ledger/fiscal-year.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';

export interface FiscalYear {
  id: string;
  year: number;
  start: string;
  end: string;
  status: 'open' | 'closed';
  closed_at: Date | null;
  vouchers: bigint;
  /** Revenue less costs on 3000–8998, öre; a profit is above zero. */
  result_ore: bigint;
  /** What of it is not booked to equity (8999). */
  undisposed_ore: bigint;
}

export function listYearSpans(db: Db): Promise<YearSpan[]> {
  return db.query(sql`select year, start_date as start, end_date as "end" from ledger.fiscal_years
    order by start_date`);
}

/** All years, the latest first; they are few. Counts and sums rest on series and month balances. */
export function listYears(db: Db): Promise<FiscalYear[]> {
  return db.query(
    sql`select y.id, y.year, y.start_date as start, y.end_date as "end", y.status, y.closed_at,
          (select coalesce(sum(s.last_number), 0)::bigint from ledger.series s
            where s.fiscal_year_id = y.id) as vouchers,
          r.result_ore, r.undisposed_ore
        from ledger.fiscal_years y
        cross join lateral (
          select coalesce(sum(m.credit_ore - m.debit_ore) filter (where m.account < 8999), 0)::bigint
              as result_ore,
            coalesce(sum(m.credit_ore - m.debit_ore), 0)::bigint as undisposed_ore
          from ledger.month_balances m
          where m.month between y.start_date and y.end_date and m.account between 3000 and 8999) as r
        order by y.start_date desc`,
  );
}

/** Throws 404 when there is none. */
export async function getYear(db: Db, year: number): Promise<FiscalYear> {
  const found = (await listYears(db)).find((one) => one.year === year);
  if (!found) throw refuseWhole('not_found', 'no_fiscal_year', { of: year });
  return found;
}

/** The year that a day lies in, else the latest one; undefined before set-up. */
export async function findYearOf(db: Db, day: string): Promise<YearSpan | undefined> {
  const years = await listYearSpans(db);
  return years.find(({ start, end }) => start <= day && day <= end) ?? years.at(-1);
}

/** What is worth doing before a year is closed; each counts what is left. */
export interface ClosingChecks {
  months_not_acknowledged: number;
  /** VAT periods that end in the year, brought VAT, and are not filed. */
  vat_not_filed: number;
  /** Filed ones whose VAT does not stand on 2650. */
  vat_not_settled: number;
  invoice_drafts: boolean;
  purchases_waiting: boolean;
  bank_unmatched: boolean;
  /** Of accruals and depreciation, what belongs to the year and is not posted. */
  accruals_unposted: number;
  /** What wears out (BAS 1010–1299, land and what is being built left out) stands on something, and nothing of it was written off. */
  wears_unwritten: boolean;
}

export async function getClosingChecks(
  db: Db,
  { start, end }: Pick<YearSpan, 'start' | 'end'>,
): Promise<ClosingChecks> {
  const [checks] = await db.query<ClosingChecks>(
    sql`with ended as (
          select ledger.vat_period_start(m.last) as first, m.last
          from (select (month + interval '1 month')::date - 1 as last
            from generate_series(${start}::date, ${end}::date, interval '1 month') as s (month)) as m
        )
        select
          (select count(*)::integer
            from generate_series(${start}::date, ${end}::date, interval '1 month') as m (month)
            where not exists (select from ledger.month_ends e where e.month = m.month::date))
            as months_not_acknowledged,
          (select count(*)::integer from ended
            where exists (select from ledger.vat_changes(ended.first, ended.last))
              and not exists (select from ledger.vat_filings f
                where ended.last between f.period_start and f.period_end)) as vat_not_filed,
          (select count(*)::integer from ledger.vat_filings f
            where f.period_end between ${start}::date and ${end}::date
              and exists (select from ledger.vat_of_period(f.period_start, f.period_end) v
                where v.account <> 2650 and v.brought_ore + v.settled_ore <> 0)) as vat_not_settled,
          exists (select from sales.invoices where status = 'draft'
            and invoice_date between ${start}::date and ${end}::date) as invoice_drafts,
          exists (select from purchases.invoices where status in ('new', 'review')
            and issue_date between ${start}::date and ${end}::date) as purchases_waiting,
          exists (select from bank.transactions t
            join bank.accounts a on a.id = t.account_id and a.kind = 'bank'
            where t.voucher_id is null and t.booked_on between ${start}::date and ${end}::date) as bank_unmatched,
          (select count(*)::integer from ledger.accrual_postings
            where voucher_id is null and posting_date <= ${end}::date) as accruals_unposted,
          (select coalesce(sum(debit_ore - credit_ore), 0) > 0 from ledger.month_balances
            where month <= ${end}::date and account between 1010 and 1299
              and account not between 1130 and 1149 and account / 10 not in (118, 128))
          and not exists (select from ledger.month_balances
            where month between ${start}::date and ${end}::date and account between 7800 and 7899)
            as wears_unwritten`,
  );
  if (!checks) throw new Error('a select without from gives one row');
  return checks;
}

/** What stands on balance accounts (1000–2999) as a day begins; accounts at nothing left out. */
export async function listBalancesBefore(db: Db, monthStart: string): Promise<Balance[]> {
  return db.query<Balance>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as "balanceOre"
        from ledger.month_balances where month < ${monthStart}::date and account < 3000
        group by account having sum(debit_ore - credit_ore) <> 0 order by account`,
  );
}

/** What was posted on result accounts (3000 and up) in the months of a year. */
export async function listResultBalances(
  db: Db,
  { start, end }: Pick<YearSpan, 'start' | 'end'>,
): Promise<Balance[]> {
  return db.query<Balance>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as "balanceOre"
        from ledger.month_balances
        where month between ${start}::date and ${end}::date and account between 3000 and 8999
        group by account having sum(debit_ore - credit_ore) <> 0 order by account`,
  );
}

/** What was posted on the accounts in the months of a year; accounts at nothing left out. */
export async function listYearChanges(
  db: Db,
  { start, end }: Pick<YearSpan, 'start' | 'end'>,
  accounts: readonly number[],
): Promise<Balance[]> {
  return db.query<Balance>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as "balanceOre"
        from ledger.month_balances
        where month between ${start}::date and ${end}::date and account = any (${accounts}::integer[])
        group by account having sum(debit_ore - credit_ore) <> 0 order by account`,
  );
}

/**
 * What vouchers with the source `opening` have posted on a year's first day, by account, less what was taken
 * back of it that very day.
 */
export async function listOpeningPostings(db: Db, firstDay: string): Promise<Balance[]> {
  return db.query<Balance>(
    sql`select r.account, sum(r.debit_ore - r.credit_ore)::bigint as "balanceOre"
        from (
          select v.id from ledger.vouchers v
          where v.verification_date = ${firstDay}::date and v.source = 'opening'
          union all
          select back.id from ledger.vouchers v
          join ledger.corrections c on c.corrected_id = v.id
          join ledger.vouchers back on back.id = c.reversal_id
            and back.verification_date = v.verification_date
          where v.verification_date = ${firstDay}::date and v.source = 'opening') as opened
        join ledger.voucher_rows r on r.voucher_id = opened.id
        group by r.account having sum(r.debit_ore - r.credit_ore) <> 0 order by r.account`,
  );
}

/**
 * What a year's vouchers have posted on an account of results (2099), debit less credit, but for those that bring the
 * year's own result there: they touch 8999.
 */
export async function sumDisposed(
  db: Db,
  { account, start, end }: Pick<YearSpan, 'start' | 'end'> & { readonly account: number },
): Promise<bigint> {
  const [found] = await db.query<{ ore: bigint }>(
    sql`select coalesce(sum(r.debit_ore - r.credit_ore), 0)::bigint as ore from ledger.voucher_rows r
        where r.account = ${account} and r.verification_date between ${start}::date and ${end}::date
          and not exists (select from ledger.voucher_rows result
            where result.voucher_id = r.voucher_id and result.account = 8999)`,
  );
  return found?.ore ?? 0n;
}

export interface YearVoucher {
  id: string;
  series: string;
  number: number;
  verification_date: string;
  description: string;
}

/** The vouchers that open a year, in the order they were posted. */
export function listOpeningVouchers(db: Db, firstDay: string): Promise<YearVoucher[]> {
  return db.query(
    sql`select id, series, number, verification_date, description from ledger.vouchers
        where verification_date = ${firstDay}::date and source = 'opening'
        order by series, number limit 100`,
  );
}

/** Names of accounts by number. */
export async function listAccountNames(
  db: Db,
  accounts: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db.query<{ number: number; name: string }>(
    sql`select number, name from ledger.accounts where number = any (${accounts}::integer[])
        order by number`,
  );
  return new Map(rows.map(({ number, name }) => [number, name]));
}

/** Ten digits; who the company is decides where its result goes. */
export async function getOrganizationNumber(db: Db): Promise<string> {
  const [company] = await db.query<{ organization_number: string }>(
    sql`select organization_number from restricted.company`,
  );
  return company?.organization_number ?? '';
}

export async function insertYear(tx: Tx, id: string, span: YearSpan): Promise<void> {
  try {
    await tx.query(sql`insert into ledger.fiscal_years (id, year, start_date, end_date)
      values (${id}, ${span.year}, ${span.start}::date, ${span.end}::date)`);
  } catch (error) {
    throw explainYear(error, span);
  }
}

function explainYear(error: unknown, { year, start, end }: YearSpan): unknown {
  const reasons: Record<
    string,
    'year_taken' | 'year_span_overlaps' | 'year_not_whole_months' | 'year_before_closed'
  > = {
    fiscal_years_begin_after_closed: 'year_before_closed',
    fiscal_years_year_key: 'year_taken',
    fiscal_years_do_not_overlap: 'year_span_overlaps',
    fiscal_years_whole_months: 'year_not_whole_months',
  };
  const reason = reasons[databaseErrorOf(error)?.constraint ?? ''];
  return reason === undefined
    ? error
    : refuseWhole('unprocessable', reason, { of: year, start, end }, { cause: error });
}

/** Codes and names of the series of the latest year but this one. */
export function listSeriesBefore(
  db: Db,
  yearId: string,
): Promise<{ code: string; name: string }[]> {
  return db.query(
    sql`select s.code, s.name from ledger.series s
        where s.fiscal_year_id = (select id from ledger.fiscal_years where id <> ${yearId}
          order by end_date desc limit 1) order by s.code`,
  );
}

export async function insertSeries(
  tx: Tx,
  yearId: string,
  series: readonly { readonly code: string; readonly name: string }[],
): Promise<void> {
  await tx.query(
    sql`insert into ledger.series (id, fiscal_year_id, code, name)
        select id, ${yearId}::uuid, code, name
        from unnest(${series.map(() => uuid())}::uuid[], ${series.map(({ code }) => code)}::text[],
          ${series.map(({ name }) => name)}::text[]) as s (id, code, name)`,
  );
}

/** The first open year before this one, by its days: what it is called need not be in their order. */
export async function findOpenYearBefore(db: Db, year: number): Promise<number | undefined> {
  const [earlier] = await db.query<{ year: number }>(
    sql`select earlier.year from ledger.fiscal_years y
        join ledger.fiscal_years earlier on earlier.status = 'open' and earlier.end_date < y.start_date
        where y.year = ${year} order by earlier.start_date limit 1`,
  );
  return earlier?.year;
}

/** False when it was not open. */
export async function setYearClosed(tx: Tx, year: number, today: string): Promise<boolean> {
  const [closed] = await tx.query(
    sql`update ledger.fiscal_years set status = 'closed', closed_at = now(),
          closed_on = ${today}::date
        where year = ${year} and status = 'open' returning year`,
  );
  return closed !== undefined;
}

/** False when it was not closed; throws 422 when a later one is. */
export async function setYearOpen(tx: Tx, year: number): Promise<boolean> {
  const [reopened] = await tx
    .query(
      sql`update ledger.fiscal_years set status = 'open', closed_at = null, closed_on = null
          where year = ${year} and status = 'closed' returning year`,
    )
    .catch((error) => {
      if (databaseErrorOf(error)?.constraint !== 'fiscal_years_reopen_backwards') throw error;
      throw refuseWhole('unprocessable', 'later_year_closed', { of: year }, { cause: error });
    });
  return reopened !== undefined;
}
