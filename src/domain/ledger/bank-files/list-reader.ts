/**
 * Rows of a bank's list read as they come, in one of the forms that are known. The balances of the rows are walked: a
 * break in them is a row that is missing, or an amount read wrongly.
 */
import type { Ore } from '../../basics/money.ts';
import { type DecimalMark, decimalMarkOf, readCsvAmount, readDay } from './amounts.ts';
import { BalanceWalk } from './balance-walk.ts';
import { type CsvPreset, columnsOf, foldHeading, presetOf } from './csv-presets.ts';
import { type CsvRow, type CsvSeparator, rowCharactersMax } from './csv-rows.ts';
import { type BankFileProblems, shownText } from './problems.ts';
import {
  type BankEntry,
  type BankEntryDetail,
  type BankFileEvent,
  bankEntriesMax,
  bankStatementsMax,
  bankTextMax,
  nobody,
} from './statement.ts';
import { StatementTally } from './tally.ts';

/** The heading stands within so many rows, or there is none. */
export const headRowsMax = 30;

/** One account in one currency: what its rows say. */
interface Group {
  readonly account: string | null;
  readonly currency: string | null;
  readonly line: number;
  readonly tally: StatementTally;
  readonly walk: BalanceWalk;
  firstDay: string | null;
  lastDay: string | null;
  isDamaged: boolean;
}

/** Where the rows of a list begin, and which of its cells say what. */
export interface ListHead {
  readonly preset: CsvPreset;
  /** How many rows come before the entries. */
  readonly rows: number;
  readonly columns: ReadonlyMap<string, number>;
  readonly account: string | null;
}

export class ListReader {
  readonly #problems: BankFileProblems;
  readonly #head: ListHead;
  #skip: number;
  #isStopped = false;
  #mark: DecimalMark | null;
  readonly #groups = new Map<string, Group>();
  #entries = 0;
  #pending = 0;
  #opening: Ore | null = null;
  #closing: Ore | null = null;
  #isSummaryTold = false;
  #events: BankFileEvent[] = [];

  constructor(problems: BankFileProblems, head: ListHead) {
    this.#problems = problems;
    this.#head = head;
    this.#mark = head.preset.decimal === 'file' ? null : head.preset.decimal;
    this.#skip = head.rows;
  }

  /** All rows, those before the entries too. */
  read(rows: readonly CsvRow[]): BankFileEvent[] {
    this.#readRows(rows);
    return this.#taken();
  }

  end(): BankFileEvent[] {
    if (!this.#isStopped) this.#closeGroups();
    return this.#taken();
  }

  #taken(): BankFileEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #readRows(rows: readonly CsvRow[]): void {
    for (const row of rows) {
      if (this.#isStopped) return;
      if (this.#skip > 0) this.#skip -= 1;
      else if (row.isTooLong) {
        this.#isStopped = true;
        this.#problems.add('row_too_long', { line: row.line }, { max: rowCharactersMax });
      } else if (row.cells.some((cell) => cell !== '')) this.#readRow(row, this.#head);
    }
  }

  #readRow(row: CsvRow, head: ListHead): void {
    const { preset } = head;
    const cells = new Cells(row, head.columns);
    const [dateColumn = ''] = columnsOf(preset.date).filter((name) => cells.has(name));
    const dayText = cells.first(preset.date);
    if (cells.count < head.columns.size - 1) {
      const found = shownText(row.cells.join(' '));
      this.#problems.add('cells_missing', { line: row.line }, { found });
      this.#damageAll();
      return;
    }
    if (dayText === '' && preset.ends) this.#readEnd(row, cells, preset);
    else if (dayText === '' && preset.hasSummary) this.#tellSummary(row);
    else if (isPending(cells, preset)) this.#pending += 1;
    else {
      const group = this.#groupOf(row, cells, head);
      const day = readDay(dayText, preset.day);
      const amount = this.#amountOf(cells, preset);
      if (day === null) {
        const at = { line: row.line, path: dateColumn };
        this.#problems.add('date_unreadable', at, { found: shownText(dayText) });
      }
      if (!group || day === null || amount === null) {
        if (group) group.isDamaged = true;
        return;
      }
      this.#keep(group, entryOf(cells, preset, { line: row.line, day, amount, group }));
    }
  }

  #keep(group: Group, entry: Omit<BankEntry, 'balanceAfter'> & { balanceText: string }): void {
    const { balanceText, ...rest } = entry;
    const balanceAfter = balanceText === '' ? null : this.#read(balanceText, rest.line, 'Saldo');
    if (balanceText !== '' && balanceAfter === null) group.isDamaged = true;
    this.#entries += 1;
    if (this.#entries > bankEntriesMax) {
      this.#isStopped = true;
      this.#problems.add('too_many_entries', { line: rest.line }, { max: bankEntriesMax });
      return;
    }
    const whole = { ...rest, balanceAfter };
    group.tally.add(whole);
    group.walk.add(rest.line, rest.amount, balanceAfter);
    group.firstDay ??= rest.bookingDate;
    group.lastDay = rest.bookingDate;
    this.#events.push({ kind: 'entry', entry: whole, account: group.account });
  }

