/**
 * A DATA_DIR for a while: where a restore builds its cluster, and where a backup is proved. Whoever dies there
 * leaves a folder, and perhaps a running server; the next to come clears both away.
 */
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './create-cluster.ts';
import { sharedHome } from './programs.ts';
import { findPostmaster, stopPostmaster } from './server.ts';

const name = /^workshop-(\d+)$/;

/** A folder of this process's own in `folder`, or in the temporary one where nothing can be made there. */
export async function workshopIn(folder: string): Promise<string> {
  await clearAbandoned(folder);
  for (const base of [folder, tmpdir()]) {
    const path = join(base, `workshop-${process.pid}`);
    const made = await mkdir(path, { mode: 0o711 }).then(
      () => true,
      () => false,
    );
    if (made) return path;
  }
  throw new Error(`no workshop can be made in ${folder}`);
}

/** Clears away the workshops of processes that are dead. */
export async function clearAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder).catch(() => [])) {
    const pid = Number(name.exec(entry)?.[1]);
    if (pid && !isAlive(pid)) await removeWorkshop(join(folder, entry));
  }
}

/** Removes it with the server that may still run in it, and what it points at. */
export async function removeWorkshop(path: string): Promise<void> {
  const link = join(path, 'postgresql');
  if (await lstat(link).catch(() => undefined)) {
    const home = await realpath(link);
    const cluster = join(home, 'cluster');
    if (await findPostmaster(cluster)) await stopPostmaster(cluster, 20_000);
    if (home.startsWith(`${sharedHome}/`)) await rm(home, { recursive: true, force: true });
  }
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
