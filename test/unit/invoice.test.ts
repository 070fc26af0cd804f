import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { absolute, lineAmount, sum } from '#src/domain/basics/money.ts';
import { type VatRate, vatFromGross, vatFromNet, vatRates } from '#src/domain/ledger/vat.ts';
import {
  invoiceVoucherRows,
  type PriceableRow,
  priceRowsExcludingVat,
  priceRowsIncludingVat,
  totalsOf,
} from '#src/domain/sales/invoice.ts';

const amounts = fc.record({
  quantityE4: fc.bigInt({ min: -1_000_000n, max: 10_000_000n }),
  unitPriceE4: fc.bigInt({ min: -1_000_000n, max: 1_000_000_000n }),
  discountE2: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10_000n })),
  vatRate: fc.constantFrom(...vatRates),
});
const basket = fc.array(amounts, { minLength: 1, maxLength: 40 });

/** Rows of one piece each at a price in öre. */
const pieces = (vatRate: VatRate, ...prices: bigint[]): PriceableRow[] =>
  prices.map((ore) => ({
    quantityE4: 10_000n,
    unitPriceE4: ore * 100n,
    discountE2: 0n,
    vatRate,
  }));

const amountOf = (row: PriceableRow): bigint =>
  lineAmount(row.quantityE4, row.unitPriceE4, row.discountE2);

describe('prices including VAT', () => {
  test.each([
    [pieces(25, 3333n, 3333n, 3333n), 2000n],
    [pieces(25, 999n, 999n, 999n, 999n, 999n, 999n, 999n), 1399n],
  ])('VAT does not drift with the number of rows (%#)', (rows, vat) => {
    const { vatOre, totalOre } = totalsOf(priceRowsIncludingVat(rows), 0n);
    expect(vatOre).toBe(vat);
    expect(totalOre).toBe(sum(rows.map(amountOf)));
  });

  it('keeps each account its share when a discount cancels the goods', () => {
    const rows = priceRowsIncludingVat(pieces(25, 10_000n, -10_000n));
    expect(rows.map(({ netOre, vatOre }) => [netOre, vatOre])).toEqual([
      [8000n, 2000n],
      [-8000n, -2000n],
    ]);
    const nearly = priceRowsIncludingVat(pieces(25, 10_000n, -9999n));
    expect(nearly.map((row) => row.netOre)).toEqual([8000n, -7999n]);
  });

  it('makes the invoice say what was paid, to the öre, for any basket', () => {
    fc.assert(
      fc.property(basket, (rows) => {
        const priced = priceRowsIncludingVat(rows);
        expect(priced.length).toBe(rows.length);
        for (const [index, row] of priced.entries()) {
          const source = rows[index] ?? row;
          expect(row).toMatchObject(source);
          expect(row.netOre + row.vatOre).toBe(amountOf(source));
        }
        for (const rate of vatRates) {
          const ofRate = priced.filter((row) => row.vatRate === rate);
          const vat = sum(ofRate.map((row) => row.vatOre));
          expect(vat).toBe(vatFromGross(sum(ofRate.map(amountOf)), rate));
        }
      }),
    );
  });
});

describe('prices excluding VAT', () => {
  it('computes VAT on the sum of each rate and shares it over the rows', () => {
    const rows = priceRowsExcludingVat([...pieces(25, 333n, 333n, 333n), ...pieces(12, 4455n)]);
    expect(rows.map((row) => row.netOre)).toEqual([333n, 333n, 333n, 4455n]);
    expect(rows.map((row) => row.vatOre)).toEqual([84n, 83n, 83n, 535n]);
  });

  it('never moves a net amount and never loses VAT between rows, for any basket', () => {
    fc.assert(
      fc.property(basket, (rows) => {
        const priced = priceRowsExcludingVat(rows);
        expect(priced.map((row) => row.netOre)).toEqual(rows.map(amountOf));
        for (const rate of vatRates) {
          const ofRate = priced.filter((row) => row.vatRate === rate);
          const vat = sum(ofRate.map((row) => row.vatOre));
          expect(vat).toBe(vatFromNet(sum(ofRate.map((row) => row.netOre)), rate));
          for (const row of ofRate) {
            const exactE2 = row.netOre * BigInt(rate);
            expect(absolute(row.vatOre * 100n - exactE2) < 100n).toBe(true);
          }
        }
      }),
    );
  });
});

