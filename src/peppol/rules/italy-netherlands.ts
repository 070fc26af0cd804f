/** Peppol: Italy's and the Netherlands' rules (IT-R-*, NL-R-*). */
import { codeLists } from '../data/code-lists.ts';
import { format } from '../decimal.ts';
import type { Facts } from '../facts.ts';
import { quote } from '../finding.ts';
import { decimalAt, normalizeSpace, textAt } from '../xpath.ts';
import { nothing, present } from './checks.ts';
import { at, type Check, type Family, fatal, type RuleScope } from './rule.ts';

const supplier = 'cac:AccountingSupplierParty/cac:Party';
const customer = 'cac:AccountingCustomerParty/cac:Party';

export const italianRules: Family = [
  [
    at(
      `${supplier}/cac:PartyTaxScheme`,
      (e, facts) => facts.supplier_country === 'IT' && textAt(e, 'cac:TaxScheme/cbc:ID') !== 'VAT',
    ),
    fatal(
      'IT-R-001',
      'Ett italienskt skattenummer (BT-32) ska ha 11–16 versaler och siffror.',
      (e) => {
        const company = textAt(e, 'cbc:CompanyID');
        return /^[A-Z0-9]{11,16}$/.test(company) || quote(company);
      },
    ),
  ],
  [
    at(supplier, (_, facts) => facts.supplier_country === 'IT'),
    fatal(
      'IT-R-002',
      'En italiensk säljares adress ska ha gata (BT-35).',
      present('cac:PostalAddress/cbc:StreetName'),
    ),
    fatal(
      'IT-R-003',
      'En italiensk säljares adress ska ha ort (BT-37).',
      present('cac:PostalAddress/cbc:CityName'),
    ),
    fatal(
      'IT-R-004',
      'En italiensk säljares adress ska ha postnummer (BT-38).',
      present('cac:PostalAddress/cbc:PostalZone'),
    ),
  ],
];

const isDutch = (facts: Facts): boolean => facts.supplier_address_country === 'NL';
const fromNetherlands: NonNullable<RuleScope['when']> = (_, facts) => isDutch(facts);
const withinNetherlands: NonNullable<RuleScope['when']> = (_, facts) =>
  isDutch(facts) && facts.customer_address_country === 'NL';

const wholeAddress: Check = (e) => {
  const missing = ['StreetName', 'CityName', 'PostalZone'].filter((name) => !e.has(`cbc:${name}`));
  return missing.length === 0 || `inte ${missing.join(', ')}`;
};

const dutchCompany: Check = (e) => {
  const schemes = (e.attribute('schemeID') ?? '').split(' ');
  const is_dutch = schemes.some((scheme) => codeLists['ICD-NL-LEGAL'].has(scheme));
  return (is_dutch && normalizeSpace(e.value) !== '') || quote(schemes.join(' '));
};

export const dutchRules: Family = [
  [
    at('cbc:CreditNoteTypeCode', fromNetherlands),
    fatal(
      'NL-R-001',
      'En nederländsk kreditnota ska hänvisa till den faktura som krediteras.',
      (_, facts) =>
        facts.first('cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID') !== undefined ||
        nothing,
    ),
  ],
  [
    at(`${supplier}/cac:PostalAddress`, fromNetherlands),
    fatal(
      'NL-R-002',
      'En nederländsk säljares adress ska ha gata, ort och postnummer.',
      wholeAddress,
    ),
  ],
  [
    at(`${supplier}/cac:PartyLegalEntity/cbc:CompanyID`, fromNetherlands),
    fatal(
      'NL-R-003',
      'En nederländsk säljare ska ha ett KVK- eller OIN-nummer (0106, 0190).',
      dutchCompany,
    ),
  ],
  [
    at(`${customer}/cac:PostalAddress`, withinNetherlands),
    fatal(
      'NL-R-004',
      'En nederländsk köpares adress ska ha gata, ort och postnummer.',
      wholeAddress,
    ),
  ],
  [
    at(`${customer}/cac:PartyLegalEntity/cbc:CompanyID`, withinNetherlands),
    fatal(
      'NL-R-005',
      'En nederländsk köpare ska ha ett KVK- eller OIN-nummer (0106, 0190).',
      dutchCompany,
    ),
  ],
  [
    at('cac:TaxRepresentativeParty/cac:PostalAddress', (_, facts) => {
      const path =
        'cac:TaxRepresentativeParty/cac:PostalAddress/cac:Country/cbc:IdentificationCode';
      return isDutch(facts) && normalizeSpace(facts.first(path)?.value).toUpperCase() === 'NL';
    }),
    fatal(
      'NL-R-006',
      'Ett nederländskt skatteombuds adress ska ha gata, ort och postnummer.',
      wholeAddress,
    ),
  ],
  [
    at('cac:LegalMonetaryTotal', fromNetherlands),
    fatal(
      'NL-R-007',
      'En nederländsk faktura att betala ska ange betalningssätt (BG-16).',
      (e, facts) => {
        if (facts.document.named('cac:PaymentMeans').length > 0) return true;
        const payable = decimalAt(e, 'cbc:PayableAmount');
        if (!payable) return nothing;
        const is_settled = facts.is_credit_note ? payable.units >= 0n : payable.units <= 0n;
        return is_settled || `${format(payable)} att betala`;
      },
    ),
  ],
  [
    at('cac:PaymentMeans', withinNetherlands),
    fatal('NL-R-008', 'Betalningssättet (BT-81) ska vara ett som används i Nederländerna.', (e) => {
      const code = textAt(e, 'cbc:PaymentMeansCode');
      return codeLists['UNCL4461-NL'].has(code) || quote(code);
    }),
  ],
  [
    at('cac:OrderLineReference/cbc:LineID', fromNetherlands),
    fatal(
      'NL-R-009',
      'Hänvisar en nederländsk faktura till en orderrad ska den ange ordern (BT-13).',
      (_, facts) => facts.first('cac:OrderReference/cbc:ID') !== undefined || nothing,
    ),
  ],
];
