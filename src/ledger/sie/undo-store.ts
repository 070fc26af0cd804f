/** Imports as they are looked at, and what taking one back needs. */
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import { refuseWhole } from '../../lib/errors.ts';
import type { ImportReport } from './importing.ts';

export interface SieImport {
  id: string;
  file_name: string;
  /** Hexadecimal. */
  sha256: string;
  /** As `reportOf` made it. */
  report: ImportReport;
  created_at: Date;
  created_by: string;
  undone_at: Date | null;
  /** When its vouchers left the books, since the company began anew. */
  emptied_at: Date | null;
}

const columns = sql`m.id, m.file_name, encode(m.sha256, 'hex') as sha256, m.report, m.created_at,
  m.created_by, m.undone_at, m.emptied_at`;

/** The latest first. */
export function listImports(db: Db, limit: number): Promise<SieImport[]> {
  return db.query(sql`select ${columns} from ledger.imports m order by m.created_at desc, m.id
    limit ${limit}`);
}

/** Throws 404 when there is none. */
export async function getImport(db: Db, id: string): Promise<SieImport> {
  const [one] = await db.query<SieImport>(
    sql`select ${columns} from ledger.imports m where m.id = ${id}::uuid`,
  );
  if (!one) throw refuseWhole('not_found', 'no_import');
  return one;
}

export interface VoucherOfImport {
  id: string;
  series: string;
  date: string;
  label: string;
  description: string;
}

/** In the order they were posted in; those that somebody has taken back already left out. */
export function listVouchersToReverse(db: Db, importId: string): Promise<VoucherOfImport[]> {
  return db.query(
    sql`select v.id, v.series, v.verification_date as date, v.series || v.number as label, v.description
        from ledger.imported_vouchers i join ledger.vouchers v on v.id = i.voucher_id
        where i.import_id = ${importId}::uuid
          and not exists (select from ledger.corrections c where c.corrected_id = v.id)
        order by v.series_id, v.number`,
  );
}

export interface RowOfImport {
  voucher_id: string;
  account: number;
  debit_ore: bigint;
  credit_ore: bigint;
  note: string | null;
  cost_center_id: string | null;
  project_id: string | null;
  vat_code: string | null;
}

export function listRowsToReverse(db: Db, vouchers: readonly string[]): Promise<RowOfImport[]> {
  return db.query(
    prepared(
      'rows to reverse',
      sql`select r.voucher_id, r.account, r.debit_ore, r.credit_ore, r.note, r.cost_center_id,
            r.project_id, r.vat_code
          from unnest(${vouchers}::uuid[]) as wanted (id)
          cross join lateral (select * from ledger.voucher_rows r where r.voucher_id = wanted.id) as r
          order by r.voucher_id, r.row_no`,
    ),
  );
}

/** Links vouchers with those that take them back, and writes that down of each. */
export async function insertReversals(
  tx: Tx,
  pairs: readonly { readonly corrected: string; readonly reversal: string }[],
  actor: string,
): Promise<void> {
  const corrected = pairs.map((pair) => pair.corrected);
  const reversal = pairs.map((pair) => pair.reversal);
  await tx.query(sql`insert into ledger.corrections (corrected_id, reversal_id, created_by)
    select p.corrected, p.reversal, ${actor}
    from unnest(${corrected}::uuid[], ${reversal}::uuid[]) as p (corrected, reversal)`);
  await tx.query(sql`select audit.record(${actor}, 'voucher.corrected', p.corrected,
      jsonb_build_object('reversal_id', p.reversal, 'replacement_id', null))
    from unnest(${corrected}::text[], ${reversal}::text[]) as p (corrected, reversal)`);
}

export async function setImportUndone(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`update ledger.imports set undone_at = now() where id = ${id}::uuid`);
}

/** What a voucher was called where it came from; undefined when it was not imported. */
export async function findOriginOf(
  db: Db,
  voucherId: string,
): Promise<
  | { import_id: string; file_name: string; series: string; number: string; line: number | null }
  | undefined
> {
  const [found] = await db.query<{
    import_id: string;
    file_name: string;
    series: string;
    number: string;
    line: number | null;
  }>(
    sql`select i.import_id, m.file_name, i.series, i.number, i.line
        from ledger.imported_vouchers i join ledger.imports m on m.id = i.import_id
        where i.voucher_id = ${voucherId}::uuid`,
  );
  return found;
}

/** Vouchers that were called so where they came from, series and number together; the newest first. */
export function findByOrigin(
  db: Db,
  label: string,
): Promise<{ id: string; label: string; origin: string; year: number }[]> {
  return db.query(
    sql`select v.id, v.series || v.number as label, i.series || i.number as origin, y.year
        from ledger.imported_vouchers i join ledger.vouchers v on v.id = i.voucher_id
        join ledger.fiscal_years y on v.verification_date between y.start_date and y.end_date
        where lower(i.series || i.number) = lower(${label})
        order by v.verification_date desc, v.series, v.number limit 10`,
  );
}
