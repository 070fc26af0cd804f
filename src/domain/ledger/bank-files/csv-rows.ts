/** Rows of a file with separators, out of text that comes in pieces (RFC 4180, and single quotation marks within cells). */

/** No row of a bank is longer. */
export const rowCharactersMax = 65_536;
const cellsMax = 200;

/** Where a cell may end, or quotation marks begin. */
const ends = { ';': /["\r\n;]/g, ',': /["\r\n,]/g, '\t': /["\r\n\t]/g } as const;
export type CsvSeparator = keyof typeof ends;

export interface CsvRow {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly isTooLong: boolean;
}

export class CsvRows {
  readonly #separator: CsvSeparator;
  readonly #find: RegExp;
  #line = 1;
  #rowLine = 1;
  #cells: string[] = [];
  #cell = '';
  #size = 0;
  #isQuoted = false;
  #hasQuotes = false;
  /** The piece before ended in a quotation mark within quotation marks, or in a carriage return. */
  #pending: '"' | '\r' | null = null;
  #rows: CsvRow[] = [];

  constructor(separator: CsvSeparator) {
    this.#separator = separator;
    this.#find = ends[separator];
  }

  read(text: string): CsvRow[] {
    let at = 0;
    while (at < text.length) {
      if (this.#pending !== null) at = this.#resume(text, at);
      else if (this.#isQuoted) at = this.#readQuoted(text, at);
      else at = this.#readPlain(text, at);
    }
    return this.#taken();
  }

  /** The last row, when no line end followed it. */
  end(): CsvRow[] {
    if (this.#cells.length > 0 || this.#cell !== '') this.#endRow();
    return this.#taken();
  }

  #taken(): CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #resume(text: string, at: number): number {
    const isReturn = this.#pending === '\r';
    this.#pending = null;
    if (isReturn) return text[at] === '\n' ? at + 1 : at;
    if (text[at] === '"') {
      this.#add('"');
      return at + 1;
    }
    this.#isQuoted = false;
    return at;
  }

  #readQuoted(text: string, at: number): number {
    const end = text.indexOf('"', at);
    const part = end < 0 ? text.slice(at) : text.slice(at, end);
    for (const sign of part) if (sign === '\n') this.#line += 1;
    this.#add(part);
    if (end < 0) return text.length;
    this.#pending = '"';
    return end + 1;
  }

  #readPlain(text: string, at: number): number {
    this.#find.lastIndex = at;
    const found = this.#find.exec(text);
    const end = found?.index ?? text.length;
    this.#add(text.slice(at, end));
    if (!found) return end;
    const [sign] = found;
    if (sign === '"' && this.#cell.trim() === '' && !this.#hasQuotes) {
      this.#cell = '';
      this.#isQuoted = true;
      this.#hasQuotes = true;
    } else if (sign === '"') this.#add('"');
    else if (sign === this.#separator) this.#endCell();
    else {
      this.#endRow();
      if (sign === '\r') this.#pending = '\r';
    }
    return end + 1;
  }

  #add(part: string): void {
    const room = rowCharactersMax - this.#size;
    this.#size += part.length;
    if (room > 0) this.#cell += part.slice(0, room);
  }

  #endCell(): void {
    this.#size += 1;
    if (this.#cells.length < cellsMax) this.#cells.push(this.#cell.trim());
    this.#cell = '';
    this.#hasQuotes = false;
  }

  #endRow(): void {
    const isTooLong = this.#size > rowCharactersMax;
    this.#endCell();
    this.#rows.push({ line: this.#rowLine, cells: this.#cells, isTooLong });
    this.#line += 1;
    this.#rowLine = this.#line;
    this.#cells = [];
    this.#size = 0;
  }
}
