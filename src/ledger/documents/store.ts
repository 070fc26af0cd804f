/** Documents that came before their voucher was known, and where each may belong. */
import type { Db, Tx } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { matchDays } from '../../domain/ledger/document-match.ts';
import { refuseWhole } from '../../lib/errors.ts';

export interface KeptDocument {
  id: string;
  file_name: string;
  media_type: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  document_date: string | null;
  amount_ore: Ore | null;
  counterparty: string | null;
  /** Why nobody is to look for its voucher; null while somebody is. */
  set_aside: string | null;
  /** When it came to a voucher or a supplier's invoice; null while it waits. */
  filed_at: Date | null;
  created_at: Date;
  created_by: string;
}

export type DocumentTab = 'waiting' | 'set_aside' | 'filed';

const tabs: Readonly<Record<DocumentTab, Sql>> = {
  waiting: sql`d.filed_at is null and d.set_aside is null`,
  set_aside: sql`d.filed_at is null and d.set_aside is not null`,
  filed: sql`d.filed_at is not null`,
};
const columns = sql`d.id, d.file_name, d.media_type, octet_length(c.bytes) as size,
  encode(d.sha256, 'hex') as sha256, d.document_date, d.amount_ore, d.counterparty, d.set_aside, d.filed_at,
  d.created_at, d.created_by`;

/** The latest first; those before an id, when one is given. */
export function listKeptDocuments(
  db: Db,
  {
    tab,
    before = null,
    limit,
  }: { readonly tab: DocumentTab; readonly before?: string | null; readonly limit: number },
): Promise<KeptDocument[]> {
  return db.query(sql`select ${columns}
    from (select * from ledger.documents d where ${tabs[tab]}
        and (${before}::uuid is null or d.id < ${before}::uuid)
      order by d.id desc limit ${limit}::integer) as d
    join archive.contents c using (sha256) order by d.id desc`);
}

/** Throws 404 when there is none. */
export async function getKeptDocument(db: Db, id: string): Promise<KeptDocument> {
  const [found] = await db.query<KeptDocument>(
    sql`select ${columns} from ledger.documents d join archive.contents c using (sha256)
        where d.id = ${id}::uuid`,
  );
  if (!found) throw refuseWhole('not_found', 'no_document');
  return found;
}

/** The document that waits after this one in the order of the inbox; from its end, the first there. */
export async function findWaitingAfter(
  db: Db,
  id: string,
): Promise<{ id: string; file_name: string } | undefined> {
  const [next] = await db.query<{ id: string; file_name: string }>(
    sql`select d.id, d.file_name from ledger.documents d
      where ${tabs.waiting}
      order by d.id < ${id}::uuid desc, d.id desc limit 1`,
  );
  return next;
}

export async function findByContent(db: Db, sha256: Buffer): Promise<{ id: string } | undefined> {
  const [found] = await db.query<{ id: string }>(
    sql`select id from ledger.documents where sha256 = ${sha256}`,
  );
  return found;
}

/** The file itself. Throws 404 when there is none. */
export async function readKeptFile(
  db: Db,
  id: string,
): Promise<{ file_name: string; media_type: string; bytes: Buffer }> {
  const [found] = await db.query<{ file_name: string; media_type: string; bytes: Buffer }>(
    sql`select d.file_name, d.media_type, c.bytes
        from ledger.documents d join archive.contents c using (sha256) where d.id = ${id}::uuid`,
  );
  if (!found) throw refuseWhole('not_found', 'no_document');
  return found;
}

export interface DocumentDescription {
  readonly date: string | null;
  readonly amountOre: Ore | null;
  readonly counterparty: string | null;
}

/** False when its content is a document already. */
export async function insertKeptDocument(
  tx: Tx,
  document: DocumentDescription & {
    readonly id: string;
    readonly sha256: Buffer;
    readonly fileName: string;
    readonly mediaType: string;
  },
  actor: string,
): Promise<boolean> {
  const { id, sha256, fileName, mediaType, date, amountOre, counterparty } = document;
  const [added] = await tx.query(
    sql`insert into ledger.documents (id, sha256, file_name, media_type, document_date, amount_ore,
          counterparty, created_by)
        values (${id}, ${sha256}, ${fileName}, ${mediaType}, ${date}::date, ${amountOre}::bigint,
          ${counterparty}, ${actor})
        on conflict (sha256) do nothing returning id`,
  );
  return added !== undefined;
}

export async function updateDescription(
  tx: Tx,
  id: string,
  { date, amountOre, counterparty }: DocumentDescription,
): Promise<void> {
  await tx.query(sql`update ledger.documents set document_date = ${date}::date,
    amount_ore = ${amountOre}::bigint, counterparty = ${counterparty} where id = ${id}::uuid`);
}

/** Null takes it up again. */
export async function updateSetAside(tx: Tx, id: string, reason: string | null): Promise<void> {
  await tx.query(sql`update ledger.documents set set_aside = ${reason} where id = ${id}::uuid`);
}

/** A voucher, or a supplier's invoice that is not booked, that a document is on or may belong to. */
export interface DocumentPlace {
  document_id: string;
  kind: 'voucher' | 'purchase';
  id: string;
  /** `A17`, or the invoice's number. */
  label: string;
  date: string;
  description: string;
}

