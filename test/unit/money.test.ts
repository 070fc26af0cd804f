import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  absolute,
  allocate,
  apportion,
  divideRounded,
  e2ToNumber,
  e4ToNumber,
  lineAmount,
  oreToNumber,
  parseDecimal,
  sum,
} from '#src/domain/basics/money.ts';
import { formatKronor } from '#src/lib/swedish.ts';

const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe('divideRounded', () => {
  test.each([
    [5n, 10n, 1n],
    [-5n, 10n, -1n],
    [4n, 10n, 0n],
    [-4n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 3n],
    [-25n, 10n, -3n],
    [25n, -10n, -3n],
    [-25n, -10n, 3n],
    [0n, -7n, 0n],
  ])('%i / %i is %i: half an öre goes away from zero', (numerator, denominator, expected) => {
    expect(divideRounded(numerator, denominator)).toBe(expected);
  });

  it('is never more than half an öre from the exact quotient', () => {
    fc.assert(
      fc.property(amount, positive, (numerator, denominator) => {
        const error = 2n * (divideRounded(numerator, denominator) * denominator - numerator);
        expect(absolute(error) <= denominator).toBe(true);
        // Exactly half way it must lie further from zero than the exact quotient.
        if (absolute(error) === denominator) expect(error > 0n).toBe(numerator > 0n);
      }),
    );
  });

  it('gives a credit note the same amounts as its invoice with the sign turned', () => {
    fc.assert(
      fc.property(amount, positive, (numerator, denominator) => {
        expect(divideRounded(-numerator, denominator)).toBe(-divideRounded(numerator, denominator));
      }),
    );
  });
});

describe('parseDecimal', () => {
  test.each([
    [0, 2, 0n],
    [199, 2, 19_900n],
    [0.1, 2, 10n],
    [1.15, 2, 115n],
    [-49.9, 2, -4990n],
    [9_999_999_999.99, 2, 999_999_999_999n],
    [0.0001, 4, 1n],
    [1e-7, 7, 1n],
    [1.5e-7, 8, 15n],
    [1e21, 2, 10n ** 23n],
    [1.5e300, 0, 15n * 10n ** 299n],
  ])('%d with %i decimals is %i, exactly as written', (value, scale, expected) => {
    expect(parseDecimal(value, scale)).toBe(expected);
  });

  test.each([
    [1.005, 2],
    [0.1 + 0.2, 2],
    [1e-7, 4],
    [5e-324, 4],
    [-0, 2],
    [Number.NaN, 2],
    [Number.POSITIVE_INFINITY, 2],
    [Number.NEGATIVE_INFINITY, 2],
  ])('%d with %i decimals is refused rather than rounded behind the sender', (value, scale) => {
    expect(parseDecimal(value, scale)).toBeNull();
  });

  it('gives back every öre amount that was sent out', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), (ore) => {
        expect(parseDecimal(oreToNumber(ore), 2)).toBe(ore);
        expect(parseDecimal(e4ToNumber(ore), 4)).toBe(ore);
      }),
    );
  });

  it('agrees with the decimal text of any number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const parsed = parseDecimal(value, 400);
        if (Object.is(value, -0)) expect(parsed).toBeNull();
        else expect(Number(`${parsed}e-400`)).toBe(value);
      }),
    );
  });
});

describe('formatKronor', () => {
  test.each([
    [123_450n, '1 234,50 kr'],
    [0n, '0,00 kr'],
    [5n, '0,05 kr'],
    [-123_456_789n, '−1 234 567,89 kr'],
    [99_999n, '999,99 kr'],
    [100_000n, '1 000,00 kr'],
  ])('%i öre reads as Swedes write it', (ore, expected) => {
    expect(formatKronor(ore)).toBe(expected.replaceAll(' ', '\u00a0'));
  });
});

