/** How long to wait between attempts to deliver a webhook: often at first, three days in all. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const delays_ms = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
];

/** From the first attempt to the last, at least. */
export const total_ms = delays_ms.reduce((sum, delay) => sum + delay, 0);

/** The share by which a wait may be longer, so that those that failed together do not return together. */
const spread = 0.1;

/**
 * Milliseconds from a failed attempt (1 is the first) to the next; null when it was the last.
 * `random` is from 0 up to 1.
 */
export function delayAfter(attempt: number, random: number): number | null {
  const delay = delays_ms[attempt - 1];
  return delay === undefined ? null : Math.round(delay * (1 + spread * random));
}
