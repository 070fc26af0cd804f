/** EN 16931's own rules: what must be there, what adds up, decimals and code lists. */
import { type Change, changed, cleanDocument } from '../peppol-invoice.ts';
import type { Example, Examples } from './example.ts';

const invoice = cleanDocument();

type Changes = Change | readonly Change[];

/** A clean invoice changed so that the rule is broken, and another (or itself) where it holds. */
function pair(breaks: Changes, holds: Changes = []): Example {
  return {
    breaks: changed(invoice, ...[breaks].flat()),
    holds: changed(invoice, ...[holds].flat()),
  };
}

/** From one text to another, first occurrence. */
const to = (from: string | RegExp, text: string): Change => ({ from, to: text });
const without = (from: string | RegExp): Change => to(from, '');

const pattern = (text: string | RegExp): string =>
  text instanceof RegExp ? text.source : text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
/** From one text to another, first occurrence after a third. */
const after = (start: string, from: string | RegExp, text: string): Change =>
  to(new RegExp(`(?<=${pattern(start)}[\\s\\S]*?)${pattern(from)}`), text);
/** Something more, before the first occurrence of a text. */
const before = (what: string, text: string): Change => to(what, text + what);

/** A whole element by its name, with whatever is in it. */
const element = (name: string): RegExp => new RegExp(`<${name}[ >][\\s\\S]*?</${name}>`);

// Where in the document: what stands first in each part.
const buyer = '<cac:AccountingCustomerParty>';
const breakdown = '<cac:TaxSubtotal>';
const totals = '<cac:LegalMonetaryTotal>';
const first_line = '<cac:InvoiceLine>';
const allowance = '<cbc:AllowanceChargeReasonCode>95</cbc:AllowanceChargeReasonCode>';
const charge = '<cbc:AllowanceChargeReasonCode>FC</cbc:AllowanceChargeReasonCode>';
const allowance_reason = '<cbc:AllowanceChargeReason>Rabatt</cbc:AllowanceChargeReason>';
const charge_reason = '<cbc:AllowanceChargeReason>Frakt</cbc:AllowanceChargeReason>';
const line_allowance = '<cbc:AllowanceChargeReason>Radrabatt</cbc:AllowanceChargeReason>';
const line_charge = '<cbc:AllowanceChargeReason>Emballage</cbc:AllowanceChargeReason>';

const category_code = '<cbc:ID>S</cbc:ID>';
const seller_tax_number = element('cac:PartyTaxScheme');

/** The same text with one figure too many, after something else. */
const threeDecimals = (start: string, name: string, amount: string): Example =>
  pair(after(start, `>${amount}</cbc:${name}>`, `>${amount}0</cbc:${name}>`));

/** A line's allowance or charge with a base and a percentage too. */
const lineBase = (reason: string, amount: string): readonly Change[] => [
  after(
    reason,
    '</cbc:Amount>',
    `</cbc:Amount><cbc:BaseAmount currencyID="SEK">${amount}</cbc:BaseAmount>`,
  ),
  to(reason, `${reason}<cbc:MultiplierFactorNumeric>10</cbc:MultiplierFactorNumeric>`),
];

const payee = (name: string): Change =>
  before(
    '<cac:Delivery>',
    `<cac:PayeeParty><cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName></cac:PayeeParty>`,
  );

const representative_name = '<cac:PartyName><cbc:Name>Ombudet AB</cbc:Name></cac:PartyName>';
const representative_country =
  '<cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country>';
const representative_address = `<cac:PostalAddress><cbc:CityName>Umeå</cbc:CityName>${representative_country}</cac:PostalAddress>`;
const representative_number = '<cbc:CompanyID>SE556000111101</cbc:CompanyID>';
const representative = before(
  '<cac:Delivery>',
  `<cac:TaxRepresentativeParty>${representative_name}${representative_address}<cac:PartyTaxScheme>${representative_number}<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme></cac:TaxRepresentativeParty>`,
);
/** A tax representative, who lacks something. */
const representativeWithout = (missing: string): Example =>
  pair([representative, after('<cac:TaxRepresentativeParty>', missing, '')], representative);

const partyId = (scheme: string, id: string): string =>
  `<cac:PartyIdentification><cbc:ID schemeID="${scheme}">${id}</cbc:ID></cac:PartyIdentification>`;
