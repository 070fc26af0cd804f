/** Posts what has fallen due of accruals and depreciation. Running twice posts it once. */
import type { Config } from '#src/config/config.ts';
import { accruals } from '#src/db/jobs.ts';
import { createPool, db } from '#src/db/pool.ts';
import { systemClock } from '#src/lib/clock.ts';
import type { Task } from './run.ts';

/** As the owner of the database: workers of others post suppliers' invoices alone. */
export function createAccruals({
  databaseUrl: url,
  timeZone,
}: Pick<Config, 'databaseUrl' | 'timeZone'>): Task<Record<string, never>> {
  const stopping = new AbortController();
  return {
    queue: accruals,
    schedule: 'hourly',
    run: async (_, log) => {
      if (url === undefined) return;
      const owner = createPool({ url, max: 1, applicationName: 'huvudbok accruals' });
      let broken = 0;
      try {
        const today = systemClock(timeZone).today();
        const { listDueAccruals } = await import('#src/ledger/accruals/store.ts');
        // What posts them is loaded when there is one to post: most hours have none.
        if ((await listDueAccruals(db(owner), today)).length === 0) return;
        const { postDue } = await import('#src/ledger/accruals/service.ts');
        const done = await postDue(owner, {
          today,
          actor: 'job:accruals',
          signal: stopping.signal,
          onBroken: (id, error) => {
            broken += 1;
            log.error({ err: error, accrual_id: id }, 'accrual failed');
          },
        });
        log.info({ ...done, broken }, 'accruals posted');
      } finally {
        await owner.end();
      }
      if (broken > 0) throw new Error(`${broken} accruals could not be posted`);
    },
    interrupt: () => stopping.abort(),
  };
}
