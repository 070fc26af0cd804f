/** Examples of Peppol's own rules and its national ones. Each country has a clean document to change. */
import { type Change, changed, cleanDocument } from '../peppol-invoice.ts';
import type { Example, Examples } from './example.ts';

const invoice = cleanDocument();
const credit_note = cleanDocument(2, 'CreditNote');

const to = (from: string | RegExp, text: string): Change => ({ from, to: text });
const without = (from: string | RegExp): Change => ({ from, to: '' });

/** A document that holds, and the changes that break it. */
const broken = (holds: string, ...changes: readonly Change[]): Example => ({
  breaks: changed(holds, ...changes),
  holds,
});

/** The first match after the buyer begins. */
const buyers = (pattern: string): RegExp =>
  new RegExp(`(?<=<cac:AccountingCustomerParty>[\\s\\S]*)${pattern}`);

// --- Parts of documents ----------------------------------------------------------------------

const partyId = (scheme: string | null, id: string): string =>
  `<cac:PartyIdentification><cbc:ID${scheme === null ? '' : ` schemeID="${scheme}"`}>${id}</cbc:ID></cac:PartyIdentification>`;
/** Before the seller's name. */
const sellerId = (scheme: string | null, id: string): Change =>
  to('<cac:PartyName>', `${partyId(scheme, id)}<cac:PartyName>`);

/** A tax number of the seller that is not a VAT number. */
const taxNumber = (text: string): Change =>
  to(
    '</cac:PartyTaxScheme>',
    `</cac:PartyTaxScheme><cac:PartyTaxScheme><cbc:CompanyID>${text}</cbc:CompanyID><cac:TaxScheme><cbc:ID>TAX</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`,
  );

const paymentMeans = (code: string, ...parts: readonly string[]): string =>
  `<cac:PaymentMeans><cbc:PaymentMeansCode>${code}</cbc:PaymentMeansCode>${parts.join('')}</cac:PaymentMeans>`;
const paymentId = (id: string): string => `<cbc:PaymentID>${id}</cbc:PaymentID>`;
const card =
  '<cac:CardAccount><cbc:PrimaryAccountNumberID>1234</cbc:PrimaryAccountNumberID><cbc:NetworkID>VISA</cbc:NetworkID></cac:CardAccount>';
const account = (id: string, branch?: string): string => {
  const inside =
    branch === undefined
      ? ''
      : `<cac:FinancialInstitutionBranch><cbc:ID>${branch}</cbc:ID></cac:FinancialInstitutionBranch>`;
  return `<cac:PayeeFinancialAccount><cbc:ID>${id}</cbc:ID>${inside}</cac:PayeeFinancialAccount>`;
};
const mandate = (payer?: string): string => {
  const inside =
    payer === undefined
      ? ''
      : `<cac:PayerFinancialAccount><cbc:ID>${payer}</cbc:ID></cac:PayerFinancialAccount>`;
  return `<cac:PaymentMandate><cbc:ID>M-1</cbc:ID>${inside}</cac:PaymentMandate>`;
};

/** Another way to pay. */
const paidBy = (code: string, ...parts: readonly string[]): Change =>
  to(/<cac:PaymentMeans>[\s\S]*<\/cac:PaymentMeans>/, paymentMeans(code, ...parts));
const unpaid: Change = without(/<cac:PaymentMeans>[\s\S]*<\/cac:PaymentMeans>/);
const allPrepaid: readonly Change[] = [
  to('>100.00</cbc:PrepaidAmount>', '>481.75</cbc:PrepaidAmount>'),
  to('>381.75</cbc:PayableAmount>', '>0.00</cbc:PayableAmount>'),
];

/** One more document referred to, before the first. */
const reference = (id: string, inside: string): Change =>
  to(
    '<cac:AdditionalDocumentReference>',
    `<cac:AdditionalDocumentReference><cbc:ID>${id}</cbc:ID>${inside}</cac:AdditionalDocumentReference><cac:AdditionalDocumentReference>`,
  );
const description = (text: string): string =>
  `<cbc:DocumentDescription>${text}</cbc:DocumentDescription>`;
const webAddress = (uri: string): string =>
  `<cac:Attachment><cac:ExternalReference><cbc:URI>${uri}</cbc:URI></cac:ExternalReference></cac:Attachment>`;
const project = '<cbc:DocumentTypeCode>50</cbc:DocumentTypeCode>';

/** Something after the period of the first line. */
const inLine = (inside: string): Change =>
  to(
    '<cbc:EndDate>2026-03-30</cbc:EndDate></cac:InvoicePeriod>',
    `<cbc:EndDate>2026-03-30</cbc:EndDate></cac:InvoicePeriod>${inside}`,
  );
