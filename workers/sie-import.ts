/** Takes in the SIE files that people have asked for. Running twice takes them in once. */

import type { Config } from '#src/config/config.ts';
import { sieImport } from '#src/db/jobs.ts';
import { createPool } from '#src/db/pool.ts';
import type { Task } from './run.ts';

/**
 * As the owner of the database, as `huvudbok sie import` does: years, accounts and series are not for workers, and
 * whoever asked was asked for their right to.
 */
export function createSieImporter({
  databaseUrl,
  timeZone,
}: Pick<Config, 'databaseUrl' | 'timeZone'>): Task<{ importId: string }> {
  const stopping = new AbortController();
  return {
    queue: sieImport,
    run: async (teller, log, { importId }) => {
      if (databaseUrl === undefined) return;
      const { takeBegunImport } = await import('#src/ledger/sie/begun-imports.ts');
      const owner = createPool({
        url: databaseUrl,
        max: 1,
        applicationName: 'huvudbok sie import',
      });
      try {
        await takeBegunImport(importId, { owner, teller, timeZone, signal: stopping.signal });
        log.info({ import_id: importId }, 'import seen to');
      } finally {
        await owner.end();
      }
    },
    interrupt: () => stopping.abort(),
  };
}
