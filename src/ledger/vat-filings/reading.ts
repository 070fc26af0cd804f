/** A VAT period as pages and commands tell of it: what it returns, what speaks against that, and what is left out. */
import type { Tx } from '../../db/pool.ts';
import { addDays, latestDay } from '../../domain/basics/dates.ts';
import {
  type AccountAmount,
  type VatControls,
  vatControls,
} from '../../domain/ledger/vat-controls.ts';
import {
  type DateSpan,
  reportingOf,
  vatDueDate,
  vatPeriodsBefore,
} from '../../domain/ledger/vat-deadlines.ts';
import { type VatReturn, vatReturnOf } from '../../domain/ledger/vat-return.ts';
import { listYearSpans } from '../fiscal-years/store.ts';
import { type AssignedVoucher, listAssigned, listLate } from './assignment-store.ts';
import { findVatCompany } from './company-store.ts';
import {
  countVatRows,
  type LeftOutVoucher,
  listLeftOut,
  listVatFromBefore,
} from './control-store.ts';
import { listSettlementProposals } from './imported-store.ts';
import { type FrozenReturn, listReturnParts, listReturns } from './return-store.ts';
import { standingReturn } from './service.ts';
import { listFilingsWithin, listVatSums, type VatFiling } from './store.ts';
import type { VoucherInBrief } from './voucher-store.ts';

export interface ReadVatPeriod extends DateSpan {
  /** Null while it is not filed. */
  readonly filing: VatFiling | null;
  /** Every return that was filed, withdrawn ones too; those before returns were frozen left none. */
  readonly returns: readonly FrozenReturn[];
  readonly standing: FrozenReturn | null;
  /** As it would be filed now: the books, or what was filed and what mends it. */
  readonly now: VatReturn;
  /** Whether that is another return than the filed one. */
  readonly isMended: boolean;
  readonly controls: VatControls;
  readonly fromBefore: readonly AccountAmount[];
  readonly leftOut: readonly LeftOutVoucher[];
  /** Imported into it, look like settlements of VAT, and count in its boxes until somebody says that they are. */
  readonly unjudged: readonly VoucherInBrief[];
  readonly assigned: readonly AssignedVoucher[];
  /** Posted into it after it was filed, and in no return. */
  readonly late: readonly VoucherInBrief[];
}

export async function readVatPeriod(tx: Tx, period: DateSpan): Promise<ReadVatPeriod> {
  const filing = (await listFilingsWithin(tx, period)).find(({ end }) => end === period.end);
  const returns = await listReturns(tx, period.end);
  const assigned = await listAssigned(tx, period.end);
  return {
    ...period,
    filing: filing ?? null,
    returns,
    standing: standingReturn(returns) ?? null,
    now: vatReturnOf(await listReturnParts(tx, period)),
    isMended: filing !== undefined && assigned.some(({ returnNumber }) => returnNumber === null),
    controls: vatControls(await listVatSums(tx, period), await countVatRows(tx, period)),
    fromBefore: await listVatFromBefore(tx, period),
    leftOut: await listLeftOut(tx, period),
    unjudged: await listSettlementProposals(tx, period),
    assigned,
    late: filing ? await listLate(tx, period.end) : [],
  };
}

export interface VatPeriodInBrief extends DateSpan {
  readonly dueOn: string;
  readonly filing: VatFiling | null;
  /** Another period that is filed and has the last day of this one. */
  readonly filedOtherwise: VatFiling | null;
  /** The last day that other periods have filed of it, where that is not its own last. */
  readonly filedThrough: string | null;
  /** Of the return that holds, else of the books: below zero when it comes back. */
  readonly toPay: bigint;
  readonly isMended: boolean;
}

/** The company's VAT periods that have begun and end between the days, the latest first. */
export async function listVatPeriods(
  tx: Tx,
  { from, to, today }: { readonly from: string; readonly to: string; readonly today: string },
): Promise<VatPeriodInBrief[]> {
  const company = await findVatCompany(tx);
  if (!company) return [];
  const years = await listYearSpans(tx);
  const after = addDays(to < latestDay ? to : latestDay, 1);
  const periods = vatPeriodsBefore(company.reporting.period, years, after).filter(
    ({ start, end }) => end >= from && start <= today && isWithin(years, end),
  );
  // As they were filed, whatever periods the company has since: a year has the quarters of before it was one.
  const filed = (await listFilingsWithin(tx, { start: from, end: to })).filter(
    ({ end }) => end >= from && end <= to,
  );
  const ends = new Set(periods.map(({ end }) => end));
  const others = filed.filter(({ end }) => !ends.has(end));
  const listed: VatPeriodInBrief[] = [];
  for (const one of [...periods, ...others].sort((a, b) => (a.end < b.end ? 1 : -1))) {
    const filings = await listFilingsWithin(tx, one);
    const filing = filings.find(({ end }) => end === one.end) ?? null;
    const last = filings.at(-1);
    const period = filing ? { start: filing.start, end: filing.end } : one;
    const isAsNow = ends.has(period.end) && period.start === one.start;
    const reporting = isAsNow ? company.reporting : reportingOf(company.reporting, period);
    const assigned = filing ? await listAssigned(tx, period.end) : [];
    listed.push({
      ...period,
      dueOn: vatDueDate(reporting, period),
      filing,
      filedOtherwise: filing || (last && last.end < one.end) ? null : (last ?? null),
      filedThrough: !filing && last && last.end < one.end ? last.end : null,
      toPay: vatReturnOf(await listReturnParts(tx, period)).toPay,
      isMended: assigned.some(({ returnNumber }) => returnNumber === null),
    });
  }
  return listed;
}

const isWithin = (years: readonly DateSpan[], day: string): boolean =>
  years.some(({ start, end }) => start <= day && day <= end);
