/** The blocks that documents have for pasting, and a service and a shell to paste them into on any day. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../support/port.ts';
import { onDay } from '../support/program.ts';
import { migratedDataDir } from './embedded.ts';
import { Running } from './running.ts';

export const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
/** Between what the blocks of README say. */
const MARK = '--- huvudbok block ---';

/** The blocks to paste, from the one that sets the company up; the first only starts and tests. */
export async function blocksOf(file: string): Promise<string[]> {
  const text = await readFile(join(root, file), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** A service started on that day, and a shell in which it is that day. */
export async function startOn(day: string, args: readonly string[]) {
  const port = await freePort();
  const bin = await mkdtemp(join(tmpdir(), 'huvudbok-bin-'));
  onTestFinished(() => rm(bin, { recursive: true }));
  const clock = onDay(day);
  // GNU date, at the clock that Node has.
  const date = `exec ${await pathOf('date')} -d "@$(($(${await pathOf('date')} +%s) + ${Math.round(Number(clock.TEST_CLOCK_SHIFT_MS) / 1_000)}))" "$@"`;
  await writeFile(join(bin, 'date'), `#!/bin/sh\n${date}\n`);
  await chmod(join(bin, 'date'), 0o755);
  const env = {
    HOME: process.env['HOME'],
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
    DATA_DIR: await migratedDataDir(),
    PORT: String(port),
    ...clock,
  };
  const service = new Running(
    join(root, 'src', 'process', 'bootstrap.mjs'),
    ['start', ...args],
    env,
  );
  await service.says(/Ctrl-C/);
  return {
    service,
    address: `http://127.0.0.1:${port}`,
    /** What each block wrote, pasted into one shell in the project's folder. */
    async paste(blocks: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string[]> {
      const script = blocks
        .join(`\necho '${MARK}'\n`)
        .replaceAll(/http:\/\/127\.0\.0\.1:3000\b/g, `http://127.0.0.1:${port}`);
      const options = { cwd: root, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await run('bash', ['--norc', '-eo', 'pipefail', '-c', script], options);
      return stdout.split(`${MARK}\n`);
    },
  };
}

const pathOf = async (program: string): Promise<string> =>
  (await run('sh', ['-c', `command -v ${program}`])).stdout.trim();

/** The order's blocks: a key that opens, a voucher posted, an order taken, booked and read back. */
export function expectStory(day: string, [meta, posted, ordered, read]: readonly string[]): void {
  expect(JSON.parse(meta ?? '')).toMatchObject({ api_version: 'v1' });
  expect(JSON.parse(posted ?? '')).toMatchObject({ series: 'A', verification_date: day });
  expect(JSON.parse(ordered ?? '')).toMatchObject({ ok: true });
  const [booked = '', listed = ''] = (read ?? '').split(/\n(?=\{)/);
  expect(booked).toMatch(/^Fakturan är bokförd med nummer \d+\.$/);
  const sources = JSON.parse(listed).data.map(({ source }: { source: string }) => source);
  expect(sources).toEqual(expect.arrayContaining(['api', 'invoice']));
}
