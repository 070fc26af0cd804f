/** Peppol: Germany's rules (DE-R-*). They apply when both addresses are German. */
import { codeLists } from '../data/code-lists.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { normalizeSpace, textAt, Uncomputable } from '../xpath.ts';
import { isIban } from './check-digits.ts';
import { nothing, present, quoteElement, someFilled } from './checks.ts';
import { at, type Check, type Family, fatal, type RuleScope, warning } from './rule.ts';

const german = (path: string): RuleScope => at(path, (_, facts) => facts.is_german);

/** German payment means whose code is of a list. */
const paidBy = (codes: ReadonlySet<string>): RuleScope =>
  at(
    '/*/cac:PaymentMeans',
    (e, facts) => facts.is_german && codes.has(textAt(e, 'cbc:PaymentMeansCode')),
  );

const without =
  (...paths: readonly string[]): Check =>
  (e) => {
    const found = paths.find((path) => e.has(path));
    return found === undefined || found;
  };

const taxNumberWhereTaxed: Check = (e) => {
  const taxed = codeLists['UNCL5305-DE-SELLER-TAX-ID'];
  const categories = [
    ...e
      .all('cac:AllowanceCharge')
      .filter((one) => one.all('cbc:ChargeIndicator').some(isTrueOrFalse))
      .flatMap((one) => one.all('cac:TaxCategory/cbc:ID')),
    ...e.all('cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
    ...e.all('cac:CreditNoteLine/cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
  ];
  if (!categories.some(({ value }) => taxed.has(value))) return true;
  const numbers = e.all('cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID');
  const is_known = numbers.some(({ value }) => normalizeSpace(value) !== '');
  return is_known || e.has('cac:TaxRepresentativeParty') || nothing;
};

const isTrueOrFalse = ({ value }: XmlElement): boolean => value === 'true' || value === 'false';

// XPath's patterns: its `.` is all but line breaks, also U+2028, and its \s only XML's four blanks.
const betweenMarks = /#[^\r\n]+#/;
const mailAddress = /^[^@ \t\r\n]+@([^@. \t\r\n]+\.)+[^@. \t\r\n]+$/;
const cashDiscountTerms =
  /(^|\r?\n)#(SKONTO)#TAGE=([0-9]+#PROZENT=[0-9]+\.[0-9]{2})(#BASISBETRAG=-?[0-9]+\.[0-9]{2})?#$/;

/** Lines of the payment terms that begin with # are cash discounts, and the last ends with a line break. */
const cashDiscount: Check = (e) => {
  const notes = e.all('cac:PaymentTerms').flatMap((terms) => terms.first('cbc:Note') ?? []);
  const lines = notes
    .flatMap(({ value }) => value.split(/\r?\n/))
    .filter((one) => normalizeSpace(one).startsWith('#'));
  if (lines.length === 0) return true;
  const wrong = lines.find((one) => !cashDiscountTerms.test(normalizeSpace(one)));
  if (wrong !== undefined) return quote(wrong);
  if (notes.length > 1) throw new Uncomputable('två betalningsvillkor');
  const after_last = notes[0]?.value.split(betweenMarks).at(-1) ?? '';
  return /^[ \t\r\n]*\n/.test(after_last) || 'ingen radbrytning efter den sista';
};

const differentFiles: Check = (e) => {
  const seen = new Set<string>();
  for (const reference of e.all('cac:AdditionalDocumentReference')) {
    const names = reference
      .all('cac:Attachment/cbc:EmbeddedDocumentBinaryObject')
      .flatMap((file) => file.attribute('filename') ?? []);
    const twice = names.find((name) => seen.has(name));
    if (twice !== undefined) return quote(twice);
    for (const name of names) seen.add(name);
  }
  return true;
};

const creditorId: Check = (e) => {
  if (!e.has('cac:PaymentMeans/cac:PaymentMandate')) return true;
  const ids = [
    ...e.all('cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification/cbc:ID'),
    ...e.all('cac:PayeeParty/cac:PartyIdentification/cbc:ID'),
  ];
  return ids.some((id) => id.attribute('schemeID') === 'SEPA') || nothing;
};

const typeCodes = (e: XmlElement): readonly string[] =>
  ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'].map((path) => textAt(e, path));

export const germanRules: Family = [
  [
    german('/*'),
    fatal(
      'DE-R-001',
      'En tysk faktura ska ange betalningssätt (BG-16).',
      present('cac:PaymentMeans'),
    ),
    fatal(
      'DE-R-015',
      'En tysk faktura ska ange köparens referens (BT-10).',
      someFilled('cbc:BuyerReference'),
    ),
    fatal(
      'DE-R-016',
      'En tysk säljare ska ange ett skattenummer eller ett skatteombud.',
      taxNumberWhereTaxed,
    ),
    warning('DE-R-017', 'En tysk faktura bör ha en av de typkoder som används där.', (e) => {
      const codes = typeCodes(e);
      return codes.some((code) => codeLists['UNCL1001-DE'].has(code)) || quote(codes.join(' '));
    }),
    fatal(
      'DE-R-018',
      'Kassarabatt ska i Tyskland skrivas #SKONTO#TAGE=n#PROZENT=n.nn#.',
      cashDiscount,
    ),
    fatal('DE-R-022', 'Bifogade filer ska i Tyskland ha olika namn.', differentFiles),
    warning(
      'DE-R-026',
      'En rättad faktura (384) bör hänvisa till den faktura som rättas (BG-3).',
      (e) =>
        !typeCodes(e).includes('384') ||
        e.has('cac:BillingReference/cac:InvoiceDocumentReference') ||
        nothing,
    ),
    fatal('DE-R-030', 'Autogiro ska i Tyskland ange borgenärens id (BT-90).', creditorId),
    fatal(
      'DE-R-031',
      'Autogiro ska i Tyskland ange kontot som debiteras (BT-91).',
      (e) =>
        !e.has('cac:PaymentMeans/cac:PaymentMandate') ||
        e.has('cac:PaymentMeans/cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID') ||
        nothing,
    ),
  ],
  [
    german('/*/cac:AdditionalDocumentReference/cac:Attachment/cac:ExternalReference'),
    warning('DE-R-T02', 'Ett underlags adress (BT-124) bör vara en fullständig URL.', (e) => {
      const uri = e.valueOf('cbc:URI') ?? '';
      return /^[a-zA-Z][a-zA-Z0-9+.-]+:/.test(uri) || quote(uri);
    }),
  ],
  [
    german('/*/cac:AccountingSupplierParty'),
    fatal(
      'DE-R-002',
      'En tysk säljare ska ha en kontakt (BG-6).',
      present('cac:Party/cac:Contact'),
    ),
  ],
  [
    german('/*/cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
    fatal('DE-R-003', 'En tysk säljares adress ska ha ort (BT-37).', someFilled('cbc:CityName')),
    fatal(
      'DE-R-004',
      'En tysk säljares adress ska ha postnummer (BT-38).',
      someFilled('cbc:PostalZone'),
    ),
  ],
  [
    german('/*/cac:AccountingSupplierParty/cac:Party/cac:Contact'),
    fatal('DE-R-005', 'En tysk säljares kontakt ska ha ett namn (BT-41).', someFilled('cbc:Name')),
    fatal(
      'DE-R-006',
      'En tysk säljares kontakt ska ha telefon (BT-42).',
      someFilled('cbc:Telephone'),
    ),
    fatal(
      'DE-R-007',
      'En tysk säljares kontakt ska ha e-post (BT-43).',
      someFilled('cbc:ElectronicMail'),
    ),
    warning('DE-R-027', 'Säljarens telefonnummer (BT-42) bör ha minst tre siffror.', (e) => {
      const telephone = textAt(e, 'cbc:Telephone');
      return telephone.replace(/[^0-9]/g, '').length >= 3 || quote(telephone);
    }),
    warning(
      'DE-R-028',
      'Säljarens e-postadress (BT-43) bör ha ett @ och en punkt efter det.',
      (e) => {
        const mail = textAt(e, 'cbc:ElectronicMail');
        return mailAddress.test(mail) || quote(mail);
      },
    ),
  ],
  [
    german('/*/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
    fatal('DE-R-008', 'En tysk köpares adress ska ha ort (BT-52).', someFilled('cbc:CityName')),
    fatal(
      'DE-R-009',
      'En tysk köpares adress ska ha postnummer (BT-53).',
      someFilled('cbc:PostalZone'),
    ),
  ],
  [
    german('/*/cac:Delivery/cac:DeliveryLocation/cac:Address'),
    fatal(
      'DE-R-010',
      'Leveransadressen ska i Tyskland ha ort (BT-77).',
      someFilled('cbc:CityName'),
    ),
    fatal(
      'DE-R-011',
      'Leveransadressen ska i Tyskland ha postnummer (BT-78).',
      someFilled('cbc:PostalZone'),
    ),
  ],
  [
    paidBy(codeLists['UNCL4461-CREDIT-TRANSFER']),
    warning('DE-R-019', 'Betalning med SEPA (58) bör ha ett riktigt IBAN (BT-84).', (e) => {
      const account = e.first('cac:PayeeFinancialAccount/cbc:ID');
      const is_sepa = textAt(e, 'cbc:PaymentMeansCode') === '58';
      return !is_sepa || isIban(account?.value ?? '') || quoteElement(account);
    }),
    fatal(
      'DE-R-023-1',
      'En girering ska i Tyskland ha ett konto (BG-17).',
      present('cac:PayeeFinancialAccount'),
    ),
    fatal(
      'DE-R-023-2',
      'En girering ska i Tyskland inte ha kort eller autogiro (BG-18, BG-19).',
      without('cac:CardAccount', 'cac:PaymentMandate'),
    ),
  ],
  [
    paidBy(codeLists['UNCL4461-CARD']),
    fatal(
      'DE-R-024-1',
      'En kortbetalning ska i Tyskland ange kortet (BG-18).',
      present('cac:CardAccount'),
    ),
    fatal(
      'DE-R-024-2',
      'En kortbetalning ska i Tyskland inte ha konto eller autogiro (BG-17, BG-19).',
      without('cac:PayeeFinancialAccount', 'cac:PaymentMandate'),
    ),
  ],
  [
    paidBy(codeLists['UNCL4461-DIRECT-DEBIT-DE']),
    warning('DE-R-020', 'Autogiro (59) bör ha ett riktigt IBAN (BT-91).', (e) => {
      const account = e.first('cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID');
      return isIban(account?.value ?? '') || quoteElement(account);
    }),
    fatal(
      'DE-R-025-1',
      'Autogiro ska i Tyskland ange medgivandet (BG-19).',
      present('cac:PaymentMandate'),
    ),
    fatal(
      'DE-R-025-2',
      'Autogiro ska i Tyskland inte ha konto eller kort (BG-17, BG-18).',
      without('cac:PayeeFinancialAccount', 'cac:CardAccount'),
    ),
  ],
  [
    german('/*/cac:TaxTotal/cac:TaxSubtotal'),
    fatal(
      'DE-R-014',
      'Momsspecifikationen ska i Tyskland ha skattesats (BT-119).',
      someFilled('cac:TaxCategory/cbc:Percent'),
    ),
  ],
];
