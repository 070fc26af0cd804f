/** Commands and the folder they are pointed at: books that are there, and books that are not. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, newDataDir } from './embedded.ts';
import { Running } from './running.ts';

const entry = join(import.meta.dirname, '..', '..', 'src', 'huvudbok.ts');

async function run(env: NodeJS.ProcessEnv, ...words: string[]) {
  const { PATH, HOME } = process.env;
  const command = new Running(entry, words, { PATH, HOME, ...env });
  return { code: await command.exitCode(), output: command.output };
}

it('refuses a folder without books, says which, and leaves it as it was', async () => {
  const dataDir = await newDataDir();
  for (const words of [
    ['verify'],
    ['migrate'],
    ['user', 'list'],
    ['key', 'create', '--name', 'Butiken', '--scope', 'intake:write'],
    ['backup', 'done'],
    ['first-visit'],
  ]) {
    const { code, output } = await run({ DATA_DIR: dataDir }, ...words);
    expect([words, code, output]).toEqual([words, 1, expect.stringContaining(dataDir)]);
    expect(output).toContain('Det finns inga böcker');
    expect(existsSync(dataDir)).toBe(false);
  }
});

it('makes books for a set-up, and finds them again', async () => {
  const dataDir = await newDataDir();
  const words = ['--company', 'Bolaget AB', '--org-number', '556036-0793'];
  expect(await run({ DATA_DIR: dataDir }, 'setup', ...words)).toMatchObject({ code: 0 });
  const verified = await run({ DATA_DIR: dataDir }, 'verify');
  expect(verified).toEqual({ code: 0, output: expect.stringContaining('Allt stämmer.') });
});

it('says in one sentence what is wrong with a folder', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'data');
  await writeFile(file, '');
  for (const dataDir of [file, join(file, 'inuti')]) {
    for (const words of [['verify'], ['start'], ['demo']]) {
      const { code, output } = await run({ DATA_DIR: dataDir }, ...words);
      expect([code, output]).toEqual([1, expect.stringContaining('är ingen mapp')]);
      expect(output.trim().split('\n')).toHaveLength(1);
    }
  }
});
