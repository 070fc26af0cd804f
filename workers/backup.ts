/** Takes a backup a day, when one is wanted and the last is from before the hour set for it. */

import type { Config } from '#src/config/config.ts';
import { backup } from '#src/db/jobs.ts';
import { db } from '#src/db/pool.ts';
import { findLastOwn } from '#src/installation/backups/record-store.ts';
import { momentOf } from '#src/lib/clock.ts';
import type { Task } from './run.ts';

/**
 * Asked every hour: a machine that was off at night takes its backup when it is on, and one that failed is
 * tried again.
 */
export function createBackups(config: Config): Task<Record<string, never>> {
  const stopping = new AbortController();
  const { folder, keep, key, time } = config.backup;
  return {
    queue: backup,
    schedule: 'hourly',
    run: async (pool, log) => {
      const { databaseUrl, timeZone } = config;
      if (folder === undefined || time === undefined || databaseUrl === undefined) return;
      // Loaded when it is wanted, as it is once a day.
      const { clearRemains, keepBackup } = await import('#src/installation/backups/service.ts');
      await clearRemains(folder);
      if (!isDue(await findLastOwn(db(pool)), new Date(), time, timeZone)) return;
      const kept = await keepBackup({
        url: databaseUrl,
        folder,
        key,
        keep,
        isProved: true,
        actor: 'job:backup',
        log: (line) => log.info(line),
        signal: stopping.signal,
      });
      const { path, size_bytes, vouchers, proof, removed } = kept;
      const told = { file: path, size_bytes, vouchers, removed: removed.length };
      if (proof?.problems.length) {
        log.error({ ...told, problems: proof.problems }, 'the books in the backup do not hold');
      } else log.info(told, 'backup taken and proved');
    },
    interrupt: () => stopping.abort(),
  };
}

/** Whether the last one was taken before the latest time of day (HH:MM) that one should have been. */
export function isDue(last: Date | undefined, now: Date, time: string, timeZone: string): boolean {
  if (!last) return true;
  const today = momentOf(now, timeZone);
  const day = today.slice(11) >= time ? now : new Date(now.getTime() - 86_400_000);
  return momentOf(last, timeZone) < `${momentOf(day, timeZone).slice(0, 10)} ${time}`;
}
