import {
  type CallOutcome,
  type CallRefusal,
  runDistinct,
  type WriteCall,
} from '../../access/keys/write-calls.ts';
import type { Db } from '../../db/pool.ts';
import {
  join,
  packedArray,
  prepared,
  type Sql,
  sql,
  textArrayIfAny,
  wordArray,
} from '../../db/sql.ts';
import type { VoucherPlace, VoucherQuery, VouchersAsked } from './cursor.ts';
import { type LedgerRow, rowArrays, vatCodeArray } from './posting-store.ts';

export interface ListedVoucher {
  id: string;
  /** YYYY-MM-DD. */
  date: string;
  series: string;
  number: number;
  description: string;
  counterparty: string | null;
  source: string;
  external_id: string | null;
  rows: ListedVoucherRow[];
  /** Whether another follows it. */
  has_more: boolean;
}

export interface ListedVoucherRow {
  row_no: number;
  account: number;
  debit_ore: number;
  credit_ore: number;
  note: string | null;
  vat_code: string | null;
  /** Ids of dimensions, when they are asked for. */
  cost_center?: string | null;
  project?: string | null;
}

/**
 * A page ends when its vouchers have this many rows together, or somebody's imports of thousands of rows each
 * would fill the memory of the process (200 of the largest: 250 MB).
 */
export const pageRowsMax = 5_000;

const readingOrder = sql`p.verification_date, p.series, p.number`;

/** The rows of voucher `v`, as JSON. */
const rowsJson = (more: Sql) => sql`(select json_agg(r) from (
  select r.row_no, r.account, r.debit_ore, r.credit_ore, r.note, r.vat_code ${more}
  from ledger.voucher_rows r where r.voucher_id = v.id order by r.row_no) as r)`;
const plainRows = rowsJson(sql``);
const rowsWithDimensions = rowsJson(
  sql`, r.cost_center_id as cost_center, r.project_id as project`,
);

/**
 * At most `limit` vouchers after `place` in (date, series, number) order, which is unique: a date lies
 * in one fiscal year. Fewer when they are long, but always one if there is one. Each combination of filters is its own
 * statement, prepared and planned once, and all are served by one index in that order, of vouchers or of an account's
 * rows: a series has none of its own, which every posting would pay for. PostgreSQL skips to it day by day, and before
 * version 18 reads past the entries of the others; a small one is read whole.
 */
export async function listVouchers(
  db: Db,
  query: VoucherQuery,
  place: VoucherPlace | undefined,
  { withDimensions = false }: { readonly withDimensions?: boolean } = {},
): Promise<ListedVoucher[]> {
  const { limit } = query;
  const { name, page } = pageOf(query, place, limit + 1);
  return db.query<ListedVoucher>(
    prepared(
      `${withDimensions ? 'vouchers with dimensions' : 'vouchers'} by ${name}`,
      sql`select v.id, v.verification_date as date, v.series, v.number, v.description, v.counterparty,
            v.source, (select e.external_id from ledger.external_ids e where e.voucher_id = v.id) as external_id,
            ${withDimensions ? rowsWithDimensions : plainRows} as rows, page.place < page.found as has_more
          from (
            select found.*, row_number() over later as place, count(*) over () as found,
              coalesce(sum((select max(r.row_no) from ledger.voucher_rows r where r.voucher_id = found.id))
                over (later rows between unbounded preceding and 1 preceding), 0) as rows_before
            from (${page}) as found
            window later as (order by found.verification_date, found.series, found.number)
          ) as page
          -- A look-up each, so that no plan can read the whole table to join it.
          cross join lateral (select * from ledger.vouchers where id = page.id limit 1) as v
          where page.place <= ${limit} and page.rows_before < ${pageRowsMax}
          order by page.verification_date, page.series, page.number`,
    ),
  );
}

