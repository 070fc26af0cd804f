/** Series of vouchers, per fiscal year. */
import { recordEvent } from '../../audit/store.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';

export interface Series {
  id: string;
  code: string;
  name: string;
  /** Vouchers are numbered without gaps, so this is also how many there are. */
  last_number: number;
  year: number;
  year_is_open: boolean;
}

const columns = sql`s.id, s.code, s.name, s.last_number, y.year, y.status = 'open' as year_is_open`;

export function listSeries(db: Db, year: number): Promise<Series[]> {
  return db.query(sql`select ${columns}
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where y.year = ${year} order by s.code`);
}

/** Throws 404 when there is none. */
export async function getSeries(db: Db, id: string): Promise<Series> {
  const [series] = await db.query<Series>(sql`select ${columns}
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where s.id = ${id}::uuid`);
  if (!series) throw refuseWhole('not_found', 'no_series');
  return series;
}

export async function createSeries(
  tx: Tx,
  { year, code, name }: { readonly year: number; readonly code: string; readonly name: string },
  actor: string,
): Promise<void> {
  const [fiscalYear] = await tx.query<{ id: string; status: string }>(
    sql`select id, status from ledger.fiscal_years where year = ${year}`,
  );
  const refuseAt = (path: string, reason: 'no_fiscal_year' | 'year_closed' | 'series_taken') =>
    refuse('unprocessable', [faultOf(path, reason, { of: year, code })]);
  if (!fiscalYear) throw refuseAt('year', 'no_fiscal_year');
  if (fiscalYear.status === 'closed') throw refuseAt('year', 'year_closed');
  const id = uuid();
  try {
    await tx.query(sql`insert into ledger.series (id, fiscal_year_id, code, name)
      values (${id}::uuid, ${fiscalYear.id}::uuid, ${code}, ${name})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'series_code_key') throw error;
    throw refuseAt('code', 'series_taken');
  }
  const detail = { year, name };
  await recordEvent(tx, { actor, action: 'series.created', subject: code, detail });
}

/** The code stays: vouchers are known by it. */
export async function renameSeries(
  tx: Tx,
  id: string,
  name: string,
  actor: string,
): Promise<Series> {
  const series = await getSeries(tx, id);
  await tx.query(sql`update ledger.series set name = ${name} where id = ${id}::uuid`);
  const detail = { year: series.year, name };
  await recordEvent(tx, { actor, action: 'series.renamed', subject: series.code, detail });
  return { ...series, name };
}

/** Where the program itself books: invoices, payments, supplier invoices and their payments, VAT. */
export const programSeries: readonly string[] = ['B', 'C', 'D', 'E', 'M'];

/** Throws `unprocessable` when it has vouchers, or the program books in it. */
export async function removeSeries(tx: Tx, id: string, actor: string): Promise<Series> {
  const series = await getSeries(tx, id);
  if (programSeries.includes(series.code)) {
    throw refuse('unprocessable', [
      { path: '', reason: 'program_series', params: { code: series.code } },
    ]);
  }
  try {
    await tx.query(sql`delete from ledger.series where id = ${id}::uuid`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'series_in_use') throw error;
    throw refuse('unprocessable', [
      { path: '', reason: 'series_in_use', params: { code: series.code } },
    ]);
  }
  const detail = { year: series.year };
  await recordEvent(tx, { actor, action: 'series.removed', subject: series.code, detail });
  return series;
}
