/** Orders with the VAT of other EU countries and in other currencies, reckoned by hand and by what always holds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOre } from '#src/domain/basics/exchange-rate.ts';
import { sum } from '#src/domain/basics/money.ts';
import { type CreditableRow, creditRows, reducePrice } from '#src/domain/sales/credit-note.ts';
import { creditInKronor, inOwnCurrency, rowsInKronor } from '#src/domain/sales/foreign-currency.ts';
import {
  type InvoiceRow,
  invoiceVoucherRows,
  priceRowsIncludingVat,
} from '#src/domain/sales/invoice.ts';
import { decideOrder, type OrderContext } from '#src/domain/sales/order.ts';
import type { Order, OrderRow } from '#src/domain/sales/order-shape.ts';
import { parseOrder } from '#src/domain/sales/order-shape.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';
import { context, draft, line, order, rejected, swede } from './order-examples.ts';

const oss: OrderContext = {
  ...context,
  isOssOn: true,
  accounts: new Map([
    ...context.accounts,
    [3107, { isActive: true, vatRate: null, vatBox: null, vatCode: 'OSS' }],
  ]),
};
const buyerIn = (countryCode: string, vatNumber: string | null = null) => ({
  ...swede,
  countryCode,
  vatNumber,
});
const posted = (decision: ReturnType<typeof draft>) =>
  invoiceVoucherRows(decision).map(
    ({ account, debitOre, creditOre }) => [account, debitOre - creditOre] as const,
  );

describe('reckoned by hand', () => {
  const eur = (rows: OrderRow[], totalOre: bigint, exchangeRateE6: bigint, change = {}) =>
    draft(decideOrder(order({ currency: 'EUR', exchangeRateE6, totalOre, rows, ...change }), oss));

  test('119 euro with German VAT of 19 % at 11,2345', () => {
    // 119 × 19 / 119 = 19,00 euro; 119 × 11,2345 = 1 336,9055 and 19 × 11,2345 = 213,4555 kronor.
    const decision = eur([line(5950n, 19), line(5950n, 19)], 11_900n, 11_234_500n, {
      customer: buyerIn('DE'),
    });
    expect(decision.totals).toEqual({
      netOre: 112_345n,
      vatOre: 21_346n,
      roundingOre: 0n,
      totalOre: 133_691n,
    });
    expect(sum(decision.rows.map((row) => row.currencyVat ?? 0n))).toBe(1900n);
    expect(decision.inCurrency).toEqual({
      currency: 'EUR',
      exchangeRateE6: 11_234_500n,
      currencyRounding: 0n,
    });
    expect(posted(decision)).toEqual([
      [1510, 133_691n],
      [3107, -112_345n],
      [2670, -21_346n],
    ]);
  });

  test('150 euro with Finnish VAT of 25,5 and 14 % at 11,10: a row of its own for each rate', () => {
    // 100 × 25,5 / 125,5 = 20,3187…; 50 × 14 / 114 = 6,1403…; 20,32 × 11,1 = 225,552; 6,14 × 11,1 = 68,154.
    const decision = eur([line(10_000n, 25.5), line(5000n, 14)], 15_000n, 11_100_000n, {
      customer: buyerIn('FI'),
    });
    expect(decision.rows.map(({ currencyNet, currencyVat }) => [currencyNet, currencyVat])).toEqual(
      [
        [7968n, 2032n],
        [4386n, 614n],
      ],
    );
    expect(posted(decision)).toEqual([
      [1510, 166_500n],
      [3107, -48_685n],
      [3107, -88_445n],
      [2670, -6815n],
      [2670, -22_555n],
    ]);
  });

  test('500 Danish kroner for rows of 499,95 at 1,4987: the rounding goes to 3740 in kronor', () => {
    // 499,95 / 5 = 99,99; 500 × 1,4987 = 749,35; 499,95 × 1,4987 = 749,275065; 99,99 × 1,4987 = 149,855013.
    const decision = eur([line(49_995n, 25)], 50_000n, 1_498_700n, {
      currency: 'DKK',
      customer: buyerIn('DK'),
    });
    expect(decision.inCurrency?.currencyRounding).toBe(5n);
    expect(posted(decision)).toEqual([
      [1510, 74_935n],
      [3107, -59_942n],
      [2670, -14_986n],
      [3740, -7n],
    ]);
  });

  test('French prices without VAT, 20 and 5,5 %, at 11', () => {
    // 100 × 20 % = 20; 10,01 × 5,5 % = 0,55055; 130,56 × 11 = 1 436,16; 0,55 × 11 = 6,05.
    const decision = eur([line(10_000n, 20), line(1001n, 5.5)], 13_056n, 11_000_000n, {
      customer: buyerIn('FR'),
      pricesIncludeVat: false,
    });
    expect(posted(decision)).toEqual([
      [1510, 143_616n],
      [3107, -11_011n],
      [3107, -110_000n],
      [2670, -605n],
      [2670, -22_000n],
    ]);
  });

  test('two countries in one order in kronor, by the country of each row', () => {
    const rows = [
      line(11_900n, 19, { vatCountry: 'DE' }),
      line(12_000n, 20, { vatCountry: 'at' }),
      line(12_500n, 25, { vatCountry: 'SE' }),
    ];
    const decision = draft(
      decideOrder(order({ totalOre: 36_400n, rows, customer: buyerIn('DE') }), oss),
    );
    expect(posted(decision)).toEqual([
      [1510, 36_400n],
      [3001, -10_000n],
      [3107, -10_000n],
      [3107, -10_000n],
      [2611, -2500n],
      [2670, -2000n],
      [2670, -1900n],
    ]);
    expect(decision.inCurrency).toBeUndefined();
  });

  test('Norwegian kroner to Norway, without VAT, and Swedish VAT in euro', () => {
    const norway = eur([line(100_000n, 0)], 100_000n, 990_000n, {
      currency: 'NOK',
      customer: buyerIn('NO'),
    });
    expect(posted(norway)).toEqual([
      [1510, 99_000n],
      [3105, -99_000n],
    ]);
    expect(posted(eur([line(12_500n, 25)], 12_500n, 11_000_000n))).toEqual([
      [1510, 137_500n],
      [3001, -110_000n],
      [2611, -27_500n],
    ]);
  });
});

describe('whose VAT it is', () => {
  const rowOf = (customer: Order['customer'], vatRate: number, change: Partial<OrderRow> = {}) => {
    const decision = decideOrder(order({ customer, rows: [line(19_900n, vatRate, change)] }), oss);
    if (decision.kind === 'rejected') {
      const [first] = decision.problems;
      const { doubt } = (first?.params ?? {}) as { doubt?: string };
      return [decision.reason, doubt];
    }
    const [row] = decision.rows;
    return [
      row?.ossCountry ?? null,
      row?.account,
      decision.warnings.map(({ reason }) => reason).join(),
      decision.needsPerson,
    ];
  };

  test.each([
    ['DE', 19, {}, ['DE', 3107, '', false]],
    ['de', 7, {}, ['DE', 3107, '', false]],
    ['FI', 25.5, {}, ['FI', 3107, '', false]],
    ['EL', 24, {}, ['GR', 3107, '', false]],
    ['GR', 24, {}, ['GR', 3107, '', false]],
    ['MC', 20, {}, ['FR', 3107, '', false]],
    ['XI', 20, {}, ['XI', 3107, '', false]],
    ['DK', 25, {}, ['DK', 3107, '', false]],
    ['DE', 18, {}, ['DE', 3107, 'oss_rate_unknown', true]],
    ['DE', 25, {}, [null, 3001, 'swedish_vat_beside_oss', false]],
    ['DE', 25, { vatCountry: 'DE' }, ['DE', 3107, 'oss_rate_unknown', true]],
    ['DK', 25, { vatCountry: 'SE' }, [null, 3001, 'swedish_vat_beside_oss', false]],
    ['SE', 25, { vatCountry: 'DK' }, ['DK', 3107, '', false]],
    ['SE', 25, {}, [null, 3001, '', false]],
    ['NO', 25, {}, [null, 3001, 'swedish_vat_charged', false]],
    ['DK', 25, { articleNumber: 'HOUR' }, ['vat_treatment_unclear', 'rate_of_both']],
    ['DK', 25, { articleNumber: 'HOUR', vatCountry: 'DK' }, ['DK', 3107, '', false]],
    ['DE', 19, { articleNumber: 'EXEMPT' }, ['DE', 3107, 'article_account_not_used', false]],
    ['DE', 19, { articleNumber: 'USED' }, ['vat_treatment_unclear', 'margin_vat_shown']],
    ['DE', 19, { vatCountry: 'NO' }, ['vat_treatment_unclear', 'no_country_of_oss']],
    ['DE', 19, { vatCountry: '{"a":1}' }, ['vat_treatment_unclear', 'no_country_of_oss']],
    ['SE', 19, {}, ['vat_rate_not_supported', undefined]],
    ['DE', 0.19, {}, ['vat_rate_not_supported', undefined]],
    ['DE', -19, {}, ['vat_rate_not_supported', undefined]],
    ['DE', 19.123, {}, ['vat_rate_not_supported', undefined]],
    ['DE', 0, {}, ['vat_treatment_unclear', 'vat_number_missing']],
  ] as const)('%s, %d %%, %o', (country, rate, change, expected) => {
    expect(rowOf(buyerIn(country), rate, change)).toEqual([...expected]);
  });

  test('a business is no consumer: its VAT number is asked about as before', () => {
    const business = buyerIn('FR', 'FR12123456789');
    expect(rowOf(business, 20)).toEqual(['vat_rate_not_supported', undefined]);
    expect(rowOf(business, 20, { vatCountry: 'FR' })).toEqual([
      'vat_treatment_unclear',
      'oss_to_business',
    ]);
    expect(rowOf(business, 0)[1]).toBe(3108);
  });

  test('an account of OSS that would count in a box is not posted on', () => {
    const accounts = new Map(oss.accounts);
    accounts.set(3107, { isActive: true, vatRate: 25, vatBox: '05' });
    const wanted = order({ customer: buyerIn('DE'), rows: [line(19_900n, 19)] });
    expect(rejected(decideOrder(wanted, { ...oss, accounts })).reason).toBe('account_missing');
    expect(rejected(decideOrder(wanted, { ...context, isOssOn: true })).reason).toBe(
      'account_missing',
    );
  });
});

describe('what stops', () => {
  test.each([
    ['currency_not_supported', { currency: 'EUR', exchangeRateE6: 11_000_000n }, context],
    ['currency_not_supported', { currency: 'JPY', exchangeRateE6: 70_000n }, oss],
    ['currency_not_supported', { currency: 'eur', exchangeRateE6: 11_000_000n }, oss],
    ['exchange_rate_missing', { currency: 'EUR' }, oss],
    ['exchange_rate_missing', { currency: 'EUR', exchangeRateE6: null }, oss],
    [
      'currency_not_supported',
      {
        currency: 'EUR',
        exchangeRateE6: 11_000_000n,
        rows: [line(19_900n, 25, { currency: 'SEK' })],
      },
      oss,
    ],
    ['total_mismatch', { currency: 'EUR', exchangeRateE6: 11_000_000n, totalOre: 19_851n }, oss],
  ] as const)('%s: %o', (reason, change, where) => {
    const decision = rejected(decideOrder(order(change as Partial<Order>), where));
    expect(decision.reason).toBe(reason);
    for (const problem of decision.problems) {
      expect(sentenceFor('api', problem)).not.toContain('undefined');
      expect(sentenceFor('page', problem)).not.toContain('undefined');
    }
  });

  test('a mismatch in euro is told in euro', () => {
    const { problems } = rejected(
      decideOrder(order({ currency: 'EUR', exchangeRateE6: 11_000_000n, totalOre: 10_000n }), oss),
    );
    const [first] = problems;
    if (!first) throw new Error('no problem');
    expect(sentenceFor('api', first)).toContain('100,00 EUR');
  });

  test('a rate that was turned round makes a draft that nobody books unseen', () => {
    const decision = draft(decideOrder(order({ currency: 'EUR', exchangeRateE6: 89_000n }), oss));
    expect([decision.needsPerson, decision.warnings[0]?.reason]).toEqual([
      true,
      'exchange_rate_unusual',
    ]);
  });

  test('what shops have sent by those names means nothing while OSS is off', () => {
    const body = {
      externalId: 'A-1',
      orderDate: '2026-11-20',
      currency: 'SEK',
      pricesIncludeVat: true,
      total: 199,
      customer: { name: 'Kund' },
    };
    const row = { description: 'Vara', quantity: 1, unitPrice: 199, vatRate: 25 };
    const judge = (extra: object, ofRow: object) => {
      const parsed = parseOrder({ ...body, ...extra, rows: [{ ...row, ...ofRow }] });
      if (!('order' in parsed)) throw new Error('not read');
      return decideOrder(parsed.order, context);
    };
    const plain = judge({}, {});
    for (const exchangeRate of ['x', -1, {}, 1.1234567, 11]) {
      expect(judge({ exchangeRate }, { vatCountry: ['DE'], currency: 7 })).toEqual(plain);
    }
  });
});

/** A basket in one currency: gross prices of a few countries and rates. */
const basket = fc.array(
  fc.record({
    quantityE4: fc.constantFrom(10_000n, 20_000n, 30_000n, -10_000n, 15_000n),
    unitPriceE4: fc.bigInt({ min: 0n, max: 50_000_000n }),
    tax: fc.constantFrom(
      { ossCountry: 'DE', ossRateE2: 1900, ossSupply: 'goods', vatRate: 0 },
      { ossCountry: 'FI', ossRateE2: 2550, ossSupply: 'goods', vatRate: 0 },
      { ossCountry: 'FR', ossRateE2: 550, ossSupply: 'goods', vatRate: 0 },
      { ossCountry: null, ossRateE2: null, ossSupply: null, vatRate: 25 },
      { ossCountry: null, ossRateE2: null, ossSupply: null, vatRate: 0 },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);
const rates = fc.bigInt({ min: 1000n, max: 30_000_000n }).map((exchangeRateE6) => ({
  currency: 'EUR',
  exchangeRateE6,
}));
const pricedOf = (rows: BasketRows) =>
  priceRowsIncludingVat(
    rows.map(({ tax, ...row }, index) => ({
      ...row,
      ...tax,
      rowNo: index + 1,
      articleNumber: null,
      description: 'Vara',
      unit: null,
      discountE2: 0n,
      account: tax.ossCountry ? 3107 : 3001,
    })),
  ) as InvoiceRow[];
type BasketRows = readonly {
  quantityE4: bigint;
  unitPriceE4: bigint;
  tax: Pick<InvoiceRow, 'ossCountry' | 'ossRateE2' | 'ossSupply' | 'vatRate'>;
}[];
const asBasket = (rows: unknown) => rows as BasketRows;
const total = (rows: readonly Pick<InvoiceRow, 'netOre' | 'vatOre'>[]) =>
  sum(rows.map(({ netOre, vatOre }) => netOre + vatOre));

describe('whatever the amounts', () => {
  test('rows come to the total in kronor, and each lies within two öre of its own conversion', () => {
    fc.assert(
      fc.property(basket, rates, (rows, rate) => {
        const priced = pricedOf(asBasket(rows));
        const converted = rowsInKronor(priced, rate);
        expect(total(converted)).toBe(toOre(total(priced), rate));
        for (const [index, row] of converted.entries()) {
          const own = priced[index];
          if (!own) throw new Error('a row is lost');
          expect([row.currencyNet, row.currencyVat]).toEqual([own.netOre, own.vatOre]);
          const far = row.netOre + row.vatOre - toOre(own.netOre + own.vatOre, rate);
          expect(far <= 2n && far >= -2n).toBe(true);
        }
      }),
    );
  });

  test('several credits are the invoice to the öre, in its currency and in kronor', () => {
    fc.assert(
      fc.property(
        basket.map((rows) => asBasket(rows).filter(({ quantityE4 }) => quantityE4 > 0n)),
        rates,
        fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 4 }),
        (rows, rate, parts) => {
          const invoice = rowsInKronor(pricedOf(rows), rate);
          if (invoice.length === 0) return;
          let creditable: CreditableRow[] = invoice.map((row) => ({
            ...row,
            creditedE4: 0n,
            creditedNetOre: 0n,
            creditedVatOre: 0n,
            creditedCurrencyNet: 0n,
            creditedCurrencyVat: 0n,
            isReduced: false,
          }));
          const credited: InvoiceRow[] = [];
          const take = (part: number | null) => {
            const own = creditable.map(inOwnCurrency);
            const left = sum(
              own.map((row) => row.netOre + row.vatOre - row.creditedNetOre - row.creditedVatOre),
            );
            const amountOre = part === null ? null : (left * BigInt(part)) / 1000n;
            if (amountOre === 0n) return;
            const decided =
              amountOre === null
                ? creditRows(own, undefined, true)
                : reducePrice(own, { amountOre, leftOre: left, pricesIncludeVat: true });
            if ('problems' in decided) return;
            for (const row of decided.rows) {
              const of = creditable.find(({ rowNo }) => rowNo === row.rowNo);
              if (!of) throw new Error('unknown row');
              const taken = creditInKronor(row, of);
              credited.push(taken);
              creditable = creditable.map((one) =>
                one.rowNo === row.rowNo
                  ? {
                      ...one,
                      creditedE4: one.creditedE4 + (row.isPriceReduction ? 0n : row.quantityE4),
                      creditedNetOre: one.creditedNetOre + taken.netOre,
                      creditedVatOre: one.creditedVatOre + taken.vatOre,
                      creditedCurrencyNet: (one.creditedCurrencyNet ?? 0n) + taken.currencyNet,
                      creditedCurrencyVat: (one.creditedCurrencyVat ?? 0n) + taken.currencyVat,
                      isReduced: one.isReduced || row.isPriceReduction === true,
                    }
                  : one,
              );
            }
          };
          for (const part of parts) take(part);
          take(null);
          const own = (all: readonly InvoiceRow[]) =>
            sum(all.map((row) => (row.currencyNet ?? 0n) + (row.currencyVat ?? 0n)));
          expect(own(credited)).toBe(own(invoice));
          expect(total(credited)).toBe(total(invoice));
          expect(
            credited.every(
              ({ ossCountry }, index) =>
                ossCountry ===
                (invoice.find(({ rowNo }) => rowNo === credited[index]?.rowNo)?.ossCountry ?? null),
            ),
          ).toBe(true);
        },
      ),
    );
  });
});
