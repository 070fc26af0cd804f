/**
 * The list of vouchers as people read it: newest first, by any filter. What no index serves (texts,
 * amounts, sources) is looked for along the date index, at most `walkMax` vouchers at a time: an index
 * of texts would cost every posting, and this costs it nothing.
 */
import type { Db } from '../../db/pool.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { VoucherPlace } from './cursor.ts';

export interface VoucherFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly series?: string | undefined;
  readonly account?: number | undefined;
  /** Part of the description or of the counterparty, in capitals or not. */
  readonly text?: string | undefined;
  /** Of the voucher; of its rows on the account when one is asked for. */
  readonly minOre?: Ore | undefined;
  readonly maxOre?: Ore | undefined;
  readonly source?: string | undefined;
  /** Only those that no document is attached to and that need one: what is counted as missing. */
  readonly lacksDocument?: boolean | undefined;
  /** Only purchases: with a cost (4000–7999) or input VAT (2640–2649) in debit. */
  readonly isPurchase?: boolean | undefined;
}

export interface FoundVoucher extends VoucherPlace {
  id: string;
  description: string;
  counterparty: string | null;
  source: string;
  total_ore: bigint;
  has_attachment: boolean;
}

export interface FoundVouchers {
  readonly vouchers: readonly FoundVoucher[];
  /** Where the next page begins (exclusive); null when there is nothing more. */
  readonly next: VoucherPlace | null;
  /** The page is not full: this far back has been looked through. Null when all of it has. */
  readonly searchedTo: string | null;
}

/** Some 70 ms of one processor when nothing matches; a million vouchers are ten pages then. */
const walkMax = 100_000;
/** Vouchers whose attachments must be looked for one by one. */
const attachmentsMax = 50_000;
/** Rows on an account whose vouchers must be looked up one by one. */
const lookedUpMax = 12_000;

/**
 * At most `limit` vouchers before `place` (which must be within the filter), newest first. `stepMax` is how
 * many are looked at when the page does not fill.
 */
export async function findVouchers(
  db: Db,
  filter: VoucherFilter,
  place: VoucherPlace | undefined,
  { limit, stepMax = stepOf(filter) }: { readonly limit: number; readonly stepMax?: number },
): Promise<FoundVouchers> {
  const walk = walkOf(filter, place);
  const sieve = sieveOf(filter);
  const end = sieve.length === 0 ? undefined : await endOfWalk(db, walk, stepMax);
  const stop = end ? [until(end, walk.isWithinSeries)] : [];
  const bounded = { ...walk, conditions: [...walk.conditions, ...stop] };
  const vouchers = await db.query<FoundVoucher>(statementOf(bounded, sieve, limit + 1));
  const last = vouchers[limit - 1];
  if (vouchers.length > limit && last) {
    return { vouchers: vouchers.slice(0, limit), next: placeOf(last), searchedTo: null };
  }
  return { vouchers, next: end ?? null, searchedTo: end?.date ?? null };
}

const placeOf = ({ date, series, number }: VoucherPlace): VoucherPlace => ({
  date,
  series,
  number,
});

interface Walk {
  /** Whose index gives the order: vouchers, or the rows on an account. */
  readonly table: Sql;
  readonly isByAccount: boolean;
  readonly isWithinSeries: boolean;
  readonly conditions: readonly Sql[];
}

const columns = sql`p.verification_date, p.series, p.number`;
const newestFirst = sql`p.verification_date desc, p.series desc, p.number desc`;

/**
 * What an index serves: a series has none of its own, which every posting would pay for, and is skipped to day by day
 * in the one by date. After a place nothing else says where to begin, or PostgreSQL might begin there and walk to the place.
 */
function walkOf(
  { from, to, series, account }: VoucherFilter,
  place: VoucherPlace | undefined,
): Walk {
  const isWithinSeries = series !== undefined;
  const isByAccount = account !== undefined;
  const conditions: Sql[] = [];
  if (isByAccount) conditions.push(sql`p.account = ${account}`);
  if (isWithinSeries) conditions.push(sql`p.series = ${series}`);
  if (from !== undefined) conditions.push(sql`p.verification_date >= ${from}::date`);
  if (place) conditions.push(before(place, isWithinSeries));
  else if (to !== undefined) conditions.push(sql`p.verification_date <= ${to}::date`);
  const table = isByAccount ? sql`ledger.voucher_rows p` : sql`ledger.vouchers p`;
  return { table, isByAccount, isWithinSeries, conditions };
}

/** Whether a list with this filter can have got as far as the place. */
export const isWithin = ({ from, to, series }: VoucherFilter, place: VoucherPlace): boolean =>
  (series === undefined || place.series === series) &&
  (from === undefined || from <= place.date) &&
  (to === undefined || place.date <= to);

/** Before a place. Within a series not by a comparison of rows, since none of the skipping goes together with one. */
const before = ({ date, series, number }: VoucherPlace, isWithinSeries: boolean): Sql =>
  isWithinSeries
    ? sql`p.verification_date <= ${date}::date
        and (p.verification_date < ${date}::date or p.number < ${number}::integer)`
    : sql`(${columns}) < (${date}::date, ${series}, ${number}::integer)`;

/** Not before the place where a walk ends. */
const until = ({ date, series, number }: VoucherPlace, isWithinSeries: boolean): Sql =>
  isWithinSeries
    ? sql`p.verification_date >= ${date}::date
        and (p.verification_date > ${date}::date or p.number >= ${number}::integer)`
    : sql`(${columns}) >= (${date}::date, ${series}, ${number}::integer)`;

