/** How many worker processes a queue wants, from what has been measured. */

export interface QueueLoad {
  /** Jobs that wait now. */
  readonly waiting: number;
  /** Jobs handled in the latest minute, by all processes together. */
  readonly perMinute: number;
  /** Processes that work the queue now. */
  readonly running: number;
  /** Of the time they had in the latest minute, what they were at work: 0–1. */
  readonly busyShare: number;
}

/** Those who are busier than this make others wait (waiting grows as 1 / (1 - share)). */
const busyShareMax = 0.5;

export interface WorkerAdvice {
  readonly wanted: number;
  readonly reason: AdviceReason;
}

/** Why so many; a person is told in a sentence (`pages/operations`). */
export type AdviceReason =
  | { readonly why: 'unattended' | 'unattended_waiting' | 'soon_done' | 'hindered' }
  | { readonly why: 'less_would_do'; readonly busyPercent: number }
  | { readonly why: 'more_clear_it'; readonly eachPerMinute: number }
  | { readonly why: 'no_more_cores'; readonly most: number; readonly minutes: number };

/**
 * Enough to clear what waits within a minute at the pace each has now, but no more than the machine has
 * cores: beyond that they only share them. Each keeps its database connections, so none is added for less,
 * and where nothing waits those are enough that would be at work half of their time.
 */
export function adviseWorkers(
  { waiting, perMinute, running, busyShare }: QueueLoad,
  cores: number,
): WorkerAdvice {
  if (running === 0) {
    return { wanted: 1, reason: { why: waiting === 0 ? 'unattended' : 'unattended_waiting' } };
  }
  if (waiting <= perMinute || waiting === 0) {
    const enough = Math.max(1, Math.ceil((running * busyShare) / busyShareMax));
    if (enough < running) {
      const busyPercent = Math.round(busyShare * 100);
      return { wanted: enough, reason: { why: 'less_would_do', busyPercent } };
    }
    return { wanted: running, reason: { why: 'soon_done' } };
  }
  if (perMinute === 0) return { wanted: running, reason: { why: 'hindered' } };
  const pace = perMinute / running;
  const needed = Math.ceil(waiting / pace);
  const most = Math.max(running, cores);
  if (needed <= most) {
    return { wanted: needed, reason: { why: 'more_clear_it', eachPerMinute: Math.round(pace) } };
  }
  const minutes = Math.ceil(waiting / (pace * most));
  return { wanted: most, reason: { why: 'no_more_cores', most, minutes } };
}

/** The share of their time that workers were at work, with room for `slots` at a time, in a minute. */
export const busyShareOf = (busySeconds: number, slots: number): number =>
  slots === 0 ? 0 : Math.min(1, busySeconds / (60 * slots));

/** What waited and was at work at a moment (milliseconds). */
export interface Backlog {
  readonly at: number;
  readonly jobs: number;
}

/**
 * Jobs that came in a second since `before`: those that were worked, and what there is more of now. Never
 * below nothing: jobs that people have deleted are no negative arrivals.
 */
export function arrivalsPerSecond(
  before: Backlog | undefined,
  now: Backlog,
  handledPerSecond: number,
): number {
  if (!before || now.at <= before.at) return handledPerSecond;
  const growth = ((now.jobs - before.jobs) * 1000) / (now.at - before.at);
  return Math.max(0, handledPerSecond + growth);
}
