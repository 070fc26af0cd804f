/**
 * Files that a spreadsheet reads in Sweden: semicolons, UTF-8 with a mark, and nothing that computes. And tables of
 * facts that the program has beside its code, with commas.
 */

/** Loaded where it is needed: every command would wait for it. */
const fastCsv = () => import('fast-csv');

/** What may begin a formula, full-width signs and apostrophes before it included. */
const beginning = /^'*\s*([=@＝＠+\-＋－])/;
const number = /^[\d\s.,]*$/;
const spaced = /^[\d\s().,/-]*$/;

/** Not a number with its sign, nor digits with a space between them, which no formula can hold: `+46 8-12 34 56`. */
function isFormula(text: string): boolean {
  const [all = '', sign] = beginning.exec(text) ?? [];
  if (sign === undefined) return false;
  const rest = text.slice(all.length);
  const isSigned = /[+\-＋－]/.test(sign);
  return !(isSigned && (number.test(rest) || (spaced.test(rest) && /\d\s+\d/.test(rest))));
}

/**
 * Somebody's text as text. Only a formula gets an apostrophe before it; take one away where one or more
 * stand before a formula, and it is the text again.
 */
export const textCell = (text: string): string => (isFormula(text) ? `'${text}` : text);

/** The rows of a table of ours by the names in its head. */
export async function* readTable(file: string): AsyncGenerator<Readonly<Record<string, string>>> {
  const { parseFile } = await fastCsv();
  yield* parseFile(file, { headers: true }) as AsyncIterable<Record<string, string>>;
}

export async function writeCsv(
  rows: readonly (readonly string[])[],
  isFirst = true,
): Promise<string> {
  const { writeToString } = await fastCsv();
  return writeToString(
    rows.map((row) => [...row]),
    { delimiter: ';', rowDelimiter: '\r\n', includeEndRowDelimiter: true, writeBOM: isFirst },
  );
}
