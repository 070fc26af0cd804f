/** A booked invoice with what has happened to it, and what more is written of that. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';
import type { CreditableRow } from '../../domain/sales/credit-note.ts';
import type { InvoiceKind } from '../../domain/sales/invoice.ts';
import { uuid } from '../../lib/uuid.ts';
import { rowColumns } from './row-store.ts';

/** A booked invoice with what has happened to it. */
export interface SettledInvoice {
  id: string;
  kind: InvoiceKind;
  status: string;
  number: number | null;
  customer_id: string;
  invoice_date: string;
  due_date: string;
  prices_include_vat: boolean;
  debtor: { readonly name: string };
  rounding_ore: bigint;
  total_ore: bigint;
  currency: string;
  /** Null in kronor. */
  exchange_rate_e6: bigint | null;
  open_ore: bigint;
  paid_ore: bigint;
  credited_ore: bigint;
  /** By credit notes that are drafts: theirs to credit, and nobody else's. */
  credit_drafts_ore: bigint;
  reminders: number;
  /** The day of the latest reminder. */
  last_reminder: string | null;
  /** By the terms that are frozen on the invoice. */
  reminder_fee_is_agreed: boolean;
}

/**
 * Holds the invoice until commit: nothing else happens to it meanwhile. Held first and read then: a statement that had
 * to wait would add up what had happened to it before.
 */
export async function lockInvoice(tx: Tx, id: string): Promise<SettledInvoice | undefined> {
  await tx.query(sql`select from sales.invoices where id = ${id}::uuid for update`);
  const [invoice] = await tx.query<SettledInvoice>(
    sql`select i.id, i.kind, i.status, i.number, i.customer_id, i.invoice_date, i.due_date,
          i.prices_include_vat, i.debtor, i.rounding_ore, i.total_ore, i.currency, i.exchange_rate_e6,
          i.open_ore,
          i.reminder_fee_is_agreed,
          (select coalesce(sum(p.amount_ore), 0)::bigint from sales.payments p
            where p.invoice_id = i.id) as paid_ore,
          (select coalesce(sum(c.total_ore), 0)::bigint from sales.invoices c
            where c.credited_invoice_id = i.id and c.status <> 'draft') as credited_ore,
          (select coalesce(sum(c.total_ore), 0)::bigint from sales.invoices c
            where c.credited_invoice_id = i.id and c.status = 'draft') as credit_drafts_ore,
          (select coalesce(max(r.reminder_no), 0) from sales.reminders r
            where r.invoice_id = i.id) as reminders,
          (select max(r.sent_date) from sales.reminders r
            where r.invoice_id = i.id) as last_reminder
        from sales.invoices i where i.id = ${id}::uuid`,
  );
  return invoice;
}

/** What is left of an invoice to credit, in its own currency: less what credit notes have taken, drafts too. */
export async function getLeftInCurrency(tx: Tx, invoiceId: string): Promise<bigint> {
  const [left] = await tx.query<{ amount: bigint }>(
    sql`select sum(case i.kind when 'invoice' then m.amount else -m.amount end)::bigint as amount
        from sales.invoices i cross join lateral (
          select i.currency_rounding + coalesce(sum(r.currency_net + r.currency_vat), 0) as amount
          from sales.invoice_rows r where r.invoice_id = i.id) as m
        where i.id = ${invoiceId}::uuid or i.credited_invoice_id = ${invoiceId}::uuid`,
  );
  return left?.amount ?? 0n;
}

/** The rows of an invoice with what credit notes have taken of each, drafts too. */
export async function listCreditableRows(tx: Tx, invoiceId: string): Promise<CreditableRow[]> {
  return tx.query<CreditableRow>(
    sql`select ${rowColumns},
          coalesce(sum(c.quantity_e4) filter (where c.is_price_reduction is not true), 0)::bigint
            as "creditedE4",
          coalesce(bool_or(c.is_price_reduction), false) as "isReduced",
          coalesce(sum(c.net_ore), 0)::bigint as "creditedNetOre",
          coalesce(sum(c.vat_ore), 0)::bigint as "creditedVatOre",
          coalesce(sum(c.currency_net), 0)::bigint as "creditedCurrencyNet",
          coalesce(sum(c.currency_vat), 0)::bigint as "creditedCurrencyVat"
        from sales.invoice_rows r
        left join (sales.invoice_rows c join sales.invoices n on n.id = c.invoice_id
          and n.credited_invoice_id = ${invoiceId}::uuid)
          on c.row_no = r.row_no
        where r.invoice_id = ${invoiceId}::uuid
        group by r.invoice_id, r.row_no order by r.row_no`,
  );
}

