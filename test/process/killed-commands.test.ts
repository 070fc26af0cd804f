/** Commands that are killed leave no half books, and nothing that stands in the way of the next. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/port.ts';
import { compiled } from '../support/program.ts';
import { hold, makeFolder, newDataDir, postmasterOf, query, usedDataDir } from './embedded.ts';
import { Running } from './running.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', 'src', 'cli', 'huvudbok.ts');

const command = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  run(process.execPath, [program, ...words], { env: { ...compiled, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

/** Killed when it says so, with everything that it had begun. */
async function killed(env: NodeJS.ProcessEnv, at: RegExp, ...words: string[]): Promise<void> {
  const running = new Running(program, words, env);
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
  timeout: 300_000,
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

it('upkeep that is stopped in the middle of a backup leaves nothing, and takes it when it is on again', {
  timeout: 300_000,
}, async () => {
  const { url } = await hold(await usedDataDir());
  const folder = join(await makeFolder(), 'backups');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url, BACKUP_DIR: folder };
  expect(await command(env, 'migrate')).toMatchObject({ code: 0 });
  await query(url, `select intake.enqueue('backup', array['{}']::jsonb[])`);
  const first = new Running(program, ['worker', 'upkeep'], env);
  await first.says(/Läser in/);
  await first.kill('SIGTERM');
  expect(first.child.exitCode).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  const failures = 'select count(*)::integer from restricted.backups where failure is not null';
  expect(await query(url, failures)).toEqual([[0]]);

  const second = new Running(program, ['worker', 'upkeep'], env);
  await second.says(/backup taken and proved/);
  await second.kill('SIGTERM');
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^huvudbok-\w+\.tar\.zst$/)]);
});

it('upkeep tells at its start of a BACKUP_DIR that nothing can be written in, and does the rest of its work', async () => {
  const { url } = await hold(await usedDataDir());
  const folder = join(await makeFolder(), 'backups');
  await writeFile(folder, 'a file');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url, BACKUP_DIR: folder };
  expect(await command(env, 'migrate')).toMatchObject({ code: 0 });
  const upkeep = new Running(program, ['worker', 'upkeep'], env);
  await upkeep.says(/Inga säkerhetskopior blir tagna\. Mappen .* är ingen mapp.*BACKUP_DIR/);
  await upkeep.says(/ready/);
  await upkeep.kill('SIGTERM');
});
