/** How long to wait between attempts to deliver a webhook: often at first, three days in all. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const delaysMs = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  20 * hour,
];

/** From the first attempt to the last, at least. */
export const totalMs = delaysMs.reduce((sum, delay) => sum + delay, 0);

/** The share by which a wait may be longer, so that those that failed together do not return together. */
const spread = 0.1;

/**
 * Milliseconds from a failed attempt (1 is the first) to the next; null when it was the last.
 * `random` is from 0 up to 1.
 */
export function delayAfter(attempt: number, random: number): number | null {
  const delay = delaysMs[attempt - 1];
  return delay === undefined ? null : Math.round(delay * (1 + spread * random));
}
