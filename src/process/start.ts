/**
 * `huvudbok start`: the whole service in one supervised tree. The port first, so that a taken one is told
 * before anything is made; then the database, which is waited for, and its migrations; then one process
 * per part, which has loaded its program meanwhile. Stopped the other way round, so that nobody loses the database
 * while working.
 */
import { type EmbeddedServer, hasCluster, startEmbedded } from '../db/embedded.ts';
import type { OperatorError } from '../lib/operator-error.ts';
import { giveBackAtRest } from './memory.ts';
import type { Preparation } from './preparation.ts';
import type { StartSettings } from './start-settings.ts';
import { type ChildSpec, type Supervisor, supervise } from './supervisor.ts';

/** A process of the service. */
export interface Part {
  /** What it is, as `huvudbok` and `huvudbok worker` name it. */
  readonly names: readonly string[];
  /** The part on call that it watches the queues of. */
  readonly calls?: readonly string[];
  /** Runs when another calls it, until there has been nothing to do for a while. */
  readonly isOnCall?: true;
}

const onCall = ['mail', 'render'];

/** What one machine runs; printing and mailing, which are heavy and seldom, only when somebody asks. */
export const allParts: readonly Part[] = [
  { names: ['http'] },
  { names: ['intake', 'booking', 'upkeep', 'webhooks'], calls: onCall },
  { names: onCall, isOnCall: true },
];

/** How long a part on call stays when it has nothing to do, and its browser with it. */
const idleMinutes = 5;

/** What the children run. */
export interface PartScripts {
  /** `src/cli/huvudbok.ts`, the command line. */
  readonly command: string;
  /** `src/cli/http.ts`. */
  readonly http: string;
}

export interface StartOptions {
  readonly scripts: PartScripts;
  /** What the children inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The parts to run, in the order they are to be stopped. */
  readonly parts: readonly Part[];
  readonly preparation: Preparation;
  /** Where the database is embedded, as far as is known before the settings have been looked through. */
  readonly folder?: string | undefined;
  readonly write: (line: string) => void;
  /** Takes the parts' lines, and whose they are. */
  readonly log: (part: string, line: string) => void;
  /** Aborted when the service is to stop. */
  readonly stop: AbortSignal;
}

/** Everything must be down ten seconds after it is asked to be. */
const stopMsMax = 9500;
/** What PostgreSQL can count on, however long the processes take. */
const databaseStopMsMin = 3000;

/** Runs until stopped. Throws an OperatorError when it cannot start or go on. */
export async function start(options: StartOptions): Promise<void> {
  giveBackAtRest();
  const { preparation, write, stop } = options;
  const leaving = new AbortController();
  const opening = new Map<string, Promise<EmbeddedServer>>();
  const open = (dataDir: string): Promise<EmbeddedServer> => {
    const signal = AbortSignal.any([stop, leaving.signal]);
    const found = opening.get(dataDir) ?? startEmbedded({ dataDir, log: write, signal });
    opening.set(dataDir, found);
    return found;
  };
  // One that is there can be started at once; one that is to be made waits for the port. A fault is told when its turn comes.
  if (options.folder && hasCluster(options.folder)) open(options.folder).catch(() => undefined);
  let server: EmbeddedServer | undefined;
  let supervisor: Supervisor | undefined;
  let figures: { stop(): Promise<void> } | undefined;
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener('abort', () => resolve(undefined));
  });

  async function run(): Promise<OperatorError | undefined> {
    const { promise: begin, resolve: beginWith } =
      Promise.withResolvers<Readonly<Record<string, string>>>();
    supervisor = supervise(childrenOf(options), { ...options, begin });
    const settings = await Promise.race([preparation.begun, stopped]);
    if (!settings) return undefined;
    const { folder } = settings;
    figures = await serveFigures(settings, () => supervisor);
    if (folder) server = await open(folder);
    const url = settings.databaseUrl ?? server?.url ?? '';
    const told = await Promise.race([preparation.prepare(url, folder), stopped]);
    if (!told || stop.aborted) return undefined;
    beginWith({
      ...settings.env,
      ...told,
      DATABASE_URL: url,
      // Their figures are served here, for all of them at one address; a port has room for one.
      METRICS_PORT: '',
      METRICS_PORT_FILE: '',
    });
    const lost = server?.lost ?? new Promise<never>(() => {});
    const ended = Promise.race([stopped, supervisor.failed, lost]);
    const address = await Promise.race([supervisor.ready, ended.then(() => undefined)]);
    if (address) await Promise.race([preparation.greet(address), ended]);
    return ended;
  }

  let fault: OperatorError | undefined;
  try {
    fault = await run();
  } catch (error) {
    // Asked to stop while it waited for the database's disk.
    if (!stop.aborted) throw error;
  } finally {
    const deadline = performance.now() + stopMsMax;
    if (!server) leaving.abort();
    await preparation.stop();
    await figures?.stop();
    await supervisor?.stop(stopMsMax - databaseStopMsMin);
    for (const opened of await Promise.allSettled(opening.values())) {
      if (opened.status === 'fulfilled') await opened.value.stop(deadline - performance.now());
    }
  }
  if (fault) throw fault;
}

/**
 * Nothing is kept between calls, so a process needs no large heap; left alone, Node lets garbage grow with
 * the machine's memory instead (measured: 231 MB against 164, at the same speed). What waits for its batch is copied
 * each time that the young part is full: with half of it a voucher of a bulk costs a third more (memory.ts gives it back).
 */
const heapLimits = ['--max-old-space-size=192', '--max-semi-space-size=16'];

/**
 * glibc gives each thread an arena of its own, of which what is freed stays: 3 MB in each process, and at 64 connections
 * as many vouchers with one.
 */
const oneArena = { MALLOC_ARENA_MAX: '1' };

const childrenOf = ({ parts, env, scripts }: StartOptions): ChildSpec[] =>
  parts.map((part) => ({
    name: part.names.join('+'),
    command: part.names.includes('http')
      ? [scripts.http]
      : [scripts.command, ...workerArguments(part), '--told'],
    ...(part.isOnCall ? { isOnCall: true } : {}),
    env: { ...oneArena, ...env },
    node: heapLimits,
  }));

function workerArguments({ names, calls, isOnCall }: Part): string[] {
  const watching = calls ? ['--call', ...calls] : [];
  return ['worker', ...names, ...watching, ...(isOnCall ? ['--until-idle', `${idleMinutes}`] : [])];
}

/** Also of those that have not started yet, which have none. */
async function serveFigures(
  { metrics }: StartSettings,
  running: () => Supervisor | undefined,
): Promise<{ stop(): Promise<void> } | undefined> {
  if (!metrics) return undefined;
  const { namePart, serveMetrics, snapshot, textOf } = await import('../lib/metrics/export.ts');
  namePart('start');
  return serveMetrics({
    ...metrics,
    read: async () => textOf([await snapshot(), ...((await running()?.figures()) ?? [])]),
    fault: () => (running()?.isReady() ? undefined : 'starting'),
  });
}
