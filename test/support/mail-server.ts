/** A real SMTP server that keeps what it is sent, and the messages as a mail program would read them. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  /** Of the envelope: where it was in fact to go. */
  readonly to: readonly string[];
  readonly raw: string;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Closes the connection without a word. */
  hangUp(session: SMTPServerSession, done: (error?: Error | null) => void): void;
  close(): Promise<void>;
}

interface Answering {
  /** May refuse the message with an error that has a `responseCode`, after it is kept. */
  readonly answer?: () => Error | null;
  /** Keeps the message, and closes the connection instead of answering. */
  readonly hangsUp?: boolean;
  /** How long it looks at a message before it answers. */
  readonly thinksMs?: number;
}

export async function startMailServer(
  options: SMTPServerOptions & Answering = {},
): Promise<MailServer> {
  const { answer = () => null, hangsUp = false, thinksMs = 0, ...rest } = options;
  const received: ReceivedMail[] = [];
  const sockets = new Map<number, Socket>();
  const hangUp: MailServer['hangUp'] = ({ remotePort }, done) => {
    sockets.get(remotePort)?.destroy();
    done();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
        });
        if (hangsUp) hangUp(session, done);
        else setTimeout(() => done(answer()), thinksMs);
      });
    },
    ...rest,
  });
  // A client that goes away in the middle is no fault of the test.
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => sockets.set(socket.remotePort ?? 0, socket));
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    hangUp,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface ReadMail {
  /** By name in lower case; each of them, in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  header(name: string): string;
  readonly text: string;
  readonly attachments: readonly { name: string; type: string; bytes: Buffer }[];
}

interface Part {
  readonly headers: Map<string, string[]>;
  readonly body: string;
}

function readPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  }
  return { headers, body: raw.slice(end + 4) };
}

function bytesOf({ headers, body }: Part): Buffer {
  const encoding = headers.get('content-transfer-encoding')?.[0]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const plain = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

/** RFC 2047. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
      if (kind.toLowerCase() === 'b') return `\0${Buffer.from(word, 'base64').toString('hex')}\0`;
      const bytes = word
        .replaceAll('_', ' ')
        .replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
      return `\0${Buffer.from(bytes, 'latin1').toString('hex')}\0`;
    })
    .replaceAll('\0\0', '')
    .replace(/\0([0-9a-f]*)\0/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('utf8'));

export function readMail(raw: string): ReadMail {
  const { headers, body } = readPart(raw);
  const [type = ''] = headers.get('content-type') ?? [];
  const [, boundary = ''] = /boundary="?([^";]+)"?/.exec(type) ?? [];
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const [text, ...files] = parts;
  return {
    headers,
    header: (name) => decodeWords(headers.get(name)?.join('\n') ?? ''),
    text: text ? bytesOf(text).toString('utf8').replaceAll('\r\n', '\n') : '',
    attachments: files.map((part) => ({
      name:
        /filename="?([^";]+)"?/.exec(part.headers.get('content-disposition')?.[0] ?? '')?.[1] ?? '',
      type: part.headers.get('content-type')?.[0] ?? '',
      bytes: bytesOf(part),
    })),
  };
}
