/** An account's ledger: what stood on it, and every row since. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { isBalanceAccount } from '../../domain/ledger/account.ts';

/** Whole months within one fiscal year. */
export interface LedgerPeriod {
  readonly yearStart: string;
  readonly start: string;
  readonly end: string;
}

/** The balance as the period begins, and the period's debit and credit: by month balances alone. */
export async function sumAccountPeriod(
  db: Db,
  account: number,
  { yearStart, start, end }: LedgerPeriod,
): Promise<{ opening_ore: bigint; debit_ore: bigint; credit_ore: bigint }> {
  // A result account begins every year at nothing.
  const floor = isBalanceAccount(account) ? '0001-01-01' : yearStart;
  const [sums] = await db.query<{ opening_ore: bigint; debit_ore: bigint; credit_ore: bigint }>(
    sql`select
          coalesce(sum(debit_ore - credit_ore)
            filter (where month >= ${floor}::date and month < ${start}::date), 0)::bigint as opening_ore,
          coalesce(sum(debit_ore) filter (where month >= ${start}::date), 0)::bigint as debit_ore,
          coalesce(sum(credit_ore) filter (where month >= ${start}::date), 0)::bigint as credit_ore
        from ledger.month_balances where account = ${account} and month <= ${end}::date`,
  );
  return sums ?? { opening_ore: 0n, debit_ore: 0n, credit_ore: 0n };
}

/** A row's place in the order of the ledger, which is unique. */
export interface RowPlace {
  readonly date: string;
  readonly series: string;
  readonly number: number;
  readonly rowNo: number;
}

export interface AccountRow {
  voucher_id: string;
  verification_date: string;
  series: string;
  number: number;
  row_no: number;
  description: string;
  note: string | null;
  debit_ore: bigint;
  credit_ore: bigint;
}

/** At most `limit` + 1 rows of an account in the period, after `place`. */
export function listAccountRows(
  db: Db,
  account: number,
  { start, end }: Pick<LedgerPeriod, 'start' | 'end'>,
  place: RowPlace | undefined,
  limit: number,
): Promise<AccountRow[]> {
  const after = place
    ? sql`and r.verification_date >= ${place.date}::date
        and (r.verification_date, r.series, r.number, r.row_no)
          > (${place.date}::date, ${place.series}, ${place.number}::integer, ${place.rowNo}::integer)`
    : sql``;
  return db.query(
    sql`select r.voucher_id, r.verification_date, r.series, r.number, r.row_no, v.description, r.note,
          r.debit_ore, r.credit_ore
        from (select * from ledger.voucher_rows r where r.account = ${account}
            and r.verification_date between ${start}::date and ${end}::date ${after}
          order by r.verification_date, r.series, r.number, r.row_no limit ${limit + 1}) as r
        cross join lateral (select description from ledger.vouchers where id = r.voucher_id limit 1) as v
        order by r.verification_date, r.series, r.number, r.row_no`,
  );
}

/**
 * Debit less credit from the first day of the place's month through the place itself: with the month
 * balances before it, the balance a page begins with, whatever was posted since the page before.
 */
export async function sumMonthThrough(db: Db, account: number, place: RowPlace): Promise<bigint> {
  const month = `${place.date.slice(0, 7)}-01`;
  const [sums] = await db.query<{ ore: bigint }>(
    sql`select coalesce(sum(r.debit_ore - r.credit_ore), 0)::bigint as ore from ledger.voucher_rows r
        where r.account = ${account}
          and r.verification_date between ${month}::date and ${place.date}::date
          and (r.verification_date, r.series, r.number, r.row_no)
            <= (${place.date}::date, ${place.series}, ${place.number}::integer, ${place.rowNo}::integer)`,
  );
  return sums?.ore ?? 0n;
}
