/** The other end of a webhook: checks who speaks, fails now and then, is slow now and then, and remembers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Random } from '#src/demo/random.ts';

export interface Receiver {
  readonly url: string;
  /** Ids of events that were taken with 204. */
  readonly taken: ReadonlySet<string>;
  /** How many deliveries were refused on purpose, and how many did not bear the right signature. */
  readonly refused: number;
  readonly unsigned: number;
  /** The secret that signs, known once the endpoint has been made. */
  trust(secret: string): void;
  /** From now on everything is taken. */
  calm(): void;
  close(): void;
}

const slow_ms = 2_500;

export async function openReceiver(random: Random): Promise<Receiver> {
  const taken = new Set<string>();
  const counts = { refused: 0, unsigned: 0 };
  let webhook: Webhook | undefined;
  let is_calm = false;

  async function answer(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const headers = request.headers as Record<string, string>;
      webhook?.verify(Buffer.concat(chunks).toString(), headers);
    } catch {
      counts.unsigned += 1;
      return 401;
    }
    if (!is_calm && random.chance(2)) await sleep(slow_ms);
    if (!is_calm && random.chance(3)) {
      counts.refused += 1;
      return random.pick([500, 503, 429]);
    }
    taken.add(String(request.headers['webhook-id']));
    return 204;
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (status) => response.writeHead(status).end(),
      // Whoever sent it died meanwhile.
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/huvudbok`,
    taken,
    get refused() {
      return counts.refused;
    },
    get unsigned() {
      return counts.unsigned;
    },
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    calm: () => {
      is_calm = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
