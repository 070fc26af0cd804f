import { describe, expect, it, test } from 'vitest';
import { invoiceVoucherRows } from '#src/domain/sales/invoice.ts';
import { decideOrder } from '#src/domain/sales/order.ts';
import { orenForWire } from '#src/domain/sales/order-total.ts';
import { apiWords } from '../support/words.ts';
import { context, draft, line, order, rejected } from './order-examples.ts';

describe('the total decides what is rounding and what is a fault', () => {
  // 1 990,51 is no whole-krona total; 2 000,00 is.
  test.each([
    [199_051n, 199_051n, 0n],
    [199_051n, 199_056n, 5n],
    [199_051n, 199_046n, -5n],
    [199_951n, 200_000n, 49n],
    [199_950n, 200_000n, 50n],
    [200_050n, 200_000n, -50n],
  ])('rows of %i öre paid with %i: %i öre goes to 3740', (rowsOre, totalOre, roundingOre) => {
    const decision = draft(decideOrder(order({ rows: [line(rowsOre, 25)], totalOre }), context));
    expect(decision.totals).toMatchObject({ roundingOre, totalOre });
    const voucher = invoiceVoucherRows(decision);
    expect(voucher.some(({ account }) => account === 3740)).toBe(roundingOre !== 0n);
  });

  test.each([
    [199_051n, 199_057n],
    [199_051n, 199_045n],
    [199_949n, 200_000n],
    [200_051n, 200_000n],
    [199_000n, 199_050n],
  ])('rows of %i öre paid with %i are left to a person', (rowsOre, totalOre) => {
    const decision = decideOrder(order({ rows: [line(rowsOre, 25)], totalOre }), context);
    expect(rejected(decision).reason).toBe('total_mismatch');
  });

  it('shows the whole arithmetic, with VAT rounded both ways', () => {
    const rows = [line(3333n, 25), line(3333n, 25), line(3333n, 25)];
    const { oren, problems } = rejected(decideOrder(order({ rows, totalOre: 12_345n }), context));
    if (!oren) throw new Error('no table');
    expect(apiWords(problems[0])).toContain('skillnad 23,46\u00a0kr');
    const [first, ...others] = [2666, 2666, 2667].toSorted((a, b) => b - a);
    expect(orenForWire(oren)).toEqual({
      prices_include_vat: true,
      rows: [first, ...others].map((net = 0, index) => ({
        row_no: index + 1,
        vat_rate: 25,
        net: net / 100,
        vat: (3333 - net) / 100,
        gross: 33.33,
      })),
      vat_rounded_per_rate: { net: 79.99, vat: 20, gross: 99.99 },
      vat_rounded_per_row: { net: 79.98, vat: 20.01, gross: 99.99 },
      total: 123.45,
      difference: 23.46,
    });
  });

  it('compares also when prices are without VAT, and sees a total without VAT', () => {
    const base = { pricesIncludeVat: false, rows: [line(10_000n, 25)] };
    const good = draft(decideOrder(order({ ...base, totalOre: 12_500n }), context));
    expect(good.totals).toMatchObject({ netOre: 10_000n, vatOre: 2500n, roundingOre: 0n });
    expect(draft(decideOrder(order({ ...base, totalOre: null }), context)).totals.totalOre).toBe(
      12_500n,
    );
    const bad = rejected(decideOrder(order({ ...base, totalOre: 10_000n }), context));
    expect(bad.reason).toBe('total_mismatch');
    expect(apiWords(bad.problems[0])).toContain('utan moms');
    const elsewhere = rejected(decideOrder(order({ ...base, totalOre: 9000n }), context));
    expect(apiWords(elsewhere.problems[0])).not.toContain('utan moms');
  });
});
