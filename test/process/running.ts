/** A real process whose output a test can wait on, and which never outlives the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { compiled } from '../support/program.ts';

export class Running {
  /** All it has said, errors too. */
  output = '';
  stdout = '';
  readonly child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(
    script: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = process.env,
    stderr: number | 'pipe' = 'pipe',
    cwd?: string,
  ) {
    const stdio = ['ignore', 'pipe', stderr] as const;
    this.child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...compiled, ...env },
      detached: true,
      stdio: [...stdio],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
        this.child.emit('output');
      });
    }
    this.child.stdout?.on('data', (chunk) => (this.stdout += chunk));
    this.#ended = once(this.child, 'close');
    onTestFinished(() => this.kill('SIGKILL'));
  }

  /** The first match in what it has said, as soon as it has. */
  async says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output.slice(from));
      if (found) return found;
      const more = once(this.child, 'output').then(() => true);
      if (!(await Promise.race([more, this.#ended.then(() => false)]))) {
        if (pattern.test(this.output.slice(from))) continue;
        throw new Error(`ended without saying ${pattern}:\n${this.output}`);
      }
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.#ended;
  }

  async exitCode(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }
}
