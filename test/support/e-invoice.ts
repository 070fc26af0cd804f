/** E-invoices as a Swedish supplier's program writes them, made for the tests. */

export interface EInvoiceParts {
  readonly root?: 'Invoice' | 'CreditNote';
  readonly number?: string;
  readonly issueDate?: string;
  readonly currency?: string;
  readonly customization?: string;
  readonly seller?: {
    readonly name?: string;
    readonly orgNumber?: string;
    /** Then without Swedish numbers, at an address there. */
    readonly foreign?: { readonly country: string; readonly vatNumber: string };
  };
  readonly buyer?: { readonly orgNumber?: string };
  readonly bankgiro?: string;
  /** Kronor; the VAT is 25 % of it, when it bears any. */
  readonly net?: number;
  /** S with 25 %, unless said: then without VAT. */
  readonly category?: 'AE' | 'E' | 'G' | 'K' | 'Z';
  readonly payable?: string;
  /** Kronor that are paid already. */
  readonly prepaid?: number;
  /** 380 or 381, unless said. */
  readonly typeCode?: string;
  /** The number of an earlier invoice. */
  readonly preceding?: string;
  /** Put in where it belongs. */
  readonly documents?: string;
  readonly payee?: string;
}

const bis = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';

/** A clean invoice of the test company's supplier; anything can be changed. */
export function eInvoice(parts: EInvoiceParts = {}): string {
  const { root = 'Invoice', number = 'F-1001', issueDate = '2026-03-31', currency = 'SEK' } = parts;
  const { net = 1_000, bankgiro = '50501055', documents = '', payee = '' } = parts;
  const seller = { name: 'Pappersbruket AB', orgNumber: '5560360793', ...parts.seller };
  const buyer = { orgNumber: '5567026934', ...parts.buyer };
  const isInvoice = root === 'Invoice';
  const money = (tag: string, kronor: number | string) =>
    `<cbc:${tag} currencyID="${currency}">${typeof kronor === 'number' ? kronor.toFixed(2) : kronor}</cbc:${tag}>`;
  const { category = 'S' } = parts;
  const vat = category === 'S' ? net / 4 : 0;
  const rate = `<cbc:ID>${category}</cbc:ID><cbc:Percent>${category === 'S' ? 25 : 0}</cbc:Percent>`;
  const scheme = '<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>';
  const exemption =
    category === 'S' || category === 'Z'
      ? ''
      : '<cbc:TaxExemptionReason>Utan moms</cbc:TaxExemptionReason>';
  const delivery =
    '<cac:Delivery><cbc:ActualDeliveryDate>2026-03-15</cbc:ActualDeliveryDate><cac:DeliveryLocation><cac:Address><cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:Address></cac:DeliveryLocation></cac:Delivery>';
  const foreignParty = (
    name: string,
    { country, vatNumber }: { country: string; vatNumber: string },
  ) =>
    `<cac:Party><cbc:EndpointID schemeID="0088">7300010000001</cbc:EndpointID>
      <cac:PostalAddress><cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
      <cac:PartyTaxScheme><cbc:CompanyID>${vatNumber}</cbc:CompanyID>${scheme}</cac:PartyTaxScheme>
      <cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity>
    </cac:Party>`;
  const party = (name: string, orgNumber: string, fTax: string) => `<cac:Party>
      <cbc:EndpointID schemeID="0007">${orgNumber}</cbc:EndpointID>
      <cac:PostalAddress><cbc:StreetName>Storgatan 1</cbc:StreetName><cbc:CityName>Falun</cbc:CityName>
        <cbc:PostalZone>79130</cbc:PostalZone>
        <cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
      <cac:PartyTaxScheme><cbc:CompanyID>SE${orgNumber}01</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>${fTax}
      <cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName>
        <cbc:CompanyID schemeID="0007">${orgNumber}</cbc:CompanyID></cac:PartyLegalEntity>
    </cac:Party>`;
  const fTax = `<cac:PartyTaxScheme><cbc:CompanyID>Godkänd för F-skatt</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>TAX</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>${parts.customization ?? bis}</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>${number}</cbc:ID>
  <cbc:IssueDate>${issueDate}</cbc:IssueDate>
  ${isInvoice ? `<cbc:DueDate>2026-04-30</cbc:DueDate><cbc:InvoiceTypeCode>${parts.typeCode ?? 380}</cbc:InvoiceTypeCode>` : '<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>'}
  <cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
  <cbc:BuyerReference>Inköp</cbc:BuyerReference>
  ${parts.preceding === undefined ? '' : `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${parts.preceding}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`}
  ${documents}
  <cac:AccountingSupplierParty>${seller.foreign ? foreignParty(seller.name, seller.foreign) : party(seller.name, seller.orgNumber, fTax)}</cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty>${party('Testbolaget AB', buyer.orgNumber, '')}</cac:AccountingCustomerParty>
  ${payee}${category === 'K' ? delivery : ''}
  <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>1234566</cbc:PaymentID>
    <cac:PayeeFinancialAccount><cbc:ID>${bankgiro}</cbc:ID>
      <cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID></cac:FinancialInstitutionBranch>
    </cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:TaxTotal>${money('TaxAmount', vat)}
    <cac:TaxSubtotal>${money('TaxableAmount', net)}${money('TaxAmount', vat)}
      <cac:TaxCategory>${rate}${exemption}${scheme}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal>${money('LineExtensionAmount', net)}${money('TaxExclusiveAmount', net)}
    ${money('TaxInclusiveAmount', net + vat)}${parts.prepaid === undefined ? '' : money('PrepaidAmount', parts.prepaid)}${money('PayableAmount', parts.payable ?? net + vat - (parts.prepaid ?? 0))}</cac:LegalMonetaryTotal>
  <cac:${root}Line><cbc:ID>1</cbc:ID>
    <cbc:${isInvoice ? 'Invoiced' : 'Credited'}Quantity unitCode="EA">${net < 0 ? -1 : 1}</cbc:${isInvoice ? 'Invoiced' : 'Credited'}Quantity>
    ${money('LineExtensionAmount', net)}
    <cac:Item><cbc:Name>Kopieringspapper</cbc:Name>
      <cac:ClassifiedTaxCategory>${rate}${scheme}</cac:ClassifiedTaxCategory></cac:Item>
    <cac:Price>${money('PriceAmount', Math.abs(net))}</cac:Price></cac:${root}Line>
</${root}>
`;
}

/** The same in the envelope that access points pass on. */
export function inEnvelope(invoice: string, receiver = '0007:5567026934'): string {
  const [, body = ''] = /^<\?xml[^>]*\?>\s*([\s\S]*)$/.exec(invoice) ?? [];
  const address = (value: string) =>
    `<Identifier Authority="iso6523-actorid-upis">${value}</Identifier>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader">
  <StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion>
    <Sender>${address('0007:5560360793')}</Sender><Receiver>${address(receiver)}</Receiver>
    <DocumentIdentification><Standard>urn:oasis:names:specification:ubl:schema:xsd:Invoice-2</Standard>
      <TypeVersion>2.1</TypeVersion><InstanceIdentifier>a-1</InstanceIdentifier><Type>Invoice</Type>
      <CreationDateAndTime>2026-03-31T10:00:00Z</CreationDateAndTime></DocumentIdentification>
  </StandardBusinessDocumentHeader>
  ${body.trim()}
</StandardBusinessDocument>
`;
}
