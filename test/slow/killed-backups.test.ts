/** Backups and restores that are killed leave no half books, and nothing that stands in the way of the next. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, newDataDir, postmasterOf } from '../process/embedded.ts';
import { Running } from '../process/running.ts';
import { freePort } from '../support/port.ts';
import { compiled, entry } from '../support/program.ts';

const run = promisify(execFile);

const command = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  run(process.execPath, [entry, ...words], { env: { ...compiled, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

/** Killed when it says so, with everything that it had begun. */
async function killed(env: NodeJS.ProcessEnv, at: RegExp, ...words: string[]): Promise<void> {
  const running = new Running(entry, words, env);
  await running.says(at);
  await running.kill('SIGKILL');
}

const workshops = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('workshop'));

/** PostgreSQL that works in the folder's workshops. */
async function serversIn(folder: string): Promise<number[]> {
  const pids = (await workshops(folder)).map((name) => postmasterOf(join(folder, name)));
  const found = await Promise.all(pids.map((pid) => pid.catch(() => 0)));
  return found.filter((pid) => pid > 0 && existsSync(`/proc/${pid}`));
}

it('kill -9 of backup, backup verify and restore: the next does what was asked, and clears away', {
  timeout: 600_000,
}, async () => {
  const folder = await makeFolder();
  const mine = { ...process.env, BASE_URL: '', DATA_DIR: join(folder, 'data') };
  const company = ['--company', 'Bolaget AB', '--org-number', '556036-0793'];
  expect(await command(mine, 'setup', ...company)).toMatchObject({ code: 0 });

  // While it is proved: the file is there and whole, and counts as no backup.
  const backups = join(folder, 'backups');
  await killed(mine, /Läser in/, 'backup', '--to', backups);
  const abandoned = await serversIn(backups);
  onTestFinished(() => {
    for (const pid of abandoned) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  });
  const [left] = (await readdir(backups)).filter((name) => name.endsWith('.unproved'));
  const unproved = join(backups, left ?? 'none');
  expect(await workshops(backups)).toHaveLength(1);

  // It can be restored all the same, and killed in the middle that makes no books.
  const dataDir = await newDataDir();
  const other = { ...mine, DATA_DIR: dataDir };
  await killed(other, /Läser in/, 'restore', unproved);
  expect(existsSync(join(dataDir, 'postgresql'))).toBe(false);
  const port = String(await freePort());
  for (const name of ['verify', 'start']) {
    expect(await command({ ...other, PORT: port }, name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kör huvudbok restore igen'),
    });
  }
  expect(await command(other, 'restore', unproved)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Allt stämmer'),
  });
  expect(await workshops(dataDir)).toEqual([]);
  expect(await command(other, 'restore', unproved)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('finns redan'),
  });

  await killed(mine, /Läser in/, 'backup', 'verify', unproved);
  const proved = await command(mine, 'backup', 'verify', unproved);
  expect(proved).toMatchObject({ code: 0, stdout: expect.stringContaining('allt stämmer') });
  expect(await workshops(backups)).toEqual([]);
  expect(abandoned.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);

  expect(await command(mine, 'backup', '--to', backups)).toMatchObject({ code: 0 });
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^huvudbok-\w+\.tar\.zst$/)]);
  expect(await command(mine, 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Allt stämmer'),
  });
});
