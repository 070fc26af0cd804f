/**
 * What a SIE file would become in the books, gathered as it is read: its chart, balances, objects, and how the
 * numbers of each series run. Nothing is looked up but which fiscal year a day lies in.
 */
import type { Ore } from '../../basics/money.ts';
import { type Balance, differenceRows } from '../opening-balances.ts';
import { type PostingRow, signedRow } from '../voucher.ts';
import { accountsMax } from './account-balances.ts';
import type { SieAccount, SieKind } from './chart.ts';
import type { SieYear } from './file-years.ts';
import type { SieObject, SiePost, SieVoucher } from './posts.ts';
import type { SieEntry } from './reading.ts';
import { shortened } from './syntax.ts';

/** Longer ones the books have no room for (`sieRules` calls them doubts). */
export const objectCodeMax = 20;
const textMax = 500;
const nameMax = 200;
const labelMax = 100;
const seriesMax = 10_000;
const objectsMax = 200_000;

/** What the file says of an account, öre, debit above zero. */
export interface FileAccount {
  readonly line: number;
  /** What the year began with; null when nothing is said. */
  opening: { ore: Ore; readonly line: number } | null;
  /** What it ended with: #UB, or #RES of a result account. */
  closing: Ore | null;
  /** By the vouchers. */
  moved: Ore;
  rows: number;
}

/** The vouchers of a series within a fiscal year. */
export interface FileSeries {
  readonly code: string;
  /** The year's first day; null for days in no known year. */
  readonly year: string | null;
  /** Of its first voucher. */
  readonly line: number;
  readonly date: string;
  readonly first: number | null;
  last: number | null;
  lowest: number | null;
  highest: number | null;
  count: number;
  /** Whether the numbers are first, first + 1, … in the order of the file. */
  isRun: boolean;
}

export interface FileObject extends SieObject {
  name: string;
  isUsed: boolean;
}

/** What an object of an account began the year with (#OIB), where the books have room for one of its kind. */
export interface ObjectOpening {
  readonly account: string;
  readonly object: FileObject;
  ore: Ore;
  readonly line: number;
}

export interface DayOnLine {
  readonly date: string;
  readonly line: number;
}

const keyOf = (...parts: readonly string[]): string =>
  parts.map((part) => shortened(part, labelMax)).join('\n');

/** The rows that are booked: those that count, less the ones of nothing. */
const bookedRows = ({ rows }: SieVoucher) =>
  rows.filter(({ label, amount }) => label === 'TRANS' && amount !== 0n);

export const isBooked = (post: SieVoucher): boolean => bookedRows(post).length > 0;

export class SieImportScan {
  readonly accounts = new Map<string, FileAccount>();
  readonly series = new Map<string, FileSeries>();
  readonly objects = new Map<string, FileObject>();
  readonly #objectOpenings = new Map<string, ObjectOpening>();
  /** Vouchers that would be posted, and their rows. */
  vouchers = 0;
  rows = 0;
  organizationNumber: string | null = null;
  /** The earliest of all, and of those on accounts of VAT, for what is locked. */
  earliest: DayOnLine | null = null;
  earliestOfVat: DayOnLine | null = null;
  readonly #names = new Map<string, { name: string; kind: SieKind | null; sru: string | null }>();
  readonly #closingBefore = new Map<string, { ore: Ore; line: number }>();
  readonly #years: SieYear[];
  readonly #isVatAccount: (account: string) => boolean;
  #hasOpening = false;

  /** `years` are those of the books; the file's own are added as they come. */
  constructor(years: readonly SieYear[], isVatAccount: (account: string) => boolean) {
    this.#years = [...years];
    this.#isVatAccount = isVatAccount;
  }

  take({ line, post }: SieEntry): void {
    switch (post.label) {
      case 'VER':
        this.#takeVoucher(post, line);
        break;
      case 'IB':
      case 'UB':
      case 'RES':
        this.#takeBalance(post, line);
        break;
      case 'OIB':
        this.#takeObjectOpening(post, line);
        break;
      case 'RAR':
        if (post.start !== null && post.end !== null) {
          this.#years.push({ start: post.start, end: post.end });
        }
        break;
      case 'ORGNR':
        this.organizationNumber = post.number.trim();
        break;
      case 'KONTO':
      case 'KTYP':
      case 'SRU':
        this.#takeAccount(post);
        break;
      case 'OBJEKT':
        this.#object(post.dimension, post.object).name = shortened(post.name.trim(), nameMax);
        break;
    }
  }

