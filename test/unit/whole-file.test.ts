/** What a command writes to a file: there whole or not at all, and in nobody's place. */
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readSetupChart } from '#src/cli/setup-chart.ts';
import { writeBytes } from '#src/cli/whole-file.ts';
import { Disk, mayMount } from '../support/disk.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'huvudbok-whole-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('goes through a pipe that somebody reads, which stays where it is', async () => {
  const pipe = join(home, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  await writeBytes('allt', pipe);
  expect(await read).toBe('allt');
  expect((await lstat(pipe)).isFIFO(), '--out /dev/null took the place of /dev/null').toBe(true);
});

it('writes the file that a link leads to', async () => {
  const folder = join(home, 'linked');
  await mkdir(folder);
  const [file, link] = [join(folder, 'file'), join(home, 'link')];
  await writeFile(file, 'förut');
  await symlink(file, link);
  await writeBytes('nu', link);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('nu');
  expect(await readdir(folder)).toEqual(['file']);
});

it('says what is wrong with where it should be', async () => {
  const said = (path: string) => writeBytes('x', path).catch((error: Error) => error.message);
  expect(await said(home)).toBe(`${home} är en mapp: ange också ett filnamn.`);
  expect(await said(join(home, 'ingen', 'a'))).toContain('dess mapp finns inte: skapa den');
  await writeFile(join(home, 'a'), '');
  expect(await said(join(home, 'a', 'b'))).toContain('ingen mapp');
  expect(await said(join(home, 'å'.repeat(200)))).toContain('för långt namn');
});

it.skipIf(!mayMount)('leaves no half file of decisions, which would be read as made', async () => {
  const disk = new Disk(1);
  onTestFinished(() => disk.remove());
  disk.fill();
  const sie = join(home, 'bok.se');
  const accounts = Array.from({ length: 90 }, (_, at) => `#KONTO ${3010 + at} "Försäljning ${at}"`);
  await writeFile(sie, ['#FLAGGA 0', '#SIETYP 4', ...accounts, ''].join('\r\n'));
  const decisions = join(disk.folder, 'beslut.csv');
  const setUp = () => readSetupChart(sie, decisions, '5560360793');
  await expect(setUp()).rejects.toThrow('är inte skriven, för disken är full');
  expect(await readdir(disk.folder)).toEqual(['ballast']);
  disk.free();
  await expect(setUp()).rejects.toThrow(`De står i ${decisions}`);
});
