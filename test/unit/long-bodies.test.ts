/**
 * No reader of what others send takes the square of its length in time: each is fed what is made to be slow to read,
 * at a quarter of the largest body and at the largest. The processor's time is counted, whatever else the
 * machine does.
 */
import { describe, expect, test } from 'vitest';
import { doors } from './long-bodies.ts';

const LARGEST = 4_000_000;
/** Reading as much of an honest document takes some tenths of this. */
const MS_MAX = 3_000;
/** What is linear grows four times from a quarter to the whole; what is square sixteen. */
const GROWTH_MAX = 9;
const MS_MEASURABLE = 250;

async function msOf(work: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

describe.each(doors)('%s', (_door, take, bodies) => {
  test.each(Object.entries(bodies))('of %s', { timeout: 60_000 }, async (_name, make) => {
    const [part, all] = [make(LARGEST / 4), make(LARGEST)];
    await take(make(LARGEST / 50));
    const ofPart = await msOf(() => take(part));
    const ofAll = await msOf(() => take(all));
    if (process.env['SAY'] && ofAll > 150)
      console.log(`${_door}: ${_name}: ${Math.round(ofPart)} ${Math.round(ofAll)}`);
    expect(ofAll).toBeLessThan(MS_MAX);
    if (ofAll > MS_MEASURABLE) expect(ofAll / ofPart).toBeLessThan(GROWTH_MAX);
  });
});
