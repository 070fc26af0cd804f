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
  /** Why, in a sentence. */
  readonly reason: string;
}

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
    const reason =
      waiting === 0
        ? 'Ingen arbetar med kön, så det som kommer blir liggande.'
        : 'Ingen arbetar med kön, och det väntar.';
    return { wanted: 1, reason };
  }
  if (waiting <= perMinute || waiting === 0) {
    const enough = Math.max(1, Math.ceil((running * busyShare) / busyShareMax));
    if (enough < running) {
      const reason = `De arbetar ${Math.round(busyShare * 100)} % av tiden; så många räcker.`;
      return { wanted: enough, reason };
    }
    return { wanted: running, reason: 'Det som väntar är gjort inom en minut.' };
  }
  if (perMinute === 0) {
    const reason =
      'Det väntar men inget har blivit gjort den senaste minuten: se efter i loggen vad som hindrar.';
    return { wanted: running, reason };
  }
  const pace = perMinute / running;
  const needed = Math.ceil(waiting / pace);
  const most = Math.max(running, cores);
  if (needed <= most) {
    const reason = `Var och en gör ${Math.round(pace)} i minuten; så många blir färdiga med det som väntar på en minut.`;
    return { wanted: needed, reason };
  }
  const minutes = Math.ceil(waiting / (pace * most));
  const reason = `Fler än ${most} har inga processorkärnor att arbeta på; så många blir färdiga på ungefär ${minutes} minuter.`;
  return { wanted: most, reason };
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
