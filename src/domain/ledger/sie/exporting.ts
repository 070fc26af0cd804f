/**
 * The books of a fiscal year as SIE posts: what stands before the vouchers, and each voucher. Balances are
 * never stored for a year; they follow from what every month brought, and from what opened the first year.
 */
import { type Ore, sum } from '../../basics/money.ts';
import { type AccountType, isBalanceAccount } from '../account.ts';
import type { SieKind } from './chart.ts';
import { inPc8 } from './code-page.ts';
import type { SieYear } from './file-years.ts';
import type { SieObject, SiePost, SieRow, SieVoucher } from './posts.ts';

export interface ExportedCompany {
  readonly name: string;
  /** Ten digits. */
  readonly organizationNumber: string;
  readonly street: string;
  /** `123 45 Orten`. */
  readonly postal: string;
  readonly phone: string;
}

export interface ExportedAccount {
  readonly number: number;
  readonly name: string;
  readonly type: AccountType;
  readonly sru: string | null;
}

export interface ExportedObject extends SieObject {
  readonly name: string;
}

/** What a month brought an account; öre, debit above zero. `month` is `YYYY-MM`. */
export interface MonthMovement {
  readonly account: number;
  readonly month: string;
  readonly ore: Ore;
}

/** What an object of a balance account began and ended the year with. */
export interface ObjectBalance extends SieObject {
  readonly account: number;
  readonly openingOre: Ore;
  readonly closingOre: Ore;
}

/** All that stands before the vouchers, as of one moment. */
export interface ExportedYear {
  readonly program: { readonly name: string; readonly version: string };
  readonly generated: string;
  readonly company: ExportedCompany;
  readonly year: SieYear;
  /** Null in the first year of the books. */
  readonly previous: SieYear | null;
  readonly accounts: readonly ExportedAccount[];
  readonly objects: readonly ExportedObject[];
  /** Of every month up to the year's last, in the order of accounts. */
  readonly movements: readonly MonthMovement[];
  /** Of `movements`, what the vouchers did that open the first year of all: they leave as #IB, never as #VER. */
  readonly opening: {
    readonly day: string;
    readonly balances: readonly { readonly account: number; readonly ore: Ore }[];
  };
  readonly objectBalances: readonly ObjectBalance[];
}

/** Dimensions that SIE has for good (8.17). */
export const sieDimensions = { cost_center: '1', project: '6' } as const;
const dimensionNames = { '1': 'Kostnadsställe', '6': 'Projekt' } as const;

/** SIE has one kind for equity and liabilities. */
export const sieKindOf: Readonly<Record<AccountType, SieKind>> = {
  asset: 'T',
  equity: 'S',
  liability: 'S',
  revenue: 'I',
  cost: 'K',
};

const textMax = 500;
const nameMax = 200;

/** Of a text, so much as a reader has room for once it stands in code page 437, where `€` is three signs. */
export function fitting(text: string, max: number = textMax): string {
  // The longest substitute has eight signs.
  if (text.length * 8 <= max) return text;
  let length = 0;
  let fitted = '';
  for (const sign of text) {
    length += inPc8(sign).length;
    if (length > max) break;
    fitted += sign;
  }
  return fitted;
}

/** `556702-6934`. */
const withHyphen = (number: string): string => number.replace(/(\d{4})$/, '-$1');

/** What every file begins with; `type` 4E has the balances after it, 4I the vouchers. */
export function* headPosts(books: ExportedYear): Generator<SiePost> {
  const { program, generated: date, company, year, previous } = books;
  const { name, organizationNumber, street, postal, phone } = company;
  yield { label: 'FLAGGA', flag: '0' };
  yield { label: 'PROGRAM', ...program };
  yield { label: 'FORMAT', format: 'PC8' };
  yield { label: 'GEN', date, signature: '' };
  yield { label: 'SIETYP', type: '4' };
  yield { label: 'FNAMN', name };
  const number = withHyphen(organizationNumber);
  yield { label: 'ORGNR', number, acquisition: '', activity: '' };
  if (street + postal + phone !== '') {
    yield { label: 'ADRESS', contact: '', street, postal, phone };
  }
  yield { label: 'RAR', year: 0, ...year };
  if (previous) yield { label: 'RAR', year: -1, ...previous };
  // SRU codes are of the tax year, which is the one after.
  yield { label: 'TAXAR', year: String(Number(year.end.slice(0, 4)) + 1) };
  yield { label: 'KPTYP', plan: 'EUBAS97' };
  yield { label: 'VALUTA', currency: 'SEK' };
  yield* chartPosts(books);
}

function* chartPosts({ accounts, objects }: ExportedYear): Generator<SiePost> {
  for (const { number, name, type, sru } of accounts) {
    const account = String(number);
    yield { label: 'KONTO', account, name: fitting(name, nameMax) };
    yield { label: 'KTYP', account, kind: sieKindOf[type] };
    if (sru !== null) yield { label: 'SRU', account, sru };
  }
  for (const [dimension, name] of Object.entries(dimensionNames)) {
    const own = objects.filter((one) => one.dimension === dimension);
    if (own.length > 0) yield { label: 'DIM', dimension, name };
    for (const { code, name: called } of own) {
      yield { label: 'OBJEKT', dimension, object: code, name: called };
    }
  }
}

