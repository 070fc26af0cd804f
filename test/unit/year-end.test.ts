/** What a company's year end proposes, against sums worked by hand. */
import { expect, test } from 'vitest';
import { adjustmentsOf, propose } from '#src/domain/ledger/year-end.ts';

const at = (account: number, kronor: number) => ({ account, balanceOre: BigInt(kronor) * 100n });
/** Sold for 1 000 000, wages 400 000, pensions 100 000. */
const year = [at(3001, -1_000_000), at(7210, 400_000), at(7412, 100_000)];

test('special payroll tax is 24.26 % of what pensions cost, less what is booked', () => {
  expect(propose('pension_tax', '2026-01-01', year)).toMatchObject({
    baseOre: 10_000_000n,
    proposedOre: 2_426_000n,
  });
  const some = propose('pension_tax', '2026-01-01', [...year, at(7533, 20_000)]);
  expect(some).toMatchObject({ bookedOre: 2_000_000n, proposedOre: 426_000n });
});

test('at most a quarter of the surplus is allocated, and tax is reckoned on what is left', () => {
  const charged = [...year, at(7533, 24_260)];
  expect(propose('tax_allocation', '2026-01-01', charged)).toMatchObject({
    baseOre: 47_574_000n,
    proposedOre: 11_893_500n,
  });
  const allocated = [...charged, at(8811, 118_935)];
  expect(propose('tax_allocation', '2026-01-01', allocated).proposedOre).toBe(0n);
  // 475 740 − 118 935 = 356 805, of which 356 800 is taxed; 20.6 % of it is 73 500.80, and öre are dropped.
  expect(propose('income_tax', '2026-01-01', allocated)).toMatchObject({
    baseOre: 35_680_000n,
    proposedOre: 7_350_000n,
  });
  expect(propose('income_tax', '2026-01-01', [...allocated, at(8910, 73_500)])).toMatchObject({
    proposedOre: 0n,
    excessOre: 0n,
  });
});

test('what was booked before the result became less is told to be too much, but for its öre', () => {
  // 20.6 % of 475 740 is 98 002, booked before 118 935 of it was allocated.
  const charged = [...year, at(7533, 24_260), at(8910, 98_002)];
  expect(propose('income_tax', '2026-01-01', charged).excessOre).toBe(0n);
  expect(propose('income_tax', '2026-01-01', [...charged, at(8811, 118_935)])).toMatchObject({
    proposedOre: 0n,
    excessOre: 2_450_200n,
  });
  const withOre = [...year, { account: 7533, balanceOre: 2_426_099n }];
  expect(propose('pension_tax', '2026-01-01', withOre)).toMatchObject({ excessOre: 0n });
  expect(propose('income_tax', '2020-07-01', [at(8910, 5)])).toMatchObject({ excessOre: 0n });
});

test('a loss bears none, and a year of unknown rates is not proposed for', () => {
  const loss = [at(3001, -10), at(5010, 500)];
  for (const one of ['tax_allocation', 'income_tax'] as const) {
    expect(propose(one, '2026-01-01', loss).proposedOre).toBe(0n);
    expect(propose(one, '2020-07-01', year)).toMatchObject({ percentE2: null, proposedOre: 0n });
  }
});

test('a year after those that a source was seen for takes no other year’s rate, but what is stated', () => {
  expect(propose('income_tax', '2026-12-31', year)).toMatchObject({ percentE2: 2_060n });
  expect(propose('income_tax', '2027-01-01', year)).toMatchObject({
    percentE2: null,
    source: null,
    proposedOre: 0n,
    excessOre: 0n,
  });
  expect(propose('income_tax', '2027-01-01', year, 1_000n)).toMatchObject({
    percentE2: 1_000n,
    source: null,
    proposedOre: 5_000_000n,
  });
  // A known one stands, whatever is stated.
  expect(propose('income_tax', '2026-01-01', year, 1_000n).percentE2).toBe(2_060n);
});

test('who is taxed as persons bears none of it: a sole trader nothing, a partnership the payroll tax alone', () => {
  expect(adjustmentsOf('5567026934')).toEqual(['pension_tax', 'tax_allocation', 'income_tax']);
  expect(adjustmentsOf('9696123459')).toEqual(['pension_tax']);
  expect(adjustmentsOf('8112189876')).toEqual([]);
  // Somebody born in the nineties.
  expect(adjustmentsOf('9112189876')).toEqual([]);
});