/** What vouchers are asked for by, and the next so many of them: id, date, series and number, in the reading order. */
function pageOf(
  filter: VouchersAsked,
  place: VoucherPlace | undefined,
  limit: number,
): { readonly name: string; readonly page: Sql } {
  const { name, where } = conditionsOf(filter, place);
  const { serie, konto, id, externalId } = filter;
  const walk = (from: Sql, only: Sql) =>
    konto === undefined
      ? sql`select p.id, p.verification_date, p.series, p.number from ${from} p
            where ${only} order by ${readingOrder} limit ${limit}`
      : sql`select distinct on (${readingOrder}) p.voucher_id as id, p.verification_date, p.series, p.number
            from ${from} p where ${only} order by ${readingOrder} limit ${limit}`;
  const all = konto === undefined ? sql`ledger.vouchers` : sql`ledger.voucher_rows`;
  if (serie === undefined || (id ?? externalId) !== undefined)
    return { name, page: walk(all, where) };
  const isSmall = sql`(select coalesce(sum(s.last_number), 0) <= ${smallSeriesMax}::integer
    from ledger.series s where s.code = ${serie})`;
  return {
    name,
    page: sql`select p.* from ((${walk(all, sql`${where} and not ${isSmall}`)})
      union all (${walk(smallSeries(serie, konto), sql`${where} and ${isSmall}`)})) p
      order by ${readingOrder} limit ${limit}`,
  };
}

/**
 * A series with so few vouchers is read whole and sorted. On each of three years' days there is nothing of it to skip to,
 * which takes 4 ms, and before version 18 as much as all the others' vouchers do.
 */
const smallSeriesMax = 1_000;
/** More than a voucher has. */
const rowsOfOneMax = 100_000;

/** The vouchers of a small series, or their rows on an account; the limits keep any plan from reading the whole table. */
const smallSeries = (serie: string, konto: number | undefined): Sql => {
  const vouchers = sql`ledger.series s cross join lateral (select * from ledger.vouchers
    where series_id = s.id order by number limit ${smallSeriesMax}::integer) v`;
  return konto === undefined
    ? sql`(select v.* from ${vouchers} where s.code = ${serie})`
    : sql`(select r.* from ${vouchers} cross join lateral (select * from ledger.voucher_rows
        where voucher_id = v.id and account = ${konto} limit ${rowsOfOneMax}::integer) r where s.code = ${serie})`;
};

/** The same of whole vouchers. */
export function wholePageOf(
  filter: VouchersAsked,
  place: VoucherPlace | undefined,
  limit: number,
): { readonly name: string; readonly page: Sql } {
  if (filter.konto === undefined) {
    const { name, where } = conditionsOf(filter, place);
    const page = sql`select p.* from ledger.vouchers p where ${where} order by ${readingOrder} limit ${limit}`;
    return { name, page };
  }
  const { name, page } = pageOf(filter, place, limit);
  return {
    name,
    page: sql`select v.* from (${page}) as found
      cross join lateral (select * from ledger.vouchers where id = found.id limit 1) as v`,
  };
}

/** All of them after the place. */
export function vouchersOf(filter: VouchersAsked, place: VoucherPlace | undefined): Sql {
  const { where } = conditionsOf(filter, place);
  return filter.konto === undefined
    ? sql`select p.* from ledger.vouchers p where ${where}`
    : sql`select v.* from (select distinct p.voucher_id from ledger.voucher_rows p where ${where}) as found
        join ledger.vouchers v on v.id = found.voucher_id`;
}

function conditionsOf(
  filter: VouchersAsked,
  place: VoucherPlace | undefined,
): { readonly name: string; readonly where: Sql } {
  const conditions = listConditions(filter, place);
  return {
    name: conditions.map(([asked]) => asked).join(' '),
    where:
      conditions.length === 0
        ? sql`true`
        : join(
            conditions.map(([, condition]) => condition),
            sql` and `,
          ),
  };
}

