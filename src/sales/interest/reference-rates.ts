/**
 * Riksbanken's reference rate per calendar half-year (räntelagen 1975:635 9 §), since 2002-07-01.
 */
import { readTable } from '../../lib/csv.ts';

export interface ReferenceRate {
  readonly validFrom: string;
  readonly validTo: string;
  /** Hundredths of a percentage point: 4.50 % is 450n. It has been negative. */
  readonly percentE2: bigint;
  /** The announcement in Svensk författningssamling, where it is known. */
  readonly sfs: string | null;
}

const file = `${import.meta.dirname}/reference-rates.csv`;

/** In order of time. After the last one nothing is known until Riksbanken has decided. */
export async function readReferenceRates(): Promise<ReferenceRate[]> {
  const rates: ReferenceRate[] = [];
  for await (const row of readTable(file)) {
    rates.push({
      validFrom: row['valid_from'] ?? '',
      validTo: row['valid_to'] ?? '',
      percentE2: BigInt((row['reference_rate_pct'] ?? '').replace('.', '')),
      sfs: row['sfs'] || null,
    });
  }
  return rates;
}
