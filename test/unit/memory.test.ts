/** Memory that a process grew by and no longer needs, and what it keeps without need. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';

const memory = new URL('../../src/process/memory.ts', import.meta.url);

/** What it says, by the end. */
async function run(script: string, ...flags: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  await once(child, 'close');
  return said;
}

/** Grows by what it does not keep, says how much it holds, and says it again once that is less. */
const growing = `
  import { giveBackAtRest } from '${memory}';
  giveBackAtRest(100);
  let kept = Array.from({ length: 400_000 }, (_, index) => ({ index, text: 'x' + index }));
  const held = process.memoryUsage().heapTotal;
  kept = undefined;
  const timer = setInterval(() => {
    if (process.memoryUsage().heapTotal > held / 2) return;
    console.log('less');
    clearInterval(timer);
  }, 50);
`;

it('is given back to the machine when the process has nothing to do', async () => {
  expect(await run(growing)).toBe('less\n');
});

/** Keeps a hundred bytes of each call, and makes a statement of twenty kilobytes between calls; says how much is held, in bytes. */
const keeping = `
  import { collectSeldom } from '${memory}';
  collectSeldom();
  const calls = [];
  for (let call = 0; call < 1_000; call += 1) {
    calls.push(Buffer.from('x'.repeat(100)));
    Buffer.allocUnsafe(20_000);
  }
  gc();
  gc();
  console.log(process.memoryUsage().arrayBuffers);
`;

it('is not kept for the sake of the little beside it that is in use', async () => {
  expect(Number(await run(keeping, '--expose-gc'))).toBeLessThan(1_000_000);
});
