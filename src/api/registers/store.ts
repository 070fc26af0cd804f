/** What calls refer to, as a key may read it. Each list answers one more than `limit` where there is one. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export interface RegisterQuery<Key> {
  readonly keys: readonly Key[] | undefined;
  /** As other systems call them, in their one spelling; of a register that keeps such. */
  readonly externalIds?: readonly string[] | undefined;
  /** Changed then or later: an ISO 8601 time. */
  readonly updatedSince: string | undefined;
  readonly active: boolean | undefined;
  readonly limit: number;
  /** The last of the page before. */
  readonly after: Key | undefined;
}

const argumentsOf = ({
  keys,
  externalIds,
  updatedSince,
  active,
  limit,
  after,
}: RegisterQuery<unknown>) => ({
  keys: keys ?? null,
  externalIds: externalIds ?? null,
  since: updatedSince ?? null,
  active: active ?? null,
  after: after ?? null,
  limit: limit + 1,
});

interface Kept {
  is_active: boolean;
  updated_at: Date;
}

interface Named extends Kept {
  /** As another system calls it. */
  external_id: string | null;
}

export interface ChartRow extends Kept {
  number: number;
  name: string;
  type: string;
  vat_code: string | null;
  vat_rate: number | null;
  sru: string | null;
}

export function listAccounts(db: Db, query: RegisterQuery<number>): Promise<ChartRow[]> {
  const { keys, since, active, after, limit } = argumentsOf(query);
  return db.query(sql`select * from api.list_accounts(${keys}::integer[], ${since}::timestamptz,
    ${active}::boolean, ${after}::integer, ${limit}::integer)`);
}

export interface DimensionRow extends Named {
  id: string;
  kind: string;
  code: string;
  name: string;
}

export function listDimensions(db: Db, query: RegisterQuery<string>): Promise<DimensionRow[]> {
  const { keys, externalIds, since, active, after, limit } = argumentsOf(query);
  return db.query(sql`select * from api.list_dimensions(${keys}::uuid[], ${since}::timestamptz,
    ${active}::boolean, ${after}::uuid, ${limit}::integer,
    ${externalIds}::text[])`);
}

export interface ArticleRow extends Named {
  number: string;
  description: string;
  supply: string;
  account: number | null;
  unit_price_e4: bigint | null;
  unit: string | null;
}

export function listArticles(db: Db, query: RegisterQuery<string>): Promise<ArticleRow[]> {
  const { keys, externalIds, since, active, after, limit } = argumentsOf(query);
  return db.query(sql`select * from api.list_articles(${keys}::text[], ${since}::timestamptz,
    ${active}::boolean, ${after}::text, ${limit}::integer,
    ${externalIds}::text[])`);
}

export interface PartyRow extends Named {
  id: string;
  name: string;
  email: string | null;
  organization_number: string | null;
  vat_number: string | null;
  address: string | null;
  postal_code: string | null;
  city: string | null;
  country_code: string;
  phone: string | null;
  created_at: Date;
}

export interface CustomerRow extends PartyRow {
  payment_terms_days: number | null;
}

export function listCustomers(db: Db, query: RegisterQuery<string>): Promise<CustomerRow[]> {
  const { keys, externalIds, since, active, after, limit } = argumentsOf(query);
  return db.query(sql`select * from api.list_customers(${keys}::uuid[], ${since}::timestamptz,
    ${active}::boolean, ${after}::uuid, ${limit}::integer,
    ${externalIds}::text[])`);
}

export interface SupplierRow extends PartyRow {
  endpoint: string | null;
  account: number | null;
  payment_days: number | null;
}

export function listSuppliers(db: Db, query: RegisterQuery<string>): Promise<SupplierRow[]> {
  const { keys, externalIds, since, active, after, limit } = argumentsOf(query);
  return db.query(sql`select * from api.list_suppliers(${keys}::uuid[], ${since}::timestamptz,
    ${active}::boolean, ${after}::uuid, ${limit}::integer,
    ${externalIds}::text[])`);
}

/** What is as many as years, and changes as seldom. */
export type YearlyQuery = Pick<RegisterQuery<string>, 'keys' | 'limit' | 'after'>;

export interface SeriesRow {
  id: string;
  code: string;
  name: string;
  year: number;
  last_number: number;
}

export function listSeries(db: Db, { keys, limit, after }: YearlyQuery): Promise<SeriesRow[]> {
  return db.query(sql`select s.id, s.code, s.name, y.year, s.last_number
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where (${keys ?? null}::uuid[] is null or s.id = any (${keys ?? null}::uuid[]))
      and (${after ?? null}::uuid is null or s.id > ${after ?? null}::uuid)
    order by s.id limit ${limit + 1}::integer`);
}

export interface FiscalYearRow {
  id: string;
  year: number;
  start_date: string;
  end_date: string;
  status: string;
}

export function listFiscalYears(
  db: Db,
  { keys, limit, after }: YearlyQuery,
): Promise<FiscalYearRow[]> {
  return db.query(sql`select y.id, y.year, y.start_date, y.end_date, y.status from ledger.fiscal_years y
    where (${keys ?? null}::uuid[] is null or y.id = any (${keys ?? null}::uuid[]))
      and (${after ?? null}::uuid is null or y.id > ${after ?? null}::uuid)
    order by y.id limit ${limit + 1}::integer`);
}
