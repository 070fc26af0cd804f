/** Sales within the EU buyer by buyer, as Skatteverket takes them in a file: periodisk sammanställning, SKV574008. */
import type { Fault } from '../../lib/errors.ts';
import { addMonths, lastDayOfMonth } from '../basics/dates.ts';
import { nextWorkingDay } from '../basics/holidays.ts';
import { absolute, type Ore, sum } from '../basics/money.ts';
import type { DateSpan } from './vat-deadlines.ts';
import { inWholeKronor, type VatReturn } from './vat-return.ts';

/** In the order of the file, with the box of the VAT return that each must come to. */
export const statementColumns = [
  { column: 'goods', box: '35' },
  { column: 'triangulation', box: '38' },
  { column: 'services', box: '39' },
] as const;
export type StatementColumn = (typeof statementColumns)[number]['column'];

export interface StatementAmount {
  /** With country; null where nothing tells who bought. */
  readonly vatNumber: string | null;
  readonly column: StatementColumn;
  readonly ore: Ore;
}

export interface StatementLine {
  readonly vatNumber: string;
  /** Whole kronor; null where nothing was sold so, 0 where credits took all of it. */
  readonly kronor: Readonly<Record<StatementColumn, bigint | null>>;
}

export interface StatementComparison {
  readonly column: StatementColumn;
  readonly box: string;
  /** What the lines come to. */
  readonly kronor: bigint;
  /** What the VAT return has in the box for the same days. */
  readonly inReturn: bigint;
  /** They differ by no more than the öre that each line drops. */
  readonly agrees: boolean;
}

export interface Statement {
  readonly lines: readonly StatementLine[];
  readonly comparison: readonly StatementComparison[];
  /** Sold to somebody whose VAT number is not known: in no line. */
  readonly unknownOre: Ore;
}

export function statementOf(
  amounts: readonly StatementAmount[],
  { boxes }: Pick<VatReturn, 'boxes'>,
): Statement {
  const numbers = [...new Set(amounts.flatMap(({ vatNumber }) => vatNumber ?? []))].sort();
  const kronorOf = (vatNumber: string, column: StatementColumn): bigint | null => {
    const sold = amounts.filter((one) => one.vatNumber === vatNumber && one.column === column);
    return sold.length === 0 ? null : inWholeKronor(sum(sold.map(({ ore }) => ore)));
  };
  const lines = numbers.map((vatNumber) => ({
    vatNumber,
    kronor: {
      goods: kronorOf(vatNumber, 'goods'),
      triangulation: kronorOf(vatNumber, 'triangulation'),
      services: kronorOf(vatNumber, 'services'),
    },
  }));
  const comparison = statementColumns.map(({ column, box }) => {
    const written = lines.flatMap(({ kronor }) => kronor[column] ?? []);
    const [kronor, inReturn] = [sum(written), boxes.find((one) => one.box === box)?.kronor ?? 0n];
    const agrees = absolute(kronor - inReturn) <= BigInt(written.length);
    return { column, box, kronor, inReturn, agrees };
  });
  const unknown = amounts.filter(({ vatNumber }) => vatNumber === null);
  return { lines, comparison, unknownOre: sum(unknown.map(({ ore }) => ore)) };
}

/** A month (`2026-05`) or a quarter (`2026-Q2`) of the calendar. */
export interface StatementPeriod extends DateSpan {
  readonly name: string;
  /** As the file has it: `2605`, `26-2`. */
  readonly code: string;
  /** The 25th of the month after (SFL 35 kap.), moved to a working day. */
  readonly dueOn: string;
}

/** Undefined for what is neither. */
export function statementPeriod(name: string): StatementPeriod | undefined {
  const [, year, month, quarter] = /^(\d{4})-(?:(0[1-9]|1[0-2])|Q([1-4]))$/.exec(name) ?? [];
  if (!year) return undefined;
  const first = month ?? String(Number(quarter) * 3 - 2).padStart(2, '0');
  const start = `${year}-${first}-01`;
  const end = lastDayOfMonth(month ? start : addMonths(start, 2));
  const dueOn = nextWorkingDay(`${addMonths(`${end.slice(0, 7)}-01`, 1).slice(0, 7)}-25`);
  const code = month ? `${year.slice(2)}${month}` : `${year.slice(2)}-${quarter}`;
  return { name, start, end, code, dueOn };
}

/** Whom Skatteverket asks about it. */
export interface StatementContact {
  readonly name: string;
  readonly phone: string;
  /** May be empty. */
  readonly email: string;
}

const nameMax = 35;
const phoneMax = 17;
const valueDigitsMax = 12;

/** A telephone number as the file has it: one hyphen after the area code, or a leading plus; as it was where it is neither. */
export function statementPhone(typed: string): string {
  const bare = typed.replace(/[\s()]/g, '');
  const [area = '', ...rest] = bare.split('-');
  return rest.length === 0 || bare.startsWith('+')
    ? bare.replaceAll('-', '')
    : `${area}-${rest.join('')}`;
}

/** What of the contact the file cannot hold. */
export function contactFaults({ name, phone, email }: StatementContact): Fault[] {
  const isOfFile = (text: string): boolean => /^[\x20-\x3a\x3c-\x7e\xa0-\xff]*$/.test(text);
  const faults: Fault[] = [];
  if (name.trim() === '' || [...name].length > nameMax || !isOfFile(name)) {
    faults.push({ path: 'name', reason: 'statement_name', params: { max: nameMax } });
  }
  if (phone.length > phoneMax || !/^(\d{2,5}-\d{4,10}|\+\d{6,16})$/.test(phone)) {
    faults.push({ path: 'phone', reason: 'statement_phone', params: {} });
  }
  if (!isOfFile(email) || email.length > 80) {
    faults.push({ path: 'email', reason: 'statement_email', params: {} });
  }
  return faults;
}

export interface StatementFile {
  /** `SE556702693401`. */
  readonly vatNumber: string;
  readonly period: StatementPeriod;
  readonly contact: StatementContact;
  readonly lines: readonly StatementLine[];
}

/** In ISO 8859-1. */
export function statementText({ vatNumber, period, contact, lines }: StatementFile): string {
  const { name, phone, email } = contact;
  const rows = lines.map(({ vatNumber: buyer, kronor }) =>
    [buyer, ...statementColumns.map(({ column }) => valueText(kronor[column]))].join(';'),
  );
  const head = [vatNumber.replace(/^SE/, ''), period.code, name.trim(), phone, email].join(';');
  return ['SKV574008;', head, ...rows, ''].join('\r\n');
}

function valueText(kronor: bigint | null): string {
  const text = kronor === null ? '' : String(kronor);
  if (text.length > valueDigitsMax) throw new RangeError(`${text} is too long for SKV574008`);
  return text;
}
