/**
 * A SIE file judged by itself, as it is read: what it holds, whether it adds up, and whether Huvudbok can take
 * all of it in. Nothing is looked up: the same file has the same answer everywhere.
 */
import type { Ore } from '../../basics/money.ts';
import { AccountBalances } from './account-balances.ts';
import type { SieEncoding, SieLetters } from './encoding.ts';
import { FileYears, type SieYear } from './file-years.ts';
import { homeOf } from './importing.ts';
import type { SieLabel, SiePost } from './posts.ts';
import { type MoreOfRule, type SieProblem, SieProblems } from './problems.ts';
import { type SieEntry, SieReader } from './reading.ts';
import { checkLength, Firsts, VoucherCheck } from './voucher-check.ts';

/** 4E is an export of a year, 4I a transfer of vouchers into somebody else's books. */
export type SieType = '1' | '2' | '3' | '4E' | '4I';
export type SieVerdict = 'ok' | 'doubt' | 'refused';

export interface SieJudgement {
  readonly verdict: SieVerdict;
  /** Null when it is no SIE file. */
  readonly type: SieType | null;
  readonly encoding: SieEncoding;
  readonly program: string | null;
  readonly company: string | null;
  /** The file's own first, then those before it. */
  readonly years: readonly SieYear[];
  /** #KONTO, #VER and #TRANS, counted as they stand. */
  readonly accounts: number;
  readonly vouchers: number;
  readonly rows: number;
  /** Of all #TRANS above zero. */
  readonly debit: Ore;
  /** `IB 0`, `UB -1`, `RES 0`: what all posts of the kind and year come to. */
  readonly sums: ReadonlyMap<string, Ore>;
  readonly problems: readonly SieProblem[];
  readonly more: readonly MoreOfRule[];
}

const accountNameMax = 200;
/** Posts that tell of something the books do not have. */
const leftOut = new Set(['OUB', 'PBUDGET', 'ENHET']);
/** What the books have no room for, wherever they begin. */
const isLeftOut = (post: SiePost): boolean =>
  post.label === 'OIB' ? homeOf(post) === undefined : leftOut.has(post.label);

export interface SieCheckOptions {
  readonly letters: SieLetters;
  /** By the file's name: `.si` is for transfers, `.se` for exports. Asked when the posts do not say. */
  readonly extension?: string;
  /** Sees every post as it is read, once. */
  readonly watch?: (entry: SieEntry) => void;
}

export class SieCheck {
  readonly #letters: SieLetters;
  readonly #extension: string;
  readonly #watch: (entry: SieEntry) => void;
  readonly #problems = new SieProblems();
  readonly #years = new FileYears();
  readonly #balances = new AccountBalances(this.#problems);
  readonly #vouchers = new VoucherCheck(this.#problems, this.#balances, this.#years);
  readonly #reader: SieReader;
  readonly #sums = new Map<string, Ore>();
  readonly #leftOut = new Firsts();
  readonly #quantities = new Firsts();
  /** The latest post of each kind that says something of the whole file. */
  readonly #heads = new Map<SieLabel, SiePost>();
  readonly #firstLines = new Map<SieLabel, number>();
  #isDamaged = false;

  constructor({ letters, extension = '', watch = () => undefined }: SieCheckOptions) {
    this.#watch = watch;
    this.#letters = letters;
    this.#extension = extension.toLowerCase();
    this.#reader = new SieReader(letters, this.#problems);
  }

  read(chunk: Uint8Array): void {
    for (const entry of this.#reader.read(chunk)) this.#take(entry);
  }

  /** What became of it, once every chunk has been read. */
  end(): SieJudgement {
    for (const entry of this.#reader.end()) this.#take(entry);
    const type = this.#typeOf();
    if (type !== null) this.#judge(type);
    const { level, all, more } = this.#problems;
    const { name = '', version = '' } = this.#head('PROGRAM') ?? {};
    return {
      verdict: level === null || level === 'note' ? 'ok' : level,
      type,
      encoding: this.#letters.encoding,
      program: `${name.trim()} ${version.trim()}`.trim() || null,
      company: this.#head('FNAMN')?.name.trim() || null,
      years: this.#years.all,
      accounts: this.#reader.countOf('KONTO'),
      vouchers: this.#reader.countOf('VER'),
      rows: this.#reader.countOf('TRANS'),
      debit: this.#vouchers.debit,
      sums: this.#sums,
      problems: all,
      more,
    };
  }

  #head<Label extends SiePost['label']>(label: Label) {
    return this.#heads.get(label) as Extract<SiePost, { label: Label }> | undefined;
  }

  #take(entry: SieEntry): void {
    this.#watch(entry);
    const { line, post, rowLines = [], isDamaged = false } = entry;
    if (isDamaged) this.#isDamaged = true;
    if (isLeftOut(post)) this.#leftOut.add(post.label, line);
    if (!this.#firstLines.has(post.label)) this.#firstLines.set(post.label, line);
    switch (post.label) {
      case 'VER':
        this.#vouchers.take(post, { line, rowLines, isDamaged });
        break;
      case 'IB':
      case 'UB':
      case 'RES':
        this.#takeBalance(post, line);
        break;
      case 'KONTO': {
        const { account, name: text, label } = post;
        this.#balances.declare(account, text, line);
        checkLength(this.#problems, { text, max: accountNameMax, line, label });
        break;
      }
      case 'OBJEKT':
        this.#vouchers.declareObject(post.dimension, post.object, line);
        break;
      case 'RAR': {
        const { year, start, end } = post;
        if (start !== null && end !== null) this.#years.set(year, { start, end }, line);
        break;
      }
      case 'OMFATTN':
        this.#years.until = post.date;
        break;
      default:
        this.#heads.set(post.label, post);
    }
  }

  #takeBalance(post: Extract<SiePost, { label: 'IB' | 'UB' | 'RES' }>, line: number): void {
    const { label, year, account, amount, quantity } = post;
    const key = `${label} ${year}`;
    this.#sums.set(key, this.#sumOf(key) + amount);
    if (quantity !== null && Number(quantity) !== 0) this.#quantities.add(label, line);
    const names = { IB: 'ib', UB: 'ub', RES: 'res' } as const;
    const name = year === 0 ? names[label] : year === -1 && label === 'UB' ? 'ubBefore' : null;
    if (name !== null && !this.#balances.balance(name, account, amount, line)) {
      this.#problems.add('balance_repeated', line, { label, year, account });
    }
  }

  #sumOf(key: string): Ore {
    return this.#sums.get(key) ?? 0n;
  }

