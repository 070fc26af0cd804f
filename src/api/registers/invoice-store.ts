/** Invoices to customers and from suppliers, as a key may read them. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

type Text = string | null;

/** What is not said is not asked for. */
interface InvoicesAsked {
  readonly id?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly updatedSince?: string | undefined;
  readonly limit: number;
  /** The last of the page before. */
  readonly after?: string | undefined;
}

/** What has an account, and may carry dimensions. */
interface Posted {
  readonly account: number;
  readonly cost_center?: Text;
  readonly project?: Text;
}

/** Where one stands in a list, and what has names that may be asked for. */
export interface Invoiced {
  readonly id: string;
  readonly is_followed: boolean;
  readonly rows: readonly Posted[];
  readonly payments: readonly Posted[];
}

interface PaymentRow {
  readonly id: string;
  readonly date: string;
  readonly amount_ore: number;
  readonly kind: string;
  readonly account: number;
  readonly voucher_id: string;
}

export interface InvoiceForKey extends Invoiced {
  kind: string;
  status: string;
  source: string;
  number: number | null;
  ocr: Text;
  customer_id: string;
  debtor: Readonly<Record<string, Text | undefined>>;
  external_id: Text;
  refund_id: Text;
  credited_invoice_id: Text;
  invoice_date: string;
  delivery_date: Text;
  due_date: string;
  payment_terms_days: number;
  your_reference: Text;
  notes: Text;
  net_ore: bigint;
  vat_ore: bigint;
  rounding_ore: bigint;
  total_ore: bigint;
  fees_ore: bigint;
  paid_ore: bigint;
  credited_ore: bigint;
  open_ore: bigint;
  voucher_id: Text;
  currency: string;
  /** Kronor for one of the currency, in millionths; null in kronor. */
  exchange_rate_e6: bigint | null;
  /** Hundredths of the currency. */
  currency_rounding: bigint;
  created_at: Date;
  updated_at: Date;
  rows: readonly {
    readonly row_no: number;
    readonly article_number: Text;
    readonly description: string;
    readonly quantity_e4: number;
    readonly unit: Text;
    readonly unit_price_e4: number;
    readonly discount_e2: number;
    readonly vat_rate: number;
    readonly account: number;
    readonly net_ore: number;
    readonly vat_ore: number;
    /** Whose VAT it is, and hundredths of a per cent, where it is not Sweden's. */
    readonly oss_country: Text;
    readonly oss_rate_e2: number | null;
    readonly currency_net: number | null;
    readonly currency_vat: number | null;
  }[];
  payments: readonly (PaymentRow & { readonly reference: Text })[];
  /** Those that are booked. */
  credit_notes: readonly {
    readonly id: string;
    readonly number: number;
    readonly date: string;
    readonly total_ore: number;
    readonly refund_id: Text;
  }[];
}

/** Per cent: Sweden's, or that of the country whose VAT it is. */
export const vatRateOf = ({
  vat_rate: rate,
  oss_rate_e2: ossRateE2,
}: Pick<InvoiceForKey['rows'][number], 'vat_rate' | 'oss_rate_e2'>): number =>
  ossRateE2 === null ? rate : ossRateE2 / 100;

export interface CustomerInvoicesAsked extends InvoicesAsked {
  readonly customer?: readonly string[] | undefined;
  /** Of the orders they were made of (src/intake/orders/identity.ts). */
  readonly identities?: readonly string[] | undefined;
  /** Of the refunds that credit notes were made of (there). */
  readonly refundKeys?: readonly string[] | undefined;
}

export function listInvoices(db: Db, asked: CustomerInvoicesAsked): Promise<InvoiceForKey[]> {
  const { id = null, status = null, customer = null, identities = null, refundKeys = null } = asked;
  return db.query(sql`select * from api.list_invoices(${id}::uuid[], ${status}::text[], ${customer}::uuid[],
    ${identities}::text[], ${asked.updatedSince ?? null}::timestamptz, ${asked.after ?? null}::uuid,
    ${asked.limit}::integer, ${refundKeys}::text[])`);
}

export interface PurchaseForKey extends Invoiced {
  kind: string;
  status: string;
  is_by_hand: boolean;
  is_outlay: boolean;
  is_opening: boolean;
  supplier_id: Text;
  seller_name: Text;
  seller_org_number: Text;
  seller_vat_number: Text;
  invoice_number: string;
  issue_date: string;
  due_date: Text;
  booking_date: Text;
  currency: string;
  net_ore: bigint;
  vat_ore: bigint;
  rounding_ore: bigint;
  prepaid_ore: bigint;
  payable_ore: bigint;
  paid_ore: bigint;
  open_ore: bigint;
  is_prepayment: boolean;
  rejection: Text;
  voucher_id: Text;
  created_at: Date;
  updated_at: Date;
  rows: readonly {
    readonly row_no: number;
    readonly account: number;
    readonly debit_ore: number;
    readonly credit_ore: number;
    readonly note: Text;
    readonly cost_center: Text;
    readonly project: Text;
  }[];
  payments: readonly PaymentRow[];
}

export interface PurchasesAsked extends InvoicesAsked {
  readonly supplier?: readonly string[] | undefined;
  /** As the supplier wrote it. */
  readonly number?: readonly string[] | undefined;
}

export function listPurchases(db: Db, asked: PurchasesAsked): Promise<PurchaseForKey[]> {
  const { id = null, status = null, supplier = null, number = null } = asked;
  return db.query(sql`select * from api.list_purchases(${id}::uuid[], ${status}::text[], ${supplier}::uuid[],
    ${number}::text[], ${asked.updatedSince ?? null}::timestamptz, ${asked.after ?? null}::uuid,
    ${asked.limit}::integer)`);
}
