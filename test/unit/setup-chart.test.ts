/** `huvudbok setup --sie`: doubts go out as a file, and decisions come back in it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSetupChart } from '#src/cli/setup-chart.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'huvudbok-sie-'));
});
afterAll(() => rm(folder, { recursive: true }));

const company = '5560360793';
async function sieFile(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.join('\n'));
  return path;
}

test('a chart without doubts is taken as it is', async () => {
  const file = await sieFile('sure.se', '#FLAGGA 0', '#KONTO 2611 "Utgående moms 25%"');
  const accounts = await readSetupChart(file, undefined, company);
  expect(accounts[0]).toMatchObject({ account: 2611, vatCode: 'U1' });
});

test('what is no SIE file, or has no accounts, is said', async () => {
  const junk = await sieFile('junk.se', '%PDF');
  await expect(readSetupChart(junk, undefined, company)).rejects.toThrow('ingen SIE-fil');
  const empty = await sieFile('empty.se', '#FLAGGA 0', '#KONTO 99 "x"');
  await expect(readSetupChart(empty, undefined, company)).rejects.toThrow('inga konton');
  await expect(readSetupChart(join(folder, 'none.se'), undefined, company)).rejects.toThrow(
    'Filen finns inte.',
  );
});

test('doubts are written down once, and taken when every one is decided on', async () => {
  const file = await sieFile(
    'doubtful.se',
    '#FLAGGA 0',
    '#KONTO 2612 "Moms 6%"',
    '#KONTO 3011 "=FSG 25% MOMS"',
    '#KONTO 2440 "Skulder; leverantörer"',
    '#KTYP 2440 T',
  );
  const decisions = join(folder, 'beslut.csv');
  const run = () => readSetupChart(file, decisions, company);
  await expect(readSetupChart(file, undefined, company)).rejects.toThrow('--decisions');
  await expect(run()).rejects.toThrow('3 saker i filens kontoplan är oklara');
  const written = await readFile(decisions, 'utf8');
  expect(written.split('\r\n').slice(0, 2)).toEqual([
    '\ufeffkonto;namn;gäller;oklart;val;beslut',
    expect.stringMatching(/^2612;Moms 6%;moms;.*UU1 = UU1 · 25 %.*;$/),
  ]);
  await expect(run()).rejects.toThrow(/Beslut saknas .* för moms 2612\./);
  expect(await readFile(decisions, 'utf8')).toBe(written);

  // Somebody decides, and a spreadsheet saves it its own way.
  await writeFile(decisions, written.replace(/;\r\n3011/, ';U3\r\n3011').replace('\ufeff', ''));
  expect((await run()).slice(0, 3)).toMatchObject([
    { account: 2612, vatCode: 'U3', vatRate: 6, vatBox: '12' },
    { account: 3011, vatCode: 'MP1' },
    { account: 2440, type: 'liability' },
  ]);
});
