import { describe, expect, it, test } from 'vitest';
import { addMonths, lastDayOfMonth } from '#src/domain/basics/dates.ts';
import {
  easterSunday,
  isHoliday,
  isWorkingDay,
  nextWorkingDay,
} from '#src/domain/basics/holidays.ts';
import { nextVatDueDate, type VatReporting, vatDueDate } from '#src/domain/ledger/vat-deadlines.ts';

const monthly: VatReporting = {
  period: 'month',
  largeTaxpayer: false,
  yearly: 'legal_person',
  digital: true,
};
const large: VatReporting = { ...monthly, largeTaxpayer: true };
const quarterly: VatReporting = { ...monthly, period: 'quarter' };
const yearly: VatReporting = { ...monthly, period: 'year' };
const paper: VatReporting = { ...yearly, digital: false };

const monthPeriod = (month: string) => ({ start: `${month}-01`, end: lastDayOfMonth(month) });

describe('holidays', () => {
  test.each([
    [2000, '2000-04-23'],
    [2008, '2008-03-23'],
    [2011, '2011-04-24'],
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
  ])('Easter %i is %s', (year, expected) => expect(easterSunday(year)).toBe(expected));

  test.each([
    '2026-01-01',
    '2026-01-06',
    '2026-04-03',
    '2026-04-05',
    '2026-04-06',
    '2026-05-01',
    '2026-05-14',
    '2026-05-24',
    '2026-06-06',
    '2026-06-19',
    '2026-06-20',
    '2026-10-31',
    '2026-12-24',
    '2026-12-25',
    '2026-12-26',
    '2026-12-31',
  ])('%s is a holiday', (date) => expect(isHoliday(date)).toBe(true));

  test.each(['2026-05-25', '2026-04-02', '2026-11-07', '2026-06-26', '2026-01-05'])(
    '%s is none',
    (date) => expect(isHoliday(date)).toBe(false),
  );

  it('moves on over Christmas and weekends to the next working day', () => {
    expect(nextWorkingDay('2026-12-24')).toBe('2026-12-28');
    expect(nextWorkingDay('2026-11-20')).toBe('2026-11-20');
    expect(isWorkingDay('2026-11-21')).toBe(false);
  });
});

describe('vatDueDate', () => {
  test.each([
    [monthly, '2025-11', '2026-01-19'],
    [monthly, '2025-12', '2026-02-12'],
    [monthly, '2026-02', '2026-04-13'],
    [monthly, '2026-05', '2026-07-13'],
    [monthly, '2026-06', '2026-08-17'],
    [monthly, '2026-07', '2026-09-14'],
    [monthly, '2026-10', '2026-12-14'],
    [monthly, '2026-11', '2027-01-18'],
    [monthly, '2022-11', '2023-01-17'],
    [monthly, '2022-12', '2023-02-13'],
    [large, '2026-03', '2026-04-27'],
    [large, '2026-06', '2026-07-27'],
    [large, '2026-08', '2026-09-28'],
    [large, '2026-11', '2026-12-28'],
    [quarterly, '2026-03', '2026-05-12'],
    [quarterly, '2026-06', '2026-08-17'],
    [quarterly, '2026-09', '2026-11-12'],
    [quarterly, '2026-12', '2027-02-12'],
  ])('%o: the period ending in %s is due %s', (settings, month, expected) => {
    expect(vatDueDate(settings, monthPeriod(month))).toBe(expected);
  });

  const other: VatReporting = { ...yearly, yearly: 'no_income_tax_return_or_eu_trade' };
  const soleTrader: VatReporting = { ...yearly, yearly: 'sole_trader' };
  test.each([
    [other, '2025-12', '2026-02-26'],
    [other, '2026-10', '2026-12-28'],
    [other, '2026-06', '2026-08-26'],
    [soleTrader, '2025-12', '2026-05-12'],
    [paper, '2026-01', '2026-11-12'],
    [paper, '2026-04', '2026-11-12'],
    [paper, '2026-05', '2026-12-28'],
    [paper, '2026-06', '2026-12-28'],
    [paper, '2026-07', '2027-03-12'],
    [paper, '2026-08', '2027-03-12'],
    [paper, '2026-09', '2027-07-12'],
    [paper, '2026-12', '2027-07-12'],
    [yearly, '2026-01', '2026-12-14'],
    [yearly, '2026-04', '2026-12-14'],
    [yearly, '2026-05', '2027-01-18'],
    [yearly, '2026-06', '2027-01-18'],
    [yearly, '2026-07', '2027-04-12'],
    [yearly, '2026-08', '2027-04-12'],
    [yearly, '2026-09', '2027-08-17'],
    [yearly, '2026-12', '2027-08-17'],
  ])('%o: the year ending in %s is due %s', (settings, month, expected) => {
    const end = lastDayOfMonth(month);
    expect(vatDueDate(settings, { start: addMonths(end, -11), end })).toBe(expected);
  });
});

describe('nextVatDueDate', () => {
  const years = [
    { start: '2025-01-01', end: '2025-12-31' },
    { start: '2026-01-01', end: '2026-12-31' },
  ];

  test.each([
    [monthly, '2026-11-20', '2026-12-14'],
    [monthly, '2026-12-14', '2026-12-14'],
    [monthly, '2026-12-15', '2027-01-18'],
    [large, '2026-11-27', '2026-12-28'],
    [quarterly, '2026-11-13', '2027-02-12'],
    [quarterly, '2026-11-12', '2026-11-12'],
    [yearly, '2026-08-17', '2026-08-17'],
    [yearly, '2026-08-18', '2027-08-17'],
    [yearly, '2030-09-01', '2031-08-18'],
  ])('%o: on %s the owner is told %s', (settings, today, expected) => {
    expect(nextVatDueDate(settings, years, today)).toBe(expected);
  });

  it('does not ask a new company to report months before it existed', () => {
    const born = [{ start: '2026-10-15', end: '2026-12-31' }];
    expect(nextVatDueDate(monthly, born, '2026-10-20')).toBe('2026-12-14');
    expect(nextVatDueDate(quarterly, born, '2026-10-20')).toBe('2027-02-12');
    expect(
      nextVatDueDate(monthly, [{ start: '2029-01-01', end: '2029-12-31' }], '2026-10-20'),
    ).toBe('2029-03-12');
  });

  it('answers before the first fiscal year is set up', () => {
    expect(nextVatDueDate(monthly, [], '2026-11-20')).toBe('2026-12-14');
    expect(nextVatDueDate(yearly, [], '2026-11-20')).toBe('2027-08-17');
  });
});
