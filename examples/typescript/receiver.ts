/** Receives webhooks that are signed with HMAC-SHA256, as shops send them: used by woocommerce.ts and shopify.ts. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: what a shop sends is read field by field
  readonly body: any;
}

const bytesMax = 1024 * 1024;

/**
 * `handle` ends when what came is safe with Huvudbok; only then is the shop answered 200. Any fault is 500, so that
 * the shop sends it again: orders and refunds are known by their numbers, and become one however often they come.
 */
export function receiveSigned(
  { secret, header }: { readonly secret: string; readonly header: string },
  handle: (received: Received) => Promise<void>,
): void {
  const server = createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end();
    try {
      const raw = await bytesOf(request);
      if (raw === undefined) return void answer(413);
      // The bytes as they came: parsed and written anew they would be others, and so would the signature.
      const signature = createHmac('sha256', secret).update(raw).digest();
      const given = Buffer.from(String(request.headers[header]), 'base64');
      if (given.length !== signature.length || !timingSafeEqual(given, signature))
        return void answer(401);
      await handle({ headers: request.headers, body: JSON.parse(raw.toString('utf8')) });
      answer(200);
    } catch (fault) {
      console.error(fault);
      answer(500);
    }
  });
  server.listen(Number(process.env['PORT'] ?? 8080), () => {
    const address = server.address();
    console.log(`listening on ${typeof address === 'object' ? address?.port : address}`);
  });
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

/** What is neither stored nor refused for good is to be sent again; an order that needs a person is safe. */
export function isKept(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 422;
}
