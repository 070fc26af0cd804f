/**
 * All that taking a SIE file in would do to the books, and every fault with its line: looked at before, and
 * once more when it is done.
 */
import type { Db } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { accountTypesOf } from '../../domain/ledger/account.ts';
import { type YearSpan, yearProblems, yearsBetween } from '../../domain/ledger/fiscal-year.ts';
import { cashMethodAccounts } from '../../domain/ledger/moving-in.ts';
import { addBalances, type Balance, equityMoves } from '../../domain/ledger/opening-balances.ts';
import type { SieJudgement, SieVerdict } from '../../domain/ledger/sie/checking.ts';
import type { SieLetters } from '../../domain/ledger/sie/encoding.ts';
import type { SieYear } from '../../domain/ledger/sie/file-years.ts';
import {
  type FileObject,
  type ObjectOpening,
  objectCodeMax,
  planSeries,
  type SeriesPlan,
  SieImportScan,
} from '../../domain/ledger/sie/importing.ts';
import { type MoreOfRule, type SieProblem, SieProblems } from '../../domain/ledger/sie/problems.ts';
import { dayOf } from '../../lib/clock.ts';
import type { BasAccount } from '../accounts/bas-base-chart.ts';
import { chartFromSie, readChartGround, withType } from '../accounts/sie-chart.ts';
import { listDimensions } from '../dimensions/store.ts';
import {
  getOrganizationNumber,
  listBalancesBefore,
  listOpeningPostings,
} from '../fiscal-years/store.ts';
import { getLocks } from '../locks/store.ts';
import { checkSie } from './checking.ts';
import {
  type BooksAccount,
  type BooksYear,
  findImportedBetween,
  findImportOf,
  listBalancesOfYear,
  listBooksAccounts,
  listBooksSeries,
  listBooksYears,
  type ObjectOfBooks,
} from './import-store.ts';

/** A file, as often as it is asked for. */
export interface SieSource {
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly fileName: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export interface ImportChoices {
  /** Where what the opening balances lack to come to nothing is to stand; null when nobody has said. */
  readonly differenceAccount: number | null;
  readonly timeZone: string;
}

/** An account in the report of an import; öre, debit above zero. */
export interface ImportedAccount {
  readonly account: string;
  readonly name: string;
  readonly rows: number;
  /** What the file begins with, moves and ends with; null where it does not say. */
  readonly opening: Ore | null;
  readonly moved: Ore;
  readonly closing: Ore | null;
  /** In the books, at the end of the file's year, once the file is taken in; null for a file of no year. */
  readonly booked: Ore | null;
}

export interface ImportPlan {
  readonly verdict: SieVerdict;
  readonly problems: readonly SieProblem[];
  readonly more: readonly MoreOfRule[];
  readonly judgement: SieJudgement;
  readonly letters: SieLetters;
  /** The file's own year; null of a transfer without one. */
  readonly year: YearSpan | null;
  readonly newYears: readonly YearSpan[];
  readonly series: readonly SeriesPlan[];
  readonly seriesOf: SieImportScan['seriesOf'];
  /** Vouchers and rows that are posted, the opening balances not among them. */
  readonly vouchers: number;
  readonly rows: number;
  readonly opening: {
    readonly way: 'posted' | 'compared' | 'none';
    readonly balances: readonly Balance[];
    /** Of them, what the file lacked to come to nothing, where a person said that it stands. */
    readonly difference: Balance | null;
    /** What of them stands on cost centres and projects. */
    readonly objects: readonly ObjectOpening[];
    readonly series: string;
  };
  readonly newAccounts: readonly BasAccount[];
  readonly accountsInUse: readonly number[];
  readonly objects: readonly ObjectOfBooks[];
  readonly accounts: readonly ImportedAccount[];
}

const numberForm = /^[1-9]\d{3}$/;
const spanOf = ({ start, end }: SieYear): YearSpan => ({
  year: Number(end.slice(0, 4)),
  start,
  end,
});

/** Reads the file twice and changes nothing. */
export async function planImport(
  db: Db,
  source: SieSource,
  choices: ImportChoices,
): Promise<ImportPlan> {
  const [years, accounts] = [await listBooksYears(db), await listBooksAccounts(db)];
  const ofVat = new Set(
    accounts.filter(({ vat_code }) => vat_code !== null).map(({ number }) => String(number)),
  );
  const scan = new SieImportScan(
    years,
    (account) => /^26[1-4]\d$/.test(account) || ofVat.has(account),
  );
  const extension = /\.\w+$/.exec(source.fileName)?.[0] ?? '';
  const judgement = await checkSie(source.open, extension, (entry) => scan.take(entry));
  const planning = new Planning(db, { source, choices, years, accounts, scan, judgement });
  return planning.plan(judgement.letters);
}

interface Ground {
  readonly source: SieSource;
  readonly choices: ImportChoices;
  readonly years: readonly BooksYear[];
  readonly accounts: readonly BooksAccount[];
  readonly scan: SieImportScan;
  readonly judgement: SieJudgement;
}

class Planning {
  readonly #db: Db;
  readonly #ground: Ground;
  readonly #problems: SieProblems;
  /** Vouchers are for type 4 alone. */
  readonly #takesVouchers: boolean;
  readonly #year: YearSpan | null;

