/**
 * What each process costs, read from /proc: processor time and memory, by the part it plays. Backends
 * of PostgreSQL are told apart by the role they serve. Linux only; elsewhere everything is empty.
 */
import { readdir, readFile } from 'node:fs/promises';

const ticks_per_second = 100;

export interface ProcessState {
  readonly pid: number;
  readonly part: string;
  readonly cpu_seconds: number;
}

interface Stat {
  readonly parent: number;
  readonly cpu_seconds: number;
  /** Of its children that have ended. */
  readonly reaped_seconds: number;
}

async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name, in parentheses, may hold anything; the fields come after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (from: number) =>
    (Number(fields[from]) + Number(fields[from + 1])) / ticks_per_second;
  return { parent: Number(fields[1]), cpu_seconds: seconds(11), reaped_seconds: seconds(13) };
}

/** All of ours: this process, its children, and PostgreSQL's postmaster with its backends. */
export async function listProcesses(postmaster: number): Promise<ProcessState[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const states = await Promise.all(
    pids.map(async (pid): Promise<ProcessState | undefined> => {
      const stat = await readStat(pid);
      if (!stat) return undefined;
      if (pid === process.pid) return { pid, part: 'bench', ...stat };
      if (pid === postmaster) {
        const cpu_seconds = stat.cpu_seconds + stat.reaped_seconds;
        return { pid, part: 'postgres: main', cpu_seconds };
      }
      if (stat.parent !== process.pid && stat.parent !== postmaster) return undefined;
      const part = partOf(await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''));
      return part === undefined ? undefined : { pid, part, cpu_seconds: stat.cpu_seconds };
    }),
  );
  return states.filter((state) => state !== undefined);
}

/** `postgres: huvudbok: hb_api huvudbok 127.0.0.1(5123) SELECT`, `node … http.cjs` or `node … huvudbok.cjs worker intake --told`. */
function partOf(command: string): string | undefined {
  const title = /^postgres: huvudbok: (\w+)/.exec(command)?.[1];
  if (title !== undefined) return `postgres: ${title.startsWith('hb_') ? title : 'background'}`;
  if (/^postgres: huvudbok: postgres /.test(command)) return 'postgres: bare';
  if (command.startsWith('pgbench') || command.includes('/pgbench\0')) return 'pgbench';
  const words = command.split('\0').filter(Boolean);
  const script = words.findIndex((word) =>
    /\/((huvudbok|http)\.(c?js|ts)|load-child\.ts|trivial-server\.ts)$/.test(word),
  );
  if (script === -1) return undefined;
  if (words[script]?.endsWith('load-child.ts')) return 'load generator';
  if (words[script]?.endsWith('trivial-server.ts')) return 'trivial server';
  if (/\/http\.(c?js|ts)$/.test(words[script] ?? '')) return 'http';
  const asked = words.slice(script + 1).filter((word) => word !== '--told');
  return asked.join(' ');
}

/** Seconds the machine's processors have worked and been idle, since it started. */
export async function readMachine(): Promise<{ busy: number; idle: number }> {
  const text = await readFile('/proc/stat', 'latin1').catch(() => '');
  const fields = (text.split('\n', 1)[0] ?? '').split(/ +/).slice(1).map(Number);
  const idle = (fields[3] ?? 0) + (fields[4] ?? 0);
  const busy = fields.slice(0, 8).reduce((sum, field) => sum + field, 0) - idle;
  return { busy: busy / ticks_per_second, idle: idle / ticks_per_second };
}

export interface Memory {
  readonly resident_mb: number;
  readonly peak_mb: number;
  /** Its own and its part of what it shares: what a sum may be made of. */
  readonly proportional_mb: number;
}

export async function readMemory(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
  const megabytes = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
  return {
    resident_mb: megabytes(status, 'VmRSS'),
    peak_mb: megabytes(status, 'VmHWM'),
    proportional_mb: megabytes(rollup, 'Pss'),
  };
}
