import { expect, test } from 'vitest';
import { vatReturnOf } from '#src/domain/ledger/vat-return.ts';

const boxed = (boxes: Record<string, bigint>) =>
  Object.entries(boxes).map(([box, ore]) => ({ box, ore }));
const written = (boxes: Record<string, bigint>) => {
  const { boxes: filed, toPay } = vatReturnOf(boxed(boxes));
  return { ...Object.fromEntries(filed.map(({ box, kronor }) => [box, kronor])), toPay };
};

test('öre are dropped towards zero box by box, and box 49 is reckoned from what is written', () => {
  expect(written({ '05': 100_199n, '10': 25_099n, '48': -12_199n })).toEqual({
    '05': 1001n,
    '10': 250n,
    '48': 121n,
    toPay: 129n,
  });
  expect(written({ '05': -57_450n, '10': -14_399n })).toEqual({
    '05': -574n,
    '10': -143n,
    toPay: -143n,
  });
});

test('purchases stand above zero, and the VAT we owe on them is paid and deducted', () => {
  const eu = { '20': -40_000n, '30': 10_000n, '50': -8_000n, '60': 2_000n, '48': -12_000n };
  expect(written(eu)).toEqual({
    '20': 400n,
    '30': 100n,
    '50': 80n,
    '60': 20n,
    '48': 120n,
    toPay: 0n,
  });
});

test('accounts with the same box are told as one, in the order of the form', () => {
  const { boxes } = vatReturnOf(
    boxed({ '48': -100n, '05': 500n }).concat({ box: '05', ore: 550n }),
  );
  expect(boxes.map(({ box, kronor }) => [box, kronor])).toEqual([
    ['05', 10n],
    ['48', 1n],
  ]);
});
