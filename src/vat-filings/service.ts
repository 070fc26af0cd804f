/** Which VAT returns have been filed. */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { vatPeriodEndingOn } from '../domain/vat-deadlines.ts';
import { OperatorError } from '../operator-error.ts';

/** Notes that the return of the period that ends on `end` is filed. Filed twice, the first is kept. */
export async function fileVatReturn(
  tx: Tx,
  end: string,
  actor: string,
): Promise<{ start: string; end: string }> {
  const [company] = await tx.query<{ vat_period: 'month' | 'quarter' | 'year' }>(
    sql`select vat_period from restricted.company`,
  );
  if (!company) {
    throw new OperatorError('Installationen är inte uppsatt; kör huvudbok setup först.');
  }
  const years = await tx.query<{ start: string; end: string }>(
    sql`select start_date as start, end_date as end from ledger.fiscal_years`,
  );
  const period = vatPeriodEndingOn(company.vat_period, years, end);
  if (!period) {
    throw new OperatorError(`Ingen momsperiod slutar ${end}; ange periodens sista dag.`);
  }
  const [added] = await tx.query(
    sql`insert into ledger.vat_filings (period_start, period_end, filed_by)
        values (${period.start}::date, ${period.end}::date, ${actor})
        on conflict do nothing returning period_end`,
  );
  if (added) {
    await recordEvent(tx, { actor, action: 'vat.filed', subject: end, detail: { ...period } });
  }
  return period;
}
