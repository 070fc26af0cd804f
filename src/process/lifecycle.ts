/**
 * What a process of ours owes the one that started it: to say when it is ready or why it cannot be, and to
 * go when asked or left alone. All of it also works for a process started by hand, without a supervisor.
 */
import { once } from 'node:events';
import process from 'node:process';
import { adoptEnvironment } from '../config/environment.ts';
import type { Snapshot } from '../lib/metrics/export.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { StartSettings } from './start-settings.ts';

/** From a child to its supervisor. A refusal is final: starting again would not help. */
export type ChildMessage =
  | { readonly kind: 'ready'; readonly address?: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'figures'; readonly figures: Snapshot }
  | { readonly kind: 'call'; readonly part: string }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'alive' };

/** From the process that prepares to `start`. */
export type PreparationAnswer =
  | { readonly kind: 'begun'; readonly settings: StartSettings }
  | { readonly kind: 'prepared'; readonly env: Readonly<Record<string, string>> }
  | Extract<ChildMessage, { kind: 'refused' }>;

/** From a supervisor to its children. */
export type SupervisorMessage =
  | { readonly kind: 'tell figures' }
  | { readonly kind: 'are you alive' }
  /** What they were started for can begin, with these settings beside those that they inherited. */
  | { readonly kind: 'begin'; readonly env: Readonly<Record<string, string>> };

/** A process that cannot stop by itself in this time is ended. */
const stopMsMax = 9000;

/**
 * Waits for the supervisor to say that work can begin, and takes over the settings that it tells: a child loads its
 * program while the database starts.
 */
export async function untilTold(): Promise<void> {
  if (!process.send) {
    throw new OperatorError('--told är för huvudbok start, som säger till: utelämna flaggan.');
  }
  exitWithParent();
  for (;;) {
    const [message] = (await once(process, 'message')) as [SupervisorMessage];
    if (message.kind === 'begin') return adoptEnvironment(message.env);
  }
}

/** Tells `start` what it goes by. */
export async function reportBegun(settings: StartSettings): Promise<void> {
  await tell({ kind: 'begun', settings });
}

/** Tells `start` that the database is what the parts count on, and what they are told of it. */
export async function reportPrepared(env: Readonly<Record<string, string>>): Promise<void> {
  await tell({ kind: 'prepared', env });
}

/** Tells a supervisor, if there is one, that work has begun; `address` is where people reach it. */
export async function reportReady(address?: string): Promise<void> {
  // Asked again and again from now on: one that stands still is ended, and another is started.
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'are you alive') void tell({ kind: 'alive' });
  });
  await tell({ kind: 'ready', ...(address === undefined ? {} : { address }) });
}

/** Tells a supervisor why this process can never start. Await it before exiting, or it may get lost. */
export async function reportRefusal(message: string): Promise<void> {
  await tell({ kind: 'refused', message });
}

/** Tells a supervisor that there is work for a part on call. */
export async function callPart(part: string): Promise<void> {
  await tell({ kind: 'call', part });
}

/** Tells a supervisor that this process takes no more work: what comes now is for the next. */
export async function reportLeaving(): Promise<void> {
  await tell({ kind: 'leaving' });
}

/** Answers the supervisor whenever it asks what this process has counted. */
export function tellFigures(read: () => Promise<Snapshot>): void {
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind !== 'tell figures') return;
    void read().then((figures) => tell({ kind: 'figures', figures }));
  });
}

async function tell(message: ChildMessage | PreparationAnswer): Promise<void> {
  if (!process.connected) return;
  await new Promise<void>((resolve) => process.send?.(message, () => resolve()));
}

/** What to do when the supervisor dies; a process that is still starting has nothing to finish. */
let abandon: () => void = () => process.exit(1);
let watching = false;

/** To be called first of all: the channel to the supervisor closes when it dies, by kill -9 too. */
export function exitWithParent(): void {
  if (!process.send || watching) return;
  watching = true;
  process.on('disconnect', () => abandon());
  if (!process.connected) abandon();
}

/**
 * A log on a full disk, or whose reader is gone, ends nothing: what cannot be written is lost. For what
 * serves others only; a command whose answer does not get out must fail.
 */
export function surviveLostLogs(): void {
  for (const stream of [process.stdout, process.stderr]) {
    // A command ends with its reader; a service does not.
    stream.removeAllListeners('error');
    stream.on('error', () => undefined);
  }
}

/**
 * Runs `stop` once, at the first SIGTERM, SIGINT or SIGHUP or when the supervisor dies, then exits. The
 * process may also leave by itself: what it answers begins the same.
 */
export function stopWhenAsked(stop: () => Promise<void>): () => void {
  let stopping = false;
  const begin = () => {
    if (stopping) return; // npm and the terminal both pass Ctrl-C on, so it often comes twice.
    stopping = true;
    setTimeout(() => process.exit(1), stopMsMax);
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, begin);
  abandon = begin;
  exitWithParent();
  return begin;
}
