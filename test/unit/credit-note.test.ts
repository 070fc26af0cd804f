import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CreditableRow, creditRows, reducePrice } from '#src/domain/sales/credit-note.ts';

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
    const decision = creditRows([left], [{ rowNo: 1, quantityE4: 10_000n }], false);
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

test('of a price with VAT, what comes back is what was paid for it, and the VAT never drifts', () => {
  // Two at 29,97: net 47,95 and VAT 11,99, each of which has a half öre in the middle.
  const [one, other] = [0n, 1n].map((before) => {
    const left = { ...row(20_000n, 4_795n, 1_199n), creditedE4: before * 10_000n };
    const taken = { ...left, creditedNetOre: before * 2_397n, creditedVatOre: before * 600n };
    const decision = creditRows([taken], [{ rowNo: 1, quantityE4: 10_000n }], true);
    return 'rows' in decision ? decision.rows.map(({ netOre, vatOre }) => [netOre, vatOre]) : [];
  });
  expect([one, other]).toEqual([[[2_397n, 600n]], [[2_398n, 599n]]]);
});

test('in whatever amounts an invoice with a rounding is taken back, the last öre goes too', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 100n, max: 5_000n }),
      fc.bigInt({ min: -50n, max: 50n }),
      fc.array(fc.bigInt({ min: 1n, max: 3_000n }), { maxLength: 8 }),
      (netOre, roundingOre, amounts) => {
        let left: CreditableRow = { ...row(10_000n, netOre, 0n), vatRate: 0 };
        let leftOre = netOre + roundingOre;
        for (const amountOre of [...amounts.filter((ore) => ore < leftOre), undefined]) {
          const asked = { amountOre: amountOre ?? leftOre, leftOre, pricesIncludeVat: true };
          if (asked.amountOre > leftOre || leftOre === 0n) continue;
          const decision = reducePrice([left], asked);
          if ('problems' in decision) throw new Error(`${asked.amountOre} of ${leftOre} refused`);
          const takenOre = decision.rows.reduce((ore, one) => ore + one.netOre + one.vatOre, 0n);
          if (!decision.isWhole)
            expect(takenOre + (decision.roundingOre ?? 0n)).toBe(asked.amountOre);
          left = { ...left, isReduced: true, creditedNetOre: left.creditedNetOre + takenOre };
          leftOre -= asked.amountOre;
          if (leftOre === 0n) expect(left.creditedNetOre).toBe(netOre);
        }
        expect(leftOre).toBe(0n);
      },
    ),
  );
});

test('a discount row is credited with its own sign', () => {
  const decision = creditRows([row(10_000n, -500n, -125n)], undefined, false);
  expect(decision).toMatchObject({ isWhole: true, rows: [{ netOre: -500n, vatOre: -125n }] });
});

test('in whatever parts, nothing is credited twice and nothing is left over', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 100_000n }), { minLength: 1, maxLength: 20 }),
      fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
      fc.bigInt({ min: -250_000n, max: 250_000n }),
      fc.boolean(),
      (parts, netOre, vatOre, pricesIncludeVat) => {
        const quantity = parts.reduce((a, b) => a + b);
        let left = row(quantity, netOre, vatOre);
        for (const part of parts) {
          const decision = creditRows([left], [{ rowNo: 1, quantityE4: part }], pricesIncludeVat);
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
        expect(creditRows([left], undefined, pricesIncludeVat)).toMatchObject({
          problems: [{ reason: 'nothing_left' }],
        });
      },
    ),
  );
});
