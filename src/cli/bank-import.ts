/** huvudbok bank import: statements of any bank into the books, each whole or not at all */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { keepFiles, takeIn } from '../bank/statements/begun-imports.ts';
import { doubtText } from '../bank/statements/doubt-words.ts';
import type { BankImportChoices } from '../bank/statements/import-store.ts';
import { planImport, readFiles, reportOf } from '../bank/statements/importing.ts';
import type {
  BankImportReport,
  ReportedStatement,
  StatementOutcome,
} from '../bank/statements/report.ts';
import { listBankAccounts } from '../bank/store.ts';
import { type Tx, withTx } from '../db/pool.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { type SourceFile, sourceOf } from '../lib/source-file.ts';
import { amountText } from '../lib/swedish.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { problemInWords } from './bank-words.ts';
import { today, withPool, write } from './context.ts';
import { findFiles } from './files.ts';
import { actor, type Json, jsonOption, word } from './options.ts';
import { progressBar } from './progress.ts';
import { coloured } from './words.ts';

interface Given extends Json {
  readonly preview?: boolean;
  readonly account?: string;
  readonly acceptDoubts?: boolean;
  readonly equalRows?: 'new' | 'known';
}

export function registerBankImport(bank: Command): void {
  bank
    .command('import')
    .description('läs in kontoutdrag (camt.053, camt.054, CSV, Excel); samma rad kommer in en gång')
    .argument('<fil...>', 'kontoutdrag, eller mappar med .xml, .csv och .xlsx')
    .option('--preview', 'visa vad som skulle hända, och ändra inget')
    .option(
      '--account <konto>',
      'bankkontot som filer utan kontonummer gäller: id, namn eller konto i bokföringen',
    )
    .option('--accept-doubts', 'läs in också det som är tveksamt; se efter det först')
    .option(
      '--equal-rows <svar>',
      'rader som kan vara inlästa förut: new när de är nya, known när de redan finns',
      word(['new', 'known']),
    )
    .option(...jsonOption)
    .action(importFiles);
}

const bytesAtOnce = 65_536;

async function importFiles(paths: string[], given: Given): Promise<void> {
  // Rows are kept, and what they were read from is not: cleared away often, it takes a fourth of the memory less.
  setFlagsFromString('--max-semi-space-size=8');
  setFlagsFromString('--semi-space-growth-factor=1');
  const sources: SourceFile[] = [];
  for (const { path, problem } of await findFiles(paths, '.xml', '.csv', '.txt', '.xlsx')) {
    if (problem !== undefined) throw new OperatorError(`${path}: ${problem}`);
    const open = () => createReadStream(path, { highWaterMark: bytesAtOnce });
    const source = await sourceOf(open, basename(path)).catch((cause) => {
      throw new OperatorError(`${path}: ${whyUnreadable(cause)}`, { cause });
    });
    sources.push(source);
  }
  const { preview = false, acceptDoubts: isAccepted = false, equalRows = null, json } = given;
  const bar = await progressBar('Läser in', json);
  const size = sources.reduce((sum, source) => sum + source.size, 0);
  const { id, report } = await withPool((pool) =>
    withTx(pool, async (tx) => {
      const accountId = given.account === undefined ? null : await accountOf(tx, given.account);
      const choices: BankImportChoices = { accountId, isAccepted, equalRows };
      if (preview) {
        const plan = await planImport(tx, await readFiles(tx, sources, today()), choices);
        return { id: null, report: reportOf(plan) };
      }
      const importId = await keepFiles(tx, sources, accountId, actor);
      const one = { id: importId, sources, choices, today: today() };
      const tell = (bytes: number) => bar.update(Math.round(bytes), size);
      return { id: importId, report: await takeIn(tx, one, actor, tell) };
    }),
  ).finally(() => bar.stop());
  if (json) write(JSON.stringify({ id, ...toJson(report) }));
  else write(inWords(report, preview));
  if (!preview && !report.files.every(isIn)) process.exitCode = 1;
}