/** A seller known by nothing but this id. */
const sellerById = (scheme: string, id: string): readonly Change[] => [
  without(seller_tax_number),
  without('<cbc:CompanyID schemeID="0007">5566778899</cbc:CompanyID>'),
  before('<cac:PartyName>', partyId(scheme, id)),
];

const card = (number: string): readonly Change[] => [
  to('<cbc:PaymentMeansCode>30', '<cbc:PaymentMeansCode>48'),
  to(
    element('cac:PayeeFinancialAccount'),
    `<cac:CardAccount><cbc:PrimaryAccountNumberID>${number}</cbc:PrimaryAccountNumberID><cbc:NetworkID>NA</cbc:NetworkID></cac:CardAccount>`,
  ),
];

const vatCurrency = (currency: string): Change =>
  before('<cbc:BuyerReference>', `<cbc:TaxCurrencyCode>${currency}</cbc:TaxCurrencyCode>`);
const vatIn = (currency: string): Change =>
  before(
    totals,
    `<cac:TaxTotal><cbc:TaxAmount currencyID="${currency}">9.00</cbc:TaxAmount></cac:TaxTotal>`,
  );
const tax_point_date = before(
  '<cbc:DocumentCurrencyCode>',
  '<cbc:TaxPointDate>2026-03-31</cbc:TaxPointDate>',
);
const taxPointCode = (code: string): Change =>
  to(
    '<cbc:EndDate>2026-03-31</cbc:EndDate>',
    `<cbc:EndDate>2026-03-31</cbc:EndDate><cbc:DescriptionCode>${code}</cbc:DescriptionCode>`,
  );
const period = (inside: string): Change =>
  to(/(?<=<cac:InvoicePeriod>)<cbc:StartDate>2026-03-01.*(?=<\/cac:InvoicePeriod>)/, inside);
const linePeriod = (inside: string): Change =>
  to(/(?<=<cac:InvoicePeriod>)<cbc:StartDate>2026-03-02.*(?=<\/cac:InvoicePeriod>)/, inside);
const code_only = '<cbc:DescriptionCode>35</cbc:DescriptionCode>';
const end_only = '<cbc:EndDate>2026-03-30</cbc:EndDate>';

const invoicedObject = (scheme: string): Change =>
  to(
    element('cac:AdditionalDocumentReference'),
    `<cac:AdditionalDocumentReference><cbc:ID schemeID="${scheme}">Mätare 4</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>`,
  );

const invoiceType = (code: string): Change =>
  to('<cbc:InvoiceTypeCode>380<', `<cbc:InvoiceTypeCode>${code}<`);
const note = (text: string): Change => to('Tack för köpet', text);
const origin = (country: string): Change =>
  before(
    '<cac:CommodityClassification>',
    `<cac:OriginCountry><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:OriginCountry>`,
  );
const exemption = (code: string): Change =>
  after(
    breakdown,
    '<cac:TaxScheme>',
    `<cbc:TaxExemptionReasonCode>${code}</cbc:TaxExemptionReasonCode><cac:TaxScheme>`,
  );
const deliveredTo = (scheme: string): Change =>
  to(
    '<cac:DeliveryLocation>',
    `<cac:DeliveryLocation><cbc:ID schemeID="${scheme}">7310000000003</cbc:ID>`,
  );
const price = (amount: string): Change =>
  to('>100.00</cbc:PriceAmount>', `>${amount}</cbc:PriceAmount>`);
const grossPrice = (amount: string): Change =>
  to('>120.00</cbc:BaseAmount>', `>${amount}</cbc:BaseAmount>`);

/** Has reason as text and as code; then neither. One of them is enough. */
const no_allowance_reason = [without(allowance), without(allowance_reason)];
const no_charge_reason = [without(charge), without(charge_reason)];
const reasonCode = (code: string): string =>
  `<cbc:AllowanceChargeReasonCode>${code}</cbc:AllowanceChargeReasonCode>`;