interface YearBalances {
  readonly account: number;
  readonly opening: Ore;
  readonly months: ReadonlyMap<string, Ore>;
  readonly closing: Ore;
}

const monthOf = (date: string): string => date.slice(0, 7);

/** What accounts began and ended the year with, and each month between; those that nothing was ever done on left out. */
function balancesOf(books: ExportedYear, { start, end }: SieYear): YearBalances[] {
  const [first, last] = [monthOf(start), monthOf(end)];
  const { day, balances } = books.opening;
  const opened = new Map(day === start ? balances.map(({ account, ore }) => [account, ore]) : []);
  const byAccount = Map.groupBy(
    books.movements.filter(({ month }) => month <= last),
    ({ account }) => account,
  );
  return [...byAccount]
    .map(([account, movements]): YearBalances => {
      const byOpening = opened.get(account) ?? 0n;
      const before = movements.filter(({ month }) => month < first).map(({ ore }) => ore);
      const within = movements.filter(({ month }) => month >= first);
      const months = new Map(
        within.map(({ month, ore }) => [month, month === first ? ore - byOpening : ore]),
      );
      const opening = isBalanceAccount(account) ? sum(before) + byOpening : 0n;
      return { account, opening, months, closing: opening + sum([...months.values()]) };
    })
    .filter(({ opening, months }) => opening !== 0n || months.size > 0);
}

/** #IB, #UB, #RES of the year and the one before, and what the months of the year brought (#PSALDO). */
export function* balancePosts(books: ExportedYear): Generator<SiePost> {
  const quantity = null;
  const years = [books.year, ...(books.previous ? [books.previous] : [])];
  const balances = years.map((span, nth) => ({ year: -nth, all: balancesOf(books, span) }));
  const ofKind = (isWanted: (account: number) => boolean) =>
    balances.flatMap(({ year, all }) =>
      all
        .filter(({ account }) => isWanted(account))
        .map((one) => ({ year, ...one, account: String(one.account) })),
    );
  const carried = ofKind(isBalanceAccount);
  for (const { year, account, opening: amount } of carried) {
    yield { label: 'IB', year, account, amount, quantity };
  }
  for (const { year, account, closing: amount } of carried) {
    yield { label: 'UB', year, account, amount, quantity };
  }
  yield* objectPosts(books);
  for (const { year, account, closing: amount } of ofKind((one) => !isBalanceAccount(one))) {
    yield { label: 'RES', year, account, amount, quantity };
  }
  const objects: SieObject[] = [];
  for (const { account, months } of balances[0]?.all ?? []) {
    for (const [period, amount] of months) {
      if (amount === 0n) continue;
      yield {
        label: 'PSALDO',
        year: 0,
        period,
        account: String(account),
        objects,
        amount,
        quantity,
      };
    }
  }
}

function* objectPosts({ objectBalances }: ExportedYear): Generator<SiePost> {
  const labels = [
    ['OIB', 'openingOre'],
    ['OUB', 'closingOre'],
  ] as const;
  for (const [label, which] of labels) {
    for (const { account, dimension, code, [which]: amount } of objectBalances) {
      if (amount === 0n) continue;
      const objects = [{ dimension, code }];
      yield { label, year: 0, account: String(account), objects, amount, quantity: null };
    }
  }
}

export interface ExportedVoucher {
  readonly series: string;
  readonly number: number;
  readonly date: string;
  readonly description: string;
  readonly counterparty: string | null;
  /** When it came into the books. */
  readonly registered: string;
  /** Of who registered it in the program that it came from; nobody of this one has any. */
  readonly signature: string | null;
  /** Label and day of the voucher that this one takes back or stands in place of. */
  readonly corrects: { readonly label: string; readonly date: string } | null;
  readonly rows: readonly {
    readonly account: number;
    readonly ore: Ore;
    readonly note: string | null;
    readonly objects: readonly SieObject[];
  }[];
}

export function voucherPost(voucher: ExportedVoucher): SieVoucher {
  const { series, number, date, registered, signature } = voucher;
  return {
    label: 'VER',
    series,
    number: String(number),
    date,
    text: textOf(voucher),
    registered,
    signature: signature ?? '',
    rows: voucher.rows.map(
      ({ account, ore, note, objects }): SieRow => ({
        label: 'TRANS',
        account: String(account),
        objects,
        amount: ore,
        date: null,
        text: fitting(note ?? ''),
        quantity: null,
        signature: '',
      }),
    ),
  };
}

/**
 * SIE has no place for who the other party was, or for which voucher is corrected, and a voucher without them
 * is not whole (BFL 5:5, 5:7): they stand in its text.
 */
function textOf({ description, counterparty, corrects }: ExportedVoucher): string {
  const isNamed = counterparty === null || description.includes(counterparty);
  const said = isNamed ? description : [description, counterparty].filter(Boolean).join(', ');
  if (corrects === null) return fitting(said);
  const isLinked = said.split(/[^\p{L}\p{N}]+/u).includes(corrects.label);
  const link = isLinked ? '' : ` (rättar ${corrects.label}, ${corrects.date})`;
  return `${fitting(said, textMax - link.length)}${link}`;
}
