/**
 * The books of a fiscal year as a SIE 4 file, written while they are read: 4E with its balances, or 4I with
 * the vouchers of some days. The same books give the same bytes.
 */
import { createHash } from 'node:crypto';
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { YearSpan } from '../../domain/ledger/fiscal-year.ts';
import {
  balancePosts,
  type ExportedYear,
  headPosts,
  sieDimensions,
  voucherPost,
} from '../../domain/ledger/sie/exporting.ts';
import type { SieObject, SiePost } from '../../domain/ledger/sie/posts.ts';
import { type ReplacedSign, SieWriter } from '../../domain/ledger/sie/writing.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { appVersion } from '../../lib/version.ts';
import { listDimensions } from '../dimensions/store.ts';
import { listYearSpans } from '../fiscal-years/store.ts';
import {
  getCompanyOfFile,
  listAccountsOfFile,
  listRowsOfFile,
  listVouchersOfFile,
  type RowOfFile,
  type SeriesOfFile,
  takeSnapshot,
  type VoucherOfFile,
  type YearSnapshot,
} from './export-store.ts';

/** Reads the books in a transaction of its own, as often as it is asked. */
export type BooksReader = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

export interface SieExportOptions {
  readonly year: number;
  readonly type: '4E' | '4I';
  /** Of a transfer: its first and last day; left out, those of the year. */
  readonly from?: string | null;
  readonly to?: string | null;
  /** What #GEN says; left out, the day when the last voucher of the year was posted. */
  readonly generated?: string | null;
  readonly timeZone: string;
}

export interface SieExportReport {
  readonly year: number;
  readonly type: '4E' | '4I';
  readonly from: string;
  readonly to: string;
  readonly vouchers: number;
  readonly rows: number;
  /** Vouchers that open the first year: in a file of type 4E they are its #IB, in one of 4I nothing. */
  readonly openingVouchers: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly replaced: readonly ReplacedSign[];
}

export interface SieExport {
  /** `5567026934-2026.se`. */
  readonly fileName: string;
  /** The file, once. */
  readonly content: AsyncIterable<Uint8Array>;
  /** What became of it, when all of it has been read. */
  report(): SieExportReport;
}

/** So many bytes at once to whoever takes the file. */
const chunkBytes = 65_536;

/**
 * Begins a file. What it holds is settled here, at one moment, and read little by little after: a slow reader
 * holds no transaction. Throws 404 when there is no such year, 422 when the days do not lie in it.
 */
export async function beginExport(
  read: BooksReader,
  options: SieExportOptions,
): Promise<SieExport> {
  const { timeZone, type } = options;
  const begun = await read(async (db) => {
    const days = await daysOf(db, options);
    const snapshot = await takeSnapshot(db, { ...days.span, timeZone });
    return { ...days, snapshot, ...(await factsOf(db, options, days, snapshot)) };
  });
  const writing = new FileWriting(read, { ...options, ...begun });
  const { organizationNumber } = begun.books.company;
  return {
    fileName: `${organizationNumber}-${options.year}.${type === '4E' ? 'se' : 'si'}`,
    content: writing.content(),
    report: () => writing.report(),
  };
}

/** Writes down that the books have left, with what anybody can recognise the file by. */
export function recordExport(tx: Tx, report: SieExportReport, actor: string): Promise<void> {
  const { year, ...detail } = report;
  return recordEvent(tx, { actor, action: 'sie.exported', subject: String(year), detail });
}

interface Days {
  readonly span: YearSpan;
  readonly previous: YearSpan | null;
  readonly from: string;
  readonly to: string;
}

async function daysOf(db: Db, options: SieExportOptions): Promise<Days> {
  const { year, type, from, to } = options;
  const spans = await listYearSpans(db);
  const span = spans.find((one) => one.year === year);
  if (!span) throw refuseWhole('not_found', 'no_fiscal_year', { of: year });
  const { start, end } = span;
  const given = { from: from ?? start, to: to ?? end };
  const asked = Object.entries({ from, to }).filter(([, day]) => day != null);
  if (type === '4E' && asked.length > 0) {
    throw refuse(
      'unprocessable',
      asked.map(([path]): Fault => ({ path, reason: 'days_of_transfer_only' })),
    );
  }
  const faults = Object.entries(given)
    .filter(([, day]) => day < start || day > end)
    .map(
      ([path]): Fault => ({ path, reason: 'day_outside_year', params: { of: year, start, end } }),
    );
  if (faults.length > 0) throw refuse('unprocessable', faults);
  if (given.from > given.to)
    throw refuse('unprocessable', [{ path: 'to', reason: 'before_start' }]);
  return { span, previous: spans.filter((one) => one.end < start).at(-1) ?? null, ...given };
}

