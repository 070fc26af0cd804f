/**
 * The invoice as EN 16931 means it, read out of UBL: one shape for Invoice and CreditNote, to draft and
 * to render from. The terms of the standard (BT-1, BG-25 …) stand beside each field. What is missing
 * is null. The supplier's own totals stand as written; nothing is recomputed.
 */
import type { Decimal } from './decimal.ts';

/** An identifier and the list it comes from (ISO 6523 ICD, EAS, UNCL1153 …). */
export interface Identifier {
  readonly value: string;
  readonly scheme: string | null;
}

export interface CurrencyAmount {
  readonly value: Decimal;
  /** ISO 4217. */
  readonly currency: string | null;
}

/** Dates are `YYYY-MM-DD`. */
export interface InvoicingPeriod {
  readonly start: string | null;
  readonly end: string | null;
}

/** BG-5, BG-8, BG-12, BG-15. */
export interface Address {
  readonly lines: readonly string[];
  readonly city: string | null;
  readonly postal_code: string | null;
  readonly subdivision: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** BG-4, BG-7, BG-10, BG-11. */
export interface Party {
  /** BT-27, BT-44, BT-59, BT-62: the registered name, else the trading name. */
  readonly name: string | null;
  /** BT-28, BT-45. */
  readonly trading_name: string | null;
  /** BT-34, BT-49. */
  readonly endpoint: Identifier | null;
  /** BT-29, BT-46, BT-60. */
  readonly ids: readonly Identifier[];
  /** BT-30, BT-47, BT-61. */
  readonly legal_id: Identifier | null;
  /** BT-31, BT-48, BT-63. */
  readonly vat_number: string | null;
  /** BT-32: other than VAT; in Sweden the words about F-tax. */
  readonly tax_registration: string | null;
  /** BT-33. */
  readonly legal_form: string | null;
  readonly address: Address | null;
  /** BG-6, BG-9. */
  readonly contact: { name: string | null; telephone: string | null; email: string | null } | null;
}

/** BG-16 … BG-19. */
export interface PaymentMeans {
  /** BT-81, UNCL4461: 30 credit transfer, 49 and 59 direct debit, 48, 54 and 55 card. */
  readonly code: string | null;
  /** BT-82. */
  readonly name: string | null;
  /** BT-83: in Sweden often an OCR reference. */
  readonly payment_id: string | null;
  /** BT-84: IBAN, bankgiro, plusgiro or a national account, as written. */
  readonly account: string | null;
  /** BT-85. */
  readonly account_name: string | null;
  /** BT-86: a BIC, or SE:BANKGIRO or SE:PLUSGIRO. */
  readonly branch: string | null;
  /** BT-87, and BT-89: then the money is drawn, and must not be paid again. */
  readonly card_number: string | null;
  readonly mandate: string | null;
}

export interface TaxCategory {
  /** BT-95, BT-102, BT-118, BT-151: S, Z, E, AE, K, G, O, L, M, B. */
  readonly code: string | null;
  /** Per cent. */
  readonly rate: Decimal | null;
  /** BT-120. */
  readonly exemption_reason: string | null;
  /** BT-121. */
  readonly exemption_code: string | null;
}

/** BG-20, BG-21, BG-27, BG-28. */
export interface AllowanceCharge {
  readonly is_charge: boolean;
  readonly amount: CurrencyAmount | null;
  readonly base: CurrencyAmount | null;
  /** Per cent. */
  readonly percent: Decimal | null;
  readonly reason: string | null;
  readonly reason_code: string | null;
  /** None on lines: there the line's own category counts. */
  readonly category: TaxCategory | null;
}

/** BG-23. */
export interface VatRow {
  /** BT-116. */
  readonly taxable: CurrencyAmount | null;
  /** BT-117. */
  readonly tax: CurrencyAmount | null;
  readonly category: TaxCategory;
}

/** BG-22. */
export interface Totals {
  /** BT-106. */
  readonly lines: CurrencyAmount | null;
  /** BT-107. */
  readonly allowances: CurrencyAmount | null;
  /** BT-108. */
  readonly charges: CurrencyAmount | null;
  /** BT-109. */
  readonly without_vat: CurrencyAmount | null;
  /** BT-110. */
  readonly vat: CurrencyAmount | null;
  /** BT-111: in the seller's accounting currency. */
  readonly vat_in_tax_currency: CurrencyAmount | null;
  /** BT-112. */
  readonly with_vat: CurrencyAmount | null;
  /** BT-113. */
  readonly prepaid: CurrencyAmount | null;
  /** BT-114. */
  readonly rounding: CurrencyAmount | null;
  /** BT-115. */
  readonly payable: CurrencyAmount | null;
}

/** BG-25. */
export interface Line {
  /** BT-126. */
  readonly id: string | null;
  /** BT-127. */
  readonly note: string | null;
  /** BT-129, BT-130. */
  readonly quantity: Decimal | null;
  readonly unit: string | null;
  /** BT-131. */
  readonly net: CurrencyAmount | null;
  /** BT-132. */
  readonly order_line: string | null;
  /** BT-133. */
  readonly accounting_cost: string | null;
  /** BG-26. */
  readonly period: InvoicingPeriod | null;
  readonly allowances_and_charges: readonly AllowanceCharge[];
  /** BT-146, and BT-149: the price is for this many units. */
  readonly price: CurrencyAmount | null;
  readonly price_quantity: Decimal | null;
  /** BT-153, BT-154. */
  readonly name: string | null;
  readonly description: string | null;
  /** BT-155, BT-156, BT-157. */
  readonly seller_item_id: string | null;
  readonly buyer_item_id: string | null;
  readonly standard_item_id: Identifier | null;
  /** BT-151, BT-152. */
  readonly category: TaxCategory | null;
  /** BG-32. */
  readonly properties: readonly { name: string | null; value: string | null }[];
}

/** BG-24. */
export interface SupportingDocument {
  /** BT-122. */
  readonly id: Identifier | null;
  /** 130: the invoiced object (BT-18); 50, in a credit note: the project (BT-11). */
  readonly type_code: string | null;
  /** BT-123. */
  readonly description: string | null;
  /** BT-124: never fetched by us. */
  readonly url: string | null;
  /** BT-125: base64 with any blanks; name and type are the sender's words. */
  readonly file: { name: string | null; mime_type: string | null; base64: string } | null;
}

export interface EInvoice {
  readonly kind: 'invoice' | 'credit_note';
  /** BT-24. */
  readonly specification: string | null;
  /** BT-23. */
  readonly process: string | null;
  /** BT-1. */
  readonly number: string | null;
  /** BT-2. */
  readonly issue_date: string | null;
  /** BT-9. */
  readonly due_date: string | null;
  /** BT-3, UNCL1001: 380 invoice, 381 credit note, 393 and 396 factored … */
  readonly type_code: string | null;
  /** BT-22. */
  readonly notes: readonly string[];
  /** BT-5. */
  readonly currency: string | null;
  /** BT-6. */
  readonly tax_currency: string | null;
  /** BT-10. */
  readonly buyer_reference: string | null;
  /** BT-13. */
  readonly order_number: string | null;
  /** BT-14. */
  readonly sales_order_number: string | null;
  /** BT-12. */
  readonly contract: string | null;
  /** BT-11. */
  readonly project: string | null;
  /** BT-19. */
  readonly accounting_cost: string | null;
  /** BG-14. */
  readonly period: InvoicingPeriod | null;
  /** BG-3: the invoices that this one corrects or credits. */
  readonly preceding: readonly { number: string | null; issue_date: string | null }[];
  readonly documents: readonly SupportingDocument[];
  readonly seller: Party | null;
  readonly buyer: Party | null;
  /** BG-10: then this party is to be paid, not the seller. */
  readonly payee: Party | null;
  readonly tax_representative: Party | null;
  /** BT-72 and BG-15. */
  readonly delivery: { date: string | null; name: string | null; address: Address | null } | null;
  readonly payment_means: readonly PaymentMeans[];
  /** BT-20. */
  readonly payment_terms: string | null;
  readonly allowances_and_charges: readonly AllowanceCharge[];
  readonly vat: readonly VatRow[];
  readonly totals: Totals;
  readonly lines: readonly Line[];
}
