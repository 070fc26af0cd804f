/** Proves the books whole and guarded, or says exactly where they are not. */
import type { Db } from '../../db/pool.ts';
import type { Verification, VerificationFinding } from './finding.ts';
import { findSchemaProblems } from './schema.ts';
import {
  findBalanceProblems,
  findInvoiceProblems,
  findRemovedVouchers,
  findSeriesProblems,
  listSeries,
} from './store.ts';
import { findPurchaseProblems, findSumProblems, findVatProblems } from './sum-store.ts';

/** `onProgress` hears how many of all vouchers have been checked. */
export async function verifyBooks(
  db: Db,
  onProgress: (done: number, all: number) => void,
): Promise<Verification> {
  const series = await listSeries(db);
  const vouchers = series.reduce((sum, { last_number }) => sum + last_number, 0);
  const problems: VerificationFinding[] = [];
  let done = 0;
  for (const { id, last_number } of series) {
    problems.push(...(await findSeriesProblems(db, id)));
    done += last_number;
    onProgress(done, vouchers);
  }
  for (const find of [
    findRemovedVouchers,
    findBalanceProblems,
    findSumProblems,
    findInvoiceProblems,
    findPurchaseProblems,
    findVatProblems,
    findSchemaProblems,
  ]) {
    problems.push(...(await find(db)));
  }
  return { vouchers, series: series.length, problems };
}