  /** The chart of the file, as `readSieChart` gives it. */
  get chart(): SieAccount[] {
    return [...this.#names].map(([number, facts]) => ({ number, ...facts }));
  }

  /** What each account began the year with: #IB, or where the file has none, what the year before ended with. */
  get openings(): { account: string; ore: Ore; line: number }[] {
    const all = this.#hasOpening
      ? [...this.accounts].map(([account, { opening }]) => opening && { account, ...opening })
      : [...this.#closingBefore].map(([account, balance]) => ({ account, ...balance }));
    return all.filter((one) => one !== null && one.ore !== 0n).filter((one) => one !== null);
  }

  get objectOpenings(): ObjectOpening[] {
    return [...this.#objectOpenings.values()].filter(({ ore }) => ore !== 0n);
  }

  /** The fiscal years that vouchers lie in, those of the books and the file's own. */
  get usedYears(): SieYear[] {
    const used = new Set([...this.series.values()].map(({ year }) => year));
    const known = new Map(this.#years.map((year) => [year.start, year]));
    return [...known.values()].filter(({ start }) => used.has(start));
  }

  /** The first day of the fiscal year that a day lies in. */
  yearOf(date: string): string | null {
    return this.#years.find(({ start, end }) => start <= date && date <= end)?.start ?? null;
  }

  seriesOf({ series, date }: Pick<SieVoucher, 'series' | 'date'>): FileSeries | undefined {
    return this.series.get(keyOf(series, this.yearOf(date) ?? ''));
  }

  #takeVoucher(post: SieVoucher, line: number): void {
    const rows = bookedRows(post);
    if (rows.length === 0) return;
    this.vouchers += 1;
    this.rows += rows.length;
    const isEarlier = (one: DayOnLine | null) => one === null || post.date < one.date;
    if (isEarlier(this.earliest)) this.earliest = { date: post.date, line };
    let isOfVat = false;
    for (const { account, amount, objects } of rows) {
      const facts = this.#account(account, line);
      if (facts) {
        facts.moved += amount;
        facts.rows += 1;
      }
      isOfVat ||= this.#isVatAccount(account);
      for (const { dimension, code } of objects) this.#object(dimension, code).isUsed = true;
    }
    if (isOfVat && isEarlier(this.earliestOfVat)) this.earliestOfVat = { date: post.date, line };
    this.#count(post, line);
  }

  #count(post: SieVoucher, line: number): void {
    const year = this.yearOf(post.date);
    const key = keyOf(post.series, year ?? '');
    const number = /^[1-9]\d{0,8}$/.test(post.number) ? Number(post.number) : null;
    const known = this.series.get(key);
    if (!known) {
      if (this.series.size >= seriesMax) return;
      const code = shortened(post.series, labelMax);
      const numbers = { first: number, last: number, lowest: number, highest: number };
      this.series.set(key, {
        code,
        year,
        line,
        date: post.date,
        ...numbers,
        count: 1,
        isRun: number !== null,
      });
      return;
    }
    known.isRun &&= number !== null && known.last !== null && number === known.last + 1;
    known.last = number;
    if (number !== null) {
      known.lowest = Math.min(number, known.lowest ?? number);
      known.highest = Math.max(number, known.highest ?? number);
    }
    known.count += 1;
  }

  #takeBalance(post: Extract<SiePost, { label: 'IB' | 'UB' | 'RES' }>, line: number): void {
    const { label, year, account, amount } = post;
    if (year === -1 && label === 'UB') {
      const known = this.#closingBefore.get(account);
      if (known) known.ore += amount;
      else if (this.#closingBefore.size < accountsMax) {
        this.#closingBefore.set(account, { ore: amount, line });
      }
    }
    if (year !== 0) return;
    const facts = this.#account(account, line);
    if (!facts) return;
    if (label !== 'IB') facts.closing = (facts.closing ?? 0n) + amount;
    else {
      this.#hasOpening = true;
      if (facts.opening) facts.opening.ore += amount;
      else facts.opening = { ore: amount, line };
    }
  }

  #takeObjectOpening(post: Extract<SiePost, { label: 'OIB' }>, line: number): void {
    const { account, amount } = post;
    const one = homeOf(post);
    if (one === undefined) return;
    const key = keyOf(account, one.dimension, one.code);
    const known = this.#objectOpenings.get(key);
    if (known) known.ore += amount;
    else if (this.#objectOpenings.size < objectsMax) {
      const object = this.#object(one.dimension, one.code);
      this.#objectOpenings.set(key, { account, object, ore: amount, line });
    }
  }

  #takeAccount(post: Extract<SiePost, { label: 'KONTO' | 'KTYP' | 'SRU' }>): void {
    const known = this.#names.get(post.account);
    if (!known) {
      if (this.#names.size >= accountsMax) return;
      this.#names.set(shortened(post.account, labelMax), { name: '', kind: null, sru: null });
    }
    const facts = this.#names.get(post.account);
    if (!facts) return;
    if (post.label === 'KONTO') facts.name ||= shortened(post.name.trim(), nameMax);
    else if (post.label === 'SRU') facts.sru ??= post.sru;
    else if (/^[TSKI]$/i.test(post.kind)) facts.kind = post.kind.toUpperCase() as SieKind;
  }

