/** A till's Z report: its form, its own sums, and the voucher that it becomes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '#src/domain/basics/money.ts';
import { checkVoucher } from '#src/domain/ledger/voucher.ts';
import { readTillAccounts, tillKeyOf } from '#src/domain/sales/till-accounts.ts';
import { decideTillReport, type TillContext } from '#src/domain/sales/till-posting.ts';
import { parseTillReport, tillRateSums } from '#src/domain/sales/till-report.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';

const chart: [number, number | null][] = [
  [1580, null],
  [1686, null],
  [1910, null],
  [1912, null],
  [1930, null],
  [2421, null],
  [2890, null],
  [3001, 25],
  [3002, 12],
  [3003, 6],
  [3004, 0],
  [3740, null],
];
const context = (
  accounts = 'card 1686, swish 1930, cash 1910, gift_card 2421, bank 1930, tip 2890',
): TillContext => ({
  tillAccounts: readTillAccounts(accounts) ?? new Map(),
  accounts: new Map(chart.map(([number, vatRate]) => [number, { isActive: true, vatRate }])),
  fiscalYears: [{ start: '2026-01-01', end: '2026-12-31' }],
  today: '2026-04-01',
});

const body = (overrides: object = {}) => ({
  tillId: 'KASSA-1',
  zNumber: 412,
  date: '2026-03-31',
  sales: [{ vatRate: 25, amount: 125 }],
  payments: [{ method: 'card', amount: 125 }],
  ...overrides,
});

/** What is wrong with it, by path and reason; else its rows, debit above zero. */
function outcome(sent: unknown, given = context()): string[] {
  const read = parseTillReport(sent);
  if ('problems' in read) {
    return [read.reason, ...read.problems.map(({ path, reason }) => `${path} ${reason}`)];
  }
  const decision = decideTillReport(read.report, given);
  if (decision.kind === 'stopped') {
    return [decision.reason, ...decision.problems.map(({ path, reason }) => `${path} ${reason}`)];
  }
  return decision.rows.map(
    ({ account, debitOre, creditOre }) => `${account} ${debitOre - creditOre}`,
  );
}

