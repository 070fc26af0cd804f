/** Suppliers, their invoices and what is suggested: what the intake worker and people's services use. */
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, type Sql, sql } from '../../db/sql.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import type { Prepayment } from '../../domain/purchases/prepayments.ts';
import type {
  InvoiceSeller,
  PayeeAccount,
  ReceivedInvoice,
} from '../../domain/purchases/received-invoice.ts';
import type { SupplyMark } from '../../domain/purchases/reverse-charge.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import type { CostAccount } from '../../domain/purchases/supplier-posting.ts';
import type { CompanyNumbers } from '../../domain/sales/receiver.ts';
import type { LedgerRow } from '../../ledger/vouchers/posting-store.ts';
import { type Fault, jsonOf, type Problem } from '../../lib/errors.ts';

export interface PurchaseRules extends CompanyNumbers {
  /** Where purchases go when neither supplier nor history says. */
  purchaseAccount: CostAccount;
  isBookedAutomatically: boolean;
}

/** An account with what it is to the VAT return; null when there is no number. */
const costAccount = (number: Sql): Sql => sql`(select json_build_object('number', n.number,
      'vatBox', a.vat_box, 'vatRate', a.vat_rate)
    from (values (${number})) as n (number) left join ledger.accounts a on a.number = n.number
    where n.number is not null)`;

export async function getPurchaseRules(tx: Tx): Promise<PurchaseRules> {
  const [rules] = await tx.query<PurchaseRules>(
    prepared(
      'purchase rules',
      sql`select organization_number as "organizationNumber", vat_number as "vatNumber",
            receiver_ids as "receiverIds",
            ${costAccount(sql`c.purchase_account`)} as "purchaseAccount",
            e_invoice_booking_is_automatic as "isBookedAutomatically"
          from restricted.company c`,
    ),
  );
  if (!rules) throw new Error('the installation has no company');
  return rules;
}

export interface Supplier {
  id: string;
  name: string;
  organizationNumber: string | null;
  vatNumber: string | null;
  endpoint: string | null;
  /** Its own, or that of its latest booked invoice; null when there is neither. */
  account: CostAccount | null;
  mark: SupplyMark;
  accounts: PayeeAccount[];
}

/** Of the supplier `s`. */
const supplyMark = sql`json_build_object('supply', s.supply, 'rate', s.reverse_charge_rate)`;

/** How a supplier's purchases are booked: its usual account and its mark; undefined of none. */
export async function findSupplierCoding(
  db: Db,
  supplierId: string,
): Promise<Pick<Supplier, 'account' | 'mark'> | undefined> {
  const [coding] = await db.query<Pick<Supplier, 'account' | 'mark'>>(
    sql`select ${costAccount(sql`usual.account`)} as account, ${supplyMark} as mark
        from purchases.suppliers s
        join purchases.usual_accounts(array[${supplierId}::uuid]) usual on usual.supplier_id = s.id`,
  );
  return coding;
}

/** Active suppliers that share a sign with any of the sellers; which one it is, `matchSupplier` decides. */
export function listSuppliersLike(
  tx: Tx,
  sellers: readonly InvoiceSeller[],
  accounts: readonly PayeeAccount[],
): Promise<Supplier[]> {
  const known = (values: readonly (string | null)[]): string[] => [
    ...new Set(values.filter((value) => value !== null)),
  ];
  return tx.query<Supplier>(
    prepared(
      'suppliers like',
      sql`with found as (
            select id from purchases.suppliers where organization_number
              = any (${known(sellers.map((seller) => seller.organizationNumber))}::text[])
            union select id from purchases.suppliers where vat_number
              = any (${known(sellers.map((seller) => seller.vatNumber))}::text[])
            union select id from purchases.suppliers where endpoint
              = any (${known(sellers.map((seller) => seller.endpoint))}::text[])
            union select a.supplier_id from purchases.supplier_accounts a
              join unnest(${accounts.map(({ kind }) => kind)}::text[],
                ${accounts.map(({ number }) => number)}::text[]) as g (kind, number)
                on a.kind = g.kind and a.number = g.number
          )
          select s.id, s.name, s.organization_number as "organizationNumber",
            s.vat_number as "vatNumber", s.endpoint,
            ${costAccount(sql`usual.account`)} as account, ${supplyMark} as mark,
            (select coalesce(json_agg(json_build_object('kind', a.kind, 'number', a.number,
                'bic', null)), '[]')
              from purchases.supplier_accounts a where a.supplier_id = s.id) as accounts
          from purchases.suppliers s
          join purchases.usual_accounts(array(select id from found)) usual on usual.supplier_id = s.id
          where s.is_active order by s.id`,
    ),
  );
}

