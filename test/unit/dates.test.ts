import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayOfWeek,
  daysBetween,
  isDate,
  lastDayOfMonth,
  monthOf,
} from '#src/domain/basics/dates.ts';

const dayMs = 86_400_000;
const toText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
const firstDay = Date.UTC(1900, 0, 1) / dayMs;
const lastDay = Date.UTC(9999, 11, 31) / dayMs;
const anyDay = fc.integer({ min: firstDay, max: lastDay });

describe('isDate', () => {
  test.each(['2026-01-31', '2024-02-29', '2000-02-29', '1900-01-01', '9999-12-31'])(
    '%s is a day in the calendar',
    (text) => expect(isDate(text)).toBe(true),
  );

  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1899-12-31',
    '20260131',
    '2026-1-31',
    '2026-01-31T00:00:00Z',
    ' 2026-01-31',
    '2026-01-31\n',
    '+002026-01-31',
    '٢٠٢٦-٠١-٣١',
    '',
  ])('%j is refused', (text) => expect(isDate(text)).toBe(false));
});

describe('calendar arithmetic', () => {
  it('agrees with the calendar on every day it is asked about', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (from, to) => {
        expect(addDays(toText(from), to - from)).toBe(toText(to));
        expect(daysBetween(toText(from), toText(to))).toBe(to - from);
        expect(dayOfWeek(toText(from))).toBe(new Date(from * dayMs).getUTCDay() || 7);
        expect(isDate(toText(from))).toBe(true);
      }),
    );
  });

  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-03-31', -13, '2025-02-28'],
    ['2026-05-31', 0, '2026-05-31'],
  ])('%s and %i months is %s', (date, months, expected) => {
    expect(addMonths(date, months)).toBe(expected);
  });

  it('knows the ends of months', () => {
    expect(lastDayOfMonth('2026-02-03')).toBe('2026-02-28');
    expect(lastDayOfMonth('2024-02')).toBe('2024-02-29');
    expect(lastDayOfMonth('2026-12-31')).toBe('2026-12-31');
    expect(monthOf('2026-12-31')).toBe('2026-12');
  });

  it('never makes up a date after the calendar ends', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
  });
});
