import type { Db, Tx } from '../db/pool.ts';
import { prepared, sql } from '../db/sql.ts';
import type { CreditableRow } from '../domain/credit-note.ts';
import type { InvoiceKind, InvoiceRow, InvoiceTotals } from '../domain/invoice.ts';
import { type LedgerOutcome, type LedgerRow, plainRowArrays } from '../vouchers/ledger.ts';

export interface NewInvoice {
  readonly id: string;
  /** The invoice that a credit note takes back; null on invoices. */
  readonly creditedInvoiceId?: string | null;
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
            insert into sales.invoices (id, kind, credited_invoice_id, source, created_by,
              customer_id, invoice_date, delivery_date, due_date, payment_terms_days,
              prices_include_vat, your_reference, notes, debtor, debtor_filled, vat_confirmed_by,
              net_ore, vat_ore, rounding_ore, total_ore)
            select id, kind, credited_invoice_id, source, created_by, customer_id, invoice_date,
              delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference,
              notes, debtor, array(select jsonb_array_elements_text(filled)), vat_confirmed_by,
              net_ore, vat_ore, rounding_ore, total_ore
            from unnest(
              ${invoices.map((invoice) => invoice.id)}::uuid[],
              ${invoices.map((invoice) => kindOf(invoice))}::text[],
              ${invoices.map((invoice) => invoice.creditedInvoiceId ?? null)}::uuid[],
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
              as i (id, kind, credited_invoice_id, source, created_by, customer_id, invoice_date,
                delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference, notes, debtor,
                filled, vat_confirmed_by, net_ore, vat_ore, rounding_ore, total_ore)
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

const kindOf = ({ creditedInvoiceId }: NewInvoice): InvoiceKind =>
  creditedInvoiceId ? 'credit_note' : 'invoice';

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

/** Books drafts through `sales.book_invoices`; one that is refused never harms the others. */
export function bookDrafts(tx: Tx, drafts: readonly InvoiceToBook[]): Promise<BookedDraft[]> {
  return tx.query<BookedDraft>(
    prepared(
      'book invoices',
      sql`select number, ocr, status, error, detail
          from sales.book_invoices(
            ${drafts.map(({ id }) => id)}::uuid[],
            ${drafts.map(({ voucherId }) => voucherId)}::uuid[],
            ${drafts.map(({ actor }) => actor)}::text[],
            ${drafts.map(() => null)}::uuid[],
            ${plainRowArrays(drafts)})
          order by item`,
    ),
  );
}

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
  open_ore: bigint;
  paid_ore: bigint;
  credited_ore: bigint;
  reminders: number;
}

/** Holds the invoice until commit: nothing else happens to it meanwhile. */
export async function lockInvoice(tx: Tx, id: string): Promise<SettledInvoice | undefined> {
  const [invoice] = await tx.query<SettledInvoice>(
    sql`select i.id, i.kind, i.status, i.number, i.customer_id, i.invoice_date, i.due_date,
          i.prices_include_vat, i.debtor, i.rounding_ore, i.total_ore, i.open_ore,
          (select coalesce(sum(p.amount_ore), 0)::bigint from sales.payments p
            where p.invoice_id = i.id) as paid_ore,
          (select coalesce(sum(c.total_ore), 0)::bigint from sales.invoices c
            where c.credited_invoice_id = i.id and c.status <> 'draft') as credited_ore,
          (select coalesce(max(r.reminder_no), 0) from sales.reminders r
            where r.invoice_id = i.id) as reminders
        from sales.invoices i where i.id = ${id}::uuid for update`,
  );
  return invoice;
}

/** The rows of an invoice with what booked credit notes have taken of each. */
export async function listCreditableRows(tx: Tx, invoiceId: string): Promise<CreditableRow[]> {
  return tx.query<CreditableRow>(
    sql`select r.row_no as "rowNo", r.article_number as "articleNumber", r.description,
          r.quantity_e4 as "quantityE4", r.unit_price_e4 as "unitPriceE4", r.vat_rate as "vatRate",
          r.account, r.net_ore as "netOre", r.vat_ore as "vatOre",
          coalesce(sum(c.quantity_e4), 0)::bigint as "creditedE4",
          coalesce(sum(c.net_ore), 0)::bigint as "creditedNetOre",
          coalesce(sum(c.vat_ore), 0)::bigint as "creditedVatOre"
        from sales.invoice_rows r
        left join (sales.invoice_rows c join sales.invoices n on n.id = c.invoice_id
          and n.credited_invoice_id = ${invoiceId}::uuid and n.status <> 'draft')
          on c.row_no = r.row_no
        where r.invoice_id = ${invoiceId}::uuid
        group by r.invoice_id, r.row_no order by r.row_no`,
  );
}

export interface NewPayment {
  readonly id: string;
  readonly invoiceId: string;
  readonly date: string;
  readonly amountOre: bigint;
  readonly account: number;
  readonly voucherId: string;
  readonly reference: string | null;
  readonly createdBy: string;
}

/** The invoice's status and what remains of it follow by themselves (`sales.settle`). */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<void> {
  await tx.query(sql`insert into sales.payments (id, invoice_id, payment_date, amount_ore, account,
      voucher_id, reference, created_by)
    values (${payment.id}, ${payment.invoiceId}, ${payment.date}, ${payment.amountOre},
      ${payment.account}, ${payment.voucherId}, ${payment.reference}, ${payment.createdBy})`);
}

export interface NewReminder {
  readonly id: string;
  readonly invoiceId: string;
  readonly reminderNo: number;
  readonly sentDate: string;
  readonly feeOre: bigint;
  readonly voucherId: string | null;
  readonly createdBy: string;
}

export async function insertReminder(tx: Tx, reminder: NewReminder): Promise<void> {
  await tx.query(sql`insert into sales.reminders (id, invoice_id, reminder_no, sent_date, fee_ore,
      voucher_id, created_by)
    values (${reminder.id}, ${reminder.invoiceId}, ${reminder.reminderNo}, ${reminder.sentDate},
      ${reminder.feeOre}, ${reminder.voucherId}, ${reminder.createdBy})`);
}

/** Active accounts of cash and bank, where payments come in. */
export function listMoneyAccounts(db: Db): Promise<{ number: number; name: string }[]> {
  return db.query(sql`select a.number, a.name from ledger.accounts a
    where a.is_active and a.number between 1900 and 1999 order by a.number`);
}