export interface NewPayment {
  readonly invoiceId: string;
  readonly date: string;
  /** `set_off` is one half of a set-off; the other is a payment of the supplier's invoice. */
  readonly kind: SettlementKind | 'set_off';
  readonly amountOre: bigint;
  readonly account: number;
  readonly voucherId: string;
  readonly reference: string | null;
  readonly createdBy: string;
}

/** The invoice's status and what remains of it follow by themselves (`sales.settle`). */
export async function insertPayments(tx: Tx, payments: readonly NewPayment[]): Promise<void> {
  await tx.query(sql`insert into sales.payments (id, invoice_id, payment_date, kind, amount_ore,
      account, voucher_id, reference, created_by)
    select * from unnest(${payments.map(() => uuid())}::uuid[],
      ${payments.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${payments.map(({ date }) => date)}::date[],
      ${payments.map(({ kind }) => kind)}::text[],
      ${payments.map(({ amountOre }) => amountOre)}::bigint[],
      ${payments.map(({ account }) => account)}::integer[],
      ${payments.map(({ voucherId }) => voucherId)}::uuid[],
      ${payments.map(({ reference }) => reference)}::text[],
      ${payments.map(({ createdBy }) => createdBy)}::text[])`);
}

/** What money has settled of the invoice through an account, in öre. */
export async function sumThrough(tx: Tx, invoiceId: string, account: number): Promise<bigint> {
  const [paid] = await tx.query<{ ore: bigint }>(
    sql`select coalesce(sum(amount_ore), 0)::bigint as ore from sales.payments
        where invoice_id = ${invoiceId}::uuid and account = ${account} and kind = 'money'`,
  );
  return paid?.ore ?? 0n;
}

export interface NewReminder {
  readonly id: string;
  readonly invoiceId: string;
  readonly reminderNo: number;
  readonly sentDate: string;
  readonly feeOre: bigint;
  readonly isFeeVouchedFor: boolean;
  readonly voucherId: string | null;
  readonly createdBy: string;
}

export async function insertReminder(tx: Tx, reminder: NewReminder): Promise<void> {
  await tx.query(sql`insert into sales.reminders (id, invoice_id, reminder_no, sent_date, fee_ore,
      fee_is_vouched_for, voucher_id, created_by)
    values (${reminder.id}, ${reminder.invoiceId}, ${reminder.reminderNo}, ${reminder.sentDate},
      ${reminder.feeOre}, ${reminder.isFeeVouchedFor}, ${reminder.voucherId}, ${reminder.createdBy})`);
}

export interface NewWithdrawal {
  readonly invoiceId: string;
  readonly reminderNo: number;
  readonly date: string;
  readonly reason: string | null;
  readonly voucherId: string;
  readonly createdBy: string;
}

/** A fee that is taken back; what remains of the invoice follows by itself. */
export async function insertWithdrawal(tx: Tx, withdrawal: NewWithdrawal): Promise<void> {
  const { invoiceId, reminderNo, date, reason, voucherId, createdBy } = withdrawal;
  await tx.query(sql`insert into sales.withdrawn_fees (invoice_id, reminder_no, withdrawn_on, reason,
      voucher_id, created_by)
    values (${invoiceId}, ${reminderNo}, ${date}, ${reason}, ${voucherId}, ${createdBy})`);
}

/** Active accounts that money comes through, bank and cash first. */
export function listMoneyAccounts(db: Db): Promise<{ number: number; name: string }[]> {
  return db.query(sql`select a.number, a.name from ledger.accounts a
    where a.is_active and sales.settlement_kind(a.number) = 'money'
    order by left(a.number::text, 2) <> '19', a.number`);
}
