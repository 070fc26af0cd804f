/** (e) What each process holds and has held at most, after everything before it in this run. */
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { listProcesses, type Memory, readMemory } from './processes.ts';
import type { System } from './system.ts';
import { voucherRequests } from './vouchers.ts';

const http_mb_max = 250;

export async function measureMemory(system: System, seconds: number): Promise<Figure[]> {
  // Alone, it measures a process that has worked; after the others, one that has worked more.
  const { load, port, key } = system;
  requireAllWell(
    await load.run({ port, requests: voucherRequests(key), connections: 64, seconds }),
  );
  const held = new Map<string, Memory[]>();
  for (const { pid, part } of await listProcesses(system.postmaster)) {
    if (part === 'load generator') continue;
    held.set(part, [...(held.get(part) ?? []), await readMemory(pid)]);
  }
  return [...held]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([part, memories]) => figureOf(part, memories));
}

function figureOf(part: string, memories: readonly Memory[]): Figure {
  const sum = (read: (memory: Memory) => number): number =>
    Math.round(memories.reduce((total, memory) => total + read(memory), 0));
  const peak = Math.max(...memories.map(({ peak_mb }) => peak_mb));
  const is_one = memories.length === 1;
  return {
    measurement: 'memory',
    what: is_one ? `memory of ${part}` : `memory of ${part}, ${memories.length} processes together`,
    value: is_one
      ? `${sum((one) => one.resident_mb)} MB (at most ${Math.round(peak)})`
      : `${sum((one) => one.proportional_mb)} MB`,
    ...(part === 'http' ? { wanted: `< ${http_mb_max} MB`, is_met: peak < http_mb_max } : {}),
    ...(is_one ? {} : { limited_by: 'shared memory counted once' }),
    details: memories,
  };
}
