import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '#src/domain/basics/dates.ts';
import { type BookYear, postableRanges } from '#src/domain/ledger/postability.ts';

const year = (number: number, status = 'open', series = ['A', 'B']): BookYear => ({
  year: number,
  start: `${number}-01-01`,
  end: `${number}-12-31`,
  status,
  series,
});
const none = { period_locked_to: null, vat_locked_to: null };
const brief = (ranges: ReturnType<typeof postableRanges>) =>
  ranges.map(({ from, to, state, lock, earliest_allowed_date: next }) => [
    from,
    to,
    state,
    lock,
    next,
  ]);

describe('what can be posted when', () => {
  test('nothing locked: one open range a year, nothing outside them', () => {
    expect(brief(postableRanges('2025-12-01', '2027-01-31', [year(2026)], none))).toEqual([
      ['2025-12-01', '2025-12-31', 'no_fiscal_year', null, null],
      ['2026-01-01', '2026-12-31', 'open', null, null],
      ['2027-01-01', '2027-01-31', 'no_fiscal_year', null, null],
    ]);
  });

  test('a period lock inside a VAT lock cuts the year in three', () => {
    const locks = { period_locked_to: '2026-02-28', vat_locked_to: '2026-03-31' };
    expect(brief(postableRanges('2026-01-01', '2026-12-31', [year(2026)], locks))).toEqual([
      ['2026-01-01', '2026-02-28', 'locked', 'period', '2026-03-01'],
      ['2026-03-01', '2026-03-31', 'vat_locked', 'vat', '2026-04-01'],
      ['2026-04-01', '2026-12-31', 'open', null, null],
    ]);
  });

  test('a closed year is one range whatever locks lie in it, and the way out is past it', () => {
    const locks = { period_locked_to: '2025-06-30', vat_locked_to: null };
    const years = [year(2025, 'closed'), year(2026)];
    expect(brief(postableRanges('2025-01-01', '2026-12-31', years, locks))).toEqual([
      ['2025-01-01', '2025-12-31', 'locked', 'fiscal_year', '2026-01-01'],
      ['2026-01-01', '2026-12-31', 'open', null, null],
    ]);
  });

  test('a lock on the last day asked for, and a range of one day', () => {
    const locks = { period_locked_to: '2026-03-31', vat_locked_to: null };
    expect(brief(postableRanges('2026-03-31', '2026-04-01', [year(2026)], locks))).toEqual([
      ['2026-03-31', '2026-03-31', 'locked', 'period', '2026-04-01'],
      ['2026-04-01', '2026-04-01', 'open', null, null],
    ]);
  });

  test('the ranges are the whole span, without gap or overlap, and no two neighbours alike', () => {
    const day = fc.integer({ min: 0, max: 1500 }).map((n) => addDays('2024-06-01', n));
    fc.assert(
      fc.property(
        day,
        day,
        fc.option(day),
        fc.option(day),
        fc.boolean(),
        (a, b, period, vat, isClosed) => {
          const [from = a, to = b] = [a, b].sort();
          const years = [year(2025, isClosed ? 'closed' : 'open'), year(2026)];
          const locks = { period_locked_to: period, vat_locked_to: vat };
          const ranges = postableRanges(from, to, years, locks);
          expect(ranges.at(0)?.from).toBe(from);
          expect(ranges.at(-1)?.to).toBe(to);
          ranges.slice(1).forEach((range, index) => {
            expect(range.from).toBe(addDays(ranges[index]?.to ?? '', 1));
            expect([range.state, range.fiscal_year, range.lock]).not.toEqual([
              ranges[index]?.state,
              ranges[index]?.fiscal_year,
              ranges[index]?.lock,
            ]);
          });
          for (const range of ranges) expect(range.from <= range.to).toBe(true);
        },
      ),
    );
  });
});