  #groupOf(row: CsvRow, cells: Cells, { preset, account }: ListHead): Group | null {
    const given = (preset.account ?? []).map((name) => cells.of(name)).filter((part) => part);
    const iban = preset.iban === undefined ? '' : cells.of(preset.iban).replaceAll(' ', '');
    const own = iban || (given.length > 0 ? given.join(' ') : account);
    const currency =
      typeof preset.currency === 'string'
        ? preset.currency
        : cells.of(preset.currency.column).toUpperCase() || (preset.currency.otherwise ?? null);
    const key = JSON.stringify([own, currency]);
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size >= bankStatementsMax) {
      this.#isStopped = true;
      const max = bankStatementsMax;
      this.#problems.add('too_many_statements', { line: row.line }, { max });
      return null;
    }
    const group: Group = {
      account: own,
      currency,
      line: row.line,
      tally: new StatementTally(),
      walk: new BalanceWalk(),
      firstDay: null,
      lastDay: null,
      isDamaged: false,
    };
    this.#groups.set(key, group);
    return group;
  }

  #amountOf(cells: Cells, preset: CsvPreset): Ore | null {
    const { line } = cells;
    if (preset.deposit !== undefined && preset.withdrawal !== undefined) {
      const deposit = cells.of(preset.deposit);
      const withdrawal = cells.of(preset.withdrawal);
      const added = deposit === '' ? 0n : this.#read(deposit, line, preset.deposit);
      const drawn = withdrawal === '' ? 0n : this.#read(withdrawal, line, preset.withdrawal);
      if (deposit === '' && withdrawal === '') {
        this.#problems.add('amount_missing', { line, path: preset.deposit }, {});
        return null;
      }
      return added === null || drawn === null ? null : added - (drawn < 0n ? -drawn : drawn);
    }
    const column = columnsOf(preset.amount).find((name) => cells.has(name)) ?? '';
    const text = cells.of(column);
    if (text === '') {
      this.#problems.add('amount_missing', { line, path: column }, {});
      return null;
    }
    const amount = this.#read(text, line, column);
    const feeText = preset.fee === undefined || column !== 'Amount' ? '' : cells.of(preset.fee);
    const fee = feeText === '' ? 0n : this.#read(feeText, line, preset.fee ?? null);
    if (amount === null || fee === null) return null;
    return (preset.isReversed ? -amount : amount) - (fee < 0n ? -fee : fee);
  }

  #read(text: string, line: number, path: string | null): Ore | null {
    const mark = decimalMarkOf(text);
    const isOfFile = this.#head.preset.decimal === 'file';
    if (isOfFile) this.#mark ??= mark;
    if (isOfFile && mark !== null && mark !== this.#mark) {
      this.#problems.add('decimal_marks_mixed', { line, path }, { found: shownText(text) });
      return null;
    }
    const amount = readCsvAmount(text, this.#mark ?? '.');
    if (amount === null) {
      this.#problems.add('amount_unreadable', { line, path }, { found: shownText(text) });
    }
    return amount;
  }

  #readEnd(row: CsvRow, cells: Cells, { ends, text, balance }: CsvPreset): void {
    const name = foldHeading(cells.first(text));
    const [opening = '', closing = ''] = ends ?? [];
    const isOpening = name.startsWith(opening);
    if (!isOpening && !name.startsWith(closing)) return;
    const amount = this.#read(cells.first(balance), row.line, 'Saldo');
    if (isOpening) this.#opening = amount;
    else this.#closing = amount;
  }

  #tellSummary({ line }: CsvRow): void {
    if (this.#isSummaryTold) return;
    this.#isSummaryTold = true;
    this.#problems.add('summary_row', { line }, {});
  }

  #damageAll(): void {
    for (const group of this.#groups.values()) group.isDamaged = true;
  }

  #closeGroups(): void {
    const { account } = this.#head;
    if (this.#pending > 0) {
      this.#problems.add('pending_rows', { line: null }, { count: this.#pending });
    }
    if (this.#groups.size === 0 && this.#opening === null) {
      const isNothing = this.#problems.level === null || this.#problems.level === 'note';
      if (isNothing) this.#problems.add('no_statements', { line: null }, {});
      return;
    }
    const groups = this.#groups.size > 0 ? [...this.#groups.values()] : [emptyGroup(account)];
    for (const [index, group] of groups.entries()) this.#closeGroup(group, index + 1);
  }

  #closeGroup(group: Group, place: number): void {
    const { account, currency, line, tally, walk, isDamaged } = group;
    const isNewestFirst = walk.isNewestFirst(group.firstDay, group.lastDay);
    const broken = walk.breakOf(isNewestFirst);
    const isBroken = broken !== null && !isDamaged;
    if (isBroken) {
      const { found, expected } = broken;
      this.#problems.add(
        'balance_broken',
        { line: broken.line, path: 'Saldo' },
        { found, expected },
      );
    }
    if (isDamaged || isBroken) tally.lose();
    const ends = walk.ends(isNewestFirst, tally.net);
    const opening = this.#opening ?? ends?.opening ?? null;
    const closing = this.#closing ?? ends?.closing ?? null;
    const statement = tally.close(
      {
        line,
        place,
        path: null,
        id: null,
        account,
        currency,
        isNotice: false,
        sequence: null,
        isNewestFirst,
        from: null,
        to: null,
        opening,
        closing,
      },
      this.#problems,
    );
    this.#events.push({ kind: 'statement', statement });
  }
}

