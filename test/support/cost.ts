import { expect } from 'vitest';

/** Milliseconds of the processor that `work` takes in this process, whatever else the machine does. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

const roundsMax = 3;

/**
 * Expects `work` to take less than `ms` of the processor where nothing else makes it dearer, as what is swept up
 * meanwhile, or a core's other half: it is tried again while it seems to take more. Answers what it took.
 */
export async function expectCheap(ms: number, work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 1; round <= roundsMax && least >= ms; round += 1) {
    least = Math.min(least, await cpuMs(work));
  }
  expect(least).toBeLessThan(ms);
  return least;
}
