import { describe, expect, test } from 'vitest';
import type { VatRate } from '#src/domain/ledger/vat.ts';
import { dueInWords, type InvoiceStanding, invoiceState } from '#src/domain/sales/invoice-state.ts';
import { completeRows } from '#src/domain/sales/typed-draft.ts';

const today = '2026-11-20';
const unpaid: InvoiceStanding = {
  kind: 'invoice',
  status: 'booked',
  dueDate: '2026-11-20',
  totalOre: 100n,
  openOre: 100n,
  creditedOre: 0n,
  lostOre: 0n,
  isStopped: false,
};

describe('an invoice is', () => {
  test.each([
    ['unpaid on its due date', {}, 'unpaid'],
    ['overdue the day after', { dueDate: '2026-11-19' }, 'overdue'],
    ['overdue though part is paid', { dueDate: '2026-11-19', openOre: 1n }, 'overdue'],
    ['partly paid', { openOre: 99n }, 'partly_paid'],
    ['partly credited', { openOre: 60n, creditedOre: 40n }, 'partly_credited'],
    ['both', { openOre: 59n, creditedOre: 40n }, 'partly_paid_and_credited'],
    ['all credited, and a fee left', { openOre: 60n, creditedOre: 100n }, 'credited_and_open'],
    ['overdue though part is credited', { dueDate: '2026-11-19', creditedOre: 40n }, 'overdue'],
    ['unpaid with a fee on it', { openOre: 160n }, 'unpaid'],
    ['paid', { status: 'paid', openOre: 0n, dueDate: '2026-01-01' }, 'paid'],
    ['written off', { status: 'paid', openOre: 0n, lostOre: 100n }, 'written_off'],
    ['paid but for a loss', { status: 'paid', openOre: 0n, lostOre: 99n }, 'partly_written_off'],
    ['credited, though we owe the customer', { status: 'credited', openOre: -5n }, 'credited'],
    [
      'nothing to pay',
      { status: 'paid', totalOre: 0n, openOre: 0n, dueDate: '2026-01-01' },
      'nothing_due',
    ],
    ['a credit note', { kind: 'credit_note', openOre: 0n }, 'credit_note'],
    ['a draft', { status: 'draft', openOre: 0n }, 'draft'],
    ['a draft that was stopped', { status: 'draft', openOre: 0n, isStopped: true }, 'stopped'],
  ] as const)('%s', (_what, given, state) => {
    expect(invoiceState({ ...unpaid, ...given }, today)).toBe(state);
  });
});

test.each([
  ['2026-11-20', 'förfaller i dag'],
  ['2026-11-21', 'förfaller i morgon'],
  ['2026-11-25', 'förfaller om 5 dagar'],
  ['2026-11-19', 'förföll i går'],
  ['2026-11-08', 'förföll för 12 dagar sedan'],
])('%s %s', (dueDate, words) => {
  expect(dueInWords(dueDate, today)).toBe(words);
});

describe('a row that a person left things out of', () => {
  const registers = {
    articles: [
      {
        number: 'K1',
        description: 'Konsulttimme',
        account: 3041,
        unit: 'tim',
        unit_price_e4: 12_000_000n,
      },
      { number: 'K2', description: 'Resa', account: 3041, unit: null, unit_price_e4: null },
    ],
    accounts: [
      { number: 3041, vat_rate: 25 },
      { number: 3002, vat_rate: 12 },
      { number: 3004, vat_rate: null },
    ],
  };
  const typed = {
    articleNumber: null,
    description: null,
    quantityE4: 10_000n,
    unit: null,
    unitPriceE4: 10_000n,
    discountE2: 0n,
    vatRate: null,
    account: null,
  };

  test('has its description, account and rate from the article', () => {
    expect(completeRows([{ ...typed, articleNumber: 'K1' }], registers)).toEqual({
      rows: [expect.objectContaining({ description: 'Konsulttimme', account: 3041, vatRate: 25 })],
    });
  });

  test('has its unit from the article, unless one is typed; none is made up', () => {
    const counted = (articleNumber: string | null, unit: string | null) =>
      completeRows([{ ...typed, articleNumber, unit, description: 'Arbete' }], registers);
    expect(counted('K1', null)).toMatchObject({ rows: [{ unit: 'tim' }] });
    expect(counted('K1', 'dag')).toMatchObject({ rows: [{ unit: 'dag' }] });
    expect(counted('K2', null)).toMatchObject({ rows: [{ unit: null }] });
  });

  test('has its price from the article, unless one is typed or the article has none', () => {
    const priced = (articleNumber: string, unitPriceE4: bigint | null) =>
      completeRows([{ ...typed, articleNumber, unitPriceE4 }], registers);
    expect(priced('K1', null)).toMatchObject({ rows: [{ unitPriceE4: 12_000_000n }] });
    expect(priced('K1', 0n)).toMatchObject({ rows: [{ unitPriceE4: 0n }] });
    expect(priced('K2', null)).toEqual({
      problems: [
        {
          path: 'rows[0].unitPrice',
          reason: 'row_needs',
          params: { name: 'unitPrice', isExempt: false },
        },
      ],
    });
  });

  test('is sold on the usual account where nothing else is said and the chart has it', () => {
    const accounts = [...registers.accounts, { number: 3001, vat_rate: 25 }];
    const row = { ...typed, description: 'Annat' };
    expect(completeRows([row], { ...registers, accounts })).toMatchObject({
      rows: [{ account: 3001, vatRate: 25 }],
    });
    expect(completeRows([row], registers)).toMatchObject({
      problems: [{ path: 'rows[0].account' }],
    });
  });

  test('with a rate and no account is sold on the account of that rate, and without VAT on none', () => {
    const accounts = [25, 12, 6].map((rate, index) => ({ number: 3001 + index, vat_rate: rate }));
    const sold = (vatRate: VatRate) =>
      completeRows([{ ...typed, description: 'Lunch', vatRate }], { ...registers, accounts });
    expect(sold(25)).toMatchObject({ rows: [{ account: 3001, vatRate: 25 }] });
    expect(sold(12)).toMatchObject({ rows: [{ account: 3002, vatRate: 12 }] });
    expect(sold(6)).toMatchObject({ rows: [{ account: 3003, vatRate: 6 }] });
    expect(sold(0)).toMatchObject({
      problems: [{ path: 'rows[0].account', params: { name: 'account', isExempt: true } }],
    });
  });

  test('keeps what was typed, right or wrong', () => {
    const row = { ...typed, articleNumber: 'K1', description: 'Annat', account: 3002, vatRate: 6 };
    expect(completeRows([{ ...row, vatRate: 6 as const }], registers)).toEqual({
      rows: [expect.objectContaining({ description: 'Annat', account: 3002, vatRate: 6 })],
    });
  });

  test('bears no VAT on an account outside VAT', () => {
    expect(completeRows([{ ...typed, description: 'Export', account: 3004 }], registers)).toEqual({
      rows: [expect.objectContaining({ vatRate: 0 })],
    });
  });

  test('is told what no register knows, at its place', () => {
    const answer = completeRows(
      [
        { ...typed, articleNumber: 'K1' },
        { ...typed, articleNumber: 'OKÄND' },
      ],
      registers,
    );
    expect(answer).toMatchObject({
      problems: [
        { path: 'rows[1].description', reason: 'row_needs' },
        { path: 'rows[1].account', reason: 'row_needs' },
      ],
    });
  });
});
