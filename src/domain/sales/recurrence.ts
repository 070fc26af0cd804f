/** When an invoice that recurs is made, and which stretch of time each is about. Pure. */
import { addDays, addMonths } from '../basics/dates.ts';

/** Every so many weeks or months, from a day on. */
export interface Recurrence {
  /** The day of the first; later months keep its day, or end where they are shorter. */
  readonly anchor: string;
  readonly unit: 'week' | 'month';
  /** 1–24. */
  readonly count: number;
}

/** The day of the one that comes `nth` after the first (0 is the first). A shorter month moves no later day. */
export function occurrence({ anchor, unit, count }: Recurrence, nth: number): string {
  const steps = count * nth;
  return unit === 'week' ? addDays(anchor, steps * 7) : addMonths(anchor, steps);
}

/** First and last day. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** From the day of the `nth` to the day before the next. */
export const periodOf = (recurrence: Recurrence, nth: number): Period => ({
  from: occurrence(recurrence, nth),
  to: addDays(occurrence(recurrence, nth + 1), -1),
});
