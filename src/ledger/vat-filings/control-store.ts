/** What the controls of a VAT return read beside its sums, and the vouchers behind a box. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { AccountAmount } from '../../domain/ledger/vat-controls.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import { brief, elsewhere, type VoucherInBrief } from './voucher-store.ts';

/** How many rows of the days stand on the accounts of each box of VAT. */
export async function countVatRows(
  db: Db,
  { start, end }: DateSpan,
): Promise<ReadonlyMap<string, number>> {
  const counts = await db.query<{ box: string; rows: number }>(
    sql`select a.vat_box as box, count(*)::integer as rows
        from ledger.accounts a join ledger.voucher_rows r on r.account = a.number
          and r.verification_date between ${start}::date and ${end}::date
        where ledger.is_vat_account(a.number) and a.vat_box is not null group by a.vat_box`,
  );
  return new Map(counts.map(({ box, rows }) => [box, rows]));
}

/**
 * What stands on the VAT accounts from before the period: earlier VAT that no settlement has taken away, also none
 * that was posted later. Credit less debit.
 */
export function listVatFromBefore(db: Db, { start, end }: DateSpan): Promise<AccountAmount[]> {
  return db.query<AccountAmount>(
    sql`select m.account, sum(m.ore)::bigint as ore from (
          select b.account, b.credit_ore - b.debit_ore as ore from ledger.month_balances b
          where b.month < date_trunc('month', ${start}::date)
          union all
          -- What the books began with.
          select r.account, r.credit_ore - r.debit_ore
          from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
          where v.source = 'opening' and v.verification_date between date_trunc('month', ${start}::date) and ${end}::date
            and not exists (select from ledger.corrections c where c.corrected_id = v.id)
          union all
          -- Settlements of earlier periods that stand later.
          select r.account, r.credit_ore - r.debit_ore
          from (
            select s.voucher_id, s.period_end from ledger.vat_settlements s
            union all
            select j.voucher_id, j.period_end from ledger.settlement_judgements j
            union all
            select c.reversal_id, s.period_end from ledger.vat_settlements s
            join ledger.corrections c on c.corrected_id = s.voucher_id) as settling
          join ledger.voucher_rows r on r.voucher_id = settling.voucher_id
          where settling.period_end < ${start}::date and r.verification_date >= date_trunc('month', ${start}::date)
          union all
          -- What mends an earlier period, and stands later, is that period's.
          select r.account, r.credit_ore - r.debit_ore
          from ledger.vat_assignments a join ledger.voucher_rows r on r.voucher_id = a.voucher_id
          where a.period_end < ${start}::date and r.verification_date >= date_trunc('month', ${start}::date)
        ) as m
        where ledger.is_vat_account(m.account)
        group by m.account having sum(m.ore) <> 0 order by m.account`,
  );
}

export interface LeftOutVoucher extends VoucherInBrief {
  readonly why:
    | 'settlement'
    | 'opening'
    | 'accrual'
    | 'taken_back'
    | 'imported_settlement'
    | 'assigned';
  /** The period whose return it mends, by its last day. */
  readonly countsIn: string | null;
}

/** Vouchers of the days that count in no box of them. */
export function listLeftOut(db: Db, { start, end }: DateSpan): Promise<LeftOutVoucher[]> {
  return db.query<LeftOutVoucher>(
    sql`select ${brief}, e.why,
          e.counts_on as "countsIn"
        from ledger.counted_elsewhere() e join ledger.vouchers v on v.id = e.voucher_id
        where v.verification_date between ${start}::date and ${end}::date
          and (e.counts_on is null or e.counts_on not between ${start}::date and ${end}::date)
          and exists (select from ledger.voucher_rows r
            where r.voucher_id = v.id and (r.vat_code is not null or r.account between 2610 and 2650))
        order by v.verification_date, v.series, v.number`,
  );
}

/** A row that counts in a box, with where it stands. */
export interface BoxRow extends VoucherInBrief {
  readonly rowNo: number;
  readonly account: number;
  readonly accountName: string;
  readonly vatCode: string | null;
  /** Credit less debit. */
  readonly ore: bigint;
}

/** After which row the next page begins. */
export interface BoxRowPlace {
  readonly date: string;
  readonly series: string;
  readonly number: number;
  readonly rowNo: number;
}

/**
 * The rows that count in the box of the days, in the order of the ledger. The kept sums tell which accounts have any,
 * so that a page takes as long in books of a million vouchers as in small ones.
 */
export function listBoxRows(
  db: Db,
  { start, end, box }: DateSpan & { readonly box: string },
  { after, limit }: { readonly after: BoxRowPlace | null; readonly limit: number },
): Promise<BoxRow[]> {
  const counts = sql`(r.account in (select number from accounts)
    or r.account not between 2610 and 2650 and r.vat_code in (select vat_code from codes))`;
  const follows = after
    ? sql`(r.verification_date, r.series, r.number, r.row_no)
        > (${after.date}::date, ${after.series}::text, ${after.number}::integer, ${after.rowNo}::integer)`
    : sql`true`;
  const inOrder = sql`order by r.verification_date, r.series, r.number, r.row_no limit ${limit}`;
  return db.query<BoxRow>(
    sql`with accounts as (
          select a.number from ledger.accounts a where a.vat_box = ${box} and ledger.is_vat_account(a.number)
        ), codes as (
          select c.vat_code from (select distinct a.vat_code from ledger.accounts a where a.vat_code is not null) as c
          cross join lateral ledger.vat_box(1000, c.vat_code) as b where b.box = ${box}
        ), posted as (
          select distinct r.account from ledger.month_balances r
          where r.month between date_trunc('month', ${start}::date) and ${end}::date and ${counts}
        ), ${elsewhere}, found as (
          select r.* from posted p cross join lateral (
            select * from ledger.voucher_rows r
            where r.account = p.account and r.verification_date between ${start}::date and ${end}::date
              and ${counts} and ${follows}
              and not exists (select from elsewhere e where e.voucher_id = r.voucher_id)
            ${inOrder}) as r
          union all
          select r.* from elsewhere e join ledger.voucher_rows r on r.voucher_id = e.voucher_id
          where e.counts_on between ${start}::date and ${end}::date and ${counts} and ${follows}
        )
        select ${brief}, r.row_no as "rowNo", r.account,
          a.name as "accountName", r.vat_code as "vatCode", r.credit_ore - r.debit_ore as ore
        from (select * from found r ${inOrder}) as r join ledger.vouchers v on v.id = r.voucher_id
        join ledger.accounts a on a.number = r.account
        order by r.verification_date, r.series, r.number, r.row_no`,
  );
}
