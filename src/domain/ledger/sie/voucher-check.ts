/** The vouchers of a file, judged one by one as they come. */
import { monthOf } from '../../basics/dates.ts';
import { maxAmountOre, type Ore } from '../../basics/money.ts';
import type { AccountBalances } from './account-balances.ts';
import type { FileYears } from './file-years.ts';
import type { SieRow, SieVoucher } from './posts.ts';
import type { SieProblems } from './problems.ts';
import { nameOf } from './reading.ts';
import { shortened } from './syntax.ts';
import { NumbersKept, VoucherNumbers } from './voucher-numbers.ts';

/** Longer texts the books have no room for: of a voucher and a row, and of an object's code. */
const textMax = 500;
const objectCodeMax = 20;
const objectsMax = 200_000;
const seriesMax = 10_000;
/** Dimensions that the books have: cost centre and project (SIE 4B 8.17). */
const keptDimensions = new Set(['1', '6']);
const dimensionsMax = 1000;

interface FirstOf {
  readonly line: number;
  count: number;
}

/** Counts by key, each with where it was first. */
export class Firsts {
  readonly #counts = new Map<string, FirstOf>();

  add(key: string, line: number): void {
    const found = this.#counts.get(key);
    if (found) found.count += 1;
    else if (this.#counts.size < dimensionsMax) this.#counts.set(key, { line, count: 1 });
  }

  [Symbol.iterator](): MapIterator<[string, FirstOf]> {
    return this.#counts.entries();
  }
}

/** Tells of a text that is longer than the books have room for. */
export function checkLength(
  problems: SieProblems,
  { text, max, line, label }: { text: string; max: number; line: number; label: string },
): void {
  // Counted in signs, as the database does, but only where it may matter.
  if (text.length > max && [...text].length > max) {
    problems.add('text_too_long', line, { label, max });
  }
}

export interface VoucherLines {
  readonly line: number;
  readonly rowLines: readonly number[];
  /** Something of it could not be read: whether it balances is not known. */
  readonly isDamaged: boolean;
}

export class VoucherCheck {
  /** Of all rows above zero. */
  debit: Ore = 0n;
  readonly #problems: SieProblems;
  readonly #balances: AccountBalances;
  readonly #years: FileYears;
  readonly #series = new Map<string, VoucherNumbers>();
  readonly #numbersKept = new NumbersKept();
  readonly #objects = new Set<string>();
  readonly #unknownObjects = new Map<string, { dimension: string; object: string; line: number }>();
  readonly #dimensions = new Firsts();
  readonly #quantities = new Firsts();
  readonly #changed = new Firsts();

  constructor(problems: SieProblems, balances: AccountBalances, years: FileYears) {
    this.#problems = problems;
    this.#balances = balances;
    this.#years = years;
  }

