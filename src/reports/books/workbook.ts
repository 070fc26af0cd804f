/**
 * A report as a workbook of Excel (Office Open XML, ECMA-376 part 1): one sheet, written while its lines are read, so
 * that memory does not grow with it. Why no library: docs/decisions/0017-workbooks-of-reports.md.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { daysBetween } from '../../domain/basics/dates.ts';
import type { Cell, Column, ReportLine } from './table.ts';

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** XML 1.0 has no place for the other control characters, nor for half of a pair. */
const unwritable = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const xmlText = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"]/g, (sign) => escapes[sign] ?? '');

/** The places of the formats in `styles`: plain and bold, for text, amounts (4 is `#,##0.00`) and dates (14). */
const styleOf = (kind: Column['kind'], isBold: boolean): number =>
  ({ text: 0, amount: 1, date: 2 })[kind] + (isBold ? 3 : 0);
const formats = [0, 4, 14].map((id) => `numFmtId="${id}"`);
const styles = `${head}<styleSheet xmlns="${namespace}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6">${[0, 1].flatMap((font) => formats.map((format) => `<xf ${format} fontId="${font}" applyNumberFormat="1" applyFont="1"/>`)).join('')}</cellXfs></styleSheet>`;

const parts = (title: string): readonly (readonly [name: string, text: string])[] => [
  [
    '[Content_Types].xml',
    `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${head}<workbook xmlns="${namespace}" xmlns:r="${relations}"><sheets><sheet name="${xmlText(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles],
];

/** Days since the day before 1900-01-01, as Excel counts them with its 29 February 1900. */
const dayNumber = (date: string): number => daysBetween('1899-12-30', date);
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && text >= '1900-03-01';

/** Text is text, whatever it begins with: a workbook computes only what is written as a formula. */
function cellXml(cell: Cell, kind: Column['kind'], isBold: boolean): string {
  if (cell === null) return '<c/>';
  const style = ` s="${styleOf(kind, isBold)}"`;
  if (typeof cell === 'bigint') {
    const digits = String(cell < 0n ? -cell : cell).padStart(3, '0');
    const value = `${cell < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    return `<c${style}><v>${value}</v></c>`;
  }
  if (kind === 'date' && isDay(cell)) return `<c${style}><v>${dayNumber(cell)}</v></c>`;
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`;
}

const rowXml = (cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
const widths = { text: 28, date: 12, amount: 16 } as const;

async function* sheetXml(
  columns: readonly Column[],
  portions: AsyncIterable<readonly ReportLine[]>,
): AsyncGenerator<Buffer> {
  const wide = columns.map(
    ({ kind }, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${widths[kind]}" customWidth="1"/>`,
  );
  const heads = columns.map(({ label }) => cellXml(label, 'text', true));
  yield Buffer.from(
    `${head}<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${wide.join('')}</cols><sheetData>${rowXml(heads)}`,
  );
  for await (const lines of portions) {
    const rows = lines.map(({ kind, cells }) =>
      rowXml(columns.map((column, at) => cellXml(cells[at] ?? null, column.kind, kind !== 'row'))),
    );
    yield Buffer.from(rows.join(''));
  }
  yield Buffer.from('</sheetData></worksheet>');
}

export function reportWorkbook(
  title: string,
  columns: readonly Column[],
  portions: AsyncIterable<readonly ReportLine[]>,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const sheet = Readable.from(sheetXml(columns, portions), { objectMode: false });
  sheet.once('error', (error) => output.destroy(error));
  output.once('close', () => sheet.destroy());
  for (const [name, text] of parts(title)) zip.addBuffer(Buffer.from(text), name);
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return output;
}
