/** What stands on an invoice. Read it in one transaction. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { InterestTerms } from '../../domain/sales/interest-start.ts';
import type { InvoiceKind } from '../../domain/sales/invoice.ts';
import type { ListedRow } from './row-store.ts';

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
  /** What the order said was paid before there was an invoice, without tips; of a credit note, what was paid back. */
  readonly paid_ore: bigint;
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
  readonly rows: readonly DocumentRow[];
}

/** A row as its reader sees it. */
export type DocumentRow = Omit<ListedRow, 'accountName'>;

/** The company as it stands on its invoices. */
export async function getSeller(db: Db): Promise<PrintedSeller> {
  const [row] = await db.query<{ seller: PrintedSeller | null }>(
    sql`select sales.printed_seller() as seller`,
  );
  if (!row?.seller) throw new Error('there is no company');
  return row.seller;
}

/** Whoever has logged in and the company itself ask what stands there; for a key the database asks whose it is. */
const readers = {
  person: (id: string) => sql`select sales.invoice_document(${id}::uuid) as document`,
  key: (id: string) => sql`select api.invoice_document(${id}::uuid) as document`,
};

/** Undefined when there is no such invoice. */
export async function findInvoiceDocument(
  db: Db,
  invoiceId: string,
  reader: keyof typeof readers = 'person',
): Promise<InvoiceDocument | undefined> {
  const [found] = await db.query<{ document: WrittenDown<InvoiceDocument, DocumentRow> | null }>(
    readers[reader](invoiceId),
  );
  if (!found?.document) return undefined;
  const { rows, ...document } = found.document;
  return {
    ...document,
    net_ore: BigInt(document.net_ore),
    vat_ore: BigInt(document.vat_ore),
    rounding_ore: BigInt(document.rounding_ore),
    total_ore: BigInt(document.total_ore),
    paid_ore: BigInt(document.paid_ore),
    exchange_rate_e6: bigintOrNull(document.exchange_rate_e6),
    currency_rounding: BigInt(document.currency_rounding),
    rows: rows.map((row) => ({
      ...row,
      quantityE4: BigInt(row.quantityE4),
      unitPriceE4: BigInt(row.unitPriceE4),
      discountE2: BigInt(row.discountE2),
      netOre: BigInt(row.netOre),
      vatOre: BigInt(row.vatOre),
      currencyNet: bigintOrNull(row.currencyNet),
      currencyVat: bigintOrNull(row.currencyVat),
    })),
  };
}

/** As JSON has it: what may be large is text. */
type InJson<T> = {
  readonly [Name in keyof T]: bigint extends T[Name] ? string | Exclude<T[Name], bigint> : T[Name];
};
type WrittenDown<Document, Row> = Omit<InJson<Document>, 'rows'> & {
  readonly rows: readonly InJson<Row>[];
};

const bigintOrNull = (text: string | null | undefined): bigint | null =>
  text == null ? null : BigInt(text);