const isIn = ({ statements }: BankImportReport['files'][number]): boolean =>
  statements.length > 0 &&
  statements.every(({ outcome }) => outcome === 'taken' || outcome === 'known');

async function accountOf(tx: Tx, given: string): Promise<string> {
  const found = (await listBankAccounts(tx)).filter(
    ({ id, name, ledger_account }) =>
      id === given.toLowerCase() || name === given || String(ledger_account) === given,
  );
  const [account] = found;
  if (account && found.length === 1) return account.id;
  throw new OperatorError(
    `Det finns inget bankkonto ${given}. Se bank account list, och lägg upp det med bank account add.`,
  );
}

const kronor = (ore: string | null): number | null => (ore === null ? null : Number(ore) / 100);

const toJson = ({ files, ...counts }: BankImportReport): object => ({
  ...counts,
  files: files.map(({ statements, ...file }) => ({
    ...file,
    statements: statements.map(({ opening, closing, credit, debit, doubts, ...rest }) => ({
      ...rest,
      doubts: doubts.map(({ contradiction, ...doubt }) => ({
        ...doubt,
        ...(contradiction && {
          contradiction:
            contradiction.at === 'rows'
              ? contradiction
              : {
                  at: contradiction.at,
                  known: kronor(contradiction.known),
                  told: kronor(contradiction.told),
                },
        }),
      })),
      opening: kronor(opening),
      closing: kronor(closing),
      credit: kronor(credit),
      debit: kronor(debit),
    })),
  })),
});

const outcomes = {
  taken: coloured('green', 'inläst'),
  known: coloured('green', 'fanns redan'),
  doubt: coloured('yellow', 'väntar: se efter det tveksamma, och kör sedan med --accept-doubts'),
  rows_in_doubt: coloured(
    'yellow',
    'väntar: rader kan vara inlästa förut; jämför med banken, och kör sedan med --equal-rows new eller known',
  ),
  contradicts: coloured(
    'yellow',
    'väntar: det säger emot ett annat kontoutdrag, så ett av dem är fel eller av ett annat konto; jämför med banken, och kör sedan med --equal-rows known eller new om det ändå ska in',
  ),
  account_unknown: coloured(
    'yellow',
    'väntar: inget bankkonto har det numret; säg vilket med --account',
  ),
  account_differs: coloured('red', 'gäller ett annat konto än det som --account säger'),
  currency_not_supported: coloured('red', 'är i en annan valuta än SEK och tas inte in'),
  refused: coloured('red', 'går inte att ta in'),
} as const satisfies Record<StatementOutcome, string>;

function inWords({ files, taken, added, known }: BankImportReport, isPreview: boolean): string {
  const lines = files.flatMap(({ file, statements, problems }) => [
    `${file}:`,
    ...statements.map((statement) => `  ${statementInWords(statement, isPreview)}`),
    ...problems.map((problem) => `  ${problemInWords(problem)}`),
  ]);
  const verb = isPreview ? 'skulle läsas in' : 'inlästa';
  return [...lines, `${taken} kontoutdrag ${verb}: ${added} nya rader, ${known} fanns redan.`].join(
    '\n',
  );
}

function statementInWords(statement: ReportedStatement, isPreview: boolean): string {
  const { outcome, account, accountName, from, to, closing, added, known, doubts } = statement;
  const what = isPreview && outcome === 'taken' ? 'går att läsa in' : outcomes[outcome];
  const facts = [
    `${accountName ?? account ?? 'okänt konto'} ${from ?? '?'}–${to ?? '?'}`,
    ...(closing === null ? [] : [`utgående ${amountText(BigInt(closing))}`]),
    `${added} nya, ${known} kända`,
    ...doubts.map(doubtText),
  ];
  return `${facts.join(', ')}: ${what}.`;
}
