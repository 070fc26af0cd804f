/** Rows of a spreadsheet read as a bank's list: what are numbers there become the amounts and days that lists write. */
import { addDays } from '../../basics/dates.ts';
import { parseDecimal } from '../../basics/money.ts';
import { type CsvPreset, columnsOf, foldHeading } from './csv-presets.ts';
import type { CsvRow } from './csv-rows.ts';
import { headOf, headRowsMax, type ListHead, ListReader } from './list-reader.ts';
import { type FileSample, sampleOf } from './mapping.ts';
import { type BankFileProblems, shownText } from './problems.ts';
import type { BankFileEvent } from './statement.ts';

export interface SheetCell {
  /** Of a number as XML writes it, with a decimal point. */
  readonly text: string;
  readonly isNumber: boolean;
}

export interface SheetRow {
  /** Counted from 1, as the program shows it. */
  readonly line: number;
  readonly cells: readonly SheetCell[];
  readonly isTooLong: boolean;
}

/** Day 0 of the two calendars of spreadsheets (ECMA-376 part 1, 18.17.4.1). */
const epochs = { 1900: '1899-12-30', 1904: '1904-01-01' } as const;
/** The first takes 1900 for a leap year: from its day 61, 1 March, on it counts right. */
const firstSerials = { 1900: 61, 1904: 0 } as const;
/** 9999-12-31 by the former. */
const lastSerial = 2_958_465;
export type SheetCalendar = keyof typeof epochs;

/** The day of a serial number, whose fraction is the time; as it stands when it is none. */
export function dayOfSerial(text: string, calendar: SheetCalendar): string {
  const serial = Math.floor(Number(text));
  const isDay = serial >= firstSerials[calendar] && serial <= lastSerial - 1_462;
  return isDay ? addDays(epochs[calendar], serial) : text;
}

/** Spreadsheets keep fifteen digits of a number, and write seventeen (`-99.900000000000006`). */
const digits = 15;

/** With two decimals and the mark of the form; with all its decimals when it has parts of an öre, which is told of then. */
export function amountOfNumber(text: string, mark: '.' | ','): string {
  const number = Number(Number(text).toPrecision(digits));
  const ore = Number.isFinite(number) ? parseDecimal(number === 0 ? 0 : number, 2) : null;
  // With the form's own mark: a point may be of thousands there.
  if (ore === null) return text.replace('.', mark);
  const plain = String(ore < 0n ? -ore : ore).padStart(3, '0');
  return `${ore < 0n ? '-' : ''}${plain.slice(0, -2)}${mark}${plain.slice(-2)}`;
}

/** Numbers of vouchers and telephones, which are whole. */
const wholeOfNumber = (text: string): string => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : text;
};

export class SheetReader {
  readonly #problems: BankFileProblems;
  #calendar: SheetCalendar = 1900;
  #first: SheetRow[] = [];
  #head: ListHead | null = null;
  #list: ListReader | null = null;
  #isUnknown = false;

  #unknown: FileSample | null = null;
  readonly #own: readonly CsvPreset[];

  /** `own` are forms that people have told of. */
  constructor(problems: BankFileProblems, own: readonly CsvPreset[]) {
    this.#problems = problems;
    this.#own = own;
  }

  /** The beginning of a sheet of unknown form, where it is a table. */
  get sample(): FileSample | null {
    return this.#unknown;
  }

  /** `xlsx.seb-excel`; null when the form is unknown. */
  get format(): string | null {
    return this.#head === null ? null : `xlsx.${this.#head.preset.name}`;
  }

  /** Of the workbook, before its rows. */
  setCalendar(calendar: SheetCalendar): void {
    this.#calendar = calendar;
  }

  read(rows: readonly SheetRow[]): BankFileEvent[] {
    if (this.#isUnknown) return [];
    if (this.#list !== null) return this.#list.read(rows.map((row) => this.#written(row)));
    for (const row of rows) this.#first.push(row);
    return this.#first.length < headRowsMax ? [] : this.#begin();
  }

  end(): BankFileEvent[] {
    const begun = this.#list === null && !this.#isUnknown ? this.#begin() : [];
    return this.#list === null ? begun : [...begun, ...this.#list.end()];
  }

  #begin(): BankFileEvent[] {
    const rows = this.#first;
    this.#first = [];
    const first = rows.slice(0, headRowsMax);
    this.#head = headOf(first.map(asText), null, this.#own);
    if (this.#head === null) {
      this.#isUnknown = true;
      const guessed = (hasTimes: boolean) =>
        sampleOf(first.map((row) => asGuessed(row, this.#calendar, hasTimes)));
      this.#unknown = guessed(false) ?? guessed(true);
      const found = shownText((rows[0]?.cells ?? []).map(({ text }) => text).join(' '));
      const isList = this.#unknown !== null;
      const at = { line: rows[0]?.line ?? 1 };
      this.#problems.add('unknown_form', at, { found, isList, isWorkbook: true });
      return [];
    }
    this.#list = new ListReader(this.#problems, this.#head);
    return this.#list.read(rows.map((row) => this.#written(row)));
  }

  /** As the form would have it in text. */
  #written(row: SheetRow): CsvRow {
    const head = this.#head;
    if (head === null) return asText(row);
    const { preset, columns } = head;
    const placesOf = (...names: (string | readonly string[] | undefined)[]): Set<number> =>
      new Set(names.flatMap(columnsOf).flatMap((name) => columns.get(foldHeading(name)) ?? []));
    this.#places ??= {
      days: placesOf(preset.date, preset.valueDate),
      amounts: placesOf(
        preset.amount,
        preset.deposit,
        preset.withdrawal,
        preset.fee,
        preset.balance,
      ),
    };
    const { days, amounts } = this.#places;
    const mark = preset.decimal === 'file' ? '.' : preset.decimal;
    const written = row.cells.map(({ text, isNumber }, place) => {
      if (!isNumber) return text.trim();
      if (days.has(place)) return dayOfSerial(text, this.#calendar);
      return amounts.has(place) ? amountOfNumber(text, mark) : wholeOfNumber(text);
    });
    // Cells at the end that are empty are not in the file.
    while (written.length < columns.size) written.push('');
    return { line: row.line, cells: written, isTooLong: row.isTooLong };
  }

  #places: { readonly days: Set<number>; readonly amounts: Set<number> } | null = null;
}

/**
 * Days between 2000 and 2099 as whole numbers are taken for days, until somebody has said what columns are; with times of
 * day where the list has no days otherwise, since they may as well be amounts.
 */
const asGuessed = (
  { line, cells, isTooLong }: SheetRow,
  calendar: SheetCalendar,
  hasTimes: boolean,
): CsvRow => ({
  line,
  isTooLong,
  cells: cells.map(({ text, isNumber }) => {
    if (!isNumber) return text.trim();
    const number = Number(text);
    return (hasTimes || Number.isInteger(number)) && number >= 36_526 && number < 73_051
      ? dayOfSerial(text, calendar)
      : amountOfNumber(text, ',');
  }),
});

const asText = ({ line, cells, isTooLong }: SheetRow): CsvRow => ({
  line,
  cells: cells.map(({ text, isNumber }) => (isNumber ? wholeOfNumber(text) : text.trim())),
  isTooLong,
});
