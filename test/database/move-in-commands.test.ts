/** Moving in by commands: the day, two files, balances that agree, and the end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { runCommand } from '../support/command.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { movingFiles } from '../support/sie.ts';

let books: Books;
let folder: string;
beforeAll(async () => {
  books = await createBooks();
  folder = await mkdtemp(join(tmpdir(), 'huvudbok-'));
});
afterAll(async () => {
  await books.close();
  await rm(folder, { recursive: true });
});

const run = (...words: string[]) => runCommand(books, words, { today: '2026-07-05' });
const keep = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const begin = (method: string, day = '2026-06-30') =>
  run('move-in', 'begin', '--day', day, '--method', method, '--legal-form', 'limited_company');

test('a company moves in by commands, and is told where it differs', async () => {
  const cash = await begin('cash');
  expect([cash.code, cash.stderr]).toEqual([1, expect.stringContaining('kontantmetoden')]);
  const ahead = await begin('invoice', '2026-07-31');
  expect([ahead.code, ahead.stderr]).toEqual([1, expect.stringContaining('har inte varit än')]);
  const early = await run('move-in', 'balances');
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('sista dagen')]);
  expect(await begin('invoice')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2026-06-30'),
  });

  for (const [nth, text] of movingFiles.entries()) {
    const path = await keep(`${nth}.se`, encodePc8(text));
    expect(await run('sie', 'import', path, '--accept-doubts')).toMatchObject({ code: 0 });
  }
  const agreeing = await run('move-in', 'balances', '--json');
  expect([agreeing.code, JSON.parse(agreeing.stdout)]).toEqual([
    0,
    expect.objectContaining({ day: '2026-06-30', differing: 0 }),
  ]);
  const report = await keep(
    'saldon.csv',
    '1930;Bank;51 000,00\n1510;Kundfordringar;1 200,00\n2081;;-51 000,00\n',
  );
  const differing = await run('move-in', 'balances', '--report', report);
  expect(differing.code).toBe(1);
  expect(differing.stdout).toMatch(/1510 .*1\s250,00 .*1\s200,00/);
  expect(differing.stdout).not.toMatch(/^1930/m);
  // Last year's result was moved without a voucher there.
  expect(differing.stdout).toMatch(
    /verifikat den 2026-01-01.*2081 kredit 1\s000,00\skr, 2099 debet 1\s000,00\skr/,
  );
  const unreadable = await keep('fel.csv', 'hej\n');
  const refused = await run('move-in', 'balances', '--report', unreadable);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Inget konto med saldo'),
  ]);

  // The end locks the books: nobody comes to it by not having been told.
  const apart = await run('move-in', 'finish', '--close-years');
  expect([apart.code, apart.stderr]).toEqual([
    1,
    expect.stringMatching(/Kundfakturorna skiljer .*--accept-differences/),
  ]);
  const years = ['--close-years', '--accept-differences'];
  const finished = await run('move-in', 'finish', ...years, '--json');
  expect([finished.code, JSON.parse(finished.stdout)]).toEqual([
    0,
    { locked_to: '2026-06-30', closed_years: [2025] },
  ]);
});
