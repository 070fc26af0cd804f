/** Claims and debts in other currencies at the closing day's rate: proposed, booked on a year's last day, taken back on the next one's first. */
import { createHash } from 'node:crypto';
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';
import {
  type ClosingRates,
  type OpenInCurrency,
  type RevaluedItem,
  revaluationAccounts,
  revaluationBooked,
  revaluationRows,
  revalue,
} from '../../domain/ledger/revaluation.ts';
import { reverseRows } from '../../domain/ledger/reversal.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import { jsonOf, refuseWhole } from '../../lib/errors.ts';
import { createAccount } from '../accounts/service.ts';
import { listAccountStates } from '../accounts/store.ts';
import { lockLedger } from '../locks/store.ts';
import { type PostedAppVoucher, postAppVoucher } from '../vouchers/service.ts';
import { listOpenInCurrency } from './revaluation-store.ts';
import { requireEnded } from './service.ts';
import { getYear, listBalancesBefore, listYearSpans } from './store.ts';

export interface Revaluation {
  /** Open as the year ended. */
  readonly items: readonly OpenInCurrency[];
  /** Those whose rate is given. */
  readonly revalued: readonly RevaluedItem[];
  /** In the order of the alphabet. */
  readonly currencies: readonly string[];
  /** What is booked of it: debit above zero. */
  readonly booked: readonly Balance[];
  /** What is to be booked; empty while a rate is missing. */
  readonly rows: readonly PostingRow[];
  /** By which whoever books it says what they saw. */
  readonly digest: string;
}

/** Throws 404 when there is no such year. */
export async function getRevaluation(
  db: Db,
  year: number,
  rates: ClosingRates = new Map(),
): Promise<Revaluation> {
  const { end } = await getYear(db, year);
  const items = await listOpenInCurrency(db, end);
  const currencies = [...new Set(items.map(({ currency }) => currency))].sort();
  const booked = revaluationBooked(await listBalancesBefore(db, addDays(end, 1)));
  const revalued = revalue(items, rates);
  const isWhole = currencies.every((currency) => rates.has(currency));
  const rows = isWhole ? revaluationRows(revalued, booked) : [];
  const digest = createHash('sha256').update(jsonOf(rows)).digest('hex').slice(0, 16);
  return { items, revalued, currencies, booked, rows, digest };
}

export interface BookedRevaluation {
  readonly year: number;
  readonly series: string;
  readonly rates: ClosingRates;
  /** What whoever books it has seen; otherwise two would book the same. Null where nobody looks first. */
  readonly seen: string | null;
}

/**
 * Books it on the year's last day, and takes it back on the next year's first. Throws 422 before the year has ended, without
 * a year after it, without a rate, when nothing is left to book, and when it is another than was seen.
 */
export async function bookRevaluation(
  tx: Tx,
  { year, series, rates, seen }: BookedRevaluation,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<{ readonly closing: PostedAppVoucher; readonly opening: PostedAppVoucher }> {
  await lockLedger(tx);
  const span = await getYear(tx, year);
  requireEnded(span, year, today);
  const nextDay = addDays(span.end, 1);
  if (!(await listYearSpans(tx)).some(({ start }) => start === nextDay)) {
    throw refuseWhole('unprocessable', 'revaluation_without_next_year', { of: year });
  }
  const { currencies, rows, digest } = await getRevaluation(tx, year, rates);
  const currency = currencies.find((one) => !rates.has(one));
  if (currency !== undefined) {
    throw refuseWhole('unprocessable', 'closing_rate_missing', { currency });
  }
  if (rows.length === 0) throw refuseWhole('unprocessable', 'nothing_to_revalue');
  if (seen !== null && seen !== digest) {
    throw refuseWhole('unprocessable', 'year_end_changed_meanwhile');
  }
  await addAccounts(tx, actor);
  const voucher = { series, counterparty: null };
  const description = `Omräkning till balansdagens kurs ${year}`;
  const closing = await postAppVoucher(
    tx,
    { ...voucher, date: span.end, description: `${description}: ${ratesText(rates)}`, rows },
    actor,
  );
  const opening = await postAppVoucher(
    tx,
    {
      ...voucher,
      date: nextDay,
      description: `Återföring: ${description.toLowerCase()}`,
      rows: reverseRows(rows),
    },
    actor,
  );
  await recordEvent(tx, {
    actor,
    action: 'fiscal_year.revalued',
    subject: String(year),
    detail: {
      voucher_id: closing.id,
      number: closing.number,
      taken_back_by: opening.id,
      rates: Object.fromEntries([...rates].map(([of, e6]) => [of, Number(e6) / 1_000_000])),
    },
  });
  return { closing, opening };
}

const ratesText = (rates: ClosingRates): string =>
  [...rates]
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
