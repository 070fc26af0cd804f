/** What is open of an account always comes to its balance, whatever settles what. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ItemPairing,
  type ItemRow,
  type KnownGroup,
  openItems,
  pairOf,
} from '#src/domain/ledger/open-items.ts';

const row = (voucherId: string, ore: bigint, rowNo = 1): ItemRow => ({
  voucherId,
  rowNo,
  amountOre: ore,
});
const left = (rows: ItemRow[], pairings: ItemPairing[] = [], groups: KnownGroup[] = []) =>
  openItems(rows, pairings, groups).map(
    ({ voucherId, rowNo, openOre }) => `${voucherId}.${rowNo} ${openOre}`,
  );
const whole = (voucherId: string) => ({ voucherId, rowNo: null, ore: null });

test('an invoice is settled by its payments, one after another, and by its credits', () => {
  const rows = [row('invoice', 1000n), row('payment', -400n), row('credit', -100n)];
  const group = rows.map(({ voucherId }) => whole(voucherId));
  expect(left(rows, [], [group])).toEqual(['invoice.1 500']);
  expect(left(rows.slice(0, 1), [], [group])).toEqual(['invoice.1 1000']);
});

test('one row may be the payment of several documents, and no more of it than is theirs', () => {
  const rows = [row('one', 300n), row('two', 500n), row('both', -900n)];
  const groups = [
    [whole('one'), { voucherId: 'both', rowNo: null, ore: -300n }],
    [whole('two'), { voucherId: 'both', rowNo: null, ore: -500n }],
  ];
  expect(left(rows, [], groups)).toEqual(['both.1 -100']);
});

test('of a voucher with several rows the one of the amount is meant', () => {
  const rows = [
    row('settlement', -10_500n, 1),
    row('settlement', 500n, 2),
    row('settlement', 9675n, 8),
    row('bank', -9675n),
  ];
  const group = [
    { voucherId: 'settlement', rowNo: null, ore: 9675n },
    { voucherId: 'bank', rowNo: null, ore: -9675n },
  ];
  expect(left(rows, [], [group])).toEqual(['settlement.1 -10500', 'settlement.2 500']);
});

test('what people paired goes first, and what was paired with a later row was open before', () => {
  const rows = [row('a', 100n), row('b', -100n), row('c', -100n)];
  const pairings = [{ id: 'p', rows: [row('a', 100n), row('b', -100n)] }];
  const known = [[whole('a'), whole('c')]];
  expect(left(rows, pairings, known)).toEqual(['c.1 -100']);
  expect(left(rows.slice(0, 1), pairings)).toEqual(['a.1 100']);
});

test('chosen items settle the smaller side whole, and the first of the larger', () => {
  const item = (voucherId: string, openOre: bigint) => ({ ...row(voucherId, openOre), openOre });
  expect(pairOf([item('a', 300n), item('b', -100n), item('c', -50n)])).toEqual([
    row('a', 150n),
    row('b', -100n),
    row('c', -50n),
  ]);
  expect(pairOf([item('a', 300n), item('b', 100n)])).toBeNull();
});

test('whatever groups and pairings say, what is open comes to the balance, and no row turns or grows', () => {
  const vouchers = ['a', 'b', 'c', 'd', 'e', 'f'];
  const ore = fc.bigInt(-1000n, 1000n).filter((one) => one !== 0n);
  const part = fc.record({
    voucherId: fc.constantFrom(...vouchers),
    rowNo: fc.constantFrom(null, 1, 2),
    ore: fc.option(ore),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          voucherId: fc.constantFrom(...vouchers),
          rowNo: fc.constantFrom(1, 2),
          amountOre: ore,
        }),
        { selector: ({ voucherId, rowNo }) => `${voucherId}${rowNo}` },
      ),
      fc.array(fc.array(part, { maxLength: 5 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 6 }),
      (rows, groups, chosen) => {
        const picked = openItems(rows, [], []).filter((_, place) => chosen.includes(place));
        const paired = pairOf(picked);
        const pairings = paired ? [{ id: 'p', rows: paired }] : [];
        const open = openItems(rows, pairings, groups);
        const sum = (some: readonly bigint[]) => some.reduce((all, one) => all + one, 0n);
        expect(sum(open.map((one) => one.openOre))).toBe(sum(rows.map((one) => one.amountOre)));
        for (const { amountOre, openOre } of open) {
          expect(openOre > 0n === amountOre > 0n).toBe(true);
          expect(amountOre > 0n ? openOre <= amountOre : openOre >= amountOre).toBe(true);
        }
      },
    ),
  );
});
