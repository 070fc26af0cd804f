/**
 * An e-invoice as people and programs read it, with the business terms of EN 16931 (BT, BG) named. What
 * the document does not say is null or empty; what it says wrongly (an amount that is no number) too,
 * since the rules have said so already.
 */
import { type Decimal, parseDecimal } from './decimal.ts';
import type { XmlDocument, XmlElement } from './xml/tree.ts';
import { boolean, normalizeSpace, textAt } from './xpath.ts';

/** A number that names somebody or something, and the register it is of (EAS or ICD code). */
export interface Identifier {
  readonly value: string;
  readonly scheme: string | null;
}

export interface Address {
  /** BT-35–BT-38, BT-162 and their like, those there are. */
  readonly lines: readonly string[];
  readonly postal_code: string | null;
  readonly city: string | null;
  /** ISO 3166-1, two letters (BT-40, BT-55). */
  readonly country: string | null;
}

/** BG-4, BG-7. */
export interface Party {
  /** BT-27, BT-44: the registered name, or the trading name where there is none. */
  readonly name: string | null;
  /** BT-28, BT-45. */
  readonly trading_name: string | null;
  /** BT-34, BT-49. */
  readonly endpoint: Identifier | null;
  /** BT-29, BT-46. */
  readonly ids: readonly Identifier[];
  /** BT-30, BT-47. */
  readonly legal_id: Identifier | null;
  /** BT-31, BT-48. */
  readonly vat_number: string | null;
  /** BT-32, such as the Swedish statement of F-tax. */
  readonly tax_registration: string | null;
  readonly address: Address;
  /** BG-6, BG-9: name, telephone, e-mail. */
  readonly contact: readonly string[];
}

/** BG-20, BG-21, BG-27, BG-28. */
export interface AllowanceCharge {
  readonly is_charge: boolean;
  readonly reason: string | null;
  readonly amount: Decimal | null;
  readonly vat_category: string | null;
  readonly vat_rate: Decimal | null;
}

/** BG-23. */
export interface VatShare {
  /** BT-118. */
  readonly category: string;
  /** BT-119, percent. */
  readonly rate: Decimal | null;
  /** BT-116. */
  readonly taxable: Decimal | null;
  /** BT-117. */
  readonly vat: Decimal | null;
  /** BT-120, or BT-121. */
  readonly exemption: string | null;
}

/** BG-22, in the document's currency. */
export interface Totals {
  /** BT-106. */
  readonly lines: Decimal | null;
  /** BT-107. */
  readonly allowances: Decimal | null;
  /** BT-108. */
  readonly charges: Decimal | null;
  /** BT-109. */
  readonly net: Decimal | null;
  /** BT-110. */
  readonly vat: Decimal | null;
  /** BT-112. */
  readonly gross: Decimal | null;
  /** BT-113. */
  readonly prepaid: Decimal | null;
  /** BT-114. */
  readonly rounding: Decimal | null;
  /** BT-115. */
  readonly payable: Decimal | null;
}

/** BG-25. */
export interface Line {
  /** BT-126. */
  readonly id: string;
  /** BT-153, BT-154. */
  readonly name: string | null;
  readonly description: string | null;
  /** BT-155. */
  readonly seller_item_id: string | null;
  /** BT-129, BT-130. */
  readonly quantity: Decimal | null;
  readonly unit: string | null;
  /** BT-146, and BT-149: the price is for so many. */
  readonly price: Decimal | null;
  readonly base_quantity: Decimal | null;
  /** BT-131. */
  readonly net: Decimal | null;
  /** BT-151, BT-152. */
  readonly vat_category: string | null;
  readonly vat_rate: Decimal | null;
  readonly allowances: readonly AllowanceCharge[];
  /** BT-127. */
  readonly note: string | null;
}