  constructor(db: Db, ground: Ground) {
    this.#db = db;
    this.#ground = ground;
    const { judgement } = ground;
    const { type, years } = judgement;
    this.#problems = SieProblems.of(judgement);
    this.#takesVouchers = type === '4E' || type === '4I';
    const [own] = years;
    this.#year = own && type !== '4I' ? spanOf(own) : null;
  }

  async plan(letters: SieLetters): Promise<ImportPlan> {
    const { scan, judgement } = this.#ground;
    const isReadable = judgement.verdict !== 'refused';
    const newYears = isReadable ? await this.#newYears() : [];
    const opening = await this.#opening();
    const { series, openingSeries } = await this.#series(opening.way === 'posted');
    const vouchers = this.#takesVouchers ? scan.vouchers : 0;
    if (isReadable) {
      if (vouchers === 0 && opening.way !== 'posted') {
        this.#problems.add('nothing_to_import', null, {});
      }
      this.#judgeMethod();
      await this.#judgeOrigin(series);
      await this.#judgeLocks(opening.way === 'posted');
    }
    const newAccounts = await this.#newAccounts();
    const problems = this.#problems;
    const { level } = problems;
    return {
      verdict: level === null || level === 'note' ? 'ok' : level,
      problems: problems.all,
      more: problems.more,
      judgement,
      letters,
      year: this.#year,
      newYears,
      series,
      seriesOf: (voucher) => scan.seriesOf(voucher),
      vouchers,
      rows: this.#takesVouchers ? scan.rows : 0,
      opening: { ...opening, series: openingSeries },
      newAccounts,
      accountsInUse: this.#accountsInUse(),
      objects: await this.#objects(opening.objects),
      accounts: await this.#accounts(newAccounts, opening),
    };
  }

  get #neededYears(): SieYear[] {
    const used = this.#takesVouchers ? this.#ground.scan.usedYears : [];
    const all = this.#year ? [...used, this.#year] : used;
    return [...new Map(all.map((one) => [one.start, one])).values()].sort((a, b) =>
      a.start < b.start ? -1 : 1,
    );
  }