  #account(account: string, line: number): FileAccount | undefined {
    const known = this.accounts.get(account);
    if (known || this.accounts.size >= accountsMax) return known;
    const facts: FileAccount = { line, opening: null, closing: null, moved: 0n, rows: 0 };
    this.accounts.set(account, facts);
    return facts;
  }

  #object(dimension: string, code: string): FileObject {
    const key = keyOf(dimension, code);
    const known = this.objects.get(key);
    if (known) return known;
    const made = { dimension, code: shortened(code, labelMax), name: '', isUsed: false };
    if (this.objects.size < objectsMax) this.objects.set(key, made);
    return made;
  }
}

/**
 * The cost centre or project that a balance of an object (#OIB) can stand on in the books: of the file's year, and
 * of one object alone. Undefined of any other, which the books have no room for.
 */
export function homeOf({
  year,
  objects,
}: Extract<SiePost, { label: 'OIB' }>): SieObject | undefined {
  const [object, ...others] = objects;
  const isRoom =
    year === 0 &&
    object !== undefined &&
    others.length === 0 &&
    ['1', '6'].includes(object.dimension) &&
    [...object.code].length <= objectCodeMax;
  return isRoom ? object : undefined;
}

/** Where the vouchers of a series go: under their own code and numbers, or to the series for imports. */
export interface SeriesPlan extends FileSeries {
  readonly to: string;
  readonly isKept: boolean;
}

/** The series that takes what cannot keep its own. */
export const importSeries = 'S';

/**
 * Series of at most two signs that nobody has used in that year, and whose numbers run from 1, keep code and
 * numbers. One that runs from 2 does when the opening balances take its first number, as they had it where it
 * came from; `hasOpening` says that there are some to post, in the year that begins on `openingYear`.
 */
export function planSeries(
  series: Iterable<FileSeries>,
  isUsed: (code: string, year: string) => boolean,
  openingYear: string | null,
): { readonly series: SeriesPlan[]; readonly openingSeries: string } {
  const all = [...series];
  const canKeep = (one: FileSeries, from: number) =>
    one.isRun &&
    one.first === from &&
    one.year !== null &&
    one.code.trim() === one.code &&
    [...one.code].length <= 2 &&
    one.code !== '' &&
    !isUsed(one.code, one.year);
  const opened =
    openingYear === null
      ? undefined
      : all.find((one) => one.year === openingYear && canKeep(one, 2));
  const keeps = new Set(all.filter((one) => one === opened || canKeep(one, 1)));
  // What else goes to S would come among its numbers.
  const isMixed = (one: FileSeries) =>
    one.code === importSeries &&
    (all.some((other) => other.year === one.year && !keeps.has(other)) ||
      (openingYear === one.year && opened === undefined));
  return {
    series: all.map((one) => {
      const isKept = keeps.has(one) && !isMixed(one);
      return { ...one, isKept, to: isKept ? one.code : importSeries };
    }),
    openingSeries: opened && !isMixed(opened) ? opened.code : importSeries,
  };
}

/** Which of the books' cost centres and projects an object of the file is; null when it is none. */
export type IdOfObject = (object: SieObject) => string | null;
type ObjectRow = PostingRow & { costCenter: string | null; project: string | null };

const objectIdsOf = (objects: readonly SieObject[], idOf: IdOfObject) => {
  const find = (dimension: string): string | null => {
    const object = objects.find((one) => one.dimension === dimension);
    return object ? idOf(object) : null;
  };
  return { costCenter: find('1'), project: find('6') };
};

/**
 * The rows that open a year: of an account what its cost centres and projects began with, and the rest without
 * any. A cost centre's and a project's parts of the same balance are told each for itself, as the file does.
 */
export function openingRows(
  balances: readonly Balance[],
  parts: readonly ObjectOpening[],
  idOf: IdOfObject,
): ObjectRow[] {
  const ofParts = parts.map(({ account, ore }) => ({ account: Number(account), balanceOre: ore }));
  const rest = differenceRows(balances, ofParts);
  return [
    ...rest.map((row) => ({ ...row, costCenter: null, project: null })),
    ...parts.map(({ account, object, ore }) => ({
      ...signedRow(Number(account), ore, null),
      ...objectIdsOf([object], idOf),
    })),
  ].sort((one, other) => one.account - other.account);
}

/** A voucher's rows as they are posted. */
export function postingRows(post: SieVoucher, idOf: IdOfObject): ObjectRow[] {
  return bookedRows(post).map(({ account, amount, text, objects }) => ({
    ...signedRow(Number(account), amount, cut(text) || null),
    ...objectIdsOf(objects, idOf),
  }));
}

/** At most five hundred signs, as the database counts them. */
export const cut = (text: string, max: number = textMax): string =>
  text.length <= max ? text : [...text].slice(0, max).join('');
