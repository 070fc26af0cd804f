/**
 * What people say of the columns of a list whose form nobody knows: said once, by its headings, and kept. And what the
 * columns look like, to begin with.
 */
import type { Ore } from '../../basics/money.ts';
import { type DayOrder, type DecimalMark, readCsvAmount, readDay } from './amounts.ts';
import { type CsvPreset, foldHeading } from './csv-presets.ts';
import type { CsvRow } from './csv-rows.ts';

/** What a column is, in the order that people choose from. */
export const columnRoles = [
  'date',
  'valueDate',
  'text',
  'amount',
  'deposit',
  'withdrawal',
  'balance',
  'reference',
  'otherName',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

export interface BankFileMapping {
  /** Of the file's row of headings, in its order; empty ones too. */
  readonly headings: readonly string[];
  /** What each of them is; null for what is not read. */
  readonly roles: readonly (ColumnRole | null)[];
  readonly decimal: DecimalMark;
  readonly dayOrder: DayOrder;
  /** Amounts above zero are money out. */
  readonly isReversed: boolean;
}

export const mappingFormat = 'egen';

/** Only files with just these headings are read by it. Rows are in kronor. */
export function presetOfMapping(mapping: BankFileMapping): CsvPreset {
  const { headings, roles, decimal, dayOrder, isReversed } = mapping;
  const of = (role: ColumnRole): string[] =>
    headings.filter((heading, index) => roles[index] === role && heading !== '');
  const one = <Name extends string>(name: Name, role: ColumnRole) => {
    const [heading] = of(role);
    return heading === undefined ? {} : ({ [name]: heading } as { [Key in Name]: string });
  };
  const [date = ''] = of('date');
  return {
    name: mappingFormat,
    separators: [';', ',', '\t'],
    headings: headings.filter((heading) => heading !== ''),
    isExact: true,
    decimal,
    ...(dayOrder === 'ymd' ? {} : { day: dayOrder }),
    currency: 'SEK',
    date,
    text: of('text'),
    ...one('valueDate', 'valueDate'),
    ...one('amount', 'amount'),
    ...one('deposit', 'deposit'),
    ...one('withdrawal', 'withdrawal'),
    ...one('balance', 'balance'),
    ...one('reference', 'reference'),
    ...one('otherName', 'otherName'),
    isReversed,
  };
}

export type MappingFault =
  | 'needs_date'
  | 'needs_text'
  | 'needs_amount'
  | 'amount_twice'
  | 'role_twice'
  | 'heading_twice';

/** What is wrong with what somebody says of the columns; null when nothing is. */
export function mappingFault({ headings, roles }: BankFileMapping): MappingFault | null {
  const count = (role: ColumnRole): number => roles.filter((one) => one === role).length;
  if (count('date') === 0) return 'needs_date';
  if (count('text') === 0) return 'needs_text';
  if (columnRoles.some((role) => role !== 'text' && count(role) > 1)) return 'role_twice';
  const [amount, deposit, withdrawal] = [count('amount'), count('deposit'), count('withdrawal')];
  if (amount > 0 && deposit + withdrawal > 0) return 'amount_twice';
  if (amount === 0 && (deposit === 0 || withdrawal === 0)) return 'needs_amount';
  // A column is found by its heading: of two alike the first would be read for both.
  const read = headings.filter((heading, index) => roles[index] && heading !== '');
  const folded = headings.map(foldHeading);
  const isTwice = read.some(
    (heading) => folded.filter((other) => other === foldHeading(heading)).length > 1,
  );
  const isNameless = headings.some((heading, index) => roles[index] && foldHeading(heading) === '');
  return isTwice || isNameless ? 'heading_twice' : null;
}

/** The beginning of a list: its row of headings, and rows after it. */
export interface FileSample {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const sampleRowsMax = 10;
const columnsMin = 3;
const columnsMax = 40;
const dayOrders = ['ymd', 'dmy', 'compact'] as const;
const marks = [',', '.'] as const;

const isDay = (text: string): boolean => dayOrders.some((order) => readDay(text, order) !== null);
const isAmount = (text: string): boolean =>
  marks.some((mark) => readCsvAmount(text, mark) !== null);

/** A row of words, after which a row begins with as many cells, of which one is a day and one an amount; null when there is none. */
export function sampleOf(rows: readonly CsvRow[]): FileSample | null {
  const index = rows.findIndex(({ cells }, place) => {
    const words = cells.filter((cell) => cell !== '' && !isDay(cell) && !isAmount(cell));
    const next = rows[place + 1]?.cells ?? [];
    return (
      words.length >= columnsMin &&
      cells.length <= columnsMax &&
      next.length >= cells.length - 1 &&
      next.some(isDay) &&
      next.some((cell) => !isDay(cell) && isAmount(cell))
    );
  });
  const head = rows[index];
  if (head === undefined) return null;
  return {
    headings: head.cells,
    rows: rows.slice(index + 1, index + 1 + sampleRowsMax).map(({ cells }) => cells),
  };
}

/** Words that headings begin with or hold, by what such columns mostly are; the first that fits is taken. */
const likely: readonly (readonly [ColumnRole, RegExp])[] = [
  ['valueDate', /valut|value date/],
  ['date', /datum|dag|date|bokf/],
  ['balance', /saldo|balans|balance/],
  ['deposit', /insatt|inbetal|deposit|credit|kredit/],
  ['withdrawal', /uttag|utbetal|withdraw|debit|debet/],
  ['amount', /belopp|amount|summa|sum/],
  ['reference', /referens|reference|verifikation|ocr/],
  ['otherName', /namn|name|motpart|avsandare|payer/],
  ['text', /text|beskriv|rubrik|transaktion|mottagare|meddelande|descr|title|specifikation/],
];

/** What the columns look like, by their headings and by what stands in them. Somebody looks at it before it holds. */
export function guessMapping({ headings, rows }: FileSample): BankFileMapping {
  const valuesOf = (column: number): string[] =>
    rows.map((cells) => cells[column] ?? '').filter((cell) => cell !== '');
  const columns = headings.map((heading, index) => ({
    heading: foldHeading(heading),
    values: valuesOf(index),
  }));
  const dayOrder =
    dayOrders.find((order) =>
      columns.some(
        ({ values }) => values.length > 0 && values.every((text) => readDay(text, order) !== null),
      ),
    ) ?? 'ymd';
  const amounts = columns.filter(({ values }) => values.length > 0 && values.every(isAmount));
  const decimal = amounts.some(({ values }) => values.some((text) => /,\d{1,2}\D*$/.test(text)))
    ? ','
    : amounts.some(({ values }) => values.some((text) => /\.\d{1,2}\D*$/.test(text)))
      ? '.'
      : ',';
  const fits = (role: ColumnRole, values: readonly string[]): boolean => {
    if (role === 'date' || role === 'valueDate') {
      return values.length > 0 && values.every((text) => readDay(text, dayOrder) !== null);
    }
    if (!['amount', 'balance', 'deposit', 'withdrawal'].includes(role)) return true;
    return values.every((text) => readCsvAmount(text, decimal) !== null);
  };
  const roles: (ColumnRole | null)[] = headings.map(() => null);
  const place = (role: ColumnRole, index: number): void => {
    if (index >= 0 && roles[index] === null && !roles.includes(role)) roles[index] = role;
  };
  for (const [role, words] of likely) {
    place(
      role,
      columns.findIndex(
        ({ heading, values }, index) =>
          roles[index] === null && words.test(heading) && fits(role, values),
      ),
    );
  }
  const free = (test: (values: readonly string[]) => boolean): number =>
    columns.findIndex(({ values }, index) => roles[index] === null && test(values));
  place(
    'date',
    free((values) => fits('date', values)),
  );
  if (roles.includes('amount')) {
    for (const [index, role] of roles.entries()) {
      if (role === 'deposit' || role === 'withdrawal') roles[index] = null;
    }
  } else if (!roles.includes('deposit') || !roles.includes('withdrawal')) {
    place(
      'amount',
      free((values) => values.length > 0 && values.every(isAmount)),
    );
  }
  place(
    'text',
    free((values) => values.some((text) => /\p{L}/u.test(text))),
  );
  const mapping = { headings, roles, decimal, dayOrder, isReversed: false } as const;
  return { ...mapping, isReversed: isReversed(mapping, rows) };
}

/** Whether every balance differs from its neighbour by the amount with the other sign. */
function isReversed({ roles, decimal }: BankFileMapping, rows: FileSample['rows']): boolean {
  const [amountAt, balanceAt] = [roles.indexOf('amount'), roles.indexOf('balance')];
  if (amountAt < 0 || balanceAt < 0) return false;
  const read = (column: number): (Ore | null)[] =>
    rows.map((cells) => readCsvAmount(cells[column] ?? '', decimal));
  const [amounts, balances] = [read(amountAt), read(balanceAt)];
  const steps = balances.slice(1).map((balance, index) => {
    const before = balances[index];
    return balance === null || before === null || before === undefined ? null : balance - before;
  });
  const walks = (sign: bigint): boolean =>
    // Oldest first the later row says the step; newest first the earlier does, backwards.
    steps.every((step, index) => step !== null && step === sign * (amounts[index + 1] ?? 0n)) ||
    steps.every((step, index) => step !== null && -step === sign * (amounts[index] ?? 0n));
  return steps.length > 0 && !walks(1n) && walks(-1n);
}