/** BG-17: where credit transfers go. */
export interface PayeeAccount {
  /** BT-84. */
  readonly id: string;
  /** BT-85. */
  readonly name: string | null;
  /** BT-86: a BIC, or SE:BANKGIRO or SE:PLUSGIRO. */
  readonly branch: string | null;
}

/** BG-16. */
export interface PaymentInstructions {
  /** BT-81, UNCL 4461. */
  readonly means: string | null;
  /** BT-83. */
  readonly reference: string | null;
  readonly accounts: readonly PayeeAccount[];
  /** BT-20. */
  readonly terms: string | null;
}

/** BG-24. */
export interface SupportingDocument {
  /** BT-122. */
  readonly id: string;
  /** BT-123. */
  readonly description: string | null;
  /** BT-124: never fetched. */
  readonly uri: string | null;
  /** BT-125, base64 as written. */
  readonly embedded: {
    readonly base64: string;
    readonly media_type: string;
    readonly file_name: string;
  } | null;
}

export interface EInvoice {
  readonly is_credit_note: boolean;
  /** BT-24, BT-23. */
  readonly specification: string;
  readonly profile: string;
  /** BT-1. */
  readonly number: string;
  /** BT-2, BT-9: as written. */
  readonly issue_date: string;
  readonly due_date: string | null;
  /** BT-3, UNCL 1001. */
  readonly type_code: string;
  /** BT-5. */
  readonly currency: string;
  /** BT-10, BT-13, BT-12, BT-19. */
  readonly buyer_reference: string | null;
  readonly order_reference: string | null;
  readonly contract_reference: string | null;
  readonly buyer_accounting_reference: string | null;
  /** BT-22. */
  readonly notes: readonly string[];
  /** BG-3: number and date. */
  readonly preceding_invoices: readonly { readonly number: string; readonly date: string | null }[];
  readonly seller: Party;
  readonly buyer: Party;
  /** BT-59: paid instead of the seller. */
  readonly payee: string | null;
  /** BT-72, BG-15. */
  readonly delivery_date: string | null;
  readonly delivery_address: Address | null;
  readonly payment: PaymentInstructions;
  readonly allowances: readonly AllowanceCharge[];
  readonly totals: Totals;
  readonly vat_shares: readonly VatShare[];
  readonly lines: readonly Line[];
  readonly supporting_documents: readonly SupportingDocument[];
}