/** Where documents are, by the order they came there. */
export function listPlacesOf(db: Db, ids: readonly string[]): Promise<DocumentPlace[]> {
  return db.query(sql`select d.id as document_id, 'voucher' as kind, v.id, v.series || v.number as label,
      v.verification_date as date, v.description
    from ledger.documents d join ledger.attachments a using (sha256) join ledger.vouchers v on v.id = a.voucher_id
    where d.id = any (${ids}::uuid[])
    union all
    select d.id, 'purchase', i.id, i.invoice_number, i.issue_date, coalesce(s.name, i.seller ->> 'name', '')
    from ledger.documents d join purchases.attachments a using (sha256)
    join purchases.invoices i on i.id = a.invoice_id left join purchases.suppliers s on s.id = i.supplier_id
    where d.id = any (${ids}::uuid[])
    order by date, label`);
}

/** Of each day so many vouchers are looked at, the latest first: nobody waits for a list of a million. */
const vouchersLookedAt = 5_000;
const placesMax = 6;

const isNear = (day: Sql): Sql => sql`${day} between d.document_date - ${matchDays}::integer
  and d.document_date + ${matchDays}::integer`;

/**
 * Where documents that wait may belong: vouchers without a document and unbooked invoices of suppliers, of
 * the document's amount (all of it, or a row's) and near its day. At most a handful each.
 */
export function listPossiblePlaces(db: Db, ids: readonly string[]): Promise<DocumentPlace[]> {
  return db.query(sql`select d.id as document_id, p.* from ledger.documents d cross join lateral (
      (select 'voucher' as kind, v.id, v.series || v.number as label, v.verification_date as date, v.description
        from (select * from ledger.vouchers v where ${isNear(sql`v.verification_date`)}
          order by v.verification_date desc limit ${vouchersLookedAt}::integer) as v
        where ledger.wants_document(v.source, v.id) and v.total_ore >= d.amount_ore
          and (v.total_ore = d.amount_ore or exists (select from ledger.voucher_rows r
            where r.voucher_id = v.id and d.amount_ore in (r.debit_ore, r.credit_ore)))
          and not exists (select from ledger.attachments a where a.voucher_id = v.id)
        order by abs(v.verification_date - d.document_date), v.verification_date, v.series, v.number
        limit ${placesMax}::integer)
      union all
      (select 'purchase', i.id, i.invoice_number, i.issue_date, coalesce(s.name, i.seller ->> 'name', '')
        from purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id
        where i.status in ('new', 'review') and i.currency = 'SEK' and abs(i.payable_ore) = d.amount_ore
          and ${isNear(sql`i.issue_date`)}
          and not exists (select from purchases.attachments a where a.invoice_id = i.id)
        order by abs(i.issue_date - d.document_date), i.id limit ${placesMax}::integer)) as p
    where d.id = any (${ids}::uuid[]) and ${tabs.waiting}
    order by d.id, abs(p.date - d.document_date), p.label`);
}

/** The days of other documents that wait, of the same amount and no farther off than two of the same place. */
export async function listRivals(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await db.query<{ id: string; dates: string[] }>(
    sql`select w.id, array_agg(d.document_date::text) as dates
        from ledger.documents w join ledger.documents d on d.amount_ore = w.amount_ore and d.id <> w.id
          and d.document_date between w.document_date - ${2 * matchDays}::integer
            and w.document_date + ${2 * matchDays}::integer
        where w.id = any (${ids}::uuid[]) and ${tabs.waiting} group by w.id`,
  );
  return new Map(found.map(({ id, dates }) => [id, dates]));
}

/** Documents that wait and may belong to a voucher: of its amount, or of a row's, and near its day. */
export function listWaitingFor(db: Db, voucherId: string, limit: number): Promise<KeptDocument[]> {
  return db.query(sql`select ${columns} from ledger.documents d join archive.contents c using (sha256)
    where ${tabs.waiting} and d.id in (
      select d.id from ledger.vouchers v
      cross join lateral (select v.total_ore as ore union select r.debit_ore + r.credit_ore
        from ledger.voucher_rows r where r.voucher_id = v.id) as amount
      join ledger.documents d on d.amount_ore = amount.ore and ${tabs.waiting}
      where v.id = ${voucherId}::uuid and ${isNear(sql`v.verification_date`)})
    order by d.document_date, d.id limit ${limit}::integer`);
}

/** Of a supplier's invoice, whether it is booked and on which voucher; undefined when there is none. */
export async function holdPurchase(
  tx: Tx,
  id: string,
): Promise<{ status: string; voucher_id: string | null } | undefined> {
  const [found] = await tx.query<{ status: string; voucher_id: string | null }>(
    sql`select status, voucher_id from purchases.invoices where id = ${id}::uuid for share`,
  );
  return found;
}

export async function insertOnPurchase(
  tx: Tx,
  purchaseId: string,
  { sha256, file_name, media_type }: KeptDocument,
): Promise<void> {
  await tx.query(sql`insert into purchases.attachments (invoice_id, sha256, file_name, media_type)
    values (${purchaseId}::uuid, decode(${sha256}, 'hex'), ${file_name}, ${media_type})
    on conflict do nothing`);
}
