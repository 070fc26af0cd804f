import { describe, expect, it, test } from 'vitest';
import { decideOrder, type OrderDecision } from '#src/domain/sales/order.ts';
import { context, draft, line, order, rejected, swede, without } from './order-examples.ts';

describe('VAT ends up in the right box of the return', () => {
  const decide = (
    countryCode: string | null,
    vatNumber: string | null,
    vatRate: number,
    articleNumber: string | null = null,
  ): OrderDecision =>
    decideOrder(
      order({
        customer: { ...swede, countryCode, vatNumber },
        rows: [line(19_900n, vatRate, { articleNumber })],
      }),
      context,
    );

  const swedishVat = 'SE556702693401';
  const swedishCharged = 'swedish_vat_charged';
  const unverified = 'vat_number_not_verified';
  test.each<[string | null, string | null, number, string | null, number, string[]]>([
    [null, null, 25, null, 3001, []],
    ['SE', null, 12, null, 3002, []],
    ['se', swedishVat, 6, null, 3003, []],
    ['SE', null, 0, 'EXEMPT', 3004, []],
    ['SE', null, 25, 'FREIGHT', 3520, []],
    ['SE', swedishVat, 0, 'BUILDING', 3231, []],
    ['SE', null, 0, 'USED', 3211, []],
    ['SE', null, 12, 'FREIGHT', 3002, ['article_account_not_used']],
    ['SE', 'DE123456789', 25, null, 3001, [swedishCharged]],
    ['DE', 'DE123456789', 0, null, 3108, [unverified]],
    ['de', 'de 123 456 789', 0, 'HOUR', 3308, [unverified]],
    ['EL', 'EL123456789', 0, null, 3108, [unverified]],
    ['GR', 'GR123456789', 0, null, 3108, [unverified]],
    ['MC', 'FRAB123456789', 0, null, 3108, [unverified]],
    ['XI', 'XI123456789', 0, null, 3108, [unverified]],
    ['GB', 'XI123456789', 0, null, 3108, [unverified]],
    ['XI', 'XI123456789', 0, 'HOUR', 3305, []],
    ['XI', null, 0, 'HOUR', 3305, []],
    ['DE', null, 25, null, 3001, []],
    ['FI', null, 12, null, 3002, []],
    ['DE', 'DE123456789', 25, null, 3001, [swedishCharged]],
    ['US', null, 0, null, 3105, []],
    ['US', null, 0, 'HOUR', 3305, []],
    ['NO', 'NO123456789MVA', 0, null, 3105, []],
    ['UK', 'GB123456789', 0, null, 3105, []],
    ['AX', null, 0, null, 3105, []],
    ['NO', null, 25, null, 3001, [swedishCharged]],
  ])('%s with VAT number %s at %i %% (article %s) is posted on %i', (...line) => {
    const [country, vatNumber, rate, article, account, warnings] = line;
    const decision = draft(decide(country, vatNumber, rate, article));
    expect(decision.rows.map((row) => row.account)).toEqual([account]);
    expect(decision.warnings.map((warning) => warning.reason)).toEqual(warnings);
  });

  test.each<[string | null, string | null, number, string | null, string]>([
    ['SE', null, 0, null, 'vat_treatment_unclear'],
    [null, 'DE123456789', 0, null, 'vat_treatment_unclear'],
    ['SE', null, 0, 'FREIGHT', 'vat_treatment_unclear'],
    ['SE', null, 0, 'BUILDING', 'vat_treatment_unclear'],
    ['SE', null, 25, 'USED', 'vat_treatment_unclear'],
    ['SE', null, 0, 'ABROAD', 'vat_treatment_unclear'],
    ['DE', null, 0, null, 'vat_treatment_unclear'],
    ['DE', null, 0, 'EXEMPT', 'vat_treatment_unclear'],
    ['DE', 'FR12123456789', 0, null, 'vat_treatment_unclear'],
    ['DE', 'DE12', 0, null, 'vat_treatment_unclear'],
    ['DE', swedishVat, 0, null, 'vat_treatment_unclear'],
    ['XI', null, 0, null, 'vat_treatment_unclear'],
    ['DE', null, 19, null, 'vat_rate_not_supported'],
    ['NL', null, 21, null, 'vat_rate_not_supported'],
    ['FR', 'FR12123456789', 20, null, 'vat_rate_not_supported'],
  ])('%s with VAT number %s at %i %% (article %s) is %s', (country, vatNumber, ...rest) => {
    const [rate, article, reason] = rest;
    expect(rejected(decide(country, vatNumber, rate, article)).reason).toBe(reason);
  });

  it('takes an order with free shipping that the shop says 0 % of, as with any goods beside it', () => {
    const free = line(0n, 0, { description: 'Fri frakt' });
    const rows = [
      line(5_000n, 25),
      line(14_900n, 12),
      free,
      line(0n, 0, { articleNumber: 'USED' }),
    ];
    expect(draft(decideOrder(order({ rows }), context)).rows).toMatchObject([
      { account: 3001, vatRate: 25 },
      { account: 3002, vatRate: 12 },
      { account: 3002, vatRate: 12, netOre: 0n, vatOre: 0n },
      { account: 3211, vatRate: 0 },
    ]);
    const german = { customer: { ...swede, countryCode: 'DE' }, rows: [line(19_900n, 19), free] };
    const accounts = new Map(context.accounts);
    accounts.set(3107, { isActive: true, vatRate: null, vatBox: null });
    const decision = draft(decideOrder(order(german), { ...context, accounts, isOssOn: true }));
    expect(decision.rows.map(({ ossCountry }) => ossCountry)).toEqual(['DE', 'DE']);
    // What is sold without VAT is judged as ever.
    const sold = order({ rows: [line(10_000n, 25), line(9_900n, 0), free] });
    expect(rejected(decideOrder(sold, context)).reason).toBe('vat_treatment_unclear');
  });

  const giftCard = (vatRate: number, change: object = {}) =>
    order({ rows: [line(19_900n, vatRate, { giftCard: true })], ...change });

  it.each([
    ['SE', null],
    ['DE', null],
    ['DE', 'DE123456789'],
    ['US', null],
  ])(
    'sells a gift card as a debt to a buyer in %s with VAT number %s',
    (countryCode, vatNumber) => {
      const sent = giftCard(0, { customer: { ...swede, countryCode, vatNumber } });
      for (const isOssOn of [false, true]) {
        const decision = draft(decideOrder(sent, { ...context, isOssOn }));
        expect(decision.rows).toMatchObject([{ account: 2421, netOre: 19_900n, vatOre: 0n }]);
        expect([decision.warnings, decision.needsPerson]).toEqual([[], false]);
      }
    },
  );

  it('sells one with a rate of VAT as any sale, and none where its account is not in use', () => {
    expect(draft(decideOrder(giftCard(25), context)).rows[0]?.account).toBe(3001);
    expect(rejected(decideOrder(giftCard(0), without(2421)))).toMatchObject({
      reason: 'account_missing',
      problems: [{ path: 'rows[0]', params: { account: 2421, state: 'missing' } }],
    });
  });

  it('sells an article that stands on 2421 as a gift card without being told, and with a rate as any sale', () => {
    const sold = (vatRate: number) =>
      draft(
        decideOrder(order({ rows: [line(19_900n, vatRate, { articleNumber: 'GIFT' })] }), context),
      );
    expect([sold(0).rows[0]?.account, sold(0).needsPerson]).toEqual([2421, false]);
    expect(sold(25).rows[0]?.account).toBe(3001);
  });

  it('sells a gift card on the part of 2421 that redeems it, and on nothing else', () => {
    const accounts = new Map([
      ...context.accounts,
      [24211, { isActive: true, vatRate: null, vatBox: null }] as const,
    ]);
    for (const [redeemed, sold] of [
      [24211, 24211],
      [1686, 2421],
    ] as const) {
      const paymentAccounts = new Map([['gift_card', redeemed]]);
      const decision = draft(decideOrder(giftCard(0), { ...context, accounts, paymentAccounts }));
      expect(decision.rows[0]?.account).toBe(sold);
    }
  });

  it('judges the buyer as the register completes it', () => {
    const register = { ...swede, countryCode: 'DE', vatNumber: 'DE123456789' };
    const known = { id: 'known', paymentTermsDays: null, register };
    const untaxed = order({ rows: [line(19_900n, 0)] });
    const decision = draft(decideOrder(untaxed, { ...context, customer: known }));
    expect(decision.rows.map(({ account }) => account)).toEqual([3108]);
    expect(decision.debtor).toMatchObject({ countryCode: 'DE', vatNumber: 'DE123456789' });
  });

  it('lets nobody book unseen what rests on a VAT number, however much else there is to say', () => {
    const rows = [
      ...Array.from({ length: 120 }, () => line(100n, 12, { articleNumber: 'FREIGHT' })),
      line(7900n, 0),
    ];
    const unseen = (vatNumber: string, vatRate: number) => {
      const customer = { ...swede, countryCode: 'DE', vatNumber };
      const sold = vatRate === 0 ? rows : [line(19_900n, vatRate)];
      return draft(decideOrder(order({ customer, rows: sold }), context)).needsPerson;
    };
    expect(unseen('DE123456789', 0)).toBe(true);
    expect(unseen('DE123456789', 25)).toBe(false);
  });

  it('says once, not per row, that a VAT number must be checked', () => {
    const customer = { ...swede, countryCode: 'DE', vatNumber: 'DE123456789' };
    const rows = [line(10_000n, 0), line(9900n, 0)];
    expect(draft(decideOrder(order({ customer, rows }), context)).warnings.length).toBe(1);
  });
});
