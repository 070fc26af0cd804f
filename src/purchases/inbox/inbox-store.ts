/** The supplier inbox as people see it: purchases, and documents that became none. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';
import type { InvoiceSeller, PaymentInstruction } from '../../domain/purchases/received-invoice.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { isEmpty, type KeptRefusal } from './store.ts';

export type PurchaseTab = 'action' | 'new' | 'booked' | 'outlays' | 'rejected' | 'all';

export interface InboxQuery {
  readonly tab: PurchaseTab;
  readonly invoiceNumber: string | null;
  /** Whose outlays; all there is when null. */
  readonly laidOutBy: string | null;
  /** The last item of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** A purchase in the list. */
export interface InboxPurchase {
  id: string;
  status: 'new' | 'review' | 'booked' | 'rejected';
  kind: 'invoice' | 'credit_note';
  supplier: string;
  invoice_number: string;
  issue_date: string;
  due_date: string | null;
  currency: string;
  payable_ore: bigint;
  open_ore: bigint;
  warnings: number;
  has_fatal: boolean;
  is_refused: boolean;
  /** Of an outlay, who made it. */
  laid_out_by: string | null;
  is_by_hand: boolean;
}

const purchaseIn: Record<PurchaseTab, ReturnType<typeof sql>> = {
  action: sql`i.status in ('new', 'review')`,
  new: sql`i.status in ('new', 'review') and i.status = 'new' and i.booking_refusal is null`,
  booked: sql`i.status = 'booked'`,
  outlays: sql`i.laid_out_by is not null and i.status <> 'rejected'`,
  rejected: sql`i.status = 'rejected'`,
  all: sql`true`,
};

/** Newest first; one more than `limit` when there is another page. */
export function listInboxPurchases(db: Db, query: InboxQuery): Promise<InboxPurchase[]> {
  const { tab, invoiceNumber, laidOutBy, before, limit } = query;
  return db.query(sql`select i.id, i.status, i.kind, coalesce(s.name, i.seller ->> 'name') as supplier,
      i.invoice_number, i.issue_date, i.due_date, i.currency, i.payable_ore, i.open_ore,
      jsonb_array_length(i.warnings) as warnings,
      i.warnings @> '[{"level": "fatal"}]' as has_fatal, i.booking_refusal is not null as is_refused,
      i.laid_out_by, i.is_by_hand
    from purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id
    where ${purchaseIn[tab]}${before === null ? sql`` : sql` and i.id < ${before}::uuid`}
      ${invoiceNumber === null ? sql`` : sql`and i.invoice_number = ${invoiceNumber}`}
      ${laidOutBy === null ? sql`` : sql`and i.laid_out_by = ${laidOutBy}`}
    order by i.id desc limit ${limit + 1}::integer`);
}

/** A document that came and is no purchase: refused, or not yet judged. */
export interface InboxDocument {
  id: string;
  received_at: Date;
  status: 'received' | 'rejected';
  reason: string | null;
  message: string | null;
  sender: string | null;
  size: bigint;
  /** Should have been judged long ago: its job is lost. */
  is_stuck: boolean;
  /** The purchase that the same content became, when it came again. */
  draft_id: string | null;
}

const becameOf = sql`(select d.draft_id from intake.e_invoices d
  where d.sha256 = e.sha256 and d.status = 'draft')`;

/** A document `e` that a worker should have judged by now. */
export const isStuck = sql`e.status = 'received' and e.queued_at < now() - interval '5 minutes'`;

const documentIn: Record<PurchaseTab, ReturnType<typeof sql> | null> = {
  action: isStuck,
  new: null,
  booked: null,
  outlays: null,
  rejected: sql`e.status = 'rejected'`,
  all: sql`e.status <> 'draft'`,
};

export async function listInboxDocuments(db: Db, query: InboxQuery): Promise<InboxDocument[]> {
  const { tab, invoiceNumber, before, limit } = query;
  const condition = documentIn[tab];
  // What could not be read has no number to be found by.
  if (condition === null || invoiceNumber !== null) return [];
  return db.query(sql`select e.id, e.received_at, e.status, e.reason, e.detail ->> 'message' as message,
      app.key_name(e.key_id) as sender, e.size, ${isStuck} as is_stuck,
      ${becameOf} as draft_id
    from intake.e_invoices e where e.status <> 'draft' and ${condition}
      ${before === null ? sql`` : sql`and e.id < ${before}::uuid`}
    order by e.id desc limit ${limit + 1}::integer`);
}

