/** Fiscal years and the series of vouchers that each has. */

import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import { type YearSpan, yearName, yearProblems } from '../../domain/ledger/fiscal-year.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { lockLedger } from '../locks/store.ts';
import {
  findOpenYearBefore,
  insertSeries,
  insertYear,
  listSeriesBefore,
  listYearSpans,
  setYearClosed,
  setYearOpen,
} from './store.ts';

/** The series a new company starts with; any code is legal, these are the common ones. */
const firstSeries = [
  ['A', 'Manuella verifikat och API'],
  ['B', 'Kundfakturor'],
  ['C', 'Kundinbetalningar'],
  ['D', 'Leverantörsfakturor'],
  ['E', 'Leverantörsbetalningar'],
  ['M', 'Moms'],
  ['P', 'Periodiseringar'],
  ['S', 'SIE-import'],
] as const;

export type { YearSpan } from '../../domain/ledger/fiscal-year.ts';

/** `2026`, or `2025-07-01..2026-06-30` for a broken, short or long year (BFL 3 kap.). */
export function parseYearSpan(text: string): YearSpan | undefined {
  if (/^\d{4}$/.test(text)) {
    return { year: Number(text), start: `${text}-01-01`, end: `${text}-12-31` };
  }
  const match = /^(\d{4}-\d{2}-\d{2})\.\.((\d{4})-\d{2}-\d{2})$/.exec(text);
  const [, start, end, year] = match ?? [];
  return start && end && year ? { year: Number(year), start, end } : undefined;
}

/**
 * Makes the year with the series of the latest one; a year that is there already is left alone. Answers what it is called,
 * which where another ends in the same calendar year is not as it was asked for. Throws 422 when it does not follow upon
 * the others.
 */
export async function createYear(
  tx: Tx,
  span: YearSpan,
  actor: string,
): Promise<{ readonly year: number; readonly created: boolean }> {
  const years = await listYearSpans(tx);
  const known = years.find(({ start, end }) => start === span.start && end === span.end);
  if (known) return { year: known.year, created: false };
  const problems = yearProblems(span, years);
  if (problems.length > 0) throw refuse('unprocessable', problems);
  const id = uuid();
  const year = yearName(span, years);
  const { start, end } = span;
  await insertYear(tx, id, { year, start, end });
  const series = await listSeriesBefore(tx, id);
  const copied = series.length > 0 ? series : firstSeries.map(([code, name]) => ({ code, name }));
  await insertSeries(tx, id, copied);
  await recordEvent(tx, {
    actor,
    action: 'fiscal_year.created',
    subject: String(year),
    detail: { year, start, end },
  });
  return { year, created: true };
}

/** As `createYear`, for a person: one that is there is told of. Answers what the year is called. */
export async function addYear(tx: Tx, span: YearSpan, actor: string): Promise<number> {
  const { year, created } = await createYear(tx, span, actor);
  if (created) return year;
  throw refuse('unprocessable', yearProblems(span, await listYearSpans(tx)));
}

/**
 * Closes the year for everyone. Every posting that has its series waits for this, or this for it. A year
 * is closed when it has ended (BFL 6 kap. 1 §): its accounts are those of its last day.
 */
export async function closeYear(
  tx: Tx,
  { year, today }: { readonly year: number; readonly today: string },
  actor: string,
): Promise<void> {
  await lockLedger(tx);
  requireEnded(
    (await listYearSpans(tx)).find((one) => one.year === year),
    year,
    today,
  );
  const earlier = await findOpenYearBefore(tx, year);
  if (earlier !== undefined) {
    throw refuseWhole('unprocessable', 'earlier_year_open', { earlier, of: year });
  }
  if (!(await setYearClosed(tx, year, today))) return;
  await recordEvent(tx, { actor, action: 'fiscal_year.closed', subject: String(year) });
}

/** Throws 422 when there is no such year, or it goes on. */
export function requireEnded(
  span: YearSpan | undefined,
  year: number,
  today: string,
): asserts span is YearSpan {
  if (!span) throw refuseWhole('unprocessable', 'no_fiscal_year', { of: year });
  if (span.end >= today) {
    const params = { of: year, end: span.end, earliest: addDays(span.end, 1) };
    throw refuseWhole('unprocessable', 'year_not_ended', params);
  }
}

/**
 * Opens a closed year again, with the reason written down. Only the last closed one: those after it rest
 * on its balances. A person must be an owner, which the database asks for.
 */
export async function reopenYear(
  tx: Tx,
  year: number,
  reason: string,
  actor: string,
): Promise<void> {
  await lockLedger(tx);
  if (!(await setYearOpen(tx, year)))
    throw refuseWhole('unprocessable', 'year_not_closed', { of: year });
  const detail = { reason };
  await recordEvent(tx, { actor, action: 'fiscal_year.reopened', subject: String(year), detail });
}
