/** What the example company's bookkeeper posts by hand in an ordinary month. */
import { lastDayOfMonth, split } from '../domain/basics/dates.ts';
import { foodRateOn } from './articles.ts';
import { kronor, type PlannedVoucher } from './books.ts';
import {
  type Calendar,
  dayIn,
  fridaysOf,
  monthBefore,
  workday,
  workdayBefore,
} from './calendar.ts';
import { expenses } from './expenses.ts';
import { connectedMonths } from './orders.ts';
import { payrollVouchers } from './payroll.ts';
import { createRandom, type Random } from './random.ts';
import { cardPayouts, hasTill } from './till.ts';
import { against, bank, sale, voucher } from './voucher-parts.ts';

/** By date, up to today. */
export function ordinaryVouchers(calendar: Calendar, month: string): PlannedVoucher[] {
  const random = createRandom(`vouchers ${month}`);
  return [
    ...(hasTill(calendar, month) ? cardPayouts(calendar, month) : shopSales(month, random)),
    ...webSales(calendar, month, random),
    ...payrollVouchers(calendar, month),
    ...finance(month, random),
    ...expenses(month, random),
    ...accruals(month),
  ]
    .filter(({ date }) => date <= calendar.today)
    .sort((a, b) => a.date.localeCompare(b.date));
}

/** Cups over the counter, coffee to take home and everything else, once a week: until the till told of it by itself. */
function shopSales(month: string, random: Random): PlannedVoucher[] {
  return fridaysOf(month).map((date) => {
    const food = foodRateOn(date);
    const rows = [
      ...sale(3001, BigInt(random.integer(1_350_000, 2_250_000)), 25, '10'),
      ...sale(3002, BigInt(random.integer(280_000, 460_000)), 12, '10'),
      ...sale(food === 6 ? 3003 : 3002, BigInt(random.integer(420_000, 760_000)), food, '10'),
    ];
    const description = 'Dagskassor, veckans kort och Swish';
    return voucher(date, description, against(bank, rows), { document: 'note' });
  });
}

/** Until the web shop sent its orders by itself. */
function webSales({ today }: Calendar, month: string, random: Random): PlannedVoucher[] {
  if (month >= monthBefore(today, connectedMonths)) return [];
  return [10, 24].map((day) => {
    const date = workday(dayIn(month, day));
    const sold = sale(3001, BigInt(random.integer(900_000, 1_700_000)), 25, '20');
    const fee = BigInt(random.integer(19_000, 36_000));
    const rows = against(bank, [...sold, { account: 6040, ore: fee, costCenter: '20' }]);
    const counterparty = 'Betalväxeln Norden AB';
    return voucher(date, 'Webbutiken, utbetalning', rows, { counterparty, document: 'receipt' });
  });
}

function finance(month: string, random: Random): PlannedVoucher[] {
  const last = workdayBefore(lastDayOfMonth(month));
  const isQuarterEnd = split(last).month % 3 === 0;
  const cards = BigInt(random.integer(95_000, 160_000));
  const fees = against(bank, [{ account: 6570, ore: kronor(325) }]);
  const loan = against(bank, [
    { account: 8410, ore: kronor(2_975) },
    { account: 2350, ore: kronor(12_500) },
  ]);
  return [
    voucher(
      workday(dayIn(month, 5)),
      'Kortavgifter',
      against(bank, [{ account: 6040, ore: cards, costCenter: '10' }]),
      {
        counterparty: 'Betalväxeln Norden AB',
        document: 'receipt',
      },
    ),
    voucher(last, 'Bankavgifter', fees, { counterparty: 'Norrlandsbanken' }),
    ...(isQuarterEnd
      ? [
          voucher(last, 'Ränta och amortering', loan, {
            counterparty: 'Norrlandsbanken',
            document: 'receipt',
          }),
        ]
      : []),
  ];
}

/** What belongs to the month without anything being paid in it. */
function accruals(month: string): PlannedVoucher[] {
  const date = lastDayOfMonth(month);
  const periodical = { series: 'P', document: 'note' } as const;
  const written = kronor(6_500);
  const insured = kronor(1_800);
  return [
    voucher(
      date,
      `Avskrivning inventarier ${month}`,
      [
        { account: 7832, ore: written },
        { account: 1229, ore: -written },
      ],
      periodical,
    ),
    voucher(
      date,
      `Försäkring ${month}`,
      [
        { account: 6310, ore: insured },
        { account: 1730, ore: -insured },
      ],
      periodical,
    ),
  ];
}