const must_be_there: Examples = {
  'BR-01': pair(to(/(?<=<cbc:CustomizationID>)[^<]*/, ' ')),
  'BR-02': pair(without('<cbc:ID>F-1001</cbc:ID>')),
  'BR-03': pair(without(element('cbc:IssueDate'))),
  'BR-04': pair(without(element('cbc:InvoiceTypeCode'))),
  'BR-05': pair(without(element('cbc:DocumentCurrencyCode'))),
  'BR-06': pair(without('<cbc:RegistrationName>Rosteriet AB</cbc:RegistrationName>')),
  'BR-07': pair(without('<cbc:RegistrationName>Kontoret AB</cbc:RegistrationName>')),
  'BR-08': pair(without(element('cac:PostalAddress'))),
  'BR-09': pair(to('<cbc:IdentificationCode>SE<', '<cbc:IdentificationCode><')),
  'BR-10': pair(after(buyer, element('cac:PostalAddress'), '')),
  'BR-11': pair(after(buyer, '<cbc:IdentificationCode>SE<', '<cbc:IdentificationCode><')),
  'BR-12': pair(after(totals, element('cbc:LineExtensionAmount'), '')),
  'BR-13': pair(after(totals, element('cbc:TaxExclusiveAmount'), '')),
  'BR-14': pair(after(totals, element('cbc:TaxInclusiveAmount'), '')),
  'BR-15': pair(after(totals, element('cbc:PayableAmount'), '')),
  'BR-16': pair(
    [without(element('cac:InvoiceLine')), without(element('cac:InvoiceLine'))],
    without(element('cac:InvoiceLine')),
  ),
  'BR-17': pair(payee('Rosteriet'), payee('Factoring AB')),
  'BR-18': representativeWithout(representative_name),
  'BR-19': representativeWithout(representative_address),
  'BR-20': representativeWithout(representative_country),
  'BR-21': pair(without('<cbc:ID>1</cbc:ID>')),
  'BR-22': pair(without(element('cbc:InvoicedQuantity'))),
  'BR-23': pair(to('<cbc:InvoicedQuantity unitCode="H87">', '<cbc:InvoicedQuantity>')),
  'BR-24': pair(after(first_line, element('cbc:LineExtensionAmount'), '')),
  'BR-25': pair(to('<cbc:Name>Kaffe 1</cbc:Name>', '<cbc:Name>\n</cbc:Name>')),
  'BR-26': pair(without(element('cbc:PriceAmount'))),
  'BR-27': pair(price('-0.01'), price('0.00')),
  'BR-28': pair(grossPrice('-0.01'), grossPrice('0.00')),
  'BR-29': pair(
    to('<cbc:EndDate>2026-03-31', '<cbc:EndDate>2026-02-28'),
    to('<cbc:EndDate>2026-03-31', '<cbc:EndDate>2026-03-01'),
  ),
  'BR-30': pair(
    to('<cbc:EndDate>2026-03-30', '<cbc:EndDate>2026-03-01'),
    to('<cbc:EndDate>2026-03-30', '<cbc:EndDate>2026-03-02'),
  ),
  'BR-31': pair(after(allowance, element('cbc:Amount'), '')),
  'BR-32': pair(after(allowance, category_code, '')),
  'BR-33': pair(no_allowance_reason, without(allowance_reason)),
  'BR-36': pair(after(charge, element('cbc:Amount'), '')),
  'BR-37': pair(after(charge, category_code, '')),
  'BR-38': pair(no_charge_reason, without(charge_reason)),
  'BR-41': pair(after(line_allowance, element('cbc:Amount'), '')),
  'BR-42': pair(without(line_allowance), to(line_allowance, reasonCode('95'))),
  'BR-43': pair(after(line_charge, element('cbc:Amount'), '')),
  'BR-44': pair(without(line_charge), to(line_charge, reasonCode('PC'))),
  'BR-45': pair(after(breakdown, element('cbc:TaxableAmount'), '')),
  'BR-46': pair(after(breakdown, element('cbc:TaxAmount'), '')),
  'BR-47': pair(after(breakdown, category_code, '')),
  'BR-48': pair(after(breakdown, element('cbc:Percent'), ''), [
    after(breakdown, element('cbc:Percent'), ''),
    after(breakdown, category_code, '<cbc:ID>O</cbc:ID>'),
  ]),
  'BR-49': pair(without(element('cbc:PaymentMeansCode'))),
  'BR-50': pair(to('<cbc:ID>9912346</cbc:ID>', '<cbc:ID> </cbc:ID>')),
  'BR-51': pair(card('12345678901'), card('1234567890')),
  'BR-52': pair(to('<cbc:ID>bilaga</cbc:ID>', '<cbc:ID/>')),
  'BR-53': pair([vatCurrency('EUR'), vatIn('DKK')], [vatCurrency('EUR'), vatIn('EUR')]),
  'BR-54': pair(without('<cbc:Value>Mörk</cbc:Value>')),
  'BR-55': pair(without('<cbc:ID>F-900</cbc:ID>')),
  'BR-56': representativeWithout(representative_number),
  'BR-57': pair(
    after('<cac:Address>', element('cac:Country'), '<cbc:CityName>Umeå</cbc:CityName>'),
    to('<cac:Address>', '<cac:Address><cbc:CityName>Umeå</cbc:CityName>'),
  ),
  'BR-61': pair(without(element('cac:PayeeFinancialAccount')), [
    without(element('cac:PayeeFinancialAccount')),
    to('<cbc:PaymentMeansCode>30', '<cbc:PaymentMeansCode>10'),
  ]),
  'BR-62': pair(to('<cbc:EndpointID schemeID="0007">', '<cbc:EndpointID>')),
  'BR-63': pair(after(buyer, '<cbc:EndpointID schemeID="0007">', '<cbc:EndpointID>')),
  'BR-64': pair(without(' schemeID="0160"')),
  'BR-65': pair(without(' listID="STI"')),
  'BR-CO-03': pair([tax_point_date, taxPointCode('35')], tax_point_date),
  'BR-CO-04': pair(after('<cac:ClassifiedTaxCategory>', category_code, '')),
  'BR-CO-09': pair(
    to('<cbc:CompanyID>SE5566778899', '<cbc:CompanyID>QQ5566778899'),
    to('<cbc:CompanyID>SE5566778899', '<cbc:CompanyID>EL5566778899'),
  ),
  'BR-CO-18': pair(without(element('cac:TaxSubtotal'))),
  'BR-CO-19': pair(period(''), period(code_only)),
  'BR-CO-20': pair(linePeriod(code_only), linePeriod(end_only)),
  'BR-CO-21': pair(no_allowance_reason, without(allowance)),
  'BR-CO-22': pair(no_charge_reason, without(charge)),
  'BR-CO-23': pair(without(line_allowance), to(line_allowance, reasonCode('95'))),
  'BR-CO-24': pair(without(line_charge), to(line_charge, reasonCode('PC'))),
  'BR-CO-26': pair(sellerById('SEPA', 'SE97ZZZ5566778899'), sellerById('0007', '5566778899')),
};

