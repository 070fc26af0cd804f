/** Two years of the example company, month by month, in the order things happen. */
import { monthOf } from '../domain/basics/dates.ts';
import type { Ore } from '../domain/basics/money.ts';
import { correctVoucher } from '../ledger/vouchers/corrections.ts';
import type { DemoKeys } from './access.ts';
import { spreadOverMonths } from './accruals.ts';
import { attachDocuments } from './attach.ts';
import {
  type Books,
  ledgerRowsOf,
  type PlannedVoucher,
  type PostedVoucher,
  post,
} from './books.ts';
import { type BoughtInvoices, buyInMonth } from './buy.ts';
import { writeByHand } from './by-hand.ts';
import { monthBefore } from './calendar.ts';
import { closeLastYear, settleQuarter } from './closing.ts';
import { ordersFromAbroad, ordinaryOrders } from './orders.ts';
import { ordinaryVouchers } from './ordinary-vouchers.ts';
import { taxVouchers } from './payroll.ts';
import { ordinaryPurchases, specialPurchases } from './purchases.ts';
import { ordinaryInvoices, type PlannedInvoice } from './sales.ts';
import { type SoldInvoices, sellInMonth } from './sell.ts';
import { specialInvoices } from './special-invoices.ts';
import { takeOrders } from './take-orders.ts';
import { reportTill } from './till.ts';
import { dispositionOf, openingVat, openingVoucher } from './year-vouchers.ts';

/** What later months need to know of earlier ones. */
interface Progress {
  readonly sold: SoldInvoices;
  readonly bought: BoughtInvoices;
  /** VAT to be paid, by the month it is due in. */
  readonly vatDue: Map<string, Ore>;
  /** Of the year before, once it is closed. */
  resultOre: Ore | null;
}

export async function tellStory(books: Books, keys: DemoKeys): Promise<void> {
  const { calendar } = books;
  const [, second = ''] = calendar.months;
  const vatDue = new Map([[second, openingVat]]);
  const progress: Progress = { sold: [], bought: [], vatDue, resultOre: null };
  const special = specialInvoices(calendar).filter(({ isDraft }) => !isDraft);
  await post(books, [openingVoucher(calendar)]);
  for (const month of calendar.months) {
    await liveMonth(books, keys, month, special, progress);
    const period = calendar.vatPeriods.find(({ end }) => monthOf(end) === month);
    if (period) vatDue.set(monthOf(period.dueOn), await settleQuarter(books, month));
    if (month === `${calendar.year - 1}-12`) {
      progress.resultOre = await closeLastYear(books, doubtful(progress.sold));
    }
  }
}

async function liveMonth(
  books: Books,
  keys: DemoKeys,
  month: string,
  special: readonly PlannedInvoice[],
  { sold, bought, vatDue, resultOre }: Progress,
): Promise<void> {
  const { calendar } = books;
  const { today } = calendar;
  const inMonth = (date: string): boolean => monthOf(date) === month && date <= today;

  const invoices = [...ordinaryInvoices(month), ...special].filter(({ date }) => inMonth(date));
  await sellInMonth(
    books,
    sold,
    month,
    byDate(invoices, ({ date }) => date),
  );
  const orders = [...ordinaryOrders(calendar, month), ...ordersFromAbroad(calendar, month)].filter(
    ({ body }) => inMonth(body.orderDate),
  );
  await takeOrders(
    books,
    byDate(orders, ({ body }) => body.orderDate),
    keys.webShop,
  );
  await reportTill(books, month, keys.till);

  const purchases = [...ordinaryPurchases(month), ...specialPurchases(calendar)].filter(
    ({ document }) => inMonth(document.issueDate),
  );
  const inOrder = byDate(purchases, ({ document }) => document.issueDate);
  await buyInMonth(books, bought, month, inOrder, keys.accessPoint);

  const vouchers: PlannedVoucher[] = [
    ...ordinaryVouchers(calendar, month),
    ...taxVouchers(calendar, month, vatDue.get(month) ?? 0n),
    ...(resultOre === null ? [] : [dispositionOf(calendar, resultOre)]),
  ].filter(({ date }) => inMonth(date));
  const posted = await post(
    books,
    byDate(vouchers, ({ date }) => date),
  );
  await attachDocuments(books, month, posted);
  if (month === monthBefore(today, 1)) {
    await spreadOverMonths(books, month, await writeByHand(books, month));
  }
  if (month === monthBefore(today, correctedMonthsAgo)) await correct(books, posted);
}

const byDate = <T>(items: readonly T[], dateOf: (item: T) => string): T[] =>
  items.toSorted((a, b) => dateOf(a).localeCompare(dateOf(b)));

const correctedMonthsAgo = 2;
const tools = 5410;

/** Something of the month was booked on the wrong account: taken back and posted again (BFL 5:5). */
async function correct(books: Books, posted: readonly PostedVoucher[]): Promise<void> {
  const wrong = posted.find(({ rows: [row] }) => row && row.account > tools && row.account < 6300);
  if (!wrong) return;
  const { id, series, number, date, description, counterparty = null } = wrong;
  const rows = wrong.rows.map((row, index) => (index === 0 ? { ...row, account: tools } : row));
  const label = `${series}${number}`;
  await correctVoucher(
    books.tx,
    {
      correctedId: id,
      date,
      description: `Rättelse av ${label}: fel konto`,
      replacement: {
        description: `${description} (ersätter ${label})`,
        counterparty,
        rows: ledgerRowsOf(books, rows),
      },
    },
    books.actors.bookkeeper,
  );
}

/** Two fifths of what the customer that will hardly pay still owes. */
function doubtful(sold: SoldInvoices): Ore {
  const owed = sold.find(({ plan }) => plan.customer.isActive === false)?.openOre ?? 0n;
  return (owed / 250n) * 100n;
}
