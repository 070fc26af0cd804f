/**
 * One container or host at a time has a DATA_DIR. PostgreSQL tells a living server by its process number and
 * its shared memory, and sees neither those of another container nor of another host: both servers would
 * write the same files. So whoever uses the folder touches a file there, one for each world of processes.
 */
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { world } from '#src/lib/process-mark.ts';
import type { Cluster } from './cluster.ts';

const prefix = 'in-use-';
const touchMs = 1000;
/** A file that nobody touched meanwhile is left by a container that is gone, or a host that was cut off. */
const silentMs = 5 * touchMs;

export interface Presence {
  /** Nobody of this world uses the folder any more. */
  end(isLast: boolean): Promise<void>;
}

/**
 * Says that this world uses the folder, for as long as this process lives; undefined when another does.
 * Two that come in the same moment both see each other, and both may be refused.
 */
export async function announce(
  { home }: Pick<Cluster, 'home'>,
  log: (line: string) => void,
): Promise<Presence | undefined> {
  const mine = join(home, prefix + world);
  // What keeps the folder from being written is told, or waited for, by whoever starts the server.
  const touch = () =>
    writeFile(mine, '', { flag: 'a', mode: 0o600 })
      .then(() => utimes(mine, new Date(), new Date()))
      .catch(() => undefined);
  await touch();
  const timer = setInterval(touch, touchMs).unref();
  if (await isUsedElsewhere(home, log)) {
    clearInterval(timer);
    return undefined;
  }
  return {
    async end(isLast) {
      clearInterval(timer);
      if (isLast) await rm(mine, { force: true });
    },
  };
}

/** By the change of a file's time and not by its age: two hosts' clocks need not agree. */
async function isUsedElsewhere(home: string, log: (line: string) => void): Promise<boolean> {
  const before = await readOthers(home);
  if (before.size === 0) return false;
  log('DATA_DIR har använts av en annan behållare eller dator; ser efter om den är borta.');
  await sleep(silentMs);
  const after = await readOthers(home);
  if ([...after].some(([path, time]) => time !== before.get(path))) return true;
  for (const path of before.keys()) await rm(path, { force: true });
  return false;
}

async function readOthers(home: string): Promise<Map<string, number>> {
  const names = await readdir(home);
  const others = names.filter((name) => name.startsWith(prefix) && name !== prefix + world);
  const times = await Promise.all(
    others.map(async (name): Promise<[string, number]> => {
      const path = join(home, name);
      return [
        path,
        await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ];
    }),
  );
  return new Map(times);
}
