/** Vouchers that mend filed returns, and those that may. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { brief, type VoucherInBrief } from './voucher-store.ts';

export interface AssignedVoucher extends VoucherInBrief {
  /** Of the return that has it; null while it waits for one. */
  readonly returnNumber: number | null;
}

/** What mends the period's return. */
export function listAssigned(db: Db, end: string): Promise<AssignedVoucher[]> {
  return db.query<AssignedVoucher>(
    sql`select ${brief}, a.return_number as "returnNumber"
        from ledger.vat_assignments a join ledger.vouchers v on v.id = a.voucher_id
        where a.period_end = ${end}::date order by v.verification_date, v.series, v.number`,
  );
}

/** What was posted into the filed period after it was filed, and is in no return. */
export function listLate(db: Db, end: string): Promise<VoucherInBrief[]> {
  return db.query<VoucherInBrief>(
    sql`select ${brief} from ledger.late_vat_vouchers(${end}::date) late
        join ledger.vouchers v on v.id = late.voucher_id
        order by v.verification_date, v.series, v.number limit 200`,
  );
}

/** What takes vouchers of the period back, or stands in their place, on days that are not filed: it may be meant to mend it. */
export function listMending(db: Db, { start, end }: DateSpan): Promise<VoucherInBrief[]> {
  return db.query<VoucherInBrief>(
    sql`select ${brief} from ledger.vouchers wrong
        join ledger.corrections c on c.corrected_id = wrong.id
        join ledger.vouchers v on v.id in (c.reversal_id, c.replacement_id)
        where wrong.verification_date between ${start}::date and ${end}::date
          and v.verification_date > ${end}::date
          and exists (select from ledger.voucher_rows r
            where r.voucher_id = v.id and (r.vat_code is not null or ledger.is_vat_account(r.account)))
          and not exists (select from ledger.counted_elsewhere() e where e.voucher_id = v.id)
          and not exists (select from ledger.vat_filings f
            where v.verification_date between f.period_start and f.period_end)
        order by v.verification_date, v.series, v.number limit 200`,
  );
}

/** The voucher that is called so in the fiscal year; undefined when there is none. */
export async function findVoucherCalled(
  db: Db,
  {
    series,
    number,
    year,
  }: { readonly series: string; readonly number: number; readonly year: number },
): Promise<VoucherInBrief | undefined> {
  const [found] = await db.query<VoucherInBrief>(
    sql`select ${brief} from ledger.vouchers v
        join ledger.series s on s.id = v.series_id
        join ledger.fiscal_years y on y.id = s.fiscal_year_id
        where v.series = ${series} and v.number = ${number} and y.year = ${year}`,
  );
  return found;
}

export async function findVoucherInBrief(db: Db, id: string): Promise<VoucherInBrief | undefined> {
  const [found] = await db.query<VoucherInBrief>(
    sql`select ${brief} from ledger.vouchers v where v.id = ${id}::uuid`,
  );
  return found;
}

export async function insertAssignment(
  tx: Tx,
  { voucherId, end }: { readonly voucherId: string; readonly end: string },
  actor: string,
): Promise<void> {
  try {
    await tx.query(sql`insert into ledger.vat_assignments (voucher_id, period_end, created_by)
      values (${voucherId}::uuid, ${end}::date, ${actor})`);
  } catch (error) {
    const { constraint } = databaseErrorOf(error) ?? {};
    if (constraint === 'vat_assignments_pkey')
      throw refuseWhole('unprocessable', 'vat_assigned_already');
    if (constraint !== 'vat_assignments_mend') throw error;
    throw refuseWhole('unprocessable', 'vat_not_mending', { end });
  }
}

/** Of which period it was; undefined when it was of none. Throws 422 when a return tells of it. */
export async function deleteAssignment(tx: Tx, voucherId: string): Promise<string | undefined> {
  try {
    const [gone] = await tx.query<{ end: string }>(
      sql`delete from ledger.vat_assignments where voucher_id = ${voucherId}::uuid returning period_end as "end"`,
    );
    return gone?.end;
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'vat_assignments_stay') throw error;
    throw refuseWhole('unprocessable', 'vat_assignment_told');
  }
}

/** Last days of filed periods that something mends which no return tells of yet. */
export async function listMendedPeriods(db: Db): Promise<string[]> {
  const rows = await db.query<{ end: string }>(
    sql`select distinct a.period_end as "end" from ledger.vat_assignments a
        join ledger.vat_filings f on f.period_end = a.period_end
        where a.return_number is null order by 1`,
  );
  return rows.map(({ end }) => end);
}
