import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { ReferenceRate } from './reference-rates.ts';

/** Adds the half-years that are missing; a rate that people have corrected stays theirs. */
export async function insertMissingRates(tx: Tx, rates: readonly ReferenceRate[]): Promise<void> {
  await tx.query(sql`insert into sales.reference_rates (valid_from, valid_to, percent_e2, sfs)
    select * from unnest(${rates.map((rate) => rate.validFrom)}::date[],
      ${rates.map((rate) => rate.validTo)}::date[], ${rates.map((rate) => rate.percentE2)}::integer[],
      ${rates.map((rate) => rate.sfs)}::text[])
    on conflict (valid_from) do nothing`);
}
