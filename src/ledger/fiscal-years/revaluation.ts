/** Claims and debts in other currencies at the closing day's rate: proposed, booked on a year's last day, taken back on the next one's first. */
import { createHash } from 'node:crypto';
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';
import {
  type ClosingRates,
  farRates,
  type OpenInCurrency,
  type RevaluedItem,
  revaluationAccounts,
  revaluationRows,
  revalue,
  takenBackRows,
} from '../../domain/ledger/revaluation.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import { jsonOf, refuseWhole } from '../../lib/errors.ts';
import { createAccount } from '../accounts/service.ts';
import { listAccountStates } from '../accounts/store.ts';
import { lockLedger } from '../locks/store.ts';
import { lockOfFixedDay } from '../vouchers/refusals.ts';
import { type PostedAppVoucher, postAppVoucher } from '../vouchers/service.ts';
import {
  findRevaluationRates,
  listOpenInCurrency,
  listRevaluationBalances,
} from './revaluation-store.ts';
import { requireEnded } from './service.ts';
import { getYear, listYearSpans } from './store.ts';

/** What is open of a year, and what of it is booked, before any rate is said. */
export interface OpenRevaluation {
  /** Open as the year ended. */
  readonly items: readonly OpenInCurrency[];
  /** In the order of the alphabet. */
  readonly currencies: readonly string[];
  /** What is booked of it as the year ends: debit above zero. */
  readonly booked: readonly Balance[];
  /** And a day later, when all of it is taken back. */
  readonly bookedNextDay: readonly Balance[];
}

export interface Revaluation extends OpenRevaluation {
  /** Those whose rate is given. */
  readonly revalued: readonly RevaluedItem[];
  /** What is to be booked on the year's last day, and on the next one's first; empty while a rate is missing. */
  readonly rows: readonly PostingRow[];
  readonly nextDayRows: readonly PostingRow[];
  /** By which whoever books it says what they saw. */
  readonly digest: string;
}

/** Of a year's last day. */
export async function openRevaluationAt(db: Db, end: string): Promise<OpenRevaluation> {
  const items = await listOpenInCurrency(db, end);
  return {
    items,
    currencies: [...new Set(items.map(({ currency }) => currency))].sort(),
    booked: await listRevaluationBalances(db, end),
    bookedNextDay: await listRevaluationBalances(db, addDays(end, 1)),
  };
}

export function revaluationOf(open: OpenRevaluation, rates: ClosingRates): Revaluation {
  const revalued = revalue(open.items, rates);
  const isWhole = open.currencies.every((currency) => rates.has(currency));
  const rows = isWhole ? revaluationRows(revalued, open.booked) : [];
  const nextDayRows = isWhole ? takenBackRows(rows, open.bookedNextDay) : [];
  const seen = jsonOf([rows, nextDayRows]);
  const digest = createHash('sha256').update(seen).digest('hex').slice(0, 16);
  return { ...open, revalued, rows, nextDayRows, digest };
}

/** Whether nothing is left to book at these rates. */
export function isRevalued(open: OpenRevaluation, rates: ClosingRates): boolean {
  const { rows, nextDayRows } = revaluationOf(open, rates);
  return (
    open.currencies.every((currency) => rates.has(currency)) &&
    rows.length === 0 &&
    nextDayRows.length === 0
  );
}

/** Whether these rates are known of the year, so that its checklist says no more of it. */
export async function isNoted(
  db: Db,
  year: number,
  { currencies }: OpenRevaluation,
  rates: ClosingRates,
): Promise<boolean> {
  if (currencies.length === 0) return true;
  const last = await findRevaluationRates(db, year);
  return currencies.every((currency) => last?.get(currency) === rates.get(currency));
}

export interface BookedRevaluation {
  readonly year: number;
  readonly series: string;
  readonly rates: ClosingRates;
  /** What whoever books it has seen; otherwise two would book the same. Null where nobody looks first. */
  readonly seen: string | null;
  /** Where nobody looks first: whether a rate is taken that is far from what documents were booked on. */
  readonly takesAnyRate?: boolean;
}

/**
 * Books it on the year's last day, and takes it back on the next year's first. Throws 422 before the year has ended, without
 * a year after it, without a rate, when nothing is left to book, and when it is another than was seen. Either voucher is
 * null when only the other has something to put right; both where the rates are what all was booked on, and are noted alone.
 */
