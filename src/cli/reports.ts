/** huvudbok report <name>: any report there is, to read, as JSON or as CSV */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { db, type Pool } from '../db/pool.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { amountText } from '../lib/swedish.ts';
import { reportCsv, reportJson, requireRoom } from '../reports/books/files.ts';
import { readPrinted, reportPdf } from '../reports/books/pdf.ts';
import { readOptions, reportBy, reports } from '../reports/books/reports.ts';
import {
  allLines,
  type BookReport,
  type Cell,
  type ReportLine,
  type ReportOptions,
} from '../reports/books/table.ts';
import { reportWorkbook } from '../reports/books/workbook.ts';
import { note, thisDay, withPool } from './context.ts';
import { date, type Json, jsonOption, text } from './options.ts';
import { writeWhole } from './whole-file.ts';

interface Given extends Json {
  readonly from?: string;
  readonly to?: string;
  readonly dimension?: string;
  readonly account?: string;
  readonly months?: boolean;
  readonly csv?: boolean;
  readonly output?: string;
}

/** By its English name, or the Swedish one that addresses have. */
const reportName = Object.assign(
  (value: string): BookReport => {
    const found = reportBy(value);
    if (found) return found;
    const known = reports.map(({ name, word }) => `${name} (${word})`).join(', ');
    throw new InvalidArgumentError(`Välj bland ${known}.`);
  },
  { choices: reports.map(({ name }) => name) },
);

export function registerReports(program: Command): void {
  program
    .command('report')
    .description('en rapport: balansräkning, resultaträkning, saldobalans, huvudbok och fler')
    .argument(
      '<namn>',
      reports.map(({ name, title }) => `${name}: ${title}`).join('; '),
      reportName,
    )
    .option('--from <datum>', 'första dagen; annars räkenskapsårets', date)
    .option('--to <datum>', 'sista dagen; annars i dag', date)
    .option('--dimension <kod>', 'bara rader med dimensionen, t.ex. P1 eller project:P1', text(40))
    .option('--account <konto>', 'bara konton i huvudboken, t.ex. 1930 eller 3000-3999', text(20))
    .option('--months', 'resultaträkningen månad för månad')
    .option('--csv', 'CSV på standard ut')
    .option(
      '--output <fil>',
      'dit den skrivs, som .csv, .xlsx, .pdf eller .json; annars på standard ut',
      text(4_000),
    )
    .option(...jsonOption)
    .action((report: BookReport, given: Given) => tell(report, given));
}

type Format = 'csv' | 'json' | 'xlsx' | 'pdf' | 'words';

/** What a file is by its name; on standard output, by the flag. */
function formatOf({ csv, json, output }: Given): Format {
  if (csv && json) throw new OperatorError('Ange --csv eller --json, inte båda.');
  const asked = csv ? 'csv' : json ? 'json' : undefined;
  if (output === undefined) return asked ?? 'words';
  const ending = /\.(csv|json|xlsx|pdf)$/i.exec(output)?.[1]?.toLowerCase();
  const format = asked ?? (ending as Format | undefined);
  if (format) return format;
  throw new OperatorError('Ge filen ett namn som slutar på .csv, .xlsx, .pdf eller .json.');
}

async function tell(report: BookReport, given: Given): Promise<void> {
  const { output } = given;
  const format = formatOf(given);
  await withPool(async (pool) => {
    const { from, to, dimension, account: accounts, months: isByMonth } = given;
    const asked = { from, to, dimension, accounts, isByMonth };
    const options = await readOptions(db(pool), report, asked, thisDay());
    const content = await contentOf(pool, format, report, options);
    if (output === undefined) return await pipeline(content, process.stdout, { end: false });
    await writeWhole(content, output);
    note(`${report.title} är skriven till ${output}.`);
  });
}

async function contentOf(
  pool: Pool,
  format: Format,
  report: BookReport,
  options: ReportOptions,
): Promise<Readable> {
  const lines = allLines((work) => work(db(pool)), report, options);
  switch (format) {
    case 'csv':
      return Readable.from(reportCsv(report.columns(options), lines));
    case 'json':
      return Readable.from(reportJson(report, options, lines));
    case 'words':
      return Readable.from(readable(report, options, lines));
    case 'xlsx':
      await requireRoom(db(pool), report, options, format);
      return reportWorkbook(report.title, report.columns(options), lines);
    case 'pdf': {
      const printed = await readPrinted(db(pool), report, options);
      return Readable.from(reportPdf(printed, lines), { objectMode: false });
    }
  }
}

const shown = (cell: Cell): string => (typeof cell === 'bigint' ? amountText(cell) : (cell ?? ''));

/** Columns as wide as the first portion needs; a long listing is not kept to be measured. */
async function* readable(
  report: BookReport,
  options: ReportOptions,
  portions: AsyncIterable<readonly ReportLine[]>,
): AsyncGenerator<string> {
  const labels = report.columns(options).map(({ label }) => label);
  let widths: number[] | undefined;
  for await (const lines of portions) {
    const rows = lines.map(({ cells }) => cells.map(shown));
    const isFirst = widths === undefined;
    widths ??= labels.map((label, place) =>
      Math.max(label.length, ...rows.map((row) => row[place]?.length ?? 0)),
    );
    const kinds = lines[0]?.cells.map((_, place) =>
      lines.some(({ cells }) => typeof cells[place] === 'bigint'),
    );
    const aligned = (row: readonly string[]): string =>
      row
        .map((cell, place) => {
          const width = widths?.[place] ?? 0;
          return kinds?.[place] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd();
    const head = isFirst ? [report.title, '', aligned(labels)] : [];
    yield [...head, ...rows.map(aligned), ''].join('\n');
  }
}
