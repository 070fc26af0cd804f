/**
 * Keeps child processes running: starts them, waits until they are ready, starts again one that dies or stands still,
 * and stops them in order. A child that says it can never start (a taken port) brings everything down at
 * once instead of being tried for ever.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '../lib/metrics/export.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { ChildMessage, SupervisorMessage } from './lifecycle.ts';

export interface ChildSpec {
  readonly name: string;
  /** The script that it runs, and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What Node itself is told, before the script. */
  readonly node?: readonly string[];
  /** Started when another child calls it by name, and not missed when it ends by itself with 0. */
  readonly isOnCall?: boolean;
}

export interface SuperviseOptions {
  /** What each child is told when it may begin, however often it is started; without it none is told. */
  readonly begin?: Promise<Readonly<Record<string, string>>>;
  /** Takes sentences of our own. */
  readonly write: (line: string) => void;
  /** Takes whole lines of the children, and whose they are. */
  readonly log: (name: string, line: string) => void;
  /** How often each is asked whether it is alive; 15 seconds unless said. */
  readonly askMs?: number;
}

export interface Supervisor {
  /** Resolves when all are ready, with the address one of them gave. */
  readonly ready: Promise<string | undefined>;
  /** Resolves if a child can never start. */
  readonly failed: Promise<OperatorError>;
  /** Whether all have been ready. */
  isReady(): boolean;
  /** What the children have counted; one that does not answer soon is left out. */
  figures(): Promise<Snapshot[]>;
  /** Stops the first listed, which gives the others work, and then them. */
  stop(within_ms: number): Promise<void>;
}

/** Of the time for stopping, what the first may take before it is killed. */
const firstStopShare = 0.6;
const backoffMsMin = 250;
const backoffMsMax = 10_000;
/** One that has run this long was well; its next crash is a new story. */
const stableMs = 30_000;
/** A child that has not told its figures by then is too busy to. */
const figuresMsMax = 2_000;
/**
 * How often a child is asked, and how many questions it may leave unanswered before it is ended: it stands still, as one
 * that somebody has stopped or that runs in a circle. Counted in questions, since a machine that slept asked none.
 */
const askMsDefault = 15_000;
const unansweredMax = 4;
/** Attempts before giving up on a child that has never once become ready. */
const firstAttemptsMax = 5;

export function supervise(specs: readonly ChildSpec[], given: SuperviseOptions): Supervisor {
  const { promise: failed, resolve: fail } = Promise.withResolvers<OperatorError>();
  const stopping = new AbortController();
  const byName = new Map<string, Kept>();
  const call = (name: string) => byName.get(name)?.call();
  const options = { ...given, fail, call, stopping: stopping.signal };
  for (const spec of specs) byName.set(spec.name, keepRunning(spec, options));
  const children = [...byName.values()];
  let are_ready = false;
  const ready = Promise.all(children.map((child) => child.ready)).then((addresses) => {
    are_ready = true;
    return addresses.find((address) => address !== undefined);
  });
  return {
    ready,
    isReady: () => are_ready,
    failed,
    async figures() {
      const told = await Promise.all(children.map((child) => child.figures()));
      return told.filter((one) => one !== undefined);
    },
    async stop(within_ms) {
      // From here on nobody is started again, should they too have been told to stop (systemd does so).
      stopping.abort();
      const deadline = performance.now() + within_ms;
      const [first, ...others] = children;
      await first?.stop(within_ms * firstStopShare);
      await Promise.all(others.map((child) => child.stop(deadline - performance.now())));
    },
  };
}

interface Kept {
  readonly ready: Promise<string | undefined>;
  figures(): Promise<Snapshot | undefined>;
  /** Somebody has work for it. */
  call(): void;
  stop(within_ms: number): Promise<void>;
}

interface KeepOptions extends SuperviseOptions {
  readonly fail: (error: OperatorError) => void;
  readonly call: (name: string) => void;
  readonly stopping: AbortSignal;
}