/** What has to be held against each voucher on the way. */
function sieveOf(filter: VoucherFilter): Sql[] {
  const { account, text, minOre, maxOre, source, lacksDocument, isPurchase } = filter;
  const sieve: Sql[] = [];
  const isByAccount = account !== undefined;
  const voucher = isByAccount ? sql`v` : sql`p`;
  const amount = isByAccount ? sql`p.debit_ore + p.credit_ore` : sql`p.total_ore`;
  if (minOre !== undefined) sieve.push(sql`${amount} >= ${minOre}::bigint`);
  if (maxOre !== undefined) sieve.push(sql`${amount} <= ${maxOre}::bigint`);
  if (source !== undefined) sieve.push(sql`${voucher}.source = ${source}`);
  const id = isByAccount ? sql`p.voucher_id` : sql`p.id`;
  if (lacksDocument) {
    sieve.push(sql`ledger.wants_document(${voucher}.source, ${id})
      and not exists (select from ledger.attachments a where a.voucher_id = ${id})`);
  }
  if (isPurchase) {
    sieve.push(sql`exists (select from ledger.voucher_rows r where r.voucher_id = ${id} and r.debit_ore > 0
      and (r.account between 4000 and 7999 or r.account between 2640 and 2649))`);
  }
  if (text !== undefined) {
    sieve.push(sql`strpos(lower(${voucher}.description || chr(10)
      || coalesce(${voucher}.counterparty, '')), lower(${text})) > 0`);
  }
  return sieve;
}

function stepOf(filter: VoucherFilter): number {
  const { account, text, source, lacksDocument, isPurchase } = filter;
  if (isPurchase) return lookedUpMax;
  if (account !== undefined && (text ?? source ?? lacksDocument) !== undefined) {
    return lookedUpMax;
  }
  return lacksDocument ? attachmentsMax : walkMax;
}

/** The voucher at which a walk stops, from the index alone; undefined when it reaches the first one. */
async function endOfWalk(
  db: Db,
  { table, conditions }: Walk,
  step: number,
): Promise<VoucherPlace | undefined> {
  const [end] = await db.query<VoucherPlace>(
    sql`select p.verification_date as date, p.series, p.number from ${table} where ${all(conditions)}
        order by ${newestFirst} offset ${step} limit 1`,
  );
  return end;
}

/** A page of the walk; a voucher with several rows on the account is one. */
function statementOf(
  { table, conditions, isByAccount }: Walk,
  sieve: readonly Sql[],
  limit: number,
): Sql {
  const where = all([...conditions, ...sieve]);
  const page = isByAccount
    ? sql`select distinct on (${columns}) p.voucher_id
          from ${table} join lateral (select v.source, v.description, v.counterparty
            from ledger.vouchers v where v.id = p.voucher_id limit 1) as v on true
          where ${where} order by ${newestFirst} limit ${limit}`
    : sql`select p.id as voucher_id from ${table} where ${where} order by ${newestFirst} limit ${limit}`;
  return sql`select v.id, v.verification_date as date, v.series, v.number, v.description,
      v.counterparty, v.source, v.total_ore,
      exists (select from ledger.attachments a where a.voucher_id = v.id) as has_attachment
    from (${page}) as page
    join lateral (select * from ledger.vouchers v where v.id = page.voucher_id limit 1) as v on true
    order by v.verification_date desc, v.series desc, v.number desc`;
}

const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : join(conditions, sql` and `);

/** Vouchers of this label, newest year first: `A12` is one in every fiscal year. */
export function findByLabel(
  db: Db,
  { series, number }: { readonly series: string; readonly number: number },
): Promise<{ id: string; year: number }[]> {
  return db.query(sql`select v.id, y.year
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    join lateral (select v.id from ledger.vouchers v
      where v.series_id = s.id and v.number = ${number}::integer limit 1) as v on true
    where upper(s.code) = upper(${series}) order by y.year desc, s.code limit 10`);
}

export interface SeriesSpan {
  year: number;
  code: string;
  name: string;
  first: number | null;
  last: number;
}

/** The numbers that each series holds, from the series' own heads. */
export function listSeriesSpans(db: Db): Promise<SeriesSpan[]> {
  return db.query(sql`select y.year, s.code, s.name, s.last_number as last,
      (select v.number from ledger.vouchers v where v.series_id = s.id order by v.number limit 1) as first
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    order by y.start_date desc, s.code`);
}

/** Where the last check of all books found numbers missing; undefined when it has never run. */
export async function lastGapCheck(
  db: Db,
): Promise<{ checkedAt: Date; gaps: readonly string[] } | undefined> {
  const [found] = await db.query<{ finished_at: Date; gaps: string[] }>(
    sql`select v.finished_at, array(
          select concat(p.problem ->> 'series', ' (', p.problem ->> 'year', '): ', p.problem ->> 'message')
          from jsonb_array_elements(v.problems) as p (problem)
          where p.problem ->> 'kind' in ('gap', 'wrong_head')) as gaps
        from audit.verifications v order by v.finished_at desc limit 1`,
  );
  return found && { checkedAt: found.finished_at, gaps: found.gaps };
}

/** The series that there are, as the latest year that has each calls it. */
export function listVoucherSeries(db: Db): Promise<{ code: string; name: string }[]> {
  return db.query(sql`select distinct on (s.code) s.code, s.name
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    order by s.code, y.start_date desc`);
}