/** Invoices with these numbers, from whomever: to see that one comes twice. */
export function listInvoicesNumbered(
  tx: Tx,
  numbers: readonly string[],
): Promise<{ supplier_id: string | null; seller: InvoiceSeller; invoice_number: string }[]> {
  return tx.query(
    prepared(
      'purchases numbered',
      sql`select supplier_id, seller, invoice_number from purchases.invoices
          where invoice_number = any (${numbers}::text[]) and status <> 'rejected'`,
    ),
  );
}

/** Booked prepayments of suppliers that no invoice but `exceptId` has deducted, by supplier. */
export async function listOpenPrepayments(
  tx: Tx,
  supplierIds: readonly string[],
  exceptId: string | null = null,
): Promise<Map<string, Prepayment[]>> {
  const found = await tx.query<{
    supplier_id: string;
    id: string;
    invoice_number: string;
    currency: string;
    payable_ore: bigint;
    rows: { account: number; ore: string }[];
  }>(
    prepared(
      'open prepayments',
      sql`select i.supplier_id, i.id, i.invoice_number, i.currency, i.payable_ore,
            (select json_agg(json_build_object('account', r.account,
                'ore', (r.debit_ore - r.credit_ore)::text) order by r.row_no)
              from purchases.invoice_rows r where r.invoice_id = i.id) as rows
          from purchases.invoices i
          where i.is_prepayment and i.supplier_id = any (${supplierIds}::uuid[])
            and i.status = 'booked' and i.kind = 'invoice' and not exists (
              select from purchases.invoices o where o.prepayment_ids <> '{}'
                and o.prepayment_ids @> array[i.id] and o.status <> 'rejected'
                and o.id is distinct from ${exceptId}::uuid)
          order by i.id`,
    ),
  );
  const bySupplier = new Map<string, Prepayment[]>();
  for (const one of found) {
    const { supplier_id: supplierId, id, invoice_number, currency, payable_ore, rows } = one;
    const prepayment = {
      id,
      invoiceNumber: invoice_number,
      currency,
      payableOre: payable_ore,
      rows: rows.map(({ account, ore }) => ({ account, ore: BigInt(ore) })),
    };
    bySupplier.set(supplierId, [...(bySupplier.get(supplierId) ?? []), prepayment]);
  }
  return bySupplier;
}

/** Which prepayments an invoice's suggested rows take back, and at which rate they are in kronor. */
export async function setSuggested(
  tx: Tx,
  purchaseId: string,
  {
    prepaymentIds,
    exchangeRateE6,
  }: { readonly prepaymentIds: readonly string[]; readonly exchangeRateE6: bigint | null },
): Promise<void> {
  await tx.query(sql`update purchases.invoices set prepayment_ids = ${prepaymentIds}::uuid[],
      exchange_rate_e6 = ${exchangeRateE6}
    where id = ${purchaseId}::uuid`);
}

export interface NewPurchase {
  readonly id: string;
  readonly documentId: string;
  readonly status: 'new' | 'review';
  readonly supplierId: string | null;
  readonly invoice: ReceivedInvoice;
  readonly warnings: readonly InboxWarning[];
  readonly rows: readonly PostingRow[];
  /** Booked prepayments that the rows take back. */
  readonly prepaymentIds: readonly string[];
  readonly files: readonly {
    readonly sha256: Buffer;
    readonly bytes: Buffer;
    readonly fileName: string;
    readonly mediaType: string;
  }[];
}

