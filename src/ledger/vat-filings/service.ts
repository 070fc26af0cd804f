/** VAT periods, settled in the books and noted as filed. Settling comes first: filing locks the VAT. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import type { Ore } from '../../domain/basics/money.ts';
import {
  type DateSpan,
  vatPeriodEndingOn,
  vatPeriodsBefore,
} from '../../domain/ledger/vat-deadlines.ts';
import { noteFault } from '../../domain/ledger/vat-file.ts';
import {
  unsettledVat,
  type VatOnAccount,
  vatSettlementRows,
  vatToPay,
} from '../../domain/ledger/vat-settlement.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { listYearSpans } from '../fiscal-years/store.ts';
import { getLocks, lockLedger } from '../locks/store.ts';
import { type PostedAppVoucher, postAppVoucher } from '../vouchers/service.ts';
import { listAssigned } from './assignment-store.ts';
import {
  type FrozenReturn,
  insertReturn,
  listReturns,
  type NewReturn,
  withdrawReturn,
} from './return-store.ts';
import {
  deleteFiling,
  earliestOpenForVat,
  findFiling,
  findVatPeriodKind,
  insertSettlement,
  listFilingsWithin,
  listVatOfPeriod,
} from './store.ts';

/** A period's last day, and the day it is. */
export interface OfPeriod {
  readonly end: string;
  readonly today: string;
}

/** How a return was filed; by Huvudbok's file, today, unless said. */
export interface FilingSaid {
  /** Known by its reference where it was filed otherwise than by the file. */
  readonly other?: { readonly on: string; readonly reference: string };
  /** To Skatteverket, in words: what a later return mends. */
  readonly note?: string | null;
}

export interface FiledVat extends DateSpan {
  /** False when it was filed before, and nothing mends it: then nothing has changed. */
  readonly isNew: boolean;
  /** Of the return; null of what was filed before returns were frozen. */
  readonly number: number | null;
  /** What stands on the VAT accounts for the period although it is filed. */
  readonly unsettled: readonly VatOnAccount[];
  readonly vat_locked_to: string | null;
  /** Earlier periods of the company's that nobody has noted as filed. */
  readonly unfiledBefore: readonly DateSpan[];
}

/**
 * Freezes the return of the period as it is filed, and locks its VAT; a lock that reaches further stays. Again, it
 * is a new return if vouchers have been assigned to the period since. Throws 422 for a period that is not the
 * company's, has not ended, or is filed in part, and for what is said of how.
 */
export async function fileVatReturn(
  tx: Tx,
  of: OfPeriod & FilingSaid,
  actor: string,
): Promise<FiledVat> {
  await lockLedger(tx);
  const period = await endedPeriod(tx, of);
  const said = saidOf(period, of);
  const { vat_locked_to: before } = await getLocks(tx);
  const isFiled = await isFiledAsItIs(tx, period);
  const isNew = !isFiled || (await hasAssigned(tx, period.end));
  if (isNew) {
    requireInTurn(said.filedOn, standingReturn(await listReturns(tx, period.end)));
    await insertReturn(tx, { ...period, ...said }, actor);
    const { way, reference, filedOn } = said;
    const detail = { ...period, way, reference, filed_on: filedOn };
    await recordEvent(tx, { actor, action: 'vat.filed', subject: of.end, detail });
  }
  const { vat_locked_to } = await getLocks(tx);
  if (vat_locked_to !== null && vat_locked_to !== before) {
    const detail = { before, reason: 'Momsdeklarationen är lämnad' };
    await recordEvent(tx, { actor, action: 'lock.vat', subject: vat_locked_to, detail });
  }
  const number = standingReturn(await listReturns(tx, period.end))?.number ?? null;
  const unsettled = unsettledVat(await listVatOfPeriod(tx, period));
  const unfiledBefore = await listUnfiledBefore(tx, period);
  return { ...period, isNew, number, unsettled, vat_locked_to, unfiledBefore };
}

/** Throws 422 when days of it are in another period that is filed, as after a change of how often VAT is reported. */
async function isFiledAsItIs(tx: Tx, period: DateSpan): Promise<boolean> {
  const filings = await listFilingsWithin(tx, period);
  if (filings.some(({ end }) => end === period.end)) return true;
  const [other] = filings;
  if (other) throw refuseWhole('unprocessable', 'vat_filed_overlapping', { other, period });
  return false;
}

/** The return that holds: the latest that nobody has withdrawn. */
export const standingReturn = (returns: readonly FrozenReturn[]): FrozenReturn | undefined =>
  returns.findLast(({ withdrawnAt }) => withdrawnAt === null);

function saidOf(
  { end }: DateSpan,
  { today, other, note = null }: OfPeriod & FilingSaid,
): Omit<NewReturn, keyof DateSpan> {
  if (note !== null) requireNote(note);
  if (!other) return { filedOn: today, way: 'file', reference: null, note };
  if (other.on <= end || other.on > today) {
    throw refuse('unprocessable', [
      { path: 'on', reason: 'vat_filed_on_outside', params: { end, today } },
    ]);
  }
  return { filedOn: other.on, way: 'other', reference: other.reference, note };
}

/** Throws 422 with what the file cannot hold. */
export function requireNote(note: string): void {
  const fault = noteFault(note);
  if (fault) throw refuse('unprocessable', [{ path: 'note', ...fault }]);
}

/** What mends a return is filed after it. Throws 422 when it is said to have come before. */
function requireInTurn(filedOn: string, earlier: FrozenReturn | undefined): void {
  if (earlier === undefined || earlier.filedOn <= filedOn) return;
  const params = { number: earlier.number, filedOn: earlier.filedOn };
  throw refuse('unprocessable', [{ path: 'on', reason: 'vat_filed_before_earlier', params }]);
}

