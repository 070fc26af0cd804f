/** The command line, as an operator uses it while all this goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { System } from './system.ts';

const entry = fileURLToPath(new URL('../src/cli/huvudbok.ts', import.meta.url));
const command_ms_max = 180_000;

export interface Said {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function command({ env }: Pick<System, 'env'>, ...args: string[]): Promise<Said> {
  const child = spawn(process.execPath, [entry, ...args], { env, timeout: command_ms_max });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, 'close');
  const [stdout, stderr] = await said;
  return { exitCode: child.exitCode, stdout, stderr };
}
