/** Everything about one customer invoice: for a page that shows it, and for forms that begin with it. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';
import type { InterestTerms } from '../../domain/sales/interest-start.ts';
import type { InvoiceKind } from '../../domain/sales/invoice.ts';
import type { LedgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { refuseWhole } from '../../lib/errors.ts';

type Text = string | null;

export interface InvoiceFacts {
  id: string;
  kind: InvoiceKind;
  status: string;
  source: 'order' | 'api' | 'app' | 'opening';
  number: number | null;
  ocr: Text;
  customer_id: string;
  customer_name: string;
  invoice_date: string;
  delivery_date: Text;
  due_date: string;
  payment_terms_days: number;
  prices_include_vat: boolean;
  your_reference: Text;
  notes: Text;
  debtor: Readonly<Record<string, Text>>;
  /** Which of an order's debtor's facts came from the customer register. */
  debtor_filled: readonly string[];
  /** Who has confirmed sales without VAT that the buyer's facts speak against. */
  vat_confirmed_by: Text;
  net_ore: bigint;
  vat_ore: bigint;
  rounding_ore: bigint;
  total_ore: bigint;
  /** What the buyer pays in; amounts are in kronor. */
  currency: string;
  /** Kronor for one of the currency, in millionths; null in kronor. */
  exchange_rate_e6: bigint | null;
  /** The total in hundredths of the currency; null in kronor. */
  currency_total: bigint | null;
  /** Of one taken over when part of it was settled before; else null. */
  original_total_ore: bigint | null;
  open_ore: bigint;
  /** By booked credit notes. */
  credited_ore: bigint;
  /** What stands as a confirmed loss. */
  lost_ore: bigint;
  booking_refusal: {
    readonly error: LedgerRefusal;
    readonly detail: Record<string, unknown>;
  } | null;
  voucher_id: Text;
  /** As in `B12`. */
  voucher: Text;
  /** The invoice that a credit note takes back. */
  credited_id: Text;
  credited_number: number | null;
  /** The order it was made of. */
  order_id: Text;
  dispute_reason: Text;
  /** A reminder fee is agreed, by the terms frozen on the invoice. */
  reminder_fee_is_agreed: boolean;
  /** Hundredths of a percentage point; null when the statutory rate holds. */
  agreed_rate_e2: number | null;
  interest_from: InterestTerms['from'];
  /** How many reminders there are. */
  reminders: number;
  /** Changes whenever the invoice does: two people editing one draft see each other by it. */
  version: string;
}

export interface PaymentFacts {
  payment_date: string;
  kind: SettlementKind | 'set_off';
  amount_ore: bigint;
  account: number;
  reference: Text;
  voucher_id: string;
  voucher: string;
}

export interface ReminderFacts {
  reminder_no: number;
  sent_date: string;
  fee_ore: bigint;
  voucher_id: Text;
  voucher: Text;
  /** When the fee was taken back, and with which voucher. */
  withdrawn_on: Text;
  withdrawal_id: Text;
  withdrawal: Text;
}

export interface CreditNoteFacts {
  id: string;
  /** Null while it is a draft. */
  number: number | null;
  invoice_date: string;
  /** From when it lessens the debt, as interest sees it. */
  effective_date: string;
  total_ore: bigint;
}

/** Throws 404 `not_found` when there is none. */
export async function getInvoice(db: Db, id: string): Promise<InvoiceFacts> {
  const [invoice] =
    await db.query<InvoiceFacts>(sql`select i.id, i.kind, i.status, i.source, i.number,
      i.ocr, i.customer_id, k.name as customer_name, i.invoice_date, i.delivery_date, i.due_date,
      i.payment_terms_days, i.prices_include_vat, i.your_reference, i.notes, i.debtor,
      i.debtor_filled, i.vat_confirmed_by, i.net_ore, i.vat_ore, i.rounding_ore,
      i.total_ore, i.currency, i.exchange_rate_e6,
      case when i.currency <> 'SEK' then i.currency_rounding + (
        select coalesce(sum(r.currency_net + r.currency_vat), 0)::bigint from sales.invoice_rows r
        where r.invoice_id = i.id) end as currency_total,
      i.original_total_ore, i.open_ore,
      (select coalesce(sum(n.total_ore), 0)::bigint from sales.invoices n
        where n.credited_invoice_id = i.id and n.status <> 'draft') as credited_ore,
      (select coalesce(sum(p.amount_ore), 0)::bigint from sales.payments p
        where p.invoice_id = i.id and p.kind = 'loss') as lost_ore,
      i.reminder_fee_is_agreed, i.agreed_rate_e2,
      i.interest_from, i.booking_refusal, i.voucher_id, v.series || v.number as voucher,
      c.id as credited_id, c.number as credited_number,
      (select o.id from intake.orders o where o.invoice_id = i.id) as order_id,
      (select d.reason from sales.disputes d where d.invoice_id = i.id) as dispute_reason,
      (select coalesce(max(r.reminder_no), 0) from sales.reminders r where r.invoice_id = i.id)
        as reminders, i.xmin::text as version
    from sales.invoices i join sales.customers k on k.id = i.customer_id
    left join ledger.vouchers v on v.id = i.voucher_id
    left join sales.invoices c on c.id = i.credited_invoice_id
    where i.id = ${id}::uuid`);
  if (!invoice) throw refuseWhole('not_found', 'no_invoice', { id });
  return invoice;
}

/** What the intake worker found worth a look in the order that the invoice was made of. */
export async function findOrderWarnings(db: Db, invoiceId: string): Promise<unknown> {
  const [found] = await db.query<{ warnings: unknown }>(sql`
    select a.detail -> 'warnings' as warnings
    from intake.orders o join intake.order_attempts a on a.order_id = o.id and a.status = 'draft'
    where o.invoice_id = ${invoiceId}::uuid`);
  return found?.warnings;
}

/** Whether any invoice has ever been booked. */
export async function hasNumberedInvoices(db: Db): Promise<boolean> {
  const found = await db.query(sql`select from sales.invoices where number is not null limit 1`);
  return found.length > 0;
}

export function listPayments(db: Db, invoiceId: string): Promise<PaymentFacts[]> {
  return db.query(sql`select p.payment_date, p.kind, p.amount_ore, p.account, p.reference, p.voucher_id,
      v.series || v.number as voucher
    from sales.payments p join ledger.vouchers v on v.id = p.voucher_id
    where p.invoice_id = ${invoiceId}::uuid order by p.payment_date, p.created_at, p.voucher_id, p.id`);
}

export function listReminders(db: Db, invoiceId: string): Promise<ReminderFacts[]> {
  return db.query(sql`select r.reminder_no, r.sent_date, r.fee_ore, r.voucher_id,
      v.series || v.number as voucher, w.withdrawn_on, w.voucher_id as withdrawal_id,
      wv.series || wv.number as withdrawal
    from sales.reminders r left join ledger.vouchers v on v.id = r.voucher_id
    left join sales.withdrawn_fees w on w.invoice_id = r.invoice_id and w.reminder_no = r.reminder_no
    left join ledger.vouchers wv on wv.id = w.voucher_id
    where r.invoice_id = ${invoiceId}::uuid order by r.reminder_no`);
}

export function listCreditNotes(db: Db, invoiceId: string): Promise<CreditNoteFacts[]> {
  return db.query(sql`select c.id, c.number, c.invoice_date, c.effective_date, c.total_ore from sales.invoices c
    where c.credited_invoice_id = ${invoiceId}::uuid order by c.number, c.created_at, c.id`);
}