export async function insertPurchases(tx: Tx, purchases: readonly NewPurchase[]): Promise<void> {
  const column = <T>(value: (purchase: NewPurchase) => T): T[] => purchases.map(value);
  await tx.query(
    prepared(
      'insert purchases',
      sql`insert into purchases.invoices (id, document_id, status, kind, supplier_id, seller,
            invoice_number, issue_date, due_date, currency, net_ore, vat_ore, rounding_ore,
            prepaid_ore, payable_ore, payment, warnings, is_prepayment, prepayment_ids)
          select id, document_id, status, kind, supplier_id, seller, invoice_number, issue_date,
            due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore, payment,
            warnings, is_prepayment,
            array(select jsonb_array_elements_text(prepayment_ids)::uuid)
          from unnest(${column(({ id }) => id)}::uuid[],
            ${column(({ documentId }) => documentId)}::uuid[],
            ${column(({ status }) => status)}::text[],
            ${column(({ invoice }) => invoice.kind)}::text[],
            ${column(({ supplierId }) => supplierId)}::uuid[],
            ${column(({ invoice }) => JSON.stringify(invoice.seller))}::jsonb[],
            ${column(({ invoice }) => invoice.invoiceNumber)}::text[],
            ${column(({ invoice }) => invoice.issueDate)}::date[],
            ${column(({ invoice }) => invoice.dueDate)}::date[],
            ${column(({ invoice }) => invoice.currency)}::text[],
            ${column(({ invoice }) => invoice.totals.netOre)}::bigint[],
            ${column(({ invoice }) => invoice.totals.vatOre)}::bigint[],
            ${column(({ invoice }) => invoice.totals.roundingOre)}::bigint[],
            ${column(({ invoice }) => invoice.totals.prepaidOre)}::bigint[],
            ${column(({ invoice }) => invoice.totals.payableOre)}::bigint[],
            ${column(({ invoice }) => JSON.stringify(invoice.payment))}::jsonb[],
            ${column(({ warnings }) => JSON.stringify(warnings))}::jsonb[],
            ${column(({ invoice }) => invoice.isPrepayment)}::boolean[],
            ${column(({ prepaymentIds }) => JSON.stringify(prepaymentIds))}::jsonb[])
            as p (id, document_id, status, kind, supplier_id, seller, invoice_number, issue_date,
              due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore, payment,
              warnings, is_prepayment, prepayment_ids)`,
    ),
  );
  await insertRows(tx, purchases);
  await insertFiles(tx, purchases);
}

/** Rows of invoices that have none. */
async function insertRows(
  tx: Tx,
  invoices: readonly { readonly id: string; readonly rows: readonly LedgerRow[] }[],
): Promise<void> {
  const rows = invoices.flatMap((invoice) =>
    invoice.rows.map((row, index) => ({ invoiceId: invoice.id, rowNo: index + 1, ...row })),
  );
  if (rows.length === 0) return;
  await tx.query(
    prepared(
      'insert purchase rows',
      sql`insert into purchases.invoice_rows (invoice_id, row_no, account, debit_ore, credit_ore, note,
            cost_center_id, project_id)
          select * from unnest(${rows.map((row) => row.invoiceId)}::uuid[],
            ${rows.map((row) => row.rowNo)}::integer[], ${rows.map((row) => row.account)}::integer[],
            ${rows.map((row) => row.debitOre)}::bigint[], ${rows.map((row) => row.creditOre)}::bigint[],
            ${rows.map((row) => row.note ?? null)}::text[],
            ${rows.map((row) => row.costCenter ?? null)}::uuid[],
            ${rows.map((row) => row.project ?? null)}::uuid[])`,
    ),
  );
}

export async function replaceRows(tx: Tx, id: string, rows: readonly LedgerRow[]): Promise<void> {
  await tx.query(sql`delete from purchases.invoice_rows where invoice_id = ${id}::uuid`);
  await insertRows(tx, [{ id, rows }]);
}