function keepRunning(spec: ChildSpec, options: KeepOptions): Kept {
  const { write, fail, call, stopping } = options;
  const { promise: ready, resolve: reportReady } = Promise.withResolvers<string | undefined>();
  let current: ChildProcess | undefined;
  const listening: ((figures: Snapshot | undefined) => void)[] = [];
  let has_been_ready = false;
  let has_refused = false;
  let is_called = false;
  let hear_call = () => {};
  stopping.addEventListener('abort', () => hear_call());
  if (spec.isOnCall) reportReady(undefined);

  /** Until there is work for a child on call. */
  async function untilCalled(): Promise<void> {
    if (!spec.isOnCall || stopping.aborted || is_called) return;
    const { promise: called, resolve } = Promise.withResolvers<void>();
    hear_call = resolve;
    await called;
  }

  async function run(): Promise<void> {
    let backoff_ms = backoffMsMin;
    let mayWait = true;
    for (let attempt = 1; !stopping.aborted; attempt += 1) {
      if (mayWait) await untilCalled();
      if (stopping.aborted) return;
      const started = performance.now();
      const child = startChild(spec, options);
      current = child;
      const watch = watchOver(child, spec, options);
      child.on('message', (message: ChildMessage) => {
        watch.heard();
        if (message.kind === 'figures') {
          for (const hear of listening.splice(0)) hear(message.figures);
        } else if (message.kind === 'call') {
          call(message.part);
        } else if (message.kind === 'leaving') {
          is_called = false;
        } else if (message.kind === 'ready') {
          watch.begin();
          has_been_ready = true;
          reportReady(message.address);
        } else if (message.kind === 'refused' && !has_been_ready && !spec.isOnCall) {
          has_refused = true;
          fail(new OperatorError(message.message));
        }
      });
      const ending = await ended(child);
      watch.end();
      if (stopping.aborted || has_refused) return;
      mayWait = child.exitCode === 0;
      if (spec.isOnCall && mayWait) continue;
      if (!has_been_ready && !spec.isOnCall && attempt === firstAttemptsMax) {
        fail(
          new OperatorError(`Processen ${spec.name} startar inte (${ending}); orsaken står ovan.`),
        );
        return;
      }
      if (performance.now() - started > stableMs) backoff_ms = backoffMsMin;
      write(`Processen ${spec.name} avbröts (${ending}) och startas igen om ${backoff_ms} ms.`);
      await sleep(backoff_ms, undefined, { signal: stopping }).catch(() => {});
      backoff_ms = Math.min(backoff_ms * 2, backoffMsMax);
    }
  }
  const running = run();

  return {
    ready,
    figures() {
      const { promise, resolve } = Promise.withResolvers<Snapshot | undefined>();
      listening.push(resolve);
      if (!tell(current, { kind: 'tell figures' }, () => resolve(undefined))) resolve(undefined);
      setTimeout(() => resolve(undefined), figuresMsMax).unref();
      return promise;
    },
    call() {
      is_called = true;
      hear_call();
    },
    async stop(within_ms) {
      current?.kill('SIGTERM');
      const too_late = setTimeout(() => current?.kill('SIGKILL'), within_ms);
      await running;
      clearTimeout(too_late);
    },
  };
}

/** Asks the child again and again, once `begin` is called, and ends it when it leaves too many questions unanswered. */
function watchOver(
  child: ChildProcess,
  { name }: ChildSpec,
  { write, askMs = askMsDefault }: KeepOptions,
) {
  let unanswered = 0;
  let asking: NodeJS.Timeout | undefined;
  const end = () => clearInterval(asking);
  const ask = () => {
    if (unanswered < unansweredMax) {
      if (tell(child, { kind: 'are you alive' })) unanswered += 1;
      return;
    }
    end();
    write(
      `Processen ${name} har slutat svara, och avslutas: något har stoppat den, eller så går den runt i en slinga.`,
    );
    child.kill('SIGKILL');
  };
  return {
    begin() {
      asking ??= setInterval(ask, askMs);
    },
    heard() {
      unanswered = 0;
    },
    end,
  };
}

/**
 * A session of its own keeps the terminal's Ctrl-C away from the child, which is to stop in its turn. The
 * channel tells it if we die (`exitWithParent`).
 */
function startChild(spec: ChildSpec, { begin, log }: SuperviseOptions): ChildProcess {
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...(spec.node ?? []), ...spec.command],
    {
      env: spec.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => log(spec.name, line));
  }
  void begin?.then((env) => tell(child, { kind: 'begin', env }));
  return child;
}

/** Whether it could be told, as far as is known now; `lost` hears if it never got there. */
function tell(
  child: ChildProcess | undefined,
  message: SupervisorMessage,
  lost: () => void = () => undefined,
): boolean {
  if (!child?.connected) return false;
  child.send(message, (error) => error && lost());
  return true;
}

/** How it ended, in words for the log. */
export async function ended(child: ChildProcess): Promise<string> {
  try {
    // Its last message may arrive after its death is known, but never after the channel has closed.
    const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    return signal ? `signal ${signal}` : `kod ${code}`;
  } catch (error) {
    return String(error);
  }
}
