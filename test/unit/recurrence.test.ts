/** Invoices that recur: their days, the stretch that each is about, and what is filled in. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '#src/domain/basics/dates.ts';
import { occurrence, periodOf, type Recurrence } from '#src/domain/sales/recurrence.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';
import { fillIn, fillingWords, unknownFillings } from '#src/sales/recurring/filling.ts';
import { typedRowsOf } from '#src/sales/recurring/rows.ts';

const days = (recurrence: Recurrence, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => occurrence(recurrence, nth));

describe('the days', () => {
  test.each([
    [
      { anchor: '2026-01-31', unit: 'month', count: 1 },
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ],
    [
      { anchor: '2027-11-30', unit: 'month', count: 3 },
      ['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30'],
    ],
    [
      { anchor: '2024-02-29', unit: 'month', count: 12 },
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [{ anchor: '2026-12-21', unit: 'week', count: 2 }, ['2026-12-21', '2027-01-04', '2027-01-18']],
  ] satisfies [Recurrence, string[]][])('of %j', (recurrence, expected) => {
    expect(days(recurrence, expected.length)).toEqual(expected);
  });

  const recurrences = fc.record({
    anchor: fc.integer({ min: 0, max: 20_000 }).map((after) => addDays('2000-01-01', after)),
    unit: fc.constantFrom('week' as const, 'month' as const),
    count: fc.integer({ min: 1, max: 24 }),
  });

  test('come one after the other, and their stretches leave no day out and none twice', () => {
    fc.assert(
      fc.property(recurrences, fc.integer({ min: 0, max: 60 }), (recurrence, nth) => {
        const period = periodOf(recurrence, nth);
        expect(period.from).toBe(occurrence(recurrence, nth));
        expect(period.to >= period.from).toBe(true);
        expect(addDays(period.to, 1)).toBe(periodOf(recurrence, nth + 1).from);
      }),
    );
  });
});

describe('what is filled in', () => {
  const monthly: Recurrence = { anchor: '2026-12-01', unit: 'month', count: 1 };

  test.each([
    ['Hyra {månad}', 'Hyra december 2026'],
    ['Hyra { MÅNAD }', 'Hyra december 2026'],
    ['Avtal {period}', 'Avtal 2026-12-01 – 2026-12-31'],
    ['El {förra månaden}, {förra perioden}', 'El november 2026, 2026-11-01 – 2026-11-30'],
    ['År {år} $& $1', 'År 2026 $& $1'],
    ['{okänt} {} {', '{okänt} {} {'],
  ])('%s is %s', (text, expected) => {
    expect(fillIn(text, monthly, 0)).toBe(expected);
  });

  test('is told from what stands for nothing', () => {
    expect(unknownFillings(`Hyra ${fillingWords.join(' ')}`)).toEqual([]);
    const said = sentenceFor('page', {
      reason: 'unknown_filling',
      params: { word: '{x}' },
    });
    for (const word of fillingWords) expect(said).toContain(word);
    expect(unknownFillings('{konstruktor} {constructor} {__proto__}')).toEqual([
      '{konstruktor}',
      '{constructor}',
      '{__proto__}',
    ]);
  });
});

test('rows that are none of ours are refused, never half read', () => {
  expect(() => typedRowsOf([{ quantityE4: '1' }])).toThrow();
  expect(() => typedRowsOf({})).toThrow();
});
