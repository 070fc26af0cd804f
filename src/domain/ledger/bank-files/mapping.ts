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
  ['balance', /saldo|balans|balance|kvar\b|efterat/],
  ['deposit', /insatt|inbetal|deposit|credit|kredit|(^| )in( |$)/],
  ['withdrawal', /uttag|utbetal|withdraw|debit|debet|(^| )ut( |$)/],
  ['amount', /belopp|amount|summa|sum/],
  ['reference', /referens|reference|verifikation|ocr/],
  ['otherName', /namn|name|motpart|avsandare|payer/],
  ['text', /text|beskriv|rubrik|transaktion|mottagare|meddelande|descr|title|specifikation/],
];

/** What the columns look like, by their headings and by what stands in them. Somebody looks at it before it holds. */
export function guessMapping({ headings, rows }: FileSample): BankFileMapping {
  const columns = headings.map((heading, index) => ({
    heading: foldHeading(heading),
    values: rows.map((cells) => cells[index] ?? '').filter((cell) => cell !== ''),
  }));
  const values = columns.map((column) => column.values);
  const dayOrder =
    dayOrders.find((order) => values.some((texts) => areAll(texts, isDayOf(order)))) ?? 'ymd';
  const decimal = decimalOf(values.filter((texts) => areAll(texts, isAmount)).flat());
  const roles: (ColumnRole | null)[] = headings.map(() => null);
  const free = (test: (index: number) => boolean): number =>
    roles.findIndex((role, index) => role === null && test(index));
  const place = (role: ColumnRole, index: number): void => {
    if (index >= 0 && !roles.includes(role)) roles[index] = role;
  };
  const holds = (role: ColumnRole, texts: readonly string[]): boolean => {
    if (role === 'date' || role === 'valueDate') return areAll(texts, isDayOf(dayOrder));
    return !ofAmounts.has(role) || texts.every((text) => readCsvAmount(text, decimal) !== null);
  };
  for (const [role, words] of likely) {
    place(
      role,
      free(
        (index) => words.test(columns[index]?.heading ?? '') && holds(role, values[index] ?? []),
      ),
    );
  }
  place(
    'date',
    free((index) => holds('date', values[index] ?? [])),
  );
  const amounts = rows.map((cells) => cells.map((cell) => readCsvAmount(cell, decimal)));
  placeAmounts(roles, {
    isAmount: (index) => areAll(values[index] ?? [], isAmount),
    signOf: (amount, balance) =>
      walkOf(
        amounts.map((row) => row[amount] ?? null),
        amounts.map((row) => row[balance] ?? null),
      ),
    free,
    place,
  });
  place(
    'text',
    free((index) => values[index]?.some((text) => /\p{L}/u.test(text)) ?? false),
  );
  const sign = walkOf(
    amounts.map((row) => row[roles.indexOf('amount')] ?? null),
    amounts.map((row) => row[roles.indexOf('balance')] ?? null),
  );
  return { headings, roles, decimal, dayOrder, isReversed: sign === -1n };
}

const areAll = (texts: readonly string[], test: (text: string) => boolean): boolean =>
  texts.length > 0 && texts.every(test);
const isDayOf =
  (order: DayOrder) =>
  (text: string): boolean =>
    readDay(text, order) !== null;
const ofAmounts: ReadonlySet<ColumnRole> = new Set(['amount', 'balance', 'deposit', 'withdrawal']);

/** The mark that stands before one or two last digits; the Swedish one where none does. */
const decimalOf = (texts: readonly string[]): DecimalMark =>
  !texts.some((text) => /,\d{1,2}\D*$/.test(text)) &&
  texts.some((text) => /\.\d{1,2}\D*$/.test(text))
    ? '.'
    : ',';

/** Amounts and balances that no heading has told of: two columns of which one is the balance of the other tell themselves. */
function placeAmounts(
  roles: (ColumnRole | null)[],
  given: {
    readonly isAmount: (index: number) => boolean;
    readonly signOf: (amount: number, balance: number) => bigint | null;
    readonly free: (test: (index: number) => boolean) => number;
    readonly place: (role: ColumnRole, index: number) => void;
  },
): void {
  const { isAmount: isAmounts, signOf, free, place } = given;
  if (roles.includes('amount')) {
    for (const [index, role] of roles.entries()) {
      if (role === 'deposit' || role === 'withdrawal') roles[index] = null;
    }
  } else if (!roles.includes('deposit') || !roles.includes('withdrawal')) {
    const hasBalance = (one: number): boolean =>
      roles.some((role, other) => {
        const isOpen = role === 'balance' || (role === null && isAmounts(other));
        return other !== one && isOpen && signOf(one, other) !== null;
      });
    place(
      'amount',
      free((index) => isAmounts(index) && hasBalance(index)),
    );
    place('amount', free(isAmounts));
  }
  const amount = roles.indexOf('amount');
  place(
    'balance',
    free((index) => isAmounts(index) && signOf(amount, index) !== null),
  );
}

/** By which sign of the amounts every balance differs from its neighbour; null when it is no balance of them. */
function walkOf(
  amounts: readonly (Ore | null)[],
  balances: readonly (Ore | null)[],
): bigint | null {
  const steps = balances.slice(1).map((balance, index) => {
    const before = balances[index] ?? null;
    return balance === null || before === null ? null : balance - before;
  });
  const walks = (sign: bigint): boolean =>
    // Oldest first the later row says the step; newest first the earlier does, backwards.
    steps.every((step, index) => step !== null && step === sign * (amounts[index + 1] ?? 0n)) ||
    steps.every((step, index) => step !== null && -step === sign * (amounts[index] ?? 0n));
  if (steps.length === 0 || amounts.includes(null)) return null;
  return walks(1n) ? 1n : walks(-1n) ? -1n : null;
}
