/** What holds of every reader of what others send, for bodies of the length that is tried. */
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../support/cost.ts';
import { doors } from './long-bodies.ts';

/** Reading two megabytes of an honest document takes some tenths of this. */
const msMax = 2_500;
/** What is read sooner is too soon read to tell how it grows. */
const msMeasurable = 300;
/** What is linear grows four times from a quarter to the whole, and some more with what is swept up meanwhile; square sixteen. */
const growthMax = 9;

/** Without what is swept up in between, or takes the core's other half meanwhile. */
const leastMs = async (work: () => unknown): Promise<number> =>
  Math.min(await cpuMs(work), await cpuMs(work), await cpuMs(work));

/** Each is fed what is made to be slow to read, and where that takes long enough to tell how it grows a quarter of it too. */
export function testLongBodies(bytes: number): void {
  describe.each(doors)('%s', (_door, take, bodies) => {
    test.each(Object.entries(bodies))('of %s', async (_name, make) => {
      const all = make(bytes);
      await take(make(bytes / 50));
      const first = await cpuMs(() => take(all));
      expect(first).toBeLessThan(msMax);
      if (first <= msMeasurable) return;
      const part = make(bytes / 4);
      const ofPart = await leastMs(() => take(part));
      const ofAll = await leastMs(() => take(all));
      expect(ofAll).toBeLessThan(msMax);
      expect(ofAll / ofPart).toBeLessThan(growthMax);
    });
  });
}
