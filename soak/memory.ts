/** What each part holds of memory and open files over time: what only grows ends the process some night. */
import { type Memory, readMemory } from '../bench/processes.ts';
import type { Host } from './host.ts';
import { countDescriptors } from './processes.ts';
import type { Violations } from './violations.ts';

export interface Sample {
  readonly minute: number;
  readonly part: string;
  readonly pid: number;
  readonly resident_mb: number;
  readonly descriptors: number;
}

const every_ms = 5_000;

export interface Samples {
  readonly all: readonly Sample[];
  take(): Promise<void>;
  stop(): Promise<void>;
}

export function startSampling(hosts: readonly Host[]): Samples {
  const all: Sample[] = [];
  const begun = Date.now();
  let sampling = Promise.resolve();
  async function take(): Promise<void> {
    const minute = (Date.now() - begun) / 60_000;
    for (const host of hosts) {
      const processes = Map.groupBy(host.parts(), ([, pid]) => pid);
      for (const [pid, parts] of processes) {
        const part = parts.map(([name]) => name).join('+');
        const { resident_mb }: Memory = await readMemory(pid);
        const descriptors = await countDescriptors(pid);
        // One that has just gone, or not begun.
        if (resident_mb > 0) all.push({ minute, part, pid, resident_mb, descriptors });
      }
    }
  }
  const timer = setInterval(() => {
    sampling = sampling.then(take).catch(() => undefined);
  }, every_ms);
  return {
    all,
    take,
    async stop() {
      clearInterval(timer);
      await sampling;
    },
  };
}

/** A heap may be 192 MB (src/process/start.ts), with code, buffers and stacks beside it. */
const resident_mb_max = 400;
/** Connections to the database, callers, the log: some tens each. */
const descriptors_max = 300;

export function judgeMemory(samples: readonly Sample[], violations: Violations): void {
  for (const { part, resident_mb, descriptors } of samples) {
    if (resident_mb > resident_mb_max) {
      violations.add(`${part} held ${Math.round(resident_mb)} MB: the machine runs out of memory`);
    }
    if (descriptors > descriptors_max) {
      violations.add(`${part} held ${descriptors} files and connections: it runs out of them`);
    }
  }
}

/** The median of each part in each tenth of the run. */
export function memoryOverTime(samples: readonly Sample[]): Record<string, number[]> {
  const end = Math.max(...samples.map(({ minute }) => minute), 0.1);
  const parts = Map.groupBy(samples, ({ part }) => part);
  return Object.fromEntries(
    [...parts].map(([part, own]) => [
      part,
      Array.from({ length: 10 }, (_, n) => {
        const within = own.filter(
          ({ minute }) => Math.min(9, Math.floor((minute / end) * 10)) === n,
        );
        const sizes = within.map(({ resident_mb }) => resident_mb).sort((a, b) => a - b);
        return Math.round(sizes[Math.floor(sizes.length / 2)] ?? 0);
      }),
    ]),
  );
}
