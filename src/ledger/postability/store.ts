import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { BookYear } from '../../domain/ledger/postability.ts';

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
