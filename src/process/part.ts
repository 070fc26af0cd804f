/** What every part of the service is besides its work: watched, logged, counted, and waiting for its database. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { namePart, serveMetrics, snapshot, textOf } from '../lib/metrics/export.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { exitWithParent, reportRefusal, surviveLostLogs, tellFigures } from './lifecycle.ts';
import { createLogger } from './logger.ts';
import { collectSeldom, giveBackAtRest } from './memory.ts';

/** A part at work. */
export interface RunningPart {
  stop(): Promise<void>;
  /** Whether it reaches the database. */
  isWell(): boolean;
}

export function databaseUrl(url: string | undefined): string {
  if (url !== undefined) return url;
  throw new OperatorError(
    'DATABASE_URL saknas. Kör huvudbok start för allt i ett, eller peka ut databasen.',
  );
}

/**
 * A part of the service goes when its supervisor dies, from the first moment; and what can never start
 * is told to it, so that it does not try for ever.
 */
export async function asPart(
  name: string,
  { logLevel, metrics }: Config,
  work: (log: Logger) => Promise<RunningPart>,
): Promise<void> {
  exitWithParent();
  surviveLostLogs();
  collectSeldom();
  giveBackAtRest();
  namePart(name);
  tellFigures(snapshot);
  let part: RunningPart | undefined;
  const fault = () => (part ? (part.isWell() ? undefined : 'database') : 'starting');
  try {
    if (metrics)
      await serveMetrics({ ...metrics, read: async () => textOf([await snapshot()]), fault });
    part = await work(createLogger(logLevel, name));
  } catch (error) {
    if (error instanceof OperatorError) await reportRefusal(error.message);
    throw error;
  }
}
