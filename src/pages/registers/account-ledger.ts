/** An account's ledger (huvudbok): every row of a period with the balance after it. */
import { z } from 'zod';
import { lastDayOfMonth, monthOf } from '../../domain/basics/dates.ts';
import { isBalanceAccount } from '../../domain/ledger/account.ts';
import type { YearSpan } from '../../domain/ledger/fiscal-year.ts';
import {
  type AccountRow,
  type LedgerPeriod,
  listAccountRows,
  sumAccountPeriod,
  sumMonthThrough,
} from '../../ledger/accounts/ledger-store.ts';
import { type Account, getAccount } from '../../ledger/accounts/store.ts';
import { findYearOf, listYearSpans } from '../../ledger/fiscal-years/store.ts';
import { AppError } from '../../lib/errors.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountOrEmpty, amountText } from '../format.ts';
import { accountNumber } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { View, Visit } from '../visit.ts';
import { addressOf, pageOf, placeOf, rowPlace } from './lists.ts';

const rowsPerPage = 100;
const params = z.object({ number: accountNumber });

export function registerAccountLedger(pages: Pages): void {
  pages.show({ url: '/kontoplan/:number', right: 'read', params, show: showLedger });
}

async function showLedger(visit: Visit<{ number: number }>): Promise<View> {
  const { tx, query, today, params: wanted } = visit;
  const account = await getAccount(tx, wanted.number);
  const years = await listYearSpans(tx);
  const year =
    years.find((one) => String(one.year) === textOf(query, 'ar')) ?? (await findYearOf(tx, today));
  if (!year) throw new AppError('not_found', 'Det finns inget räkenskapsår än.');
  const period = periodOf(query, year);
  const place = placeOf(query, rowPlace);
  const sums = await sumAccountPeriod(tx, account.number, period);
  const before = place ? await balanceThrough(tx, account.number, period, place) : sums.opening_ore;
  const found = await listAccountRows(tx, account.number, period, place, rowsPerPage);
  const path = `/kontoplan/${account.number}`;
  const { rows, pager } = pageOf(found, rowsPerPage, {
    path,
    parameters: parametersOf(query, year),
    placeOfRow: (row) => [row.verification_date, row.series, row.number, row.row_no],
    isFirst: place === undefined,
  });
  return {
    template: 'account-ledger',
    title: `${account.number} ${account.name}`,
    values: {
      account: shownAccount(account),
      ...shownPeriod(years, year, period),
      openingLabel: place ? 'Saldo från föregående sida' : 'Ingående saldo',
      opening: amountText(before),
      rows: withBalances(rows, before),
      isLastPage: pager.next === null,
      debit: amountText(sums.debit_ore),
      credit: amountText(sums.credit_ore),
      closing: amountText(sums.opening_ore + sums.debit_ore - sums.credit_ore),
      pager,
    },
  };
}

/** Whole months of the year: those of `?fran=2026-03&till=2026-05`, else all of them. */
function periodOf(query: Fields, year: YearSpan): LedgerPeriod {
  const monthIn = (name: string): string | undefined => {
    const month = textOf(query, name);
    const isOfYear = monthOf(year.start) <= month && month <= monthOf(year.end);
    return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && isOfYear ? month : undefined;
  };
  const from = monthIn('fran') ?? monthOf(year.start);
  const to = monthIn('till') ?? monthOf(year.end);
  const [first = from, last = to] = [from, to].sort();
  return {
    yearStart: year.start,
    start: `${first}-01`,
    end: lastDayOfMonth(last),
  };
}

const parametersOf = (query: Fields, year: YearSpan) => ({
  ar: String(year.year),
  fran: textOf(query, 'fran').slice(0, 7),
  till: textOf(query, 'till').slice(0, 7),
});

/** The balance after a row, whatever has been posted since the page before was shown. */
async function balanceThrough(
  tx: Visit['tx'],
  account: number,
  { yearStart }: LedgerPeriod,
  place: z.output<typeof rowPlace>,
): Promise<bigint> {
  const start = `${monthOf(place.date)}-01`;
  const { opening_ore } = await sumAccountPeriod(tx, account, { yearStart, start, end: start });
  return opening_ore + (await sumMonthThrough(tx, account, place));
}

function withBalances(rows: readonly AccountRow[], opening: bigint) {
  let balance = opening;
  return rows.map((row) => {
    balance += row.debit_ore - row.credit_ore;
    return {
      voucherId: row.voucher_id,
      voucher: `${row.series}${row.number}`,
      date: row.verification_date,
      text: row.description,
      note: row.note,
      debit: amountOrEmpty(row.debit_ore),
      credit: amountOrEmpty(row.credit_ore),
      balance: amountText(balance),
    };
  });
}

const shownAccount = (account: Account) => ({
  number: account.number,
  isActive: account.is_active,
  isBalance: isBalanceAccount(account.number),
});

function shownPeriod(years: readonly YearSpan[], year: YearSpan, { start, end }: LedgerPeriod) {
  const months: string[] = [];
  for (let month = monthOf(year.start); month <= monthOf(year.end); ) {
    months.push(month);
    const [number = 0, of = 0] = month.split('-').map(Number);
    month = of === 12 ? `${number + 1}-01` : `${number}-${String(of + 1).padStart(2, '0')}`;
  }
  const options = (chosen: string) =>
    months.map((value) => ({ value, isChosen: value === monthOf(chosen) }));
  return {
    years: [...years]
      .reverse()
      .map((one) => ({ value: one.year, isChosen: one.year === year.year })),
    from: options(start),
    to: options(end),
    isWholeYear: start === year.start && end === year.end,
    wholeYear: addressOf('', { ar: String(year.year) }),
    start,
    end,
  };
}
