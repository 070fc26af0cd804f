/** huvudbok bank check: files of any bank read and judged, without a database; and what else there is of the bank */

import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { checkBankFile } from '../bank/statement-files/check-file.ts';
import type { BankFileCheck, BankFileVerdict } from '../bank/statement-files/checking.ts';
import { type ToldProblem, toldProblems } from '../bank/statement-files/telling.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { checkContinuity } from '../domain/ledger/bank-files/continuity.ts';
import type { BankStatement } from '../domain/ledger/bank-files/statement.ts';
import { amountText } from '../lib/swedish.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { registerBankAccounts } from './bank-accounts.ts';
import { registerBankImport } from './bank-import.ts';
import { registerBankMappings } from './bank-mappings.ts';
import { registerBankSettlements } from './bank-settlements.ts';
import { problemInWords, verdictsInWords } from './bank-words.ts';
import { today, write } from './context.ts';
import { findFiles } from './files.ts';
import { alignedLines } from './listing.ts';
import { type Json, jsonOption } from './options.ts';
import { counted } from './words.ts';

export function registerBank(program: Command): void {
  const bank = program.command('bank').description('bankkonton och bankens kontoutdrag');
  registerBankAccounts(bank);
  registerBankImport(bank);
  registerBankMappings(bank);
  registerBankSettlements(bank);
  bank
    .command('check')
    .description(
      'läs kontoutdrag (camt.053, camt.054, CSV, Excel) och säg om de går att ta in; utan databas',
    )
    .argument('<fil...>', 'kontoutdrag, eller mappar med .xml, .csv och .xlsx')
    .option(...jsonOption)
    .action(async (given: string[], { json }: Json) => {
      const read: ReadFile[] = [];
      for (const { path, problem } of await findFiles(given, '.xml', '.csv', '.txt', '.xlsx')) {
        read.push(problem === undefined ? await readOne(path) : { file: path, lost: problem });
      }
      const checks = read.flatMap(({ check }) => check ?? []);
      if (checks.length > 1) checkContinuity(checks);
      const told = read.map(toTold);
      if (json) write(JSON.stringify(told.map(toJson)));
      else write([...told.map(inWords), ...(told.length > 1 ? [summaryOf(told)] : [])].join('\n'));
      if (told.some(({ verdict }) => verdict === 'refused')) process.exitCode = 1;
    });
}

interface ReadFile {
  readonly file: string;
  readonly check?: BankFileCheck;
  /** Why it could not be opened. */
  readonly lost?: string;
}

interface ToldFile {
  readonly file: string;
  readonly verdict: BankFileVerdict;
  readonly format: string | null;
  readonly statements: readonly BankStatement[];
  readonly problems: readonly ToldProblem[];
}

const bytesAtOnce = 65_536;

async function readOne(file: string): Promise<ReadFile> {
  const open = () => createReadStream(file, { highWaterMark: bytesAtOnce });
  try {
    return { file, check: await checkBankFile(open, { today: today() }) };
  } catch (error) {
    return { file, lost: whyUnreadable(error) };
  }
}

function toTold({ file, check, lost = '' }: ReadFile): ToldFile {
  if (check === undefined) {
    const problem = { line: null, path: null, reason: 'file_unreadable', message: lost } as const;
    const problems = [{ ...problem, level: 'refused' } as const];
    return { file, verdict: 'refused', format: null, statements: [], problems };
  }
  const { problems: _, more: __, ...judgement } = check.judgement;
  return { ...judgement, file, problems: toldProblems(check.judgement) };
}

const toJson = ({ file, verdict, format, statements, problems }: ToldFile): object => ({
  file,
  verdict,
  format,
  statements: statements.map(({ account, currency, opening, closing, entries, credit, debit }) => ({
    account,
    currency,
    opening: opening === null ? null : oreToNumber(opening),
    closing: closing === null ? null : oreToNumber(closing),
    entries,
    credit: oreToNumber(credit),
    debit: oreToNumber(debit),
  })),
  problems: problems.map(({ line, path, reason, message }) => ({ line, path, reason, message })),
});

function inWords({ file, verdict, format, statements, problems }: ToldFile): string {
  const table = [
    ['konto', 'valuta', 'ingående', 'in', 'ut', 'utgående', 'rader'],
    ...statements.map(({ account, currency, opening, closing, entries, credit, debit }) => [
      account,
      currency,
      opening === null ? null : amountText(opening),
      amountText(credit),
      amountText(debit),
      closing === null ? null : amountText(closing),
      entries,
    ]),
  ];
  const facts = [
    ...(format === null ? [] : [format]),
    ...(statements.length > 0 ? alignedLines(table).split('\n') : []),
  ];
  const lines = problems.map(problemInWords);
  return [
    `${file}: ${verdictsInWords[verdict]}.`,
    ...[...facts, ...lines].map((line) => `  ${line}`),
  ].join('\n');
}

function summaryOf(told: readonly ToldFile[]): string {
  const by = (wanted: BankFileVerdict): number =>
    told.filter(({ verdict }) => verdict === wanted).length;
  const parts = [
    `${by('ok')} går att ta in`,
    `${by('doubt')} behöver ses över först`,
    `${by('refused')} går inte att ta in`,
  ];
  return `${counted(told.length, 'fil', 'filer')}: ${parts.join(', ')}.`;
}