const adds_up: Examples = {
  'BR-CO-10': pair(after(totals, '>390.00<', '>390.01<'), after(totals, '>390.00<', '>390<')),
  'BR-CO-11': pair(
    without(element('cbc:AllowanceTotalAmount')),
    to('>10.00</cbc:AllowanceTotalAmount>', '>10</cbc:AllowanceTotalAmount>'),
  ),
  'BR-CO-12': pair(
    to('>5.00</cbc:ChargeTotalAmount>', '>5.01</cbc:ChargeTotalAmount>'),
    to('>5.00</cbc:ChargeTotalAmount>', '>5.0</cbc:ChargeTotalAmount>'),
  ),
  'BR-CO-13': pair(after(totals, '>385.00<', '>384.99<'), after(totals, '>385.00<', '>385<')),
  'BR-CO-14': pair(to('>96.25</cbc:TaxAmount>', '>96.26</cbc:TaxAmount>')),
  'BR-CO-15': pair(to('>481.25</cbc:TaxInclusiveAmount>', '>481.26</cbc:TaxInclusiveAmount>')),
  'BR-CO-16': pair(without(element('cbc:PayableRoundingAmount')), [
    without(element('cbc:PayableRoundingAmount')),
    to('>381.75</cbc:PayableAmount>', '>381.25</cbc:PayableAmount>'),
  ]),
  'BR-CO-17': pair(after(breakdown, '>96.25<', '>97.25<'), after(breakdown, '>96.25<', '>97.24<')),
};

