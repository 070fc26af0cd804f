import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noPrepayment, type Prepayment, prepaymentsOf } from '#src/domain/purchases/prepayments.ts';
import type { PurchaseTotals, VatShare } from '#src/domain/purchases/received-invoice.ts';
import { unmarked } from '#src/domain/purchases/reverse-charge.ts';
import {
  type PostingDoubt,
  type PurchasePostingContext,
  suggestRows,
  takenBackInKronor,
  totalsInKronor,
} from '#src/domain/purchases/supplier-posting.ts';

const account = (number: number, vatBox: string | null = null, vatRate: number | null = null) => ({
  number,
  vatBox,
  vatRate,
});
const sellerIn = (
  countryCode: string,
  vatNumber: string | null = null,
): PurchasePostingContext => ({
  seller: { countryCode, vatNumber, organizationNumber: null },
  ownAccount: null,
  purchaseAccount: account(4000),
  mark: unmarked,
  ...noPrepayment,
});
const swedish = sellerIn('SE', 'SE556036079301');
const german = sellerIn('DE', 'DE123456789');
const norwegian = sellerIn('NO');
const goods = { supply: 'goods', rate: 25 } as const;
const services = { supply: 'services', rate: 25 } as const;

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

  test.each(['Z', 'E', 'O'])('category %s from Sweden bears none', (category) => {
    const given = totals([share(category, 50_000n)]);
    expect(rowsOf(given)).toEqual(['4000 50000 0', '2440 0 50000']);
    expect(doubtsOf(given)).toEqual([]);
  });

  // Where it is right is in purchase-vectors.test.ts; here what a person must look at.
  test.each<[string, string, PurchasePostingContext, PostingDoubt[], account: number]>([
    ['a subcontractor', 'AE', swedish, ['reverse_charge'], 4425],
    ['a subcontractor that is marked', 'AE', { ...swedish, mark: services }, [], 4425],
    ['scrap', 'AE', { ...swedish, mark: goods }, [], 4415],
    ['goods from the EU', 'K', german, ['reverse_charge'], 4515],
    ['goods from the EU that are marked', 'K', { ...german, mark: goods }, [], 4515],
    [
      'goods of one that sells services',
      'K',
      { ...german, mark: services },
      ['mark_disagrees'],
      4515,
    ],
    ['a service from the EU', 'AE', german, ['reverse_charge'], 4535],
    ['a service from the EU, marked', 'AE', { ...german, mark: services }, [], 4535],
    ['goods from the EU as AE', 'AE', { ...german, mark: goods }, [], 4515],
    ['no VAT from the EU', 'O', german, ['no_vat_within_eu'], 4000],
    ['no VAT from the EU, marked', 'E', { ...german, mark: services }, ['no_vat_within_eu'], 4535],
    ['a rate of its own', 'K', { ...german, mark: { ...goods, rate: 6 } }, ['other_rate'], 4517],
    ['a service from outside', 'O', norwegian, ['reverse_charge'], 4531],
    ['a service from outside, marked', 'G', { ...norwegian, mark: services }, [], 4531],
    ['an import', 'G', { ...norwegian, mark: goods }, ['import_of_goods'], 4545],
    ['K from outside', 'K', norwegian, ['unusual_vat_category'], 4000],
    ['goods from Belfast', 'K', { ...sellerIn('GB', 'XI123456789'), mark: goods }, [], 4515],
    [
      'a service from Belfast',
      'AE',
      { ...sellerIn('GB', 'XI123456789'), mark: services },
      [],
      4531,
    ],
    ['two countries', 'AE', sellerIn('US', 'DE123456789'), ['seller_place_unclear'], 4000],
    ['no country', 'AE', sellerIn(''), ['seller_place_unclear'], 4000],
    ['export to us from Sweden', 'G', swedish, ['unusual_vat_category'], 4000],
  ])('%s (%s)', (_name, category, context, doubts, expected) => {
    const given = totals([share(category, 100_000n)]);
    expect(doubtsOf(given, context)).toEqual(doubts);
    expect(rowsOf(given, context)[0]).toBe(`${expected} 100000 0`);
  });

  test('an account of another box takes no cost, and is looked at', () => {
    const own = { ...german, ownAccount: account(4535, '21', 25), mark: goods };
    const given = totals([share('K', 100_000n)]);
    expect(rowsOf(given, own)[0]).toBe('4515 100000 0');
    expect(doubtsOf(given, own)).toEqual(['account_of_other_box']);
    const domestic = { ...swedish, ownAccount: account(4415, '23', 25) };
    const charged = totals([share('S', 100_000n, 25_000n)]);
    expect(rowsOf(charged, domestic)[0]).toBe('4000 100000 0');
    expect(doubtsOf(charged, domestic)).toEqual(['account_of_other_box']);
  });

  test('VAT of the seller’s on what should bear none is cost, never a base', () => {
    const given = totals([share('AE', 100_000n, 25_000n)]);
    expect(rowsOf(given)).toEqual(['4000 125000 0', '2440 0 125000']);
    expect(doubtsOf(given)).toEqual(['unusual_vat_category']);
  });

  test('another country’s VAT is part of the cost', () => {
    const given = totals([share('S', 10_000n, 1_900n)]);
    expect(rowsOf(given, german)).toEqual(['4000 11900 0', '2440 0 11900']);
    expect(doubtsOf(given, german)).toEqual(['foreign_vat']);
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

  test('a prepayment stands on 1480 until its final invoice takes it back, VAT and all', () => {
    const asPrepayment = { ...swedish, isPrepayment: true };
    const first = totals([share('S', 100_000n, 25_000n)]);
    expect(rowsOf(first, asPrepayment)).toEqual(['1480 100000 0', '2641 25000 0', '2440 0 125000']);
    expect(doubtsOf(first, asPrepayment)).toEqual(['prepayment']);
    const booked: Prepayment = {
      id: '1',
      invoiceNumber: 'F-1',
      currency: 'SEK',
      payableOre: 125_000n,
      rows: [
        { account: 1480, ore: 100_000n },
        { account: 2641, ore: 25_000n },
        { account: 2440, ore: -125_000n },
      ],
    };
    const final = totals([share('S', 400_000n, 100_000n)], { prepaid: 125_000n });
    const given = {
      kind: 'invoice',
      isPrepayment: false,
      preceding: ['F-1'],
      currency: 'SEK',
      totals: final,
    } as const;
    const context = { ...swedish, ...prepaymentsOf(given, [booked]) };
    expect(rowsOf(final, context)).toEqual([
      '4000 400000 0',
      '2641 100000 0',
      '1480 0 100000',
      '2641 0 25000',
      '2440 0 375000',
    ]);
    expect(doubtsOf(final, context)).toEqual(['prepayment_deducted']);
  });

  test('a prepaid service from the EU is reported when it is paid, goods when they come', () => {
    const asPrepayment = { ...german, isPrepayment: true };
    expect(rowsOf(totals([share('AE', 1_000n)]), asPrepayment)).toEqual([
      '1480 1000 0',
      '4535 1000 0',
      '4598 0 1000',
      '2645 250 0',
      '2614 0 250',
      '2440 0 1000',
    ]);
    expect(rowsOf(totals([share('K', 1_000n)]), asPrepayment)).toEqual([
      '1480 1000 0',
      '2440 0 1000',
    ]);
  });

  test('which prepayments an invoice deducts', () => {
    const prepayment = (id: string, payableOre: bigint): Prepayment => ({
      id,
      invoiceNumber: `F-${id}`,
      currency: 'SEK',
      payableOre,
      rows: [],
    });
    const open = [prepayment('1', 100n), prepayment('2', 200n), prepayment('3', 200n)];
    const ids = (
      preceding: string[],
      prepaidOre: bigint,
      kind: 'invoice' | 'credit_note' = 'invoice',
      currency = 'SEK',
    ) => {
      const found = prepaymentsOf(
        { kind, isPrepayment: false, preceding, currency, totals: { prepaidOre } },
        open,
      );
      return [
        found.deducted.map(({ id }) => id).join(' '),
        found.isPrepayment,
        found.isDeductionMissing,
      ];
    };
    expect(ids(['F-1', 'F-2'], 300n)).toEqual(['1 2', false, false]);
    expect(ids(['F-1', 'F-2'], 299n)).toEqual(['', false, false]);
    expect(ids([], 100n)).toEqual(['1', false, false]);
    expect(ids([], 200n)).toEqual(['', false, false]);
    expect(ids(['F-1'], 0n)).toEqual(['', false, true]);
    expect(ids(['F-1'], 0n, 'credit_note')).toEqual(['', true, false]);
    expect(ids(['X'], 0n)).toEqual(['', false, false]);
    // A hundred euro are not a hundred kronor.
    expect(ids(['F-1'], 100n, 'invoice', 'EUR')).toEqual(['', false, false]);
  });

  test('a prepayment in euro is taken back at another rate, with VAT of what is left and no krona on 1480', () => {
    const rate = (exchangeRateE6: bigint) => ({ currency: 'EUR', exchangeRateE6 });
    const first = totals([share('S', 100_000n, 25_000n)]);
    const { rows } = suggestRows(totalsInKronor(first, rate(11_000_000n)), {
      ...swedish,
      isPrepayment: true,
    });
    const booked: Prepayment = {
      id: '1',
      invoiceNumber: 'F-1',
      currency: 'EUR',
      payableOre: 125_000n,
      rows: rows.map(({ account, debitOre, creditOre }) => ({
        account,
        ore: debitOre - creditOre,
      })),
    };
    const final = totalsInKronor(
      totals([share('S', 400_000n, 100_000n)], { prepaid: 125_000n }),
      rate(11_500_000n),
    );
    const deducted = takenBackInKronor([booked], final.prepaidOre, swedish);
    // Cost: 1 000 at 11,00 and 3 000 at 11,50 are 45 500; VAT: 750 at 11,50.
    expect(rowsOf(final, { ...swedish, deducted })).toEqual([
      '4000 4600000 0',
      '2641 1150000 0',
      '1480 0 1100000',
      '2641 0 287500',
      '4000 0 50000',
      '2440 0 4312500',
    ]);

    const service = totals([share('AE', 100_000n)]);
    const advance = suggestRows(totalsInKronor(service, rate(11_000_000n)), {
      ...german,
      isPrepayment: true,
    });
    const abroad: Prepayment = {
      ...booked,
      payableOre: 100_000n,
      rows: advance.rows.map(({ account, debitOre, creditOre }) => ({
        account,
        ore: debitOre - creditOre,
      })),
    };
    const rest = totalsInKronor(
      totals([share('AE', 400_000n)], { prepaid: 100_000n }),
      rate(10_500_000n),
    );
    const context = { ...german, ownAccount: account(5420) };
    const back = takenBackInKronor([abroad], rest.prepaidOre, context);
    const byAccount = new Map<number, bigint>();
    for (const row of suggestRows(rest, { ...context, deducted: back }).rows) {
      const ore = (byAccount.get(row.account) ?? 0n) + row.debitOre - row.creditOre;
      byAccount.set(row.account, ore);
    }
    // 3 000 at 10,50 are 31 500, of which we owe 25 %; cost is that and 1 000 at 11,00.
    expect(Object.fromEntries(byAccount)).toEqual({
      5420: 4_250_000n,
      4535: 3_150_000n,
      4598: -3_150_000n,
      2645: 787_500n,
      2614: -787_500n,
      1480: -1_100_000n,
      2440: -3_150_000n,
    });
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
    const context = { ...swedish, ownAccount: account(5410) };
    expect(rowsOf(totals([share('S', 100n, 25n)]), context)[0]).toBe('5410 100 0');
  });

  test('of an invoice in another currency are in kronor, and the VAT we owe is of the base in kronor', () => {
    const rate = { currency: 'EUR', exchangeRateE6: 11_234_500n };
    const given = totals([share('AE', 10_000n), share('AE', 333n)]);
    expect(rowsOf(totalsInKronor(given, rate), german)).toEqual([
      '4535 116086 0',
      '2645 29022 0',
      '2614 0 29022',
      '2440 0 116086',
    ]);
    const charged = totals([share('S', 10_000n, 2_500n)], { rounding: -1n });
    expect(rowsOf(totalsInKronor(charged, rate))).toEqual([
      '4000 112345 0',
      '2641 28086 0',
      '3740 0 11',
      '2440 0 140420',
    ]);
    const wrong = { ...charged, payableOre: 20_000n };
    expect(doubtsOf(totalsInKronor(wrong, rate))).toContain('totals_do_not_add_up');
  });

  test('owe in kronor what is to be paid at the rate, whatever the rate', () => {
    const amount = fc.bigInt(-99_999_999n, 99_999_999n);
    const shares = fc.array(fc.tuple(fc.constantFrom('S', 'Z', 'AE'), amount, amount), {
      minLength: 1,
      maxLength: 6,
    });
    const rates = fc.bigInt(1n, 100_000_000n);
    fc.assert(
      fc.property(shares, amount, amount, rates, (parts, rounding, prepaid, exchangeRateE6) => {
        const given = totals(
          parts.map(([code, taxable, vat]) => share(code, taxable, vat)),
          { rounding, prepaid },
        );
        const kronor = totalsInKronor(given, { currency: 'EUR', exchangeRateE6 });
        const exact = Number(given.payableOre) * (Number(exchangeRateE6) / 1e6);
        expect(Math.abs(Number(kronor.payableOre) - exact)).toBeLessThan(0.51);
        const sum = kronor.shares.reduce((all, one) => all + one.taxableOre + one.vatOre, 0n);
        expect(sum + kronor.roundingOre - kronor.prepaidOre).toBe(kronor.payableOre);
      }),
    );
  });

  test('always balance, and always owe exactly what is to be paid', () => {
    const ore = fc.bigInt(-99_999_999_999n, 99_999_999_999n);
    const category = fc.constantFrom('S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M', 'B');
    const contexts = fc.record({
      base: fc.constantFrom(swedish, german, norwegian),
      mark: fc.constantFrom(unmarked, goods, services),
      ownAccount: fc.constantFrom(null, account(5910), account(4515, '20', 25)),
    });
    const shares = fc.array(fc.tuple(category, ore, ore), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(shares, ore, ore, contexts, (parts, rounding, prepaid, { base, ...rest }) => {
        const context = { ...base, ...rest };
        const given = totals(
          parts.map(([code, taxable, vat]) => share(code, taxable, vat)),
          { rounding, prepaid },
        );
        const { rows } = suggestRows(given, context);
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
