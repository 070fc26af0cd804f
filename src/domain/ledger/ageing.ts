/** How old what is owed is, by the days since it fell due. */

import { daysBetween } from '../basics/dates.ts';
import type { Ore } from '../basics/money.ts';

/** Each from the day after the one before; the last has no end. */
const ends = [0, 30, 60, 90] as const;
export const ageLabels = [
  'Ej förfallet',
  '1–30 dagar',
  '31–60 dagar',
  '61–90 dagar',
  'Över 90 dagar',
] as const;

/** The place among the ages; what has no due day is not due. */
export function ageOf(dueDate: string | null, day: string): number {
  const late = dueDate === null ? 0 : daysBetween(dueDate, day);
  const place = ends.findIndex((end) => late <= end);
  return place === -1 ? ends.length : place;
}

/** What is open, under its age. */
export const agedAmounts = (openOre: Ore, dueDate: string | null, day: string): Ore[] => {
  const age = ageOf(dueDate, day);
  return ageLabels.map((_, place) => (place === age ? openOre : 0n));
};
