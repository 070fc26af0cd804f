/** What a SIE file of a fiscal year is made of, as the books have it. */
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { AccountType } from '../../domain/ledger/account.ts';

/** A series and how far it had come at the moment of the snapshot. */
export interface SeriesOfFile {
  readonly id: string;
  readonly code: string;
  readonly last: number;
}

export interface YearSnapshot {
  heads: SeriesOfFile[];
  /** `YYYY-MM-DD` when the last voucher up to the heads was posted; null without vouchers. */
  posted_on: string | null;
  /** By account and month up to the year's last; öre as text. */
  movements: { account: number; month: string; ore: string }[];
  /** The first day of the books, and what the vouchers did that open them there. */
  opened_on: string;
  opening: { account: number; ore: string }[];
  /** Of cost centres and projects on balance accounts. */
  objects: {
    account: number;
    kind: 'cost_center' | 'project';
    code: string;
    opening: string;
    closing: string;
  }[];
}

/**
 * Balances, and how far every series has come, in one statement and so of one moment. Vouchers never change:
 * those up to the heads are what the balances are of, whenever they are read.
 */
export async function takeSnapshot(
  db: Db,
  {
    start,
    end,
    timeZone,
  }: { readonly start: string; readonly end: string; readonly timeZone: string },
): Promise<YearSnapshot> {
  const [snapshot] = await db.query<YearSnapshot>(sql`
    with head as (
      select s.id, s.code, s.last_number as last
      from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
      where y.start_date = ${start}::date and s.last_number > 0
    ), opened as (
      select v.id from ledger.vouchers v
      where v.verification_date = (select min(y.start_date) from ledger.fiscal_years y)
        and v.source = 'opening'
      union all
      -- What takes such a one back on the same day opens nothing either.
      select back.id from ledger.vouchers v
      join ledger.corrections c on c.corrected_id = v.id
      join ledger.vouchers back on back.id = c.reversal_id
        and back.verification_date = v.verification_date
      where v.verification_date = (select min(y.start_date) from ledger.fiscal_years y)
        and v.source = 'opening'
    ), carried as (
      select d.kind, d.code, r.account,
        coalesce(sum(r.debit_ore - r.credit_ore) filter (where r.verification_date < ${start}::date
          or exists (select from opened where opened.id = r.voucher_id)), 0) as opening,
        sum(r.debit_ore - r.credit_ore) as closing
      from ledger.dimensions d join ledger.voucher_rows r
        on r.cost_center_id = d.id or r.project_id = d.id
      where r.account < 3000 and r.verification_date <= ${end}::date
      group by d.kind, d.code, r.account
    )
    select
      (select coalesce(json_agg(h order by h.code), '[]') from head h) as heads,
      (select max(v.posted_at at time zone ${timeZone})::date
        from head h join ledger.vouchers v on v.series_id = h.id and v.number = h.last) as posted_on,
      (select min(y.start_date) from ledger.fiscal_years y) as opened_on,
      (select coalesce(json_agg(m order by m.account, m.month), '[]') from (
        select b.account, to_char(b.month, 'YYYY-MM') as month,
          sum(b.debit_ore - b.credit_ore)::text as ore
        from ledger.month_balances b where b.month <= ${end}::date group by 1, 2) as m) as movements,
      (select coalesce(json_agg(o), '[]') from (
        select r.account, sum(r.debit_ore - r.credit_ore)::text as ore
        from opened join ledger.voucher_rows r on r.voucher_id = opened.id group by 1) as o) as opening,
      (select coalesce(json_agg(c order by c.account, c.kind, c.code), '[]') from (
        select account, kind, code, opening::text, closing::text from carried) as c) as objects`);
  if (!snapshot) throw new Error('a select without from gives one row');
  return snapshot;
}

export interface CompanyOfFile {
  name: string;
  organization_number: string;
  address: string | null;
  postal_code: string | null;
  city: string | null;
  phone: string | null;
}