const invoicedObject = (code: string): string =>
  `<cac:DocumentReference><cbc:ID>A-1</cbc:ID><cbc:DocumentTypeCode>${code}</cbc:DocumentTypeCode></cac:DocumentReference>`;

/** VAT accounted for in a currency of its own. */
const accountedIn = (currency: string): Change =>
  to(
    '<cbc:BuyerReference>',
    `<cbc:TaxCurrencyCode>${currency}</cbc:TaxCurrencyCode><cbc:BuyerReference>`,
  );
const euroTax = (amount: string): Change =>
  to(
    '<cac:TaxTotal>',
    `<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">${amount}</cbc:TaxAmount></cac:TaxTotal><cac:TaxTotal>`,
  );

/** The clean invoice without VAT, for a reason that has a code. */
function exempt(category: string, reason: string): string {
  const percent = category === 'O' ? '' : '<cbc:Percent>0</cbc:Percent>';
  const document = changed(
    invoice.replaceAll(
      '<cbc:ID>S</cbc:ID><cbc:Percent>25</cbc:Percent>',
      `<cbc:ID>${category}</cbc:ID>${percent}`,
    ),
    to(
      /(?<=TaxableAmount>[\s\S]*?<\/cbc:(Percent|ID)>)(?=<cac:TaxScheme>)/,
      `<cbc:TaxExemptionReasonCode>${reason}</cbc:TaxExemptionReasonCode>`,
    ),
    to('>96.25</cbc:TaxAmount>', '>0.00</cbc:TaxAmount>'),
    to('>96.25</cbc:TaxAmount>', '>0.00</cbc:TaxAmount>'),
    to('>481.25</cbc:TaxInclusiveAmount>', '>385.00</cbc:TaxInclusiveAmount>'),
    to('>381.75</cbc:PayableAmount>', '>285.50</cbc:PayableAmount>'),
  );
  if (category !== 'O') return document;
  return document.replace(/<cac:PartyTaxScheme>[\s\S]*?<\/cac:PartyTaxScheme>/g, '');
}

const reasonFor = (category: string, reason: string): Example => ({
  breaks: exempt(category === 'E' ? 'AE' : 'E', reason),
  holds: exempt(category, reason),
});

// --- Peppol BIS Billing 3 --------------------------------------------------------------------

const percent_10 = '<cbc:MultiplierFactorNumeric>10</cbc:MultiplierFactorNumeric>';
const base_100 = '<cbc:BaseAmount currencyID="SEK">100.00</cbc:BaseAmount>';
const payable_in = '<cbc:PayableAmount currencyID="SEK">';
const per_one = '<cbc:BaseQuantity unitCode="H87">1<';

