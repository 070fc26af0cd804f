import type { Db } from '../db/pool.ts';
import { join, prepared, type Sql, sql } from '../db/sql.ts';
import type { Place } from './cursor.ts';
import { type LedgerRow, rowArrays } from './ledger.ts';
import type { VoucherQuery } from './schemas.ts';

export interface ListedVoucher {
  /** The voucher in the contract's shape, as JSON text built by PostgreSQL. */
  json: string;
  date: string;
  series: string;
  number: number;
}

/** One voucher of alias `v` with its rows. Öre times 0.01 is exact: numeric, not binary. */
const voucherJson = sql`(select row_to_json(voucher) from (
  select v.id, v.number, v.series, v.verification_date, v.description, v.counterparty, v.source,
    (select json_agg(r) from (
      select r.row_no, r.account, r.debit_ore * 0.01 as debit, r.credit_ore * 0.01 as credit, r.note
      from ledger.voucher_rows r where r.voucher_id = v.id order by r.row_no) as r) as rows
  ) as voucher)::text`;

/**
 * At most `limit` + 1 vouchers after `place` in (date, series, number) order, which is unique: a
 * date lies in one fiscal year. Each combination of filters is its own statement, so that each gets
 * a plan that walks the right index and stops at the limit.
 */
export async function listVouchers(
  db: Db,
  query: VoucherQuery,
  place: Place | undefined,
): Promise<ListedVoucher[]> {
  const { from, to, serie, konto, id, limit } = query;
  const conditions: [string, Sql][] = [];
  if (from !== undefined) conditions.push(['from', sql`p.verification_date >= ${from}::date`]);
  if (to !== undefined) conditions.push(['to', sql`p.verification_date <= ${to}::date`]);
  if (serie !== undefined) conditions.push(['serie', sql`p.series = ${serie}`]);
  if (konto !== undefined) conditions.push(['konto', sql`p.account = ${konto}`]);
  if (id !== undefined)
    conditions.push(['id', konto === undefined ? sql`p.id = ${id}` : sql`p.voucher_id = ${id}`]);
  if (place) conditions.push(['after', after(place, serie !== undefined)]);

  const where =
    conditions.length === 0
      ? sql`true`
      : join(
          conditions.map(([, condition]) => condition),
          sql` and `,
        );
  const page =
    konto === undefined
      ? sql`select p.id from ledger.vouchers p where ${where}
            order by p.verification_date, p.series, p.number limit ${limit + 1}`
      : sql`select distinct on (p.verification_date, p.series, p.number) p.voucher_id as id
            from ledger.voucher_rows p where ${where}
            order by p.verification_date, p.series, p.number limit ${limit + 1}`;
  const name = `vouchers by ${conditions.map(([filter]) => filter).join(' ')}`;
  return db.query<ListedVoucher>(
    prepared(
      name,
      sql`select ${voucherJson} as json, v.verification_date as date, v.series, v.number
          from (${page}) as page join ledger.vouchers v on v.id = page.id
          order by v.verification_date, v.series, v.number`,
    ),
  );
}

/** Within one series its code need not be compared, and the index of that series serves alone. */
function after({ date, series, number }: Place, withinSeries: boolean): Sql {
  return withinSeries
    ? sql`(p.verification_date, p.number) > (${date}::date, ${number}::integer)`
    : sql`(p.verification_date, p.series, p.number) > (${date}::date, ${series}, ${number}::integer)`;
}

/** A voucher to post on behalf of a key, with what identifies the call. */
export interface PostItem {
  readonly keyHash: Buffer;
  readonly idempotencyKey: string;
  readonly requestHash: Buffer;
  readonly request: string;
  readonly requestId: string;
  readonly id: string;
  readonly series: string;
  readonly date: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly source: string;
  readonly rows: readonly LedgerRow[];
}

export interface PostOutcome {
  outcome:
    | 'posted'
    | 'replayed'
    | 'idempotency_conflict'
    | 'idempotency_in_progress'
    | 'unauthorized'
    | 'key_revoked'
    | 'insufficient_scope'
    | 'unprocessable'
    | 'period_locked';
  response: string | null;
  detail: Record<string, unknown> | null;
  first_request_id: string | null;
  first_seen_at: Date | null;
  first_request: string | null;
}

/**
 * Posts many calls' vouchers in one commit; each gets its own outcome, in order. A call that repeats
 * the Idempotency-Key of another among them is told that it is being processed, as the database says
 * of one in another transaction.
 */
export async function postVouchers(
  db: Db,
  items: readonly PostItem[],
  baseUrl: string,
): Promise<PostOutcome[]> {
  const firsts = new Map<string, PostItem>();
  for (const item of items) {
    const call = `${item.keyHash.toString('hex')} ${item.idempotencyKey}`;
    if (!firsts.has(call)) firsts.set(call, item);
  }
  const distinct = [...firsts.values()];
  const outcomes = await postDistinct(db, distinct, baseUrl);
  const byItem = new Map(distinct.map((item, index) => [item, outcomes[index] ?? inProgress]));
  return items.map((item) => byItem.get(item) ?? inProgress);
}

const inProgress: PostOutcome = {
  outcome: 'idempotency_in_progress',
  response: null,
  detail: null,
  first_request_id: null,
  first_seen_at: null,
  first_request: null,
};

function postDistinct(db: Db, items: readonly PostItem[], baseUrl: string): Promise<PostOutcome[]> {
  return db.query<PostOutcome>(
    prepared(
      'post vouchers',
      sql`select outcome, response, detail, first_request_id, first_seen_at, first_request
          from api.post_vouchers(
            ${items.map((item) => item.keyHash)}::bytea[],
            ${items.map((item) => item.idempotencyKey)}::text[],
            ${items.map((item) => item.requestHash)}::bytea[],
            ${items.map((item) => item.request)}::text[],
            ${baseUrl},
            ${items.map((item) => item.id)}::uuid[],
            ${items.map((item) => item.series)}::text[],
            ${items.map((item) => item.date)}::date[],
            ${items.map((item) => item.description)}::text[],
            ${items.map((item) => item.counterparty)}::text[],
            ${items.map((item) => item.source)}::text[],
            ${items.map((item) => item.requestId)}::uuid[],
            ${rowArrays(items)})
          order by item`,
    ),
  );
}
