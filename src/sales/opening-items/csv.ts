/** Open items as lines of text: from a spreadsheet, pasted or in a file. */
import { parseString, writeToString } from 'fast-csv';
import type { OpeningLine, OpeningSide } from '../../domain/sales/opening-items.ts';
import { refuseWhole } from '../../lib/errors.ts';

/** The columns in order, by the words that stand above them. */
export const openingColumns = {
  fakturanummer: 'number',
  namn: 'name',
  organisationsnummer: 'organizationNumber',
  fakturadatum: 'invoiceDate',
  förfallodatum: 'dueDate',
  belopp: 'total',
  kvar: 'open',
  ocr: 'ocr',
  konto: 'account',
} as const satisfies Record<string, keyof OpeningLine>;

const words = Object.keys(openingColumns);
const linesMax = 5000;
/** In characters: so many lines, each longer than any that is meant. */
const textMax = 2_000_000;

/**
 * With a heading in any order, or without in the order of `openingColumns`; semicolons or tabs. Throws
 * `invalid_request` when it is no table or too long.
 */
export async function readOpeningLines(text: string): Promise<OpeningLine[]> {
  if (text.length > textMax) throw tooMany();
  const plain = text.replace(/^\ufeff/, '').trim();
  const delimiter = (plain.split(/\r?\n/)[0] ?? '').includes('\t') ? '\t' : ';';
  const rows: string[][] = [];
  const table: AsyncIterable<string[]> = parseString(plain, {
    headers: false,
    delimiter,
    ignoreEmpty: true,
    trim: true,
    // A heading and one line too many tell enough.
    maxRows: linesMax + 2,
  });
  try {
    for await (const row of table) rows.push(row);
  } catch (cause) {
    throw refuseWhole('invalid_request', 'opening_lines_unreadable', { words }, { cause });
  }
  const first = rows[0]?.map((word) => word.toLowerCase().normalize('NFC')) ?? [];
  const heading = first.some((word) => words.includes(word)) ? first : undefined;
  const order = heading ?? words;
  const unknown = heading?.find((word) => word !== '' && !words.includes(word));
  if (unknown !== undefined) {
    throw refuseWhole('invalid_request', 'opening_column_unknown', { unknown, words });
  }
  const lines = rows.slice(heading ? 1 : 0);
  if (lines.length > linesMax) throw tooMany();
  return lines.map((row) => lineOf(order, row));
}

/** A sheet with nothing but its heading, as spreadsheets in Swedish open it: with semicolons and a byte order mark. */
export function writeOpeningTemplate(side: OpeningSide): Promise<string> {
  const heading = words.filter((word) => side === 'customers' || word !== 'konto');
  return writeToString([heading], { delimiter: ';', writeBOM: true, includeEndRowDelimiter: true });
}

const tooMany = () => refuseWhole('invalid_request', 'too_many_opening_lines', { linesMax });

function lineOf(order: readonly string[], row: readonly string[]): OpeningLine {
  const value = (word: string): string => row[order.indexOf(word)] ?? '';
  return {
    number: value('fakturanummer'),
    name: value('namn'),
    organizationNumber: value('organisationsnummer'),
    invoiceDate: value('fakturadatum'),
    dueDate: value('förfallodatum'),
    total: value('belopp'),
    open: value('kvar'),
    ocr: value('ocr'),
    account: value('konto'),
  };
}
