/**
 * A DATA_DIR for a while: where a restore builds its cluster, and where a backup is proved. Whoever dies there
 * leaves a folder, and perhaps a running server; the next to come clears both away.
 */
import { chmod, lstat, mkdtemp, readdir, realpath, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandoned, processMark, touchMs } from '#src/lib/process-mark.ts';
import { sharedHome } from './programs.ts';
import { findPostmaster, stopPostmaster } from './server.ts';
import { workshopForm } from './workshop-names.ts';

export interface Workshop {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder of this process's own in `folder`. */
export async function workshopIn(folder: string): Promise<Workshop> {
  await clearAbandoned(folder);
  const path = await mkdtemp(join(folder, `workshop-${processMark}-`));
  await chmod(path, 0o711);
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => undefined);
  const touching = setInterval(touch, touchMs).unref();
  return {
    path,
    remove() {
      clearInterval(touching);
      return removeWorkshop(path);
    },
  };
}

/** Clears away the workshops of processes that are dead. */
export async function clearAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder).catch(() => [])) {
    const mark = workshopForm.exec(entry)?.[1];
    const path = join(folder, entry);
    if (mark && (await isAbandoned(path, mark))) await removeWorkshop(path);
  }
}

/** Removes it with the server that may still run in it, and what it points at. */
async function removeWorkshop(path: string): Promise<void> {
  const link = join(path, 'postgresql');
  if (await lstat(link).catch(() => undefined)) {
    const home = await realpath(link);
    const cluster = join(home, 'cluster');
    if (await findPostmaster(cluster)) await stopPostmaster(cluster, 20_000);
    if (home.startsWith(`${sharedHome}/`)) await rm(home, { recursive: true, force: true });
  }
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
