/** What keeps an installation well: backups that were taken. */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';

/** Notes that a backup has been taken, as the operator's own script says. */
export const recordBackup = (tx: Tx, at: Date, actor: string): Promise<void> =>
  recordEvent(tx, { actor, action: 'backup.done', subject: at.toISOString() });
