/**
 * Receives webhooks that are signed with HMAC-SHA256, as shops send them: used by woocommerce.ts and shopify.ts. What is genuine is
 * kept in a file and answered 200 at once, then handed on until Huvudbok has it, also by a program that was killed in between:
 * WooCommerce sends nothing twice, and Shopify waits five seconds for an answer.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

interface Shop {
  readonly secret: string;
  /** The headers with the signature, and with what has happened. */
  readonly header: string;
  readonly topic: string;
  /** What the shop sends unsigned, to see whether anybody answers. */
  readonly ping?: RegExp;
}

const bytesMax = 1024 * 1024;
const waitMsMax = 60_000;

/**
 * `handle` ends when what came is with Huvudbok. After any fault it is called with the same again, after what has come
 * since: orders and refunds are known by their numbers, and become one however often they are sent.
 */
export function receiveSigned(
  { secret, header, topic, ping }: Shop,
  // biome-ignore lint/suspicious/noExplicitAny: what a shop sends is read field by field
  handle: (topic: string, body: any) => Promise<void>,
): void {
  const kept = new DatabaseSync(process.argv[2] ?? 'received.sqlite');
  kept.exec(
    'create table if not exists received (place integer primary key, topic text, body text)',
  );
  const keep = kept.prepare('insert into received (topic, body) values (?, ?)');
  const findFirst = kept.prepare('select place, topic, body from received order by place limit 1');
  const remove = kept.prepare('delete from received where place = ?');
  const putLast = kept.prepare(
    'update received set place = (select max(place) + 1 from received) where place = ?',
  );

  let isWorking = false;
  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    let waitMs = 1_000;
    for (let one = findFirst.get(); one; one = findFirst.get()) {
      const place = one['place'] as number;
      try {
        await handle(String(one['topic']), JSON.parse(String(one['body'])));
        remove.run(place);
        waitMs = 1_000;
      } catch (fault) {
        console.error(fault);
        putLast.run(place);
        await setTimeout(waitMs);
        waitMs = Math.min(waitMs * 2, waitMsMax);
      }
    }
    isWorking = false;
  }

  const server = createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end();
    try {
      const raw = await bytesOf(request);
      if (raw === undefined) return void answer(413);
      if (ping?.test(raw.toString('latin1'))) return void answer(200);
      // The bytes as they came: parsed and written anew they would be others, and so would the signature.
      const signature = createHmac('sha256', secret).update(raw).digest();
      const given = Buffer.from(String(request.headers[header]), 'base64');
      if (given.length !== signature.length || !timingSafeEqual(given, signature))
        return void answer(401);
      const body = raw.toString('utf8');
      JSON.parse(body);
      keep.run(String(request.headers[topic]), body);
      answer(200);
      void work();
    } catch (fault) {
      console.error(fault);
      answer(500);
    }
  });
  server.listen(Number(process.env['PORT'] ?? 8080), () => {
    const address = server.address();
    console.log(`listening on ${typeof address === 'object' ? address?.port : address}`);
  });
  void work();
}

async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > bytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Öre of an amount as text: `"199.90"` → 19990. Whole numbers add up; kronor in binary fractions do not. */
export function oreOf(amount: string | number): number {
  return Math.round(Number(amount) * 100);
}

/**
 * A row that comes to exactly `grossOre`, VAT included: where the sum does not divide by the quantity, as after a
 * discount, the quantity goes into the text.
 */
export function rowOf(description: string, quantity: number, grossOre: number, vatRate: number) {
  return quantity > 0 && grossOre % quantity === 0
    ? { description, quantity, unitPrice: grossOre / quantity / 100, vatRate }
    : {
        description: `${quantity} × ${description}`,
        quantity: 1,
        unitPrice: grossOre / 100,
        vatRate,
      };
}

/** An order that was changed after it became an invoice, which stays as it is: a person credits what was taken off it, say. */
export function tellOfChange(answer: object): void {
  if ('differingFields' in answer) console.warn('changed since its invoice was made', answer);
}

/** What was refused with 422 is kept in Huvudbok with its reason, for a person; anything else is to be sent again. */
export function unlessKept(error: unknown): void {
  const isKept = error instanceof Error && 'status' in error && error.status === 422;
  if (!isKept) throw error;
}
