/**
 * What customers owed and what was owed to suppliers when the books began here, invoice by invoice. The sale
 * or the cost was booked before; only what remains is taken over, and the opening balance of 1510 or
 * 2440 holds the sum.
 */
import type { Fault, Reasoned } from '../../lib/errors.ts';
import { isDate } from '../basics/dates.ts';
import { normalizeOrganizationNumber } from '../basics/identifiers.ts';
import { isLuhnValid } from '../basics/luhn.ts';
import { type Ore, readKronor, sum } from '../basics/money.ts';
import { type VatRate, vatFromGross } from '../ledger/vat.ts';

/** Which side of the books: 1510 of customers, 2440 of suppliers. */
export type OpeningSide = 'customers' | 'suppliers';

/** One line as it was given, every value as text. */
export interface OpeningLine {
  readonly number: string;
  readonly name: string;
  readonly organizationNumber: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly total: string;
  /** What remains of it; empty when nothing has been paid. */
  readonly open: string;
  readonly ocr: string;
  /** Of customers: where the sale was booked, which tells its VAT when it is credited. */
  readonly account: string;
}

export interface OpeningItem {
  readonly number: string;
  readonly name: string;
  /** Ten digits. */
  readonly organizationNumber: string | null;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly totalOre: Ore;
  readonly openOre: Ore;
  readonly ocr: string | null;
  readonly account: number | null;
}

/** A customer invoice's number lies in the same series as those of the invoices to come. */
const numberMax = 999_999_999;
const nameMax = 200;

/** `path` is `lines[2].number`. `first` is the first day of the books: what is newer is booked, not taken over. */
export function readOpeningItems(
  lines: readonly OpeningLine[],
  side: OpeningSide,
  first: string,
): { readonly items: readonly OpeningItem[]; readonly problems: readonly Fault[] } {
  const problems: Fault[] = [];
  const items = lines.map((line, index) => {
    const lineNo = index + 1;
    const problem = (field: keyof OpeningLine, why: Reasoned) =>
      problems.push({ path: `lines[${index}].${field}`, ...why });
    return readLine(line, { lineNo, side, first, problem });
  });
  const keys = items.map(({ number, name }) =>
    side === 'customers' ? number : `${name} ${number}`,
  );
  keys.forEach((key, index) => {
    if (keys.indexOf(key) === index) return;
    const params = { lineNo: index + 1, number: items[index]?.number ?? '' };
    problems.push({ path: `lines[${index}].number`, reason: 'opening_twice', params });
  });
  if (lines.length === 0) {
    problems.push({ path: 'lines', reason: 'no_opening_items' });
  }
  return { items, problems };
}

interface LineGround {
  readonly lineNo: number;
  readonly side: OpeningSide;
  readonly first: string;
  readonly problem: (field: keyof OpeningLine, why: Reasoned) => void;
}

/** A column whose form is the same on both sides. */
function wrongFormat(
  field: 'name' | 'organizationNumber' | 'ocr' | 'invoiceDate' | 'dueDate' | 'account',
  { lineNo, problem }: LineGround,
): void {
  problem(field, { reason: 'opening_wrong_format', params: { lineNo, field } });
}

function readLine(line: OpeningLine, ground: LineGround): OpeningItem {
  const { side } = ground;
  const name = line.name.trim();
  if (name === '' || [...name].length > nameMax || /\p{Cc}/u.test(name)) {
    wrongFormat('name', ground);
  }
  const organizationNumber = line.organizationNumber.trim();
  const normalized = normalizeOrganizationNumber(organizationNumber);
  if (organizationNumber !== '' && normalized === null) {
    wrongFormat('organizationNumber', ground);
  }
  const ocr = line.ocr.replace(/\s/g, '');
  if (side === 'customers' && ocr !== '' && !(/^\d{2,25}$/.test(ocr) && isLuhnValid(ocr))) {
    wrongFormat('ocr', ground);
  }
  return {
    number: readNumber(line.number.trim(), ground),
    name,
    organizationNumber: normalized,
    ...readDates(line, ground),
    ...readAmounts(line, ground),
    ocr: ocr || null,
    account: readAccount(line.account.trim(), ground),
  };
}