  /** Type 4 is two: with balances it is an export, without them a transfer, unless the name says otherwise. */
  #typeOf(): SieType | null {
    if (this.#problems.has('not_sie') || this.#problems.has('utf16')) return null;
    const given = this.#head('SIETYP')?.type ?? '';
    if (given === '1' || given === '2' || given === '3') return given;
    if (given !== '4') {
      const line = this.#firstLines.get('SIETYP') ?? null;
      this.#problems.add('type_unknown', line, { type: given.slice(0, 20) });
      if (!this.#firstLines.has('VER')) return '1';
    }
    if (this.#sums.size > 0) return '4E';
    return this.#extension === '.se' && this.#years.hasOwn ? '4E' : '4I';
  }

  #judge(type: SieType): void {
    const isTransfer = type === '4I';
    this.#judgeHead(type);
    if (isTransfer) {
      this.#problems.drop('number_missing');
      this.#problems.turn('date_outside_years', 'date_outside_transfer');
    } else this.#years.judge(this.#problems);
    this.#balances.judgeAccounts(isTransfer);
    this.#vouchers.judge(isTransfer);
    for (const [label, { line, count }] of this.#leftOut) {
      this.#problems.add('posts_left_out', line, { label, count });
    }
    for (const [, { line, count }] of this.#quantities) {
      this.#problems.add('quantities_left_out', line, { count });
    }
    // Sums that lack what could not be read would say nothing but that.
    if (!isTransfer && !this.#isDamaged) this.#judgeBalances(type);
  }

  #judgeHead(type: SieType): void {
    const problems = this.#problems;
    const lineOf = (label: SieLabel) => this.#firstLines.get(label) ?? null;
    const wanted: readonly SieLabel[] = [
      'FLAGGA',
      'PROGRAM',
      'FORMAT',
      'GEN',
      'FNAMN',
      ...(type === '4I' ? [] : (['KONTO'] as const)),
      ...(type === '2' || type === '3' ? (['OMFATTN'] as const) : []),
    ];
    const missing = wanted.filter((label) => this.#reader.countOf(label) === 0);
    if (missing.length > 0) {
      problems.add('post_missing', null, { labels: missing.map((one) => `#${one}`).join(', ') });
    }
    if (this.#head('FLAGGA')?.flag === '1') {
      problems.add(type === '4I' ? 'already_imported' : 'already_read', lineOf('FLAGGA'), {});
    }
    const currency = this.#head('VALUTA')?.currency ?? '';
    if (!['', 'SEK'].includes(currency.toUpperCase())) {
      problems.add('currency', lineOf('VALUTA'), { currency: currency.slice(0, 20) });
    }
    const { encoding } = this.#letters;
    if (encoding !== 'CP437') {
      const format = this.#head('FORMAT')?.format.slice(0, 20) ?? '';
      problems.add('other_encoding', lineOf('FORMAT'), { encoding, format });
    }
    const vouchers = lineOf('VER');
    if (vouchers !== null && !type.startsWith('4')) {
      problems.add('vouchers_with_balances', vouchers, { type });
    }
  }

  #judgeBalances(type: SieType): void {
    const has = (key: string): boolean => this.#sums.has(key);
    const hasVouchers = this.#firstLines.has('VER');
    if (!has('UB 0') && !has('RES 0')) {
      if (hasVouchers) this.#problems.add('balances_missing', null, {});
      return;
    }
    // Either says what the year began with (SIE 4B 5.16).
    const difference = this.#sumOf(has('IB 0') ? 'IB 0' : 'UB -1');
    if (has('IB 0') && has('UB -1')) this.#balances.judgeOpening();
    if (difference !== 0n) {
      const isResult = difference === -this.#sumOf('RES -1');
      const rule = isResult ? 'opening_lacks_result' : 'opening_unbalanced';
      this.#problems.add(rule, null, { difference });
    }
    for (const year of [0, -1]) this.#judgeYear(year);
    if (type !== '4E') return;
    if (hasVouchers) this.#balances.judgeMovements(has('IB 0'));
    else if (this.#sumOf('UB 0') !== difference || this.#sumOf('RES 0') !== 0n) {
      this.#problems.add('vouchers_missing', null, {});
    }
  }

  /** What a year ends with is what it began with, less its result. */
  #judgeYear(year: number): void {
    const [ib, ub, res] = [`IB ${year}`, `UB ${year}`, `RES ${year}`];
    const hasOpening = this.#sums.has(ib) || (year === 0 && !this.#sums.has('UB -1'));
    if (!hasOpening || !(this.#sums.has(ub) || this.#sums.has(res))) return;
    const sums = { ib: this.#sumOf(ib), ub: this.#sumOf(ub), res: this.#sumOf(res) };
    if (sums.ub - sums.ib + sums.res !== 0n) {
      this.#problems.add('balances_apart', null, { year, ...sums });
    }
  }
}
