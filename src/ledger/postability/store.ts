import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { BookYear, Locks } from '../../domain/ledger/postability.ts';

export function listBookYears(db: Db): Promise<BookYear[]> {
  return db.query(
    prepared(
      'years with series',
      sql`select y.year, y.start_date as start, y.end_date as end, y.status,
            array(select s.code from ledger.series s where s.fiscal_year_id = y.id
              order by s.code) as series
          from ledger.fiscal_years y order by y.start_date`,
    ),
  );
}

export async function getLocks(db: Db): Promise<Locks> {
  const [locks] = await db.query<Locks>(
    prepared('locks', sql`select period_locked_to, vat_locked_to from ledger.locks`),
  );
  if (!locks) throw new Error('the installation has no locks row');
  return locks;
}
