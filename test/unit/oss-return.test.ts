import { describe, expect, test } from 'vitest';
import {
  type OssSale,
  ossQuarter,
  ossReturn,
  quarterOf,
  vatCountryCode,
} from '#src/domain/ledger/oss-return.ts';

describe('a quarter', () => {
  test.each([
    ['2026-Q1', '2026-01-01', '2026-03-31', '2026-04-30'],
    ['2026-Q2', '2026-04-01', '2026-06-30', '2026-07-31'],
    ['2026-Q3', '2026-07-01', '2026-09-30', '2026-10-31'],
    ['2027-Q4', '2027-10-01', '2027-12-31', '2028-01-31'],
  ])('%s is filed the last day of the month after, Saturday or not', (name, start, end, dueOn) => {
    expect(ossQuarter(name)).toEqual({ name, start, end, dueOn });
    expect(quarterOf(end)).toBe(name);
  });

  test.each(['2026-Q0', '2026-Q5', '2026-05', '26-Q1', '2026-Q1 ', ''])('%o is none', (name) => {
    expect(ossQuarter(name)).toBeUndefined();
  });
});

const sale = (change: Partial<OssSale>): OssSale => ({
  quarter: '2026-04-01',
  country: 'DE',
  rateE2: 1900,
  supply: 'goods',
  currency: 'EUR',
  net: 10_000n,
  vat: 1900n,
  netOre: 112_345n,
  vatOre: 21_346n,
  ...change,
});
const q2 = { start: '2026-04-01' };

test('euro is told as it was sold, and other currencies by how many of them one euro is', () => {
  const sales = [
    sale({}),
    // 1 000 kronor at 11,2345 are 89,0115… euro, and 190 are 16,9121….
    sale({ currency: 'SEK', net: 100_000n, vat: 19_000n, netOre: 100_000n, vatOre: 19_000n }),
    sale({ rateE2: 700, net: 1000n, vat: 70n, netOre: 11_100n, vatOre: 777n }),
    sale({ supply: 'services', net: 500n, vat: 95n, netOre: 5_550n, vatOre: 1_055n }),
    sale({ country: 'GR', rateE2: 2400, net: 100n, vat: 24n, netOre: 1_100n, vatOre: 264n }),
  ];
  const told = ossReturn(q2, sales, new Map([['SEK', 11_234_500n]]));
  expect(
    told.lines.map(({ country, supply, rateE2, netCent, vatCent }) => [
      vatCountryCode(country),
      supply,
      rateE2,
      netCent,
      vatCent,
    ]),
  ).toEqual([
    ['DE', 'goods', 1900, 18_901n, 3_591n],
    ['DE', 'goods', 700, 1_000n, 70n],
    ['DE', 'services', 1900, 500n, 95n],
    ['EL', 'goods', 2400, 100n, 24n],
  ]);
  expect(told.vatCent).toBe(3_780n);
  expect(told.vatOre).toBe(21_346n + 19_000n + 777n + 1_055n + 264n);
  expect(told.currencies).toEqual(['SEK']);
});

test('without a rate nothing is made up', () => {
  const told = ossReturn(q2, [sale({}), sale({ country: 'DK', currency: 'DKK' })], new Map());
  expect(told.lines.map(({ vatCent }) => vatCent)).toEqual([1900n, null]);
  expect([told.vatCent, told.currencies]).toEqual([null, ['DKK']]);
});

test('what corrects an earlier quarter stands by itself, by quarter and country', () => {
  const back = { net: -1000n, vat: -190n, netOre: -11_235n, vatOre: -2_135n };
  const told = ossReturn(
    q2,
    [
      sale({}),
      sale({ quarter: '2026-01-01', ...back }),
      sale({ quarter: '2026-01-01', rateE2: 700, net: -100n, vat: -7n, netOre: -1n, vatOre: -78n }),
      sale({ quarter: '2025-10-01', country: 'FI', ...back }),
    ],
    new Map(),
  );
  expect(told.lines).toHaveLength(1);
  expect(told.corrections).toEqual([
    { quarter: '2026-Q1', country: 'DE', vatOre: -2_213n, vatCent: -197n },
    { quarter: '2025-Q4', country: 'FI', vatOre: -2_135n, vatCent: -190n },
  ]);
  expect(told.vatCent).toBe(1900n - 197n - 190n);
});
