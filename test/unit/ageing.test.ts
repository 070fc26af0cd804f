/** How old what is owed is, on either side of each boundary. */
import { expect, test } from 'vitest';
import { addDays } from '#src/domain/basics/dates.ts';
import { agedAmounts, ageLabels, ageOf } from '#src/domain/ledger/ageing.ts';

const due = '2026-02-28';

test.each([
  [-400, 'Ej förfallet'],
  [0, 'Ej förfallet'],
  [1, '1–30 dagar'],
  [30, '1–30 dagar'],
  [31, '31–60 dagar'],
  [60, '31–60 dagar'],
  [61, '61–90 dagar'],
  [90, '61–90 dagar'],
  [91, 'Över 90 dagar'],
  [4_000, 'Över 90 dagar'],
])('%d days after the due day it is %s', (late, label) => {
  expect(ageLabels[ageOf(due, addDays(due, late))]).toBe(label);
});

test('what has no due day is not due, and an amount stands under one age alone', () => {
  expect(ageLabels[ageOf(null, '2026-12-31')]).toBe('Ej förfallet');
  expect(agedAmounts(-500n, due, '2026-05-01')).toEqual([0n, 0n, 0n, -500n, 0n]);
});