const transaction: Examples = {
  'PEPPOL-EN16931-R001': broken(invoice, without(/<cbc:ProfileID>.*<\/cbc:ProfileID>/)),
  'PEPPOL-EN16931-R002': broken(invoice, to('<cbc:Note>', '<cbc:Note>Hej</cbc:Note><cbc:Note>')),
  'PEPPOL-EN16931-R003': broken(
    changed(invoice, without(/<cbc:BuyerReference>.*<\/cbc:BuyerReference>/)),
    without(/<cac:OrderReference>.*<\/cac:OrderReference>/),
  ),
  'PEPPOL-EN16931-R004': broken(
    changed(invoice, to('billing:3.0<', 'billing:3.0#conformant#urn:example<')),
    to('billing:3.0#', 'billing:2.0#'),
  ),
  'PEPPOL-EN16931-R005': {
    breaks: changed(invoice, accountedIn('SEK'), euroTax('9.00')),
    holds: changed(invoice, accountedIn('EUR'), euroTax('9.00')),
  },
  'PEPPOL-EN16931-R007': broken(invoice, to('billing:01:1.0', 'billing:02:1.0')),
  'PEPPOL-EN16931-R008': broken(invoice, to('Tack för köpet', ' ')),
  'PEPPOL-EN16931-R010': broken(invoice, without(buyers('<cbc:EndpointID.*</cbc:EndpointID>'))),
  'PEPPOL-EN16931-R020': broken(invoice, without(/<cbc:EndpointID.*<\/cbc:EndpointID>/)),
  'PEPPOL-EN16931-R040': broken(
    changed(invoice, to(percent_10, percent_10.replace('10', '10.02'))),
    to('>10.02<', '>10.03<'),
  ),
  'PEPPOL-EN16931-R041': broken(invoice, without(base_100)),
  'PEPPOL-EN16931-R042': broken(invoice, without(percent_10)),
  'PEPPOL-EN16931-R043': broken(
    invoice,
    to('<cbc:ChargeIndicator>false', '<cbc:ChargeIndicator>0'),
  ),
  'PEPPOL-EN16931-R044': broken(
    invoice,
    to(
      /(?<=<\/cbc:BaseQuantity>\s*<cac:AllowanceCharge>\s*)<cbc:ChargeIndicator>false/,
      '<cbc:ChargeIndicator>true',
    ),
  ),
  'PEPPOL-EN16931-R046': broken(
    invoice,
    to('>120.00</cbc:BaseAmount>', '>120.01</cbc:BaseAmount>'),
  ),
  'PEPPOL-EN16931-R051': broken(invoice, to(payable_in, payable_in.replace('SEK', 'EUR'))),
  'PEPPOL-EN16931-R053': broken(invoice, to(/<cac:TaxTotal>[\s\S]*<\/cac:TaxTotal>/, '')),
  'PEPPOL-EN16931-R054': broken(
    changed(invoice, accountedIn('EUR'), euroTax('9.00')),
    euroTax('9.00'),
  ),
  'PEPPOL-EN16931-R055': {
    breaks: changed(invoice, accountedIn('EUR'), euroTax('-9.00')),
    holds: changed(invoice, accountedIn('EUR'), euroTax('9.00')),
  },
  'PEPPOL-EN16931-R061': broken(changed(invoice, paidBy('49', mandate())), without(mandate())),
  'PEPPOL-EN16931-R080': broken(
    changed(credit_note, reference('projekt', project)),
    reference('annat', project),
  ),
  'PEPPOL-EN16931-R100': broken(
    changed(invoice, inLine(invoicedObject('130'))),
    inLine(invoicedObject('130')),
  ),
  'PEPPOL-EN16931-R101': broken(
    changed(invoice, inLine(invoicedObject('130'))),
    to('Code>130<', 'Code>50<'),
  ),
  'PEPPOL-EN16931-R110': broken(
    changed(invoice, to('<cbc:StartDate>2026-03-02', '<cbc:StartDate>2026-03-01')),
    to(/(?<=LineExtensionAmount>\s*<cac:InvoicePeriod><cbc:StartDate>)2026-03-01/, '2026-02-28'),
  ),
  'PEPPOL-EN16931-R111': broken(
    changed(invoice, to('<cbc:EndDate>2026-03-30', '<cbc:EndDate>2026-03-31')),
    to(/(?<=<cbc:StartDate>2026-03-02<\/cbc:StartDate><cbc:EndDate>)2026-03-31/, '2026-04-01'),
  ),
  'PEPPOL-EN16931-R120': broken(
    changed(
      invoice,
      to('>195.00</cbc:LineExtensionAmount>', '>195.02</cbc:LineExtensionAmount>'),
      to('>390.00</cbc:LineExtensionAmount>', '>390.02</cbc:LineExtensionAmount>'),
      to('>385.00</cbc:TaxExclusiveAmount>', '>385.02</cbc:TaxExclusiveAmount>'),
      to('>481.25</cbc:TaxInclusiveAmount>', '>481.27</cbc:TaxInclusiveAmount>'),
      to('>381.75</cbc:PayableAmount>', '>381.77</cbc:PayableAmount>'),
    ),
    to('>195.02</cbc:LineExtensionAmount>', '>195.03</cbc:LineExtensionAmount>'),
  ),
  'PEPPOL-EN16931-R121': broken(invoice, to(per_one, per_one.replace('1<', '0<'))),
  'PEPPOL-EN16931-R130': broken(invoice, to(per_one, per_one.replace('H87', 'KGM'))),
};

const vatDate = (code: string): Change =>
  to(
    '<cbc:EndDate>2026-03-31</cbc:EndDate>',
    `<cbc:EndDate>2026-03-31</cbc:EndDate><cbc:DescriptionCode>${code}</cbc:DescriptionCode>`,
  );

