/** Telling of progress without slowing down what progresses. */

const everyMs = 1_000;

/** At most once a second, and nobody waits for it. */
export function nowAndThen(tell: (done: number) => Promise<void>): (done: number) => void {
  let toldAt = performance.now();
  return (done) => {
    const now = performance.now();
    if (now - toldAt < everyMs) return;
    toldAt = now;
    tell(done).catch(() => undefined);
  };
}
