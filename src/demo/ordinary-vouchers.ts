/** What the example company's bookkeeper posts by hand in an ordinary month. */
import { lastDayOfMonth, split } from '../domain/dates.ts';
import { type Ore, sum } from '../domain/money.ts';
import { type VatRate, vatFromNet } from '../domain/vat.ts';
import { foodRateOn } from './articles.ts';
import { kronor, type PlannedRow, type PlannedVoucher } from './books.ts';
import {
  type Calendar,
  dayIn,
  fridaysOf,
  monthBefore,
  workday,
  workdayBefore,
  workdayIn,
} from './calendar.ts';
import { employees } from './company.ts';
import { connected_months } from './orders.ts';
import { createRandom, type Random } from './random.ts';

const bank = 1930;
const taxAccount = 1630;

/** By date, up to today. */
export function ordinaryVouchers(calendar: Calendar, month: string): PlannedVoucher[] {
  const random = createRandom(`vouchers ${month}`);
  return [
    ...shopSales(month, random),
    ...webSales(calendar, month, random),
    ...payroll(calendar, month),
    ...finance(month, random),
    ...expenses(month, random),
    ...accruals(month),
  ]
    .filter(({ date }) => date <= calendar.today)
    .sort((a, b) => a.date.localeCompare(b.date));
}

const voucher = (
  date: string,
  description: string,
  rows: readonly PlannedRow[],
  rest: Partial<PlannedVoucher> = {},
): PlannedVoucher => ({ series: 'A', source: 'app', date, description, rows, ...rest });

/** The last row of a voucher: what makes it balance. */
const against = (account: number, rows: readonly PlannedRow[]): PlannedRow[] => [
  ...rows,
  { account, ore: -sum(rows.map(({ ore }) => ore)) },
];

/** Sold without VAT, and the VAT on it. */
function sale(account: number, netOre: Ore, rate: VatRate, costCenter: string): PlannedRow[] {
  const vatAccount = { 25: 2611, 12: 2621, 6: 2631, 0: 0 }[rate];
  return [
    { account, ore: -netOre, costCenter },
    { account: vatAccount, ore: -vatFromNet(netOre, rate) },
  ];
}

/** Bought with VAT that is taken back. */
const bought = (account: number, netOre: Ore, row: Partial<PlannedRow> = {}): PlannedRow[] => [
  { ...row, account, ore: netOre },
  { account: 2641, ore: vatFromNet(netOre, 25) },
];

/** Cups over the counter, coffee to take home and everything else, once a week. */
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
  if (month >= monthBefore(today, connected_months)) return [];
  return [10, 24].map((day) => {
    const date = workday(dayIn(month, day));
    const sold = sale(3001, BigInt(random.integer(900_000, 1_700_000)), 25, '20');
    const fee = BigInt(random.integer(19_000, 36_000));
    const rows = against(bank, [...sold, { account: 6040, ore: fee, costCenter: '20' }]);
    const counterparty = 'Betalväxeln Norden AB';
    return voucher(date, 'Webbutiken, utbetalning', rows, { counterparty, document: 'receipt' });
  });
}

export interface Payroll {
  readonly salaries: Ore;
  readonly tax: Ore;
  readonly contributions: Ore;
}

/** Lagen (2000:980) om socialavgifter, in hundredths of a percent. */
const contributions_e4 = 3_142n;
const raise_percent = 3n;

/** Salaries rise in April of the year in progress. */
function salaryOf(salary: number, { year }: Calendar, month: string): Ore {
  const ore = kronor(salary);
  return month < `${year}-04` ? ore : (ore * (100n + raise_percent)) / 100n;
}

export function payrollOf(calendar: Calendar, month: string): Payroll {
  const salaries = sum(employees.map(({ salary }) => salaryOf(salary, calendar, month)));
  const tax = sum(employees.map((employee) => kronor(employee.tax)));
  const contributions = ((salaries * contributions_e4) / 1_000_000n) * 100n;
  return { salaries, tax, contributions };
}

function payroll(calendar: Calendar, month: string): PlannedVoucher[] {
  const date = workdayIn(month, 25);
  const { tax, contributions } = payrollOf(calendar, month);
  const salaries = employees.map(({ title, costCenter, salary }) => ({
    account: 7210,
    ore: salaryOf(salary, calendar, month),
    costCenter,
    note: title,
  }));
  const paid = against(bank, [...salaries, { account: 2710, ore: -tax }]);
  const pension = kronor(8_450);
  return [
    voucher(date, `Löner ${month}`, paid, { document: 'receipt' }),
    voucher(
      date,
      `Arbetsgivaravgifter ${month}`,
      [
        { account: 7510, ore: contributions },
        { account: 2731, ore: -contributions },
      ],
      { document: 'receipt' },
    ),
    voucher(
      workday(dayIn(month, 20)),
      'Tjänstepension',
      against(bank, [{ account: 7410, ore: pension }]),
      {
        counterparty: 'Pensionsbolaget Nord',
        document: 'receipt',
      },
    ),
  ];
}

