/** huvudbok e-invoice check · render: any file, without a database */
import type { Command } from 'commander';
import type { InboxWarning } from '../domain/purchases/supplier-inbox.ts';
import { OperatorError } from '../lib/operator-error.ts';
import {
  type ReadDocument,
  readDocument,
  type Unreadable,
} from '../purchases/e-invoices/reading.ts';
import { readWhole, write } from './context.ts';
import { findFiles, readGiven } from './files.ts';
import { type Json, jsonOption } from './options.ts';
import { writeOut } from './pdf.ts';
import { coloured, counted } from './words.ts';

export function registerEInvoiceFiles(program: Command): void {
  const eInvoice = program.command('e-invoice').description('e-fakturor i filer');

  eInvoice
    .command('check')
    .description('pröva filer mot EN 16931 och Peppol BIS Billing 3; utan databas')
    .argument(
      '<fil...>',
      'UBL-fakturor, för sig eller i StandardBusinessDocument; mappar med .xml; - för standard in',
    )
    .option(...jsonOption)
    .action(async (given: string[], { json }: Json) => {
      const checked: Checked[] = [];
      for (const { path, problem } of await findFiles(given, '.xml')) {
        const one = problem === undefined ? await check(path) : lost(path, problem);
        checked.push(one);
        if (!json) write(inWords(one));
      }
      if (json) write(JSON.stringify(checked));
      else if (checked.length > 1) write(summaryOf(checked));
      if (!checked.every(isWell)) process.exitCode = 1;
    });

  eInvoice
    .command('render')
    .description('skriv fakturan som en läsbar webbsida')
    .argument('<fil>', 'UBL-faktura')
    .option('--out <fil>', 'dit sidan skrivs; annars på standard ut')
    .action(async (path: string, { out }: { out?: string }) => {
      const bytes = await readWhole(path);
      const read = readDocument(bytes);
      if (!('invoice' in read)) throw new OperatorError(unreadableText(path, read.unreadable));
      const { eInvoiceHtml } = await import('../purchases/e-invoices/html.ts');
      const html = eInvoiceHtml(bytes, read.findings);
      await writeOut(out, `${html}\n`);
    });
}

interface Checked {
  readonly file: string;
  readonly verdict: 'clean' | 'warning' | 'fatal' | 'unreadable';
  /** Why it could not be taken in, whatever the rules say. */
  readonly unreadable?: Unreadable;
  readonly findings: readonly InboxWarning[];
}

const isWell = ({ verdict }: Checked): boolean => verdict === 'clean' || verdict === 'warning';

async function check(path: string): Promise<Checked> {
  const bytes = await readGiven(path);
  return typeof bytes === 'string' ? lost(path, bytes) : { file: path, ...judged(bytes) };
}

const lost = (file: string, message: string): Checked => ({
  file,
  verdict: 'unreadable',
  unreadable: { message, line: null, column: null },
  findings: [],
});

function judged(bytes: Buffer): Omit<Checked, 'file'> {
  const read = readDocument(bytes);
  const verdict = verdictOf(read);
  const { findings } = read;
  return 'unreadable' in read
    ? { verdict, unreadable: read.unreadable, findings }
    : { verdict, findings };
}

/** What lacks something that a rule asks for breaks that rule: it is not unreadable for that. */
function verdictOf(read: ReadDocument): Checked['verdict'] {
  const levels = new Set(read.findings.map(({ level }) => level));
  if (levels.has('fatal')) return 'fatal';
  if ('unreadable' in read) return 'unreadable';
  return levels.size > 0 ? 'warning' : 'clean';
}

function inWords({ file, verdict, unreadable, findings }: Checked): string {
  if (verdict === 'clean') return `${file}: ${coloured('green', 'inget att anmärka på')}.`;
  if (unreadable && verdict === 'unreadable') return unreadableText(file, unreadable);
  const fatal = findings.filter(({ level }) => level === 'fatal').length;
  const counts = [
    counted(fatal, 'fel', 'fel'),
    counted(findings.length - fatal, 'varning', 'varningar'),
  ].join(' och ');
  const refusal = unreadable ? [`  Den kan inte tas emot: ${unreadable.message}`] : [];
  const lines = findings.map(({ rule, level, path, message }) => {
    const word = level === 'fatal' ? coloured('red', 'FEL') : coloured('yellow', 'varning');
    return `  ${word} ${rule}: ${message}${path === '' ? '' : `\n      ${path}`}`;
  });
  return [`${file}: ${counts}.`, ...refusal, ...lines].join('\n');
}

function unreadableText(path: string, { message, line, column }: Unreadable): string {
  const place = line === null ? '' : ` (rad ${line}, tecken ${column})`;
  return `${path}: ${coloured('red', 'går inte att läsa')}. ${message}${place}`;
}

function summaryOf(checked: readonly Checked[]): string {
  const by = (wanted: Checked['verdict']): number =>
    checked.filter(({ verdict }) => verdict === wanted).length;
  const parts = [
    `${by('clean')} utan anmärkning`,
    `${by('warning')} med bara varningar`,
    `${by('fatal')} med fel`,
    ...(by('unreadable') === 0 ? [] : [`${by('unreadable')} gick inte att läsa`]),
  ];
  return `${counted(checked.length, 'fil', 'filer')}: ${parts.join(', ')}.`;
}
