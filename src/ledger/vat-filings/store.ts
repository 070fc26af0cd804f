/** VAT periods, what they brought, and which of them are filed. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { DateSpan, VatReporting } from '../../domain/ledger/vat-deadlines.ts';
import type { VatSum } from '../../domain/ledger/vat-return.ts';
import type { VatOfAccount } from '../../domain/ledger/vat-settlement.ts';

/** How often the company reports VAT; undefined before set-up. */
export async function findVatPeriodKind(db: Db): Promise<VatReporting['period'] | undefined> {
  const [company] = await db.query<{ vat_period: VatReporting['period'] }>(
    sql`select vat_period from restricted.company`,
  );
  return company?.vat_period;
}

/** What a period's VAT brought and what of it is settled, in the order of the accounts. */
export function listVatOfPeriod(db: Db, { start, end }: DateSpan): Promise<VatOfAccount[]> {
  return db.query<VatOfAccount>(
    sql`select account, vat_box as box, brought_ore as "broughtOre", settled_ore as "settledOre"
        from ledger.vat_of_period(${start}::date, ${end}::date) order by account`,
  );
}

/** What counts in the VAT return of the days (ledger.vat_sums): credit less debit. */
export function listVatSums(db: Db, { start, end }: DateSpan): Promise<VatSum[]> {
  return db.query<VatSum>(
    sql`select account, vat_code as "vatCode", box, rate, credit_ore - debit_ore as ore
        from ledger.vat_sums(${start}::date, ${end}::date) order by account, vat_code, box`,
  );
}

/** The first day from `date` on which a voucher that touches VAT may be posted. */
export async function earliestOpenForVat(db: Db, date: string): Promise<string> {
  const [open] = await db.query<{ day: string }>(
    sql`select ledger.earliest_open_date(${date}::date, true) as day`,
  );
  return open?.day ?? date;
}

/** Where somebody last set the VAT lock, whatever filings have moved it to since; null when it was lifted, or never set. */
export async function findVatLockSaid(db: Db): Promise<string | null> {
  const [said] = await db.query<{ day: string | null }>(
    sql`select vat_lock_said_to as day from ledger.locks`,
  );
  return said?.day ?? null;
}

export interface VatFiling extends DateSpan {
  filed_on: string;
  filed_by: string;
}

/** The filed periods that have a day in common with this one; itself, when it is filed. */
export function listFilingsWithin(db: Db, { start, end }: DateSpan): Promise<VatFiling[]> {
  return db.query<VatFiling>(
    sql`select period_start as start, period_end as "end", filed_on, filed_by
        from ledger.vat_filings
        where period_start <= ${end}::date and ${start}::date <= period_end order by period_end`,
  );
}

/** The filing of the period that ends on `end`; undefined when there is none. */
export async function findFiling(db: Db, end: string): Promise<VatFiling | undefined> {
  return (await listFilingsWithin(db, { start: end, end })).find((filing) => filing.end === end);
}

export interface VatVoucher {
  id: string;
  series: string;
  number: number;
  verification_date: string;
}

/** The vouchers that settle the period, in the order they were posted. */
export function listSettlements(db: Db, end: string): Promise<VatVoucher[]> {
  return db.query<VatVoucher>(
    sql`select v.id, v.series, v.number, v.verification_date
        from ledger.vat_settlements s join ledger.vouchers v on v.id = s.voucher_id
        where s.period_end = ${end}::date order by v.verification_date, v.number`,
  );
}

/** Whether there was one. */
export async function deleteFiling(tx: Tx, end: string): Promise<boolean> {
  const gone = await tx.query(
    sql`delete from ledger.vat_filings where period_end = ${end}::date returning period_end`,
  );
  return gone.length > 0;
}

export async function insertSettlement(tx: Tx, voucherId: string, end: string): Promise<void> {
  await tx.query(sql`insert into ledger.vat_settlements (voucher_id, period_end)
    values (${voucherId}::uuid, ${end}::date)`);
}
