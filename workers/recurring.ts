/** Makes invoices that recur on their day. Running twice makes them once. */
import type { Config } from '#src/config/config.ts';
import { recurringInvoices } from '#src/db/jobs.ts';
import { createPool, db } from '#src/db/pool.ts';
import { systemClock } from '#src/lib/clock.ts';
import type { Task } from './run.ts';

/** As the owner of the database: workers of others write no invoices but orders'. */
export function createRecurring({
  databaseUrl: url,
  timeZone,
  smtp,
  mailFrom,
}: Pick<Config, 'databaseUrl' | 'timeZone' | 'smtp' | 'mailFrom'>): Task<Record<string, never>> {
  const stopping = new AbortController();
  return {
    queue: recurringInvoices,
    schedule: 'hourly',
    run: async (_, log) => {
      if (url === undefined) return;
      const owner = createPool({ url, max: 1, applicationName: 'huvudbok recurring-invoices' });
      let broken = 0;
      try {
        const today = systemClock(timeZone).today();
        const { listDue } = await import('#src/sales/recurring/store.ts');
        // What makes and mails them is loaded when there is one to make: most hours have none.
        if ((await listDue(db(owner), today)).length === 0) return;
        const { makeDue } = await import('#src/sales/recurring/service.ts');
        const made = await makeDue(owner, {
          today,
          actor: 'job:recurring-invoices',
          timeZone,
          canMail: smtp !== undefined,
          mailFrom,
          signal: stopping.signal,
          onBroken: (id, error) => {
            broken += 1;
            log.error({ err: error, recurring_id: id }, 'recurring invoice failed');
          },
        });
        log.info({ made, broken }, 'recurring invoices made');
      } finally {
        await owner.end();
      }
      if (broken > 0) throw new Error(`${broken} recurring invoices could not be made`);
    },
    interrupt: () => stopping.abort(),
  };
}
