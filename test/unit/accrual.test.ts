/** Amounts over months: which days they are posted on, and that nothing is lost of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '#src/domain/basics/money.ts';
import {
  type AccrualPlan,
  accrualAccounts,
  accrualFaults,
  accrualKinds,
  isPrepaid,
  notBefore,
  plannedPostings,
  sharesOf,
} from '#src/domain/ledger/accrual.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';

const plan = (overrides: Partial<AccrualPlan>): AccrualPlan => ({
  kind: 'prepaid_cost',
  amountOre: 100_00n,
  firstMonth: '2026-01-01',
  months: 3,
  movedOn: overrides.kind && !isPrepaid(overrides.kind) ? null : '2026-01-15',
  sharesOn: 'last',
  ...overrides,
});
const told = (given: AccrualPlan, from: string | null = null): string[] =>
  notBefore(plannedPostings(given), from).map(
    ({ part, date, resultOre }) => `${date} ${part} ${resultOre}`,
  );

describe('the days', () => {
  test('of a cost paid ahead: it leaves its account, and each month takes its share as it ends', () => {
    expect(told(plan({}))).toEqual([
      '2026-01-15 move -10000',
      '2026-01-31 share 3333',
      '2026-02-28 share 3333',
      '2026-03-31 share 3334',
    ]);
  });

  test('of a cost of next year, moved as the year ends: it is back on the first day of the next', () => {
    const rent = { firstMonth: '2027-01-01', months: 1, movedOn: '2026-12-31' };
    expect(told(plan({ ...rent, sharesOn: 'first' }))).toEqual([
      '2026-12-31 move -10000',
      '2027-01-01 share 10000',
    ]);
  });

  test('of income received ahead: the other way round', () => {
    expect(told(plan({ kind: 'prepaid_income', months: 2 }))).toEqual([
      '2026-01-15 move 10000',
      '2026-01-31 share -5000',
      '2026-02-28 share -5000',
    ]);
  });

  test('of a cost whose invoice comes later: it goes back the day after the last month', () => {
    const power = { kind: 'accrued_cost', firstMonth: '2026-11-01', months: 2 } as const;
    expect(told(plan(power))).toEqual([
      '2026-11-30 share 5000',
      '2026-12-31 share 5000',
      '2027-01-01 back -10000',
    ]);
    expect(told(plan({ ...power, kind: 'accrued_income' })).at(-1)).toBe('2027-01-01 back 10000');
  });

  test('of what wears out: nothing goes back', () => {
    const wears = plan({ kind: 'depreciation', firstMonth: '2028-02-01', months: 2 });
    expect(told(wears)).toEqual(['2028-02-29 share 5000', '2028-03-31 share 5000']);
  });

  test('that are locked are the day that somebody has said, the move first', () => {
    expect(told(plan({}), '2026-03-01')).toEqual([
      '2026-03-01 move -10000',
      '2026-03-01 share 3333',
      '2026-03-01 share 3333',
      '2026-03-31 share 3334',
    ]);
  });
});

const plans: fc.Arbitrary<AccrualPlan> = fc
  .record({
    kind: fc.constantFrom(...accrualKinds),
    months: fc.integer({ min: 1, max: 600 }),
    above: fc.bigInt({ min: 0n, max: 999_999_999_000n }),
    year: fc.integer({ min: 1990, max: 2400 }),
    month: fc.integer({ min: 1, max: 12 }),
    sharesOn: fc.constantFrom('first' as const, 'last' as const),
  })
  .map(({ kind, months, above, year, month, sharesOn }) => {
    const firstMonth = `${year}-${String(month).padStart(2, '0')}-01`;
    const amountOre = above + BigInt(months);
    return isPrepaid(kind)
      ? { kind, months, amountOre, firstMonth, movedOn: firstMonth, sharesOn }
      : { kind, months, amountOre, firstMonth, movedOn: null, sharesOn: 'last' };
  });

describe('whatever the amount and the months', () => {
  test('the shares come to the amount, none is less than an öre, and they differ by an öre at most', () => {
    fc.assert(
      fc.property(plans, ({ amountOre, months }) => {
        const shares = sharesOf(amountOre, months);
        expect(shares).toHaveLength(months);
        expect(sum(shares)).toBe(amountOre);
        const sorted = shares.toSorted((one, other) => (one < other ? -1 : 1));
        const [least = 0n, most = 0n] = [sorted[0], sorted.at(-1)];
        expect(least > 0n && most - least <= 1n).toBe(true);
      }),
    );
  });

  test('the result gets what it was to have, in the order of the days, in months that are all there', () => {
    fc.assert(
      fc.property(plans, (given) => {
        const postings = plannedPostings(given);
        const wears = given.kind === 'depreciation';
        expect(sum(postings.map(({ resultOre }) => resultOre))).toBe(wears ? given.amountOre : 0n);
        const days = postings.map(({ date }) => date);
        expect(days.toSorted()).toEqual(days);
        const months = postings
          .filter(({ part }) => part === 'share')
          .map(({ date }) => date.slice(0, 7));
        expect(new Set(months).size).toBe(given.months);
        expect(months[0]).toBe(given.firstMonth.slice(0, 7));
      }),
    );
  });
});

describe('what is wrong stands at its field', () => {
  const faults = (
    overrides: Partial<AccrualPlan> & { resultAccount?: number; balanceAccount?: number },
  ) =>
    accrualFaults({ resultAccount: 6310, balanceAccount: 1730, ...plan({}), ...overrides }).map(
      (fault) => `${fault.path}: ${sentenceFor('page', fault)}`,
    );

  test.each([
    ['nothing', { amountOre: 0n }, ['amount: Beloppet ska vara mer än noll.']],
    [
      'too little',
      { amountOre: 2n },
      ['amount: Beloppet räcker inte till ett öre i var och en av 3 månader.'],
    ],
    ['too long', { months: 601, amountOre: 100_000n }, ['months: Skriv ett antal månader, 1–600.']],
    [
      'moved when all months have taken their share',
      { movedOn: '2026-04-01' },
      [expect.stringContaining('movedOn: Den sista månaden slutar 2026-03-31')],
    ],
    ['since no day', { movedOn: null }, [expect.stringContaining('movedOn: Skriv dagen')]],
    [
      'moved, and wears out',
      {
        kind: 'depreciation',
        resultAccount: 7832,
        balanceAccount: 1229,
        movedOn: '2026-01-15',
      } as const,
      [expect.stringContaining('movedOn: Lämna fältet tomt')],
    ],
    [
      'a cost on sales',
      { resultAccount: 3001 },
      [
        'resultAccount: Konto 3001 passar inte här; välj ett av 4000–8998, som inte följer fakturor eller moms.',
      ],
    ],
    [
      'on what follows invoices',
      { balanceAccount: 1510 },
      [expect.stringContaining('balanceAccount: Konto 1510 passar inte')],
    ],
    [
      'on money',
      { balanceAccount: 1930 },
      [expect.stringContaining('balanceAccount: Konto 1930 passar inte')],
    ],
    [
      'after all days',
      { firstMonth: '9999-01-01' },
      [expect.stringContaining('firstMonth: Välj en dag')],
    ],
    ['fine', {}, []],
  ])('%s', (_, overrides, expected) => {
    expect(faults(overrides)).toEqual(expected);
  });

  test('the usual accounts of a kind are among its own', () => {
    for (const kind of accrualKinds) {
      const { usualBalance, usualResult, result } = accrualAccounts[kind];
      const resultAccount = usualResult ?? result[0]?.[0] ?? 0;
      const accounts = { resultAccount, balanceAccount: usualBalance };
      expect(accrualFaults({ ...plan({ kind }), ...accounts })).toEqual([]);
    }
  });
});
