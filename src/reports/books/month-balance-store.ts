/** What every account came to month by month, out of the kept sums; of a dimension, out of its rows. */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { firstResultAccount } from '../../domain/ledger/account.ts';

export interface MonthBalance {
  account: number;
  /** The fiscal year's number. */
  year: number;
  /** Its first day, YYYY-MM-DD. */
  month: string;
  opening_ore: Ore;
  debit_ore: Ore;
  credit_ore: Ore;
  closing_ore: Ore;
}

export interface MonthBalancesAsked {
  readonly accounts?: readonly number[] | undefined;
  /** First days of months, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A fiscal year's number. */
  readonly year?: number | undefined;
  /** Only rows that carry it. */
  readonly dimension?: string | undefined;
  readonly after?: Pick<MonthBalance, 'account' | 'month'> | undefined;
  readonly limit: number;
}

const keptSums = sql`select b.account, b.month, b.debit_ore, b.credit_ore from ledger.month_balances b`;

/** A dimension is of one kind, so a row has it in one place. */
const sumsOf = (dimension: string): Sql => sql`
  select r.account, date_trunc('month', r.verification_date)::date as month, r.debit_ore, r.credit_ore
  from ledger.voucher_rows r where r.cost_center_id = ${dimension}::uuid
  union all
  select r.account, date_trunc('month', r.verification_date)::date, r.debit_ore, r.credit_ore
  from ledger.voucher_rows r where r.project_id = ${dimension}::uuid`;

/**
 * Accounts by number, months in order, at most `limit` of them after a place: those in which an account stood at
 * something or was posted on. Fiscal years are of whole months, and result accounts begin each of them at nothing. Months go
 * on to the last that anything is posted in, or to the one asked for.
 */
export function listMonthBalances(db: Db, asked: MonthBalancesAsked): Promise<MonthBalance[]> {
  const { accounts = null, from = null, to = null, year = null, dimension, after, limit } = asked;
  return db.query(sql`with posted as (
      select p.account, p.month, sum(p.debit_ore) as debit_ore, sum(p.credit_ore) as credit_ore
      from (${dimension === undefined ? keptSums : sumsOf(dimension)}) as p
      where (${accounts}::integer[] is null or p.account = any (${accounts}::integer[]))
        and p.account >= ${after?.account ?? 0}::integer
      group by p.account, p.month
    ), months as (
      select m.month::date as month, y.year
      from ledger.fiscal_years y
      cross join lateral generate_series(y.start_date::timestamp, y.end_date::timestamp, interval '1 month') as m (month)
      where m.month::date <= coalesce(${to}::date, (select max(b.month) from ledger.month_balances b))
    ), cells as (
      select a.account, m.month, m.year, coalesce(p.debit_ore, 0) as debit_ore, coalesce(p.credit_ore, 0) as credit_ore,
        sum(coalesce(p.debit_ore - p.credit_ore, 0)) over (
          partition by a.account, case when a.account >= ${firstResultAccount}::integer then m.year end
          order by m.month) as closing_ore
      from (select distinct account from posted) as a
      cross join months m
      left join posted p on p.account = a.account and p.month = m.month
    )
    select account, year, month, (closing_ore - debit_ore + credit_ore)::bigint as opening_ore,
      debit_ore::bigint as debit_ore, credit_ore::bigint as credit_ore, closing_ore::bigint as closing_ore
    from cells
    where (debit_ore <> 0 or credit_ore <> 0 or closing_ore <> 0)
      and (${from}::date is null or month >= ${from}::date)
      and (${year}::integer is null or year = ${year}::integer)
      and (${after?.account ?? null}::integer is null
        or (account, month) > (${after?.account ?? null}::integer, ${after?.month ?? null}::date))
    order by account, month limit ${limit}::integer`);
}
