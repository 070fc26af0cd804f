import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CreditableRow, creditRows } from '#src/domain/sales/credit-note.ts';

const row = (quantityE4: bigint, netOre: bigint, vatOre: bigint): CreditableRow => ({
  rowNo: 1,
  articleNumber: null,
  description: 'Kaffe',
  quantityE4,
  unit: null,
  unitPriceE4: 0n,
  discountE2: 0n,
  vatRate: 25,
  account: 3001,
  netOre,
  vatOre,
  creditedE4: 0n,
  creditedNetOre: 0n,
  creditedVatOre: 0n,
});

test('part credits never drift: five öre in ten parts are one öre every other time', () => {
  let left = row(100_000n, 5n, 1n);
  const nets: bigint[] = [];
  for (let part = 0; part < 10; part += 1) {
    const decision = creditRows([left], [{ rowNo: 1, quantityE4: 10_000n }]);
    if ('problems' in decision) throw new Error('refused');
    const [credited] = decision.rows;
    nets.push(credited?.netOre ?? 0n);
    expect(decision.isWhole).toBe(part === 9);
    left = {
      ...left,
      creditedE4: left.creditedE4 + 10_000n,
      creditedNetOre: left.creditedNetOre + (credited?.netOre ?? 0n),
      creditedVatOre: left.creditedVatOre + (credited?.vatOre ?? 0n),
    };
  }
  expect(nets).toEqual([1n, 0n, 1n, 0n, 1n, 0n, 1n, 0n, 1n, 0n]);
});

test('a discount row is credited with its own sign', () => {
  const decision = creditRows([row(10_000n, -500n, -125n)], undefined);
  expect(decision).toMatchObject({ isWhole: true, rows: [{ netOre: -500n, vatOre: -125n }] });
});

test('in whatever parts, nothing is credited twice and nothing is left over', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 100_000n }), { minLength: 1, maxLength: 20 }),
      fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
      fc.bigInt({ min: -250_000n, max: 250_000n }),
      (parts, netOre, vatOre) => {
        const quantity = parts.reduce((a, b) => a + b);
        let left = row(quantity, netOre, vatOre);
        for (const part of parts) {
          const decision = creditRows([left], [{ rowNo: 1, quantityE4: part }]);
          if ('problems' in decision) throw new Error('refused');
          const [credited] = decision.rows;
          left = {
            ...left,
            creditedE4: left.creditedE4 + part,
            creditedNetOre: left.creditedNetOre + (credited?.netOre ?? 0n),
            creditedVatOre: left.creditedVatOre + (credited?.vatOre ?? 0n),
          };
        }
        expect([left.creditedNetOre, left.creditedVatOre]).toEqual([netOre, vatOre]);
        expect(creditRows([left], undefined)).toMatchObject({
          problems: [{ reason: 'nothing_left' }],
        });
      },
    ),
  );
});
