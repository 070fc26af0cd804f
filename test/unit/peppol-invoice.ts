/** A clean Swedish e-invoice, and ways to change one thing in it. */
import { validateEInvoice } from '#src/peppol/validate.ts';

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';

const party = (role: string, name: string, number: string): string => `
  <cac:${role}>
    <cac:Party>
      <cbc:EndpointID schemeID="0007">${number}</cbc:EndpointID>
      <cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName>
      <cac:PostalAddress>
        <cbc:StreetName>Storgatan 1</cbc:StreetName>
        <cbc:CityName>Umeå</cbc:CityName>
        <cbc:PostalZone>90326</cbc:PostalZone>
        <cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country>
      </cac:PostalAddress>
      <cac:PartyTaxScheme>
        <cbc:CompanyID>SE${number}01</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:PartyTaxScheme>
      <cac:PartyLegalEntity>
        <cbc:RegistrationName>${name} AB</cbc:RegistrationName>
        <cbc:CompanyID schemeID="0007">${number}</cbc:CompanyID>
      </cac:PartyLegalEntity>
    </cac:Party>
  </cac:${role}>`;

const category = (element: string): string =>
  `<cac:${element}><cbc:ID>S</cbc:ID><cbc:Percent>25</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${element}>`;

const line = (id: number, kind: 'Invoice' | 'CreditNote'): string => {
  const quantity = kind === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity';
  return `
  <cac:${kind}Line>
    <cbc:ID>${id}</cbc:ID>
    <cbc:${quantity} unitCode="H87">2</cbc:${quantity}>
    <cbc:LineExtensionAmount currencyID="SEK">195.00</cbc:LineExtensionAmount>
    <cac:InvoicePeriod><cbc:StartDate>2026-03-02</cbc:StartDate><cbc:EndDate>2026-03-30</cbc:EndDate></cac:InvoicePeriod>
    <cac:AllowanceCharge>
      <cbc:ChargeIndicator>false</cbc:ChargeIndicator>
      <cbc:AllowanceChargeReason>Radrabatt</cbc:AllowanceChargeReason>
      <cbc:Amount currencyID="SEK">10.00</cbc:Amount>
    </cac:AllowanceCharge>
    <cac:AllowanceCharge>
      <cbc:ChargeIndicator>true</cbc:ChargeIndicator>
      <cbc:AllowanceChargeReason>Emballage</cbc:AllowanceChargeReason>
      <cbc:Amount currencyID="SEK">5.00</cbc:Amount>
    </cac:AllowanceCharge>
    <cac:Item>
      <cbc:Name>Kaffe ${id}</cbc:Name>
      <cac:StandardItemIdentification><cbc:ID schemeID="0160">7310000000000</cbc:ID></cac:StandardItemIdentification>
      <cac:CommodityClassification><cbc:ItemClassificationCode listID="STI">50201706</cbc:ItemClassificationCode></cac:CommodityClassification>
      ${category('ClassifiedTaxCategory')}
      <cac:AdditionalItemProperty><cbc:Name>Rost</cbc:Name><cbc:Value>Mörk</cbc:Value></cac:AdditionalItemProperty>
    </cac:Item>
    <cac:Price>
      <cbc:PriceAmount currencyID="SEK">100.00</cbc:PriceAmount>
      <cbc:BaseQuantity unitCode="H87">1</cbc:BaseQuantity>
      <cac:AllowanceCharge>
        <cbc:ChargeIndicator>false</cbc:ChargeIndicator>
        <cbc:Amount currencyID="SEK">20.00</cbc:Amount>
        <cbc:BaseAmount currencyID="SEK">120.00</cbc:BaseAmount>
      </cac:AllowanceCharge>
    </cac:Price>
  </cac:${kind}Line>`;
};

const documentAllowance = (is_charge: boolean): string => `
  <cac:AllowanceCharge>
    <cbc:ChargeIndicator>${is_charge}</cbc:ChargeIndicator>
    <cbc:AllowanceChargeReasonCode>${is_charge ? 'FC' : '95'}</cbc:AllowanceChargeReasonCode>
    <cbc:AllowanceChargeReason>${is_charge ? 'Frakt' : 'Rabatt'}</cbc:AllowanceChargeReason>
    <cbc:MultiplierFactorNumeric>${is_charge ? '5' : '10'}</cbc:MultiplierFactorNumeric>
    <cbc:Amount currencyID="SEK">${is_charge ? '5.00' : '10.00'}</cbc:Amount>
    <cbc:BaseAmount currencyID="SEK">100.00</cbc:BaseAmount>
    ${category('TaxCategory')}
  </cac:AllowanceCharge>`;

