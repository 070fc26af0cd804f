/** A bank's CSV read as it comes, in one of the forms that are known. */
import { type CsvPreset, foldHeading, taxAccountPreset } from './csv-presets.ts';
import { type CsvRow, CsvRows, type CsvSeparator } from './csv-rows.ts';
import { headOf, headRowsMax, type ListHead, ListReader } from './list-reader.ts';
import { type FileSample, sampleOf } from './mapping.ts';
import { type BankFileProblems, shownText } from './problems.ts';
import type { BankFileEvent } from './statement.ts';

/** The heading stands within so many characters, or there is none. */
const headCharactersMax = 64 * 1024;
const separators = [';', ',', '\t'] as const;

interface CsvHead extends ListHead {
  readonly separator: CsvSeparator;
}

export class CsvReader {
  readonly #problems: BankFileProblems;
  #beginning = '';
  #format: string | null = null;
  #rows: CsvRows | null = null;
  #list: ListReader | null = null;
  #unknown: FileSample | null = null;
  #isUnknown = false;
  readonly #own: readonly CsvPreset[];

  /** `own` are forms that people have told of. */
  constructor(problems: BankFileProblems, own: readonly CsvPreset[]) {
    this.#problems = problems;
    this.#own = own;
  }

  /** The beginning of a file of unknown form, where it is a table. */
  get sample(): FileSample | null {
    return this.#unknown;
  }

  /** `csv.seb`; null when the form is unknown. */
  get format(): string | null {
    return this.#format;
  }

  read(text: string): BankFileEvent[] {
    if (this.#isUnknown) return [];
    if (this.#list !== null) return this.#list.read(this.#rows?.read(text) ?? []);
    this.#beginning += text;
    return this.#beginning.length < headCharactersMax ? [] : this.#begin();
  }

  end(): BankFileEvent[] {
    const begun = this.#list === null && !this.#isUnknown ? this.#begin() : [];
    if (this.#list === null) return begun;
    return [...begun, ...this.#list.read(this.#rows?.end() ?? []), ...this.#list.end()];
  }

  #begin(): BankFileEvent[] {
    const text = this.#beginning.replace(/^\ufeff/, '');
    this.#beginning = '';
    const head = findHead(text, this.#own);
    if (head === null) {
      this.#isUnknown = true;
      this.#unknown =
        separators
          .map((separator) => sampleOf(headRows(text, separator)))
          .find((sample) => sample !== null) ?? null;
      const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
      this.#problems.add(
        'unknown_form',
        { line: 1 },
        {
          found: shownText(first),
          isList: this.#unknown !== null,
          isWorkbook: false,
        },
      );
      return [];
    }
    this.#format = `csv.${head.preset.name}`;
    this.#rows = new CsvRows(head.separator);
    this.#list = new ListReader(this.#problems, head);
    return this.#list.read(this.#rows.read(text));
  }
}

/** The row of headings, by the separator that makes it one; the lines before may have another, or none. */
function findHead(text: string, own: readonly CsvPreset[]): CsvHead | null {
  for (const separator of separators) {
    const head = headOf(headRows(text, separator), separator, own);
    if (head !== null) return { ...head, separator };
  }
  return findTaxAccount(headRows(text, ';'));
}

const headRows = (text: string, separator: CsvSeparator): readonly CsvRow[] => {
  const rows = new CsvRows(separator);
  return [...rows.read(text), ...rows.end()].slice(0, headRowsMax);
};

function findTaxAccount(rows: readonly CsvRow[]): CsvHead | null {
  const number = rows[0]?.cells[1] ?? '';
  if (!/^(\d{2})?\d{6}-?\d{4}$/.test(number)) return null;
  const [word = ''] = taxAccountPreset.ends ?? [];
  const isHere = rows.some(({ cells }) => foldHeading(cells[1] ?? '').startsWith(word));
  if (!isHere) return null;
  const columns = new Map(
    taxAccountPreset.headings.map((heading, place) => [foldHeading(heading), place] as const),
  );
  return { preset: taxAccountPreset, separator: ';', rows: 1, columns, account: number };
}