const codes: Examples = {
  'PEPPOL-EN16931-CL001': broken(invoice, to('application/pdf', 'text/html')),
  'PEPPOL-EN16931-CL002': broken(invoice, to('ReasonCode>95<', 'ReasonCode>FC<')),
  'PEPPOL-EN16931-CL003': broken(invoice, to('ReasonCode>FC<', 'ReasonCode>95<')),
  'PEPPOL-EN16931-CL006': {
    breaks: changed(invoice, vatDate('36')),
    holds: changed(invoice, vatDate('35')),
  },
  'PEPPOL-EN16931-CL007': broken(invoice, to(payable_in, payable_in.replace('SEK', 'kr'))),
  'PEPPOL-EN16931-CL008': broken(invoice, to('EndpointID schemeID="0', 'EndpointID schemeID=" 0')),
  'PEPPOL-EN16931-F001': broken(invoice, to('<cbc:IssueDate>2026-03-31', '<cbc:IssueDate>31/3')),
  'PEPPOL-EN16931-P0100': broken(invoice, to('>380<', '>389<')),
  'PEPPOL-EN16931-P0101': broken(credit_note, to('>381<', '>261<')),
  'PEPPOL-EN16931-P0104': reasonFor('G', 'VATEX-EU-G'),
  'PEPPOL-EN16931-P0105': reasonFor('O', 'VATEX-EU-O'),
  'PEPPOL-EN16931-P0106': reasonFor('K', 'VATEX-EU-IC'),
  'PEPPOL-EN16931-P0107': reasonFor('AE', 'VATEX-EU-AE'),
  'PEPPOL-EN16931-P0108': reasonFor('E', 'VATEX-EU-D'),
  'PEPPOL-EN16931-P0109': reasonFor('E', 'VATEX-EU-F'),
  'PEPPOL-EN16931-P0110': reasonFor('E', 'VATEX-EU-I'),
  'PEPPOL-EN16931-P0111': reasonFor('E', 'VATEX-EU-J'),
};

// --- Registration numbers --------------------------------------------------------------------

/** The seller's electronic address: a wrong number, and a right one in the same scheme. */
const address = (scheme: string, wrong: string, right: string): Example => {
  const addressed = (number: string): string =>
    changed(
      invoice,
      to(
        '<cbc:EndpointID schemeID="0007">5566778899',
        `<cbc:EndpointID schemeID="${scheme}">${number}`,
      ),
    );
  return { breaks: addressed(wrong), holds: addressed(right) };
};

const numbers: Examples = {
  'PEPPOL-COMMON-R040': address('0088', '7300010000002', '7300010000001'),
  'PEPPOL-COMMON-R041': address('0192', '974760674', '974760673'),
  'PEPPOL-COMMON-R042': address('0184', 'DK1234567', 'DK12345678'),
  'PEPPOL-COMMON-R043': address('0208', '0202239952', '0202239951'),
  'PEPPOL-COMMON-R044': address('0201', 'UFABC', 'UFABC1'),
  'PEPPOL-COMMON-R045': address('0210', 'RSSMRA85T10A562', 'RSSMRA85T10A562S'),
  'PEPPOL-COMMON-R046': address('9907', 'RSSMRA85T10A562', 'RSSMRA85T10A562S'),
  'PEPPOL-COMMON-R047': address('0211', 'IT00743110158', 'IT00743110157'),
  'PEPPOL-COMMON-R049': address('0007', '5566778898', '2021005489'),
  'PEPPOL-COMMON-R050': address('0151', '51824753557', '51824753556'),
  'PEPPOL-COMMON-R052': address('0096', '123456789', '1234567890'),
  'PEPPOL-COMMON-R053': address('0198', '12345678', 'DK12345678'),
  'PEPPOL-COMMON-R054': address('0106', '1234567', '12345678'),
  'PEPPOL-COMMON-R055': address('0190', '0000000123456789000', '00000001234567890000'),
  'PEPPOL-COMMON-R056-1': address('9944', 'NL123456789', 'NL123456789B12'),
  'PEPPOL-COMMON-R057': {
    breaks: changed(invoice, sellerId('0217', '00001234567')),
    holds: changed(invoice, sellerId('0217', '000012345678')),
  },
};

// --- Sweden ----------------------------------------------------------------------------------

const seller_number = '<cbc:CompanyID schemeID="0007">5566778899';
const plusgiro = changed(invoice, to('SE:BANKGIRO', 'SE:PLUSGIRO'), to('>9912346<', '>991234<'));

const sweden: Examples = {
  'SE-R-001': broken(invoice, to('SE556677889901', 'SE5566778899')),
  'SE-R-002': broken(invoice, to('SE556677889901', 'SE556677-88990')),
  'SE-R-003': broken(invoice, to(seller_number, '<cbc:CompanyID>556677-8899')),
  'SE-R-004': broken(invoice, to(seller_number, '<cbc:CompanyID>165566778899')),
  'SE-R-005': broken(
    changed(invoice, taxNumber('Godkänd för F-skatt')),
    to('Godkänd för F-skatt', 'F-skatt'),
  ),
  'SE-R-006': broken(
    invoice,
    to(/(?<=<cac:ClassifiedTaxCategory><cbc:ID>S<\/cbc:ID>)<cbc:Percent>25/, '<cbc:Percent>24'),
  ),
  'SE-R-007': broken(plusgiro, to('>991234<', '>99123-4<')),
  'SE-R-008': broken(invoice, to('>9912346<', '>991-2346<')),
  'SE-R-009': broken(invoice, to('>9912346<', '>991234<')),
  'SE-R-010': broken(plusgiro, to('>991234<', '>991234699<')),
  'SE-R-011': broken(invoice, to('MeansCode>30<', 'MeansCode>56<')),
  'SE-R-012': broken(invoice, to('MeansCode>30<', 'MeansCode>31<')),
  'SE-R-013': broken(invoice, to(seller_number, '<cbc:CompanyID>5566778890')),
};