describe('the voucher', () => {
  test('of a whole day: means, movements, sales less returns by rate, gift cards, tips and rounding', () => {
    const sent = body({
      sales: [
        { vatRate: 25, amount: 1_250 },
        { vatRate: 12, amount: 112 },
        { vatRate: 6, amount: 106 },
      ],
      returns: [{ vatRate: 25, amount: 125 }],
      giftCardsSold: 500,
      tips: 50,
      rounding: 0.4,
      payments: [
        { method: 'Card', amount: 1_000 },
        { method: 'swish', amount: 293.4 },
        { method: 'cash', amount: 300 },
        { method: 'gift_card', amount: 300 },
      ],
      movements: [{ kind: 'bank', amount: -200, text: 'Servicebox' }],
    });
    // 1 250 − 125 at 25 % holds 225; 112 at 12 % holds 12; 106 at 6 % holds 6.
    expect(outcome(sent)).toEqual([
      '1686 100000',
      '1930 29340',
      '1910 30000',
      '2421 30000',
      '1910 -20000',
      '1930 20000',
      '3001 -90000',
      '2611 -22500',
      '3002 -10000',
      '2621 -1200',
      '3003 -10000',
      '2631 -600',
      '2421 -50000',
      '2890 -5000',
      '3740 -40',
    ]);
  });

  test.each([
    // 99,99 × 25 / 125 = 19,998; 0,14 × 12 / 112 = 0,015, which goes up; 33,33 × 6 / 106 = 1,8866.
    [25, 99.99, 2_000],
    [12, 0.14, 2],
    [12, 0.01, 0],
    [6, 33.33, 189],
    [0, 50, 0],
  ])('holds of %s % on %s kr so many öre of VAT: %s', (vatRate, amount, vatOre) => {
    const sent = body({ sales: [{ vatRate, amount }], payments: [{ method: 'card', amount }] });
    const read = parseTillReport(sent);
    expect('report' in read && tillRateSums(read.report)).toEqual([
      { vatRate, grossOre: BigInt(Math.round(amount * 100)), vatOre: BigInt(vatOre) },
    ]);
  });

  test('of returns alone goes the other way, with VAT rounded alike', () => {
    const sent = body({
      sales: [],
      returns: [{ vatRate: 12, amount: 0.14 }],
      payments: [{ method: 'cash', amount: -0.14 }],
    });
    expect(outcome(sent)).toEqual(['1910 -14', '3002 12', '2621 2']);
  });

  test('of a till with accounts of its own is on them, however the till is spelt', () => {
    const own = context(
      'card 1686, cash 1910, kassa-2/cash 1912, kassa-2/sales_25 3001, card_2 1580',
    );
    const sent = (tillId: string) =>
      body({
        tillId,
        payments: [
          { method: 'cash', amount: 100 },
          { method: 'card_2', amount: 25 },
        ],
      });
    expect(tillKeyOf('  KASSA  2 ')).toBe('kassa-2');
    expect(outcome(sent(' Kassa 2'), own)).toEqual([
      '1912 10000',
      '1580 2500',
      '3001 -10000',
      '2611 -2500',
    ]);
    expect(outcome(sent('Kassa 3'), own)[0]).toBe('1910 10000');
  });

  test('of a day when nothing was sold has no rows', () => {
    expect(outcome(body({ sales: [], payments: [] }))).toEqual([]);
    expect(outcome({ tillId: 'K', zNumber: 0, date: '2026-03-31' })).toEqual([]);
  });

  test('balances, and has the VAT that its rates say, whatever was sold', () => {
    const ore = fc.integer({ min: 0, max: 50_000_000 });
    const sales = fc.array(fc.record({ vatRate: fc.constantFrom(25, 12, 6, 0), amount: ore }), {
      maxLength: 6,
    });
    const given = fc.record({
      sales,
      returns: sales,
      gift: ore,
      tips: ore,
      rounding: fc.integer({ min: -50, max: 50 }),
      card: ore,
      moved: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(given, ({ sales, returns, gift, tips, rounding, card, moved }) => {
        const inKronor = (rows: { vatRate: number; amount: number }[]) =>
          rows.map(({ vatRate, amount }) => ({ vatRate, amount: amount / 100 }));
        const total = (rows: { amount: number }[]) =>
          rows.reduce((all, { amount }) => all + amount, 0);
        const due = total(sales) - total(returns) + gift + tips + rounding;
        const read = parseTillReport(
          body({
            ...{ sales: inKronor(sales), returns: inKronor(returns) },
            ...{ giftCardsSold: gift / 100, tips: tips / 100, rounding: rounding / 100 },
            payments: [
              { method: 'card', amount: card / 100 },
              { method: 'cash', amount: (due - card) / 100 },
            ],
            movements: [{ kind: 'bank', amount: moved / 100 }],
          }),
        );
        if ('problems' in read) throw new Error(JSON.stringify(read.problems));
        const decision = decideTillReport(
          read.report,
          context('card 1686, cash 1910, bank 1930, gift_card 2421, tip 2890, sales_0 3004'),
        );
        if (decision.kind === 'stopped') throw new Error(decision.reason);
        const { rows } = decision;
        if (rows.length > 0) expect(checkVoucher(rows)).toEqual([]);
        for (const [account, rate] of [
          [2611, 25],
          [2621, 12],
          [2631, 6],
        ] as const) {
          const gross = BigInt(
            total(sales.filter(({ vatRate }) => vatRate === rate)) -
              total(returns.filter(({ vatRate }) => vatRate === rate)),
          );
          const booked = sum(
            rows
              .filter((row) => row.account === account)
              .map(({ debitOre, creditOre }) => creditOre - debitOre),
          );
          // Within half an öre of what the sum contains.
          const off = booked * BigInt(100 + rate) - gross * BigInt(rate);
          expect(2n * (off < 0n ? -off : off) <= BigInt(100 + rate)).toBe(true);
        }
      }),
    );
  });
});

describe('stops', () => {
  test('with every fault of its form', () => {
    const sent = {
      tillId: ' ',
      zNumber: 1.5,
      date: '2026-02-30',
      currency: 'EUR',
      sales: [{ vatRate: 0.25, amount: -1 }, { vatRate: 24 }],
      tips: -1,
      payments: [{ amount: 0.001 }],
      movements: 'x',
    };
    expect(outcome(sent)).toEqual([
      'invalid_report',
      'tillId required',
      'zNumber not_a_count',
      'date invalid_date',
      'sales[0].vatRate vat_rate_not_supported',
      'sales[0].amount below_zero',
      'sales[1].vatRate vat_rate_not_supported',
      'sales[1].amount required',
      'tips below_zero',
      'payments[0].method required',
      'payments[0].amount too_many_decimals',
      'movements wrong_type',
      'currency till_in_other_currency',
    ]);
    expect(outcome([])).toEqual(['invalid_report', ' wrong_type']);
  });

  test('when sums by rate and by means differ by an öre, and says by how much', () => {
    const sent = body({ payments: [{ method: 'card', amount: 125.01 }] });
    expect(outcome(sent)).toEqual(['sums_differ', 'payments till_sums_differ']);
    const read = parseTillReport(sent);
    const [fault] = 'problems' in read ? read.problems : [];
    expect(fault && sentenceFor('api', fault).replaceAll(/\s/g, ' ')).toContain(
      '(skillnad 0,01 kr)',
    );
  });

  test('when more is rounded than its receipts can be, or VAT differs by more than half an öre each', () => {
    const rounded = (rounding: number) =>
      outcome(
        body({
          ...{ rounding, receiptCount: 2 },
          payments: [{ method: 'cash', amount: 125 + rounding }],
        }),
      );
    expect(rounded(1)).toHaveLength(4);
    expect(rounded(1.01)).toEqual(['sums_differ', 'rounding till_rounding_too_large']);
    const vat = (told: number, receiptCount?: number) =>
      outcome(body({ sales: [{ vatRate: 25, amount: 125, vat: told }], receiptCount }));
    expect(vat(25)).toHaveLength(3);
    expect(vat(25.02, 4)).toHaveLength(3);
    expect(vat(25.03, 4)).toEqual(['sums_differ', 'sales till_vat_differs']);
    expect(vat(24.99)).toEqual(['sums_differ', 'sales till_vat_differs']);
  });

  test('when what it names has no account, or one that cannot be used', () => {
    const sent = body({
      payments: [
        { method: 'rikskupong', amount: 25 },
        { method: 'card', amount: 100 },
      ],
      movements: [{ kind: 'utlägg', amount: -10 }],
    });
    expect(outcome(sent)).toEqual([
      'means_unknown',
      'payments[0].method till_means_unknown',
      'movements[0].kind till_means_unknown',
    ]);
    expect(outcome(body({ sales: [{ vatRate: 0, amount: 125 }] }))).toEqual([
      'means_unknown',
      'sales till_sale_without_vat',
    ]);
    expect(outcome(body(), context('card 1687'))).toEqual([
      'account_missing',
      'payments[0].method till_account_missing',
    ]);
    expect(outcome(body(), context('card 1686, sales_25 3002'))).toEqual([
      'account_missing',
      'sales till_sales_account',
    ]);
  });

  test('on a day that has not come, or is in no fiscal year', () => {
    expect(outcome(body({ date: '2026-04-01' }))).toHaveLength(3);
    expect(outcome(body({ date: '2026-04-02' }))).toEqual(['date_in_future', 'date in_the_future']);
    expect(outcome(body({ date: '2025-12-31' }))).toEqual([
      'date_outside_fiscal_year',
      'date till_outside_fiscal_year',
    ]);
  });
});

test('accounts are read as they are written, and those of the wrong kind are refused', () => {
  expect([...(readTillAccounts(' Card 1686 ,, kassa-2/cash 1912') ?? [])]).toEqual([
    ['card', 1686],
    ['kassa-2/cash', 1912],
  ]);
  for (const wrong of [
    'card',
    'card 1510',
    'card 3001',
    'tip 1930',
    'tip 2611',
    'tip 2440',
    'kassa-2/tip 2099',
    'sales_24 3001',
    'sales_25 1930',
    'sales_25 3740',
    'card 1686, card 1580',
  ]) {
    expect(readTillAccounts(wrong), wrong).toBeNull();
  }
});
