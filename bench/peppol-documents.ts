/** E-invoices to measure with: plain ones of any length, and hostile ones. */

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';

/** Whom the plain invoices are to. */
export const plain_buyer = '2021005489';

const party = (role: string, number: string): string => `
  <cac:${role}>
    <cac:Party>
      <cbc:EndpointID schemeID="0007">${number}</cbc:EndpointID>
      <cac:PartyName><cbc:Name>Bolaget</cbc:Name></cac:PartyName>
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
        <cbc:RegistrationName>Bolaget AB</cbc:RegistrationName>
        <cbc:CompanyID schemeID="0007">${number}</cbc:CompanyID>
      </cac:PartyLegalEntity>
    </cac:Party>
  </cac:${role}>`;

const line = (id: number, quantity: number, price: number): string => `
  <cac:InvoiceLine>
    <cbc:ID>${id}</cbc:ID>
    <cbc:InvoicedQuantity unitCode="H87">${quantity}</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="SEK">${quantity * price}.00</cbc:LineExtensionAmount>
    <cac:Item>
      <cbc:Description>Beskrivning av artikel ${id}</cbc:Description>
      <cbc:Name>Artikel ${id}</cbc:Name>
      <cac:SellersItemIdentification><cbc:ID>A-${id}</cbc:ID></cac:SellersItemIdentification>
      <cac:ClassifiedTaxCategory>
        <cbc:ID>S</cbc:ID>
        <cbc:Percent>25</cbc:Percent>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:ClassifiedTaxCategory>
    </cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="SEK">${price}.00</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>`;

/** An invoice of so many lines that breaks no rule; about 740 bytes a line. */
export function plainInvoice(lines: number): string {
  const rows = Array.from({ length: lines }, (_, index) => ({
    id: index + 1,
    quantity: (index % 7) + 1,
    price: 100 + (index % 50),
  }));
  const net = rows.reduce((total, { quantity, price }) => total + quantity * price, 0);
  const sek = (name: string, amount: number): string =>
    `<cbc:${name} currencyID="SEK">${amount.toFixed(2)}</cbc:${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${ubl}:Invoice-2" xmlns:cac="${ubl}:CommonAggregateComponents-2" xmlns:cbc="${ubl}:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>F-1</cbc:ID>
  <cbc:IssueDate>2026-03-01</cbc:IssueDate>
  <cbc:DueDate>2026-03-31</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>SEK</cbc:DocumentCurrencyCode>
  <cbc:BuyerReference>Anna</cbc:BuyerReference>${party('AccountingSupplierParty', '5566778899')}${party('AccountingCustomerParty', plain_buyer)}
  <cac:PaymentMeans>
    <cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>
    <cbc:PaymentID>1234567897</cbc:PaymentID>
    <cac:PayeeFinancialAccount>
      <cbc:ID>9912346</cbc:ID>
      <cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID></cac:FinancialInstitutionBranch>
    </cac:PayeeFinancialAccount>
  </cac:PaymentMeans>
  <cac:TaxTotal>
    ${sek('TaxAmount', net / 4)}
    <cac:TaxSubtotal>
      ${sek('TaxableAmount', net)}
      ${sek('TaxAmount', net / 4)}
      <cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>25</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory>
    </cac:TaxSubtotal>
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    ${sek('LineExtensionAmount', net)}
    ${sek('TaxExclusiveAmount', net)}
    ${sek('TaxInclusiveAmount', net * 1.25)}
    ${sek('PayableAmount', net * 1.25)}
  </cac:LegalMonetaryTotal>${rows.map(({ id, quantity, price }) => line(id, quantity, price)).join('')}
</Invoice>
`;
}

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** Documents that would cost much if they were believed. */
export function hostileDocuments(): readonly (readonly [string, string])[] {
  const inside = (body: string): string =>
    plainInvoice(1).replace('<cac:PaymentMeans>', `${body}$&`);
  return [
    ['nested 100 000 deep', '<a>'.repeat(100_000)],
    ['100 000 attributes', `<a ${many(100_000, (n) => `a${n}="1" `)}/>`],
    ['a name of 3 MB', `<${'a'.repeat(3_000_000)}/>`],
    ['a text of 3 MB', inside(`<cbc:Note>${'a'.repeat(3_000_000)}</cbc:Note>`)],
    [
      '2 000 lines with unknown codes',
      plainInvoice(2000).replaceAll('H87', 'XYZ').replaceAll('>S<', '>Q<'),
    ],
  ];
}
