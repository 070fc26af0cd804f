/** How long a receiver asks to be left alone: `Retry-After`, of RFC 9110, 10.2.3. */

/** Longer waits than this are asked for in between: three days are to be three days, whatever a receiver says. */
const restMsMax = 3_600_000;

/** What it is heard with: it has too much to do, or is away. */
const busyStatuses = [429, 503];

/** Whole seconds, or a date as HTTP writes them (the last two are of before 1994). */
const seconds = /^\d{1,15}$/;
const date =
  /^(\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT|\w+, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT|\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

export interface RestAsked {
  readonly status: number;
  /** The headers Retry-After and Date. */
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

/**
 * Milliseconds, from 0 to an hour; 0 when nothing is asked for, or nothing that can be read. A date is held against
 * the receiver's own clock where it tells it, so that it does not matter whose of the two is wrong.
 */
export function restAskedFor(asked: RestAsked, now: Date): number {
  const text = asked.retryAfter?.trim() ?? '';
  if (!busyStatuses.includes(asked.status)) return 0;
  const ms = seconds.test(text)
    ? Number(text) * 1_000
    : (momentOf(text) ?? 0) - (momentOf(asked.date) ?? now.getTime());
  return Math.min(Math.max(ms, 0), restMsMax);
}

function momentOf(text = ''): number | undefined {
  if (!date.test(text)) return undefined;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}
