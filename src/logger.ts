/** Logs are JSON lines on stderr: stdout belongs to what a command answers. */
import { type Logger, pino } from 'pino';
import { loggedRequest } from './http/transport.ts';

const STDERR = 2;

export function createLogger(level: string, name: string): Logger {
  return pino(
    {
      level,
      name,
      redact: {
        paths: ['*.authorization', '*.password', '*.secret', '*.key', 'headers.authorization'],
        censor: '[dolt]',
      },
      serializers: { req: loggedRequest },
    },
    pino.destination({ dest: STDERR, sync: false, minLength: 0 }),
  );
}