async function factsOf(
  db: Db,
  { generated }: SieExportOptions,
  { span, previous }: Days,
  snapshot: YearSnapshot,
): Promise<{ books: ExportedYear; objectsById: ReadonlyMap<string, SieObject> }> {
  const company = await getCompanyOfFile(db);
  const dimensions = await listDimensions(db);
  const books: ExportedYear = {
    program: { name: 'Huvudbok', version: appVersion },
    generated: generated ?? snapshot.posted_on ?? span.start,
    company: {
      name: company.name,
      organizationNumber: company.organization_number,
      street: company.address ?? '',
      postal: [company.postal_code, company.city].filter(Boolean).join(' '),
      phone: company.phone ?? '',
    },
    year: { start: span.start, end: span.end },
    previous: previous && { start: previous.start, end: previous.end },
    accounts: await listAccountsOfFile(db),
    objects: dimensions.map(({ kind, code, name }) => ({ ...objectOf(kind, code), name })),
    movements: snapshot.movements.map(({ ore, ...one }) => ({ ...one, ore: BigInt(ore) })),
    opening: {
      day: snapshot.opened_on,
      balances: snapshot.opening.map(({ account, ore }) => ({ account, ore: BigInt(ore) })),
    },
    objectBalances: snapshot.objects.map(({ account, kind, code, opening, closing }) => ({
      account,
      ...objectOf(kind, code),
      openingOre: BigInt(opening),
      closingOre: BigInt(closing),
    })),
  };
  const objectsById = new Map(dimensions.map(({ id, kind, code }) => [id, objectOf(kind, code)]));
  return { books, objectsById };
}

const objectOf = (kind: keyof typeof sieDimensions, code: string): SieObject => ({
  dimension: sieDimensions[kind],
  code,
});

interface FilePlan extends SieExportOptions {
  readonly span: YearSpan;
  readonly previous: YearSpan | null;
  readonly from: string;
  readonly to: string;
  readonly snapshot: YearSnapshot;
  readonly books: ExportedYear;
  readonly objectsById: ReadonlyMap<string, SieObject>;
}

interface Page {
  readonly vouchers: readonly VoucherOfFile[];
  readonly rows: readonly RowOfFile[];
  /** The number that the next page begins after. */
  readonly last: number;
}

class FileWriting {
  readonly #read: BooksReader;
  readonly #plan: FilePlan;
  readonly #writer = new SieWriter();
  readonly #hash = createHash('sha256');
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #bytes = 0;
  #vouchers = 0;
  #rows = 0;
  #openingVouchers = 0;

  constructor(read: BooksReader, plan: FilePlan) {
    this.#read = read;
    this.#plan = plan;
  }

  async *content(): AsyncGenerator<Uint8Array> {
    const { books, type, snapshot } = this.#plan;
    yield* this.#write(headPosts(books));
    if (type === '4E') yield* this.#write(balancePosts(books));
    for (const head of snapshot.heads) yield* this.#series(head);
    yield* this.#flush();
  }

  report(): SieExportReport {
    const { year, type, from, to } = this.#plan;
    return {
      year,
      type,
      from,
      to,
      vouchers: this.#vouchers,
      rows: this.#rows,
      openingVouchers: this.#openingVouchers,
      bytes: this.#bytes,
      sha256: this.#hash.copy().digest('hex'),
      replaced: this.#writer.replaced,
    };
  }

  /** The next page is read while this one is written. */
  async *#series(head: SeriesOfFile): AsyncGenerator<Uint8Array> {
    for (let next: Promise<Page> | null = this.#page(head, 0); next !== null; ) {
      const { vouchers, rows, last }: Page = await next;
      next = last < head.last ? this.#page(head, last) : null;
      // Whoever takes the file may have gone before it is asked for.
      next?.catch(() => undefined);
      yield* this.#write(this.#posts(head, vouchers, rows));
    }
  }

  #page(head: SeriesOfFile, after: number): Promise<Page> {
    return this.#read(async (db) => {
      const vouchers = await listVouchersOfFile(db, head, after, {
        timeZone: this.#plan.timeZone,
        openedOn: this.#plan.snapshot.opened_on,
      });
      const last = vouchers.at(-1)?.number ?? head.last;
      const { from, to } = this.#plan;
      const wanted = vouchers.filter(({ date }) => from <= date && date <= to);
      const ids = wanted.map(({ id }) => id);
      return { vouchers: wanted, rows: await listRowsOfFile(db, ids), last };
    });
  }

  *#posts(
    { code }: SeriesOfFile,
    vouchers: readonly VoucherOfFile[],
    rows: readonly RowOfFile[],
  ): Generator<SiePost> {
    const rowsOf = Map.groupBy(rows, ({ voucher_id: id }) => id);
    const { objectsById } = this.#plan;
    for (const voucher of vouchers) {
      if (voucher.opens_books) {
        this.#openingVouchers += 1;
        continue;
      }
      const own = rowsOf.get(voucher.id) ?? [];
      const { corrected_label: label, corrected_date: date } = voucher;
      this.#vouchers += 1;
      this.#rows += own.length;
      yield voucherPost({
        ...voucher,
        series: code,
        corrects: label === null || date === null ? null : { label, date },
        rows: own.map(({ account, ore, note, cost_center_id, project_id }) => ({
          account,
          ore,
          note,
          objects: [cost_center_id, project_id].flatMap(
            (id) => (id !== null && objectsById.get(id)) || [],
          ),
        })),
      });
    }
  }

  *#write(posts: Iterable<SiePost>): Generator<Uint8Array> {
    for (const post of posts) {
      const bytes = this.#writer.write(post);
      this.#pending.push(bytes);
      this.#pendingBytes += bytes.length;
      if (this.#pendingBytes >= chunkBytes) yield* this.#flush();
    }
  }

  *#flush(): Generator<Uint8Array> {
    if (this.#pendingBytes === 0) return;
    const chunk = Buffer.concat(this.#pending, this.#pendingBytes);
    this.#hash.update(chunk);
    this.#bytes += this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    yield chunk;
  }
}
