import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PurchaseTotals, suggestRows, type VatShare } from '#src/domain/supplier-posting.ts';

const swedish = { purchaseAccount: 4000, isSwedishSeller: true };
const foreign = { purchaseAccount: 4000, isSwedishSeller: false };

const share = (category: string, taxableOre: bigint, vatOre = 0n): VatShare => ({
  category,
  taxableOre,
  vatOre,
});

function totals(shares: VatShare[], { rounding = 0n, prepaid = 0n } = {}): PurchaseTotals {
  const sum = shares.reduce((all, { taxableOre, vatOre }) => all + taxableOre + vatOre, 0n);
  return {
    shares,
    roundingOre: rounding,
    prepaidOre: prepaid,
    payableOre: sum - prepaid + rounding,
  };
}

/** `account debit credit` of each row. */
const rowsOf = (given: PurchaseTotals, context = swedish) =>
  suggestRows(given, context).rows.map(
    ({ account, debitOre, creditOre }) => `${account} ${debitOre} ${creditOre}`,
  );
const doubtsOf = (given: PurchaseTotals, context = swedish) => suggestRows(given, context).doubts;

describe('the rows suggested for a supplier’s invoice', () => {
  test('Swedish VAT is input VAT', () => {
    const given = totals([share('S', 100_000n, 25_000n), share('S', 20_000n, 2_400n)]);
    expect(rowsOf(given)).toEqual(['4000 120000 0', '2641 27400 0', '2440 0 147400']);
    expect(doubtsOf(given)).toEqual([]);
  });

  test.each(['Z', 'E', 'O', 'G'])('category %s bears none', (category) => {
    const given = totals([share(category, 50_000n)]);
    expect(rowsOf(given)).toEqual(['4000 50000 0', '2440 0 50000']);
    expect(doubtsOf(given)).toEqual([]);
  });

  test('reverse charge within Sweden and from abroad, in pairs that cancel out', () => {
    const given = totals([share('AE', 100_000n)]);
    expect(rowsOf(given)).toEqual([
      '4000 100000 0',
      '2647 25000 0',
      '2614 0 25000',
      '2440 0 100000',
    ]);
    expect(rowsOf(totals([share('K', 100_000n)]), foreign)).toContain('2645 25000 0');
    expect(doubtsOf(given)).toEqual(['reverse_charge']);
  });

  test('another country’s VAT is part of the cost', () => {
    const given = totals([share('S', 10_000n, 1_900n)]);
    expect(rowsOf(given, foreign)).toEqual(['4000 11900 0', '2440 0 11900']);
    expect(doubtsOf(given, foreign)).toEqual(['foreign_vat']);
  });

  test('rounding goes to 3740, what is paid in advance to 1480', () => {
    const given = totals([share('S', 9_960n, 2_490n)], { rounding: 50n, prepaid: 2_000n });
    expect(rowsOf(given)).toEqual([
      '4000 9960 0',
      '2641 2490 0',
      '3740 50 0',
      '1480 0 2000',
      '2440 0 10500',
    ]);
    expect(doubtsOf(given)).toEqual(['prepaid']);
    expect(rowsOf(totals([share('Z', 1_050n)], { rounding: -50n }))).toContain('3740 0 50');
  });

  test('a credit is the same the other way', () => {
    expect(rowsOf(totals([share('S', -100_000n, -25_000n)]))).toEqual([
      '4000 0 100000',
      '2641 0 25000',
      '2440 125000 0',
    ]);
  });

  test('totals that do not add up give no rows', () => {
    const given = { ...totals([share('S', 100n, 25n)]), payableOre: 126n };
    expect(suggestRows(given, swedish)).toEqual({ rows: [], doubts: ['totals_do_not_add_up'] });
  });

  test('the supplier’s own account is used', () => {
    const context = { purchaseAccount: 5410, isSwedishSeller: true };
    expect(rowsOf(totals([share('S', 100n, 25n)]), context)[0]).toBe('5410 100 0');
  });

  test('always balance, and always owe exactly what is to be paid', () => {
    const ore = fc.bigInt(-99_999_999_999n, 99_999_999_999n);
    const category = fc.constantFrom('S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M', 'B');
    const shares = fc.array(fc.tuple(category, ore, ore), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(shares, ore, ore, fc.boolean(), (parts, rounding, prepaid, isSwedishSeller) => {
        const given = totals(
          parts.map(([code, taxable, vat]) => share(code, taxable, vat)),
          { rounding, prepaid },
        );
        const { rows } = suggestRows(given, { purchaseAccount: 4000, isSwedishSeller });
        const sum = (pick: (row: (typeof rows)[number]) => bigint) =>
          rows.reduce((all, row) => all + pick(row), 0n);
        expect(sum(({ debitOre }) => debitOre)).toBe(sum(({ creditOre }) => creditOre));
        const owed = rows
          .filter(({ account }) => account === 2440)
          .reduce((all, { creditOre, debitOre }) => all + creditOre - debitOre, 0n);
        expect(owed).toBe(given.payableOre);
        for (const { debitOre, creditOre } of rows) {
          expect((debitOre === 0n) !== (creditOre === 0n)).toBe(true);
          expect(debitOre >= 0n && creditOre >= 0n).toBe(true);
        }
      }),
    );
  });
});
