/** What holds of every reader of what others send, for bodies of the length that is tried. */
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../support/cost.ts';
import { doors } from './long-bodies.ts';

/** Of two megabytes; reading as much of an honest document takes some tenths of this. */
const msMaxOfMegabytes = 2_500;
const msMeasurableOfMegabytes = 600;
const megabytes = 2_000_000;
/** What is linear grows four times from a quarter to the whole, and some more with what is swept up meanwhile; square sixteen. */
const growthMax = 9;

/** Each is fed what is made to be slow to read, and where that takes long enough to tell how it grows a quarter of it too. */
export function testLongBodies(bytes: number): void {
  const msMax = (msMaxOfMegabytes * bytes) / megabytes;
  const msMeasurable = (msMeasurableOfMegabytes * bytes) / megabytes;

  describe.each(doors)('%s', (_door, take, bodies) => {
    test.each(Object.entries(bodies))('of %s', async (_name, make) => {
      const all = make(bytes);
      await take(make(bytes / 50));
      const first = await cpuMs(() => take(all));
      expect(first).toBeLessThan(msMax);
      if (first <= msMeasurable) return;
      const part = make(bytes / 4);
      const ofPart = await cpuMs(() => take(part));
      const ofAll = await cpuMs(() => take(all));
      expect(ofAll).toBeLessThan(msMax);
      expect(ofAll / ofPart).toBeLessThan(growthMax);
    });
  });
}