describe('allocate', () => {
  test.each([
    [15n, [80n, 8n, 12n], [12n, 1n, 2n]],
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n]],
    [10n, [-1n, -1n], [5n, 5n]],
    [0n, [], []],
    [0n, [5n, -5n], [0n, 0n]],
    [7n, [5n, -5n], [4n, 3n]],
    [7n, [0n, 0n], [4n, 3n]],
    [5n, [0n, 3n], [0n, 5n]],
  ])('%i öre over %o', (total, weights, expected) => {
    expect(allocate(total, weights)).toEqual(expected);
  });

  it('never makes or loses an öre', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 50 }), (total, weights) => {
        expect(sum(allocate(total, weights))).toBe(total);
      }),
    );
  });

  it('keeps every part less than an öre from its exact share', () => {
    fc.assert(
      fc.property(amount, fc.array(positive, { minLength: 1, maxLength: 50 }), (total, weights) => {
        const weight = sum(weights);
        for (const [index, part] of allocate(total, weights).entries()) {
          expect(absolute(part * weight - total * (weights[index] ?? 0n)) < weight).toBe(true);
        }
      }),
    );
  });

  it('gives a credit note the same rows as its invoice with the sign turned', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 20 }), (total, weights) => {
        const turned = allocate(-total, weights).map((part) => -part);
        expect(turned.every((part, index) => part === allocate(total, weights)[index])).toBe(true);
      }),
    );
  });

  it('refuses to spread what the shares do not explain', () => {
    expect(() => apportion(10n, [100n, 100n], 100n)).toThrow(RangeError);
    expect(() => allocate(1n, [])).toThrow(RangeError);
  });
});

describe('lineAmount', () => {
  test.each([
    [10_000n, 1_990_000n, 19_900n],
    [15_000n, 333_300n, 5000n],
    [-10_000n, 490_000n, -4900n],
    [1n, 50_000_000n, 50n],
    [1n, 500_000n, 1n],
    [-1n, 500_000n, -1n],
  ])('quantity %i at price %i (both × 10 000) is %i öre', (quantity, price, expected) => {
    expect(lineAmount(quantity, price, 0n)).toBe(expected);
  });

  test.each([
    // 3 × 33,33 less 10 % is 89,991: rounded once, not 99,99 − 10,00.
    [30_000n, 333_300n, 1000n, 8999n],
    [10_000n, 1_000_000n, 10_000n, 0n],
    [10_000n, 1_000_000n, 1n, 9999n],
    [-10_000n, 10_100n, 5000n, -51n],
    // 0,5 öre before the discount, 0,495 after it: nothing.
    [1n, 500_000n, 100n, 0n],
  ])('quantity %i at price %i less %i hundredths of a per cent is %i öre', (...row) => {
    const [quantity, price, discount, expected] = row;
    expect(lineAmount(quantity, price, discount)).toBe(expected);
  });

  it('is what long multiplication of decimals makes it, rounded half away from zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }),
        fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }),
        fc.bigInt({ min: 0n, max: 10_000n }),
        (quantity, price, discount) => {
          expect(lineAmount(quantity, price, discount)).toBe(byDigits(quantity, price, discount));
        },
      ),
    );
  });
});

/** The same by the digits of the exact product: öre are what stands before the last ten of them. */
function byDigits(quantityE4: bigint, unitPriceE4: bigint, discountE2: bigint): bigint {
  const exact = String(quantityE4 * unitPriceE4 * (10_000n - discountE2));
  const isNegative = exact.startsWith('-');
  const digits = exact.replace('-', '').padStart(11, '0');
  const whole = BigInt(digits.slice(0, -10)) + (Number(digits.at(-10)) >= 5 ? 1n : 0n);
  return isNegative ? -whole : whole;
}

describe('percent as JSON', () => {
  test.each([
    [0n, 0],
    [1n, 0.01],
    [1250n, 12.5],
    [10_000n, 100],
  ])('%i hundredths are %d', (percentE2, number) => {
    expect(e2ToNumber(percentE2)).toBe(number);
  });
});
