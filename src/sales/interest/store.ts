import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import type { ReferenceRate } from './reference-rates.ts';

/** Adds the half-years that are missing; a rate that people have corrected stays theirs. */
export async function insertMissingRates(tx: Tx, rates: readonly ReferenceRate[]): Promise<void> {
  await tx.query(sql`insert into sales.reference_rates (valid_from, valid_to, percent_e2, sfs)
    select * from unnest(${rates.map((rate) => rate.validFrom)}::date[],
      ${rates.map((rate) => rate.validTo)}::date[], ${rates.map((rate) => rate.percentE2)}::integer[],
      ${rates.map((rate) => rate.sfs)}::text[])
    on conflict (valid_from) do nothing`);
}

/** The latest half-year first. */
export function listReferenceRates(db: Db): Promise<ReferenceRate[]> {
  return db.query(sql`select ${columns} from sales.reference_rates order by valid_from desc`);
}

const columns = sql`valid_from as "validFrom", valid_to as "validTo",
  percent_e2::bigint as "percentE2", sfs`;

/** By its first day; throws 404 when there is none. */
export async function getReferenceRate(db: Db, validFrom: string): Promise<ReferenceRate> {
  const [rate] = await db.query<ReferenceRate>(
    sql`select ${columns} from sales.reference_rates where valid_from = ${validFrom}::date`,
  );
  if (!rate) throw refuseWhole('not_found', 'no_reference_rate');
  return rate;
}

/** Refuses (422) a half-year that has a rate. */
export async function insertReferenceRate(tx: Tx, rate: ReferenceRate): Promise<void> {
  try {
    await tx.query(sql`insert into sales.reference_rates (valid_from, valid_to, percent_e2, sfs)
      values (${rate.validFrom}::date, ${rate.validTo}::date, ${rate.percentE2}, ${rate.sfs})`);
  } catch (error) {
    const { constraint = '' } = databaseErrorOf(error) ?? {};
    if (!/^reference_rates_(pkey|do_not_overlap)$/.test(constraint)) throw error;
    throw refuse('unprocessable', [{ path: 'halfYear', reason: 'half_year_taken' }]);
  }
}

export async function updateReferenceRate(
  tx: Tx,
  { validFrom, percentE2, sfs }: Omit<ReferenceRate, 'validTo'>,
): Promise<void> {
  await tx.query(sql`update sales.reference_rates set percent_e2 = ${percentE2}, sfs = ${sfs}
    where valid_from = ${validFrom}::date`);
}
