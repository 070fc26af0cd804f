/** A supplier's invoice as the inbox needs it, whatever format it came in. */
import type { Ore } from '../basics/money.ts';
import type { PartyId } from '../sales/receiver.ts';

/** One line of the document's VAT breakdown (BG-23), in öre; a credit is below zero. */
export interface VatShare {
  /** BT-118: S, Z, E, AE, K, G, O, L, M or B (UNCL 5305). */
  readonly category: string;
  readonly taxableOre: Ore;
  readonly vatOre: Ore;
}

/** Amounts are what we owe, in öre: a credit is below zero. */
export interface PurchaseTotals {
  readonly shares: readonly VatShare[];
  /** BT-114. */
  readonly roundingOre: Ore;
  /** BT-113. */
  readonly prepaidOre: Ore;
  /** BT-115. */
  readonly payableOre: Ore;
}

export interface InvoiceSeller {
  readonly name: string;
  /** Ten digits, when it has a Swedish one that is right. */
  readonly organizationNumber: string | null;
  readonly vatNumber: string | null;
  /** Electronic address, as `scheme:number`. */
  readonly endpoint: string | null;
  /** ISO 3166-1, two letters; empty when it does not say. */
  readonly countryCode: string;
}

export interface PayeeAccount {
  readonly kind: 'bankgiro' | 'plusgiro' | 'iban' | 'other';
  /** Without spaces and hyphens. */
  readonly number: string;
  readonly bic: string | null;
}

export interface PaymentInstruction {
  readonly accounts: readonly PayeeAccount[];
  /** OCR number or message (BT-83). */
  readonly reference: string | null;
  /** Whether the reference has the check digit of an OCR number. */
  readonly isOcr: boolean;
  /** Who is to be paid, when that is somebody else than the seller (BG-10). */
  readonly payee: string | null;
  /** Paid by card, direct debit or the like: not to be paid again. */
  readonly isPaidOtherwise: boolean;
}

export interface EmbeddedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Amounts are what we owe, in hundredths of `currency`: a credit is below zero. */
export interface ReceivedInvoice {
  /** By what it does: a credit note below zero is an invoice. */
  readonly kind: 'invoice' | 'credit_note';
  /** What the sender calls a credit note, whichever way its amounts go. */
  readonly isCreditNote: boolean;
  /** Asks for money before anything is delivered (UNCL 1001: 386). */
  readonly isPrepayment: boolean;
  /** Numbers of earlier invoices that it names (BG-3). */
  readonly preceding: readonly string[];
  readonly invoiceNumber: string;
  readonly issueDate: string;
  readonly dueDate: string | null;
  readonly currency: string;
  readonly seller: InvoiceSeller;
  readonly buyerIds: readonly PartyId[];
  readonly totals: PurchaseTotals & { readonly netOre: Ore; readonly vatOre: Ore };
  readonly payment: PaymentInstruction;
  readonly files: readonly EmbeddedFile[];
  /** The buyer has made it: seller and buyer have changed places, and it is no purchase. */
  readonly isSelfBilling: boolean;
  /** Whether it follows Peppol BIS Billing 3. */
  readonly isPeppolBis: boolean;
}