/**
 * What the tax account is charged with in a month and what is paid into it: the payroll of the month
 * before, preliminary tax, and the VAT that is due.
 */
export function taxVouchers(calendar: Calendar, month: string, vatOre: Ore): PlannedVoucher[] {
  const { month: number } = split(`${month}-01`);
  const date = workday(dayIn(month, number === 1 || number === 8 ? 17 : 12));
  const { tax, contributions } = payrollOf(calendar, monthBefore(`${month}-01`, 1));
  const charged = [
    { account: 2710, ore: tax },
    { account: 2731, ore: contributions },
    { account: 2518, ore: kronor(preliminary_tax) },
    { account: 2650, ore: vatOre },
  ];
  const authority = { counterparty: 'Skatteverket' };
  const paid = against(bank, [{ account: taxAccount, ore: sum(charged.map(({ ore }) => ore)) }]);
  const dues = vatOre === 0n ? 'skatt och avgifter' : 'skatt, avgifter och moms';
  return [
    voucher(
      workdayIn(month, split(date).day - 1),
      'Inbetalning till skattekontot',
      paid,
      authority,
    ),
    voucher(date, `Skattekontot: ${dues}`, against(taxAccount, charged), {
      ...authority,
      document: 'receipt',
    }),
  ].filter((one) => one.date <= calendar.today);
}

const preliminary_tax = 14_000;

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

interface Expense {
  readonly description: string;
  readonly counterparty: string;
  readonly account: number;
  /** Kronor without VAT. */
  readonly net: readonly [from: number, to: number];
  readonly costCenter?: string;
  readonly project?: string;
}

const everyday: readonly Expense[] = [
  {
    description: 'Drivmedel servicebilen',
    counterparty: 'Macken i Teg',
    account: 5611,
    net: [480, 890],
    costCenter: '30',
  },
  {
    description: 'Reservdelar',
    counterparty: 'Rör & Packning i Umeå',
    account: 4010,
    net: [600, 4_800],
    costCenter: '30',
  },
  {
    description: 'Kontorsmaterial',
    counterparty: 'Pappershuset',
    account: 6110,
    net: [180, 950],
    costCenter: '40',
  },
  {
    description: 'Porto',
    counterparty: 'Postombudet',
    account: 6250,
    net: [90, 420],
    costCenter: '20',
  },
  {
    description: 'Annons i sociala medier',
    counterparty: 'Byrån Bild & Ord',
    account: 5910,
    net: [2_400, 7_800],
    costCenter: '20',
  },
  {
    description: 'Förbrukningsmaterial butik',
    counterparty: 'Järnhandeln Nilsson',
    account: 5460,
    net: [240, 1_600],
    costCenter: '10',
  },
  {
    description: 'Handverktyg',
    counterparty: 'Järnhandeln Nilsson',
    account: 5410,
    net: [700, 3_900],
    costCenter: '30',
  },
  {
    description: 'Tågbiljetter kundbesök',
    counterparty: 'Norrtåg',
    account: 5810,
    net: [420, 1_900],
    costCenter: '40',
  },
  {
    description: 'Hyllor till nya lagret',
    counterparty: 'Lagerinredning Syd AB',
    account: 5410,
    net: [2_200, 8_900],
    costCenter: '20',
    project: 'LAGER',
  },
  {
    description: 'Monterhyra och tryck, Kaffemässan',
    counterparty: 'Mässhallarna',
    account: 5990,
    net: [3_500, 14_000],
    costCenter: '40',
    project: 'MASSA',
  },
  {
    description: 'Programlicenser',
    counterparty: 'Molntjänsten Norr AB',
    account: 5420,
    net: [600, 1_400],
    costCenter: '40',
  },
];
const expensesInMonth = 11;

function expenses(month: string, random: Random): PlannedVoucher[] {
  return Array.from({ length: expensesInMonth }, () => {
    const { description, counterparty, account, net, ...dimensions } = random.pick(everyday);
    const date = workdayIn(month, random.integer(3, 28));
    const netOre = BigInt(random.integer(net[0] * 100, net[1] * 100));
    const rows = against(bank, bought(account, netOre, dimensions));
    const document = random.chance(30) ? ('photo' as const) : ('receipt' as const);
    return voucher(date, description, rows, { counterparty, document });
  });
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
