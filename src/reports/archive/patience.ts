/** What nobody waits for by the second: later than everything else, and for as long as it takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { explainDatabaseError } from '../../db/refusals.ts';

export interface Patience {
  /** Each of them takes its own time. */
  readonly attempts: number;
  readonly pauseMs: number;
}

/** Some five minutes: a page is waited for by itself (`printPdf`), a turn to read for five seconds at most. */
const forPrinting: Patience = { attempts: 15, pauseMs: 0 };
const forReading: Patience = { attempts: 60, pauseMs: 1_000 };

/** Tries again what there was no time, room or database for (503). `tellLate` is told each time. */
async function patiently<T>(
  work: () => Promise<T>,
  { attempts, pauseMs }: Patience,
  tellLate: () => Promise<void> = async () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (explainDatabaseError(error)?.status !== 503 || attempt === attempts) throw error;
      await tellLate();
      await sleep(pauseMs);
    }
  }
}

/** Asks again for a page that was not printed in time; it is being made meanwhile, also by a worker that comes back. */
export const patientPrinting =
  (print: (html: string) => Promise<Buffer>, tellLate?: () => Promise<void>) =>
  (html: string): Promise<Buffer> =>
    patiently(() => print(html), forPrinting, tellLate);

/** Reads again what could not be read while others read or the database was away. */
export const patientReading =
  <Source>(
    read: <T>(work: (source: Source) => Promise<T>) => Promise<T>,
    patience: Patience = forReading,
  ) =>
  <T>(work: (source: Source) => Promise<T>): Promise<T> =>
    patiently(() => read(work), patience);
