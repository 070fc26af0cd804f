/**
 * A process that has nothing to do gives back the memory it grew by. V8 collects garbage when somebody
 * allocates, so what a start or a busy hour left behind would stay for as long as nobody comes.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of one processor, since the last look: more, and it is at work. */
const restShareMax = 0.02;
/** Less is not worth the tenth of a second that it takes. */
const grownBytesMin = 4 * 2 ** 20;

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/** Begins to look, twice a minute unless told otherwise; keeps no process alive. */
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
