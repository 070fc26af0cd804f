/** Folders that settings name: made, or refused at once and in words. */
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkSpool } from '#src/http/spool.ts';
import { inDataDir, makeFolder } from '#src/lib/folders.ts';
import { OperatorError } from '#src/lib/operator-error.ts';
import { checkChromium } from '#src/render/chromium-path.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'huvudbok-folders-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('makes a folder and those above it, and tells the topmost that is new', async () => {
  const wanted = join(home, 'a', 'b', 'c');
  expect(await makeFolder(wanted, 0o700)).toBe(join(home, 'a'));
  const { mode } = await stat(wanted);
  expect((mode & 0o777).toString(8), 'backups are for nobody else to read').toBe('700');
  expect(await makeFolder(wanted), 'a folder that is there').toBeUndefined();
});

it('lets two make it at once, and both go on', async () => {
  const wanted = join(home, 'both', 'x', 'y');
  await Promise.all([makeFolder(wanted), makeFolder(wanted), makeFolder(wanted)]);
  expect((await stat(wanted)).isDirectory()).toBe(true);
});

it('goes through a link to a folder', async () => {
  await mkdir(join(home, 'aimed'));
  await symlink(join(home, 'aimed'), join(home, 'link'));
  expect(await makeFolder(join(home, 'link'))).toBeUndefined();
  expect(await makeFolder(join(home, 'link', 'in'))).toBe(join(home, 'link', 'in'));
});

const refused = async (path: string): Promise<string> => {
  const error = await inDataDir(path, () => makeFolder(path)).catch((thrown) => thrown);
  expect(error, `${path} must be told to whoever chose it, not be our own fault`).toBeInstanceOf(
    OperatorError,
  );
  return error.message;
};

it('refuses what can be no folder, with a sentence and at once', async () => {
  await writeFile(join(home, 'file'), '');
  await symlink(join(home, 'nowhere'), join(home, 'dangling'));
  await symlink(join(home, 'round'), join(home, 'round'));
  for (const [path, fault] of [
    [join(home, 'file'), 'är ingen mapp'],
    [join(home, 'file', 'x'), 'är ingen mapp'],
    ['/dev/null/x', 'är ingen mapp'],
    [join(home, 'dangling'), 'är ingen mapp, utan en fil eller en länk som leder till ingenting'],
    [join(home, 'dangling', 'x'), 'leder till ingenting'],
    [join(home, 'round'), 'är ingen mapp'],
    [join(home, 'x'.repeat(300)), 'har för långt namn'],
  ] as const) {
    const sentence = await refused(path);
    expect(sentence).toContain(`DATA_DIR (${path}) `);
    expect(sentence).toContain(fault);
    expect(sentence).toContain('ange en annan mapp');
  }
});

it('refuses a temporary folder that files cannot be sent into, and a Chromium that is none', async () => {
  await expect(checkSpool(join(home, 'nowhere'))).rejects.toThrow(/^TMPDIR \(.*\) kan inte nås/);
  await expect(checkSpool(home)).resolves.toBeUndefined();
  const nothing = join(home, 'nowhere');
  await expect(checkChromium(nothing)).rejects.toThrow(/^CHROMIUM_PATH: .* kan inte köras/);
  await expect(checkChromium(process.execPath)).resolves.toBeUndefined();
});

it.runIf(process.platform === 'linux')('refuses a folder under /proc at once', async () => {
  // Node’s own recursive mkdir never ends there, and takes a processor with it.
  expect(await refused('/proc/huvudbok')).toContain('kan inte nås');
  expect(await refused('/proc/huvudbok/backups/x')).toContain('kan inte nås (/proc/huvudbok)');
});

it.skipIf(process.getuid?.() === 0)('refuses a folder that may not be written in', async () => {
  await mkdir(join(home, 'shut'));
  await chmod(join(home, 'shut'), 0o500);
  expect(await refused(join(home, 'shut', 'x'))).toContain('får inte läsas och skrivas');
});
