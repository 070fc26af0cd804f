/** The till in the example company's shop: a Z report a working day since it was connected, and what comes of them. */
import { addDays, dayOfWeek, lastDayOfMonth, monthOf } from '../domain/basics/dates.ts';
import { isWorkingDay } from '../domain/basics/holidays.ts';
import { type Ore, sum } from '../domain/basics/money.ts';
import { findTillReport } from '../intake/till-reports/inbox-store.ts';
import { receivedTillReport } from '../intake/till-reports/received.ts';
import { judgeTillReports } from '../intake/till-reports/service.ts';
import { storeTillReports } from '../intake/till-reports/store.ts';
import { uuid } from '../lib/uuid.ts';
import { foodRateOn } from './articles.ts';
import type { Books, PlannedVoucher } from './books.ts';
import { type Calendar, monthBefore, workdayBefore } from './calendar.ts';
import { createRandom } from './random.ts';
import { bank, voucher } from './voucher-parts.ts';

/** Before then the week's sums are posted by hand. */
const connectedMonthsAgo = 1;
const tillId = 'KASSA-1';
const cards = 1686;
const friday = 5;

export const hasTill = ({ today }: Calendar, month: string): boolean =>
  month >= monthBefore(today, connectedMonthsAgo);

interface TillDay {
  readonly date: string;
  readonly body: {
    readonly zNumber: number;
    readonly payments: readonly { readonly method: string; readonly amount: number }[];
  } & object;
}

const firstNumber = 301;

/** What the till says of each working day since it was connected, up to yesterday. */
function tillDays(calendar: Calendar): TillDay[] {
  const days: TillDay[] = [];
  let inTillOre = 0;
  const first = `${monthBefore(calendar.today, connectedMonthsAgo)}-01`;
  for (let date = first; date < calendar.today; date = addDays(date, 1)) {
    if (!isWorkingDay(date)) continue;
    const { body, cashOre } = tillDay(date, firstNumber + days.length);
    inTillOre += cashOre;
    const isBanked = dayOfWeek(date) === friday && inTillOre >= bankedAtLeastOre;
    const bankedOre = isBanked ? inTillOre - (inTillOre % bankedAtLeastOre) : 0;
    inTillOre -= bankedOre;
    const banked = { kind: 'bank', amount: -bankedOre / 100, text: 'Servicebox' };
    days.push({ date, body: { ...body, ...(bankedOre > 0 ? { movements: [banked] } : {}) } });
  }
  return days;
}

const bankedAtLeastOre = 10_000;

/** A day's sales, a third by other means than card. */
function tillDay(date: string, zNumber: number) {
  const random = createRandom(`till ${date}`);
  const food = foodRateOn(date);
  const sold = [
    { vatRate: 25, ore: random.integer(340_000, 560_000) },
    { vatRate: 12, ore: random.integer(63_000, 103_000) },
    { vatRate: food, ore: random.integer(89_000, 161_000) },
  ];
  const backOre = random.chance(30) ? random.integer(9_900, 49_900) : 0;
  const giftCardsOre = random.chance(20) ? 50_000 : 0;
  const redeemedOre = random.chance(15) ? 30_000 : 0;
  const dueOre = sold.reduce((total, { ore }) => total + ore, 0) - backOre + giftCardsOre;
  const [swishOre, exactOre] = [Math.floor(dueOre / 6), Math.floor(dueOre / 9)];
  const cashOre = Math.round(exactOre / 100) * 100;
  const payments = [
    { method: 'card', amount: (dueOre - swishOre - exactOre - redeemedOre) / 100 },
    { method: 'swish', amount: swishOre / 100 },
    { method: 'cash', amount: cashOre / 100 },
    ...(redeemedOre > 0 ? [{ method: 'gift_card', amount: redeemedOre / 100 }] : []),
  ];
  const body = {
    ...{ tillId, zNumber, date, receiptCount: random.integer(24, 61) },
    sales: sold.map(({ vatRate, ore }) => ({ vatRate, amount: ore / 100 })),
    ...(backOre > 0 ? { returns: [{ vatRate: 25, amount: backOre / 100 }] } : {}),
    ...(giftCardsOre > 0 ? { giftCardsSold: giftCardsOre / 100 } : {}),
    rounding: (cashOre - exactOre) / 100,
    payments,
  };
  return { body, cashOre };
}

const inMonth = (calendar: Calendar, month: string): TillDay[] =>
  tillDays(calendar).filter(({ date }) => monthOf(date) === month);

/** A month's reports, each booked. */
export async function reportTill(books: Books, month: string, keyHash: Buffer): Promise<void> {
  if (!hasTill(books.calendar, month)) return;
  const bodies = inMonth(books.calendar, month).map(({ body }) => body);
  await take(books, bodies, keyHash);
}

/** What the card company pays out each Friday of what the till has sold by card that week. */
export function cardPayouts(calendar: Calendar, month: string): PlannedVoucher[] {
  const byWeek = Map.groupBy(inMonth(calendar, month), ({ date }) =>
    addDays(date, friday - dayOfWeek(date)),
  );
  return [...byWeek].flatMap(([week, days]) => {
    const paidOn = workdayBefore(monthOf(week) === month ? week : lastDayOfMonth(month));
    if (paidOn >= calendar.today) return [];
    const soldOre = sum(days.map(({ body }) => cardOre(body.payments)));
    const feeOre = soldOre / 100n;
    const rows = [
      { account: bank, ore: soldOre - feeOre },
      { account: 6570, ore: feeOre, costCenter: '10' },
      { account: cards, ore: -soldOre },
    ];
    const rest = { counterparty: 'Kortbolaget', document: 'receipt' } as const;
    return [voucher(paidOn, 'Kortbolaget, veckans utbetalning', rows, rest)];
  });
}

const cardOre = (payments: TillDay['body']['payments']): Ore =>
  sum(
    payments
      .filter(({ method }) => method === 'card')
      .map(({ amount }) => BigInt(Math.round(amount * 100))),
  );

/** One that needs a person, a number after the next, so that one is missing too. */
export async function stopTillReport(books: Books, keyHash: Buffer): Promise<void> {
  const { calendar } = books;
  const date = workdayBefore(addDays(calendar.today, -1));
  const last = tillDays(calendar).at(-1)?.body.zNumber ?? firstNumber;
  const body = {
    ...{ tillId, zNumber: last + 2, date },
    sales: [{ vatRate: 12, amount: 1_250 }],
    payments: [
      { method: 'card', amount: 950 },
      { method: 'rikskupong', amount: 300 },
    ],
  };
  await take(books, [body], keyHash, 'stopped');
}

async function take(
  { tx, calendar }: Books,
  bodies: readonly object[],
  keyHash: Buffer,
  becomes: 'posted' | 'stopped' = 'posted',
): Promise<void> {
  if (bodies.length === 0) return;
  // In rising order, which is that of the list.
  const ids = bodies.map(() => uuid()).sort();
  const received = bodies.map((body, index) => {
    const raw = Buffer.from(JSON.stringify(body, null, 2));
    const report = receivedTillReport(raw, body);
    return { ...report, id: ids[index] ?? report.id, keyHash, requestId: uuid() };
  });
  await storeTillReports(tx, received);
  // One by one, in the till's own order.
  const judging = { today: calendar.today, actor: 'job:till-report-intake' };
  for (const { id } of received) await judgeTillReports(tx, [id], judging);
  for (const { id } of received) {
    const report = await findTillReport(tx, id);
    if (report?.status === becomes) continue;
    throw new Error(`a demo till report is ${report?.status}: ${JSON.stringify(report?.detail)}`);
  }
}
