/** What a dead process left is told from what a living one is at, also between containers and hosts. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAbandoned, processMark, silentMsMax } from '#src/lib/process-mark.ts';

const run = promisify(execFile);
let path: string;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'huvudbok mark '));
});
afterAll(() => rm(path, { recursive: true }));

const sayMark = [
  process.execPath,
  '--input-type=module',
  '-e',
  `console.log((await import('#src/lib/process-mark.ts')).processMark)`,
] as const;
const [node, ...script] = sayMark;

test('one’s own is not abandoned, and that of a process that has ended is at once', async () => {
  expect(processMark).toMatch(/^[0-9a-f]{12}-\d{1,10}-\d{1,20}$/);
  expect(await isAbandoned(path, processMark)).toBe(false);
  const { stdout } = await run(node, script);
  expect(await isAbandoned(path, stdout.trim())).toBe(true);
});

test('a process that got a dead one’s number is not taken for it', async () => {
  const [world, pid, beginning] = processMark.split('-');
  if (process.platform !== 'linux') return;
  expect(await isAbandoned(path, `${world}-${pid}-${Number(beginning) - 1}`)).toBe(true);
});

test('what another host or container is at is left alone, until nobody has touched it for long', async () => {
  const elsewhere = `000000000000-${process.pid}-1`;
  expect(await isAbandoned(path, elsewhere)).toBe(false);
  const long_ago = new Date(Date.now() - silentMsMax - 60_000);
  await utimes(path, long_ago, long_ago);
  expect(await isAbandoned(path, elsewhere)).toBe(true);
  expect(await isAbandoned(path, processMark)).toBe(false);
  expect(await isAbandoned(join(path, 'gone'), elsewhere)).toBe(false);
});

const apart = ['--pid', '--fork', '--mount-proc'];
function mayBeApart(): boolean {
  try {
    execFileSync('unshare', [...apart, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.runIf(mayBeApart())(
  'a container, where every process has number 1 again, is elsewhere',
  async () => {
    const marks = [];
    for (let nth = 0; nth < 2; nth += 1) {
      marks.push((await run('unshare', [...apart, ...sayMark])).stdout.trim());
    }
    const [one, two] = marks.map((mark) => mark.split('-'));
    expect(one?.[1]).toBe('1');
    expect(two?.[1]).toBe('1');
    expect(one?.[0]).not.toBe(processMark.split('-')[0]);
  },
);
