/** huvudbok sie import · list · undo: SIE files into the books, whole or not at all */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { withTx } from '../db/pool.ts';
import { beginAnew } from '../ledger/sie/anew.ts';
import { type ImportReport, importSie, reportOf } from '../ledger/sie/importing.ts';
import { planImport } from '../ledger/sie/planning.ts';
import { listImports } from '../ledger/sie/undo-store.ts';
import { undoImport } from '../ledger/sie/undoing.ts';
import { momentOf } from '../lib/clock.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { sourceOf } from '../lib/source-file.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { asOwner, print, withPool, write } from './context.ts';
import { addList } from './listing.ts';
import { actor, integer, type Json, jsonOption, text, uuid } from './options.ts';
import { progressBar } from './progress.ts';
import { counted } from './words.ts';

interface Given extends Json {
  readonly preview?: boolean;
  readonly acceptDoubts?: boolean;
  readonly differenceAccount?: number;
}

export function registerSieImport(sie: Command): void {
  sie
    .command('import')
    .description('läs in en SIE-fil i böckerna, hel eller inte alls')
    .argument('<fil>', 'SIE-filen')
    .option('--preview', 'visa vad som skulle hända, och ändra inget')
    .option('--accept-doubts', 'läs in också det som är tveksamt; se efter det först')
    .option(
      '--difference-account <konto>',
      'där det som fattas i ingående balanser ska stå, t.ex. 2099 för resultatet från året före',
      integer(2000, 2099),
    )
    .option(...jsonOption)
    .action(importFile);

  addList(sie, {
    description: 'visa inlästa SIE-filer, den senaste först',
    empty: 'Ingen SIE-fil är inläst.',
    read: (tx) => listImports(tx, importsShown),
    cells: ({ id, file_name: name, created_at: at, undone_at: undone }) => [
      id,
      momentOf(at, loadProcessConfig().timeZone),
      name,
      undone === null ? '' : 'ångrad',
    ],
    wire: ({ report: _, ...one }) => one,
  });

  sie
    .command('begin-anew')
    .description('töm böcker som bara har inlästa verifikat, och börja om från nummer 1')
    .requiredOption('--company <namn>', 'företagets namn, som visar att du menar det', text(200))
    .option(...jsonOption)
    .action(async ({ company, json }: Json & { company: string }) => {
      const done = await asOwner((tx) => beginAnew(tx, company, actor));
      const { vouchers, imports } = done;
      const told =
        vouchers === 0
          ? 'Böckerna är tomma.'
          : `Böckerna är tömda: ${vouchers} verifikat ur ${counted(imports, 'import', 'importer')} är borta, och nästa får nummer 1.`;
      print(json, done, told);
    });

  sie
    .command('undo')
    .description('ångra en import: varje verifikat tas tillbaka med ett eget')
    .argument('<id>', 'importens id', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const bar = await progressBar('Ångrar', json);
      const { vouchers } = await asOwner((tx) => undoImport(tx, id, actor, bar.update)).finally(
        () => bar.stop(),
      );
      print(json, { id, vouchers }, `Importen är ångrad: ${vouchers} verifikat är tillbakatagna.`);
    });
}

const importsShown = 1_000;

const bytesAtOnce = 65_536;

async function importFile(path: string, given: Given): Promise<void> {
  const open = () => createReadStream(path, { highWaterMark: bytesAtOnce });
  const source = await sourceOf(open, basename(path)).catch((cause) => {
    throw new OperatorError(`${path}: ${whyUnreadable(cause)}`, { cause });
  });
  const { timeZone } = loadProcessConfig();
  const {
    preview = false,
    acceptDoubts: isAccepted = false,
    differenceAccount = null,
    json,
  } = given;
  const choices = { differenceAccount, timeZone };
  const bar = await progressBar('Läser in', json);
  const { id, plan } = await withPool((pool) =>
    withTx(pool, async (tx) =>
      preview
        ? { id: null, plan: await planImport(tx, source, choices) }
        : importSie(tx, source, { ...choices, isAccepted, progress: bar.update }, actor),
    ),
  ).finally(() => bar.stop());
  const report = reportOf(plan);
  if (json) write(JSON.stringify({ file: path, id, imported: id !== null, ...report }));
  else write(inWords(path, report, id, preview));
  if (!preview && id === null) process.exitCode = 1;
}

const levels = { refused: 'FEL', doubt: 'tveksamt', note: 'not' } as const;

function inWords(path: string, report: ImportReport, id: string | null, preview: boolean): string {
  const { verdict, vouchers, rows, opening, series, new_years, problems } = report;
  const outcome =
    id !== null
      ? `inläst (import ${id})`
      : verdict === 'refused'
        ? 'går inte att läsa in'
        : verdict === 'doubt'
          ? `${preview ? 'går att läsa in' : 'är inte inläst'}; se efter det tveksamma, och kör sedan med --accept-doubts`
          : 'går att läsa in';
  const openings = {
    posted: 'ingående balanser bokförs',
    compared: 'ingående balanser jämförs med böckernas',
    none: 'inga ingående balanser',
  } as const;
  return [
    `${path}: ${outcome}.`,
    `  ${vouchers} verifikat, ${rows} rader, ${openings[opening.way]}`,
    ...new_years.map(({ start, end }) => `  räkenskapsåret ${start}–${end} läggs upp`),
    ...series.map(
      ({ code, count, to, is_kept }) =>
        `  serie ${code || 'utan namn'}: ${count} verifikat ${is_kept ? 'behåller sina nummer' : `får nya nummer i ${to}`}`,
    ),
    ...problems.map(
      ({ line, level, rule, message }) =>
        `  ${levels[level]}${line === null ? '' : ` rad ${line}`} (${rule}): ${message}`,
    ),
  ].join('\n');
}