export async function getCompanyOfFile(db: Db): Promise<CompanyOfFile> {
  const [company] = await db.query<CompanyOfFile>(
    sql`select name, organization_number, address, postal_code, city, phone from restricted.company`,
  );
  if (!company) throw new Error('there is a fiscal year, and so a company');
  return company;
}

export interface AccountOfFile {
  number: number;
  name: string;
  type: AccountType;
  sru: string | null;
}

/** Accounts in use, and those that ever were. */
export function listAccountsOfFile(db: Db): Promise<AccountOfFile[]> {
  return db.query(sql`select a.number, a.name, a.type, a.sru from ledger.accounts a
    where a.is_active or exists (select from ledger.month_balances b where b.account = a.number)
    order by a.number`);
}

export interface VoucherOfFile {
  id: string;
  number: number;
  date: string;
  description: string;
  counterparty: string | null;
  source: string;
  /** It is part of what the books began with. */
  opens_books: boolean;
  registered: string;
  /** Of who registered it in the program that it came from. */
  signature: string | null;
  corrected_label: string | null;
  corrected_date: string | null;
}

/** A page ends when its vouchers have this many rows together, or a few long ones would fill the memory. */
const pageVouchersMax = 2_000;
const pageRowsMax = 6_000;

/** The vouchers of a series after a number and up to its head, in order; always one if there is one. */
export function listVouchersOfFile(
  db: Db,
  { id, last }: SeriesOfFile,
  after: number,
  { timeZone, openedOn }: { readonly timeZone: string; readonly openedOn: string },
): Promise<VoucherOfFile[]> {
  return db.query(
    prepared(
      'vouchers of sie file',
      sql`select v.id, v.number, v.verification_date as date, v.description, v.counterparty, v.source,
            coalesce(came.registered_on, (v.posted_at at time zone ${timeZone})::date) as registered,
            came.signature,
            corrected.series || corrected.number as corrected_label,
            corrected.verification_date as corrected_date,
            v.verification_date = ${openedOn}::date and (v.source = 'opening' or v.source = 'reversal'
              and corrected.source = 'opening' and corrected.verification_date = v.verification_date)
              as opens_books
          from (
            select p.id, p.number, p.verification_date, p.description, p.counterparty, p.source,
              p.posted_at, coalesce(sum(p.row_count) over (order by p.number
              rows between unbounded preceding and 1 preceding), 0) as rows_before
            from (select * from ledger.vouchers p where p.series_id = ${id}::uuid
              and p.number > ${after}::integer and p.number <= ${last}::integer
              order by p.number limit ${pageVouchersMax}) as p
          ) as v
          left join lateral (
            select c.corrected_id from ledger.corrections c
            where v.source = 'reversal' and c.reversal_id = v.id
            union all
            select c.corrected_id from ledger.corrections c
            where v.source <> 'reversal' and c.replacement_id = v.id limit 1
          ) as c on true
          left join lateral (select * from ledger.vouchers w where w.id = c.corrected_id limit 1)
            as corrected on true
          left join lateral (select i.registered_on, i.signature from ledger.imported_vouchers i
            where v.source = 'import' and i.voucher_id = v.id limit 1) as came on true
          where v.rows_before < ${pageRowsMax}
          order by v.number`,
    ),
  );
}

export interface RowOfFile {
  voucher_id: string;
  account: number;
  ore: bigint;
  note: string | null;
  cost_center_id: string | null;
  project_id: string | null;
}

/** The rows of the vouchers, each voucher's together and in order. */
export function listRowsOfFile(db: Db, vouchers: readonly string[]): Promise<RowOfFile[]> {
  return db.query(
    prepared(
      'rows of sie file',
      sql`select r.voucher_id, r.account, r.debit_ore - r.credit_ore as ore, r.note, r.cost_center_id,
            r.project_id
          from unnest(${vouchers}::uuid[]) with ordinality as wanted (id, place)
          cross join lateral (select * from ledger.voucher_rows r where r.voucher_id = wanted.id
            order by r.row_no) as r
          order by wanted.place, r.row_no`,
    ),
  );
}
