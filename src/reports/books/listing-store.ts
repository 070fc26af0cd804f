/** Vouchers and rows in the orders that listings have, a portion at a time along an index. */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { AccountRange } from '../../domain/ledger/statements.ts';
import {
  type AccountRow,
  listAccountRows,
  type RowPlace,
} from '../../ledger/accounts/ledger-store.ts';
import type { VoucherPlace } from '../../ledger/vouchers/cursor.ts';
import { type Carrier, carries } from './sum-store.ts';
import type { Days } from './table.ts';

export interface LedgerAccount {
  account: number;
  name: string;
}

/** Accounts of the range that may have something to show of the days: by whole months, so now and then one too many. */
export function listLedgerAccounts(
  db: Db,
  { from, to }: Days,
  { first, last }: AccountRange,
): Promise<LedgerAccount[]> {
  return db.query(sql`select a.number as account, a.name
    from (select b.account from ledger.month_balances b
      where b.account between ${first}::integer and ${last}::integer and b.month <= ${to}::date
      group by b.account
      having bool_or(b.month >= date_trunc('month', ${from}::date)) or sum(b.debit_ore - b.credit_ore) <> 0) as used
    join ledger.accounts a on a.number = used.account order by a.number`);
}

/** Rows of the accounts in the days, counted no further than one more than `max`. */
export async function countLedgerRows(
  db: Db,
  { from, to }: Days,
  { first, last }: AccountRange,
  dimension: Carrier | undefined,
  max: number,
): Promise<number> {
  const [found] = await db.query<{ rows: number }>(
    sql`select count(*)::integer as rows from (select from ledger.voucher_rows r
      where r.account between ${first}::integer and ${last}::integer and ${carries(dimension)}
        and r.verification_date between ${from}::date and ${to}::date limit ${max + 1}) as r`,
  );
  return found?.rows ?? 0;
}

/** Vouchers of the days; of a dimension, those that have a row with it. */
const vouchersOf = ({ from, to }: Days, dimension: Carrier | undefined): Sql =>
  dimension
    ? sql`(select distinct r.voucher_id as id, r.verification_date, r.series, r.number
        from ledger.voucher_rows r where ${carries(dimension)}
          and r.verification_date between ${from}::date and ${to}::date)`
    : sql`(select v.id, v.verification_date, v.series, v.number from ledger.vouchers v
        where v.verification_date between ${from}::date and ${to}::date)`;

/** Rows of the vouchers of the days; a voucher has two or more, so no more of them are looked at than that takes. */
export async function countVoucherRows(
  db: Db,
  { dimension, ...days }: Days & { readonly dimension?: Carrier | undefined },
  max: number,
): Promise<number> {
  const [found] = await db.query<{ rows: number }>(
    sql`select coalesce(sum(v.row_count), 0)::integer as rows
      from (select * from ${vouchersOf(days, dimension)} as p limit ${max}) as p
      join ledger.vouchers v on v.id = p.id`,
  );
  return found?.rows ?? 0;
}

/** Debit less credit of an account from `since` to before the day, and of that day on through `place`. */
export async function sumBefore(
  db: Db,
  account: number,
  {
    since,
    day,
    place,
    dimension,
  }: {
    readonly since: string;
    readonly day: string;
    readonly place?: RowPlace | undefined;
    readonly dimension?: Carrier | undefined;
  },
): Promise<bigint> {
  const until = place?.date ?? day;
  const months = dimension
    ? sql`0`
    : sql`coalesce((select sum(b.debit_ore - b.credit_ore) from ledger.month_balances b
        where b.account = ${account} and b.month >= ${since}::date
          and b.month < date_trunc('month', ${until}::date)), 0)`;
  const from = dimension ? sql`${since}::date` : sql`date_trunc('month', ${until}::date)::date`;
  const end = place
    ? sql`r.verification_date <= ${place.date}::date
        and (r.verification_date, r.series, r.number, r.row_no)
          <= (${place.date}::date, ${place.series}, ${place.number}::integer, ${place.rowNo}::integer)`
    : sql`r.verification_date < ${day}::date`;
  const [found] = await db.query<{ ore: bigint }>(
    sql`select (${months} + coalesce((select sum(r.debit_ore - r.credit_ore) from ledger.voucher_rows r
        where r.account = ${account} and ${carries(dimension)}
          and r.verification_date >= ${from} and ${end}), 0))::bigint as ore`,
  );
  return found?.ore ?? 0n;
}

/** At most `limit` + 1 rows of an account in the days, after `place`, in the order of the ledger. */
export async function listLedgerRows(
  db: Db,
  account: number,
  { from, to }: Days,
  {
    place,
    limit,
    dimension,
  }: {
    readonly place?: RowPlace | undefined;
    readonly limit: number;
    readonly dimension?: Carrier | undefined;
  },
): Promise<AccountRow[]> {
  if (!dimension) return listAccountRows(db, account, { start: from, end: to }, place, limit);
  const after = place
    ? sql`and (r.verification_date, r.series, r.number, r.row_no)
        > (${place.date}::date, ${place.series}, ${place.number}::integer, ${place.rowNo}::integer)`
    : sql``;
  return db.query(sql`select r.voucher_id, r.verification_date, r.series, r.number, r.row_no, v.description,
      r.note, r.debit_ore, r.credit_ore
    from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
    where ${carries(dimension)} and r.account = ${account}
      and r.verification_date between ${from}::date and ${to}::date ${after}
    order by r.verification_date, r.series, r.number, r.row_no limit ${limit + 1}`);
}

