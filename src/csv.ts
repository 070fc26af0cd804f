/** Files that a spreadsheet reads in Sweden: semicolons, UTF-8 with a mark, and nothing that computes. */
import { writeToString } from 'fast-csv';

/**
 * What spreadsheets take for a formula, full-width signs and apostrophes before it included. Not a number
 * with its sign, nor digits with a space between them, which no formula can hold: `+46 8-12 34 56`.
 */
const formula = /^'*\s*(?:[=@＝＠]|[+\-＋－](?!(?:[\d\s.,]*|[\d\s().,/-]*\d\s+\d[\d\s().,/-]*)$))/u;

/**
 * Somebody's text as text. Only a formula gets an apostrophe before it; take one away where one or more
 * stand before a formula, and it is the text again.
 */
export const textCell = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** `isFirst`: the rows begin the file. */
export const writeCsv = (rows: readonly (readonly string[])[], isFirst = true): Promise<string> =>
  writeToString(
    rows.map((row) => [...row]),
    { delimiter: ';', rowDelimiter: '\r\n', includeEndRowDelimiter: true, writeBOM: isFirst },
  );
