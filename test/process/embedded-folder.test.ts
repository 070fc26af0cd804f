import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hold, holder, makeFolder, query } from './embedded.ts';
import { Running } from './running.ts';

const isRoot = process.getuid?.() === 0;

it.runIf(isRoot)('as root, works in a folder that only root can enter', async () => {
  const folder = await makeFolder();
  await chmod(folder, 0o700);
  const dataDir = join(folder, 'data');
  const first = await hold(dataDir);
  expect(first.process.output).toContain('/var/lib/huvudbok/');
  await first.process.kill('SIGTERM');
  const second = await hold(dataDir);
  expect(second.url).toBe(first.url);
  const owner = (await lstat(join(dataDir, 'postgresql/cluster'))).uid;
  expect(owner).not.toBe(0);
});

it.runIf(isRoot)('as root, takes back a cluster that was restored as root', async () => {
  const folder = await makeFolder();
  const dataDir = join(folder, 'data');
  const first = await hold(dataDir);
  await first.process.kill('SIGTERM');
  execFileSync('chown', ['-R', '0:0', dataDir]);
  await hold(dataDir);
});

it.runIf(isRoot)('works as an ordinary user', async () => {
  const folder = await makeFolder();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  execFileSync('chown', ['65534:65534', dataDir]);
  const script = `import('${holder}')`;
  const running = new Running('--eval', [
    `process.setgroups([]); process.setgid(65534); process.setuid(65534);
     process.argv = ['', '', ${JSON.stringify(dataDir)}]; ${script}`,
  ]);
  const [, url = ''] = await running.says(/UP (\S+)/);
  expect(await query(url, 'select 1')).toEqual([[1]]);
  expect((await lstat(join(dataDir, 'postgresql/cluster'))).uid).toBe(65534);
  await running.kill('SIGTERM');
});
