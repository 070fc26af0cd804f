/** Files that a spreadsheet reads in Sweden: semicolons, UTF-8 with a mark, and nothing that computes. */
import { writeToString } from 'fast-csv';

/** What spreadsheets would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/** Somebody's text as text, whatever it begins with. */
export const textCell = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** `isFirst`: the rows begin the file. */
export const writeCsv = (rows: readonly (readonly string[])[], isFirst = true): Promise<string> =>
  writeToString(
    rows.map((row) => [...row]),
    { delimiter: ';', rowDelimiter: '\r\n', includeEndRowDelimiter: true, writeBOM: isFirst },
  );
