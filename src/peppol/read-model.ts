/**
 * UBL to the model. It is read leniently, so that an invoice that breaks rules can still be shown: what
 * is missing, or is no number or no date, becomes null.
 */
import { type Decimal, parseDecimal } from './decimal.ts';
import { hasVatScheme, isCharge } from './facts.ts';
import type {
  Address,
  AllowanceCharge,
  CurrencyAmount,
  EInvoice,
  Identifier,
  InvoicingPeriod,
  Line,
  Party,
  PaymentMeans,
  SupportingDocument,
  TaxCategory,
  Totals,
  VatRow,
} from './model.ts';
import type { XmlDocument, XmlElement } from './xml/tree.ts';
import { isDate, normalizeSpace } from './xpath.ts';

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

const noCategory: TaxCategory = {
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
    category: category ? taxCategory(category) : noCategory,
  };
}

function totals(root: XmlElement): Totals {
  const sums = root.first('cac:LegalMonetaryTotal');
  const sum = (name: string): CurrencyAmount | null => (sums ? amount(sums, `cbc:${name}`) : null);
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

function amount(e: XmlElement, path: string): CurrencyAmount | null {
  const found = e.first(path);
  const value = found ? parseDecimal(found.value) : null;
  return value && { value, currency: normalizeSpace(found?.attribute('currencyID')) || null };
}

function dateAt(e: XmlElement, path: string): string | null {
  const written = normalizeSpace(e.valueOf(path));
  return isDate(written) && /^[0-9]{4}-/.test(written) ? written.slice(0, 10) : null;
}

function period(e: XmlElement | undefined): InvoicingPeriod | null {
  if (!e) return null;
  return { start: dateAt(e, 'cbc:StartDate'), end: dateAt(e, 'cbc:EndDate') };
}

function identifier(e: XmlElement | undefined): Identifier | null {
  const value = normalizeSpace(e?.value);
  return value === '' ? null : { value, scheme: e?.attribute('schemeID')?.trim() || null };
}
