/** The Chromium from npm is unpacked whole, by however many ask at once. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackedChromium } from '#src/render/unpacked-chromium.ts';

const run = promisify(execFile);

/** Of both tests, since to unpack it takes three seconds of the processor. */
let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'huvudbok-unpack-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

test('two that ask at once can all start it, and nothing else is left behind', async () => {
  const started = await Promise.all(
    [1, 2].map(async () => {
      const folder = await unpackedChromium(temporary);
      const env = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
      return (await run(join(folder, 'chromium'), ['--version'], { env })).stdout;
    }),
  );
  expect(started.every((said) => /^(Chromium|HeadlessChrome|Google Chrome) /.test(said))).toBe(
    true,
  );
  const [home = ''] = await readdir(temporary);
  expect(await readdir(join(temporary, home))).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});

test('what a killed process left of its Chromium is not what the next one starts', async () => {
  const folder = await unpackedChromium(temporary);
  await rm(folder, { recursive: true });
  // As it lay before: straight in the user's folder, cut off in the middle.
  await writeFile(join(folder, '..', 'chromium'), 'half', { mode: 0o700 });
  const again = await unpackedChromium(temporary);
  const env = { LD_LIBRARY_PATH: join(again, 'al2023', 'lib') };
  expect((await run(join(again, 'chromium'), ['--version'], { env })).stdout).toMatch(/\d+\./);
});
