/** What stands on an invoice. Read it in one transaction. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { InterestTerms } from '../../domain/sales/interest-start.ts';
import type { InvoiceKind } from '../../domain/sales/invoice.ts';
import { type ListedRow, listRows } from './row-store.ts';

type Text = string | null;

export interface PrintedSeller {
  readonly name: string;
  readonly orgNumber: string;
  readonly vatNumber: string;
  readonly isApprovedForFTax: boolean;
  readonly address: Text;
  readonly postalCode: Text;
  readonly city: Text;
  /** Where the board has its seat. */
  readonly seat: Text;
  readonly email: Text;
  readonly phone: Text;
  readonly bankgiro: Text;
  readonly plusgiro: Text;
  readonly iban: Text;
  /** The company's number in Swish. */
  readonly swish: Text;
}

/** Frozen when the invoice was booked; orders and earlier versions may lack any of them. */
export interface PrintedBuyer {
  readonly name?: Text;
  readonly orgNumber?: Text;
  readonly vatNumber?: Text;
  readonly address?: Text;
  readonly postalCode?: Text;
  readonly city?: Text;
  readonly countryCode?: Text;
}

export interface InvoiceDocument {
  readonly kind: InvoiceKind;
  readonly status: string;
  /** Null on a draft. */
  readonly number: number | null;
  readonly ocr: Text;
  readonly invoice_date: string;
  /** Null when it is the invoice's own, or none that can be told. */
  readonly delivery_date: Text;
  readonly due_date: string;
  readonly payment_terms_days: number;
  readonly prices_include_vat: boolean;
  readonly your_reference: Text;
  readonly notes: Text;
  readonly net_ore: bigint;
  readonly vat_ore: bigint;
  readonly rounding_ore: bigint;
  readonly total_ore: bigint;
  readonly currency: string;
  /** Kronor for one of the currency, in millionths; null in kronor. */
  readonly exchange_rate_e6: bigint | null;
  /** Hundredths of the currency. */
  readonly currency_rounding: bigint;
  /** Frozen when the invoice was booked; the rate in hundredths of a percentage point. */
  readonly agreed_rate_e2: number | null;
  readonly interest_from: InterestTerms['from'];
  readonly interest_is_stated: boolean;
  readonly seller: PrintedSeller;
  readonly buyer: PrintedBuyer;
  /** The invoice that a credit note takes back; null on invoices. */
  readonly credited: { readonly number: number; readonly date: string } | null;
  readonly rows: readonly ListedRow[];
}

const seller = sql`(select jsonb_build_object('name', c.name, 'orgNumber', c.organization_number,
    'vatNumber', c.vat_number, 'isApprovedForFTax', c.is_approved_for_f_tax,
    'address', c.address, 'postalCode', c.postal_code, 'city', c.city, 'seat', c.seat,
    'email', c.email, 'phone', c.phone, 'bankgiro', c.bankgiro, 'plusgiro', c.plusgiro, 'iban', c.iban,
    'swish', c.swish)
  from restricted.company c)`;

/** The company as it stands on its invoices. */
export async function getSeller(db: Db): Promise<PrintedSeller> {
  const [row] = await db.query<{ seller: PrintedSeller | null }>(sql`select ${seller} as seller`);
  if (!row?.seller) throw new Error('there is no company');
  return row.seller;
}

/** The seller as the company is now: it is the same one that booked, at the address it has today. */
export async function findInvoiceDocument(
  db: Db,
  invoiceId: string,
): Promise<InvoiceDocument | undefined> {
  const [invoice] = await db.query<Omit<InvoiceDocument, 'rows'>>(
    sql`select i.kind, i.status, i.number, i.ocr, i.invoice_date, i.delivery_date, i.due_date,
          i.payment_terms_days, i.prices_include_vat, i.your_reference, i.notes, i.net_ore, i.vat_ore, i.rounding_ore,
          i.total_ore, i.currency, i.exchange_rate_e6, i.currency_rounding, i.agreed_rate_e2, i.interest_from, i.interest_is_stated, i.debtor as buyer,
          ${seller} as seller,
          (select jsonb_build_object('number', o.number, 'date', o.invoice_date)
            from sales.invoices o where o.id = i.credited_invoice_id) as credited
        from sales.invoices i where i.id = ${invoiceId}::uuid`,
  );
  if (!invoice) return undefined;
  const rows = await listRows(db, invoiceId);
  return { ...invoice, rows };
}
