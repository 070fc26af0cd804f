/** All about one voucher: its rows, what it belongs to, what has happened to it, and what locks it. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuseWhole } from '../../lib/errors.ts';

export interface VoucherDetail {
  id: string;
  series: string;
  series_name: string;
  number: number;
  date: string;
  year: number;
  description: string;
  counterparty: string | null;
  source: string;
  total_ore: bigint;
  posted_at: Date;
  posted_by: string;
  request_id: string | null;
  /** Seals the series up to and including this voucher, hexadecimal. */
  hash: string;
  touches_vat: boolean;
  /** Whether the system holds its document by what has become of it (`ledger.held_documents`). */
  has_held_document: boolean;
}

/** Throws 404 when there is none. */
export async function getVoucher(db: Db, id: string): Promise<VoucherDetail> {
  const [voucher] = await db.query<VoucherDetail>(
    sql`select v.id, v.series, s.name as series_name, v.number, v.verification_date as date, y.year,
          v.description, v.counterparty, v.source, v.total_ore, v.posted_at, v.posted_by,
          v.request_id, encode(v.hash, 'hex') as hash,
          exists (select from ledger.voucher_rows r
            where r.voucher_id = v.id
              and (r.vat_code is not null or ledger.is_vat_account(r.account))) as touches_vat,
          exists (select from ledger.held_documents h where h.voucher_id = v.id) as has_held_document
        from ledger.vouchers v join ledger.series s on s.id = v.series_id
        join ledger.fiscal_years y on y.id = s.fiscal_year_id
        where v.id = ${id}::uuid`,
  );
  if (!voucher) throw refuseWhole('not_found', 'no_voucher');
  return voucher;
}

export interface DetailRow {
  row_no: number;
  account: number;
  account_name: string;
  debit_ore: bigint;
  credit_ore: bigint;
  note: string | null;
  cost_center_id: string | null;
  cost_center: string | null;
  project_id: string | null;
  project: string | null;
  /** As sealed: the row's own, or its account's of the moment when it was posted. */
  vat_code: string | null;
  /** What a row without a code of its own would get now. */
  account_vat_code: string | null;
}

export function listVoucherRows(db: Db, voucherId: string): Promise<DetailRow[]> {
  return db.query(sql`select r.row_no, r.account, a.name as account_name, r.debit_ore, r.credit_ore,
      r.note, r.cost_center_id, c.code || ' ' || c.name as cost_center,
      r.project_id, p.code || ' ' || p.name as project, r.vat_code, a.vat_code as account_vat_code
    from ledger.voucher_rows r join ledger.accounts a on a.number = r.account
    left join ledger.dimensions c on c.id = r.cost_center_id
    left join ledger.dimensions p on p.id = r.project_id
    where r.voucher_id = ${voucherId}::uuid order by r.row_no`);
}

const documentKinds = [
  'invoice',
  'credit_note',
  'payment',
  'reminder',
  'purchase',
  'purchase_payment',
  'bank_transaction',
  'accrual',
] as const;

/** What a voucher books; a document once, in however many parts it is paid (money, fee, exchange). */
export interface VoucherDocument {
  kind: (typeof documentKinds)[number];
  /** Of the invoice, purchase or accrual, or of the bank transaction itself. */
  id: string;
  number: string;
  counterparty: string;
}

export function listDocuments(db: Db, voucherId: string): Promise<VoucherDocument[]> {
  return db.query(sql`
    select i.kind, i.id, i.number::text, i.debtor ->> 'name' as counterparty
    from sales.invoices i where i.voucher_id = ${voucherId}::uuid
    union all
    select distinct 'payment', i.id, i.number::text, i.debtor ->> 'name'
    from sales.payments p join sales.invoices i on i.id = p.invoice_id
    where p.voucher_id = ${voucherId}::uuid
    union all
    select 'reminder', i.id, i.number::text, i.debtor ->> 'name'
    from sales.reminders r join sales.invoices i on i.id = r.invoice_id
    where r.voucher_id = ${voucherId}::uuid
    union all
    select 'reminder', i.id, i.number::text, i.debtor ->> 'name'
    from sales.withdrawn_fees w join sales.invoices i on i.id = w.invoice_id
    where w.voucher_id = ${voucherId}::uuid
    union all
    select 'purchase', i.id, i.invoice_number, i.seller ->> 'name'
    from purchases.invoices i where i.voucher_id = ${voucherId}::uuid
    union all
    select distinct 'purchase_payment', i.id, i.invoice_number, i.seller ->> 'name'
    from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
    where p.voucher_id = ${voucherId}::uuid
    union all
    select 'bank_transaction', t.id, t.booked_on::text, t.description
    from bank.transactions t where t.voucher_id = ${voucherId}::uuid
    union all
    select 'accrual', a.id, a.description, ''
    from ledger.accrual_postings p join ledger.accruals a on a.id = p.accrual_id
    where p.voucher_id = ${voucherId}::uuid`);
}

export interface VoucherLock {
  readonly lock: 'fiscal_year' | 'period' | 'vat';
  readonly locked_to: string;
  readonly earliest_allowed_date: string;
}

/** What stops vouchers of this date, null when nothing does. */
export async function findLock(
  db: Db,
  date: string,
  touchesVat: boolean,
): Promise<VoucherLock | null> {
  const [found] = await db.query<{ lock: VoucherLock | null }>(
    sql`select ledger.find_lock(${date}::date, ${touchesVat}) as lock`,
  );
  return found?.lock ?? null;
}

export interface Deed {
  action: string;
  actor: string;
  occurred_at: Date;
  detail: Record<string, unknown>;
}

/** What has been written down about a subject, in order. */
export function listDeeds(db: Db, subject: string): Promise<Deed[]> {
  return db.query(sql`select e.action, e.actor, e.occurred_at, e.detail from audit.events e
    where e.subject = ${subject} order by e.occurred_at, e.id limit 200`);
}

/** Who locked it and when; undefined when that was never written down. */
export async function lastLocked(
  db: Db,
  { lock, locked_to }: VoucherLock,
  year: number,
): Promise<Deed | undefined> {
  const [action, subject] =
    lock === 'fiscal_year' ? ['fiscal_year.closed', String(year)] : [`lock.${lock}`, locked_to];
  return (await listDeeds(db, subject)).filter((deed) => deed.action === action).at(-1);
}
