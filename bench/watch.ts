/** Watches what is measured while it is measured, and says in words what held it back. */
import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { listProcesses, readMachine } from './processes.ts';

export interface Usage {
  /** Processors kept busy, by part; one busy thread is 1. */
  readonly cores: Readonly<Record<string, number>>;
  /** The busiest single connection to the database. */
  readonly busiest_backend: number;
  /** What everything else on the machine used: noise. */
  readonly others: number;
  /** Connections of ours that were working, and those that waited, by what they waited for: means. */
  readonly working: number;
  readonly waits: Readonly<Record<string, number>>;
}

const sample_every_ms = 100;
const busy_thread = 0.85;
const busy_machine = 0.92;
const significant_wait = 0.2;

export interface Watched {
  readonly postmaster: number;
  /** A connection of its own, as the owner. */
  readonly observer: pg.Client;
}

/** Runs `work` and tells what it took. */
export async function watch<T>(
  { postmaster, observer }: Watched,
  work: () => Promise<T>,
): Promise<{ result: T; usage: Usage }> {
  const before = await listProcesses(postmaster);
  const machine_before = await readMachine();
  const started = performance.now();
  const samples = sampleWaits(observer);
  let result: T;
  try {
    result = await work();
  } finally {
    await samples.stop();
  }
  const after = await listProcesses(postmaster);
  const machine = await readMachine();
  const seconds = (performance.now() - started) / 1000;

  const earlier = new Map(before.map(({ pid, cpu_seconds }) => [pid, cpu_seconds]));
  const cores: Record<string, number> = {};
  // What a backend has used counts as the server's own when it ends, that from before too.
  const left = new Set(after.map(({ pid }) => pid));
  const ended = before.filter(({ pid, part }) => part.startsWith('postgres: ') && !left.has(pid));
  const reaped_seconds = ended.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
  let busiest_backend = 0;
  let ours = 0;
  for (const { pid, part, cpu_seconds } of after) {
    const before_seconds = (earlier.get(pid) ?? 0) + (pid === postmaster ? reaped_seconds : 0);
    const used = (cpu_seconds - before_seconds) / seconds;
    cores[part] = (cores[part] ?? 0) + used;
    ours += used;
    if (part.startsWith('postgres: hb_')) busiest_backend = Math.max(busiest_backend, used);
  }
  const others = Math.max(0, (machine.busy - machine_before.busy) / seconds - ours);
  return { result, usage: { cores, busiest_backend, others, ...samples.means() } };
}

/** Who waits for what in the database, ten times a second. */
function sampleWaits(observer: pg.Client) {
  let count = 0;
  let working = 0;
  const waits: Record<string, number> = {};
  let sampling = Promise.resolve();
  async function sample(): Promise<void> {
    const { rows } = await observer.query({
      name: 'waits',
      text: `select coalesce(wait_event_type || ' ' || wait_event, '') as wait, count(*)::integer
        from pg_stat_activity
        where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()
        group by 1`,
    });
    count += 1;
    for (const row of rows as { wait: string; count: number }[]) {
      if (row.wait === '') working += row.count;
      else waits[row.wait] = (waits[row.wait] ?? 0) + row.count;
    }
  }
  const timer = setInterval(() => {
    sampling = sampling.then(sample).catch(() => undefined);
  }, sample_every_ms);
  return {
    async stop() {
      clearInterval(timer);
      await sampling;
    },
    means: () => ({
      working: working / Math.max(1, count),
      waits: Object.fromEntries(
        Object.entries(waits).map(([wait, sum]) => [wait, sum / Math.max(1, count)]),
      ),
    }),
  };
}

/** What limits a figure, from what the processes used and waited for. */
export function limitOf({ cores, busiest_backend, others, working, waits }: Usage): string {
  const all = Object.values(cores).reduce((sum, used) => sum + used, others);
  const limits = Object.entries(cores)
    .filter(([part, used]) => !part.startsWith('postgres') && used >= busy_thread)
    .map(([part, used]) => `one thread: ${part} (${used.toFixed(2)} cores)`);
  if (busiest_backend >= busy_thread) {
    limits.push(`one database connection's processor time (${busiest_backend.toFixed(2)} cores)`);
  }
  if (all >= busy_machine * availableParallelism()) {
    limits.push(`all processors (${all.toFixed(1)} of ${availableParallelism()})`);
  }
  if (limits.length > 0) return limits.join('; ');

  const waitingFor = (kind: string): number =>
    Object.entries(waits).reduce(
      (sum, [wait, count]) => sum + (wait.startsWith(kind) ? count : 0),
      0,
    );
  const [queue, disk] = [waitingFor('Lock '), waitingFor('IO ')];
  const share = `${working.toFixed(1)} connections at work in the database, ${disk.toFixed(1)} at the disk`;
  if (queue > significant_wait) {
    return `one at a time behind a lock: ${share}, ${queue.toFixed(1)} in the queue`;
  }
  if (disk > working) return `the disk: ${share}`;
  return `round trips one after the other: ${share}, http ${(cores['http'] ?? 0).toFixed(1)} cores`;
}
