/** Drafts as they come to be: the application's own, and those of keys through `api.create_invoices`. */
import {
  type CallOutcome,
  type CallRefusal,
  runDistinct,
  type WriteCall,
} from '../../access/keys/write-calls.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import type {
  InvoiceCurrency,
  InvoiceKind,
  InvoiceRow,
  InvoiceTotals,
} from '../../domain/sales/invoice.ts';
import { plainRowArrays } from '../../ledger/vouchers/posting-store.ts';
import type { LedgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { insertRows, rowsJson } from './row-store.ts';

/** An invoice to make on behalf of a key, with the voucher it will have if it is booked. */
export interface InvoiceItem extends WriteCall {
  readonly id: string;
  readonly customerId: string;
  readonly invoiceDate: string;
  readonly deliveryDate: string | null;
  readonly dueDate: string;
  readonly paymentTermsDays: number;
  readonly yourReference: string | null;
  readonly notes: string | null;
  readonly rows: readonly InvoiceRow[];
  readonly totals: InvoiceTotals;
  readonly book: boolean;
  readonly voucherId: string;
  /** Empty when it is not to be booked. */
  readonly posting: readonly PostingRow[];
}

/** What was told of the invoice when it was made, and is told again to whoever repeats the call. */
export interface ToldInvoice {
  readonly status: string;
  readonly number: number | null;
  readonly ocr: string | null;
  readonly net_ore: number;
  readonly vat_ore: number;
  readonly due_date: string;
}

/** Why it is still a draft, when it was to be booked. */
export interface Unbookable {
  readonly error: LedgerRefusal;
  readonly detail: Record<string, unknown>;
}

/** `id` is null on a dry run, which makes none. */
export type InvoiceOutcome =
  | (CallOutcome & { outcome: 'created'; id: string; told: ToldInvoice })
  | (CallOutcome & { outcome: 'not_bookable'; id: string | null; told: Unbookable })
  | (CallOutcome & { outcome: 'replayed'; id: string; told: ToldInvoice | Unbookable })
  | (CallOutcome & { outcome: 'unprocessable' | CallRefusal });

/** Makes many calls' invoices in one commit, or judges them only; each gets its own outcome. */
export function createInvoices(
  db: Db,
  items: readonly InvoiceItem[],
  dryRun: boolean,
): Promise<InvoiceOutcome[]> {
  return runDistinct(items, (distinct) => createDistinct(db, distinct, dryRun));
}

function createDistinct(
  db: Db,
  items: readonly InvoiceItem[],
  dryRun: boolean,
): Promise<InvoiceOutcome[]> {
  const vouchers = items.map(({ posting }) => ({ rows: posting }));
  return db.query<InvoiceOutcome>(
    prepared(
      'create invoices',
      sql`select outcome, id, told, detail, first_request_id, first_seen_at, first_request
          from api.create_invoices(
            ${items.map((item) => item.keyHash)}::bytea[],
            ${items.map((item) => item.idempotencyKey)}::text[],
            ${items.map((item) => item.requestHash)}::bytea[],
            ${items.map((item) => item.request)}::text[],
            ${items.map((item) => item.requestId)}::uuid[],
            ${items.map((item) => item.id)}::uuid[],
            ${items.map((item) => item.customerId)}::uuid[],
            ${items.map((item) => item.invoiceDate)}::date[],
            ${items.map((item) => item.deliveryDate)}::date[],
            ${items.map((item) => item.dueDate)}::date[],
            ${items.map((item) => item.paymentTermsDays)}::integer[],
            ${items.map((item) => item.yourReference)}::text[],
            ${items.map((item) => item.notes)}::text[],
            ${items.map((item) => item.totals.netOre)}::bigint[],
            ${items.map((item) => item.totals.vatOre)}::bigint[],
            ${items.map((item) => item.book)}::boolean[],
            ${items.map((item) => item.voucherId)}::uuid[],
            ${items.map(({ id, rows }) => rowsJson(id, rows))}::jsonb[],
            ${plainRowArrays(vouchers)},
            ${dryRun})
          order by item`,
    ),
  );
}

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
  /** Null or left out when it is in kronor. */
  readonly inCurrency?: InvoiceCurrency | null;
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
              net_ore, vat_ore, rounding_ore, total_ore, currency, exchange_rate_e6, currency_rounding)
            select id, kind, credited_invoice_id, effective_date, source, created_by, customer_id, invoice_date,
              delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference,
              notes, debtor, array(select jsonb_array_elements_text(filled)), vat_confirmed_by,
              net_ore, vat_ore, rounding_ore, total_ore, currency, exchange_rate_e6, currency_rounding
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
              ${invoices.map((invoice) => invoice.totals.totalOre)}::bigint[],
              ${invoices.map(({ inCurrency }) => inCurrency?.currency ?? homeCurrency)}::text[],
              ${invoices.map(({ inCurrency }) => inCurrency?.exchangeRateE6 ?? null)}::bigint[],
              ${invoices.map(({ inCurrency }) => inCurrency?.currencyRounding ?? 0n)}::bigint[])
              as i (id, kind, credited_invoice_id, effective_date, source, created_by, customer_id, invoice_date,
                delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference, notes, debtor,
                filled, vat_confirmed_by, net_ore, vat_ore, rounding_ore, total_ore, currency, exchange_rate_e6,
                currency_rounding)
          )
          ${insertRows(invoices)}`,
    ),
  );
}

const kindOf = ({ credited }: NewInvoice): InvoiceKind => (credited ? 'credit_note' : 'invoice');