const decimals: Examples = {
  'BR-DEC-01': threeDecimals(allowance, 'Amount', '10.00'),
  'BR-DEC-02': threeDecimals(allowance, 'BaseAmount', '100.00'),
  'BR-DEC-05': threeDecimals(charge, 'Amount', '5.00'),
  'BR-DEC-06': threeDecimals(charge, 'BaseAmount', '100.00'),
  'BR-DEC-09': threeDecimals(totals, 'LineExtensionAmount', '390.00'),
  'BR-DEC-10': threeDecimals(totals, 'AllowanceTotalAmount', '10.00'),
  'BR-DEC-11': threeDecimals(totals, 'ChargeTotalAmount', '5.00'),
  'BR-DEC-12': threeDecimals(totals, 'TaxExclusiveAmount', '385.00'),
  'BR-DEC-14': threeDecimals(totals, 'TaxInclusiveAmount', '481.25'),
  'BR-DEC-16': threeDecimals(totals, 'PrepaidAmount', '100.00'),
  'BR-DEC-17': threeDecimals(totals, 'PayableRoundingAmount', '0.50'),
  'BR-DEC-18': threeDecimals(totals, 'PayableAmount', '381.75'),
  'BR-DEC-19': threeDecimals(breakdown, 'TaxableAmount', '385.00'),
  'BR-DEC-20': threeDecimals(breakdown, 'TaxAmount', '96.25'),
  'BR-DEC-23': threeDecimals(first_line, 'LineExtensionAmount', '195.00'),
  'BR-DEC-24': threeDecimals(line_allowance, 'Amount', '10.00'),
  'BR-DEC-25': pair(lineBase(line_allowance, '100.000'), lineBase(line_allowance, '100.00')),
  'BR-DEC-27': threeDecimals(line_charge, 'Amount', '5.00'),
  'BR-DEC-28': pair(lineBase(line_charge, '50.000'), lineBase(line_charge, '50.00')),
};

const code_lists: Examples = {
  'BR-CL-01': pair(invoiceType('381'), invoiceType(' 380 ')),
  'BR-CL-03': pair(
    to('currencyID="SEK"', 'currencyID="KRO"'),
    to('currencyID="SEK"', 'currencyID="NOK"'),
  ),
  'BR-CL-04': pair(to('<cbc:DocumentCurrencyCode>SEK', '<cbc:DocumentCurrencyCode>sek')),
  'BR-CL-05': pair([vatCurrency('eur'), vatIn('EUR')], [vatCurrency('EUR'), vatIn('EUR')]),
  'BR-CL-06': pair(taxPointCode('36'), taxPointCode('35')),
  'BR-CL-07': pair(invoicedObject('QQQ'), invoicedObject('AAA')),
  'BR-CL-08': pair(note('#QQQ#Tack'), note('#AAI#Tack')),
  'BR-CL-10': pair(
    after(buyer, '<cac:PartyName>', `${partyId('SEPA', 'SE97ZZZ2021005489')}<cac:PartyName>`),
    before('<cac:PartyName>', partyId('SEPA', 'SE97ZZZ5566778899')),
  ),
  'BR-CL-11': pair(to('<cbc:CompanyID schemeID="0007">', '<cbc:CompanyID schemeID="07">')),
  'BR-CL-13': pair(to('listID="STI"', 'listID="QQ"')),
  'BR-CL-14': pair(to('<cbc:IdentificationCode>SE<', '<cbc:IdentificationCode>se<')),
  'BR-CL-15': pair(origin('CO2'), origin('CO')),
  'BR-CL-16': pair(to('<cbc:PaymentMeansCode>30<', '<cbc:PaymentMeansCode>300<')),
  'BR-CL-17': pair(to('<cac:TaxCategory><cbc:ID>S<', '<cac:TaxCategory><cbc:ID>Q<')),
  'BR-CL-18': pair(
    to('<cac:ClassifiedTaxCategory><cbc:ID>S<', '<cac:ClassifiedTaxCategory><cbc:ID>Q<'),
  ),
  // The codes of allowances are none of charges, and the other way about.
  'BR-CL-19': pair(to(allowance, charge)),
  'BR-CL-20': pair(to(charge, allowance)),
  'BR-CL-21': pair(to('schemeID="0160"', 'schemeID="GTIN"')),
  'BR-CL-22': pair(exemption('VATEX-EU-QQ'), exemption('vatex-eu-132')),
  'BR-CL-23': pair(to('unitCode="H87"', 'unitCode="st"')),
  'BR-CL-24': pair(to('application/pdf', 'application/zip'), to('application/pdf', 'image/png')),
  'BR-CL-25': pair(to('EndpointID schemeID="0007"', 'EndpointID schemeID="0008"')),
  'BR-CL-26': pair(deliveredTo('QQ'), deliveredTo('0088')),
};

export const examples: Examples = {
  ...must_be_there,
  ...adds_up,
  ...decimals,
  ...code_lists,
};
