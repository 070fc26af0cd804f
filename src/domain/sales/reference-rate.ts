/** Half-years of the reference rate: which are known, and which somebody must add (räntelagen 9 §). */
import { addDays, join, split } from '../basics/dates.ts';

export interface HalfYear {
  readonly from: string;
  readonly to: string;
}

/** The half of the calendar year that a date lies in. */
export function halfYearOf(date: string): HalfYear {
  const { year, month } = split(date);
  return month <= 6
    ? { from: join({ year, month: 1, day: 1 }), to: join({ year, month: 6, day: 30 }) }
    : { from: join({ year, month: 7, day: 1 }), to: join({ year, month: 12, day: 31 }) };
}

export const halfYearAfter = ({ to }: HalfYear): HalfYear => halfYearOf(addDays(to, 1));

/** `första halvåret 2026` */
export const halfYearInWords = ({ from }: HalfYear): string =>
  `${from.slice(5, 7) === '01' ? 'första' : 'andra'} halvåret ${from.slice(0, 4)}`;

/** Those of this half-year and the next that no rate is known for. */
export function missingHalfYears(
  known: readonly { readonly validFrom: string; readonly validTo: string }[],
  today: string,
): { readonly current: HalfYear | null; readonly next: HalfYear | null } {
  const current = halfYearOf(today);
  const next = halfYearAfter(current);
  const isKnown = ({ from, to }: HalfYear) =>
    known.some(({ validFrom, validTo }) => validFrom <= from && validTo >= to);
  return { current: isKnown(current) ? null : current, next: isKnown(next) ? null : next };
}

/** Riksbanken's own rate rounded up to half a percentage point, so always a multiple of it. */
export const isReferenceRate = (percentE2: bigint): boolean =>
  percentE2 % 50n === 0n && percentE2 >= -1_000n && percentE2 <= 5_000n;