export interface RefusedPage extends InboxDocument {
  detail: { message?: string; line?: number; column?: number } | null;
  /** Null for what was too large to be kept. */
  raw: Buffer | null;
  sha256: string | null;
  request_id: string;
}

/** A document that became no purchase; of one that has become one since, only that. */
export async function findDocument(
  db: Db,
  id: string,
): Promise<RefusedPage | { status: 'draft'; draft_id: string; raw: null } | undefined> {
  const [document] = await db.query<RefusedPage | { status: 'draft'; draft_id: string; raw: null }>(
    sql`select e.id, e.received_at, e.status, e.reason,
      e.detail ->> 'message' as message, app.key_name(e.key_id) as sender, e.size, ${isStuck} as is_stuck,
      ${becameOf} as draft_id, e.detail, case when e.status <> 'draft' then e.raw end as raw,
      encode(e.sha256, 'hex') as sha256, e.request_id
    from intake.e_invoices e where e.id = ${id}::uuid`,
  );
  return document;
}

export interface PurchasePage {
  id: string;
  status: 'new' | 'review' | 'booked' | 'rejected';
  kind: 'invoice' | 'credit_note';
  supplier_id: string | null;
  supplier_name: string | null;
  seller: InvoiceSeller;
  invoice_number: string;
  issue_date: string;
  due_date: string | null;
  currency: string;
  /** Kronor for one of the currency, in millionths; null of kronor, and where somebody coded it in kronor. */
  exchange_rate_e6: bigint | null;
  payable_ore: bigint;
  /** The document is of nothing at all. */
  is_empty: boolean;
  open_ore: bigint;
  payment: PaymentInstruction;
  warnings: InboxWarning[];
  booking_date: string | null;
  booking_refusal: KeptRefusal | null;
  rejection: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  voucher_id: string | null;
  voucher: string | null;
  rows: { account: number; debit: string; credit: string; note: string | null }[];
  /** A person has written it; then there is no document but files. */
  is_by_hand: boolean;
  written_by: string | null;
  created_at: Date;
  /** Where what is owed stands, and of an outlay who is to have it. */
  debt_account: number;
  laid_out_by: string | null;
  /** Null of what was taken over with the opening balance or written by hand: then there is no document. */
  raw: Buffer | null;
  sha256: string | null;
  received_at: Date | null;
  sender: string | null;
  request_id: string | null;
}

/** A purchase with its document. Amounts of rows are öre, as text. */
export async function findPurchase(db: Db, id: string): Promise<PurchasePage | undefined> {
  const [purchase] = await db.query<PurchasePage>(sql`select i.id, i.status, i.kind, i.supplier_id,
      s.name as supplier_name, i.seller, i.invoice_number, i.issue_date, i.due_date, i.currency,
      i.exchange_rate_e6, i.payable_ore, ${isEmpty} as is_empty, i.open_ore, i.payment, i.warnings, i.booking_date, i.booking_refusal, i.rejection,
      i.decided_at, i.decided_by, i.is_by_hand, i.written_by, i.created_at, i.debt_account, i.laid_out_by,
      i.voucher_id, v.series || v.number as voucher,
      (select coalesce(json_agg(json_build_object('account', r.account, 'debit', r.debit_ore::text,
          'credit', r.credit_ore::text, 'note', r.note) order by r.row_no), '[]')
        from purchases.invoice_rows r where r.invoice_id = i.id) as rows,
      e.raw, encode(e.sha256, 'hex') as sha256, e.received_at, app.key_name(e.key_id) as sender,
      e.request_id
    from purchases.invoices i left join intake.e_invoices e on e.id = i.document_id
    left join purchases.suppliers s on s.id = i.supplier_id
    left join ledger.vouchers v on v.id = i.voucher_id
    where i.id = ${id}::uuid`);
  return purchase;
}

/** The document's bytes. Throws 404 for what was taken over with the opening balance. */
export function bytesOf({ raw }: Pick<PurchasePage, 'raw'>): Buffer {
  if (raw) return raw;
  throw refuseWhole('not_found', 'purchase_without_document');
}

export interface PurchaseFile {
  /** Hexadecimal. */
  sha256: string;
  file_name: string;
  media_type: string;
  size: number;
}

