/** Översikt: how it goes, what is owed, what waits for somebody, and what was posted last. */
import { findRestoring } from '../../audit/store.ts';
import { divideRounded } from '../../domain/basics/money.ts';
import type { MonthRecord } from '../../domain/ledger/statistics.ts';
import { totalResults } from '../../domain/ledger/statistics.ts';
import { countDeadJobs } from '../../installation/operations/store.ts';
import { getMonthEnds } from '../../ledger/months/store.ts';
import { findWaitingVat } from '../../ledger/vat-filings/waiting.ts';
import { countWaitingPayments } from '../../purchases/payment-files/store.ts';
import { drawMonths } from '../../render/month-chart.ts';
import {
  findYearOf,
  getDebts,
  getWaiting,
  listLatestVouchers,
} from '../../reports/overview/store.ts';
import { overviewOf } from '../../reports/stats/overview.ts';
import { getOverviewFigures } from '../../reports/stats/store.ts';
import { countDueReminders } from '../../sales/reminders/runs.ts';
import { amountText, count, dayInWords, kronor, monthInWords } from '../format.ts';
import type { Pages } from '../page.ts';
import type { View, Visit } from '../visit.ts';
import { type OverviewTask, tasksOf } from './overview-tasks.ts';

const monthsShown = 12;
const namedShown = 5;
const vouchersShown = 8;
/** By then what others had had, and sent, has been met with: a month of bank's rows, invoices and orders. */
const restoredMs = 30 * 24 * 60 * 60 * 1000;

export function registerOverviewPages(pages: Pages): void {
  pages.show({
    url: '/oversikt',
    right: 'read',
    show: showOverview,
  });
}

async function showOverview({ tx, person, today, deps }: Visit): Promise<View> {
  const { timeZone } = deps.config;
  const figures = await getOverviewFigures(tx, namedShown, today);
  const overview = overviewOf(figures, deps.clock.now(), today);
  const year = await findYearOf(tx, today);
  const debts = await getDebts(tx, today);
  const waiting = await getWaiting(tx, today);
  const ends = await getMonthEnds(tx, { today, timeZone });
  const deadJobs = person.may('administer') ? await countDeadJobs(tx) : 0;
  const restoring = await findRestoring(tx);
  const isRecent = restoring && deps.clock.now().getTime() - restoring.at.getTime() < restoredMs;
  const tasks = tasksOf({
    payments: await countWaitingPayments(tx, person.actor, today),
    reminders: await countDueReminders(tx, today),
    waiting,
    ends,
    vat: await findWaitingVat(tx, today),
    attachmentsMissing: overview.attachments_missing,
    deadJobs,
    restoring: isRecent ? restoring : undefined,
    timeZone,
    mayAdminister: person.may('administer'),
    today,
  });
  const vouchers = await listLatestVouchers(tx, vouchersShown);
  return {
    template: 'overview',
    title: 'Översikt',
    values: {
      today: dayInWords(today),
      figures: figuresOf(overview, debts, year, today),
      chart: overview.months.length === 0 ? null : chartOf(overview.months.slice(-monthsShown)),
      accounts: overview.liquidity.accounts.map(({ account, name, balance }) => ({
        account: String(account),
        name,
        balance: kronor(oreOf(balance)),
      })),
      tasks: tasks.map(taskView),
      mayMoveIn: person.may('administer'),
      vouchers: vouchers.map((voucher) => ({
        href: `/verifikat/${voucher.id}`,
        number: `${voucher.series}${voucher.number}`,
        date: voucher.verification_date,
        description: voucher.description,
        total: amountText(voucher.total_ore),
      })),
    },
  };
}

/** Amounts of the API have at most two decimals. */
const oreOf = (amount: number): bigint => BigInt(Math.round(amount * 100));
/** Whole kronor, which are enough to see how it goes; the lists have the öre. */
const wholeOf = (ore: bigint): string => wholeText(Number(divideRounded(ore, 100n)));
const wholeText = (amount: number): string => `${minus(amount)}\u00a0kr`;
/** A true minus sign, and spaces between the thousands. */
const minus = (amount: number): string => count(amount).replace('-', '−');

type Overview = ReturnType<typeof overviewOf>;

function figuresOf(
  { months, liquidity, receivables, payables }: Overview,
  debts: Awaited<ReturnType<typeof getDebts>>,
  year: { start_date: string; end_date: string } | undefined,
  today: string,
) {
  const from = (year?.start_date ?? `${today.slice(0, 4)}-01-01`).slice(0, 7);
  const totals = totalResults(months.filter(({ month }) => month >= from));
  const overdue = (ore: bigint, invoices: number): string =>
    invoices === 0
      ? 'inget förfallet'
      : `${wholeOf(ore)} förfallet på ${count(invoices)} ${invoices === 1 ? 'faktura' : 'fakturor'}`;
  return [
    {
      label: 'Rörelseresultat',
      value: wholeText(totals.result),
      note: `sedan ${monthInWords(from)}, på intäkter om ${wholeText(totals.revenue)}`,
    },
    {
      label: 'Likviditet',
      value: wholeOf(oreOf(liquidity.balance)),
      note: 'kassa och bank',
    },
    {
      label: 'Kundfordringar',
      value: wholeText(receivables),
      note: overdue(debts.receivables_overdue, debts.receivables_overdue_count),
    },
    {
      label: 'Leverantörsskulder',
      value: wholeText(payables),
      note:
        debts.payables_soon === 0n
          ? overdue(debts.payables_overdue, debts.payables_overdue_count)
          : `${overdue(debts.payables_overdue, debts.payables_overdue_count)}, ${wholeOf(debts.payables_soon)} inom en vecka`,
    },
  ];
}

const shortMonths = [
  'jan',
  'feb',
  'mar',
  'apr',
  'maj',
  'jun',
  'jul',
  'aug',
  'sep',
  'okt',
  'nov',
  'dec',
];

function chartOf(months: readonly MonthRecord[]) {
  const chart = drawMonths(months);
  const first = months[0]?.month ?? '';
  const last = months.at(-1)?.month ?? '';
  const best = months.reduce((one, other) => (other.result > one.result ? other : one));
  const worst = months.reduce((one, other) => (other.result < one.result ? other : one));
  return {
    ...chart,
    viewBox: `0 0 ${chart.width} ${chart.height}`,
    description: `Från ${monthInWords(first)} till ${monthInWords(last)}. Bäst gick ${monthInWords(best.month)}, ${wholeText(best.result)}; sämst ${monthInWords(worst.month)}, ${wholeText(worst.result)}.`,
    ticks: chart.ticks.map(({ y, value }) => ({ y, label: minus(value), isZero: value === 0 })),
    months: chart.months.map((month, index) => ({
      ...month,
      label: shortMonths[Number(month.month.slice(5)) - 1],
      year: index === 0 || month.month.endsWith('-01') ? month.month.slice(0, 4) : null,
    })),
    rows: months.map(({ month, revenue, costs, result }) => ({
      month,
      revenue: minus(revenue),
      costs: minus(costs),
      result: minus(result),
    })),
  };
}

const taskView = (task: OverviewTask) => ({
  ...task,
  count: task.count === null ? null : count(task.count),
});