const money = (amount: number): string => amount.toFixed(2);

function totals(lines: number): string {
  const line_sum = lines * 195;
  const net = line_sum - 5;
  const vat = net / 4;
  const sek = (name: string, amount: number): string =>
    `<cbc:${name} currencyID="SEK">${money(amount)}</cbc:${name}>`;
  return `
  <cac:TaxTotal>
    ${sek('TaxAmount', vat)}
    <cac:TaxSubtotal>
      ${sek('TaxableAmount', net)}
      ${sek('TaxAmount', vat)}
      ${category('TaxCategory')}
    </cac:TaxSubtotal>
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    ${sek('LineExtensionAmount', line_sum)}
    ${sek('TaxExclusiveAmount', net)}
    ${sek('TaxInclusiveAmount', net + vat)}
    ${sek('AllowanceTotalAmount', 10)}
    ${sek('ChargeTotalAmount', 5)}
    ${sek('PrepaidAmount', 100)}
    ${sek('PayableRoundingAmount', 0.5)}
    ${sek('PayableAmount', net + vat - 100 + 0.5)}
  </cac:LegalMonetaryTotal>`;
}

/** A clean document with so many lines: an invoice, or a credit note with the same contents. */
export function cleanDocument(lines = 2, kind: 'Invoice' | 'CreditNote' = 'Invoice'): string {
  const is_invoice = kind === 'Invoice';
  const ids = Array.from({ length: lines }, (_, index) => index + 1);
  return `<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="${ubl}:${kind}-2" xmlns:cac="${ubl}:CommonAggregateComponents-2" xmlns:cbc="${ubl}:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>F-1001</cbc:ID>
  <cbc:IssueDate>2026-03-31</cbc:IssueDate>${is_invoice ? '\n  <cbc:DueDate>2026-04-30</cbc:DueDate>' : ''}
  <cbc:${kind}TypeCode>${is_invoice ? '380' : '381'}</cbc:${kind}TypeCode>
  <cbc:Note>Tack för köpet</cbc:Note>
  <cbc:DocumentCurrencyCode>SEK</cbc:DocumentCurrencyCode>
  <cbc:BuyerReference>Anna Svensson</cbc:BuyerReference>
  <cac:InvoicePeriod><cbc:StartDate>2026-03-01</cbc:StartDate><cbc:EndDate>2026-03-31</cbc:EndDate></cac:InvoicePeriod>
  <cac:OrderReference><cbc:ID>O-7</cbc:ID></cac:OrderReference>
  <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>F-900</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>
  <cac:AdditionalDocumentReference>
    <cbc:ID>bilaga</cbc:ID>
    <cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="bilaga.pdf">JVBERi0x</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>
  </cac:AdditionalDocumentReference>${party('AccountingSupplierParty', 'Rosteriet', '5566778899')}${party('AccountingCustomerParty', 'Kontoret', '2021005489')}
  <cac:Delivery>
    <cbc:ActualDeliveryDate>2026-03-15</cbc:ActualDeliveryDate>
    <cac:DeliveryLocation><cac:Address><cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:Address></cac:DeliveryLocation>
  </cac:Delivery>
  <cac:PaymentMeans>
    <cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>
    <cbc:PaymentID>1001036</cbc:PaymentID>
    <cac:PayeeFinancialAccount>
      <cbc:ID>9912346</cbc:ID>
      <cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID></cac:FinancialInstitutionBranch>
    </cac:PayeeFinancialAccount>
  </cac:PaymentMeans>
  <cac:PaymentTerms><cbc:Note>30 dagar netto</cbc:Note></cac:PaymentTerms>${documentAllowance(false)}${documentAllowance(true)}${totals(lines)}${ids.map((id) => line(id, kind)).join('')}
</${kind}>
`;
}

export interface Change {
  readonly from: string | RegExp;
  readonly to: string;
}

/** The document with each change made once; a change that finds nothing is a mistake in the test. */
export function changed(document: string, ...changes: readonly Change[]): string {
  return changes.reduce((text, { from, to }) => {
    const result = text.replace(from, () => to);
    if (result === text) throw new Error(`Nothing to change: ${from}`);
    return result;
  }, document);
}

/** The ids of the rules that a document breaks, each once, sorted. */
export function brokenRules(document: string | Uint8Array): string[] {
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  return [...new Set(validateEInvoice(bytes).findings.map(({ rule }) => rule))].sort();
}
