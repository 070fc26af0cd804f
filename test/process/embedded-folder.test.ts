import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
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

it.runIf(isRoot)(
  'a copy of a folder that only has a link writes in no books of the original',
  async () => {
    const folder = await makeFolder();
    await chmod(folder, 0o700);
    const dataDir = join(folder, 'data');
    const first = await hold(dataDir);
    await first.process.kill('SIGTERM');
    const copy = join(folder, 'copy');
    execFileSync('cp', ['-a', dataDir, copy]);
    const refused = new Running(holder, [copy, 'exclusive']);
    const form =
      /copy\/postgresql är en länk till databasen i .*data, så .* kör (cp -a (\S+) (\S+) && ln -sfn \S+) .*postgresql\. Används/;
    const [, wayOut = '', home = '', copied = ''] = await refused.says(form);
    expect(await refused.exitCode()).toBe(1);
    expect(await realpath(join(dataDir, 'postgresql'))).toBe(home);
    onTestFinished(() => rm(copied, { recursive: true, force: true }));
    // The folder's name has a space in it.
    execFileSync('sh', ['-c', `${wayOut} "${join(copy, 'postgresql')}"`]);
    for (const one of [copy, dataDir, copy]) await (await hold(one)).process.kill('SIGTERM');

    // One that was moved is no copy.
    await rm(copy, { recursive: true });
    await rename(dataDir, copy);
    const moved = await hold(copy);
    await moved.process.kill('SIGTERM');
    await rename(copy, dataDir);
  },
);

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
