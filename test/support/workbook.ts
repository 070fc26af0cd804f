/** Workbooks of Excel, as small as tests need them. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Text, a number as XML writes it, or XML of a cell's own. */
export type TestCell =
  | string
  | number
  | { readonly number: string }
  | { readonly xml: string }
  | null;

export interface TestWorkbook {
  readonly rows: readonly (readonly TestCell[])[];
  readonly is1904?: boolean;
  /** Parts beside the usual ones, or instead of them. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly isStored?: boolean;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function workbookParts({ rows, is1904 = false, parts = {} }: TestWorkbook) {
  const texts: string[] = [];
  const cellOf = (cell: TestCell, place: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'object' && 'xml' in cell) return cell.xml.replace('<c', `<c r="${place}"`);
    if (typeof cell === 'object') return `<c r="${place}"><v>${cell.number}</v></c>`;
    if (typeof cell === 'number') return `<c r="${place}" s="1"><v>${cell}</v></c>`;
    texts.push(cell);
    return `<c r="${place}" t="s"><v>${texts.length - 1}</v></c>`;
  };
  const data = rows
    .map((cells, index) => {
      const line = index + 1;
      return `<row r="${line}">${cells.map((cell, at) => cellOf(cell, `${letters[at]}${line}`)).join('')}</row>`;
    })
    .join('');
  return {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets><sheet name="Gömt" sheetId="1" state="hidden" r:id="rId9"/><sheet name="Kontoutdrag" sheetId="2" r:id="rId1"/><sheet name="Annat" sheetId="3" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId2" Type="x" Target="worksheets/sheet2.xml"/><Relationship Id="rId1" Type="x" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml': `${head}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`,
    ...parts,
  };
}

export function workbook(given: TestWorkbook): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(workbookParts(given))) {
    zip.addBuffer(Buffer.from(text), name, { compress: !given.isStored });
  }
  zip.end();
  return buffer(zip.outputStream);
}

export const sebHeadings = [
  'Bokföringsdatum',
  'Valutadatum',
  'Verifikationsnummer',
  'Text/mottagare',
  'Belopp',
  'Saldo',
] as const;
