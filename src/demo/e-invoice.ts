/** E-invoices as the example company's suppliers send them: Peppol BIS Billing 3, as UBL. */
import { addDays } from '../domain/basics/dates.ts';
import { type Ore, sum } from '../domain/basics/money.ts';
import { decimal } from '../domain/basics/xml.ts';
import { type VatRate, vatFromNet } from '../domain/ledger/vat.ts';
import { company } from './company.ts';
import type { DemoFile } from './documents.ts';
import type { DemoSupplier } from './suppliers.ts';

type Seller = Pick<
  DemoSupplier,
  | 'name'
  | 'organizationNumber'
  | 'vatNumber'
  | 'endpoint'
  | 'countryCode'
  | 'street'
  | 'postalCode'
  | 'city'
  | 'payTo'
>;

export interface EInvoiceLine {
  readonly name: string;
  readonly quantity: number;
  readonly priceOre: Ore;
}

export interface SampleEInvoice {
  readonly kind: 'Invoice' | 'CreditNote';
  readonly seller: Seller;
  readonly number: string;
  readonly issueDate: string;
  readonly terms: number;
  readonly vat: VatRate | 'K' | 'E';
  readonly lines: readonly EInvoiceLine[];
  readonly currency?: string;
  /** The organisation number it is sent to; the company's own unless said. */
  readonly buyer?: string;
  /** A file inside the document. */
  readonly enclosure?: DemoFile;
  /** What it wrongly asks for on top of its own sum. */
  readonly overchargedOre?: Ore;
}

const bis = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0' as const;

function netOf({ lines }: Pick<SampleEInvoice, 'lines'>): Ore {
  return sum(lines.map(({ quantity, priceOre }) => BigInt(quantity) * priceOre));
}

/** What the document asks for. */
export function payableOf(invoice: SampleEInvoice): Ore {
  return netOf(invoice) + vatOf(invoice) + (invoice.overchargedOre ?? 0n);
}

const vatOf = (invoice: SampleEInvoice): Ore =>
  typeof invoice.vat === 'number' ? vatFromNet(netOf(invoice), invoice.vat) : 0n;

export function eInvoiceXml(invoice: SampleEInvoice): string {
  const { kind, number, issueDate, terms, currency = 'SEK' } = invoice;
  const isInvoice = kind === 'Invoice';
  const dates = isInvoice
    ? `<cbc:DueDate>${addDays(issueDate, terms)}</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>`
    : '<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>';
  return `<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${kind}-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>${bis}</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>${number}</cbc:ID>
  <cbc:IssueDate>${issueDate}</cbc:IssueDate>
  ${dates}
  <cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
  <cbc:BuyerReference>Inköp</cbc:BuyerReference>
  ${enclosure(invoice)}
  ${parties(invoice)}
  ${delivery(invoice)}
  ${paymentMeans(invoice)}
  ${amounts(invoice, currency)}
  ${invoice.lines.map((_, index) => line(invoice, index, currency)).join('\n  ')}
</${kind}>
`;
}

function enclosure({ enclosure: file }: SampleEInvoice): string {
  if (!file) return '';
  return `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>
    <cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="${file.fileName}">${file.bytes.toString('base64')}</cbc:EmbeddedDocumentBinaryObject>
  </cac:Attachment></cac:AdditionalDocumentReference>`;
}

function parties({ seller, buyer = company.organizationNumber }: SampleEInvoice): string {
  const [scheme = '', address = ''] = seller.endpoint.split(':');
  const legal =
    seller.organizationNumber === null
      ? ''
      : `<cbc:CompanyID schemeID="0007">${seller.organizationNumber}</cbc:CompanyID>`;
  const taxed = seller.countryCode === 'SE' ? taxScheme('Godkänd för F-skatt', 'TAX') : '';
  return `<cac:AccountingSupplierParty><cac:Party>
    <cbc:EndpointID schemeID="${scheme}">${address}</cbc:EndpointID>
    <cac:PostalAddress><cbc:StreetName>${escaped(seller.street)}</cbc:StreetName>
      <cbc:CityName>${escaped(seller.city)}</cbc:CityName><cbc:PostalZone>${seller.postalCode}</cbc:PostalZone>
      <cac:Country><cbc:IdentificationCode>${seller.countryCode}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
    ${taxScheme(seller.vatNumber, 'VAT')}${taxed}
    <cac:PartyLegalEntity><cbc:RegistrationName>${escaped(seller.name)}</cbc:RegistrationName>${legal}</cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cbc:EndpointID schemeID="0007">${buyer}</cbc:EndpointID>
    <cac:PostalAddress><cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
    ${taxScheme(`SE${buyer}01`, 'VAT')}
    <cac:PartyLegalEntity><cbc:RegistrationName>${company.name}</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingCustomerParty>`;
}

