import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoOf } from '#src/lib/clock.ts';
import { textCell } from '#src/lib/csv.ts';

test.each([
  '=1+1',
  '@SUM(A1)',
  "-1+cmd|' /C calc'!A0",
  '+46-40-123456',
  '\t=1',
  ' =1',
  '- Kaffe',
  '＝1',
])('%j is kept from being computed', (text) => {
  expect(textCell(text)).toBe(`'${text}`);
});

test.each([
  '-1 250,50',
  '+46701234567',
  '+46 (0)8-12 34 56',
  '-',
  'Kaffe = gott',
  "'s-Hertogenbosch",
  '',
])('%j is nothing that a spreadsheet computes, and stays as it is', (text) => {
  expect(textCell(text)).toBe(text);
});

test('the text comes back: of apostrophes before a formula one is ours', () => {
  const read = (cell: string) => (textCell(cell) === cell ? cell : cell.slice(1));
  const signs = fc.constantFrom(...`'=+-@ \t1a`);
  const text = fc.oneof(fc.string(), fc.string({ unit: signs, maxLength: 6 }));
  fc.assert(
    fc.property(text, (written) => {
      expect(read(textCell(written))).toBe(written);
    }),
  );
});

test.each([
  ['Europe/Stockholm', '2026-11-22T00:30:05.120+01:00'],
  ['UTC', '2026-11-21T23:30:05.120+00:00'],
  ['America/St_Johns', '2026-11-21T20:00:05.120-03:30'],
])('a moment in %s tells its offset', (timeZone, written) => {
  const at = new Date('2026-11-21T23:30:05.120Z');
  expect(isoOf(at, timeZone)).toBe(written);
  expect(new Date(written)).toEqual(at);
});
