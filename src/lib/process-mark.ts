/**
 * The name of this process on what it makes for a while, so that the next to come can tell what a dead one
 * left. A number alone would not do: processes of other containers and hosts share the folder, a container
 * that starts again gives its process the same number, and after a while so does the machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Where processes cannot be seen: what nobody has touched for so long is nobody's. */
export const silentMsMax = 3_600_000;
/** Who works longer than this touches what is theirs at least so often. */
export const touchMs = 60_000;

function findWorld(): string {
  const read = (what: () => string): string => {
    try {
      return what();
    } catch {
      return hostname(); // No Linux: the machine, for want of better.
    }
  };
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 12);
}

/** When a process began, in ticks since the boot; undefined when it is not there, 0 where nobody can tell. */
function beginningOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return isAlive(pid) ? '0' : undefined;
  try {
    // The program's name comes before it, and may have blanks and parentheses of its own.
    const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return rest.split(' ')[19];
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Those whose numbers mean the same processes: a boot of a machine, and a container on it. */
export const world = findWorld();

/** As it stands in names: `[0-9a-f]{12}-\d{1,10}-\d{1,20}`. */
export const processMark = `${world}-${process.pid}-${beginningOf(process.pid)}`;

/** Whether `path`, which `mark` stands on, is left by a process that is dead. */
export async function isAbandoned(path: string, mark: string): Promise<boolean> {
  const [theirs, pid, beginning] = mark.split('-');
  if (theirs === world) return beginningOf(Number(pid)) !== beginning;
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > silentMsMax;
}
