/** Upkeep that is stopped in the middle of a backup, or that can take none. Kills of backups and restores: test/slow. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entry } from '../support/program.ts';
import { hold, makeFolder, migratedDataDir, query } from './embedded.ts';
import { Running } from './running.ts';

it('upkeep that is stopped in the middle of a backup leaves nothing, and takes it when it is on again', {
  timeout: 300_000,
}, async () => {
  const { url } = await hold(await migratedDataDir());
  const folder = join(await makeFolder(), 'backups');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url, BACKUP_DIR: folder };
  await query(url, `select intake.enqueue('backup', array['{}']::jsonb[])`);
  const first = new Running(entry, ['worker', 'upkeep'], env);
  await first.says(/Läser in/);
  await first.kill('SIGTERM');
  expect(first.child.exitCode).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  const failures = 'select count(*)::integer from restricted.backups where failure is not null';
  expect(await query(url, failures)).toEqual([[0]]);

  const second = new Running(entry, ['worker', 'upkeep'], env);
  await second.says(/backup taken and proved/);
  await second.kill('SIGTERM');
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^huvudbok-\w+\.tar\.zst$/)]);
});

it('upkeep tells at its start of a BACKUP_DIR that nothing can be written in, and does the rest of its work', async () => {
  const { url } = await hold(await migratedDataDir());
  const folder = join(await makeFolder(), 'backups');
  await writeFile(folder, 'a file');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url, BACKUP_DIR: folder };
  const upkeep = new Running(entry, ['worker', 'upkeep'], env);
  await upkeep.says(/Inga säkerhetskopior blir tagna\. Mappen .* är ingen mapp.*BACKUP_DIR/);
  await upkeep.says(/ready/);
  await upkeep.kill('SIGTERM');
});
