/** Logs are JSON lines on stderr: stdout belongs to what a command answers. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedRequest } from './http/transport.ts';

const STDERR = 2;

/** The last line of defence: a key or token is blanked wherever in a line it has ended up. */
const secrets = /\b(svc[bt]?_(?:live_)?)[A-Za-z0-9_-]{8,}/g;

// Written at once: what is buffered is flushed at exit, and a flush to a reader that is gone never ends.
const standardError = () => pino.destination({ dest: STDERR, sync: true });

export function createLogger(
  level: string,
  name: string,
  destination: DestinationStream = standardError(),
): Logger {
  return pino(
    {
      level,
      name,
      redact: {
        paths: ['*.authorization', '*.password', '*.secret', '*.key', 'headers.authorization'],
        censor: '[dolt]',
      },
      serializers: { req: loggedRequest },
      hooks: { streamWrite: (line) => line.replace(secrets, '$1[dolt]') },
    },
    destination,
  );
}