async function hasAssigned(tx: Tx, end: string): Promise<boolean> {
  return (await listAssigned(tx, end)).some(({ returnNumber }) => returnNumber === null);
}

/** As `FiledVat` tells; what is filed in part is noted, so that it is none of them. */
async function listUnfiledBefore(tx: Tx, { start }: DateSpan): Promise<DateSpan[]> {
  const kind = await findVatPeriodKind(tx);
  const periods = kind ? vatPeriodsBefore(kind, await listYearSpans(tx), start) : [];
  const [first] = periods;
  const filings = first ? await listFilingsWithin(tx, { start: first.start, end: start }) : [];
  return periods.filter(
    (one) => !filings.some((filing) => filing.start <= one.end && one.start <= filing.end),
  );
}

interface Withdrawal {
  readonly end: string;
  /** Of the return; null where no more than one stands. */
  readonly number: number | null;
  /** Why, for the audit log. */
  readonly reason: string;
}

/**
 * Takes back a note made by mistake, of the latest return of the period; what it told is kept. The lock stays, and is
 * lifted by itself. Tells which return holds after it; null when none does. Of several returns its number is said, so that
 * the same said twice takes back one. Throws 422 when another holds by now.
 */
export async function withdrawVatFiling(
  tx: Tx,
  { end, number, reason }: Withdrawal,
  actor: string,
): Promise<number | null> {
  await lockLedger(tx);
  const standing = (await listReturns(tx, end)).filter(({ withdrawnAt }) => withdrawnAt === null);
  const latest = standing.at(-1);
  const isMeant = number === latest?.number || (number === null && standing.length < 2);
  if (latest && !isMeant) {
    throw refuseWhole('unprocessable', 'vat_return_holds', { end, number: latest.number });
  }
  if (latest) await withdrawReturn(tx, latest, actor);
  const holds = standing.at(-2)?.number ?? null;
  if (holds === null && !(await deleteFiling(tx, end))) {
    throw refuseWhole('unprocessable', 'vat_not_filed', { end });
  }
  await recordEvent(tx, { actor, action: 'vat.withdrawn', subject: end, detail: { reason } });
  return holds;
}

export interface SettledVat extends DateSpan {
  /** Null when the VAT accounts held nothing of the period. */
  readonly voucher: (PostedAppVoucher & { readonly date: string }) | null;
  /** Öre, whole kronor; below zero when it comes back. */
  readonly toPayOre: Ore;
}

/**
 * Moves what the period brought on 2610–2649 to 2650, in whole kronor, on `settlementDay`: its origin `vat` keeps it
 * out of every box. Run again, only
 * what came since is moved. Throws `OperatorError` as `fileVatReturn` does, and 422 as the ledger does.
 */
export async function settleVat(tx: Tx, of: OfPeriod, actor: string): Promise<SettledVat> {
  await lockLedger(tx);
  const period = await endedPeriod(tx, of);
  await isFiledAsItIs(tx, period);
  const rows = vatSettlementRows(await listVatOfPeriod(tx, period));
  if (rows.length === 0) return { ...period, voucher: null, toPayOre: 0n };
  const date = await settlementDay(tx, period.end);
  const description = `Momsredovisning ${period.start} – ${period.end}`;
  const head = { series: 'M', date, description, counterparty: 'Skatteverket', source: 'vat' };
  const voucher = await postAppVoucher(tx, { ...head, rows }, actor);
  await insertSettlement(tx, voucher.id, period.end);
  const detail = { voucher_id: voucher.id, number: voucher.number };
  await recordEvent(tx, { actor, action: 'vat.settled', subject: of.end, detail });
  return { ...period, voucher: { ...voucher, date }, toPayOre: vatToPay(rows) };
}

/**
 * The day of the period's next settlement: its last, or where that is locked the first that is open. What mends the
 * period is not moved before the day it stands on.
 */
export async function settlementDay(db: Db, end: string): Promise<string> {
  const open = await earliestOpenForVat(db, end);
  const mending = (await listAssigned(db, end)).map(({ date }) => date);
  const latest = [open, ...mending].toSorted().at(-1) ?? open;
  return latest === open ? open : await earliestOpenForVat(db, latest);
}

/**
 * The company's VAT period whose last day is `end`, undefined when none ends then. A filed one is as it was filed,
 * whatever periods the company has since.
 */
export async function findVatPeriod(db: Db, end: string): Promise<DateSpan | undefined> {
  const filing = await findFiling(db, end);
  if (filing) return { start: filing.start, end };
  const kind = await findVatPeriodKind(db);
  const years = await listYearSpans(db);
  const isWithin = years.some((year) => year.start <= end && end <= year.end);
  return kind && isWithin ? vatPeriodEndingOn(kind, years, end) : undefined;
}

/** As `findVatPeriod`; throws 422 where no period ends then. */
export async function getVatPeriod(db: Db, end: string): Promise<DateSpan> {
  const period = await findVatPeriod(db, end);
  if (!period) throw refuseWhole('unprocessable', 'no_vat_period', { end });
  return period;
}

async function endedPeriod(tx: Tx, { end, today }: OfPeriod): Promise<DateSpan> {
  const years = await listYearSpans(tx);
  const [first, last] = [years.at(0), years.at(-1)];
  if (!first || !last) {
    throw refuseWhole('unprocessable', 'not_set_up');
  }
  if (end < first.start || end > last.end) {
    const params = { end, first: first.start, last: last.end };
    throw refuseWhole('unprocessable', 'outside_fiscal_years', params);
  }
  const period = await getVatPeriod(tx, end);
  if (period.end >= today) {
    const params = { ...period, earliest: addDays(period.end, 1) };
    throw refuseWhole('unprocessable', 'vat_period_not_ended', params);
  }
  return period;
}
