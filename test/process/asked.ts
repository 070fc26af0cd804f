/**
 * The program loaded once and asked many times: each line on stdin is a command's environment and words, each
 * line on stdout the sentence that it was refused with. What is no refusal ends it.
 */
import { createInterface } from 'node:readline';
import { programFor } from '#src/cli/program.ts';
import { OperatorError } from '#src/lib/operator-error.ts';

const own = { ...process.env };

for await (const line of createInterface({ input: process.stdin })) {
  const [env, words] = JSON.parse(line) as [Record<string, string>, string[]];
  process.env = { ...own, ...env };
  const program = await programFor(words[0]);
  const refusal: unknown = await program
    .parseAsync(words, { from: 'user' })
    .catch((error) => error);
  if (!(refusal instanceof OperatorError)) throw refusal ?? new Error('it was not refused');
  process.stdout.write(`${JSON.stringify(refusal.message)}\n`);
}
process.exit();
