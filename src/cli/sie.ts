/** huvudbok sie check · export · import: SIE files of any program, out of the books and into them */

import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { oreToNumber } from '../domain/basics/money.ts';
import type { SieJudgement, SieVerdict } from '../domain/ledger/sie/checking.ts';
import { type SieLevel, sieRules } from '../domain/ledger/sie/problems.ts';
import { checkSie } from '../ledger/sie/checking.ts';
import { moreText, problemText, ruleName } from '../ledger/sie/wordings.ts';
import { amountText } from '../lib/swedish.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { write } from './context.ts';
import { findFiles } from './files.ts';
import { alignedLines } from './listing.ts';
import { type Json, jsonOption } from './options.ts';
import { registerSieExport } from './sie-export.ts';
import { registerSieImport } from './sie-import.ts';
import { coloured, counted, levelsInWords } from './words.ts';

export function registerSie(program: Command): void {
  const sie = program
    .command('sie')
    .description('SIE-filer: bokföring till och från andra program');

  sie
    .command('check')
    .description('läs SIE-filer, typ 1–4, och säg om de går att ta in; utan databas')
    .argument('<fil...>', 'SIE-filer, eller mappar med .se och .si')
    .option(...jsonOption)
    .action(async (given: string[], { json }: Json) => {
      const checked: Checked[] = [];
      for (const { path, problem } of await findFiles(given, '.se', '.si', '.sie')) {
        const one = problem === undefined ? await check(path) : lost(path, problem);
        checked.push(one);
        if (!json) write(inWords(one));
      }
      if (json) write(JSON.stringify(checked.map(toJson)));
      else if (checked.length > 1) write(summaryOf(checked));
      if (checked.some(({ verdict }) => verdict === 'refused')) process.exitCode = 1;
    });
  registerSieExport(sie);
  registerSieImport(sie);
}

interface ProblemLine {
  readonly line: number | null;
  readonly level: SieLevel;
  readonly rule: string;
  readonly message: string;
}

interface Checked {
  readonly file: string;
  readonly verdict: SieVerdict;
  /** Null of a file that could not be opened. */
  readonly summary: SieJudgement | null;
  readonly problems: readonly ProblemLine[];
}

const bytesAtOnce = 65_536;

async function check(file: string): Promise<Checked> {
  const open = () => createReadStream(file, { highWaterMark: bytesAtOnce });
  let summary: SieJudgement;
  try {
    summary = await checkSie(open, extname(file));
  } catch (error) {
    return lost(file, whyUnreadable(error));
  }
  const problems = summary.problems.map((problem) => ({
    line: problem.line,
    level: sieRules[problem.rule].level,
    rule: ruleName(problem.rule),
    message: problemText(problem),
  }));
  const more = summary.more.map((rest) => ({
    line: null,
    level: sieRules[rest.rule].level,
    rule: ruleName(rest.rule),
    message: moreText(rest),
  }));
  return { file, verdict: summary.verdict, summary, problems: [...problems, ...more] };
}

const lost = (file: string, message: string): Checked => ({
  file,
  verdict: 'refused',
  summary: null,
  problems: [{ line: null, level: 'refused', rule: 'HB file_unreadable', message }],
});

function toJson({ file, verdict, summary, problems }: Checked): object {
  return {
    file,
    verdict,
    type: summary?.type ?? null,
    encoding: summary?.encoding ?? null,
    program: summary?.program ?? null,
    company: summary?.company ?? null,
    years: summary?.years ?? [],
    accounts: summary?.accounts ?? 0,
    vouchers: summary?.vouchers ?? 0,
    rows: summary?.rows ?? 0,
    debit: oreToNumber(summary?.debit ?? 0n),
    sums: Object.fromEntries(
      [...(summary?.sums ?? [])].map(([key, ore]) => [key, oreToNumber(ore)]),
    ),
    problems: problems.map(({ line, rule, message }) => ({ line, rule, message })),
  };
}

const verdicts = {
  ok: coloured('green', 'går att ta in'),
  doubt: coloured('yellow', 'går att ta in, men något behöver ses över först'),
  refused: coloured('red', 'går inte att ta in'),
} as const satisfies Record<SieVerdict, string>;

function inWords({ file, verdict, summary, problems }: Checked): string {
  const lines = problems.map(({ line, level, rule, message }) => {
    const place = line === null ? '' : ` rad ${line}`;
    return `  ${levelsInWords[level]}${place} (${rule}): ${message}`;
  });
  return [`${file}: ${verdicts[verdict]}.`, ...factsOf(summary), ...lines].join('\n');
}

function factsOf(summary: SieJudgement | null): string[] {
  if (summary === null || summary.type === null) return [];
  const { type, encoding, program, company, years, sums } = summary;
  const head = [`SIE ${type}`, encoding, program, company].filter((part) => part !== null);
  const spans = years.map(({ start, end }) => `${start}–${end}`);
  const counts = [
    counted(summary.accounts, 'konto', 'konton'),
    `${summary.vouchers} verifikat`,
    counted(summary.rows, 'rad', 'rader'),
    `debet ${amountText(summary.debit)} kr`,
  ];
  const table = alignedLines(sumRows(sums)).split('\n');
  return [
    head.join(', '),
    ...(spans.length > 0 ? [`räkenskapsår ${spans.join(' och ')}`] : []),
    counts.join(', '),
    ...(sums.size > 0 ? table : []),
  ].map((line) => `  ${line}`);
}

/** A row a year, the file's own first: what its opening balances, closing balances and result come to. */
function sumRows(sums: SieJudgement['sums']): (string | null)[][] {
  const labels = ['IB', 'UB', 'RES'] as const;
  const years = [...new Set([...sums.keys()].map((key) => Number(key.split(' ')[1])))];
  const amountOf = (key: string): string | null => {
    const ore = sums.get(key);
    return ore === undefined ? null : amountText(ore);
  };
  const rows = years
    .sort((a, b) => b - a)
    .map((year) => [String(year), ...labels.map((label) => amountOf(`${label} ${year}`))]);
  return [['år', ...labels], ...rows];
}

function summaryOf(checked: readonly Checked[]): string {
  const by = (wanted: SieVerdict): number =>
    checked.filter(({ verdict }) => verdict === wanted).length;
  const parts = [
    `${by('ok')} går att ta in`,
    `${by('doubt')} behöver ses över först`,
    `${by('refused')} går inte att ta in`,
  ];
  return `${counted(checked.length, 'fil', 'filer')}: ${parts.join(', ')}.`;
}
