/** huvudbok e-invoice check · render: any file, without a database */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { type ReadDocument, readDocument, type Unreadable } from '../e-invoices/reading.ts';
import { OperatorError } from '../operator-error.ts';
import { print, readWhole, write } from './context.ts';
import { type Json, jsonOption } from './options.ts';

export function registerEInvoiceFiles(program: Command): void {
  const eInvoice = program.command('e-invoice').description('e-fakturor i filer');

  eInvoice
    .command('check')
    .description('pröva filer mot EN 16931 och Peppol BIS Billing 3; utan databas')
    .argument('<fil...>', 'UBL-fakturor, för sig eller i StandardBusinessDocument')
    .option(...jsonOption)
    .action(async (paths: string[], { json }: Json) => {
      const checked = await Promise.all(
        paths.map(async (path) => ({
          file: path,
          ...verdictOf(readDocument(await readWhole(path))),
        })),
      );
      print(json, checked, checked.map(inWords).join('\n'));
      const isWell = ({ verdict }: { verdict: Verdict }) => ['clean', 'warning'].includes(verdict);
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
      const { eInvoiceHtml } = await import('../e-invoices/html.ts');
      const html = eInvoiceHtml(bytes, read.findings);
      if (out === undefined) write(html);
      else await writeFile(out, html);
    });
}

type Verdict = 'clean' | 'warning' | 'fatal' | 'unreadable';

function verdictOf(read: ReadDocument) {
  if (!('invoice' in read)) {
    return { verdict: 'unreadable' as Verdict, unreadable: read.unreadable, findings: [] };
  }
  const { findings } = read;
  const levels = new Set(findings.map(({ level }) => level));
  const verdict: Verdict = levels.has('fatal') ? 'fatal' : levels.size > 0 ? 'warning' : 'clean';
  return { verdict, findings };
}

function inWords(checked: { file: string } & ReturnType<typeof verdictOf>): string {
  const { file, verdict, findings } = checked;
  const name = basename(file);
  if (verdict === 'clean') return `${name}: inget att anmärka på.`;
  if (checked.unreadable) return unreadableText(file, checked.unreadable);
  const fatal = findings.filter(({ level }) => level === 'fatal').length;
  const lines = findings.map(({ rule, level, path, message }) => {
    const word = level === 'fatal' ? 'FEL' : 'varning';
    return `  ${word} ${rule}: ${message}${path === '' ? '' : `\n      ${path}`}`;
  });
  return [`${name}: ${fatal} fel och ${findings.length - fatal} varningar.`, ...lines].join('\n');
}

function unreadableText(path: string, { message, line, column }: Unreadable): string {
  const place = line === null ? '' : ` (rad ${line}, tecken ${column})`;
  return `${basename(path)}: går inte att läsa som e-faktura. ${message}${place}`;
}
