/** Commands that are refused, each by the same process, since most of what one costs is its start. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { compiled } from '../support/program.ts';

/** All that a command says that is refused, when its whole program is loaded already (asked.ts). */
export function askInOne() {
  const { PATH, HOME } = process.env;
  const script = join(import.meta.dirname, 'asked.ts');
  const child = spawn(process.execPath, [script], { env: { ...compiled, PATH, HOME } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let beside = '';
  child.stderr.on('data', (chunk) => (beside += chunk));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (env: NodeJS.ProcessEnv, words: readonly string[]): Promise<string> => {
    beside = '';
    child.stdin.write(`${JSON.stringify([env, words])}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`${words.join(' ')} was not refused: ${beside}`);
    return `${beside}${JSON.parse(value)}\n`;
  };
}
