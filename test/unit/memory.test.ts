/** Memory that a process grew by and no longer needs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';

/** Grows by what it does not keep, says how much it holds, and says it again once that is less. */
const script = `
  import { giveBackAtRest } from '${new URL('../../src/process/memory.ts', import.meta.url)}';
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
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  await once(child, 'close');
  expect(said).toBe('less\n');
});