const taxScheme = (number: string, scheme: string): string =>
  `<cac:PartyTaxScheme><cbc:CompanyID>${number}</cbc:CompanyID>
      <cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`;

/** Goods within the EU must say when they came and where (BR-IC-11, BR-IC-12). */
function delivery({ vat, issueDate }: SampleEInvoice): string {
  if (vat !== 'K') return '';
  return `<cac:Delivery><cbc:ActualDeliveryDate>${issueDate}</cbc:ActualDeliveryDate>
    <cac:DeliveryLocation><cac:Address><cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:Address></cac:DeliveryLocation>
  </cac:Delivery>`;
}

function paymentMeans({ seller, number }: SampleEInvoice): string {
  const branch =
    seller.countryCode === 'SE'
      ? '<cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID></cac:FinancialInstitutionBranch>'
      : '';
  return `<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>${number}</cbc:PaymentID>
    <cac:PayeeFinancialAccount><cbc:ID>${seller.payTo}</cbc:ID>${branch}</cac:PayeeFinancialAccount></cac:PaymentMeans>`;
}

function amounts(invoice: SampleEInvoice, currency: string): string {
  const net = netOf(invoice);
  const vat = vatOf(invoice);
  const money = (tag: string, ore: Ore): string =>
    `<cbc:${tag} currencyID="${currency}">${decimal(ore, 2, 2)}</cbc:${tag}>`;
  return `<cac:TaxTotal>${money('TaxAmount', vat)}
    <cac:TaxSubtotal>${money('TaxableAmount', net)}${money('TaxAmount', vat)}
      <cac:TaxCategory>${category(invoice.vat)}${exemption(invoice.vat)}
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal>${money('LineExtensionAmount', net)}${money('TaxExclusiveAmount', net)}
    ${money('TaxInclusiveAmount', net + vat)}${money('PayableAmount', payableOf(invoice))}</cac:LegalMonetaryTotal>`;
}

function category(vat: SampleEInvoice['vat']): string {
  const [code, percent] = typeof vat === 'number' ? ['S', vat] : [vat, 0];
  return `<cbc:ID>${code}</cbc:ID><cbc:Percent>${percent}</cbc:Percent>`;
}

function exemption(vat: SampleEInvoice['vat']): string {
  if (vat === 'K') return '<cbc:TaxExemptionReasonCode>VATEX-EU-IC</cbc:TaxExemptionReasonCode>';
  if (vat !== 'E') return '';
  return '<cbc:TaxExemptionReason>Försäkringstjänst, 10 kap. mervärdesskattelagen</cbc:TaxExemptionReason>';
}

function line({ kind, lines, vat }: SampleEInvoice, index: number, currency: string): string {
  const { name, quantity, priceOre } = lines[index] ?? { name: '', quantity: 0, priceOre: 0n };
  const word = kind === 'Invoice' ? 'Invoiced' : 'Credited';
  return `<cac:${kind}Line><cbc:ID>${index + 1}</cbc:ID>
    <cbc:${word}Quantity unitCode="EA">${quantity}</cbc:${word}Quantity>
    <cbc:LineExtensionAmount currencyID="${currency}">${decimal(BigInt(quantity) * priceOre, 2, 2)}</cbc:LineExtensionAmount>
    <cac:Item><cbc:Name>${escaped(name)}</cbc:Name>
      <cac:ClassifiedTaxCategory>${category(vat)}
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="${currency}">${decimal(priceOre, 2, 2)}</cbc:PriceAmount></cac:Price></cac:${kind}Line>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
