/**
 * The invoice as EN 16931 means it, read out of UBL: one shape for Invoice and CreditNote, to draft and
 * to render from. The terms of the standard (BT-1, BG-25 …) stand beside each field. It is read
 * leniently, so that an invoice that breaks rules can still be shown: what is missing or is no number
 * is null. The supplier's own totals stand as written; nothing is recomputed.
 */
import { type Decimal, parseDecimal } from './decimal.ts';
import { hasVatScheme, isCharge } from './facts.ts';
import type { XmlDocument, XmlElement } from './xml/tree.ts';
import { isDate, normalizeSpace } from './xpath.ts';

/** An identifier and the list it comes from (ISO 6523 ICD, EAS, UNCL1153 …). */
export interface Identifier {
  readonly value: string;
  readonly scheme: string | null;
}

export interface Amount {
  readonly value: Decimal;
  /** ISO 4217. */
  readonly currency: string | null;
}

/** Dates are `YYYY-MM-DD`. */
export interface Period {
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
  readonly amount: Amount | null;
  readonly base: Amount | null;
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
  readonly taxable: Amount | null;
  /** BT-117. */
  readonly tax: Amount | null;
  readonly category: TaxCategory;
}

/** BG-22. */
export interface Totals {
  /** BT-106. */
  readonly lines: Amount | null;
  /** BT-107. */
  readonly allowances: Amount | null;
  /** BT-108. */
  readonly charges: Amount | null;
  /** BT-109. */
  readonly without_vat: Amount | null;
  /** BT-110. */
  readonly vat: Amount | null;
  /** BT-111: in the seller's accounting currency. */
  readonly vat_in_tax_currency: Amount | null;
  /** BT-112. */
  readonly with_vat: Amount | null;
  /** BT-113. */
  readonly prepaid: Amount | null;
  /** BT-114. */
  readonly rounding: Amount | null;
  /** BT-115. */
  readonly payable: Amount | null;
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
  readonly net: Amount | null;
  /** BT-132. */
  readonly order_line: string | null;
  /** BT-133. */
  readonly accounting_cost: string | null;
  /** BG-26. */
  readonly period: Period | null;
  readonly allowances_and_charges: readonly AllowanceCharge[];
  /** BT-146, and BT-149: the price is for this many units. */
  readonly price: Amount | null;
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
  readonly period: Period | null;
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

/** Reads the invoice out of a document whose root is Invoice or CreditNote. */
export function readModel({ root }: XmlDocument): EInvoice {
  const is_credit_note = root.name === 'CreditNote';
  return {
    kind: is_credit_note ? 'credit_note' : 'invoice',
    specification: text(root, 'cbc:CustomizationID'),
    process: text(root, 'cbc:ProfileID'),
    number: text(root, 'cbc:ID'),
    issue_date: dateAt(root, 'cbc:IssueDate'),
    due_date: dateAt(root, 'cbc:DueDate') ?? dateAt(root, 'cac:PaymentMeans/cbc:PaymentDueDate'),
    type_code: text(root, is_credit_note ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode'),
    notes: root.all('cbc:Note').map(({ value }) => value.trim()),
    currency: text(root, 'cbc:DocumentCurrencyCode'),
    tax_currency: text(root, 'cbc:TaxCurrencyCode'),
    ...references(root),
    seller: party(root.first('cac:AccountingSupplierParty/cac:Party')),
    buyer: party(root.first('cac:AccountingCustomerParty/cac:Party')),
    payee: party(root.first('cac:PayeeParty')),
    tax_representative: party(root.first('cac:TaxRepresentativeParty')),
    delivery: delivery(root.first('cac:Delivery')),
    payment_means: root.all('cac:PaymentMeans').map(paymentMeans),
    payment_terms: text(root, 'cac:PaymentTerms/cbc:Note'),
    allowances_and_charges: root.all('cac:AllowanceCharge').map(allowanceCharge),
    vat: root.all('cac:TaxTotal/cac:TaxSubtotal').map(vatRow),
    totals: totals(root),
    lines: root.all(is_credit_note ? 'cac:CreditNoteLine' : 'cac:InvoiceLine').map(line),
  };
}

type References = Pick<
  EInvoice,
  | 'buyer_reference'
  | 'order_number'
  | 'sales_order_number'
  | 'contract'
  | 'project'
  | 'accounting_cost'
  | 'period'
  | 'preceding'
  | 'documents'
>;

function references(root: XmlElement): References {
  const documents = root.all('cac:AdditionalDocumentReference').map(supportingDocument);
  const project = documents.find(({ type_code }) => type_code === '50')?.id?.value ?? null;
  return {
    buyer_reference: text(root, 'cbc:BuyerReference'),
    order_number: text(root, 'cac:OrderReference/cbc:ID'),
    sales_order_number: text(root, 'cac:OrderReference/cbc:SalesOrderID'),
    contract: text(root, 'cac:ContractDocumentReference/cbc:ID'),
    project: text(root, 'cac:ProjectReference/cbc:ID') ?? project,
    accounting_cost: text(root, 'cbc:AccountingCost'),
    period: period(root.first('cac:InvoicePeriod')),
    preceding: root.all('cac:BillingReference/cac:InvoiceDocumentReference').map((one) => ({
      number: text(one, 'cbc:ID'),
      issue_date: dateAt(one, 'cbc:IssueDate'),
    })),
    documents,
  };
}

function supportingDocument(e: XmlElement): SupportingDocument {
  const file = e.first('cac:Attachment/cbc:EmbeddedDocumentBinaryObject');
  return {
    id: identifier(e.first('cbc:ID')),
    type_code: text(e, 'cbc:DocumentTypeCode'),
    description: text(e, 'cbc:DocumentDescription'),
    url: text(e, 'cac:Attachment/cac:ExternalReference/cbc:URI'),
    file: file
      ? {
          name: file.attribute('filename') ?? null,
          mime_type: file.attribute('mimeCode') ?? null,
          base64: file.value,
        }
      : null,
  };
}

function party(e: XmlElement | undefined): Party | null {
  if (!e) return null;
  const schemes = e.all('cac:PartyTaxScheme');
  const vat = schemes.find((scheme) => hasVatScheme(scheme));
  const other = schemes.find((scheme) => !hasVatScheme(scheme));
  const contact = e.first('cac:Contact');
  const trading_name = text(e, 'cac:PartyName/cbc:Name');
  return {
    name: text(e, 'cac:PartyLegalEntity/cbc:RegistrationName') ?? trading_name,
    trading_name,
    endpoint: identifier(e.first('cbc:EndpointID')),
    ids: e.all('cac:PartyIdentification/cbc:ID').flatMap((id) => identifier(id) ?? []),
    legal_id: identifier(e.first('cac:PartyLegalEntity/cbc:CompanyID')),
    vat_number: vat ? text(vat, 'cbc:CompanyID') : null,
    tax_registration: other ? text(other, 'cbc:CompanyID') : null,
    legal_form: text(e, 'cac:PartyLegalEntity/cbc:CompanyLegalForm'),
    address: address(e.first('cac:PostalAddress')),
    contact: contact
      ? {
          name: text(contact, 'cbc:Name'),
          telephone: text(contact, 'cbc:Telephone'),
          email: text(contact, 'cbc:ElectronicMail'),
        }
      : null,
  };
}

function address(e: XmlElement | undefined): Address | null {
  if (!e) return null;
  const paths = ['cbc:StreetName', 'cbc:AdditionalStreetName', 'cac:AddressLine/cbc:Line'];
  return {
    lines: paths.flatMap((path) => text(e, path) ?? []),
    city: text(e, 'cbc:CityName'),
    postal_code: text(e, 'cbc:PostalZone'),
    subdivision: text(e, 'cbc:CountrySubentity'),
    country: text(e, 'cac:Country/cbc:IdentificationCode'),
  };
}

function delivery(e: XmlElement | undefined): EInvoice['delivery'] {
  if (!e) return null;
  return {
    date: dateAt(e, 'cbc:ActualDeliveryDate'),
    name: text(e, 'cac:DeliveryParty/cac:PartyName/cbc:Name'),
    address: address(e.first('cac:DeliveryLocation/cac:Address')),
  };
}

function paymentMeans(e: XmlElement): PaymentMeans {
  const account = 'cac:PayeeFinancialAccount';
  return {
    code: text(e, 'cbc:PaymentMeansCode'),
    name: e.first('cbc:PaymentMeansCode')?.attribute('name') ?? null,
    payment_id: text(e, 'cbc:PaymentID'),
    account: text(e, `${account}/cbc:ID`),
    account_name: text(e, `${account}/cbc:Name`),
    branch: text(e, `${account}/cac:FinancialInstitutionBranch/cbc:ID`),
    card_number: text(e, 'cac:CardAccount/cbc:PrimaryAccountNumberID'),
    mandate: text(e, 'cac:PaymentMandate/cbc:ID'),
  };
}

function allowanceCharge(e: XmlElement): AllowanceCharge {
  const category = e.first('cac:TaxCategory');
  return {
    is_charge: isCharge(e) === true,
    amount: amount(e, 'cbc:Amount'),
    base: amount(e, 'cbc:BaseAmount'),
    percent: number(e, 'cbc:MultiplierFactorNumeric'),
    reason: text(e, 'cbc:AllowanceChargeReason'),
    reason_code: text(e, 'cbc:AllowanceChargeReasonCode'),
    category: category ? taxCategory(category) : null,
  };
}

function taxCategory(e: XmlElement): TaxCategory {
  return {
    code: text(e, 'cbc:ID'),
    rate: number(e, 'cbc:Percent'),
    exemption_reason: text(e, 'cbc:TaxExemptionReason'),
    exemption_code: text(e, 'cbc:TaxExemptionReasonCode'),
  };
}

const no_category: TaxCategory = {
  code: null,
  rate: null,
  exemption_reason: null,
  exemption_code: null,
};

function vatRow(e: XmlElement): VatRow {
  const category = e.first('cac:TaxCategory');
  return {
    taxable: amount(e, 'cbc:TaxableAmount'),
    tax: amount(e, 'cbc:TaxAmount'),
    category: category ? taxCategory(category) : no_category,
  };
}

function totals(root: XmlElement): Totals {
  const sums = root.first('cac:LegalMonetaryTotal');
  const sum = (name: string): Amount | null => (sums ? amount(sums, `cbc:${name}`) : null);
  const tax_totals = root.all('cac:TaxTotal');
  const main = tax_totals.find((one) => one.has('cac:TaxSubtotal')) ?? tax_totals[0];
  const other = tax_totals.find((one) => one !== main);
  return {
    lines: sum('LineExtensionAmount'),
    allowances: sum('AllowanceTotalAmount'),
    charges: sum('ChargeTotalAmount'),
    without_vat: sum('TaxExclusiveAmount'),
    vat: main ? amount(main, 'cbc:TaxAmount') : null,
    vat_in_tax_currency: other ? amount(other, 'cbc:TaxAmount') : null,
    with_vat: sum('TaxInclusiveAmount'),
    prepaid: sum('PrepaidAmount'),
    rounding: sum('PayableRoundingAmount'),
    payable: sum('PayableAmount'),
  };
}

function line(e: XmlElement): Line {
  const quantity = e.first('cbc:InvoicedQuantity') ?? e.first('cbc:CreditedQuantity');
  const item = e.first('cac:Item');
  const category = item?.first('cac:ClassifiedTaxCategory');
  const itemText = (path: string): string | null => (item ? text(item, path) : null);
  return {
    id: text(e, 'cbc:ID'),
    note: text(e, 'cbc:Note'),
    quantity: quantity ? parseDecimal(quantity.value) : null,
    unit: quantity?.attribute('unitCode') ?? null,
    net: amount(e, 'cbc:LineExtensionAmount'),
    order_line: text(e, 'cac:OrderLineReference/cbc:LineID'),
    accounting_cost: text(e, 'cbc:AccountingCost'),
    period: period(e.first('cac:InvoicePeriod')),
    allowances_and_charges: e.all('cac:AllowanceCharge').map(allowanceCharge),
    price: amount(e, 'cac:Price/cbc:PriceAmount'),
    price_quantity: number(e, 'cac:Price/cbc:BaseQuantity'),
    name: itemText('cbc:Name'),
    description: itemText('cbc:Description'),
    seller_item_id: itemText('cac:SellersItemIdentification/cbc:ID'),
    buyer_item_id: itemText('cac:BuyersItemIdentification/cbc:ID'),
    standard_item_id: identifier(item?.first('cac:StandardItemIdentification/cbc:ID')),
    category: category ? taxCategory(category) : null,
    properties: (item?.all('cac:AdditionalItemProperty') ?? []).map((one) => ({
      name: text(one, 'cbc:Name'),
      value: text(one, 'cbc:Value'),
    })),
  };
}

/** A text without blanks at its ends; null when there is none. */
const text = (e: XmlElement, path: string): string | null => e.valueOf(path)?.trim() || null;

const number = (e: XmlElement, path: string): Decimal | null => parseDecimal(e.valueOf(path) ?? '');

function amount(e: XmlElement, path: string): Amount | null {
  const found = e.first(path);
  const value = found ? parseDecimal(found.value) : null;
  return value && { value, currency: normalizeSpace(found?.attribute('currencyID')) || null };
}

function dateAt(e: XmlElement, path: string): string | null {
  const written = normalizeSpace(e.valueOf(path));
  return isDate(written) && /^[0-9]{4}-/.test(written) ? written.slice(0, 10) : null;
}

function period(e: XmlElement | undefined): Period | null {
  if (!e) return null;
  return { start: dateAt(e, 'cbc:StartDate'), end: dateAt(e, 'cbc:EndDate') };
}

function identifier(e: XmlElement | undefined): Identifier | null {
  const value = normalizeSpace(e?.value);
  return value === '' ? null : { value, scheme: e?.attribute('schemeID')?.trim() || null };
}