// --- Other countries -------------------------------------------------------------------------

interface Firm {
  readonly vat: string;
  readonly legal: string;
  readonly endpoint: string;
}

interface Country {
  readonly code: string;
  readonly currency: string;
  readonly legal_scheme: string | null;
  readonly endpoint_scheme: string;
  readonly seller: Firm;
  readonly buyer: Firm;
  readonly means: string;
}

const firmChanges = (country: Country, number: string, firm: Firm): readonly Change[] => {
  const { endpoint_scheme, legal_scheme } = country;
  const scheme = legal_scheme === null ? '' : ` schemeID="${legal_scheme}"`;
  return [
    to(
      `"0007">${number}</cbc:EndpointID>`,
      `"${endpoint_scheme}">${firm.endpoint}</cbc:EndpointID>`,
    ),
    to(`SE${number}01`, firm.vat),
    to(`<cbc:CompanyID schemeID="0007">${number}`, `<cbc:CompanyID${scheme}>${firm.legal}`),
  ];
};

/** A clean document between two parties of another country. */
const within = (country: Country, document = invoice): string =>
  changed(
    document
      .replaceAll('<cbc:IdentificationCode>SE<', `<cbc:IdentificationCode>${country.code}<`)
      .replaceAll('currencyID="SEK"', `currencyID="${country.currency}"`),
    to('CurrencyCode>SEK<', `CurrencyCode>${country.currency}<`),
    ...firmChanges(country, '5566778899', country.seller),
    ...firmChanges(country, '2021005489', country.buyer),
    to(/<cac:PaymentMeans>[\s\S]*<\/cac:PaymentMeans>/, country.means),
  );

const street = '<cbc:StreetName>Storgatan 1</cbc:StreetName>';
const city = '<cbc:CityName>Umeå</cbc:CityName>';
const zone = '<cbc:PostalZone>90326</cbc:PostalZone>';

// --- Norway ----------------------------------------------------------------------------------

const norwegian = changed(
  within({
    code: 'NO',
    currency: 'NOK',
    legal_scheme: '0192',
    endpoint_scheme: '0192',
    seller: { vat: 'NO974760673MVA', legal: '974760673', endpoint: '974760673' },
    buyer: { vat: 'NO923609016MVA', legal: '923609016', endpoint: '923609016' },
    means: paymentMeans('30', account('12345678901')),
  }),
  taxNumber('Foretaksregisteret'),
);

const norway: Examples = {
  'NO-R-001': broken(norwegian, to('NO974760673MVA', 'NO974760673')),
  'NO-R-002': broken(norwegian, to('Foretaksregisteret', 'Enhetsregisteret')),
};

// --- Denmark ---------------------------------------------------------------------------------

const denmark_within: Country = {
  code: 'DK',
  currency: 'DKK',
  legal_scheme: '0184',
  endpoint_scheme: '0184',
  seller: { vat: 'DK12345678', legal: 'DK12345678', endpoint: 'DK12345678' },
  buyer: { vat: 'DK87654321', legal: 'DK87654321', endpoint: 'DK87654321' },
  means: paymentMeans('42', account('1234567890', '1234')),
};
const danish = within(denmark_within);
const danish_credit_note = within(denmark_within, credit_note);
const cvr = ' schemeID="0184">DK12345678</cbc:CompanyID>';
const danishPayment = (code: string, ...parts: readonly string[]): string =>
  changed(danish, paidBy(code, ...parts));
const giro = danishPayment('50', paymentId('04#1234567890123456'), account('12345678'));
const creditor = danishPayment('93', paymentId('71#123456789012345'), account('12345678'));

