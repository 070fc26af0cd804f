/**
 * LISTEN on a connection of its own, taken up again wherever the database is when it is lost. A
 * connection that fell silent ends by its own keep-alive, and by a question now and then.
 */
import type pg from 'pg';
import type { ClientOptions } from './client.ts';
import { connect } from './pool.ts';

export interface ListenOptions extends ClientOptions {
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  /** Each time it listens anew: what was said meanwhile is lost, and must be looked for. */
  readonly onListening: () => void;
  /** What each connection is for beside listening, done before it does. */
  readonly prepare?: (connection: pg.Client) => Promise<void>;
}

export interface Listener {
  close(): Promise<void>;
}

const reconnectMs = 1_000;
const questionMs = 10_000;
const answerMsMax = 5_000;

/** Listens when it returns; throws when it cannot begin. */
export async function listen(options: ListenOptions): Promise<Listener> {
  let isClosed = false;
  let client: pg.Client | undefined;

  async function begin(): Promise<void> {
    const next = await connect(options.url, options.applicationName);
    next.on('notification', ({ payload }) => options.onNotification(payload ?? ''));
    const statement = `listen ${next.escapeIdentifier(options.channel)}`;
    try {
      await options.prepare?.(next);
      await next.query(statement);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    if (isClosed) return next.end();
    client = next;
    const stopAsking = askNowAndThen(next, statement);
    next.once('end', () => {
      stopAsking();
      void beginAgain();
    });
    options.onListening();
  }

  async function beginAgain(): Promise<void> {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, reconnectMs));
      if (isClosed) return;
      try {
        return await begin();
      } catch {
        // Still down; whoever waits looks for itself now and then.
      }
    }
  }

  await begin();
  return {
    async close() {
      isClosed = true;
      await client?.end().catch(() => undefined);
    },
  };
}

/** A server that vanished without a word would otherwise be listened to for hours. Saying it anew changes nothing. */
function askNowAndThen(client: pg.Client, statement: string): () => void {
  const timer = setInterval(() => {
    const tooLate = setTimeout(() => client.connection.stream.destroy(), answerMsMax).unref();
    client.query(statement).then(
      () => clearTimeout(tooLate),
      () => clearTimeout(tooLate),
    );
  }, questionMs).unref();
  return () => clearInterval(timer);
}
