import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  add,
  compare,
  decimal,
  divide,
  format,
  multiply,
  parseDecimal,
  round,
  subtract,
} from '#src/peppol/decimal.ts';
import { date, isDate, lengthAfterPoint, normalizeSpace, number } from '#src/peppol/xpath.ts';

const text = (value: string): string => format(decimal(value));

describe('decimals', () => {
  test.each([
    ['1', '1'],
    ['+1.50', '1.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    [' 007.10\n', '7.1'],
    ['-0.00', '0'],
    ['123456789012345678901234567890.123', '123456789012345678901234567890.123'],
  ])('%j is read as %s', (written, expected) => {
    expect(text(written)).toBe(expected);
  });

  test.each(['', '.', '1e3', '1,5', '1 000', 'NaN', '0x10', '--1', '1.2.3', '9'.repeat(65)])(
    '%j is no decimal',
    (written) => {
      expect(parseDecimal(written)).toBeNull();
    },
  );

  // XPath's round(): halves go upwards, also below zero.
  test.each([
    ['2.5', 0, '3'],
    ['-2.5', 0, '-2'],
    ['-2.51', 0, '-3'],
    ['0.125', 2, '0.13'],
    ['-0.125', 2, '-0.12'],
    ['-0.126', 2, '-0.13'],
    ['1.994', 2, '1.99'],
    ['7', 2, '7'],
  ])('%s rounded to %i decimals is %s', (value, scale, expected) => {
    expect(format(round(decimal(value), scale))).toBe(expected);
  });

  test.each([
    ['1', '3', '0.333333333333333333'],
    ['2', '3', '0.666666666666666667'],
    ['-2', '3', '-0.666666666666666667'],
    ['10', '4', '2.5'],
    ['1', '0.001', '1000'],
  ])('%s / %s = %s', (a, b, expected) => {
    expect(format(divide(decimal(a), decimal(b)))).toBe(expected);
  });

  it('computes what binary floating point cannot', () => {
    expect(format(add(decimal('0.1'), decimal('0.2')))).toBe('0.3');
    expect(format(multiply(decimal('1.15'), decimal('100')))).toBe('115');
    expect(format(subtract(decimal('1'), decimal('0.9')))).toBe('0.1');
  });

  it('agrees with whole numbers of hundredths', () => {
    const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    const written = (value: number): string =>
      `${value < 0 ? '-' : ''}${Math.floor(Math.abs(value) / 100)}.${String(Math.abs(value) % 100).padStart(2, '0')}`;
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const [left, right] = [decimal(written(a)), decimal(written(b))];
        expect(format(add(left, right))).toBe(text(written(a + b)));
        expect(Math.sign(compare(left, right))).toBe(Math.sign(a - b));
      }),
    );
  });
});

describe("XPath's functions", () => {
  it('normalises the four blanks of XML and no others', () => {
    expect(normalizeSpace(' a\t\n b\r ')).toBe('a b');
    expect(normalizeSpace('\u00a0a ')).toBe('\u00a0a');
  });

  test.each([
    ['1e2', 100],
    [' -0.5 ', -0.5],
    ['INF', Number.POSITIVE_INFINITY],
    ['', Number.NaN],
    ['0x10', Number.NaN],
    ['1 0', Number.NaN],
  ])('number(%j) is %d', (written, expected) => {
    expect(number(written)).toBe(expected);
  });

  it('counts characters after the first point', () => {
    expect([lengthAfterPoint('1.234'), lengthAfterPoint('1'), lengthAfterPoint('1.2.3')]).toEqual([
      3, 0, 3,
    ]);
  });

  test.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2024-02-29', true],
    ['2026-2-1', false],
    ['2026-01-01Z', true],
    ['2026-01-01+14:00', true],
    ['2026-01-01+15:00', false],
    ['0000-01-01', false],
    ['20260101', false],
  ])('%s is a date: %s', (written, expected) => {
    expect(isDate(written)).toBe(expected);
  });

  it('orders dates by when they begin', () => {
    expect(date('2026-03-01')).toBe(date('2026-02-28') + 1440);
    expect(date('2026-01-01+01:00')).toBe(date('2026-01-01') - 60);
  });
});
