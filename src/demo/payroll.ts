/** Salaries of the example company, and what it owes the Tax Agency on its tax account. */
import { lastDayOfMonth, split } from '../domain/basics/dates.ts';
import { type Ore, sum } from '../domain/basics/money.ts';
import { kronor, type PlannedVoucher } from './books.ts';
import { type Calendar, dayIn, monthBefore, workday, workdayIn } from './calendar.ts';
import { employees } from './company.ts';
import { against, bank, voucher } from './voucher-parts.ts';

const taxAccount = 1630;
/** Kronor a month. */
const preliminaryTax = 14_000;
const pensionPremium = 8_450;
/** Lagen (1991:687) om särskild löneskatt på pensionskostnader, in hundredths of a percent of the premium. */
const pensionTaxE4 = 2_426n;

export interface Payroll {
  readonly salaries: Ore;
  readonly tax: Ore;
  readonly contributions: Ore;
}

/** Lagen (2000:980) om socialavgifter, in hundredths of a percent. */
const contributionsE4 = 3_142n;
const raisePercent = 3n;

/** Salaries rise in April of the year in progress. */
function salaryOf(salary: number, { year }: Calendar, month: string): Ore {
  const ore = kronor(salary);
  return month < `${year}-04` ? ore : (ore * (100n + raisePercent)) / 100n;
}

export function payrollOf(calendar: Calendar, month: string): Payroll {
  const salaries = sum(employees.map(({ salary }) => salaryOf(salary, calendar, month)));
  const tax = sum(employees.map((employee) => kronor(employee.tax)));
  const contributions = ((salaries * contributionsE4) / 1_000_000n) * 100n;
  return { salaries, tax, contributions };
}

export function payrollVouchers(calendar: Calendar, month: string): PlannedVoucher[] {
  const date = workdayIn(month, 25);
  const { tax, contributions } = payrollOf(calendar, month);
  const salaries = employees.map(({ title, costCenter, salary }) => ({
    account: 7210,
    ore: salaryOf(salary, calendar, month),
    costCenter,
    note: title,
  }));
  const paid = against(bank, [...salaries, { account: 2710, ore: -tax }]);
  const pension = against(bank, [{ account: 7410, ore: kronor(pensionPremium) }]);
  const pensionTax = (kronor(pensionPremium) * pensionTaxE4) / 10_000n;
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
    voucher(workdayIn(month, 20), 'Tjänstepension', pension, {
      counterparty: 'Pensionsbolaget Nord',
      document: 'receipt',
    }),
    voucher(
      lastDayOfMonth(month),
      `Särskild löneskatt på pension ${month}`,
      [
        { account: 7533, ore: pensionTax },
        { account: 2514, ore: -pensionTax },
      ],
      { series: 'P', document: 'note' },
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
    { account: 2518, ore: kronor(preliminaryTax) },
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