async function insertFiles(tx: Tx, purchases: readonly NewPurchase[]): Promise<void> {
  const files = purchases.flatMap(({ id, files }) =>
    files.map((file) => ({ invoiceId: id, ...file })),
  );
  if (files.length === 0) return;
  await tx.query(sql`insert into archive.contents (sha256, bytes)
    select * from unnest(${files.map((file) => file.sha256)}::bytea[],
      ${files.map((file) => file.bytes)}::bytea[]) on conflict do nothing`);
  await tx.query(sql`insert into purchases.attachments (invoice_id, sha256, file_name, media_type)
    select * from unnest(${files.map((file) => file.invoiceId)}::uuid[],
      ${files.map((file) => file.sha256)}::bytea[], ${files.map((file) => file.fileName)}::text[],
      ${files.map((file) => file.mediaType)}::text[]) on conflict do nothing`);
}

/** Of the invoice `i`: a document of zero kronor, all through. */
export const isEmpty = sql`(i.net_ore, i.vat_ore, i.rounding_ore, i.prepaid_ore, i.payable_ore)
  = (0, 0, 0, 0, 0)`;

/** A purchase held until commit. */
export interface LockedPurchase {
  id: string;
  status: 'new' | 'review' | 'booked' | 'rejected';
  kind: 'invoice' | 'credit_note';
  supplier_id: string | null;
  supplier_name: string | null;
  seller: InvoiceSeller;
  invoice_number: string;
  issue_date: string;
  booking_date: string | null;
  currency: string;
  payable_ore: bigint;
  /** The document is of nothing at all: there is nothing to book. */
  is_empty: boolean;
  /** Another invoice that is booked has taken back a prepayment that this one would. */
  is_deducted_twice: boolean;
  open_ore: bigint;
  voucher_id: string | null;
  /** Written by a person, and no e-invoice. */
  is_by_hand: boolean;
  /** Where what is owed stands: 2440, or of an outlay the account of who laid it out. */
  debt_account: number;
  /** Who is to have their money back; null when it is the supplier's. */
  laid_out_by: string | null;
  payment: { accounts: PayeeAccount[] };
  /** With what each account is to the VAT return. */
  rows: {
    account: number;
    debit: string;
    credit: string;
    note: string | null;
    vatBox: string | null;
    vatRate: number | null;
    /** Ids. */
    costCenter: string | null;
    project: string | null;
  }[];
}

/** In id order; an id of none is left out. */
export function lockPurchases(tx: Tx, ids: readonly string[]): Promise<LockedPurchase[]> {
  return tx.query<LockedPurchase>(
    prepared(
      'lock purchases',
      sql`select i.id, i.status, i.kind, i.supplier_id, s.name as supplier_name, i.seller,
            i.invoice_number, i.issue_date, i.booking_date, i.currency, i.payable_ore, i.open_ore,
            i.voucher_id, i.payment, i.is_by_hand, i.debt_account, i.laid_out_by,
            ${isEmpty} as is_empty,
            i.prepayment_ids <> '{}' and exists (select from purchases.invoices o
              where o.prepayment_ids <> '{}' and o.prepayment_ids && i.prepayment_ids
                and o.status = 'booked' and o.id <> i.id) as is_deducted_twice,
            (select coalesce(json_agg(json_build_object('account', r.account,
                'debit', r.debit_ore::text, 'credit', r.credit_ore::text, 'note', r.note,
                'vatBox', a.vat_box, 'vatRate', a.vat_rate, 'costCenter', r.cost_center_id,
                'project', r.project_id) order by r.row_no), '[]')
              from purchases.invoice_rows r left join ledger.accounts a on a.number = r.account
              where r.invoice_id = i.id) as rows
          from purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id
          where i.id = any (${ids}::uuid[]) order by i.id for update of i`,
    ),
  );
}

export async function setSupplier(tx: Tx, id: string, supplierId: string): Promise<void> {
  await tx.query(sql`update purchases.invoices set supplier_id = ${supplierId}::uuid
    where id = ${id}::uuid`);
}

/** Without a voucher when there was nothing to post. */
export async function setBooked(
  tx: Tx,
  id: string,
  { voucherId, date }: { readonly voucherId: string | null; readonly date: string },
  actor: string,
): Promise<void> {
  await tx.query(
    sql`select purchases.book(${id}::uuid, ${voucherId}::uuid, ${date}::date, ${actor})`,
  );
}

export async function setRejected(
  tx: Tx,
  id: string,
  reason: string,
  actor: string,
): Promise<void> {
  await tx.query(sql`select purchases.reject(${id}::uuid, ${reason}, ${actor})`);
}

