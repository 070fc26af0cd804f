/** Clears away what has served its time. Safe to run at any moment and any number of times. */
import { sql } from '#src/db/sql.ts';
import { purge } from '#src/jobs.ts';
import type { Worker } from './run.ts';

export const upkeep: Worker<Record<string, never>> = {
  queue: purge,
  concurrency: 1,
  schedule: '17 * * * *',
  handle: async (tx) => {
    await tx.query(sql`select answers, windows from restricted.purge_expired()`);
  },
};
