/** How many worker processes a queue wants, from what has been measured. */

export interface QueueLoad {
  /** Jobs that wait now. */
  readonly waiting: number;
  /** Jobs handled in the latest minute, by all processes together. */
  readonly perMinute: number;
  /** Processes that work the queue now. */
  readonly running: number;
}

export interface WorkerAdvice {
  readonly wanted: number;
  /** Why, in a sentence. */
  readonly reason: string;
}

/**
 * Enough to clear what waits within a minute at the pace each has now, but no more than the machine has
 * cores: beyond that they only share them. Each keeps its database connections, so none is added for less.
 */
export function adviseWorkers(
  { waiting, perMinute, running }: QueueLoad,
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