export function listPurchaseFiles(db: Db, purchaseId: string): Promise<PurchaseFile[]> {
  return db.query(sql`select encode(a.sha256, 'hex') as sha256, a.file_name, a.media_type,
      octet_length(c.bytes) as size
    from purchases.attachments a join archive.contents c using (sha256)
    where a.invoice_id = ${purchaseId}::uuid order by a.file_name, a.sha256`);
}

/** A file that came inside the purchase's document; of no other. */
export async function findPurchaseFile(
  db: Db,
  purchaseId: string,
  sha256: string,
): Promise<(Pick<PurchaseFile, 'file_name' | 'media_type'> & { bytes: Buffer }) | undefined> {
  const [file] = await db.query<{ file_name: string; media_type: string; bytes: Buffer }>(
    sql`select a.file_name, a.media_type, c.bytes
        from purchases.attachments a join archive.contents c using (sha256)
        where a.invoice_id = ${purchaseId}::uuid and a.sha256 = decode(${sha256}, 'hex')`,
  );
  return file;
}

export interface ShownPurchasePayment {
  paid_on: string;
  kind: SettlementKind | 'set_off';
  amount_ore: bigint;
  account: number;
  voucher_id: string;
  voucher: string;
}

export function listPurchasePayments(db: Db, purchaseId: string): Promise<ShownPurchasePayment[]> {
  return db.query(sql`select p.paid_on, p.kind, p.amount_ore, p.account, p.voucher_id,
      v.series || v.number as voucher
    from purchases.payments p join ledger.vouchers v on v.id = p.voucher_id
    where p.invoice_id = ${purchaseId}::uuid order by p.paid_on, p.id`);
}

export interface PairedInvoice {
  id: string;
  invoice_number: string;
  is_prepayment: boolean;
}

/** The prepayment invoices that a purchase takes back, and the final invoices that take it back. */
export function listPaired(db: Db, id: string): Promise<PairedInvoice[]> {
  return db.query(sql`select i.id, i.invoice_number, i.is_prepayment from purchases.invoices i
    where i.id = any ((select prepayment_ids from purchases.invoices where id = ${id}::uuid)::uuid[])
    union all
    select o.id, o.invoice_number, false from purchases.invoices o
    where o.prepayment_ids <> '{}' and o.prepayment_ids @> array[${id}::uuid]
      and o.status <> 'rejected'
    order by id`);
}

export interface Namesake {
  id: string;
  status: PurchasePage['status'];
  issue_date: string;
  currency: string;
  payable_ore: bigint;
}

/** Other documents with the same number from the same seller, by supplier or by the seller's own numbers. */
export function listNamesakes(
  db: Db,
  { id, invoice_number, supplier_id, seller }: PurchasePage,
): Promise<Namesake[]> {
  return db.query(sql`select i.id, i.status, i.issue_date, i.currency, i.payable_ore
    from purchases.invoices i
    where i.invoice_number = ${invoice_number} and i.id <> ${id}::uuid
      and (i.supplier_id = ${supplier_id}::uuid
        or i.seller ->> 'organizationNumber' = ${seller.organizationNumber}
        or i.seller ->> 'vatNumber' = ${seller.vatNumber}
        or i.seller ->> 'endpoint' = ${seller.endpoint})
    order by i.id limit 20`);
}

export interface SupplierChoice {
  id: string;
  name: string;
  organization_number: string | null;
  vat_number: string | null;
}

/** Active suppliers to choose among, those whose name has the text; by name. */
export function listSupplierChoices(
  db: Db,
  search: string,
  limit: number,
): Promise<SupplierChoice[]> {
  return db.query(sql`select id, name, organization_number, vat_number from purchases.suppliers
    where is_active and (${search} = '' or strpos(lower(name), lower(${search})) > 0)
    order by name, id limit ${limit}::integer`);
}

/** The account a supplier's purchases are usually booked on, with its name; undefined without history. */
export async function findUsualAccount(
  db: Db,
  supplierId: string,
): Promise<{ number: number; name: string } | undefined> {
  const [account] = await db.query<{ number: number; name: string }>(
    sql`select a.number, a.name from purchases.usual_accounts(array[${supplierId}::uuid]) u
        join ledger.accounts a on a.number = u.account and a.is_active`,
  );
  return account;
}

/** Accounts that rows may stand on, by number. */
export function listPostingAccounts(db: Db): Promise<{ number: number; name: string }[]> {
  return db.query(sql`select number, name from ledger.accounts where is_active order by number`);
}
