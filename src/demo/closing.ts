/** VAT, the closing of the year before, month ends and locks of the example company. */
import { lastDayOfMonth, monthOf } from '../domain/basics/dates.ts';
import { type Ore, sum } from '../domain/basics/money.ts';
import { closeYear } from '../ledger/fiscal-years/service.ts';
import { setLock } from '../ledger/locks/service.ts';
import { acknowledgeMonth } from '../ledger/months/service.ts';
import { getMonthEnds } from '../ledger/months/store.ts';
import { assignToPeriod } from '../ledger/vat-filings/assignments.ts';
import { fileVatReturn, settleVat } from '../ledger/vat-filings/service.ts';
import { postAppVoucher } from '../ledger/vouchers/service.ts';
import { type Books, post } from './books.ts';
import { type Calendar, monthBefore, type VatPeriod } from './calendar.ts';
import { listChanges } from './store.ts';
import { resultVouchers, yearEndVouchers } from './year-vouchers.ts';

const isFiled = ({ today }: Calendar, { filedOn }: VatPeriod): boolean => filedOn <= today;

/** Settles and files the quarter that ends with the month; what is to be paid, in öre. */
export async function settleQuarter(books: Books, month: string): Promise<Ore> {
  const { tx, calendar, actors } = books;
  const period = calendar.vatPeriods.find(({ end }) => monthOf(end) === month);
  if (!period || !isFiled(calendar, period)) return 0n;
  const of = { end: period.end, today: period.filedOn };
  const { toPayOre } = await settleVat(tx, of, actors.bookkeeper);
  await fileVatReturn(tx, of, actors.bookkeeper);
  return toPayOre;
}

/** Closes the year before; its result after tax, null when it is not time yet. */
export async function closeLastYear(books: Books, doubtfulOre: Ore): Promise<Ore | null> {
  const { tx, calendar, actors } = books;
  if (!calendar.isLastYearClosed) return null;
  await post(books, yearEndVouchers(calendar, doubtfulOre));
  const year = { start: calendar.firstDay, end: `${calendar.year - 1}-12-31` };
  const result = await listChanges(tx, [3000, 8899], year);
  const posted = await post(books, resultVouchers(calendar, -sum(result.map(({ ore }) => ore))));
  await closeYear(tx, { year: calendar.year - 1, today: calendar.today }, actors.owner);
  const carried = posted.at(-1)?.rows.find(({ account }) => account === 2099);
  return -(carried?.ore ?? 0n);
}

/** How far behind the months are: the latest that may be done is the one before the last. */
const behindMonths = 2;

/** Acknowledges month after month, as long as nothing fails in the next. */
export async function acknowledgeMonths(
  { tx, calendar, actors }: Books,
  timeZone: string,
): Promise<void> {
  const day = { today: calendar.today, timeZone };
  const last = monthBefore(calendar.today, behindMonths);
  let ends = await getMonthEnds(tx, day);
  while (
    ends.open_month &&
    monthOf(ends.open_month) <= last &&
    ends.open_month_failing.length === 0
  ) {
    ends = await acknowledgeMonth(
      tx,
      { month: ends.open_month, reason: null, locks: false },
      day,
      actors.administrator,
    );
  }
}

/** Locks the months that are done, as the bookkeeper does with each; filed VAT is locked by its filing. */
export async function lockBooks({ tx, calendar, actors }: Books, timeZone: string): Promise<void> {
  const { last_closed_month: month } = await getMonthEnds(tx, { today: calendar.today, timeZone });
  if (month) await setLock(tx, 'period', lastDayOfMonth(month), actors.administrator);
}

/** The latest filed quarter lacked VAT that had been booked as a cost: it is mended by a voucher of today, and is to be filed anew. */
export async function mendLatestQuarter({ tx, calendar, actors }: Books): Promise<void> {
  const period = calendar.vatPeriods.findLast((one) => isFiled(calendar, one));
  if (!period || period.end < `${calendar.year}-01-01`) return;
  const { id } = await postAppVoucher(
    tx,
    {
      series: 'A',
      date: calendar.today,
      description: `Ingående moms som bokfördes som kostnad, ${period.start} – ${period.end}`,
      counterparty: null,
      rows: [
        { account: 2641, debitOre: 25_000n, creditOre: 0n },
        { account: 5410, debitOre: 0n, creditOre: 25_000n },
      ],
    },
    actors.bookkeeper,
  );
  await assignToPeriod(tx, { voucher: { id }, end: period.end }, actors.bookkeeper);
}
