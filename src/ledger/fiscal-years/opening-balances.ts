/** How a year begins, booked: its first balances, or the result of the year before. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { YearSpan } from '../../domain/ledger/fiscal-year.ts';
import {
  addBalances,
  type Balance,
  closingRows,
  differenceRows,
  type EquityPlan,
  equityPlan,
  moveRows,
  openingProblems,
  undisposedResult,
} from '../../domain/ledger/opening-balances.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import { checkVoucher } from '../../domain/ledger/voucher.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { lockLedger } from '../locks/store.ts';
import { postToLedger } from '../vouchers/posting-store.ts';
import { ledgerRefusal, lockOfFixedDay } from '../vouchers/refusals.ts';
import { requireEnded } from './service.ts';
import {
  getOrganizationNumber,
  getYear,
  listBalancesBefore,
  listOpeningPostings,
  listResultBalances,
  listYearSpans,
  sumDisposed,
} from './store.ts';

export interface YearOpening {
  /** Null in the first year: then people say what the company owned and owed. */
  readonly previous: YearSpan | null;
  /** What goes over from the year before by itself. */
  readonly carried: readonly Balance[];
  /** What opening vouchers have added on the first day. */
  readonly posted: readonly Balance[];
  /** Both together: as the year begins. */
  readonly balances: readonly Balance[];
  /** The result of the year before that is not booked to equity; a profit is above zero. */
  readonly undisposedOre: bigint;
  /** What still stands on the accounts that are emptied as a year begins (2099, or 2011–2019). */
  readonly toMove: readonly Balance[];
  /** What vouchers of the year have moved from 2099 already, as a general meeting decides: debit above zero. */
  readonly disposedOre: bigint;
  readonly plan: EquityPlan;
}

/** Throws 404 when there is no such year. */
export async function getYearOpening(db: Db, year: number): Promise<YearOpening> {
  const { start, end: last } = await getYear(db, year);
  const previous = (await listYearSpans(db)).filter(({ end }) => end < start).at(-1) ?? null;
  const plan = equityPlan(await getOrganizationNumber(db));
  const carried = await listBalancesBefore(db, start);
  const posted = await listOpeningPostings(db, start);
  const balances = addBalances(carried, posted);
  const { from, to } = plan.emptied;
  // 2011–2019 are the owner's own of the new year as well; on 2099 there is nothing but results.
  const disposedOre =
    from === to
      ? (await sumDisposed(db, { account: from, start, end: last })) -
        (posted.find(({ account }) => account === from)?.balanceOre ?? 0n)
      : 0n;
  const standing = addBalances(balances, [{ account: from, balanceOre: disposedOre }]);
  return {
    previous,
    carried,
    posted,
    balances,
    undisposedOre: previous ? undisposedResult(await listResultBalances(db, previous)) : 0n,
    // Of the first year too: the program before may have left them as they stood when its last year ended.
    toMove: standing.filter(({ account }) => account >= from && account <= to),
    disposedOre,
    plan,
  };
}

/**
 * Books what the company owned and owed as its first year here began. Given anew, only what differs from
 * what was booked before becomes a voucher. False when nothing does.
 */
export async function setFirstBalances(
  tx: Tx,
  wanted: {
    readonly year: number;
    readonly series: string;
    readonly balances: readonly Balance[];
  },
  actor: string,
): Promise<boolean> {
  const { year, series, balances } = wanted;
  await lockLedger(tx);
  const { start } = await getYear(tx, year);
  const { previous, posted } = await getYearOpening(tx, year);
  const problems = openingProblems(balances);
  if (previous) {
    const params = { previousYear: previous.year };
    problems.push({ path: '', reason: 'has_previous_year', params });
  }
  if (problems.length > 0) throw refuse('unprocessable', problems);
  const rows = differenceRows(balances, posted);
  const description = posted.length === 0 ? 'Ingående balans' : 'Ingående balans, rättelse';
  return postRows(tx, { year, series, date: start, description, source: 'opening', rows }, actor);
}

/** Books the result of a year that has ended to equity on its last day (8999 against 2099 or 2019). */
export async function bookResult(
  tx: Tx,
  {
    year,
    series,
    today,
  }: { readonly year: number; readonly series: string; readonly today: string },
  actor: string,
): Promise<boolean> {
  await lockLedger(tx);
  const span = await getYear(tx, year);
  requireEnded(span, year, today);
  const { resultTo } = equityPlan(await getOrganizationNumber(tx));
  const rows = closingRows(await listResultBalances(tx, span), resultTo);
  const description = `Årets resultat ${year}`;
  return postRows(
    tx,
    { year, series, date: span.end, description, source: 'closing', rows },
    actor,
  );
}

/** Moves the result of the year before within equity, on the year's first day. */
export async function moveResult(
  tx: Tx,
  { year, series }: { readonly year: number; readonly series: string },
  actor: string,
): Promise<boolean> {
  await lockLedger(tx);
  const { start } = await getYear(tx, year);
  const { toMove, plan } = await getYearOpening(tx, year);
  const rows = moveRows(toMove, plan.into);
  const description = 'Föregående års resultat, ingående balans';
  return postRows(tx, { year, series, date: start, description, source: 'opening', rows }, actor);
}

async function postRows(
  tx: Tx,
  {
    year,
    ...voucher
  }: {
    readonly year: number;
    readonly series: string;
    readonly date: string;
    readonly description: string;
    readonly source: 'opening' | 'closing';
    readonly rows: readonly PostingRow[];
  },
  actor: string,
): Promise<boolean> {
  const { rows, source } = voucher;
  if (rows.length === 0) return false;
  const problems = checkVoucher(rows).map((problem) => ({ ...problem, path: '' }));
  if (problems.length > 0) throw refuse('unprocessable', problems);
  const id = uuid();
  const [outcome] = await postToLedger(tx, [{ ...voucher, id, counterparty: null, actor }]);
  if (outcome?.error) {
    throw lockOfFixedDay(ledgerRefusal(outcome.error, outcome.detail ?? {}), voucher.date);
  }
  await recordEvent(tx, {
    actor,
    action: `fiscal_year.${source}_booked`,
    subject: String(year),
    detail: { voucher_id: id, number: outcome?.number },
  });
  return true;
}
