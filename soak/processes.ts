/** Processes of a supervisor, as `ps` tells of them. */
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';

/** Process numbers of a supervisor's parts, by name; those of several parts by each of them. */
export function childrenOf(parent: number): Map<string, number> {
  const found = listChildren(parent).flatMap(({ pid, command }) => {
    if (/\/http\.(c?js|ts)$/.test(command)) return [['http', pid] as const];
    const words =
      /huvudbok\.(?:c?js|ts) (.+?)(?: --.*)?$/.exec(command)?.[1]?.trim().split(/\s+/) ?? [];
    return words.filter((word) => word !== 'worker').map((name) => [name, pid] as const);
  });
  return new Map(found);
}

export function listChildren(parent: number): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return lines.split('\n').flatMap((line) => {
    const [, pid, ppid, command = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent ? [{ pid: Number(pid), command }] : [];
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** How many files and connections it has open. */
export async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
}
