/**
 * How many connections each process may hold at most, in one place: PostgreSQL takes 100 unless told
 * otherwise, and four http with eight workers must leave room for people (the table in
 * docs/operating.md). DATABASE_CONNECTIONS sets it for a process; what is not used is closed.
 */
import { OperatorError } from '../lib/operator-error.ts';

export interface HttpConnections {
  /** Calls with keys that write, and looking the keys up. */
  readonly keys: number;
  /** Calls with keys that only read. */
  readonly reading: number;
  /** People who log in. */
  readonly people: number;
  readonly agencies: number;
  /** LISTEN, for decisions. */
  readonly listening: 1;
}

const leastHttp = { keys: 2, reading: 1, people: 1, agencies: 1, listening: 1 } as const;
const httpDefault = 11;

/**
 * An http process's pools. Half of what is over the least goes to writing, which has two batches of a
 * kind under way; more than a few does nothing for speed, since numbers are given one batch at a time
 * (`npm run bench -- connections`: 1.14 × of what 26 connections gave, at 64 callers on two cores).
 */
export function httpConnections(total = httpDefault): HttpConnections {
  const least = Object.values(leastHttp).reduce((sum, count) => sum + count, 0);
  refuseFewer(total, least, 'http');
  const reading = Math.floor((total - least) / 4);
  const people = Math.ceil((total - least) / 4);
  return {
    ...leastHttp,
    keys: leastHttp.keys + (total - least - reading - people),
    reading: leastHttp.reading + reading,
    people: leastHttp.people + people,
  };
}

interface Part {
  /** Connections in use when everything it does at once is under way. */
  readonly usual: number;
  /** Fewer would make its work wait for itself. */
  readonly least: number;
  /** Whether it is woken by LISTEN. */
  readonly listens: boolean;
  /** Beside the pool, as the owner. */
  readonly apart: number;
}

const workerParts: Readonly<Record<string, Part>> = {
  intake: { usual: 4, least: 1, listens: true, apart: 0 },
  booking: { usual: 2, least: 1, listens: true, apart: 0 },
  // A backup reads everything in one transaction of the owner's, and imports post in another, one after the other.
  upkeep: { usual: 2, least: 1, listens: true, apart: 2 },
  webhooks: { usual: 2, least: 1, listens: false, apart: 0 },
  render: { usual: 2, least: 1, listens: true, apart: 0 },
  // Two mails are sent at a time, and each holds its lock meanwhile.
  mail: { usual: 3, least: 2, listens: true, apart: 0 },
};

export interface WorkerConnections {
  /** One pool for all the parts of the process. */
  readonly pool: number;
  readonly listening: 0 | 1;
  /** What is opened as the owner now and then. */
  readonly apart: number;
}

/** A worker process's connections: what its parts use, and one to fetch jobs and say that it lives. */
export function workerConnections(names: readonly string[], total?: number): WorkerConnections {
  const parts = names.flatMap((name) => workerParts[name] ?? []);
  const listening = parts.some(({ listens }) => listens) ? 1 : 0;
  const apart = Math.max(0, ...parts.map((part) => part.apart));
  const sum = (count: (part: Part) => number) => parts.reduce((all, part) => all + count(part), 1);
  if (total === undefined) return { pool: sum(({ usual }) => usual), listening, apart };
  refuseFewer(total, sum(({ least }) => least) + listening + apart, `worker ${names.join(' ')}`);
  return { pool: total - listening - apart, listening, apart };
}

function refuseFewer(total: number, least: number, part: string): void {
  if (total >= least) return;
  throw new OperatorError(
    `DATABASE_CONNECTIONS är ${total}, men ${part} behöver minst ${least} anslutningar. Höj talet, eller ta bort det.`,
  );
}
