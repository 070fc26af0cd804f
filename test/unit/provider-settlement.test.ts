/** What a provider settles comes to balanced vouchers that leave the payout, and what is kept back, on the clearing account. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchRows } from '#src/domain/ledger/bank-matching/matching.ts';
import { checkVoucher } from '#src/domain/ledger/voucher.ts';
import {
  type ProviderSettlement,
  type SettlementLine,
  settlementProblems,
  settlementRows,
} from '#src/domain/purchases/provider-settlement.ts';

const of = (lines: readonly Partial<SettlementLine>[], more: Partial<ProviderSettlement> = {}) => {
  const whole = lines.map(
    (line): SettlementLine => ({
      kind: 'sale',
      amountOre: 0n,
      account: null,
      reverseChargeVatOre: null,
      text: null,
      reference: null,
      ...line,
    }),
  );
  return {
    provider: 'Kortbolaget',
    number: 'A-1',
    day: '2026-03-31',
    account: 1686,
    payoutReference: null,
    country: 'SE',
    lines: whole,
    payoutOre: whole.reduce((sum, { amountOre }) => sum + amountOre, 0n),
    ...more,
  };
};

const line = fc.record({
  kind: fc.constantFrom('sale', 'refund', 'fee', 'fee_vat', 'adjustment', 'reserve'),
  size: fc.bigInt(1n, 1_000_000n),
  isAbove: fc.boolean(),
});

test('whatever the lines, the voucher balances, and the clearing account changes by what is not the payout', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 20 }),
      fc.constantFrom('SE', 'IE', 'US'),
      (made, country) => {
        const lines = made
          .filter(({ kind }) => country === 'SE' || kind !== 'fee_vat')
          .map(({ kind, size, isAbove }): Partial<SettlementLine> => {
            const amountOre = kind === 'sale' || (kind !== 'refund' && isAbove) ? size : -size;
            const vat = kind === 'fee' && country !== 'SE' ? -amountOre / 4n : null;
            return {
              kind,
              amountOre,
              account: kind === 'adjustment' ? 3740 : null,
              reverseChargeVatOre: vat,
            };
          });
        const settlement = of(lines, { country });
        expect(settlementProblems(settlement)).toEqual([]);
        const rows = settlementRows(settlement);
        const total = (account: number) =>
          rows
            .filter((row) => row.account === account)
            .reduce((sum, row) => sum + row.debitOre - row.creditOre, 0n);
        expect(rows.reduce((sum, row) => sum + row.debitOre - row.creditOre, 0n)).toBe(0n);
        if (rows.length > 0) expect(checkVoucher(rows)).toEqual([]);
        const costs = settlement.lines
          .filter(({ kind }) => ['fee', 'fee_vat', 'adjustment'].includes(kind))
          .reduce((sum, { amountOre }) => sum + amountOre, 0n);
        // Once the bank has the payout, what is left of the sales is what the provider took.
        expect(total(1686)).toBe(costs);
      },
    ),
  );
});

const row = (id: string, text: string, day = '2026-04-02') => ({
  id,
  accountId: 'bank',
  ledgerAccount: 1930,
  accountKind: 'bank' as const,
  day,
  amountOre: 967_500n,
  text,
  code: null,
  isReversal: false,
  payments: [],
});
const payout = (id: string, number: string, day = '2026-03-31') => ({
  ...{ id, number, day, provider: 'Kortbolaget AB', reference: null, account: 1686 },
  amountOre: 967_500n,
});
const matched = (rows: ReturnType<typeof row>[], settlements: ReturnType<typeof payout>[]) =>
  [
    ...matchRows({
      ...{
        rows,
        settlements,
        credits: [],
        documents: [],
        payouts: [],
        vouchers: [],
        earlier: [],
        rules: [],
      },
      own: { accounts: [], organizationNumber: null },
    }).entries(),
  ]
    .map(([id, match]) =>
      match.certainty === 'none'
        ? `${id}: ${match.reason}`
        : `${id}: ${match.certainty} ${match.target.kind === 'settlement' ? match.target.settlementId : match.target.kind}`,
    )
    .sort();

test('a row is held for the payout it names, or whose provider it names; of two that fit equally well for none', () => {
  const [first, second] = [payout('one', 'AVR-10041'), payout('two', 'AVR-10042')];
  expect(matched([row('a', 'KORTBOLAGET AVR-10042')], [first, second])).toEqual(['a: exact two']);
  expect(matched([row('a', 'KORTBOLAGET UTBET')], [first])).toEqual(['a: likely one']);
  expect(matched([row('a', 'INSÄTTNING')], [first])).toEqual(['a: likely one']);
  expect(matched([row('a', 'KORTBOLAGET')], [first, second])).toEqual(['a: several_fit']);
  expect(matched([row('a', 'KORTBOLAGET'), row('b', 'KORTBOLAGET')], [first])).toEqual([
    'a: several_fit',
    'b: several_fit',
  ]);
  expect(matched([row('a', 'AVR-10041', '2026-05-01')], [first])).toEqual(['a: nothing_fits']);
});