  declareObject(dimension: string, object: string, line: number): void {
    if (this.#objects.size < objectsMax) this.#objects.add(keyOf(dimension, object));
    else this.#problems.add('too_many', line, { max: objectsMax, name: 'objects' });
  }

  take(post: SieVoucher, { line, rowLines, isDamaged }: VoucherLines): void {
    const voucher = nameOf(post);
    checkLength(this.#problems, { text: post.text, max: textMax, line, label: 'VER' });
    this.#checkNumber(post, line);
    const fault = post.date === '' ? null : this.#years.judgeDay(post.date, line);
    if (fault !== null) this.#problems.add(fault, line, { voucher, date: post.date });
    const isReached = this.#years.isReached(post.date);
    let debit = 0n;
    let credit = 0n;
    post.rows.forEach((row, nth) => {
      const at = rowLines[nth] ?? line;
      if (row.label !== 'TRANS') {
        this.#changed.add('', at);
        if (row.label === 'RTRANS' && !isSameRow(row, post.rows[nth + 1])) {
          this.#problems.add('added_row_alone', at, { voucher });
        }
        return;
      }
      this.#takeRow(row, post, at);
      // An amount that could not be read stands as nothing, and is no row without one.
      if (row.amount === 0n && !isDamaged) this.#problems.add('zero_row', at, { voucher });
      this.#balances.move(row.account, row.amount, at, isReached);
      if (row.amount > 0n) debit += row.amount;
      else credit -= row.amount;
    });
    this.debit += debit;
    if (debit > maxAmountOre || credit > maxAmountOre) {
      const amount = debit > credit ? debit : credit;
      this.#problems.add('amount_too_large', line, { voucher, amount });
    }
    if (isDamaged) return;
    if (debit !== credit) {
      this.#problems.add('unbalanced_voucher', line, { voucher, debit, credit });
    } else if (debit === 0n) this.#problems.add('voucher_empty', line, { voucher });
  }

  /** What can be said when all have been read. */
  judge(isTransfer: boolean): void {
    for (const [series, numbers] of isTransfer ? [] : this.#series) {
      for (const { from, to, line } of numbers.gaps()) {
        this.#problems.add('numbers_left_out', line, { series, from, to });
      }
    }
    for (const [key, { dimension, object, line }] of this.#unknownObjects) {
      // It may be declared after it was used.
      if (!this.#objects.has(key)) {
        this.#problems.add('object_unknown', line, { dimension, object });
      }
    }
    for (const [name, { line, count }] of this.#dimensions) {
      this.#problems.add('dimension_left_out', line, { name, count });
    }
    for (const [, { line, count }] of this.#quantities) {
      this.#problems.add('quantities_left_out', line, { count });
    }
    for (const [, { line, count }] of this.#changed) {
      this.#problems.add('rows_changed', line, { count });
    }
  }

  #takeRow(row: SieRow, post: SieVoucher, line: number): void {
    const voucher = nameOf(post);
    if (row.quantity !== null && Number(row.quantity) !== 0) this.#quantities.add('', line);
    checkLength(this.#problems, { text: row.text, max: textMax, line, label: row.label });
    // The books have one date a voucher; only another month changes what any report says.
    if (row.date !== null && post.date !== '' && monthOf(row.date) !== monthOf(post.date)) {
      const params = { voucher, date: post.date, rowDate: row.date };
      this.#problems.add('row_date_other_month', line, params);
    }
    const seen = new Set<string>();
    for (const { dimension, code } of row.objects) {
      if (!keptDimensions.has(dimension)) this.#dimensions.add(dimension.slice(0, 20), line);
      else if (seen.has(dimension)) {
        this.#problems.add('object_repeated', line, { voucher, dimension });
      }
      seen.add(dimension);
      this.#useObject(dimension, code, line);
    }
  }

  #useObject(dimension: string, code: string, line: number): void {
    if (keptDimensions.has(dimension) && code.length > objectCodeMax) {
      const params = { dimension, object: code.slice(0, objectCodeMax), max: objectCodeMax };
      this.#problems.add('object_too_long', line, params);
    }
    const key = keyOf(dimension, code);
    if (this.#objects.has(key) || this.#unknownObjects.has(key)) return;
    if (this.#unknownObjects.size >= objectsMax) {
      this.#problems.add('too_many', line, { max: objectsMax, name: 'objects' });
      return;
    }
    const [short, object] = [shortened(dimension, 20), shortened(code, 40)];
    this.#unknownObjects.set(key, { dimension: short, object, line });
  }

  #checkNumber(post: SieVoucher, line: number): void {
    const voucher = nameOf(post);
    const { number } = post;
    if (number === '') {
      this.#problems.add('number_missing', line, { voucher });
      return;
    }
    if (!/^\d{1,9}$/.test(number)) {
      this.#problems.add('number_not_numeric', line, { voucher });
      return;
    }
    // Nought is what some programs write for no number.
    const numbers = Number(number) === 0 ? undefined : this.#numbersOf(post.series, line);
    const found = numbers?.add(Number(number), line);
    if (found === 'repeated') this.#problems.add('number_repeated', line, { voucher });
    if (found === 'unordered') this.#problems.add('numbers_unordered', line, { voucher });
  }

  #numbersOf(series: string, line: number): VoucherNumbers | undefined {
    const key = shortened(series, 60);
    const known = this.#series.get(key);
    if (known) return known;
    if (this.#series.size >= seriesMax) {
      this.#problems.add('too_many', line, { max: seriesMax, name: 'series' });
      return undefined;
    }
    const numbers = new VoucherNumbers(this.#numbersKept);
    this.#series.set(key, numbers);
    return numbers;
  }
}

/** A code of the whole line's length fills no memory; the beginning tells it well enough from others. */
const keyOf = (dimension: string, code: string): string =>
  `${shortened(dimension, 20)} ${shortened(code, 60)}`;

/** An added row is followed by the same row as TRANS, which is the one that counts (SIE 4B, #RTRANS 4). */
const isSameRow = (row: SieRow, next: SieRow | undefined): boolean =>
  next?.label === 'TRANS' && next.account === row.account && next.amount === row.amount;