const denmark: Examples = {
  'DK-R-002': broken(danish, without(/<cbc:CompanyID schemeID="0184">.*<\/cbc:CompanyID>/)),
  'DK-R-003': broken(
    changed(danish, to('listID="STI"', 'listID="TST" listVersionID="19.05.01"')),
    to('19.05.01', '7.05.01'),
  ),
  'DK-R-004': broken(
    changed(danish, to('ReasonCode>FC<', 'ReasonCode>ZZZ<'), to('>Frakt<', '>1234#Frakt<')),
    to('>1234#Frakt<', '>Frakt<'),
  ),
  'DK-R-005': broken(danish, to('MeansCode>42<', 'MeansCode>30<')),
  'DK-R-006': broken(
    danish,
    without(/<cac:FinancialInstitutionBranch>.*<\/cac:FinancialInstitutionBranch>/),
  ),
  'DK-R-007': broken(
    danishPayment('49', mandate('1234567890')),
    without(/<cac:PayerFinancialAccount>.*<\/cac:PayerFinancialAccount>/),
  ),
  'DK-R-008': broken(giro, to('>04#', '>99#')),
  'DK-R-009': broken(giro, to('#1234567890123456<', '#123456789012345<')),
  'DK-R-010': broken(creditor, to('>71#', '>99#')),
  'DK-R-011': broken(creditor, to('#123456789012345<', '#12345678901234<')),
  'DK-R-013': {
    breaks: changed(danish, sellerId(null, '1234567890')),
    holds: changed(danish, sellerId('0096', '1234567890')),
  },
  'DK-R-014': broken(danish, to(cvr, cvr.replace('0184', '0198'))),
  'DK-R-016': broken(
    danish_credit_note,
    to('>100.00</cbc:PrepaidAmount>', '>500.00</cbc:PrepaidAmount>'),
    to('>381.75</cbc:PayableAmount>', '>-18.25</cbc:PayableAmount>'),
  ),
  'DK-R-017': broken(
    danish,
    to('<cbc:CompanyID schemeID="0184">DK8', '<cbc:CompanyID schemeID="0198">DK8'),
  ),
};

// --- Iceland ---------------------------------------------------------------------------------

const icelandic = within({
  code: 'IS',
  currency: 'ISK',
  legal_scheme: '0196',
  endpoint_scheme: '0196',
  seller: { vat: 'IS12345', legal: '5501694079', endpoint: '5501694079' },
  buyer: { vat: 'IS54321', legal: '5902697199', endpoint: '5902697199' },
  means: paymentMeans('42', account('051226123456')),
});
const with_final_date = changed(icelandic, reference('2026-05-15', description('EINDAGI')));

const iceland: Examples = {
  'IS-R-001': broken(icelandic, to('>380<', '>383<')),
  'IS-R-002': broken(
    icelandic,
    to('<cbc:CompanyID schemeID="0196">55', '<cbc:CompanyID schemeID="0002">55'),
  ),
  'IS-R-003': broken(icelandic, without(zone)),
  'IS-R-004': broken(
    icelandic,
    to('<cbc:CompanyID schemeID="0196">59', '<cbc:CompanyID schemeID="0002">59'),
  ),
  'IS-R-005': broken(icelandic, without(buyers(street))),
  'IS-R-006': broken(
    changed(icelandic, paidBy('9', account('051226123456'))),
    to('051226123456', '0512-26-123456'),
  ),
  'IS-R-007': broken(icelandic, to('051226123456', '0512-26-123456')),
  'IS-R-008': broken(with_final_date, to('2026-05-15', '15.05.2026')),
  'IS-R-009': broken(with_final_date, without(/<cbc:DueDate>.*<\/cbc:DueDate>/)),
  'IS-R-010': broken(
    changed(with_final_date, to('2026-05-15', '2026-04-30')),
    to('2026-04-30</cbc:ID>', '2026-04-29</cbc:ID>'),
  ),
};

// --- The Netherlands -------------------------------------------------------------------------

const netherlands_within: Country = {
  code: 'NL',
  currency: 'EUR',
  legal_scheme: '0106',
  endpoint_scheme: '0106',
  seller: { vat: 'NL123456789B12', legal: '12345678', endpoint: '12345678' },
  buyer: { vat: 'NL987654321B21', legal: '87654321', endpoint: '87654321' },
  means: paymentMeans('58', account('NL91ABNA0417164300')),
};
const dutch = within(netherlands_within);
const dutch_credit_note = within(netherlands_within, credit_note);
const representative = `<cac:TaxRepresentativeParty><cac:PartyName><cbc:Name>Ombud</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>Gracht 1</cbc:StreetName><cbc:CityName>Delft</cbc:CityName><cbc:PostalZone>2611</cbc:PostalZone><cac:Country><cbc:IdentificationCode>NL</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>NL123456789B34</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme></cac:TaxRepresentativeParty>`;