  /** Years that the books do not have yet, where they may have them. */
  async #newYears(): Promise<YearSpan[]> {
    const { years, scan } = this.#ground;
    const isSame = (one: SieYear, other: SieYear) =>
      one.start === other.start && one.end === other.end;
    const spans: SieYear[] = [...years];
    const made: YearSpan[] = [];
    for (const needed of this.#neededYears) {
      const existing = years.find((one) => isSame(one, needed));
      if (existing?.status === 'closed') {
        this.#problems.add('year_closed_in_books', null, { year: existing.year });
      }
      if (existing) continue;
      const { start, end } = needed;
      const [first] = years;
      // The oldest file comes first, also into books that were begun with a later year. Latest first: each is beside one.
      const between = first && end < first.start ? yearsBetween(needed, first).reverse() : [];
      spans.push(...between);
      const [problem] = yearProblems(needed, spans);
      if (problem) {
        const isOver = problem.reason === 'year_overlaps';
        const rule = isOver ? 'year_overlaps_books' : 'year_apart_from_books';
        this.#problems.add(rule, null, { start, end });
        continue;
      }
      const isBefore = first !== undefined && end < first.start;
      if (isBefore && (await listOpeningPostings(this.#db, first.start)).length > 0) {
        this.#problems.add('year_before_opened', null, { end });
      }
      if (years.some((one) => one.start > end && one.status === 'closed')) {
        this.#problems.add('year_before_closed', null, { end });
      }
      spans.push(needed);
      made.push(...between, spanOf(needed));
    }
    for (const { code, year, line, date, first } of scan.series.values()) {
      if (year !== null || !this.#takesVouchers) continue;
      const voucher = `${code} ${first ?? ''}`.trim();
      this.#problems.add('day_in_no_year', line, { voucher, date });
    }
    return made;
  }

  /** Opening balances are posted where the books begin; later they are only held against what the books have. */
  async #opening(): Promise<Omit<ImportPlan['opening'], 'series'>> {
    const opening = await this.#openingOfAccounts();
    const { objectOpenings } = this.#ground.scan;
    if (opening.way === 'posted') {
      const objects = objectOpenings.filter(({ account }) => numberForm.test(account));
      return { ...opening, objects };
    }
    const [first] = objectOpenings;
    if (first) {
      const facts = { label: 'OIB', count: objectOpenings.length };
      this.#problems.add('posts_left_out', first.line, facts);
    }
    return { ...opening, objects: [] };
  }

  async #openingOfAccounts(): Promise<Omit<ImportPlan['opening'], 'series' | 'objects'>> {
    const { years, scan } = this.#ground;
    const year = this.#year;
    const openings = scan.openings.filter(({ account }) => numberForm.test(account));
    if (!year || openings.length === 0) return { way: 'none', balances: [], difference: null };
    const posted = await listOpeningPostings(this.#db, year.start);
    const isFirst = !years.some(({ end }) => end < year.start);
    if (!isFirst || posted.length > 0) {
      await this.#compareOpening(year, posted);
      return { way: 'compared', balances: [], difference: null };
    }
    const balances = openings.map(({ account, ore }) => ({
      account: Number(account),
      balanceOre: ore,
    }));
    const [difference = null] = this.#difference(balances);
    return {
      way: 'posted',
      balances: addBalances(balances, difference ? [difference] : []),
      difference,
    };
  }

  /** What the opening balances lack to come to nothing, where the person has said that it stands. */
  #difference(balances: readonly Balance[]): Balance[] {
    const { differenceAccount: account } = this.#ground.choices;
    const difference = sum(balances.map(({ balanceOre }) => balanceOre));
    if (account === null) {
      if (difference !== 0n) this.#problems.add('opening_needs_account', null, { difference });
      return [];
    }
    if (difference === 0n) {
      this.#problems.add('opening_account_unneeded', null, { account: String(account) });
    } else if (account < 2000 || account > 2099) {
      this.#problems.add('opening_account_unknown', null, { account: String(account) });
    }
    return difference === 0n ? [] : [{ account, balanceOre: -difference }];
  }

