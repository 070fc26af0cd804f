import { describe, expect, test } from 'vitest';
import {
  formatPaymentAccount,
  normalizePaymentAccount,
} from '#src/domain/basics/payment-accounts.ts';
import { accountTypesOf } from '#src/domain/ledger/account.ts';
import { nextYearAfter, yearProblems } from '#src/domain/ledger/fiscal-year.ts';

describe('where a supplier is paid', () => {
  test.each([
    // Vectors of Bankgirot and ISO 13616, domain facts §4.
    ['bankgiro', '5805-6201', '58056201'],
    ['bankgiro', '991-2346', '9912346'],
    ['bankgiro', '991-2347', null],
    ['bankgiro', '12-1', null],
    ['plusgiro', '5805620-1', '58056201'],
    ['plusgiro', '5805620-2', null],
    ['iban', 'SE45 5000 0000 0583 9825 7466', 'SE4550000000058398257466'],
    ['iban', 'SE5180000810512345678901', null],
    ['iban', 'SE45 5000 0000 0583 9825 746', null],
    ['iban', 'DE89370400440532013000', 'DE89370400440532013000'],
    ['other', '8327-9 123 456', '83279123456'],
    ['other', '<b>', null],
  ] as const)('%s %s', (kind, typed, expected) => {
    expect(normalizePaymentAccount(kind, typed)).toBe(expected);
  });

  test('is shown as people write it', () => {
    expect(formatPaymentAccount('bankgiro', '58056201')).toBe('5805-6201');
    expect(formatPaymentAccount('plusgiro', '58056201')).toBe('5 80 56 20-1');
    expect(formatPaymentAccount('iban', 'SE4550000000058398257466')).toBe(
      'SE45 5000 0000 0583 9825 7466',
    );
  });
});

test('the number of an account says what it can be', () => {
  expect(accountTypesOf(1930)).toEqual(['asset']);
  expect(accountTypesOf(2081)[0]).toBe('equity');
  expect(accountTypesOf(2440)[0]).toBe('liability');
  expect(accountTypesOf(3001)).toEqual(['revenue']);
  expect(accountTypesOf(5010)).toEqual(['cost']);
  expect(accountTypesOf(8410)[0]).toBe('cost');
  expect(accountTypesOf(9000)).toEqual([]);
});

describe('fiscal years', () => {
  const of2026 = { year: 2026, start: '2026-01-01', end: '2026-12-31' };
  test('the next one begins the day after and is twelve months', () => {
    expect(nextYearAfter(of2026)).toEqual({ year: 2027, start: '2027-01-01', end: '2027-12-31' });
    expect(nextYearAfter({ end: '2027-06-30' })).toEqual({
      year: 2028,
      start: '2027-07-01',
      end: '2028-06-30',
    });
    expect(nextYearAfter({ end: '2027-02-28' }).end).toBe('2028-02-29');
  });

  test.each([
    ['2027-01-15', '2027-12-31', 'year_starts_within_month'],
    ['2027-01-01', '2027-12-30', 'year_ends_within_month'],
    ['2027-01-01', '2026-01-31', 'before_start'],
    ['2027-01-01', '2028-07-31', 'year_too_long'],
    ['2026-07-01', '2027-06-30', 'year_overlaps'],
    ['2028-01-01', '2028-12-31', 'gap_between_years'],
  ])('%s–%s is refused: %s', (start, end, reason) => {
    expect(yearProblems({ start, end }, [of2026]).map((problem) => problem.reason)).toContain(
      reason,
    );
  });

  test.each([
    ['2027-01-01', '2027-12-31'],
    ['2027-01-01', '2028-06-30'],
    ['2025-07-01', '2025-12-31'],
  ])('%s–%s is right beside 2026', (start, end) => {
    expect(yearProblems({ start, end }, [of2026])).toEqual([]);
  });
});