const netherlands: Examples = {
  'PEPPOL-COMMON-R056-2': broken(dutch, to('NL123456789B12', 'NL123456789')),
  'NL-R-001': broken(
    dutch_credit_note,
    without(/<cac:BillingReference>.*<\/cac:BillingReference>/),
  ),
  'NL-R-002': broken(dutch, without(street)),
  'NL-R-003': broken(
    dutch,
    to('<cbc:CompanyID schemeID="0106">1', '<cbc:CompanyID schemeID="0002">1'),
  ),
  'NL-R-004': broken(dutch, without(buyers(city))),
  'NL-R-005': broken(
    dutch,
    to('<cbc:CompanyID schemeID="0106">8', '<cbc:CompanyID schemeID="0002">8'),
  ),
  'NL-R-006': broken(
    changed(dutch, to('<cac:Delivery>', `${representative}<cac:Delivery>`)),
    without('<cbc:CityName>Delft</cbc:CityName>'),
  ),
  'NL-R-007': {
    breaks: changed(dutch, unpaid),
    holds: changed(dutch, unpaid, ...allPrepaid),
  },
  'NL-R-008': broken(dutch, to('MeansCode>58<', 'MeansCode>31<')),
  'NL-R-009': broken(
    changed(
      dutch,
      inLine('<cac:OrderLineReference><cbc:LineID>1</cbc:LineID></cac:OrderLineReference>'),
    ),
    without(/<cac:OrderReference>.*<\/cac:OrderReference>/),
  ),
};

// --- Italy -----------------------------------------------------------------------------------

const italian = changed(
  within({
    code: 'IT',
    currency: 'EUR',
    legal_scheme: '0211',
    endpoint_scheme: '0211',
    seller: { vat: 'IT00743110157', legal: 'IT00743110157', endpoint: 'IT00743110157' },
    buyer: { vat: 'IT01234567897', legal: 'IT01234567897', endpoint: 'IT01234567897' },
    means: paymentMeans('58', account('IT60X0542811101000000123456')),
  }),
  taxNumber('RSSMRA85T10A562S'),
);

const italy: Examples = {
  'IT-R-001': broken(italian, to('RSSMRA85T10A562S', 'RSSMRA85T1')),
  'IT-R-002': broken(italian, without(street)),
  'IT-R-003': broken(italian, without(city)),
  'IT-R-004': broken(italian, without(zone)),
};

// --- Greece ----------------------------------------------------------------------------------

const greek = changed(
  within({
    code: 'GR',
    currency: 'EUR',
    legal_scheme: null,
    endpoint_scheme: '9933',
    seller: { vat: 'EL094014201', legal: '123456701000', endpoint: '094014201' },
    buyer: { vat: 'EL094019245', legal: '123456701001', endpoint: '094019245' },
    means: paymentMeans('58', account('GR1601101250000000012300695')),
  }),
  to('<cbc:ID>F-1001<', '<cbc:ID>094014201|31/03/2026|0|1.1|A|1001<'),
  reference('400001234567890', description('##M.AR.K##')),
  reference('1', `${description('##INVOICE|URL##')}${webAddress('https://example.gr/1')}`),
);

const greece: Examples = {
  'GR-R-001-1': broken(greek, to('|1001<', '|1001|1<')),
  'GR-R-001-2': broken(greek, to('<cbc:ID>094014201|', '<cbc:ID>094019245|')),
  'GR-R-001-3': broken(greek, to('|31/03/2026|', '|30/03/2026|')),
  'GR-R-001-4': broken(greek, to('|0|1.1|', '|-1|1.1|')),
  'GR-R-001-5': broken(greek, to('|1.1|', '|1.2|')),
  'GR-R-001-6': broken(greek, to('|A|', '||')),
  'GR-R-001-7': broken(greek, to('|A|1001', '|A|')),
  'GR-R-002': broken(greek, without(/<cac:PartyName>.*<\/cac:PartyName>/)),
  'GR-R-003': broken(greek, to('EL094014201', 'EL094014202')),
  'GR-R-004-1': broken(greek, to('##M.AR.K##', 'M.AR.K')),
  'GR-R-004-2': broken(greek, to('400001234567890', '0')),
  'GR-R-005': broken(greek, without(buyers('<cac:PartyName>.*</cac:PartyName>'))),
  'GR-R-006': broken(greek, to('EL094019245', 'GR094019245')),
  'GR-R-008-2': broken(
    greek,
    reference('2', `${description('##INVOICE|URL##')}${webAddress('https://example.gr/2')}`),
  ),
  'GR-R-008-3': broken(greek, without(webAddress('https://example.gr/1'))),
  'GR-R-009': broken(greek, to('"9933">094014201', '"9933">094014202')),
  'GR-R-010': broken(greek, to('"9933">094019245', '"9933">094019246')),
  'GR-S-008-1': broken(greek, to('##INVOICE|URL##', 'INVOICE|URL')),
  'GR-S-011': broken(greek, to('EL094014201', 'GR094014201')),
};

// --- Germany ---------------------------------------------------------------------------------

