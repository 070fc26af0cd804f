/** HTTP by hand over a real socket, for what no HTTP client would send. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { App } from '#src/http/fastify.ts';

export interface RawResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export async function listen(app: App): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

/**
 * Sends the pieces one after the other and reads until the server closes or `count` answers are
 * whole.
 */
export async function exchange(
  port: number,
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  count = 1,
): Promise<RawResponse[]> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  const done = new Promise<RawResponse[]>((resolve) => {
    const look = (isEnd: boolean) => {
      const answers = parse(received);
      if (isEnd || answers.length >= count) resolve(answers);
    };
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      look(false);
    });
    socket.on('close', () => look(true));
  });
  for await (const piece of pieces) {
    if (!socket.writable) break;
    socket.write(piece);
  }
  const answers = await done;
  socket.destroy();
  return answers;
}

export async function exchangeOne(
  port: number,
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Promise<RawResponse> {
  const [answer] = await exchange(port, pieces);
  if (!answer) throw new Error('the server closed without an answer');
  return answer;
}

/** A request's head, with the header lines as given. */
export const head = (method: string, path: string, lines: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'host: bok.example', ...lines, '', ''].join('\r\n');

function parse(bytes: Buffer): RawResponse[] {
  const answers: RawResponse[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [status = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    answers.push({ statusCode: Number(status.split(' ')[1]), headers, body: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
}
