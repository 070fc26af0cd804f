/** Books rows of the bank that are exact, where the company has said so. Running twice books them once. */

import type { Config } from '#src/config/config.ts';
import { bankBooking } from '#src/db/jobs.ts';
import { createPool } from '#src/db/pool.ts';
import { systemClock } from '#src/lib/clock.ts';
import { inTurn } from './import.ts';
import type { Task } from './run.ts';

/** As the owner of the database, as files of the bank are taken in: rows of the bank are not for workers. */
export function createBankBooker({
  databaseUrl: url,
  timeZone,
}: Pick<Config, 'databaseUrl' | 'timeZone'>): Task<Record<string, never>> {
  const stopping = new AbortController();
  return {
    queue: bankBooking,
    run: async (_, log) => {
      if (url === undefined) return;
      const { bookExact } = await import('#src/bank/matching/service.ts');
      await inTurn(async () => {
        const owner = createPool({ url, max: 1, applicationName: 'huvudbok bank-booking' });
        try {
          const today = systemClock(timeZone).today();
          const by = { today, actor: 'job:bank-booking', signal: stopping.signal };
          log.info({ rows: await bookExact(owner, by) }, 'exact bank rows booked');
        } finally {
          await owner.end();
        }
      });
    },
    interrupt: () => stopping.abort(),
  };
}
