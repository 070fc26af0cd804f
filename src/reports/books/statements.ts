/** Balansräkning, resultaträkning and saldobalans: sums by account. */
import { addDays, addMonths, cutDays, lastDayOfMonth } from '../../domain/basics/dates.ts';
import { sum } from '../../domain/basics/money.ts';
import {
  balanceAmounts,
  balanceSheet,
  incomeStatement,
  isResultAccount,
  type SumLine,
  trialBalance,
} from '../../domain/ledger/statements.ts';
import { listYearSpans } from '../../ledger/fiscal-years/store.ts';
import { everSince, listAccountSpans, listAccountSums } from './sum-store.ts';
import type { Behind, BookReport, Column, Days, ReportLine, ReportOptions } from './table.ts';

const label: Column = { key: 'label', label: 'Konto', kind: 'text' };
const amount = (key: string, text: string, days?: Days): Column => ({
  key,
  label: text,
  kind: 'amount',
  ...(days ? { days } : {}),
});

/** `amountColumns` are how many stand beside the label, for headings, which have none. */
function tableLines(lines: readonly SumLine[], amountColumns: number): ReportLine[] {
  return lines.map(({ kind, label, accounts, amounts }) => {
    const behind: Behind | undefined = accounts ? { kind: 'accounts', accounts } : undefined;
    const cells = [label, ...Array.from({ length: amountColumns }, (_, n) => amounts[n] ?? null)];
    const shown = kind === 'account' ? 'row' : kind === 'heading' ? 'heading' : 'sum';
    return { kind: shown, cells, ...(behind ? { behind } : {}) };
  });
}

export const balanceSheetReport: BookReport = {
  name: 'balance-sheet',
  word: 'balansrakning',
  title: 'Balansräkning',
  description: 'Tillgångar mot eget kapital och skulder, med det beräknade resultatet.',
  takes: ['dimension'],
  columns: ({ from, to }) => [
    label,
    amount('opening', `Ingående ${from}`),
    amount('change', 'Förändring'),
    amount('closing', `Utgående ${to}`),
  ],
  read: async (db, { from, to, dimension }) => {
    const sums = await listAccountSums(db, { from, to }, { since: everSince, dimension });
    return { lines: tableLines(balanceSheet(balanceAmounts(sums), 3), 3), next: null };
  },
};

/** Side by side: months of the days, as far as there is room on a page. */
const monthsMax = 24;

const monthsOf = ({ from, to }: Days): Days[] => {
  const starts: string[] = [];
  for (let first = `${from.slice(0, 7)}-01`; first <= to; first = addMonths(first, 1)) {
    starts.push(first);
    if (starts.length > monthsMax) break;
  }
  return cutDays(from, to, starts);
};

/** More than a page has room for are told in one. */
export const areTooManyMonths = (days: Days): boolean => monthsOf(days).length > monthsMax;

/** The same days a year before; a month's last day is that of the month then. */
export function yearBefore({ from, to }: Days): Days {
  const then = addMonths(to, -12);
  return {
    from: addMonths(from, -12),
    to: to === lastDayOfMonth(to) ? lastDayOfMonth(then) : then,
  };
}

const spansOf = (options: ReportOptions): readonly Days[] =>
  options.isByMonth && !areTooManyMonths(options) ? monthsOf(options) : [options];

export const incomeStatementReport: BookReport = {
  name: 'income-statement',
  word: 'resultatrakning',
  title: 'Resultaträkning',
  description:
    'Intäkter och kostnader till resultatet, mot samma dagar året före eller månad för månad.',
  takes: ['dimension', 'months'],
  columns: (options) => {
    const { from, to } = options;
    const before = yearBefore(options);
    const spans = spansOf(options);
    const months = spans.length === 1 ? [] : spans;
    return [
      label,
      ...months.map((days) => amount(days.from.slice(0, 7), days.from.slice(0, 7), days)),
      amount('period', `${from}–${to}`, { from, to }),
      amount('year_before', `${before.from}–${before.to}`, before),
    ];
  },
  read: async (db, options) => {
    const months = spansOf(options);
    const before = yearBefore(options);
    // Of more than a year, the year before is within the days: each is read by itself.
    const accounts = await listAccountSpans(db, [...months, before], options.dimension);
    const amounts = accounts.map(({ account, name, spans }) => {
      const changes = spans.map(({ debitOre, creditOre }) => debitOre - creditOre);
      const ofMonths = changes.slice(0, -1);
      const shown = months.length === 1 ? [] : ofMonths;
      return { account, name, amounts: [...shown, sum(ofMonths), changes.at(-1) ?? 0n] };
    });
    const columns = (months.length === 1 ? 0 : months.length) + 2;
    return { lines: tableLines(incomeStatement(amounts, columns), columns), next: null };
  },
};

export const trialBalanceReport: BookReport = {
  name: 'trial-balance',
  word: 'saldobalans',
  title: 'Saldobalans',
  description: 'Varje konto med ingående saldo, debet, kredit och utgående saldo (råbalans).',
  takes: ['dimension'],
  columns: ({ from, to }) => [
    label,
    amount('opening', `Ingående ${from}`),
    amount('debit', 'Debet'),
    amount('credit', 'Kredit'),
    amount('closing', `Utgående ${to}`),
  ],
  read: async (db, options) => {
    const { dimension } = options;
    const yearStart = await yearStartOf(db, options.from);
    const isLaterYear = yearStart > everSince;
    const sums = await listAccountSums(db, options, { since: everSince, dimension });
    const earlier = isLaterYear
      ? await listAccountSpans(db, [{ from: everSince, to: addDays(yearStart, -1) }], dimension)
      : [];
    const carried = new Map(
      earlier
        .filter(({ account }) => isResultAccount(account))
        .map(({ account, spans: [all] }) => [
          account,
          (all?.debitOre ?? 0n) - (all?.creditOre ?? 0n),
        ]),
    );
    const shown = sums
      .map((one) => ({ ...one, openingOre: one.openingOre - (carried.get(one.account) ?? 0n) }))
      .filter((one) => one.openingOre !== 0n || one.debitOre !== 0n || one.creditOre !== 0n);
    return { lines: tableLines(trialBalance(shown, sum(carried.values())), 4), next: null };
  },
};

/** The first day of the fiscal year that the day lies in; result accounts begin there at nothing. */
export async function yearStartOf(
  db: Parameters<BookReport['read']>[0],
  day: string,
): Promise<string> {
  const years = await listYearSpans(db);
  const year = years.find(({ start, end }) => start <= day && day <= end);
  return year?.start ?? years.findLast(({ end }) => end < day)?.start ?? everSince;
}
