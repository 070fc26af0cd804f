/** The door to `api.create_invoices`. */

import {
  type CallOutcome,
  type CallRefusal,
  runDistinct,
  type WriteCall,
} from '../../access/keys/write-calls.ts';
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import type { InvoiceRow, InvoiceTotals } from '../../domain/sales/invoice.ts';
import { plainRowArrays } from '../../ledger/vouchers/posting-store.ts';
import { rowsJson } from './row-store.ts';

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

export interface InvoiceOutcome extends CallOutcome {
  outcome:
    | 'created'
    | 'replayed'
    | 'not_bookable'
    | 'replayed_refusal'
    | 'unprocessable'
    | CallRefusal;
}

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
      sql`select outcome, response, detail, first_request_id, first_seen_at, first_request
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
