import { describe, expect, it, test } from 'vitest';
import { divideRounded } from '#src/domain/basics/money.ts';
import {
  isVatRate,
  outputVatAccount,
  vatFromGross,
  vatFromNet,
  vatRates,
} from '#src/domain/ledger/vat.ts';
import { priceRowsIncludingVat } from '#src/domain/sales/invoice.ts';

describe('VAT of one amount', () => {
  test.each([
    [19_900n, 25, 3980n, 15_920n],
    [4990n, 12, 535n, 4455n],
    [7900n, 6, 447n, 7453n],
    [10_000n, 0, 0n, 10_000n],
    [-19_900n, 25, -3980n, -15_920n],
  ] as const)('%i öre with %i %% holds %i in VAT', (gross, rate, vat, net) => {
    expect(vatFromGross(gross, rate)).toBe(vat);
    expect(gross - vatFromGross(gross, rate)).toBe(net);
  });

  it("rounds as Skatteverket's own example: 25 % of 4 467,75 is 1 116,94", () => {
    expect(vatFromNet(446_775n, 25)).toBe(111_694n);
  });

  it('never charges a customer more or less than the price tag, from 0,01 to 1 000,00', () => {
    for (const rate of vatRates) {
      for (let gross = 1n; gross <= 100_000n; gross += 1n) {
        const [row] = priceRowsIncludingVat([
          { quantityE4: 10_000n, unitPriceE4: gross * 100n, discountE2: 0n, vatRate: rate },
        ]);
        if (row?.vatOre !== vatFromGross(gross, rate) || row.netOre + row.vatOre !== gross) {
          throw new Error(`${gross} öre at ${rate} % does not add up`);
        }
      }
    }
  });

  test.each([
    [25, 20_000],
    [12, 10_714],
    [6, 5660],
  ] as const)(
    'at %i %% no net price can stand in for %i of the 100 000 price tags',
    (rate, count) => {
      let unreachable = 0;
      for (let gross = 1n; gross <= 100_000n; gross += 1n) {
        const near = divideRounded(gross * 100n, BigInt(100 + rate));
        const reaches = [near - 1n, near, near + 1n].some(
          (net) => net + vatFromNet(net, rate) === gross,
        );
        if (!reaches) unreachable += 1;
      }
      expect(unreachable).toBe(count);
    },
  );

  it('puts output VAT on the account of its rate', () => {
    expect(vatRates.map(outputVatAccount)).toEqual([2611, 2621, 2631, null]);
    expect([25, 12, 6, 0, 24, 0.25].map(isVatRate)).toEqual([true, true, true, true, false, false]);
  });
});
