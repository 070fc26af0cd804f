import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { InvoiceKind, InvoiceRow, InvoiceTotals } from '../../domain/sales/invoice.ts';
import {
  type LedgerOutcome,
  type LedgerRow,
  plainRowArrays,
} from '../../ledger/vouchers/posting-store.ts';
import { insertRows, rowColumns } from './row-store.ts';

export interface NewInvoice {
  readonly id: string;
  /** The invoice that a credit note takes back, and from when; null on invoices. */
  readonly credited?: { readonly invoiceId: string; readonly effectiveDate: string } | null;
  readonly source: 'order' | 'api' | 'app';
  readonly createdBy: string;
  readonly customerId: string;
  readonly invoiceDate: string;
  /** Of an invoice that tells it; never of a credit note. */
  readonly deliveryDate?: string | null;
  readonly dueDate: string;
  readonly paymentTermsDays: number;
  readonly pricesIncludeVat: boolean;
  readonly yourReference: string | null;
  readonly notes: string | null;
  readonly debtor: object;
  /** Which of an order's debtor's facts came from the customer register. */
  readonly debtorFilled?: readonly string[];
  /** Who has said that sales without VAT are so, where the buyer's facts speak against it. */
  readonly vatConfirmedBy?: string | null;
  readonly rows: readonly InvoiceRow[];
  readonly totals: InvoiceTotals;
}

/** An invoice with what booking needs of its rows. */
export interface BookableInvoice {
  id: string;
  kind: InvoiceKind;
  status: string;
  invoice_date: string;
  due_date: string;
  net_ore: bigint;
  vat_ore: bigint;
  rounding_ore: bigint;
  total_ore: bigint;
  number: number | null;
  ocr: string | null;
  rows: InvoiceRow[];
}

/** Many drafts with their rows in one statement. */
export async function insertDrafts(tx: Tx, invoices: readonly NewInvoice[]): Promise<void> {
  await tx.query(
    prepared(
      'insert drafts',
      sql`with invoice as (
            insert into sales.invoices (id, kind, credited_invoice_id, effective_date, source, created_by,
              customer_id, invoice_date, delivery_date, due_date, payment_terms_days,
              prices_include_vat, your_reference, notes, debtor, debtor_filled, vat_confirmed_by,
              net_ore, vat_ore, rounding_ore, total_ore)
            select id, kind, credited_invoice_id, effective_date, source, created_by, customer_id, invoice_date,
              delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference,
              notes, debtor, array(select jsonb_array_elements_text(filled)), vat_confirmed_by,
              net_ore, vat_ore, rounding_ore, total_ore
            from unnest(
              ${invoices.map((invoice) => invoice.id)}::uuid[],
              ${invoices.map((invoice) => kindOf(invoice))}::text[],
              ${invoices.map((invoice) => invoice.credited?.invoiceId ?? null)}::uuid[],
              ${invoices.map((invoice) => invoice.credited?.effectiveDate ?? null)}::date[],
              ${invoices.map((invoice) => invoice.source)}::text[],
              ${invoices.map((invoice) => invoice.createdBy)}::text[],
              ${invoices.map((invoice) => invoice.customerId)}::uuid[],
              ${invoices.map((invoice) => invoice.invoiceDate)}::date[],
              ${invoices.map((invoice) => invoice.deliveryDate ?? null)}::date[],
              ${invoices.map((invoice) => invoice.dueDate)}::date[],
              ${invoices.map((invoice) => invoice.paymentTermsDays)}::integer[],
              ${invoices.map((invoice) => invoice.pricesIncludeVat)}::boolean[],
              ${invoices.map((invoice) => invoice.yourReference)}::text[],
              ${invoices.map((invoice) => invoice.notes)}::text[],
              ${invoices.map((invoice) => JSON.stringify(invoice.debtor))}::jsonb[],
              ${invoices.map((invoice) => JSON.stringify(invoice.debtorFilled ?? []))}::jsonb[],
              ${invoices.map((invoice) => invoice.vatConfirmedBy ?? null)}::text[],
              ${invoices.map((invoice) => invoice.totals.netOre)}::bigint[],
              ${invoices.map((invoice) => invoice.totals.vatOre)}::bigint[],
              ${invoices.map((invoice) => invoice.totals.roundingOre)}::bigint[],
              ${invoices.map((invoice) => invoice.totals.totalOre)}::bigint[])
              as i (id, kind, credited_invoice_id, effective_date, source, created_by, customer_id, invoice_date,
                delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference, notes, debtor,
                filled, vat_confirmed_by, net_ore, vat_ore, rounding_ore, total_ore)
          )
          ${insertRows(invoices)}`,
    ),
  );
}

const kindOf = ({ credited }: NewInvoice): InvoiceKind => (credited ? 'credit_note' : 'invoice');

/** Locks the invoices until commit, so that two bookings of one never meet. */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<BookableInvoice[]> {
  const invoices = await tx.query<Omit<BookableInvoice, 'rows'>>(
    prepared(
      'lock invoices',
      sql`select i.id, i.kind, i.status, i.invoice_date, i.due_date, i.net_ore, i.vat_ore,
            i.rounding_ore, i.total_ore, i.number, i.ocr
          from sales.invoices i where i.id = any (${ids}::uuid[]) order by i.id for update`,
    ),
  );
  return withRows(tx, invoices);
}

async function withRows(
  db: Db,
  invoices: readonly Omit<BookableInvoice, 'rows'>[],
): Promise<BookableInvoice[]> {
  const rows = await db.query<InvoiceRow & { invoiceId: string }>(
    prepared(
      'rows of invoices',
      sql`select r.invoice_id as "invoiceId", ${rowColumns} from sales.invoice_rows r
          where r.invoice_id = any (${invoices.map((invoice) => invoice.id)}::uuid[])
          order by r.invoice_id, r.row_no`,
    ),
  );
  const byInvoice = Map.groupBy(rows, (row) => row.invoiceId);
  return invoices.map((invoice) => ({ ...invoice, rows: byInvoice.get(invoice.id) ?? [] }));
}

/** A draft on its way into the books, with the voucher rows it makes (`invoiceVoucherRows`). */
export interface InvoiceToBook {
  readonly id: string;
  readonly voucherId: string;
  readonly actor: string;
  readonly rows: readonly LedgerRow[];
}

/** `number` is the invoice's. */
export interface BookedDraft extends LedgerOutcome {
  ocr: string | null;
  /** `booked`, or `paid` when there is nothing to pay; null when it was refused. */
  status: string | null;
}

/** Books drafts through `sales.book`; one that is refused never harms the others. */
export function bookDrafts(tx: Tx, drafts: readonly InvoiceToBook[]): Promise<BookedDraft[]> {
  return tx.query<BookedDraft>(
    prepared(
      'book invoices',
      sql`select number, ocr, status, error, detail
          from sales.book(
            ${drafts.map(({ id }) => id)}::uuid[],
            ${drafts.map(({ voucherId }) => voucherId)}::uuid[],
            ${drafts[0]?.actor ?? null}::text,
            ${plainRowArrays(drafts)})
          order by item`,
    ),
  );
}
