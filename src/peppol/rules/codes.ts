/** EN 16931's code lists (BR-CL-*). Blanks around a code do not matter. */
import { codeLists } from '../data/code-lists.ts';
import { isCharge } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { normalizeSpace } from '../xpath.ts';
import { attributeIn, codeIn } from './checks.ts';
import { amounts } from './places.ts';
import { at, type Check, type Family, fatal, type RuleScope } from './rule.ts';

const having =
  (attribute: string): NonNullable<RuleScope['when']> =>
  (element) =>
    element.hasAttribute(attribute);

const isWithin = (element: XmlElement, name: string): boolean => {
  for (let e = element.parent; e; e = e.parent) if (e.name === name) return true;
  return false;
};

/** An identifier of a party: an ICD scheme, or SEPA for whoever gets the money. */
const partyScheme: Check = (e) => {
  const scheme = normalizeSpace(e.attribute('schemeID'));
  if (codeLists.ICD.has(scheme)) return true;
  const may_be_creditor =
    isWithin(e, 'cac:AccountingSupplierParty') || isWithin(e, 'cac:PayeeParty');
  return (scheme === 'SEPA' && may_be_creditor) || quote(scheme);
};

const icd = attributeIn('schemeID', codeLists.ICD);

const hasTypeCode130: NonNullable<RuleScope['when']> = (e) =>
  e.hasAttribute('schemeID') &&
  e.parent?.all('cbc:DocumentTypeCode').some(({ value }) => value === '130') === true;

const reasonOf =
  (is_charge: boolean): NonNullable<RuleScope['when']> =>
  (e) =>
    e.parent !== null && isCharge(e.parent) === is_charge;

export const codeRules: Family = [
  [
    at(['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode']),
    fatal('BR-CL-01', 'Fakturans typkod (BT-3) ska finnas i UNCL1001.', (e) => {
      const name = e.name === 'cbc:InvoiceTypeCode' ? 'UNCL1001-invoice' : 'UNCL1001-creditnote';
      return codeLists[name].has(normalizeSpace(e.value));
    }),
  ],
  [
    amounts,
    fatal(
      'BR-CL-03',
      'Ett belopps valuta ska finnas i ISO 4217.',
      attributeIn('currencyID', codeLists.ISO4217),
    ),
  ],
  [
    at('cbc:DocumentCurrencyCode'),
    fatal('BR-CL-04', 'Fakturans valuta (BT-5) ska finnas i ISO 4217.', codeIn(codeLists.ISO4217)),
  ],
  [
    at('cbc:TaxCurrencyCode'),
    fatal(
      'BR-CL-05',
      'Redovisningsvalutan (BT-6) ska finnas i ISO 4217.',
      codeIn(codeLists.ISO4217),
    ),
  ],
  [
    at('cac:InvoicePeriod/cbc:DescriptionCode'),
    fatal(
      'BR-CL-06',
      'Koden för momsdatum (BT-8) ska finnas i UNCL2005.',
      codeIn(codeLists.UNCL2005),
    ),
  ],
  [
    at(['cac:AdditionalDocumentReference/cbc:ID', 'cac:DocumentReference/cbc:ID'], hasTypeCode130),
    fatal(
      'BR-CL-07',
      'Det fakturerade objektets schemeID (BT-18, BT-128) ska finnas i UNCL1153.',
      attributeIn('schemeID', codeLists.UNCL1153),
    ),
  ],
  [
    at('cac:PartyIdentification/cbc:ID', having('schemeID')),
    fatal('BR-CL-10', 'Ett parts-ids schemeID ska finnas i ISO 6523 (ICD).', partyScheme),
  ],
  [
    at('cac:PartyLegalEntity/cbc:CompanyID', having('schemeID')),
    fatal('BR-CL-11', 'Ett organisationsnummers schemeID ska finnas i ISO 6523 (ICD).', icd),
  ],
  [
    at('cac:CommodityClassification/cbc:ItemClassificationCode', having('listID')),
    fatal(
      'BR-CL-13',
      'Klassificeringens listID (BT-158) ska finnas i UNCL7143.',
      attributeIn('listID', codeLists.UNCL7143),
    ),
  ],
  [
    at('cac:Country/cbc:IdentificationCode'),
    fatal('BR-CL-14', 'En landskod ska finnas i ISO 3166.', codeIn(codeLists.ISO3166)),
  ],
  [
    at('cac:OriginCountry/cbc:IdentificationCode'),
    fatal('BR-CL-15', 'Ursprungslandet (BT-159) ska finnas i ISO 3166.', codeIn(codeLists.ISO3166)),
  ],
  [
    at('cac:PaymentMeans/cbc:PaymentMeansCode'),
    fatal(
      'BR-CL-16',
      'Betalningssättets kod (BT-81) ska finnas i UNCL4461.',
      codeIn(codeLists.UNCL4461),
    ),
  ],
  [
    at('cac:TaxCategory/cbc:ID'),
    fatal('BR-CL-17', 'Momskategorin ska finnas i UNCL5305.', codeIn(codeLists.UNCL5305)),
  ],
  [
    at('cac:ClassifiedTaxCategory/cbc:ID'),
    fatal(
      'BR-CL-18',
      'Radens momskategori (BT-151) ska finnas i UNCL5305.',
      codeIn(codeLists.UNCL5305),
    ),
  ],
  [
    at('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode', reasonOf(false)),
    fatal('BR-CL-19', 'Ett avdrags skälkod ska finnas i UNCL5189.', codeIn(codeLists.UNCL5189)),
  ],
  [
    at('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode', reasonOf(true)),
    fatal('BR-CL-20', 'Ett tilläggs skälkod ska finnas i UNCL7161.', codeIn(codeLists.UNCL7161)),
  ],
  [
    at('cac:StandardItemIdentification/cbc:ID', having('schemeID')),
    fatal('BR-CL-21', 'Standardnumrets schemeID (BT-157) ska finnas i ISO 6523 (ICD).', icd),
  ],
  [
    at('cbc:TaxExemptionReasonCode'),
    fatal('BR-CL-22', 'Skälkoden för undantag (BT-121) ska finnas i VATEX.', (e) =>
      codeLists.VATEX.has(normalizeSpace(e.value).toUpperCase()),
    ),
  ],
  [
    at(['cbc:InvoicedQuantity', 'cbc:BaseQuantity', 'cbc:CreditedQuantity'], having('unitCode')),
    fatal(
      'BR-CL-23',
      'Enheten (BT-130, BT-150) ska finnas i UN/ECE rekommendation 20 eller 21.',
      attributeIn('unitCode', codeLists['REC20-21']),
    ),
  ],
  [
    at('cbc:EmbeddedDocumentBinaryObject', having('mimeCode')),
    fatal('BR-CL-24', 'En bifogad fil ska vara PDF, PNG, JPEG, CSV, XLSX eller ODS.', (e) => {
      const type = e.attribute('mimeCode') ?? '';
      return codeLists.MIME.has(type) || quote(type);
    }),
  ],
  [
    at('cbc:EndpointID', having('schemeID')),
    fatal(
      'BR-CL-25',
      'Den elektroniska adressens schemeID ska finnas i EAS.',
      attributeIn('schemeID', codeLists.EAS),
    ),
  ],
  [
    at('cac:DeliveryLocation/cbc:ID', having('schemeID')),
    fatal('BR-CL-26', 'Leveransplatsens schemeID (BT-71) ska finnas i ISO 6523 (ICD).', icd),
  ],
];
