import type { Db, Tx } from '../db/pool.ts';
import { prepared, sql } from '../db/sql.ts';
import type { InvoiceRow, InvoiceTotals } from '../domain/invoice.ts';

export interface NewInvoice {
  readonly id: string;
  readonly source: 'order' | 'api' | 'app';
  readonly createdBy: string;
  readonly customerId: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly paymentTermsDays: number;
  readonly pricesIncludeVat: boolean;
  readonly yourReference: string | null;
  readonly notes: string | null;
  readonly debtor: object;
  readonly rows: readonly InvoiceRow[];
  readonly totals: InvoiceTotals;
}

/** An invoice with what booking needs of its rows. */
export interface BookableInvoice {
  id: string;
  status: string;
  invoice_date: string;
  debtor_name: string;
  net_ore: bigint;
  vat_ore: bigint;
  rounding_ore: bigint;
  total_ore: bigint;
  number: number | null;
  booking_refusal: object | null;
  rows: { vatRate: 0 | 6 | 12 | 25; account: number; netOre: bigint; vatOre: bigint }[];
}

/** Many drafts with their rows in one statement. */
export async function insertDrafts(tx: Tx, invoices: readonly NewInvoice[]): Promise<void> {
  const rows = invoices.flatMap((invoice) =>
    invoice.rows.map((row) => ({ ...row, invoiceId: invoice.id })),
  );
  await tx.query(
    prepared(
      'insert drafts',
      sql`with invoice as (
            insert into sales.invoices (id, source, created_by, customer_id, invoice_date, due_date,
              payment_terms_days, prices_include_vat, your_reference, notes, debtor, net_ore,
              vat_ore, rounding_ore, total_ore)
            select * from unnest(
              ${invoices.map((invoice) => invoice.id)}::uuid[],
              ${invoices.map((invoice) => invoice.source)}::text[],
              ${invoices.map((invoice) => invoice.createdBy)}::text[],
              ${invoices.map((invoice) => invoice.customerId)}::uuid[],
              ${invoices.map((invoice) => invoice.invoiceDate)}::date[],
              ${invoices.map((invoice) => invoice.dueDate)}::date[],
              ${invoices.map((invoice) => invoice.paymentTermsDays)}::integer[],
              ${invoices.map((invoice) => invoice.pricesIncludeVat)}::boolean[],
              ${invoices.map((invoice) => invoice.yourReference)}::text[],
              ${invoices.map((invoice) => invoice.notes)}::text[],
              ${invoices.map((invoice) => JSON.stringify(invoice.debtor))}::jsonb[],
              ${invoices.map((invoice) => invoice.totals.netOre)}::bigint[],
              ${invoices.map((invoice) => invoice.totals.vatOre)}::bigint[],
              ${invoices.map((invoice) => invoice.totals.roundingOre)}::bigint[],
              ${invoices.map((invoice) => invoice.totals.totalOre)}::bigint[])
          )
          insert into sales.invoice_rows (invoice_id, row_no, article_number, description,
            quantity_e4, unit_price_e4, vat_rate, account, net_ore, vat_ore)
          select * from unnest(
            ${rows.map((row) => row.invoiceId)}::uuid[],
            ${rows.map((row) => row.rowNo)}::integer[],
            ${rows.map((row) => row.articleNumber)}::text[],
            ${rows.map((row) => row.description)}::text[],
            ${rows.map((row) => row.quantityE4)}::bigint[],
            ${rows.map((row) => row.unitPriceE4)}::bigint[],
            ${rows.map((row) => row.vatRate)}::integer[],
            ${rows.map((row) => row.account)}::integer[],
            ${rows.map((row) => row.netOre)}::bigint[],
            ${rows.map((row) => row.vatOre)}::bigint[])`,
    ),
  );
}

