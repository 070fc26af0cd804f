/**
 * No reader of what others send takes the square of its length in time: each is fed what is made to be slow to read,
 * at two megabytes, and where that takes long enough to tell how it grows at half a megabyte too. The processor's
 * time is counted, whatever else the machine does.
 */
import { describe, expect, test } from 'vitest';
import { doors } from './long-bodies.ts';

const LARGEST = 2_000_000;
/** Reading as much of an honest document takes some tenths of this. */
const MS_MAX = 2_500;
/** What is linear grows four times from a quarter to the whole, and some more with what is swept up meanwhile; square sixteen. */
const GROWTH_MAX = 9;
const MS_MEASURABLE = 600;

async function msOf(work: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

describe.each(doors)('%s', (_door, take, bodies) => {
  test.each(Object.entries(bodies))('of %s', async (_name, make) => {
    const all = make(LARGEST);
    await take(make(LARGEST / 50));
    const first = await msOf(() => take(all));
    expect(first).toBeLessThan(MS_MAX);
    if (first <= MS_MEASURABLE) return;
    const part = make(LARGEST / 4);
    const ofPart = await msOf(() => take(part));
    const ofAll = await msOf(() => take(all));
    expect(ofAll).toBeLessThan(MS_MAX);
    expect(ofAll / ofPart).toBeLessThan(GROWTH_MAX);
  });
});
