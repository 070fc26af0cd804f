/** A report as a file: lines as they are read, so that a file has no largest size. */
import type { Db } from '../../db/pool.ts';
import { type Ore, oreToNumber } from '../../domain/basics/money.ts';
import { textCell, writeCsv } from '../../lib/csv.ts';
import { refuseWhole } from '../../lib/errors.ts';
import type { BookReport, Cell, Column, ReportLine, ReportOptions } from './table.ts';

/** `1234,50`, without the spaces that spreadsheets take for text. */
function csvAmount(ore: Ore): string {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0');
  return `${ore < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

const csvCell = (cell: Cell): string => {
  if (cell === null) return '';
  return typeof cell === 'bigint' ? csvAmount(cell) : textCell(cell);
};

/** What a line is, in Swedish, for who sorts and sums in a spreadsheet. */
const kinds = { heading: 'rubrik', row: 'rad', sum: 'summa' } as const;

export async function* reportCsv(
  columns: readonly Column[],
  portions: AsyncIterable<readonly ReportLine[]>,
): AsyncGenerator<string> {
  yield await writeCsv([['Slag', ...columns.map(({ label }) => label)]]);
  for await (const lines of portions) {
    yield await writeCsv(
      lines.map(({ kind, cells }) => [kinds[kind], ...cells.map(csvCell)]),
      false,
    );
  }
}

/** One JSON value: what was asked for, and each line by the columns' keys; kronor as numbers. */
export async function* reportJson(
  report: BookReport,
  options: ReportOptions,
  portions: AsyncIterable<readonly ReportLine[]>,
): AsyncGenerator<string> {
  const columns = report.columns(options);
  const { from, to, dimension, accounts } = options;
  const head = {
    report: report.name,
    title: report.title,
    ...(report.isOfDay ? {} : { from }),
    to,
    ...(dimension ? { dimension: `${dimension.kind}:${dimension.code}` } : {}),
    ...(accounts ? { accounts } : {}),
    columns: columns.map(({ key, label, kind }) => ({ key, label, kind })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"lines":[`;
  let separator = '';
  for await (const lines of portions) {
    if (lines.length === 0) continue;
    yield separator + lines.map((line) => JSON.stringify(jsonLine(columns, line))).join(',');
    separator = ',';
  }
  yield ']}\n';
}

const jsonLine = (columns: readonly Column[], { kind, cells, behind }: ReportLine) => ({
  kind,
  ...Object.fromEntries(
    columns.map(({ key }, place) => {
      const cell = cells[place] ?? null;
      return [key, typeof cell === 'bigint' ? oreToNumber(cell) : cell];
    }),
  ),
  ...(behind && 'id' in behind ? { id: behind.id } : {}),
  ...(behind?.kind === 'accounts' ? { accounts: behind.accounts } : {}),
});

/** Lines that a file has room for. A workbook: what spreadsheets are quick with. A PDF: some 5 000 pages. */
export const linesMax = { xlsx: 200_000, pdf: 150_000 } as const;

/** Before anything is made: throws 422 when the report is longer than such a file may be. About how many lines it has. */
export async function requireRoom(
  db: Db,
  report: BookReport,
  options: ReportOptions,
  format: keyof typeof linesMax,
): Promise<number> {
  const max = linesMax[format];
  const lines = (await report.count?.(db, options, max)) ?? 0;
  if (lines > max) {
    const params = { report: report.title, format: format.toUpperCase(), max };
    throw refuseWhole('unprocessable', 'too_many_report_lines', params);
  }
  return lines;
}

/** `huvudbok-2026-01-01-2026-12-31.csv`. */
export const fileNameOf = (
  report: BookReport,
  { from, to }: ReportOptions,
  ending: string,
): string => `${report.word}-${report.isOfDay ? '' : `${from}-`}${to}.${ending}`;
