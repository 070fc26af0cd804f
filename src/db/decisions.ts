/**
 * Calls waiting for what becomes of what they sent. Workers say "decided" on one channel, by
 * id; the waiting call then reads the outcome from the tables. A notice that is missed (the connection
 * was lost) costs little: whoever waits reads again on every reconnect, every other second, and once more
 * before giving up.
 */
import { type Listener, listen } from './listener.ts';

export const decisionChannel = 'huvudbok_decided';

const lookAgainMs = 2_000;

export interface DecisionWait {
  readonly timeoutMs: number;
  /**
   * Opened by `listen` before what is waited for was stored, so that no notice of it is missed. Without
   * it the outcome may be there already, and is read at once.
   */
  readonly since?: Notice | undefined;
}

/** Remembers that something was decided, from when it was opened until it is closed. */
export interface Notice {
  /** True as soon as it has been decided, false after `timeoutMs`. */
  next(timeoutMs: number): Promise<boolean>;
  close(): void;
}

export class Decisions {
  readonly #wakers = new Map<string, Set<() => void>>();
  #listener: Listener | undefined;

  /** `url` is a login that may listen. */
  async start(url: string): Promise<void> {
    this.#listener = await listen({
      url,
      applicationName: 'huvudbok decisions',
      channel: decisionChannel,
      onNotification: (payload) => {
        for (const id of payload.split(',')) this.#wake(id);
      },
      onListening: () => {
        for (const id of [...this.#wakers.keys()]) this.#wake(id);
      },
    });
  }

  async stop(): Promise<void> {
    await this.#listener?.close();
  }

  /** Reads until what `id` names is decided, at most `timeoutMs`; then answers how it stands. */
  async wait<Outcome>(
    id: string,
    { timeoutMs, since }: DecisionWait,
    read: () => Promise<Outcome>,
    isDecided: (outcome: Outcome) => boolean,
  ): Promise<Outcome> {
    const deadline = performance.now() + timeoutMs;
    const notice = since ?? this.listen(id);
    try {
      if (!since) {
        const outcome = await read();
        if (isDecided(outcome)) return outcome;
      }
      for (;;) {
        const left = deadline - performance.now();
        if (left > 0) await notice.next(Math.min(left, lookAgainMs));
        const outcome = await read();
        if (isDecided(outcome) || performance.now() >= deadline) return outcome;
      }
    } finally {
      if (!since) notice.close();
    }
  }

  /** Hears of `id` from now on, so that a notice given before `next` is called is not lost. */
  listen(id: string): Notice {
    let isWoken = false;
    let wakeNext: (() => void) | undefined;
    const waker = (): void => {
      isWoken = true;
      wakeNext?.();
    };
    const wakers = this.#wakers.get(id) ?? new Set();
    this.#wakers.set(id, wakers.add(waker));
    return {
      next: async (timeoutMs) => {
        if (!isWoken) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, timeoutMs);
            wakeNext = () => {
              clearTimeout(timer);
              resolve();
            };
          });
          wakeNext = undefined;
        }
        const wasWoken = isWoken;
        isWoken = false;
        return wasWoken;
      },
      close: () => {
        wakers.delete(waker);
        if (wakers.size === 0 && this.#wakers.get(id) === wakers) this.#wakers.delete(id);
      },
    };
  }

  #wake(id: string): void {
    for (const waker of this.#wakers.get(id) ?? []) waker();
  }
}
