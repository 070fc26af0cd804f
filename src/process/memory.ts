/** How a process that runs for long deals with its memory, beside the limits that `start` gives it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of one processor, since the last look: more, and it is at work. */
const restShareMax = 0.02;
/** Less is not worth the tenth of a second that it takes. */
const grownBytesMin = 4 * 2 ** 20;

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/** What a slab of memory for small buffers holds: Node's own 64 kB is kept whole by the smallest that is still in use. */
const slabBytes = 8 * 2 ** 10;

/**
 * Collects the old part of the heap when it has doubled, which on two cores takes a tenth of a second from everybody:
 * under load each half a minute instead of each 1.3 seconds (docs/decisions/0004). V8 by itself
 * - makes all of what a place in the code makes among the old, where much of it was once found in use (a batch that
 *   waits), and then keeps all that such an object refers to until the old are collected;
 * - begins anew when less is left before its limit than the young part takes, as with a heap as small as ours there always is;
 * - and whenever 64 MB of buffers are among the old.
 */
export function collectSeldom(): void {
  Buffer.poolSize = slabBytes;
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=100');
}

/**
 * A process that has nothing to do gives back the memory it grew by. V8 collects garbage when somebody
 * allocates, so what a start or a busy hour left behind would stay for as long as nobody comes.
 * Begins to look, twice a minute unless told otherwise; keeps no process alive.
 */
export function giveBackAtRest(lookMs = 30_000): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  let before = process.cpuUsage();
  let heldBytes = 0;
  setInterval(() => {
    const used = process.cpuUsage(before);
    before = process.cpuUsage();
    if (used.user + used.system > restShareMax * lookMs * 1000) return;
    if (process.memoryUsage.rss() - heldBytes < grownBytesMin) return;
    collect({ type: 'major', flavor: 'last-resort' });
    heldBytes = process.memoryUsage.rss();
  }, lookMs).unref();
}
