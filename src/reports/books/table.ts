/** A report as a table: the one shape that pages, files and commands show. */
import type { Db } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { AccountRange } from '../../domain/ledger/statements.ts';
import type { Dimension } from '../../ledger/dimensions/store.ts';

/** From the one day to the other, both of them too. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface Column {
  /** As JSON names it. */
  readonly key: string;
  readonly label: string;
  readonly kind: 'text' | 'date' | 'amount';
  /** The days that its figures are of, where they are not the report's. */
  readonly days?: Days;
  /** Of the voucher or the party that several lines share, which a page says once. */
  readonly isShared?: boolean;
}

/** Amounts in öre; null where there is nothing to say. */
export type Cell = string | Ore | null;

/** What is behind a line. */
export type Behind =
  | { readonly kind: 'accounts'; readonly accounts: AccountRange }
  | { readonly kind: 'voucher'; readonly id: string }
  | { readonly kind: 'invoice'; readonly id: string }
  | { readonly kind: 'purchase'; readonly id: string };

export interface ReportLine {
  readonly kind: 'heading' | 'row' | 'sum';
  readonly cells: readonly Cell[];
  readonly behind?: Behind;
}

export interface ReportOptions extends Days {
  readonly dimension?: Dimension | undefined;
  /** Of the general ledger. */
  readonly accounts?: AccountRange | undefined;
  /** The income statement with a column a month. */
  readonly isByMonth?: boolean | undefined;
  /** Where the moments that it tells are. */
  readonly timeZone: string;
}

export interface Portion {
  readonly lines: readonly ReportLine[];
  /** Where the next portion begins; null when there is none. */
  readonly next: string | null;
}

export interface BookReport {
  /** As commands and JSON call it. */
  readonly name: string;
  /** As addresses call it. */
  readonly word: string;
  readonly title: string;
  /** What it tells, for whoever chooses among them. */
  readonly description: string;
  /** Whether it tells how things stand at `to`, whatever `from` is. */
  readonly isOfDay?: boolean;
  /** Whether it comes in portions; statements come whole. */
  readonly isListing?: boolean;
  /** About how many lines there are, counted no further than `max`; statements have a line an account. */
  readonly count?: (db: Db, options: ReportOptions, max: number) => Promise<number>;
  readonly takes: readonly ('dimension' | 'accounts' | 'months')[];
  readonly columns: (options: ReportOptions) => readonly Column[];
  /** About `limit` lines from `place` on, an answer of `next`; statements come whole whatever the limit. */
  readonly read: (
    db: Db,
    options: ReportOptions,
    portion: { readonly place?: string | undefined; readonly limit: number },
  ) => Promise<Portion>;
}

export const portionLines = 5_000;

/** Every line, a portion in memory at a time; `read` gives each portion its transaction. */
export async function* allLines(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  report: BookReport,
  options: ReportOptions,
): AsyncGenerator<readonly ReportLine[]> {
  let place: string | undefined;
  do {
    const portion = { place, limit: portionLines };
    const { lines, next } = await read((db) => report.read(db, options, portion));
    yield lines;
    place = next ?? undefined;
  } while (place !== undefined);
}

/** A place in a listing as text, and back; what cannot be read is no place. */
export const placeText = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

export function placeParts(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

export const daysText = ({ isOfDay }: BookReport, { from, to }: ReportOptions): string =>
  isOfDay ? `per ${to}` : `${from} – ${to}`;
