import { expect, test } from 'vitest';
import { vatControls } from '#src/domain/ledger/vat-controls.ts';
import type { VatSum } from '#src/domain/ledger/vat-return.ts';

const sale = (account: number, rate: 25 | 12 | 6, ore: bigint): VatSum => ({
  account,
  vatCode: `MP${{ 25: 1, 12: 2, 6: 3 }[rate]}`,
  box: '05',
  rate,
  ore,
});
const vat = (account: number, box: string, ore: bigint): VatSum => ({
  account,
  vatCode: 'U',
  box,
  rate: null,
  ore,
});
const plain = (account: number, ore: bigint): VatSum => ({
  account,
  vatCode: null,
  box: null,
  rate: null,
  ore,
});

test('the base of each rate is held against its VAT, with an öre of tolerance a row and at least a krona', () => {
  const sums = [
    sale(3001, 25, 100_000n),
    vat(2611, '10', 25_100n),
    sale(3002, 12, 100_000n),
    vat(2621, '11', 12_101n),
    sale(3003, 6, 100_000n),
    vat(2631, '12', 6_300n),
  ];
  const held = (rows: Map<string, number>) =>
    vatControls(sums, rows).rates.map(({ rate, holds }) => [rate, holds]);
  expect(held(new Map())).toEqual([
    [25, true],
    [12, false],
    [6, false],
  ]);
  expect(held(new Map([['12', 300]]))).toEqual([
    [25, true],
    [12, false],
    [6, true],
  ]);
});

test('what is bought with reverse charge is held against the VAT that we owe, and that against what we deduct', () => {
  const bought: VatSum = { account: 4535, vatCode: 'ITEU1', box: '21', rate: 25, ore: -33_333n };
  const whole = [bought, vat(2614, '30', 8_333n), vat(2645, '48', -8_333n)];
  const { rates, deduction } = vatControls(whole, new Map());
  expect(rates).toMatchObject([{ bases: '20–24', box: '30', expectedOre: 8_333n, holds: true }]);
  expect(deduction).toEqual({ owedOre: 8_333n, deductedOre: 8_333n, holds: true });
  const part = vatControls([bought, vat(2614, '30', 8_333n), vat(2647, '48', -4_000n)], new Map());
  expect(part.deduction.holds).toBe(false);
});

test('sales without a VAT code are told by account; rounding, grants and gains are none', () => {
  const { uncoded } = vatControls(
    [plain(3001, 500n), plain(3001, 100n), plain(3740, 20n), plain(3985, 9n), plain(3973, 8n)],
    new Map(),
  );
  expect(uncoded).toEqual([{ account: 3001, ore: 600n }]);
});

test('VAT accounts without a box are told, VAT that waits for payment is none, and 2670 stands by itself', () => {
  const { unboxed, oneStopShopOre } = vatControls(
    [plain(2617, 700n), plain(2618, 300n), plain(2650, 100n), plain(2670, 1_900n)],
    new Map(),
  );
  expect(unboxed).toEqual([{ account: 2617, ore: 700n }]);
  expect(oneStopShopOre).toBe(1_900n);
});
