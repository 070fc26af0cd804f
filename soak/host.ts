/**
 * A machine that runs `huvudbok start` against a database elsewhere: started, stopped, killed, and listened
 * to. Whatever of it ends without being asked to is written down.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childrenOf, isAlive } from './processes.ts';

const entry = fileURLToPath(new URL('../src/cli/huvudbok.ts', import.meta.url));

export interface HostOptions {
  readonly name: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes what a user would have suffered of, as soon as it is seen. */
  readonly violate: (sentence: string) => void;
}

const ready_ms_max = 90_000;
/** What `start` promises, and a little for a busy machine. */
const stop_ms_max = 20_000;
const tail_lines = 60;

export class Host {
  readonly name: string;
  readonly port: number;
  /** The latest lines of its log. */
  readonly tail: string[] = [];
  /** How often lines of level 50 have come, by what they say. */
  readonly errors = new Map<string, number>();
  readonly #options: HostOptions;
  #child: ChildProcess | undefined;
  #isToEnd = false;
  /** Of each part, how many have been killed whose end has not been told. */
  readonly #killed = new Map<string, number>();

  constructor(options: HostOptions) {
    this.#options = options;
    this.name = options.name;
    this.port = options.port;
  }

  /** With its log thrown at a full disk, if so wished. */
  async start({ isLogLost = false } = {}): Promise<void> {
    const full = isLogLost ? await open('/dev/full', 'w') : undefined;
    const log = full?.fd ?? 'pipe';
    this.#isToEnd = false;
    this.#killed.clear();
    const child = spawn(process.execPath, [entry, 'start'], {
      env: this.#options.env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    await full?.close();
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#hear(line));
    }
    child.once('exit', (code, signal) => {
      if (this.#isToEnd) return;
      this.#violate(
        `the whole service on ${this.name} stopped by itself (${signal ?? `code ${code}`}): nobody is answered until somebody starts it`,
      );
    });
  }

  /** Whether its http process answers that it can work. */
  async isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(3_000);
    return fetch(`http://127.0.0.1:${this.port}/readyz`, { signal }).then(
      ({ ok, body }) => body?.cancel().then(() => ok) ?? ok,
      () => false,
    );
  }

  async becomesReady(): Promise<void> {
    const deadline = Date.now() + ready_ms_max;
    while (!(await this.isReady())) {
      if (this.hasEnded()) return;
      if (Date.now() > deadline) {
        this.#violate(`${this.name} was not ready ${ready_ms_max / 1000} s after it began`);
        return;
      }
      await sleep(200);
    }
  }

  /** After it has stopped by itself: somebody has to. */
  async startIfEnded(): Promise<void> {
    if (this.hasEnded()) await this.start();
    await this.becomesReady();
  }

  hasEnded(): boolean {
    const child = this.#child;
    return child === undefined || child.exitCode !== null || child.signalCode !== null;
  }

  /** Process numbers of its parts. */
  parts(): Map<string, number> {
    return this.hasEnded() ? new Map() : childrenOf(this.#child?.pid ?? 0);
  }

  /** False when it is not there just now. */
  killPart(part: string): boolean {
    const pid = this.parts().get(part);
    if (pid === undefined || !isAlive(pid)) return false;
    this.#killed.set(part, (this.#killed.get(part) ?? 0) + 1);
    process.kill(pid, 'SIGKILL');
    return true;
  }

  /** As Ctrl-C or systemd does. */
  async stop(): Promise<void> {
    if (this.hasEnded()) return;
    const parts = [...this.parts().values()];
    const ended = this.#end('SIGTERM');
    const begun = Date.now();
    if (!(await Promise.race([ended.then(() => true), sleep(stop_ms_max, false)]))) {
      this.#violate(`${this.name} did not stop within ${stop_ms_max / 1000} s of being asked to`);
      this.#child?.kill('SIGKILL');
      await ended;
    } else if (this.#child?.exitCode !== 0) {
      const { exitCode, signalCode } = this.#child ?? {};
      this.#violate(
        `${this.name}, asked to stop, ended with ${signalCode ?? `code ${exitCode}`} after ${Date.now() - begun} ms`,
      );
    }
    await this.#lookForOrphans(parts);
  }

  /** kill -9 of the supervisor; its parts are to follow by themselves. */
  async kill(): Promise<void> {
    const parts = [...this.parts().values()];
    await this.#end('SIGKILL');
    await this.#lookForOrphans(parts);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#isToEnd = true;
    const child = this.#child;
    if (!child || this.hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async #lookForOrphans(pids: readonly number[]): Promise<void> {
    const deadline = Date.now() + stop_ms_max;
    while (pids.some(isAlive) && Date.now() < deadline) await sleep(50);
    for (const pid of pids.filter(isAlive)) {
      this.#violate(`process ${pid} of ${this.name} lived on without its supervisor`);
      process.kill(pid, 'SIGKILL');
    }
  }

  #hear(line: string): void {
    this.tail.push(line);
    if (this.tail.length > tail_lines) this.tail.shift();
    const { level = 50, msg = line, part = '', err } = fieldsOf(line);
    const said = err?.message === undefined ? msg : `${msg}: ${err.message}`;
    if (level >= 50) {
      const kind = said.replace(/ \(Queue: .*\)$/, '');
      this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
    }
    if (level >= 60 || /uncaught|unhandled|out of memory|FATAL ERROR/i.test(line)) {
      this.#violate(`${part} on ${this.name} said as its last words: ${said.slice(0, 300)}`);
    }
    // The supervisor's own sentence (src/process/supervisor.ts).
    const [, dead, ending] = /^Processen (\S+) avbröts \((.+?)\)/.exec(msg) ?? [];
    if (dead !== undefined && ending !== undefined) this.#judgeEnd(dead, ending);
  }

  #judgeEnd(name: string, ending: string): void {
    const parts = name.split('+');
    const part = parts.find((one) => (this.#killed.get(one) ?? 0) > 0);
    if (ending === 'signal SIGKILL' && part !== undefined) {
      this.#killed.set(part, (this.#killed.get(part) ?? 0) - 1);
    } else if (!this.#isToEnd) {
      this.#violate(
        `the process ${name} on ${this.name} died by itself (${ending}): what it had in hand was dropped`,
      );
    }
  }

  #violate(sentence: string): void {
    this.#options.violate(sentence);
  }
}

interface Line {
  readonly level?: number;
  readonly msg?: string;
  readonly part?: string;
  readonly err?: { readonly message?: string };
}

function fieldsOf(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    // The supervisor makes JSON of all that its parts say, so these are its own last words.
    return { level: 50, msg: line, part: 'the supervisor' };
  }
}
