/** What keeps an installation well: backups noted, failed jobs given another chance, room on the disk. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { insertBackup } from '../backups/record-store.ts';
import { retryDeadJobs } from './store.ts';

/** Notes that a backup has been taken, as the operator's own script says. */
export async function recordBackup(tx: Tx, at: Date, actor: string): Promise<void> {
  await insertBackup(tx, {
    taken_at: at,
    is_own: false,
    file: null,
    size_bytes: null,
    vouchers: null,
    verified_at: null,
    problems: null,
    failure: null,
  });
  await recordEvent(tx, { actor, action: 'backup.done', subject: at.toISOString() });
}

/** Puts failed jobs back on their queue: one by its id, or (null) all of the queue. Says how many. */
export async function retryJobs(
  tx: Tx,
  { queue, id }: { readonly queue: string; readonly id: string | null },
  actor: string,
): Promise<number> {
  const jobs = await retryDeadJobs(tx, queue, id === null ? null : [id]);
  if (jobs > 0) {
    const detail = { jobs, ...(id === null ? {} : { job: id }) };
    await recordEvent(tx, { actor, action: 'jobs.retried', subject: queue, detail });
  }
  return jobs;
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The disk of the embedded database; undefined when the database is another server's. */
export async function findDiskSpace(
  dataDir: string,
  databaseUrl: string | undefined,
): Promise<DiskSpace | undefined> {
  // Loaded by those who look, not by every HTTP process.
  const { findRunning } = await import('../../db/embedded.ts');
  const running = await findRunning(dataDir).catch(() => null);
  if (!running || (databaseUrl !== undefined && databaseUrl !== running.url)) return undefined;
  // The folder may be a link to another disk.
  const { bavail, blocks, bsize } = await statfs(join(dataDir, 'postgresql')).catch(() =>
    statfs(dataDir),
  );
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
