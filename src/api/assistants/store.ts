/** What assistants read beyond what the API's own routes do, on behalf of a key: each asks for its scope anew. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';

export interface AccountRowPlace {
  readonly date: string;
  readonly id: string;
  readonly rowNo: number;
}

export interface PostedAccountRow {
  voucher_id: string;
  series: string;
  number: number;
  date: string;
  row_no: number;
  debit_ore: Ore;
  credit_ore: Ore;
  vat_code: string | null;
  note: string | null;
  description: string;
  counterparty: string | null;
}

/** Rows on an account by day. Row level security asks for data:read. */
export function listAccountRows(
  db: Db,
  {
    account,
    from,
    to,
    after,
    limit,
  }: {
    readonly account: number;
    readonly from: string;
    readonly to: string;
    readonly after: AccountRowPlace | undefined;
    readonly limit: number;
  },
): Promise<PostedAccountRow[]> {
  return db.query(sql`select v.id as voucher_id, v.series, v.number, r.verification_date as date, r.row_no, r.debit_ore,
      r.credit_ore, r.vat_code, r.note, v.description, v.counterparty
    from (select r.* from ledger.voucher_rows r
      where r.account = ${account}::integer and r.verification_date between ${from}::date and ${to}::date
        and (${after?.date ?? null}::date is null or (r.verification_date, r.voucher_id, r.row_no)
          > (${after?.date ?? null}::date, ${after?.id ?? null}::uuid, ${after?.rowNo ?? null}::integer))
      order by r.verification_date, r.voucher_id, r.row_no limit ${limit}::integer) as r
    join ledger.vouchers v on v.id = r.voucher_id
    order by r.verification_date, r.voucher_id, r.row_no`);
}

/** Of a VAT period: credit less debit by box, and when it was filed. */
export async function getVatReturn(
  db: Db,
  { start, end }: { readonly start: string; readonly end: string },
): Promise<{ filed_on: string | null; parts: { box: string; ore: number }[] }> {
  const [found] = await db.query<{
    filed_on: string | null;
    parts: { box: string; ore: number }[];
  }>(sql`select filed_on, parts from api.vat_return(${start}::date, ${end}::date)`);
  if (!found) throw new Error('the VAT return gave no answer');
  return found;
}

export interface MonthEndForKey {
  is_acknowledged: boolean;
  failing: string[];
  open_month: string | null;
  months_behind: number;
}

/** `month` by its first day. */
export async function getMonthEnd(
  db: Db,
  month: string,
  { today, timeZone }: { readonly today: string; readonly timeZone: string },
): Promise<MonthEndForKey> {
  const [found] = await db.query<MonthEndForKey>(
    sql`select * from api.month_end(${month}::date, ${today}::date, ${timeZone})`,
  );
  if (!found) throw new Error('the month end gave no answer');
  return found;
}

export interface StoppedOrderForKey {
  id: string;
  external_id: string | null;
  received_at: Date;
  reason: string | null;
}

export const listStoppedOrdersForKey = (
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<StoppedOrderForKey[]> =>
  db.query(sql`select * from api.list_stopped_orders(${after ?? null}::uuid, ${limit}::integer)`);

/** What would stop the voucher; null when nothing does. */
export async function findVoucherProblems(
  db: Db,
  payload: object,
): Promise<{ error: 'unprocessable' | 'period_locked'; detail: Record<string, unknown> } | null> {
  const [row] = await db.query<{
    problems: { error: 'unprocessable' | 'period_locked'; detail: Record<string, unknown> } | null;
  }>(sql`select api.check_voucher(${JSON.stringify(payload)}::jsonb) as problems`);
  return row?.problems ?? null;
}
