import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '#src/domain/basics/dates.ts';
import { defaultInterest } from '#src/domain/sales/default-interest.ts';
import { readReferenceRates } from '#src/sales/interest/reference-rates.ts';

const referenceRates = await readReferenceRates();

interface Vector {
  readonly name: string;
  readonly ore: bigint;
  readonly due: string;
  readonly to: string;
  readonly payments: [date: string, ore: bigint][];
  /** Hundredths of a percentage point. */
  readonly agreed: bigint | null;
  /** interest = balance × rate ÷ 10 000 × days ÷ 365, each rounded to the öre. */
  readonly segments: [balance: bigint, rate: bigint, days: number, interest: bigint][];
  readonly sum: bigint;
}

/** Worked out day by day by another program, in decimal arithmetic. */
const vectors: Vector[] = [
  {
    name: 'the worked example',
    ore: 1_250_000n,
    due: '2024-11-30',
    to: '2025-08-31',
    payments: [],
    agreed: null,
    segments: [
      [1_250_000n, 1200n, 31, 12_740n],
      [1_250_000n, 1100n, 181, 68_185n],
      [1_250_000n, 1000n, 62, 21_233n],
    ],
    sum: 102_158n,
  },
  {
    name: 'one day late',
    ore: 100_000n,
    due: '2026-01-31',
    to: '2026-02-01',
    payments: [],
    agreed: null,
    segments: [[100_000n, 1000n, 1, 27n]],
    sum: 27n,
  },
  {
    name: 'on the due date',
    ore: 100_000n,
    due: '2026-01-31',
    to: '2026-01-31',
    payments: [],
    agreed: null,
    segments: [],
    sum: 0n,
  },
  {
    name: 'before the due date',
    ore: 100_000n,
    due: '2026-01-31',
    to: '2026-01-15',
    payments: [],
    agreed: null,
    segments: [],
    sum: 0n,
  },
  {
    name: 'a whole year of one rate',
    ore: 1_000_000n,
    due: '2020-06-30',
    to: '2021-06-30',
    payments: [],
    agreed: null,
    segments: [[1_000_000n, 800n, 365, 80_000n]],
    sum: 80_000n,
  },
  {
    name: 'a leap day counts as any day',
    ore: 1_000_000n,
    due: '2024-02-28',
    to: '2024-02-29',
    payments: [],
    agreed: null,
    segments: [[1_000_000n, 1200n, 1, 329n]],
    sum: 329n,
  },
  {
    name: 'February of a leap year',
    ore: 1_000_000n,
    due: '2024-01-31',
    to: '2024-02-29',
    payments: [],
    agreed: null,
    segments: [[1_000_000n, 1200n, 29, 9_534n]],
    sum: 9_534n,
  },
  {
    name: 'February of another',
    ore: 1_000_000n,
    due: '2023-01-31',
    to: '2023-02-28',
    payments: [],
    agreed: null,
    segments: [[1_000_000n, 1050n, 28, 8_055n]],
    sum: 8_055n,
  },
  {
    name: 'a negative reference rate',
    ore: 1_000_000n,
    due: '2016-06-30',
    to: '2016-12-31',
    payments: [],
    agreed: null,
    segments: [[1_000_000n, 750n, 184, 37_808n]],
    sum: 37_808n,
  },
  {
    name: 'the rate rises in July',
    ore: 800_000n,
    due: '2022-06-15',
    to: '2022-07-15',
    payments: [],
    agreed: null,
    segments: [
      [800_000n, 800n, 15, 2_630n],
      [800_000n, 850n, 15, 2_795n],
    ],
    sum: 5_425n,
  },
  {
    name: 'the rate rises twice',
    ore: 800_000n,
    due: '2022-06-15',
    to: '2023-07-15',
    payments: [],
    agreed: null,
    segments: [
      [800_000n, 800n, 15, 2_630n],
      [800_000n, 850n, 184, 34_279n],
      [800_000n, 1050n, 181, 41_655n],
      [800_000n, 1150n, 15, 3_781n],
    ],
    sum: 82_345n,
  },
  {
    name: 'half-years of the same rate are one',
    ore: 800_000n,
    due: '2023-12-15',
    to: '2024-12-31',
    payments: [],
    agreed: null,
    segments: [
      [800_000n, 1150n, 16, 4_033n],
      [800_000n, 1200n, 366, 96_263n],
    ],
    sum: 100_296n,
  },
  {
    name: 'across New Year with the same rate',
    ore: 500_000n,
    due: '2025-11-30',
    to: '2026-03-31',
    payments: [],
    agreed: null,
    segments: [[500_000n, 1000n, 121, 16_575n]],
    sum: 16_575n,
  },
  {
    name: 'an öre',
    ore: 1n,
    due: '2025-12-31',
    to: '2026-12-31',
    payments: [],
    agreed: null,
    segments: [[1n, 1000n, 365, 0n]],
    sum: 0n,
  },
  {
    name: 'a krona for a day',
    ore: 100n,
    due: '2026-01-31',
    to: '2026-02-01',
    payments: [],
    agreed: null,
    segments: [[100n, 1000n, 1, 0n]],
    sum: 0n,
  },
  {
    name: 'half an öre goes up',
    ore: 1_825n,
    due: '2026-01-31',
    to: '2026-02-01',
    payments: [],
    agreed: 100n,
    segments: [[1_825n, 100n, 1, 0n]],
    sum: 0n,
  },
  {
    name: 'just below half an öre goes down',
    ore: 1_824n,
    due: '2026-01-31',
    to: '2026-02-01',
    payments: [],
    agreed: 100n,
    segments: [[1_824n, 100n, 1, 0n]],
    sum: 0n,
  },
  {
    name: 'the largest claim',
    ore: 999_999_999_999n,
    due: '2025-12-31',
    to: '2026-06-30',
    payments: [],
    agreed: null,
    segments: [[999_999_999_999n, 1000n, 181, 49_589_041_096n]],
    sum: 49_589_041_096n,
  },
  {
    name: 'an agreed rate',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [],
    agreed: 2400n,
    segments: [[1_000_000n, 2400n, 59, 38_795n]],
    sum: 38_795n,
  },
  {
    name: 'an agreed rate with decimals',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [],
    agreed: 1275n,
    segments: [[1_000_000n, 1275n, 59, 20_610n]],
    sum: 20_610n,
  },
  {
    name: 'an agreed rate across New Year',
    ore: 1_000_000n,
    due: '2025-11-30',
    to: '2026-01-31',
    payments: [],
    agreed: 200n,
    segments: [[1_000_000n, 200n, 62, 3_397n]],
    sum: 3_397n,
  },
  {
    name: 'an agreed rate of nothing',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [],
    agreed: 0n,
    segments: [[1_000_000n, 0n, 59, 0n]],
    sum: 0n,
  },
  {
    name: 'a part payment',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-02-28', 400_000n]],
    agreed: null,
    segments: [
      [1_000_000n, 1000n, 28, 7_671n],
      [600_000n, 1000n, 31, 5_096n],
    ],
    sum: 12_767n,
  },
  {
    name: 'two payments',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-04-30',
    payments: [
      ['2026-02-15', 250_000n],
      ['2026-03-15', 250_000n],
    ],
    agreed: null,
    segments: [
      [1_000_000n, 1000n, 15, 4_110n],
      [750_000n, 1000n, 28, 5_753n],
      [500_000n, 1000n, 46, 6_301n],
    ],
    sum: 16_164n,
  },
  {
    name: 'two payments on one day',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [
      ['2026-02-28', 100_000n],
      ['2026-02-28', 300_000n],
    ],
    agreed: null,
    segments: [
      [1_000_000n, 1000n, 28, 7_671n],
      [600_000n, 1000n, 31, 5_096n],
    ],
    sum: 12_767n,
  },
  {
    name: 'a payment before the due date',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-01-10', 400_000n]],
    agreed: null,
    segments: [[600_000n, 1000n, 59, 9_699n]],
    sum: 9_699n,
  },
  {
    name: 'a payment on the due date',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-01-31', 400_000n]],
    agreed: null,
    segments: [[600_000n, 1000n, 59, 9_699n]],
    sum: 9_699n,
  },
  {
    name: 'a payment on the first day of interest',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-02-01', 400_000n]],
    agreed: null,
    segments: [
      [1_000_000n, 1000n, 1, 274n],
      [600_000n, 1000n, 58, 9_534n],
    ],
    sum: 9_808n,
  },
  {
    name: 'a payment on the last day',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-03-31', 400_000n]],
    agreed: null,
    segments: [[1_000_000n, 1000n, 59, 16_164n]],
    sum: 16_164n,
  },
  {
    name: 'a payment after the last day',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-04-01', 400_000n]],
    agreed: null,
    segments: [[1_000_000n, 1000n, 59, 16_164n]],
    sum: 16_164n,
  },
  {
    name: 'paid in full late',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-02-28', 1_000_000n]],
    agreed: null,
    segments: [[1_000_000n, 1000n, 28, 7_671n]],
    sum: 7_671n,
  },
  {
    name: 'paid too much',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-03-31',
    payments: [['2026-02-28', 1_000_100n]],
    agreed: null,
    segments: [[1_000_000n, 1000n, 28, 7_671n]],
    sum: 7_671n,
  },
  {
    name: 'a payment on the last day of a rate',
    ore: 1_000_000n,
    due: '2025-05-31',
    to: '2025-08-31',
    payments: [['2025-06-30', 500_000n]],
    agreed: null,
    segments: [
      [1_000_000n, 1100n, 30, 9_041n],
      [500_000n, 1000n, 62, 8_493n],
    ],
    sum: 17_534n,
  },
  {
    name: 'a payment on the first day of a rate',
    ore: 1_000_000n,
    due: '2025-05-31',
    to: '2025-08-31',
    payments: [['2025-07-01', 500_000n]],
    agreed: null,
    segments: [
      [1_000_000n, 1100n, 30, 9_041n],
      [1_000_000n, 1000n, 1, 274n],
      [500_000n, 1000n, 61, 8_356n],
    ],
    sum: 17_671n,
  },
  {
    name: 'a payment taken back',
    ore: 1_000_000n,
    due: '2026-01-31',
    to: '2026-04-30',
    payments: [
      ['2026-02-15', 500_000n],
      ['2026-03-15', -500_000n],
    ],
    agreed: null,
    segments: [
      [1_000_000n, 1000n, 15, 4_110n],
      [500_000n, 1000n, 28, 3_836n],
      [1_000_000n, 1000n, 46, 12_603n],
    ],
    sum: 20_549n,
  },
  {
    name: 'twenty years',
    ore: 100_000n,
    due: '2003-01-15',
    to: '2023-01-15',
    payments: [],
    agreed: null,
    segments: [
      [100_000n, 1200n, 166, 5_458n],
      [100_000n, 1100n, 366, 11_030n],
      [100_000n, 1000n, 365, 10_000n],
      [100_000n, 950n, 365, 9_500n],
      [100_000n, 1050n, 184, 5_293n],
      [100_000n, 1100n, 181, 5_455n],
      [100_000n, 1150n, 184, 5_797n],
      [100_000n, 1200n, 182, 5_984n],
      [100_000n, 1250n, 184, 6_301n],
      [100_000n, 1000n, 181, 4_959n],
      [100_000n, 850n, 549, 12_785n],
      [100_000n, 950n, 181, 4_711n],
      [100_000n, 1000n, 366, 10_027n],
      [100_000n, 950n, 184, 4_789n],
      [100_000n, 900n, 730, 18_000n],
      [100_000n, 800n, 547, 11_989n],
      [100_000n, 750n, 1095, 22_500n],
      [100_000n, 800n, 1096, 24_022n],
      [100_000n, 850n, 184, 4_285n],
      [100_000n, 1050n, 15, 432n],
    ],
    sum: 183_317n,
  },
  {
    name: 'rounded by segment, not as a whole',
    ore: 3_333n,
    due: '2024-11-30',
    to: '2025-08-31',
    payments: [],
    agreed: null,
    segments: [
      [3_333n, 1200n, 31, 34n],
      [3_333n, 1100n, 181, 182n],
      [3_333n, 1000n, 62, 57n],
    ],
    sum: 273n,
  },
];