describe('invoiceVoucherRows', () => {
  const withAccount = <Row extends PriceableRow>(rows: readonly Row[], account: number) =>
    rows.map((row) => ({ ...row, account }));

  it('debits receivables and credits revenue, VAT and rounding', () => {
    const rows = [
      ...withAccount(priceRowsExcludingVat(pieces(25, 10_000n, 5_050n)), 3001),
      ...withAccount(priceRowsExcludingVat(pieces(12, 10_000n)), 3002),
    ];
    expect(invoiceVoucherRows({ rows, totals: totalsOf(rows, -13n) })).toEqual([
      { account: 1510, debitOre: 30_000n, creditOre: 0n },
      { account: 3001, debitOre: 0n, creditOre: 15_050n },
      { account: 3002, debitOre: 0n, creditOre: 10_000n },
      { account: 2611, debitOre: 0n, creditOre: 3763n },
      { account: 2621, debitOre: 0n, creditOre: 1200n },
      { account: 3740, debitOre: 13n, creditOre: 0n },
    ]);
  });

  it('turns the sides of a credit note', () => {
    const rows = withAccount(priceRowsExcludingVat(pieces(6, -10_000n)), 3003);
    expect(invoiceVoucherRows({ rows, totals: totalsOf(rows, 0n) })).toEqual([
      { account: 1510, debitOre: 0n, creditOre: 10_600n },
      { account: 3003, debitOre: 10_000n, creditOre: 0n },
      { account: 2631, debitOre: 600n, creditOre: 0n },
    ]);
  });

  it('has one row of zero an account where nothing remains, to be judged by', () => {
    const nothing = [{ account: 3001, debitOre: 0n, creditOre: 0n }];
    const free = withAccount(priceRowsExcludingVat(pieces(25, 0n)), 3001);
    expect(invoiceVoucherRows({ rows: free, totals: totalsOf(free, 0n) })).toEqual(nothing);
    const cancelled = withAccount(priceRowsExcludingVat(pieces(25, 100n, -100n)), 3001);
    const totals = totalsOf(cancelled, 0n);
    expect(invoiceVoucherRows({ rows: cancelled, totals })).toEqual(nothing);
  });

  it('still moves revenue between accounts when an exchange costs nothing', () => {
    const rows = [
      ...withAccount(priceRowsExcludingVat(pieces(0, 100n)), 3004),
      ...withAccount(priceRowsExcludingVat(pieces(0, -100n)), 3108),
    ];
    expect(invoiceVoucherRows({ rows, totals: totalsOf(rows, 0n) })).toEqual([
      { account: 3004, debitOre: 0n, creditOre: 100n },
      { account: 3108, debitOre: 100n, creditOre: 0n },
    ]);
  });

  it('refuses totals that the rows do not make', () => {
    const rows = withAccount(priceRowsExcludingVat(pieces(25, 100n)), 3001);
    const totals = { ...totalsOf(rows, 0n), totalOre: 126n };
    expect(() => invoiceVoucherRows({ rows, totals })).toThrow(RangeError);
  });

  it('always balances, with one side above zero on every row', () => {
    const accounts = fc.constantFrom(3001, 3002, 3004, 3520);
    const rounding = fc.bigInt({ min: -50n, max: 50n });
    fc.assert(
      fc.property(basket, accounts, fc.boolean(), rounding, (basketRows, account, isGross, ore) => {
        const price = isGross ? priceRowsIncludingVat : priceRowsExcludingVat;
        const rows = price(basketRows).map((row, index) => ({
          ...row,
          account: index % 2 === 0 ? account : 3001,
        }));
        const posted = invoiceVoucherRows({ rows, totals: totalsOf(rows, ore) });
        expect(sum(posted.map((row) => row.debitOre))).toBe(
          sum(posted.map((row) => row.creditOre)),
        );
        // Where nothing is left to book, the rows say on which accounts.
        const isNothing = posted.every(({ debitOre, creditOre }) => debitOre + creditOre === 0n);
        for (const { debitOre, creditOre } of posted) {
          expect(debitOre >= 0n && creditOre >= 0n).toBe(true);
          if (!isNothing) expect(debitOre > 0n).not.toBe(creditOre > 0n);
        }
        if (isNothing)
          expect(new Set(posted.map(({ account }) => account)).size).toBe(posted.length);
        else expect(posted.length).toBeGreaterThan(1);
      }),
    );
  });
});