const iban = 'DE89370400440532013000';
const wrong_iban = 'DE89370400440532013001';
const contact_name = '<cbc:Name>Anna Schmidt</cbc:Name>';
const telephone = '<cbc:Telephone>+49 30 123456</cbc:Telephone>';
const mail = '<cbc:ElectronicMail>anna@example.de</cbc:ElectronicMail>';
const contact = `<cac:Contact>${contact_name}${telephone}${mail}</cac:Contact>`;
const delivery_city = '<cbc:CityName>Berlin</cbc:CityName>';
const delivery_zone = '<cbc:PostalZone>10115</cbc:PostalZone>';

const german = changed(
  within({
    code: 'DE',
    currency: 'EUR',
    legal_scheme: null,
    endpoint_scheme: '9930',
    seller: { vat: 'DE123456789', legal: 'HRB 1234', endpoint: 'DE123456789' },
    buyer: { vat: 'DE987654321', legal: 'HRB 4321', endpoint: 'DE987654321' },
    means: paymentMeans('58', account(iban)),
  }),
  to('</cac:PartyLegalEntity>', `</cac:PartyLegalEntity>${contact}`),
  to('<cac:Address>', `<cac:Address>${delivery_city}${delivery_zone}`),
);
const corrected = changed(german, to('>380<', '>384<'));
const by_card = changed(german, paidBy('48', card));
const by_direct_debit = changed(
  german,
  sellerId('SEPA', 'DE98ZZZ09999999999'),
  paidBy('59', mandate(iban)),
);
const named_file = (name: string): Change =>
  reference(
    'annan',
    `<cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="${name}">JVBERi0x</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>`,
  );

const germany: Examples = {
  'DE-R-001': broken(german, unpaid),
  'DE-R-002': broken(german, without(contact)),
  'DE-R-003': broken(german, without(city)),
  'DE-R-004': broken(german, without(zone)),
  'DE-R-005': broken(german, without(contact_name)),
  'DE-R-006': broken(german, without(telephone)),
  'DE-R-007': broken(german, without(mail)),
  'DE-R-008': broken(german, without(buyers(city))),
  'DE-R-009': broken(german, without(buyers(zone))),
  'DE-R-010': broken(german, without(delivery_city)),
  'DE-R-011': broken(german, without(delivery_zone)),
  'DE-R-014': broken(german, without(/(?<=TaxableAmount>[\s\S]*?)<cbc:Percent>25<\/cbc:Percent>/)),
  'DE-R-015': broken(german, without(/<cbc:BuyerReference>.*<\/cbc:BuyerReference>/)),
  'DE-R-016': broken(german, without(/<cac:PartyTaxScheme>[\s\S]*?<\/cac:PartyTaxScheme>/)),
  'DE-R-017': broken(german, to('>380<', '>383<')),
  'DE-R-018': broken(
    changed(german, to('30 dagar netto', '#SKONTO#TAGE=14#PROZENT=2.00#\n')),
    to('PROZENT=2.00#', 'PROZENT=2#'),
  ),
  'DE-R-019': broken(german, to(iban, wrong_iban)),
  'DE-R-020': broken(by_direct_debit, to(iban, wrong_iban)),
  'DE-R-022': broken(changed(german, named_file('annan.pdf')), to('annan.pdf', 'bilaga.pdf')),
  'DE-R-023-1': broken(german, without(account(iban))),
  'DE-R-023-2': broken(german, to(account(iban), `${card}${account(iban)}`)),
  'DE-R-024-1': broken(by_card, without(card)),
  'DE-R-024-2': broken(by_card, to(card, `${card}${account(iban)}`)),
  'DE-R-025-1': broken(by_direct_debit, without(mandate(iban))),
  'DE-R-025-2': broken(by_direct_debit, to(mandate(iban), `${account(iban)}${mandate(iban)}`)),
  'DE-R-026': broken(corrected, without(/<cac:BillingReference>.*<\/cac:BillingReference>/)),
  'DE-R-027': broken(german, to('+49 30 123456', '+49')),
  'DE-R-028': broken(german, to('anna@example.de', 'anna@example')),
  'DE-R-030': broken(by_direct_debit, without(partyId('SEPA', 'DE98ZZZ09999999999'))),
  'DE-R-031': broken(by_direct_debit, to(mandate(iban), mandate())),
  'DE-R-T02': broken(
    changed(german, reference('adress', webAddress('https://example.de/1'))),
    without('https://'),
  ),
  'PEPPOL-EN16931-P0112': { breaks: changed(invoice, to('>380<', '>384<')), holds: corrected },
};

export const examples: Examples = {
  ...transaction,
  ...codes,
  ...numbers,
  ...sweden,
  ...norway,
  ...denmark,
  ...iceland,
  ...netherlands,
  ...italy,
  ...greece,
  ...germany,
};