const interestOf = ({
  ore,
  due,
  to,
  payments,
  agreed,
}: Omit<Vector, 'name' | 'segments' | 'sum'>) =>
  defaultInterest({
    amountOre: ore,
    after: due,
    dueDate: due,
    to,
    payments: payments.map(([date, amountOre]) => ({ date, amountOre })),
    agreedRateE2: agreed,
    referenceRates,
  });

describe('default interest', () => {
  test.each(vectors)('$name', ({ segments, sum, ...claim }) => {
    const interest = interestOf(claim);
    expect(
      interest.segments.map(({ balanceOre, rateE2, days, interestOre }) => [
        balanceOre,
        rateE2,
        days,
        interestOre,
      ]),
    ).toEqual(segments);
    expect(interest.amountOre).toBe(sum);
    expect(interest.missingPeriods).toEqual([]);
    expect(interest.rateSource).toBe(claim.agreed === null ? 'rantelagen' : 'avtalad');
  });

  test('begins the day after the due date and counts the last day', () => {
    const claim = { ore: 100_000n, due: '2026-01-31', payments: [], agreed: null };
    expect(interestOf({ ...claim, to: '2026-02-10' })).toMatchObject({
      fromDate: '2026-02-01',
      toDate: '2026-02-10',
      days: 10,
      segments: [{ from: '2026-02-01', to: '2026-02-10', days: 10 }],
    });
  });

  test('says which days no rate is known for, and asks nothing for them', () => {
    const claim = { ore: 100_000n, payments: [], agreed: null };
    const after = interestOf({ ...claim, due: '2026-11-30', to: '2027-03-31' });
    expect(after.missingPeriods).toEqual([{ from: '2027-01-01', to: '2027-03-31' }]);
    expect(after.segments.map(({ to }) => to)).toEqual(['2026-12-31']);
    const before = interestOf({ ...claim, due: '2002-01-31', to: '2002-07-31' });
    expect(before.missingPeriods).toEqual([{ from: '2002-02-01', to: '2002-06-30' }]);
  });

  test('misses nothing when the rate was agreed', () => {
    const claim = { ore: 100_000n, payments: [], agreed: 1_000n };
    expect(interestOf({ ...claim, due: '2026-11-30', to: '2027-03-31' }).missingPeriods).toEqual(
      [],
    );
  });

  test('has segments that follow each other, never overlap, and cover every day that bears any', () => {
    const day = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays('2016-01-01', days));
    const payment = fc.tuple(day, fc.bigInt(1n, 500_000n));
    fc.assert(
      fc.property(
        fc.bigInt(1n, 1_000_000n),
        day,
        day,
        fc.array(payment, { maxLength: 5 }),
        (ore, due, to, payments) => {
          const interest = interestOf({ ore, due, to, payments, agreed: null });
          interest.segments.forEach((segment, index) => {
            const last = interest.segments[index - 1];
            expect(segment.from <= segment.to).toBe(true);
            if (last) expect(segment.from > last.to).toBe(true);
            expect(segment.balanceOre > 0n).toBe(true);
          });
          const [first] = interest.segments;
          if (first) expect(first.from >= interest.fromDate).toBe(true);
          const last = interest.segments.at(-1);
          if (last) expect(last.to <= to).toBe(true);
        },
      ),
    );
  });
});