/** A voucher with its rows, which are a list in their order. */
export interface WholeVoucher {
  id: string;
  date: string;
  series: string;
  number: number;
  description: string;
  counterparty: string | null;
  posted_at: Date;
  /** Of the fiscal year that numbers it. */
  series_id: string;
  rows: {
    readonly account: number;
    readonly name: string;
    readonly note: string | null;
    /** Öre; amounts are far below what JSON's numbers hold exactly. */
    readonly debit: number;
    readonly credit: number;
  }[];
}

const withRows = (
  page: Sql,
): Sql => sql`select v.id, v.verification_date as date, v.series, v.number,
    v.description, v.counterparty, v.posted_at, v.series_id,
    (select jsonb_agg(jsonb_build_object('account', r.account, 'name', a.name, 'note', r.note,
        'debit', r.debit_ore, 'credit', r.credit_ore) order by r.row_no)
      from ledger.voucher_rows r join ledger.accounts a on a.number = r.account
      where r.voucher_id = v.id) as rows
  from (${page}) as v`;

/** At most `limit` + 1 vouchers of the days after `place`, by date, series and number; whole, also those of a dimension. */
export function listVouchersByDate(
  db: Db,
  { dimension, ...days }: Days & { readonly dimension?: Carrier | undefined },
  place: VoucherPlace | undefined,
  limit: number,
): Promise<WholeVoucher[]> {
  const after = place
    ? sql`and p.verification_date >= ${place.date}::date and (p.verification_date, p.series, p.number)
        > (${place.date}::date, ${place.series}, ${place.number}::integer)`
    : sql``;
  const shown = sql`select p.id from ${vouchersOf(days, dimension)} as p where true ${after}
    order by p.verification_date, p.series, p.number limit ${limit + 1}`;
  return db.query(sql`${withRows(sql`select w.* from (${shown}) as s join ledger.vouchers w on w.id = s.id`)}
    order by v.verification_date, v.series, v.number`);
}

export interface SeriesPlace {
  id: string;
  number: number;
}

/**
 * Every series of the fiscal years that the days touch, before its first voucher of the days, so that the walk along
 * numbers does not begin with those of all the months before.
 */
export function listSeriesOf(db: Db, { from, to }: Days): Promise<SeriesPlace[]> {
  return db.query(sql`select s.id, case when y.start_date >= ${from}::date then 0 else coalesce((
        select min(v.number) - 1 from ledger.vouchers v where v.series = s.code
          and v.verification_date between ${from}::date and least(${to}::date, y.end_date)), 0) end as number
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where y.start_date <= ${to}::date and y.end_date >= ${from}::date and s.last_number > 0
    order by y.start_date, s.code`);
}

/**
 * The next at most `limit` + 1 vouchers of the days in the order they were registered. Numbers are given as vouchers
 * are registered, so each series is in that order by its own index; the series are put together by the moment. A
 * moment is when the posting began, which may be before that of the number before: then the number's order holds.
 */
export function listVouchersRegistered(
  db: Db,
  { from, to }: Days,
  series: readonly SeriesPlace[],
  limit: number,
): Promise<WholeVoucher[]> {
  return db.query(sql`with merged as (
      select n.*, max(n.posted_at) over (partition by n.series_id order by n.number) as reached_at
      from unnest(${series.map(({ id }) => id)}::uuid[],
        ${series.map(({ number }) => number)}::integer[]) as s (id, number)
      -- The series' last voucher of the days, when there are later ones: the walk along its numbers ends there.
      cross join lateral (
        select case when exists (select from ledger.vouchers v where v.series = o.code
            and v.verification_date > ${to}::date and v.verification_date <= y.end_date)
          then (select max(v.number) from ledger.vouchers v where v.series = o.code
            and v.verification_date between greatest(${from}::date, y.start_date) and ${to}::date)
          else o.last_number end as number
        from ledger.series o join ledger.fiscal_years y on y.id = o.fiscal_year_id where o.id = s.id
      ) as last
      -- By number alone: by an index of days every voucher of the days would be read and sorted.
      cross join lateral (select p.* from ledger.vouchers p
        where p.series_id = s.id and p.number > s.number and p.number <= last.number
          and p.verification_date - ${from}::date between 0 and ${to}::date - ${from}::date
        order by p.number limit ${limit + 1}) as n
      order by reached_at, n.series, n.series_id, n.number limit ${limit + 1}
    )
    ${withRows(sql`select * from merged`)} order by v.reached_at, v.series, v.series_id, v.number`);
}
