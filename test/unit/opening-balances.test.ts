import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sum } from '#src/domain/basics/money.ts';
import {
  addBalances,
  type Balance,
  closingRows,
  differenceRows,
  equityMoves,
  equityPlan,
  moveRows,
  openingProblems,
  resultOf,
  undisposedResult,
} from '#src/domain/ledger/opening-balances.ts';

const ore = fc.bigInt({ min: -10_000_000_000n, max: 10_000_000_000n });
const balancesOf = (account: fc.Arbitrary<number>) =>
  fc.array(fc.record({ account, balanceOre: ore }), { maxLength: 30 });
const balanceAccounts = balancesOf(fc.integer({ min: 1000, max: 2999 }));
const resultAccounts = balancesOf(fc.integer({ min: 3000, max: 8999 }));

const apply = (balances: readonly Balance[], rows: ReturnType<typeof differenceRows>): Balance[] =>
  addBalances(
    balances,
    rows.map(({ account, debitOre, creditOre }) => ({ account, balanceOre: debitOre - creditOre })),
  );
const net = (rows: ReturnType<typeof differenceRows>): bigint =>
  sum(rows.map(({ debitOre, creditOre }) => debitOre - creditOre));

test('equity moved without a voucher is told of when it comes to nothing, whatever else differs', () => {
  const moved: Balance[] = [
    { account: 2019, balanceOre: 100_000n },
    { account: 2010, balanceOre: -70_000n },
    { account: 2013, balanceOre: -30_000n },
  ];
  const [result, capital, drawn] = moved;
  expect(equityMoves([...moved, { account: 1510, balanceOre: 1n }])).toEqual([
    capital,
    drawn,
    result,
  ]);
  expect(equityMoves(moved.slice(1))).toEqual([]);
  expect(equityMoves([{ account: 2440, balanceOre: 5n }])).toEqual([]);
});

describe('a difference voucher', () => {
  it('takes the accounts to what is wanted, and is empty the second time', () => {
    fc.assert(
      fc.property(balanceAccounts, balanceAccounts, (wanted, present) => {
        const after = apply(present, differenceRows(wanted, present));
        expect(after).toEqual(addBalances(wanted));
        expect(differenceRows(wanted, after)).toEqual([]);
      }),
    );
  });

  it('balances when both sides do, each row on one side', () => {
    fc.assert(
      fc.property(balanceAccounts, balanceAccounts, (wanted, present) => {
        const balanced = (list: Balance[]) => [
          ...list,
          { account: 2081, balanceOre: -sum(list.map(({ balanceOre }) => balanceOre)) },
        ];
        const rows = differenceRows(balanced(wanted), balanced(present));
        expect(net(rows)).toBe(0n);
        for (const { debitOre, creditOre } of rows) {
          expect(
            debitOre >= 0n && creditOre >= 0n && (debitOre === 0n) !== (creditOre === 0n),
          ).toBe(true);
        }
      }),
    );
  });

  it('holds only what the year before has changed since', () => {
    const first = [
      { account: 1930, balanceOre: 10_000n },
      { account: 2081, balanceOre: -10_000n },
    ];
    const changed = [
      { account: 1930, balanceOre: 9_000n },
      { account: 2081, balanceOre: -10_000n },
      { account: 1510, balanceOre: 1_000n },
    ];
    expect(differenceRows(changed, first)).toEqual([
      { account: 1510, debitOre: 1_000n, creditOre: 0n },
      { account: 1930, debitOre: 0n, creditOre: 1_000n },
    ]);
  });
});

describe('the result of a year', () => {
  it('goes to equity to the öre, once', () => {
    fc.assert(
      fc.property(resultAccounts, (balances) => {
        const rows = closingRows(balances, 2099);
        expect(net(rows)).toBe(0n);
        const after = apply(balances, rows);
        expect(undisposedResult(after)).toBe(0n);
        expect(closingRows(after, 2099)).toEqual([]);
        // What the year earned stays what it was.
        expect(resultOf(after)).toBe(resultOf(balances));
        const toEquity = after.find(({ account }) => account === 2099)?.balanceOre ?? 0n;
        expect(toEquity).toBe(-undisposedResult(balances));
      }),
    );
  });

  test('a profit is credited to equity, a loss debited', () => {
    expect(closingRows([{ account: 3001, balanceOre: -500n }], 2099)).toEqual([
      { account: 2099, debitOre: 0n, creditOre: 500n },
      { account: 8999, debitOre: 500n, creditOre: 0n },
    ]);
    expect(closingRows([{ account: 5010, balanceOre: 500n }], 2019)[0]).toEqual({
      account: 2019,
      debitOre: 500n,
      creditOre: 0n,
    });
  });
});

describe('moving within equity', () => {
  it('empties the accounts into one, balanced, once', () => {
    const sources = balancesOf(fc.integer({ min: 2011, max: 2019 }));
    fc.assert(
      fc.property(sources, (balances) => {
        const rows = moveRows(balances, 2010);
        expect(net(rows)).toBe(0n);
        const after = apply(balances, rows);
        expect(after.filter(({ account }) => account !== 2010)).toEqual([]);
        expect(moveRows(after, 2010)).toEqual([]);
      }),
    );
  });

  test.each([
    ['5567026934', 2099, 2098],
    ['8112189876', 2019, 2010],
  ])('%s has its result on %i and moves it into %i', (number, resultTo, into) => {
    expect(equityPlan(number)).toMatchObject({ resultTo, into });
  });
});

describe('opening balances that a person gives', () => {
  test.each([
    [
      'accounts of the result',
      [
        [3001, 100n],
        [1930, -100n],
      ],
      'no_balance_account',
    ],
    [
      'an account twice',
      [
        [1930, 100n],
        [1930, 100n],
        [2081, -200n],
      ],
      'account_twice',
    ],
    [
      'sums that differ',
      [
        [1930, 100n],
        [2081, -99n],
      ],
      'balances_not_zero',
    ],
  ] as const)('%s are refused', (_what, pairs, reason) => {
    const wanted = pairs.map(([account, balanceOre]) => ({ account, balanceOre }));
    expect(openingProblems(wanted).map((problem) => problem.reason)).toContain(reason);
  });
});
