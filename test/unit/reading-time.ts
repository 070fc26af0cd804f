/** What holds of every reader of what others send, for bodies of the length that is tried. */
import { describe, expect, test } from 'vitest';
import { cpuMs, expectCheap } from '../support/cost.ts';
import { doors } from './long-bodies.ts';

/** Reading two megabytes of an honest document takes some tenths of this, and what is dearest half on a full machine. */
const msMax = 5_000;
/** What is read sooner is too soon read to tell how it grows. */
const msMeasurable = 300;
/** What is linear grows four times from a quarter to the whole, and some more with what is swept up meanwhile; square sixteen. */
const growthMax = 9;

const roundsMin = 3;
const roundsMax = 6;

/** More is refused before it is read: there how long it takes says all, and how it grows nothing more. */
const lengthMax = 2_000_000;

/**
 * How many times dearer `all` is than `part`, each without what is swept up in between, or takes the core's other half
 * meanwhile. That only ever makes one dearer, so where they seem too far apart they are tried again.
 */
async function growthOf(part: () => unknown, all: () => unknown): Promise<number> {
  let ofPart = Infinity;
  let ofAll = Infinity;
  for (let round = 1; ; round += 1) {
    ofPart = Math.min(ofPart, await cpuMs(part));
    ofAll = Math.min(ofAll, await cpuMs(all));
    const growth = ofAll / ofPart;
    if (round === roundsMax || (round >= roundsMin && growth < growthMax)) return growth;
  }
}

/**
 * Each is fed what is made to be slow to read, and where longer is taken too, and it takes long enough to tell how it
 * grows, a quarter of it besides.
 */
export function testLongBodies(bytes: number): void {
  // Where what is read begins to outlive a sweep of the young heap, all of it is dearer at once: a step, which a body
  // four times as long has behind it. What takes the square of its length grows as much there.
  const lengths = bytes < lengthMax ? [bytes, 4 * bytes] : [];
  describe.each(doors)('%s', (_door, take, bodies) => {
    test.each(Object.entries(bodies))('of %s', async (_name, make) => {
      const all = make(bytes);
      await take(make(bytes / 50));
      const first = await expectCheap(msMax, () => take(all));
      if (first <= msMeasurable || lengths.length === 0) return;
      let growth = Infinity;
      for (const length of lengths) {
        const [part, whole] = [make(length / 4), length === bytes ? all : make(length)];
        growth = await growthOf(
          () => take(part),
          () => take(whole),
        );
        if (growth < growthMax) break;
      }
      expect(growth).toBeLessThan(growthMax);
    });
  });
}
