/** Logs are JSON lines on stderr: stdout belongs to what a command answers. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedRequest } from '../http/transport.ts';
import { gatherLines } from './gathered-lines.ts';

const stderr = 2;
/** After a line that could not be written. */
const lostMs = 1_000;

/** The last line of defence: a key or token is blanked wherever in a line it has ended up. */
const secrets = /\b(svc[bt]?_(?:live_)?|whsec_)[A-Za-z0-9_+/-]{8,}/g;
/** So is a mail address, and what stands before the @ in a connection's address: its password. */
const beforeAt = /[^\s"'<>()/\\@:;,=]{1,64}@[^\s"'<>()/\\@:;,]{1,255}/g;

const withoutSecrets = (line: string): string => {
  const blanked = line.replace(secrets, '$1[dolt]');
  return blanked.includes('@') ? blanked.replace(beforeAt, '[dolt]') : blanked;
};

/** Of an error or worse, as pino begins its lines: the process may be about to end. */
const fault = /^\{"level":[56]0,/;

// Written by the end of the turn: the stream's own buffer is flushed at exit, and a flush to a reader that is gone
// never ends.
function standardError(): DestinationStream {
  let lost_until = 0;
  let stream: DestinationStream | undefined;
  // On a full disk lines are lost for a while, and with them what was left unwritten: it would otherwise
  // grow, and hold up what follows.
  const open = (): DestinationStream => {
    const opened = pino.destination({ dest: stderr, sync: true });
    opened.on('error', () => {
      stream = undefined;
      lost_until = performance.now() + lostMs;
    });
    return opened;
  };
  const lines = gatherLines((gathered) => {
    if (performance.now() < lost_until) return;
    stream ??= open();
    stream.write(gathered);
  });
  return {
    write(line) {
      lines.add(line);
      if (fault.test(line)) lines.now();
    },
  };
}

export function createLogger(
  level: string,
  part: string,
  destination: DestinationStream = standardError(),
): Logger {
  return pino(
    {
      level,
      base: { part, pid: process.pid },
      redact: {
        paths: ['*.authorization', '*.password', '*.secret', '*.key', 'headers.authorization'],
        censor: '[dolt]',
      },
      serializers: {
        req: loggedRequest,
        err: loggedError,
        // pg-boss tells of slow statements with their values.
        warning: loggedError,
        // @fastify/multipart would write down every header, cookies too.
        busboyOptions: () => undefined,
      },
      formatters: { log: withoutErrors },
      hooks: {
        streamWrite: withoutSecrets,
        // Without words of its own a line would get the error's, as they are.
        logMethod(given, method) {
          const [first, ...words] = given as unknown[];
          const isAlone = words.length === 0 && typeof first === 'object' && first !== null;
          const hasError = isAlone && (first instanceof Error || 'err' in first);
          method.apply(this, (hasError ? [first, 'fault'] : given) as typeof given);
        },
      },
    },
    destination,
  );
}

/** An error under any other name is written down as one under `err`. */
const withoutErrors = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.values(values).some((value) => value instanceof Error)
    ? Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          value instanceof Error && name !== 'err' ? loggedError(value) : value,
        ]),
      )
    : values;

/** What tells faults apart, and never holds what somebody typed: of Node's errors and of PostgreSQL's. */
const facts = [
  'code',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
] as const;
const messageMax = 500;
const framesMax = 20;
const causesMax = 4;

/**
 * An error as the log keeps it: only what is listed here. Libraries hang anything on an error (pg its
 * whole client, password and cancel key with it; PostgreSQL the row that was refused, as `detail`).
 */
export function loggedError(error: unknown, causes = causesMax): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { message: short(String(error)) };
  const given = error as Record<string, unknown>;
  const logged: Record<string, unknown> = {
    type: typeof given['name'] === 'string' ? short(given['name']) : 'Object',
    message: messageOf(given),
  };
  for (const fact of facts) {
    const value = given[fact];
    if (typeof value === 'string' || typeof value === 'number') logged[fact] = short(`${value}`);
  }
  if (typeof given['stack'] === 'string') logged['stack'] = framesOf(given['stack']);
  if (causes === 0) return logged;
  const { cause, errors } = given;
  if (typeof cause === 'object' && cause !== null) logged['cause'] = loggedError(cause, causes - 1);
  if (Array.isArray(errors)) {
    logged['errors'] = errors.slice(0, causesMax).map((one) => loggedError(one, causes - 1));
  }
  return logged;
}

const short = (text: string): string => text.slice(0, messageMax);

/** PostgreSQL's class 22 (a value it cannot read) and JSON's parser repeat the value, in quotes. */
function messageOf({ name, code, message }: Record<string, unknown>): string {
  if (typeof message !== 'string') return '';
  const repeatsValue = name === 'SyntaxError' || /^22[0-9A-Z]{3}$/.test(String(code));
  const [from, to] = [message.indexOf('"'), message.lastIndexOf('"')];
  return repeatsValue && from < to
    ? short(`${message.slice(0, from + 1)}[dolt]${message.slice(to)}`)
    : short(message);
}

/** Where it happened, without the message that a stack repeats. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, framesMax)
    .join('\n');
