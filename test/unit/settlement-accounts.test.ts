import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '#src/domain/basics/money.ts';
import {
  type Settlement,
  settle,
  settlementKindOf,
} from '#src/domain/ledger/settlement-accounts.ts';

describe('an account settles an invoice as', () => {
  test.each([
    [1930, 'money'],
    [1910, 'money'],
    [1630, 'money'],
    [2013, 'money'],
    [1686, 'money'],
    [2421, 'money'],
    [2018, 'money'],
    [2893, 'money'],
    [193_001, 'money'],
    [3740, 'rounding'],
    [6570, 'bank_fee'],
    [6350, 'loss'],
    [6351, 'loss'],
    [3960, 'exchange'],
    [7960, 'exchange'],
    [1510, null],
    [2440, null],
    [3001, null],
    [2611, null],
    [1690, null],
    [151_001, null],
  ])('%i: %s', (account, kind) => {
    expect(settlementKindOf(account)).toBe(kind);
  });
});

const reasonsOf = (settlement: Settlement, owner: 'customer' | 'supplier' = 'customer') => {
  const settled = settle(settlement, owner);
  return 'problems' in settled ? settled.problems.map(({ path, reason }) => [path, reason]) : [];
};

test.each<[string, Settlement, 'customer' | 'supplier', string[]]>([
  [
    '1510 on 1510',
    { amountOre: 1n, account: 1510 },
    'customer',
    ['account', 'not_a_money_account'],
  ],
  [
    '2440 on 2440',
    { amountOre: 1n, account: 2440 },
    'supplier',
    ['account', 'not_a_money_account'],
  ],
  ['revenue', { amountOre: 1n, account: 3001 }, 'customer', ['account', 'not_a_money_account']],
  [
    'a loss on a debt',
    { amountOre: 1n, account: 6351 },
    'supplier',
    ['account', 'not_a_money_account'],
  ],
  [
    'a loss beside money to a supplier',
    { amountOre: 100n, account: 1930, differences: { loss: 5n } },
    'supplier',
    ['loss', 'not_a_receivable'],
  ],
  [
    'a krona of rounding',
    { amountOre: 100n, account: 1930, differences: { rounding: -100n } },
    'customer',
    ['amount', 'no_amount'],
  ],
  ['nothing', { amountOre: 0n, account: 1930 }, 'customer', ['amount', 'no_amount']],
  [
    'a fee from the customer the wrong way',
    { amountOre: 100n, account: 1930, differences: { bank_fee: -5n } },
    'customer',
    ['bank_fee', 'mixed_signs'],
  ],
  [
    'a fee that is more than what left',
    { amountOre: 100n, account: 1930, differences: { bank_fee: 200n } },
    'supplier',
    ['amount', 'mixed_signs'],
  ],
])('%s is refused', (_what, settlement, owner, problem) => {
  expect(reasonsOf(settlement, owner)).toContainEqual(problem);
});

test('money, a fee and öre together settle what they sum up to, each as a row of its kind', () => {
  const ore = fc.bigInt({ min: 1n, max: 10_000_000n });
  fc.assert(
    fc.property(
      ore,
      ore,
      fc.bigInt({ min: -99n, max: 99n }),
      fc.constantFrom(1n, -1n),
      (money, fee, rounding, sign) => {
        fc.pre(money + fee + rounding > 0n && money + rounding > 0n);
        const differences = { bank_fee: sign * fee, rounding: sign * rounding };
        const settled = settle({ amountOre: sign * money, account: 1930, differences }, 'customer');
        if ('problems' in settled) throw new Error(JSON.stringify(settled.problems));
        expect(sum(settled.rows.map(({ amountOre }) => amountOre))).toBe(
          sign * (money + fee + rounding),
        );
        for (const { kind, account } of settled.rows) {
          expect(settlementKindOf(account)).toBe(kind);
        }
        // To a supplier the fee is on top: what left is the debt and the fee.
        const paid = settle(
          { amountOre: sign * (money + fee), account: 1930, differences: { bank_fee: sign * fee } },
          'supplier',
        );
        if ('problems' in paid) throw new Error(JSON.stringify(paid.problems));
        expect(sum(paid.rows.map(({ amountOre }) => amountOre))).toBe(sign * money);
      },
    ),
  );
});

test.each([
  [1_400_00n, -63_09n, 3960],
  [1_300_00n, 36_91n, 7960],
])(
  'money of %i öre and an exchange difference of %i settle what was booked',
  (amountOre, exchange, account) => {
    expect(settle({ amountOre, account: 1930, differences: { exchange } }, 'customer')).toEqual({
      rows: [
        { kind: 'money', account: 1930, amountOre },
        { kind: 'exchange', account, amountOre: exchange },
      ],
    });
  },
);

test.each([
  ['a supplier got more kronor than the debt', 1_135_000n, 0n, 5_000n, 7960],
  ['a supplier got fewer', 1_125_000n, 0n, -5_000n, 3960],
  ['a supplier paid fewer back', -1_125_000n, 0n, 5_000n, 7960],
  ['what was lost is taken back where it stands', -1_135_000n, 1_135_000n, -5_000n, 7960],
  ['what was gained is taken back where it stands', -1_125_000n, 1_125_000n, 5_000n, 3960],
])(
  '%s: the exchange difference is beside the debt',
  (_, amountOre, settledOre, exchange, account) => {
    const given = { amountOre, account: 1930, settledOre, differences: { exchange } };
    expect(settle(given, 'supplier')).toEqual({
      rows: [
        { kind: 'money', account: 1930, amountOre },
        { kind: 'exchange', account, amountOre: -exchange },
      ],
    });
  },
);