function readNumber(number: string, ground: LineGround): string {
  const { lineNo, side, problem } = ground;
  const params = { lineNo, field: 'number', side } as const;
  if (side === 'suppliers') {
    if (number === '' || [...number].length > 100 || /\p{Cc}/u.test(number)) {
      problem('number', { reason: 'opening_wrong_format', params });
    }
    return number;
  }
  const isNumber = /^\d{1,9}$/.test(number) && Number(number) >= 1 && Number(number) <= numberMax;
  if (!isNumber) problem('number', { reason: 'opening_wrong_format', params });
  return String(Number(number));
}

function readDates({ invoiceDate, dueDate }: OpeningLine, ground: LineGround) {
  const { lineNo, first, problem } = ground;
  const dates = { invoiceDate: invoiceDate.trim(), dueDate: dueDate.trim() };
  for (const field of ['invoiceDate', 'dueDate'] as const) {
    if (!isDate(dates[field])) wrongFormat(field, ground);
  }
  if (isDate(dates.invoiceDate) && dates.invoiceDate >= first) {
    const params = { lineNo, from: dates.invoiceDate, first };
    problem('invoiceDate', { reason: 'opening_not_before_books', params });
  }
  if (isDate(dates.dueDate) && dates.dueDate < dates.invoiceDate) {
    problem('dueDate', { reason: 'opening_due_before_invoice', params: { lineNo } });
  }
  return dates;
}

/** Below zero only for what a supplier owes us: a credit note that was not set off. */
function readAmounts(line: OpeningLine, { lineNo, side, problem }: LineGround) {
  const read = (field: 'total' | 'open', text: string): Ore => {
    const ore = readKronor(text);
    if (ore === undefined) {
      problem(field, { reason: 'opening_wrong_format', params: { lineNo, field, text } });
    }
    return ore ?? 0n;
  };
  const before = line.total.trim();
  const totalOre = read('total', before);
  const openOre = line.open.trim() === '' ? totalOre : read('open', line.open.trim());
  const isSameSide =
    totalOre > 0n ? openOre > 0n && openOre <= totalOre : openOre < 0n && openOre >= totalOre;
  if (totalOre !== 0n && !isSameSide) {
    problem('open', { reason: 'opening_exceeds_total', params: { lineNo } });
  }
  if (side === 'customers' && totalOre <= 0n) {
    problem('total', { reason: 'opening_not_positive', params: { lineNo } });
  } else if (totalOre === 0n) problem('total', { reason: 'opening_no_amount', params: { lineNo } });
  return { totalOre, openOre };
}

function readAccount(account: string, ground: LineGround): number | null {
  if (ground.side === 'suppliers' || account === '') return null;
  if (/^3\d{3}$/.test(account)) return Number(account);
  wrongFormat('account', ground);
  return null;
}

/** What remains of an invoice as one row, so that it can be credited with its VAT. `rate` is the account's. */
export function remainderRow(openOre: Ore, rate: VatRate): { netOre: Ore; vatOre: Ore } {
  const vatOre = rate === 0 ? 0n : vatFromGross(openOre, rate);
  return { netOre: openOre - vatOre, vatOre };
}

/**
 * How the items agree with the opening balance of their account (öre, as a claim or a debt: above zero). Less
 * is something left to enter; more is a fault.
 */
export function openingDifference(
  balanceOre: Ore,
  items: readonly { readonly openOre: Ore }[],
): Ore {
  return balanceOre - sum(items.map(({ openOre }) => openOre));
}

/** The problem when the items come to more than the balance; undefined otherwise. */
export function excessProblem(
  side: OpeningSide,
  balanceOre: Ore,
  differenceOre: Ore,
): Fault | undefined {
  if (differenceOre >= 0n) return undefined;
  const account = side === 'customers' ? 1510 : 2440;
  const params = { account, balanceOre, excessOre: -differenceOre };
  return { path: 'lines', reason: 'opening_exceeds_balance', params };
}
