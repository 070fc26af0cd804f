/** Invoices on their way from draft to book. */
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { InvoiceKind, InvoiceRow } from '../../domain/sales/invoice.ts';
import {
  type LedgerOutcome,
  type LedgerRow,
  plainRowArrays,
} from '../../ledger/vouchers/posting-store.ts';
import { rowColumns } from './row-store.ts';

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
