/**
 * `huvudbok start`: the whole service in one supervised tree. The database first, then its migrations, then
 * one process per part; stopped the other way round, so that nobody loses the database while working.
 */
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import type { OperatorError } from './operator-error.ts';
import { type ChildSpec, type Supervisor, supervise } from './supervisor.ts';

/** What one machine runs, a process each; the last two have little to do. */
export const allParts: readonly (readonly string[])[] = [
  ['http'],
  ['worker', 'intake'],
  ['worker', 'booking'],
  ['worker', 'upkeep', 'webhooks', 'mail', 'render'],
];

export interface StartOptions {
  /** `src/huvudbok.ts`: every child is the same command line. */
  readonly entry: string;
  readonly dataDir: string;
  /** An outside PostgreSQL; undefined starts the embedded one in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** What the children inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The parts to run, each as the words after `huvudbok`, in the order they are to be stopped. */
  readonly parts: readonly (readonly string[])[];
  readonly write: (line: string) => void;
  /** Work on the migrated database before anything else starts. */
  readonly prepare: (url: string) => Promise<void>;
  /** Lines for the person at the terminal, once everything answers. */
  readonly greeting: (address: string, url: string) => Promise<readonly string[]>;
  /** Aborted when the service is to stop. */
  readonly stop: AbortSignal;
}

/** Everything must be down ten seconds after it is asked to be. */
const stop_ms_max = 9500;
/** What PostgreSQL can count on, however long the processes take. */
const database_stop_ms_min = 3000;

/** Runs until stopped. Throws an OperatorError when it cannot start or go on. */
export async function start(options: StartOptions): Promise<void> {
  const { databaseUrl, dataDir, write, stop } = options;
  const server = databaseUrl ? undefined : await startEmbedded({ dataDir, log: write });
  const url = databaseUrl ?? server?.url ?? '';
  let supervisor: Supervisor | undefined;
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener('abort', () => resolve(undefined));
  });
  const lost = server?.lost ?? new Promise<never>(() => {});

  async function run(): Promise<OperatorError | undefined> {
    await Promise.race([migrate({ url, log: write }), stopped]);
    if (stop.aborted) return undefined;
    await options.prepare(url);
    supervisor = supervise(childrenOf(options, url), options);
    const ended = Promise.race([stopped, supervisor.failed, lost]);
    const address = await Promise.race([supervisor.ready, ended.then(() => undefined)]);
    if (address) for (const line of await options.greeting(address, url)) write(line);
    return ended;
  }

  let fault: OperatorError | undefined;
  try {
    fault = await run();
  } finally {
    const deadline = Date.now() + stop_ms_max;
    await supervisor?.stop(stop_ms_max - database_stop_ms_min);
    await server?.stop(deadline - Date.now());
  }
  if (fault) throw fault;
}

/**
 * Nothing is kept between calls, so a process needs no large heap; left alone, Node lets garbage grow with
 * the machine's memory instead (measured: 231 MB against 164, at the same speed).
 */
const heapLimits = ['--max-old-space-size=192', '--max-semi-space-size=8'];

function childrenOf({ parts, env }: StartOptions, url: string): ChildSpec[] {
  return parts.map((args) => ({
    name: args.filter((word) => word !== 'worker').join('+'),
    args,
    env: { ...env, DATABASE_URL: url },
    node: heapLimits,
  }));
}
