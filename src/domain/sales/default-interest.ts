/** Default interest on an overdue invoice: räntelagen (1975:635). Simple, by the day, on what is unpaid. */
import { addDays, cutDays, daysBetween } from '../basics/dates.ts';
import { divideRounded, type Ore, sum } from '../basics/money.ts';

/** A reference rate, in hundredths of a percentage point, and the half-year it holds for. */
export interface RatePeriod {
  readonly validFrom: string;
  readonly validTo: string;
  readonly percentE2: bigint;
}

export interface InterestClaim {
  /** What was due, with VAT and without reminder fees: fees bear no interest. */
  readonly amountOre: Ore;
  /** Interest runs from the day after (`interestStart`); null when there is no right to any. */
  readonly after: string | null;
  readonly dueDate: string;
  /** The last day that interest is counted for. */
  readonly to: string;
  /** Everything that has lessened the debt, credits too. */
  readonly payments: readonly { readonly date: string; readonly amountOre: Ore }[];
  /** A rate that was agreed on, in hundredths of a percentage point; null when none was. */
  readonly agreedRateE2: bigint | null;
  readonly referenceRates: readonly RatePeriod[];
}

/** A stretch of days with one rate and one balance. Both days are counted. */
export interface InterestSegment {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly rateE2: bigint;
  readonly balanceOre: Ore;
  readonly interestOre: Ore;
}

export interface Interest {
  /** The sum of the segments as they are rounded. */
  readonly amountOre: Ore;
  /** Days that bear interest. */
  readonly days: number;
  /** The first day that may bear interest; without a right to any, the day after the due date. */
  readonly fromDate: string;
  readonly toDate: string;
  readonly rateSource: 'avtalad' | 'rantelagen';
  readonly segments: readonly InterestSegment[];
  /** Stretches that a rate is not known for, which therefore bear no interest. */
  readonly missingPeriods: readonly { readonly from: string; readonly to: string }[];
}

/** Räntelagen 6 §: the reference rate and eight percentage points. */
const statutoryMarginE2 = 800n;
/** The act says "per year"; courts and creditors count actual days of 365. */
const daysPerYear = 365n;
const e2PerWhole = 10_000n;

export function defaultInterest(claim: InterestClaim): Interest {
  const { after, dueDate, to, agreedRateE2 } = claim;
  const fromDate = addDays(after ?? dueDate, 1);
  const stretches = after === null || to < fromDate ? [] : stretchesOf(claim, fromDate);
  const segments: InterestSegment[] = [];
  const missingPeriods: { from: string; to: string }[] = [];
  for (const { from, until, rateE2, balanceOre } of stretches) {
    if (balanceOre <= 0n) continue;
    if (rateE2 === null) {
      const last = missingPeriods.at(-1);
      if (last && addDays(last.to, 1) === from) last.to = until;
      else missingPeriods.push({ from, to: until });
      continue;
    }
    const days = daysBetween(from, until) + 1;
    const interestOre = divideRounded(balanceOre * rateE2 * BigInt(days), e2PerWhole * daysPerYear);
    segments.push({ from, to: until, days, rateE2, balanceOre, interestOre });
  }
  return {
    amountOre: sum(segments.map(({ interestOre }) => interestOre)),
    days: segments.reduce((total, { days }) => total + days, 0),
    fromDate,
    toDate: to,
    rateSource: agreedRateE2 === null ? 'rantelagen' : 'avtalad',
    segments,
    missingPeriods,
  };
}

interface Stretch {
  readonly from: string;
  readonly until: string;
  readonly rateE2: bigint | null;
  readonly balanceOre: Ore;
}

/** The days from `first` cut wherever the rate or the balance changes, and nowhere else. */
function stretchesOf(claim: InterestClaim, first: string): Stretch[] {
  const { to, payments, agreedRateE2, referenceRates } = claim;
  const rateOn = (day: string): bigint | null => {
    if (agreedRateE2 !== null) return agreedRateE2;
    const known = referenceRates.find(
      ({ validFrom, validTo }) => validFrom <= day && day <= validTo,
    );
    return known ? known.percentE2 + statutoryMarginE2 : null;
  };
  // A payment still owes interest for its own day, so the new balance holds from the next.
  const balanceOn = (day: string): Ore =>
    claim.amountOre -
    sum(payments.filter(({ date }) => date < day).map(({ amountOre }) => amountOre));
  const starts = payments.map(({ date }) => addDays(date, 1));
  if (agreedRateE2 === null) {
    starts.push(
      ...referenceRates.flatMap(({ validFrom, validTo }) => [validFrom, addDays(validTo, 1)]),
    );
  }
  const stretches: Stretch[] = [];
  for (const { from, to: until } of cutDays(first, to, starts)) {
    const stretch = { from, until, rateE2: rateOn(from), balanceOre: balanceOn(from) };
    const last = stretches.at(-1);
    if (last && last.rateE2 === stretch.rateE2 && last.balanceOre === stretch.balanceOre) {
      stretches[stretches.length - 1] = { ...last, until };
    } else {
      stretches.push(stretch);
    }
  }
  return stretches;
}