function listConditions(
  { from, to, serie, konto, id, externalId }: VouchersAsked,
  place: VoucherPlace | undefined,
): [filter: string, condition: Sql][] {
  const conditions: [string, Sql][] = [];
  if (from !== undefined) conditions.push(['from', sql`p.verification_date >= ${from}::date`]);
  if (to !== undefined) conditions.push(['to', sql`p.verification_date <= ${to}::date`]);
  if (serie !== undefined) conditions.push(['serie', sql`p.series = ${serie}`]);
  if (konto !== undefined) conditions.push(['konto', sql`p.account = ${konto}`]);
  if (id !== undefined) {
    const those = sql`any (${id}::uuid[])`;
    conditions.push([
      'id',
      konto === undefined ? sql`p.id = ${those}` : sql`p.voucher_id = ${those}`,
    ]);
  }
  if (externalId !== undefined) {
    const found = sql`any (array(
      select e.voucher_id from ledger.external_ids e where e.external_id = any (${externalId}::text[])))`;
    conditions.push([
      'external ids',
      konto === undefined ? sql`p.id = ${found}` : sql`p.voucher_id = ${found}`,
    ]);
  }
  if (place) conditions.push(['after', after(place, serie !== undefined)]);
  return conditions;
}

/** After a place. Within a series not by a comparison of rows, since none of the skipping goes together with one. */
function after({ date, series, number }: VoucherPlace, isWithinSeries: boolean): Sql {
  return isWithinSeries
    ? sql`p.verification_date >= ${date}::date
        and (p.verification_date > ${date}::date or p.number > ${number}::integer)`
    : sql`(p.verification_date, p.series, p.number) > (${date}::date, ${series}, ${number}::integer)`;
}

/** A voucher to post on behalf of a key. */
export interface PostItem extends WriteCall {
  readonly id: string;
  readonly series: string;
  readonly date: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly source: string;
  /** What it is called where it came from. */
  readonly externalId?: string | null;
  readonly rows: readonly LedgerRow[];
}

/** The voucher's place in its series, told again to whoever repeats the call. */
export interface PostedPlace {
  id: string;
  number: number;
}

export type PostOutcome =
  | (CallOutcome & PostedPlace & { outcome: 'posted' | 'replayed' })
  | (CallOutcome & { outcome: 'unprocessable' | 'period_locked' | CallRefusal });

/** Posts many calls' vouchers in one commit, or judges them only; each gets its own outcome. */
export function postVouchers(
  db: Db,
  items: readonly PostItem[],
  dryRun: boolean,
): Promise<PostOutcome[]> {
  return runDistinct(items, (distinct) => postDistinct(db, distinct, dryRun));
}

function postDistinct(db: Db, items: readonly PostItem[], dryRun: boolean): Promise<PostOutcome[]> {
  const texts = (of: (item: PostItem) => string | null) => packedArray('text', items.map(of));
  const hashes = (of: (item: PostItem) => Buffer) => packedArray('bytea', items.map(of));
  const words = (of: (item: PostItem) => string) => wordArray(items.map(of));
  return db.query<PostOutcome>(
    prepared(
      'post vouchers',
      sql`select outcome, id, number, detail, first_request_id, first_seen_at, first_request
          from api.post_vouchers(
            ${hashes(({ keyHash }) => keyHash)}::bytea[],
            ${texts(({ idempotencyKey }) => idempotencyKey)}::text[],
            ${hashes(({ requestHash }) => requestHash)}::bytea[],
            ${texts(({ request }) => request)}::text[],
            ${words(({ id }) => id)}::uuid[],
            ${texts(({ series }) => series)}::text[],
            ${words(({ date }) => date)}::date[],
            ${texts(({ description }) => description)}::text[],
            ${texts(({ counterparty }) => counterparty)}::text[],
            ${texts(({ source }) => source)}::text[],
            ${words(({ requestId }) => requestId)}::uuid[],
            ${rowArrays(items)},
            ${textArrayIfAny(items.map(({ externalId = null }) => externalId))}::text[],
            ${dryRun},
            ${vatCodeArray(items)})
          order by item`,
    ),
  );
}