/** Why the latest attempt to book it came to nothing; stands on its page. */
export interface KeptRefusal {
  /** Those of before faults were kept are sentences. */
  readonly problems: readonly (Fault | Problem)[];
  /** Of a lock. */
  readonly earliest_allowed_date?: string;
}

export async function setBookingRefusal(tx: Tx, id: string, refusal: KeptRefusal): Promise<void> {
  await tx.query(sql`update purchases.invoices set booking_refusal = ${jsonOf(refusal)}::jsonb
    where id = ${id}::uuid`);
}

/** Those of the numbers that are accounts in use. */
export async function listActiveAccounts(
  db: Db,
  numbers: readonly number[],
): Promise<ReadonlySet<number>> {
  const active = await db.query<{ number: number }>(
    sql`select number from ledger.accounts
        where is_active and number = any (${numbers}::integer[])`,
  );
  return new Set(active.map(({ number }) => number));
}

/** A document that came and became no draft. */
export interface RefusedDocument {
  id: string;
  received_at: Date;
  /** Which key sent it. */
  key_name: string;
  /** Bytes, as far as the sender said. */
  size: number;
  reason: string;
  message: string | null;
}

/** Newest first. */
export function listRefused(db: Db, limit = 100): Promise<RefusedDocument[]> {
  return db.query(sql`select e.id, e.received_at, k.name as key_name, e.size::float8 as size, e.reason,
      e.detail ->> 'message' as message
    from intake.e_invoices e join restricted.api_keys k on k.id = e.key_id
    where e.status = 'rejected' order by e.received_at desc, e.id limit ${limit}::integer`);
}

export interface ListedPurchase {
  id: string;
  status: string;
  kind: string;
  supplier: string;
  invoice_number: string;
  issue_date: string;
  due_date: string | null;
  currency: string;
  payable_ore: bigint;
  open_ore: bigint;
  warnings: InboxWarning[];
}

/** What every list of purchases tells. */
const listed = sql`i.id, i.status, i.kind, coalesce(s.name, i.seller ->> 'name') as supplier,
  i.invoice_number, i.issue_date, i.due_date, i.currency, i.payable_ore, i.open_ore, i.warnings`;
const withSupplier = sql`purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id`;

/** The inbox: what waits for a person first, newest first. */
export function listPurchases(
  db: Db,
  { status = null, limit = 100 }: { status?: string | null; limit?: number } = {},
): Promise<ListedPurchase[]> {
  return db.query(sql`select ${listed} from ${withSupplier}
    where ${status}::text is null or i.status = ${status}
    order by i.status in ('new', 'review') desc, i.created_at desc, i.id limit ${limit}::integer`);
}

export interface ShownPurchase extends ListedPurchase {
  /** Why the latest attempt to book it was refused; null when none was. */
  booking_refusal: KeptRefusal | null;
  /** Amounts in kronor, as text with two decimals. */
  rows: { account: number; debit: string; credit: string; note: string | null }[];
}

export async function getPurchase(db: Db, id: string): Promise<ShownPurchase | undefined> {
  const [purchase] = await db.query<ShownPurchase>(sql`select ${listed}, i.booking_refusal,
      (select coalesce(json_agg(json_build_object('account', r.account,
          'debit', to_char(r.debit_ore / 100.0, 'FM9999999990.00'),
          'credit', to_char(r.credit_ore / 100.0, 'FM9999999990.00'), 'note', r.note)
          order by r.row_no), '[]')
        from purchases.invoice_rows r where r.invoice_id = i.id) as rows
    from ${withSupplier} where i.id = ${id}::uuid`);
  return purchase;
}

/** The document that a purchase came as; undefined when there is no such purchase. */
export async function findDocument(
  db: Db,
  id: string,
): Promise<{ raw: Buffer; warnings: InboxWarning[] } | undefined> {
  const [found] = await db.query<{ raw: Buffer; warnings: InboxWarning[] }>(
    sql`select e.raw, i.warnings from purchases.invoices i
        join intake.e_invoices e on e.id = i.document_id where i.id = ${id}::uuid`,
  );
  return found;
}
