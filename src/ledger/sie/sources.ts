/** SIE files as they are kept. */
import type { Db } from '../../db/pool.ts';
import { storedSource } from '../../lib/source-file.ts';
import { getSieFile } from './import-store.ts';
import type { KeptSource } from './importing.ts';

/** A file that somebody has sent. Throws 404 when there is none. */
export async function keptSource(db: Db, sha256: string): Promise<KeptSource> {
  return storedSource(sha256, await getSieFile(db, sha256));
}