/** The cells of a row by their headings. */
class Cells {
  readonly line: number;
  readonly count: number;
  readonly #cells: readonly string[];
  readonly #columns: ReadonlyMap<string, number>;

  constructor({ line, cells }: CsvRow, columns: ReadonlyMap<string, number>) {
    this.line = line;
    this.count = cells.length;
    this.#cells = cells;
    this.#columns = columns;
  }

  has(heading: string): boolean {
    return this.#columns.has(foldHeading(heading));
  }

  of(heading: string): string {
    const place = this.#columns.get(foldHeading(heading));
    return place === undefined ? '' : (this.#cells[place] ?? '').slice(0, bankTextMax);
  }

  /** The first that is not empty. */
  first(column: string | readonly string[] | undefined): string {
    for (const heading of columnsOf(column)) {
      const text = this.of(heading);
      if (text !== '') return text;
    }
    return '';
  }
}

function isPending(cells: Cells, { booked, pending, date, text }: CsvPreset): boolean {
  if (booked && cells.has(booked.column)) {
    return foldHeading(cells.of(booked.column)) !== foldHeading(booked.word);
  }
  if (pending === undefined) return false;
  return [cells.first(date), ...text.map((name) => cells.of(name))].some((found) =>
    foldHeading(found).startsWith(pending),
  );
}

function entryOf(
  cells: Cells,
  preset: CsvPreset,
  { line, day, amount, group }: { line: number; day: string; amount: Ore; group: Group },
): Omit<BankEntry, 'balanceAfter'> & { balanceText: string } {
  const texts = preset.text.map((name) => cells.of(name)).filter((part) => part !== '');
  const detail = detailOf(cells, preset, amount);
  return {
    line,
    amount,
    currency: group.currency,
    isBooked: true,
    isReversal: false,
    bookingDate: day,
    valueDate: readDay(cells.first(preset.valueDate), preset.day),
    reference: cells.first(preset.reference) || null,
    servicerReference: (preset.id && cells.of(preset.id)) || null,
    code: null,
    text: texts.join(' · ') || null,
    detailCount: detail ? 1 : 0,
    details: detail ? [detail] : [],
    balanceText: cells.first(preset.balance),
  };
}

/** Who the money came from or went to, where the row says it. */
function detailOf(cells: Cells, preset: CsvPreset, amount: Ore): BankEntryDetail | null {
  const other = {
    name: cells.first(preset.otherName) || null,
    account: cells.first(preset.otherAccount) || null,
    accountKind: null,
  };
  const message = cells.first(preset.message);
  const [sender, recipient] = [preset.sender, preset.recipient].map(
    (name) => (name !== undefined && cells.of(name)) || null,
  );
  const isKnown = [other.name, other.account, message, sender, recipient].some((part) => part);
  if (!isKnown) return null;
  const [debtor, creditor] = amount > 0n ? [other, nobody] : [nobody, other];
  return {
    amount,
    currency: null,
    endToEndId: null,
    paymentBatchId: null,
    transactionId: null,
    servicerReference: null,
    references: [],
    documents: [],
    texts: message === '' ? [] : [message],
    debtor: { ...debtor, account: debtor.account ?? sender ?? null },
    creditor: { ...creditor, account: creditor.account ?? recipient ?? null },
    returnReason: null,
  };
}

const emptyGroup = (account: string | null): Group => ({
  account,
  currency: 'SEK',
  line: 1,
  tally: new StatementTally(),
  walk: new BalanceWalk(),
  firstDay: null,
  lastDay: null,
  isDamaged: false,
});

/** The row of headings among the first, when one of the forms has it; a sheet has no separator. */
export function headOf(
  rows: readonly CsvRow[],
  separator: CsvSeparator | null,
  own: readonly CsvPreset[],
): ListHead | null {
  for (const [index, { cells }] of rows.entries()) {
    const preset = presetOf(cells, separator, own);
    if (preset === null) continue;
    const columns = new Map<string, number>();
    cells.forEach((cell, place) => {
      const heading = foldHeading(cell);
      if (heading !== '' && !columns.has(heading)) columns.set(heading, place);
    });
    const account = accountBefore(rows.slice(0, index));
    return { preset, rows: index + 1, columns, account };
  }
  return null;
}

const accountNumber = /^[A-Z]{0,2}\d[\d -]{4,40}$/;

/** An account that the lines before the headings tell of: beside its name, beneath it, or alone. */
function accountBefore(rows: readonly CsvRow[]): string | null {
  for (const [index, { cells }] of rows.entries()) {
    for (const [place, cell] of cells.entries()) {
      const [name = '', within = ''] = cell.split(':', 2).map((part) => part.trim());
      if (foldHeading(name) !== 'kontonummer') continue;
      const found = [within, cells[place + 1], rows[index + 1]?.cells[place]].find(
        (text) => text !== undefined && accountNumber.test(text),
      );
      if (found !== undefined) return found;
    }
  }
  const alone = rows.map(({ cells }) => cells.filter((cell) => cell !== ''));
  return (
    alone.find((cells) => cells.length === 1 && accountNumber.test(cells[0] ?? ''))?.[0] ?? null
  );
}