  async #compareOpening(year: YearSpan, posted: readonly Balance[]): Promise<void> {
    const before = addBalances(await listBalancesBefore(this.#db, year.start), posted);
    const expected = new Map(
      before.map(({ account, balanceOre }) => [String(account), balanceOre]),
    );
    const differing: Balance[] = [];
    const differs = (account: string, line: number | null, found: Ore, own: Ore) => {
      if (found === own) return;
      differing.push({ account: Number(account), balanceOre: found - own });
      this.#problems.add('opening_differs_from_books', line, { account, found, expected: own });
    };
    for (const { account, ore: found, line } of this.#ground.scan.openings) {
      differs(account, line, found, expected.get(account) ?? 0n);
      expected.delete(account);
    }
    for (const [account, own] of expected) differs(account, null, 0n, own);
    const moves = equityMoves(differing);
    if (moves.length > 0) this.#problems.add('equity_moved', null, { date: year.start, moves });
  }

  async #series(hasOpening: boolean) {
    const all = this.#takesVouchers ? this.#ground.scan.series.values() : [];
    const used = new Set(
      (await listBooksSeries(this.#db))
        .filter(({ last_number }) => last_number > 0)
        .map(({ year_start, code }) => `${year_start} ${code}`),
    );
    const year = hasOpening ? (this.#year?.start ?? null) : null;
    const plan = planSeries(all, (code, start) => used.has(`${start} ${code}`), year);
    for (const { code: series, count, isKept, line } of plan.series) {
      if (!isKept) this.#problems.add('series_moved', line, { series, count });
    }
    return plan;
  }

  /** Whether it is this company's, and not in the books already. */
  async #judgeOrigin(series: readonly SeriesPlan[]): Promise<void> {
    const { scan, source, choices } = this.#ground;
    const own = await getOrganizationNumber(this.#db);
    const number = (scan.organizationNumber ?? '').replace(/\D/g, '').slice(-10);
    if (number !== '' && number !== own) this.#problems.add('other_company', null, { number, own });
    const before = await findImportOf(this.#db, source.sha256);
    if (before) {
      const day = dayOf(before.created_at, choices.timeZone);
      this.#problems.add('imported_before', null, { day, fileName: before.file_name });
      return;
    }
    for (const { code, year, lowest, highest, line } of series) {
      if (year === null || lowest === null || highest === null) continue;
      const found = await findImportedBetween(this.#db, { year, code, lowest, highest });
      if (!found) continue;
      const voucher = `${code} ${found.number}`.trim();
      this.#problems.add('voucher_imported_before', line, { voucher, label: found.label });
    }
  }

  /** Vouchers on accounts that only the cash method has. */
  #judgeMethod(): void {
    if (!this.#takesVouchers) return;
    for (const account of cashMethodAccounts) {
      const facts = this.#ground.scan.accounts.get(account);
      const count = facts?.rows ?? 0;
      if (count > 0) this.#problems.add('cash_method', facts?.line ?? null, { account, count });
    }
  }

  async #judgeLocks(hasOpening: boolean): Promise<void> {
    const { scan } = this.#ground;
    const locks = await getLocks(this.#db);
    const { period_locked_to: period, vat_locked_to: vat } = locks;
    const opening = hasOpening && this.#year ? [{ date: this.#year.start, line: null }] : [];
    const vouchers = this.#takesVouchers && scan.earliest ? [scan.earliest] : [];
    const [day] = [...opening, ...vouchers].sort((a, b) => (a.date < b.date ? -1 : 1));
    if (period !== null && day && day.date <= period) {
      this.#problems.add('days_locked', day.line, { date: day.date, lockedTo: period });
    }
    const ofVat = this.#takesVouchers ? scan.earliestOfVat : null;
    if (vat !== null && ofVat && ofVat.date <= vat) {
      this.#problems.add('vat_days_locked', ofVat.line, { date: ofVat.date, lockedTo: vat });
    }
  }

  /** Every account of the file that the books lack, as it is called there. */
  async #newAccounts(): Promise<BasAccount[]> {
    const { accounts, scan } = this.#ground;
    const known = new Map(accounts.map((one) => [String(one.number), one]));
    const declared = new Map(scan.chart.map((one) => [one.number, one]));
    const numbers = new Set(
      [...declared.keys(), ...scan.accounts.keys()].filter((one) => numberForm.test(one)),
    );
    const difference = this.#ground.choices.differenceAccount;
    if (difference !== null && difference >= 2000 && difference <= 2099) {
      numbers.add(String(difference));
    }
    for (const [number, { name }] of declared) {
      const own = known.get(number);
      const isUsed = (scan.accounts.get(number)?.rows ?? 0) > 0;
      if (own && isUsed && name !== '' && name !== own.name) {
        this.#problems.add('account_named_otherwise', null, {
          account: number,
          name,
          own: own.name,
        });
      }
    }
    const missing = [...numbers]
      .filter((number) => !known.has(number))
      .map((number) => declared.get(number) ?? { number, name: '', kind: null, sru: null });
    if (missing.length === 0) return [];
    const ground = await readChartGround(await getOrganizationNumber(this.#db));
    const read = chartFromSie({ ...emptyChart, accounts: missing }, ground);
    const wanted = new Set(missing.map(({ number }) => Number(number)));
    const sruOf = new Map(missing.map(({ number, sru }) => [Number(number), sru]));
    const made = read.accounts
      .filter(({ account }) => wanted.has(account))
      .map((one) => ({ ...one, sru: codeOf(sruOf.get(one.account)) ?? ground.sruOf(one.account) }));
    // Class 9 is in no report; what stands there in the file is kept all the same.
    const others = missing
      .filter(({ number }) => accountTypesOf(Number(number)).length === 0)
      .map(({ number, name }) => internalAccount(Number(number), name));
    for (const { account, name } of [...made, ...others]) {
      this.#problems.add('account_made', null, { account: String(account), name });
    }
    for (const { about, account, name } of read.doubts) {
      if (about === 'vat' && wanted.has(account)) {
        this.#problems.add('account_vat_unsure', null, { account: String(account), name });
      }
    }
    return [...made, ...others].sort((a, b) => a.account - b.account);
  }

  #accountsInUse(): number[] {
    const { accounts, scan } = this.#ground;
    const isUsed = ({ number }: BooksAccount): boolean => {
      const facts = scan.accounts.get(String(number));
      return facts !== undefined && (facts.rows > 0 || (facts.opening?.ore ?? 0n) !== 0n);
    };
    const idle = accounts.filter((one) => !one.is_active && isUsed(one));
    for (const { number } of idle) {
      this.#problems.add('account_put_in_use', null, { account: String(number) });
    }
    return idle.map(({ number }) => number);
  }

  async #objects(openings: readonly ObjectOpening[]): Promise<ObjectOfBooks[]> {
    const opened = new Set(openings.map(({ object }) => object));
    const known = new Set(
      (await listDimensions(this.#db))
        .filter(({ is_active }) => is_active)
        .map(({ kind, code }) => `${kind} ${code}`),
    );
    return [...this.#ground.scan.objects.values()]
      .filter((object) => opened.has(object) || (this.#takesVouchers && object.isUsed))
      .flatMap((object) => objectOfBooks(object))
      .filter(({ kind, code }) => !known.has(`${kind} ${code}`));
  }

  async #accounts(
    newAccounts: readonly BasAccount[],
    opening: Pick<ImportPlan['opening'], 'way' | 'balances'>,
  ): Promise<ImportedAccount[]> {
    const { accounts, scan } = this.#ground;
    const year = this.#year;
    const before = year ? await listBalancesOfYear(this.#db, year) : null;
    const opened = new Map(
      opening.balances.map(({ account, balanceOre }) => [String(account), balanceOre]),
    );
    const names = new Map([
      ...accounts.map(({ number, name }) => [String(number), name] as const),
      ...newAccounts.map(({ account, name }) => [String(account), name] as const),
    ]);
    const numbers = new Set([...scan.accounts.keys(), ...opened.keys()]);
    return [...numbers].sort().map((account) => {
      const facts = scan.accounts.get(account);
      const moved = this.#takesVouchers ? (facts?.moved ?? 0n) : 0n;
      const added = (opened.get(account) ?? 0n) + moved;
      return {
        account,
        name: names.get(account) ?? '',
        rows: this.#takesVouchers ? (facts?.rows ?? 0) : 0,
        opening: facts?.opening?.ore ?? null,
        moved,
        closing: facts?.closing ?? null,
        booked: before && (before.get(account) ?? 0n) + added,
      };
    });
  }
}

const emptyChart = { company: null, organizationNumber: null, fiscalYear: null };
const codeOf = (sru: string | null | undefined): string | null =>
  sru != null && /^\d{4}$/.test(sru) ? sru : null;

const internalAccount = (account: number, name: string): BasAccount =>
  withType(
    {
      account,
      name: name || `Konto ${account}`,
      vatCode: null,
      vatRate: null,
      vatBox: null,
      sru: null,
    },
    'cost',
  );

const kinds = { '1': 'cost_center', '6': 'project' } as const;

/** The dimension that the books have for an object, if any. */
export function objectOfBooks({ dimension, code, name }: FileObject): ObjectOfBooks[] {
  const kind = Object.hasOwn(kinds, dimension) ? kinds[dimension as keyof typeof kinds] : undefined;
  if (kind === undefined || [...code].length > objectCodeMax) return [];
  return [{ kind, code, name: name || code }];
}