const invoiceForBooking = sql`select i.id, i.status, i.invoice_date, i.debtor ->> 'name' as debtor_name,
    i.net_ore, i.vat_ore, i.rounding_ore, i.total_ore, i.number, i.booking_refusal
  from sales.invoices i`;

/** Locks the invoices until commit, so that two bookings of one never meet. */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<BookableInvoice[]> {
  const invoices = await tx.query<Omit<BookableInvoice, 'rows'>>(
    prepared(
      'lock invoices',
      sql`${invoiceForBooking} where i.id = any (${ids}::uuid[]) order by i.id for update`,
    ),
  );
  return withRows(tx, invoices);
}

export async function findInvoice(db: Db, id: string): Promise<BookableInvoice | undefined> {
  const invoices = await db.query<Omit<BookableInvoice, 'rows'>>(
    sql`${invoiceForBooking} where i.id = ${id}::uuid`,
  );
  return (await withRows(db, invoices))[0];
}

async function withRows(
  db: Db,
  invoices: readonly Omit<BookableInvoice, 'rows'>[],
): Promise<BookableInvoice[]> {
  const rows = await db.query<{
    invoice_id: string;
    vat_rate: 0 | 6 | 12 | 25;
    account: number;
    net_ore: bigint;
    vat_ore: bigint;
  }>(
    prepared(
      'rows of invoices',
      sql`select invoice_id, vat_rate, account, net_ore, vat_ore from sales.invoice_rows
          where invoice_id = any (${invoices.map((invoice) => invoice.id)}::uuid[])
          order by invoice_id, row_no`,
    ),
  );
  const byInvoice = Map.groupBy(rows, (row) => row.invoice_id);
  return invoices.map((invoice) => ({
    ...invoice,
    rows: (byInvoice.get(invoice.id) ?? []).map((row) => ({
      vatRate: row.vat_rate,
      account: row.account,
      netOre: row.net_ore,
      vatOre: row.vat_ore,
    })),
  }));
}

/** Takes the next `count` invoice numbers; the row stays locked, so a rollback leaves no gap. */
export async function takeInvoiceNumbers(tx: Tx, count: number): Promise<number> {
  const [taken] = await tx.query<{ last: number }>(
    prepared(
      'take invoice numbers',
      sql`update sales.invoice_numbers set last_number = last_number + ${count}
          returning last_number as last`,
    ),
  );
  if (!taken) throw new Error('the invoice number series is missing');
  return taken.last - count + 1;
}

export interface Booking {
  readonly invoiceId: string;
  readonly number: number;
  readonly ocr: string;
  /** Null for an invoice of zero kronor, which has nothing to post. */
  readonly voucherId: string | null;
}

export async function markBooked(tx: Tx, bookings: readonly Booking[]): Promise<void> {
  await tx.query(
    prepared(
      'mark booked',
      sql`update sales.invoices i set status = 'booked', number = b.number, ocr = b.ocr,
            voucher_id = b.voucher_id, booked_at = now(), booking_refusal = null
          from unnest(
            ${bookings.map((booking) => booking.invoiceId)}::uuid[],
            ${bookings.map((booking) => booking.number)}::integer[],
            ${bookings.map((booking) => booking.ocr)}::text[],
            ${bookings.map((booking) => booking.voucherId)}::uuid[]) as b (id, number, ocr, voucher_id)
          where i.id = b.id`,
    ),
  );
}

/** Keeps why a booking was refused, for the person who must decide. */
export async function markRefused(
  tx: Tx,
  refusals: readonly { readonly invoiceId: string; readonly refusal: object }[],
): Promise<void> {
  await tx.query(
    prepared(
      'mark refused',
      sql`update sales.invoices i set booking_refusal = r.refusal
          from unnest(
            ${refusals.map(({ invoiceId }) => invoiceId)}::uuid[],
            ${refusals.map(({ refusal }) => JSON.stringify(refusal))}::jsonb[]) as r (id, refusal)
          where i.id = r.id`,
    ),
  );
}
