/** VAT that waits for somebody: periods to file, and filed ones that something mends. */
import type { Tx } from '../../db/pool.ts';
import { addDays, addMonths } from '../../domain/basics/dates.ts';
import {
  type DateSpan,
  reportingOf,
  vatDueDate,
  vatPeriodsBefore,
} from '../../domain/ledger/vat-deadlines.ts';
import { listYearSpans } from '../fiscal-years/store.ts';
import { listMendedPeriods } from './assignment-store.ts';
import { findVatCompany } from './company-store.ts';
import { findVatLockSaid, listFilingsWithin, listVatOfPeriod } from './store.ts';

export interface WaitingVat {
  /**
   * Ended and not filed, with VAT in them, the earliest first. What somebody has locked has been dealt with elsewhere;
   * what a later period's filing has locked, or one that was taken back, waits as before.
   */
  readonly toFile: readonly (DateSpan & { readonly dueOn: string })[];
  /** Last days of filed periods whose new return is not filed. */
  readonly mended: readonly string[];
}

/** Periods of so long ago are looked at. */
const monthsBack = 18;

export async function findWaitingVat(tx: Tx, today: string): Promise<WaitingVat> {
  const company = await findVatCompany(tx);
  if (!company) return { toFile: [], mended: [] };
  const saidTo = await findVatLockSaid(tx);
  const floor = addMonths(today, -monthsBack);
  const periods = vatPeriodsBefore(company.reporting.period, await listYearSpans(tx), today).filter(
    ({ end }) => end >= floor && (saidTo === null || end > saidTo),
  );
  const [first] = periods;
  const filings = first ? await listFilingsWithin(tx, { start: first.start, end: today }) : [];
  const toFile: (DateSpan & { dueOn: string })[] = [];
  for (const period of periods) {
    const last = filings.findLast(({ start, end }) => start <= period.end && period.start <= end);
    if (last && last.end >= period.end) continue;
    // Filed in part, with periods that the company had before: what is left of it.
    const left = last ? { start: addDays(last.end, 1), end: period.end } : period;
    const vat = await listVatOfPeriod(tx, left);
    if (vat.every(({ broughtOre }) => broughtOre === 0n)) continue;
    const reporting = last ? reportingOf(company.reporting, left) : company.reporting;
    toFile.push({ ...left, dueOn: vatDueDate(reporting, left) });
  }
  return { toFile, mended: await listMendedPeriods(tx) };
}
