/** What comes once a year or less: opening balances, the closing of a year, a correction. */
import { type Ore, sum } from '../domain/basics/money.ts';
import { propose } from '../domain/ledger/year-end.ts';
import { kronor, type PlannedRow, type PlannedVoucher } from './books.ts';
import { type Calendar, monthBefore, workday } from './calendar.ts';
import { payrollOf } from './payroll.ts';

/** VAT of the last quarter before the books begin, paid in their second month. */
export const openingVat: Ore = kronor(61_370);

export function openingVoucher(calendar: Calendar): PlannedVoucher {
  const { tax, contributions } = payrollOf(calendar, monthBefore(calendar.firstDay, 1));
  const rows: PlannedRow[] = [
    { account: 1220, ore: kronor(390_000) },
    { account: 1229, ore: -kronor(117_000) },
    { account: 1460, ore: kronor(428_500) },
    { account: 1630, ore: kronor(3_120) },
    { account: 1930, ore: kronor(1_173_440) },
    { account: 2081, ore: -kronor(100_000) },
    { account: 2350, ore: -kronor(250_000) },
    { account: 2650, ore: -openingVat },
    { account: 2710, ore: -tax },
    { account: 2731, ore: -contributions },
    { account: 2920, ore: -kronor(96_000) },
    { account: 2941, ore: -kronor(30_163) },
  ];
  const retained = { account: 2091, ore: -sum(rows.map(({ ore }) => ore)) };
  return {
    series: 'A',
    source: 'opening',
    date: calendar.firstDay,
    description: 'Ingående balanser',
    rows: [...rows, retained],
  };
}

/** What is decided about the year before the result is known. */
export function yearEndVouchers({ year }: Calendar, doubtfulOre: Ore): PlannedVoucher[] {
  const common = { series: 'P', date: `${year - 1}-12-31`, source: 'closing' } as const;
  const [stock, holidays] = [kronor(37_250), kronor(11_400)];
  const contributions = (holidays * 3_142n) / 10_000n;
  return [
    {
      ...common,
      description: 'Lagerinventering: lagret har ökat',
      rows: [
        { account: 1460, ore: stock },
        { account: 4960, ore: -stock },
      ],
    },
    {
      ...common,
      description: 'Ändrad semesterlöneskuld',
      rows: [
        { account: 7290, ore: holidays },
        { account: 2920, ore: -holidays },
        { account: 7519, ore: contributions },
        { account: 2941, ore: -contributions },
      ],
    },
    {
      ...common,
      description: 'Befarad kundförlust, Bistro Lilla Napoli AB',
      rows: [
        { account: 6352, ore: doubtfulOre },
        { account: 1519, ore: -doubtfulOre },
      ],
    },
  ];
}

/** Tax on the year's result, and the result carried to equity. `profitOre` is before tax. */
export function resultVouchers({ year }: Calendar, profitOre: Ore): PlannedVoucher[] {
  const start = `${year - 1}-01-01`;
  const { proposedOre: tax } = propose('income_tax', start, [
    { account: 3001, balanceOre: -profitOre },
  ]);
  const result = profitOre - tax;
  const common = { series: 'A', date: `${year - 1}-12-31`, source: 'closing' } as const;
  const taxed: PlannedVoucher = {
    ...common,
    description: 'Skatt på årets resultat',
    rows: [
      { account: 8910, ore: tax },
      { account: 2512, ore: -tax },
    ],
  };
  const carried: PlannedVoucher = {
    ...common,
    description: 'Årets resultat',
    rows: [
      { account: 8999, ore: result },
      { account: 2099, ore: -result },
    ],
  };
  return tax === 0n ? [carried] : [taxed, carried];
}

/** What the shareholders' meeting decided. */
export function dispositionOf({ year }: Calendar, resultOre: Ore): PlannedVoucher {
  return {
    series: 'A',
    date: workday(`${year}-05-15`),
    source: 'app',
    description: 'Årsstämma: årets resultat balanseras i ny räkning',
    rows: [
      { account: 2099, ore: resultOre },
      { account: 2091, ore: -resultOre },
    ],
    document: 'receipt',
  };
}
