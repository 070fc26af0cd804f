/**
 * Receives Huvudbok's webhooks: the signature checked without a library, each event once.
 *
 *   HUVUDBOK_WEBHOOK_SECRET=whsec_… PORT=8081 node examples/typescript/webhook-receiver.ts <file.sqlite>
 *
 * huvudbok webhook create --url https://…  gives the secret, and  huvudbok webhook test <id>  tries it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const secret = Buffer.from(
  (process.env['HUVUDBOK_WEBHOOK_SECRET'] ?? '').replace(/^whsec_/, ''),
  'base64',
);
const toleranceSeconds = 300;
const bytesMax = 1024 * 1024;

const inbox = new DatabaseSync(process.argv[2] ?? 'events.sqlite');
inbox.exec(
  'create table if not exists event (id text primary key, type text, body text, done integer default 0)',
);
const insert = inbox.prepare('insert or ignore into event (id, type, body) values (?, ?, ?)');

/** Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`; several signatures stand there while a secret is exchanged. */
function isGenuine(id: string, timestamp: string, signatures: string, body: Buffer): boolean {
  // An old message, signed once and sent again by somebody who listened, is none of ours.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > bytesMax) return void response.writeHead(413).end();
      parts.push(part);
    }
  } catch {
    // Whoever sent it hung up before its end: there is nobody to answer.
    return;
  }
  const body = Buffer.concat(parts);
  const header = (name: string) => String(request.headers[name] ?? '');
  const id = header('webhook-id');
  if (!isGenuine(id, header('webhook-timestamp'), header('webhook-signature'), body)) {
    return void response.writeHead(401).end();
  }
  const { type } = JSON.parse(body.toString('utf8'));
  // Kept first, answered then, worked on afterwards: Huvudbok waits 15 seconds, and sends again what is not answered 2xx.
  const { changes } = insert.run(id, type, body.toString('utf8'));
  response.writeHead(204).end();
  console.log(`${type} ${id}${changes === 0 ? ' (again)' : ''}`);
});
server.listen(Number(process.env['PORT'] ?? 8081), () => {
  const address = server.address();
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`);
});