export async function bookRevaluation(
  tx: Tx,
  { year, series, rates, seen, takesAnyRate = false }: BookedRevaluation,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<{
  readonly closing: PostedAppVoucher | null;
  readonly opening: PostedAppVoucher | null;
  readonly revalued: readonly RevaluedItem[];
}> {
  await lockLedger(tx);
  const span = await getYear(tx, year);
  requireEnded(span, year, today);
  const nextDay = addDays(span.end, 1);
  const open = await openRevaluationAt(tx, span.end);
  const { currencies } = open;
  const currency = currencies.find((one) => !rates.has(one));
  if (currency !== undefined) {
    throw refuseWhole('unprocessable', 'closing_rate_missing', { currency });
  }
  const { revalued, rows, nextDayRows, digest } = revaluationOf(open, rates);
  const isMoved = rows.length > 0 || nextDayRows.length > 0;
  if (!isMoved && (await isNoted(tx, year, open, rates))) {
    throw refuseWhole('unprocessable', 'nothing_to_revalue');
  }
  if (isMoved && !(await listYearSpans(tx)).some(({ start }) => start === nextDay)) {
    throw refuseWhole('unprocessable', 'revaluation_without_next_year', { of: year });
  }
  if (seen !== null && seen !== digest) {
    throw refuseWhole('unprocessable', 'year_end_changed_meanwhile');
  }
  const [far] = farRates(revalued);
  if (seen === null && !takesAnyRate && far !== undefined) {
    throw refuseWhole('unprocessable', 'closing_rate_far', { currency: far });
  }
  if (isMoved) await addAccounts(tx, actor);
  const used = [...rates].filter(([of]) => currencies.includes(of)).sort();
  const description = `Omräkning till balansdagens kurs ${year}`;
  const post = async (date: string, words: string, of: readonly PostingRow[]) =>
    of.length === 0
      ? null
      : postAppVoucher(
          tx,
          { series, counterparty: null, date, description: words, rows: [...of] },
          actor,
        ).catch((error: unknown) => {
          throw lockOfFixedDay(error, date);
        });
  const said = used.length === 0 ? description : `${description}: ${ratesText(used)}`;
  const closing = await post(span.end, said, rows);
  const opening = await post(nextDay, `Återföring: ${description.toLowerCase()}`, nextDayRows);
  await recordEvent(tx, {
    actor,
    action: 'fiscal_year.revalued',
    subject: String(year),
    detail: {
      voucher_id: closing?.id ?? null,
      number: closing?.number ?? null,
      taken_back_by: opening?.id ?? null,
      rates: Object.fromEntries(used.map(([of, e6]) => [of, Number(e6) / 1_000_000])),
    },
  });
  return { closing, opening, revalued };
}

/** What is told of what was booked, or of that nothing was to be. */
export function revaluationWords(
  closing: PostedAppVoucher | null,
  opening: PostedAppVoucher | null,
): string {
  const label = ({ series, number }: PostedAppVoucher): string => `${series}${number}`;
  if (!closing && !opening) {
    return 'Det som är öppet är redan bokfört till de kurserna. De är antecknade, och inget bokfördes.';
  }
  if (!closing) return opening ? `Omräkningen är tagen tillbaka av ${label(opening)}.` : '';
  const back = opening ? `tas tillbaka av ${label(opening)}` : 'är tagen tillbaka sedan förut';
  return `Omräkningen är bokförd som ${label(closing)}, och ${back}. Bifoga kurserna som underlag.`;
}

const ratesText = (rates: readonly (readonly [string, bigint])[]): string =>
  rates
    .map(([currency, e6]) => `${currency} ${String(Number(e6) / 1_000_000).replace('.', ',')}`)
    .join(', ');

const accountFacts = {
  [revaluationAccounts.invoice]: {
    name: 'Kundfordringar, omräkning till balansdagens kurs',
    type: 'asset',
  },
  [revaluationAccounts.purchase]: {
    name: 'Leverantörsskulder, omräkning till balansdagens kurs',
    type: 'liability',
  },
} as const;

/** BAS has none of these, so they come with the first year that needs them. */
async function addAccounts(tx: Tx, actor: string): Promise<void> {
  const numbers = Object.values(revaluationAccounts);
  const known = (await listAccountStates(tx, numbers)).map(({ number }) => number);
  for (const number of numbers.filter((one) => !known.includes(one))) {
    await createAccount(tx, number, { ...accountFacts[number], vat: null, sru: null }, actor);
  }
}