/** The invoice that a document tells. Never throws. */
export function modelOf({ root }: XmlDocument): EInvoice {
  const is_credit_note = root.name === 'CreditNote';
  const line_name = is_credit_note ? 'cac:CreditNoteLine' : 'cac:InvoiceLine';
  const payee = root.first('cac:PayeeParty');
  const delivery = root.first('cac:Delivery');
  const place = delivery?.first('cac:DeliveryLocation/cac:Address');
  return {
    is_credit_note,
    specification: textAt(root, 'cbc:CustomizationID'),
    profile: textAt(root, 'cbc:ProfileID'),
    number: textAt(root, 'cbc:ID'),
    issue_date: textAt(root, 'cbc:IssueDate'),
    due_date: text(root, 'cbc:DueDate') ?? text(root, 'cac:PaymentMeans/cbc:PaymentDueDate'),
    type_code: textAt(root, is_credit_note ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode'),
    currency: textAt(root, 'cbc:DocumentCurrencyCode'),
    buyer_reference: text(root, 'cbc:BuyerReference'),
    order_reference: text(root, 'cac:OrderReference/cbc:ID'),
    contract_reference: text(root, 'cac:ContractDocumentReference/cbc:ID'),
    buyer_accounting_reference: text(root, 'cbc:AccountingCost'),
    notes: texts(root, 'cbc:Note'),
    preceding_invoices: root
      .all('cac:BillingReference/cac:InvoiceDocumentReference')
      .map((one) => ({ number: textAt(one, 'cbc:ID'), date: text(one, 'cbc:IssueDate') })),
    seller: partyOf(root.first('cac:AccountingSupplierParty/cac:Party')),
    buyer: partyOf(root.first('cac:AccountingCustomerParty/cac:Party')),
    payee: payee ? (text(payee, 'cac:PartyName/cbc:Name') ?? '') : null,
    delivery_date: delivery ? text(delivery, 'cbc:ActualDeliveryDate') : null,
    delivery_address: place ? addressOf(place) : null,
    payment: paymentOf(root),
    allowances: root.all('cac:AllowanceCharge').map(allowanceOf),
    totals: totalsOf(root),
    vat_shares: root.all('cac:TaxTotal/cac:TaxSubtotal').map(vatShareOf),
    lines: root.all(line_name).map((line) => lineOf(line, is_credit_note)),
    supporting_documents: root.all('cac:AdditionalDocumentReference').map(supportingDocumentOf),
  };
}

/** The text at a path with single blanks, or null when there is none. */
function text(element: XmlElement | undefined, path: string): string | null {
  return element ? textAt(element, path) || null : null;
}

function texts(element: XmlElement, path: string): string[] {
  return element
    .all(path)
    .map(({ value }) => value.trim())
    .filter((value) => value !== '');
}

function amount(element: XmlElement | undefined, path: string): Decimal | null {
  const written = element?.valueOf(path);
  return written === undefined ? null : parseDecimal(written);
}

function identifier(element: XmlElement | undefined): Identifier | null {
  const value = normalizeSpace(element?.value);
  return element && value !== ''
    ? { value, scheme: normalizeSpace(element.attribute('schemeID')) || null }
    : null;
}

function partyOf(party: XmlElement | undefined): Party {
  const legal_name = text(party, 'cac:PartyLegalEntity/cbc:RegistrationName');
  const trading_name = text(party, 'cac:PartyName/cbc:Name');
  const schemes = party?.all('cac:PartyTaxScheme') ?? [];
  const ofVat = (scheme: XmlElement): boolean => textAt(scheme, 'cac:TaxScheme/cbc:ID') === 'VAT';
  const contact = party?.first('cac:Contact');
  return {
    name: legal_name ?? trading_name,
    trading_name,
    endpoint: identifier(party?.first('cbc:EndpointID')),
    ids: (party?.all('cac:PartyIdentification/cbc:ID') ?? []).flatMap((id) => identifier(id) ?? []),
    legal_id: identifier(party?.first('cac:PartyLegalEntity/cbc:CompanyID')),
    vat_number: text(schemes.find(ofVat), 'cbc:CompanyID'),
    tax_registration: text(
      schemes.find((scheme) => !ofVat(scheme)),
      'cbc:CompanyID',
    ),
    address: addressOf(party?.first('cac:PostalAddress')),
    contact: ['cbc:Name', 'cbc:Telephone', 'cbc:ElectronicMail'].flatMap(
      (path) => text(contact, path) ?? [],
    ),
  };
}

function addressOf(address: XmlElement | undefined): Address {
  const paths = ['cbc:StreetName', 'cbc:AdditionalStreetName', 'cac:AddressLine/cbc:Line'];
  return {
    lines: paths.flatMap((path) => text(address, path) ?? []),
    postal_code: text(address, 'cbc:PostalZone'),
    city: text(address, 'cbc:CityName'),
    country: text(address, 'cac:Country/cbc:IdentificationCode'),
  };
}

function paymentOf(root: XmlElement): PaymentInstructions {
  const means = root.all('cac:PaymentMeans');
  return {
    means: text(means[0], 'cbc:PaymentMeansCode'),
    reference: text(
      means.find((one) => one.has('cbc:PaymentID')),
      'cbc:PaymentID',
    ),
    accounts: means
      .flatMap((one) => one.all('cac:PayeeFinancialAccount'))
      .filter((account) => account.has('cbc:ID'))
      .map((account) => ({
        id: textAt(account, 'cbc:ID'),
        name: text(account, 'cbc:Name'),
        branch: text(account, 'cac:FinancialInstitutionBranch/cbc:ID'),
      })),
    terms: texts(root, 'cac:PaymentTerms/cbc:Note').join('\n') || null,
  };
}

function allowanceOf(element: XmlElement): AllowanceCharge {
  return {
    is_charge: boolean(element.valueOf('cbc:ChargeIndicator')) ?? false,
    reason: text(element, 'cbc:AllowanceChargeReason'),
    amount: amount(element, 'cbc:Amount'),
    vat_category: text(element, 'cac:TaxCategory/cbc:ID'),
    vat_rate: amount(element, 'cac:TaxCategory/cbc:Percent'),
  };
}

function totalsOf(root: XmlElement): Totals {
  const totals = root.first('cac:LegalMonetaryTotal');
  // A second total of VAT, in another currency, has no breakdown.
  const vat_total =
    root.all('cac:TaxTotal').find((total) => total.has('cac:TaxSubtotal')) ??
    root.first('cac:TaxTotal');
  return {
    lines: amount(totals, 'cbc:LineExtensionAmount'),
    allowances: amount(totals, 'cbc:AllowanceTotalAmount'),
    charges: amount(totals, 'cbc:ChargeTotalAmount'),
    net: amount(totals, 'cbc:TaxExclusiveAmount'),
    vat: amount(vat_total, 'cbc:TaxAmount'),
    gross: amount(totals, 'cbc:TaxInclusiveAmount'),
    prepaid: amount(totals, 'cbc:PrepaidAmount'),
    rounding: amount(totals, 'cbc:PayableRoundingAmount'),
    payable: amount(totals, 'cbc:PayableAmount'),
  };
}

function vatShareOf(share: XmlElement): VatShare {
  const category = share.first('cac:TaxCategory');
  return {
    category: text(category, 'cbc:ID') ?? '',
    rate: amount(category, 'cbc:Percent'),
    taxable: amount(share, 'cbc:TaxableAmount'),
    vat: amount(share, 'cbc:TaxAmount'),
    exemption:
      text(category, 'cbc:TaxExemptionReason') ?? text(category, 'cbc:TaxExemptionReasonCode'),
  };
}

function lineOf(line: XmlElement, is_credit_note: boolean): Line {
  const quantity = is_credit_note ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  const category = line.first('cac:Item/cac:ClassifiedTaxCategory');
  return {
    id: textAt(line, 'cbc:ID'),
    name: text(line, 'cac:Item/cbc:Name'),
    description: text(line, 'cac:Item/cbc:Description'),
    seller_item_id: text(line, 'cac:Item/cac:SellersItemIdentification/cbc:ID'),
    quantity: amount(line, quantity),
    unit: normalizeSpace(line.first(quantity)?.attribute('unitCode')) || null,
    price: amount(line, 'cac:Price/cbc:PriceAmount'),
    base_quantity: amount(line, 'cac:Price/cbc:BaseQuantity'),
    net: amount(line, 'cbc:LineExtensionAmount'),
    vat_category: text(category, 'cbc:ID'),
    vat_rate: amount(category, 'cbc:Percent'),
    allowances: line.all('cac:AllowanceCharge').map(allowanceOf),
    note: text(line, 'cbc:Note'),
  };
}

function supportingDocumentOf(reference: XmlElement): SupportingDocument {
  const object = reference.first('cac:Attachment/cbc:EmbeddedDocumentBinaryObject');
  return {
    id: textAt(reference, 'cbc:ID'),
    description: text(reference, 'cbc:DocumentDescription'),
    uri: text(reference, 'cac:Attachment/cac:ExternalReference/cbc:URI'),
    embedded: object
      ? {
          base64: object.value,
          media_type: normalizeSpace(object.attribute('mimeCode')),
          file_name: normalizeSpace(object.attribute('filename')),
        }
      : null,
  };
}
