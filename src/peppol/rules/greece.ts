/** Peppol: Greece's rules (GR-R-*, GR-S-*). */
import { codeLists } from '../data/code-lists.ts';
import type { Facts } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { lengthOf, normalizeSpace, number, textAt, Uncomputable } from '../xpath.ts';
import { isGreek as hasGreekCheckDigit } from './check-digits.ts';
import { nothing } from './checks.ts';
import { at, type Check, type Family, fatal, type RuleScope, warning } from './rule.ts';

const supplier = 'cac:AccountingSupplierParty/cac:Party';
const customer = 'cac:AccountingCustomerParty/cac:Party';

const isGreekCountry = (country: string): boolean => country === 'GR' || country === 'EL';
const isSenderGreek = (facts: Facts): boolean => isGreekCountry(facts.supplier_country);
const fromGreece: NonNullable<RuleScope['when']> = (_, facts) => isSenderGreek(facts);
const withinGreece: NonNullable<RuleScope['when']> = (_, facts) =>
  isSenderGreek(facts) && isGreekCountry(facts.customer_country);
/** The sender is Greek and its address says GR. */
const fromGreekAddress: NonNullable<RuleScope['when']> = (_, facts) =>
  isSenderGreek(facts) &&
  facts.values(`${supplier}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`).has('GR');

const dateInNumber = /^(0?[1-9]|[12][0-9]|3[01])[-\\/ ]?(0?[1-9]|1[0-2])[-\\/ ]?(19|20)[0-9]{2}/;

/** The parts of a Greek invoice number: tax number|date|branch|type|series|number. */
const segments = (id: XmlElement): readonly string[] =>
  id.value === '' ? [] : id.value.split('|');
const segment = (id: XmlElement, place: number): string => segments(id)[place - 1] ?? '';

/** The nine digits after the country in the VAT numbers of a party. */
const greekNumbers = (facts: Facts, party: string): readonly string[] =>
  facts.root
    .all(`${party}/cac:PartyTaxScheme`)
    .filter((one) => one.all('cac:TaxScheme/cbc:ID').some(({ value }) => value === 'VAT'))
    .map((one) => (one.valueOf('cbc:CompanyID') ?? '').slice(2, 11));

const numberOfSeller: Check = (e, facts) => {
  const tin = segment(e, 1);
  const known = [
    ...greekNumbers(facts, supplier),
    ...greekNumbers(facts, 'cac:TaxRepresentativeParty'),
  ];
  const is_right = lengthOf(normalizeSpace(tin)) === 9 && hasGreekCheckDigit(tin);
  return (is_right && known.includes(tin)) || quote(tin);
};

const dateOfInvoice: Check = (e, facts) => {
  const written = segment(e, 2);
  const [year, month, day] = (facts.first('cbc:IssueDate')?.value ?? '').split('-');
  const parts = written.split('/');
  const is_same =
    parts[0] === day &&
    parts[1] === month &&
    parts[2] === year &&
    year !== undefined &&
    day !== undefined;
  return (dateInNumber.test(written) && is_same) || quote(written);
};

const branchNumber: Check = (e) => {
  const branch = segment(e, 3);
  if (normalizeSpace(branch) === '' || Number.isNaN(number(branch))) return quote(branch);
  if (!/^[+-]?[0-9]+$/.test(normalizeSpace(branch))) throw new Uncomputable(quote(branch));
  return number(branch) >= 0 || quote(branch);
};

/** One VAT number, of the Greek form: EL and nine digits with the right check digit. */
const oneGreekVatNumber: Check = (e) => {
  const numbers = e
    .all('cac:PartyTaxScheme')
    .filter((one) => textAt(one, 'cac:TaxScheme/cbc:ID') === 'VAT')
    .flatMap((one) => one.all('cbc:CompanyID'));
  const [only] = numbers;
  if (numbers.length !== 1 || !only) return `${numbers.length} stycken`;
  return isGreekVatNumber(only.value) || quote(only.value);
};

const isGreekVatNumber = (text: string): boolean =>
  text.startsWith('EL') && hasGreekCheckDigit(text.slice(2));

const hasName: Check = (e) =>
  e.all('cac:PartyName/cbc:Name').some(({ value }) => value !== '') || nothing;

const greekEndpoint: Check = (e) =>
  (codeLists['EAS-GR'].has(e.attribute('schemeID') ?? '') && hasGreekCheckDigit(e.value)) ||
  quote(`${e.attribute('schemeID')}:${e.value}`);

const isDescribed = (reference: XmlElement, description: string): boolean =>
  reference.all('cbc:DocumentDescription').some(({ value }) => value === description);

const countDescribed = (e: XmlElement, description: string): number =>
  e.all('cac:AdditionalDocumentReference').filter((one) => isDescribed(one, description)).length;

const registration = '##M.AR.K##';
const webAddress = '##INVOICE|URL##';

export const greekRules: Family = [
  [
    at('/*/cbc:ID', fromGreece),
    fatal('GR-R-001-1', 'Ett grekiskt fakturanummer ska ha sex delar skilda av |.', (e) => {
      const { length } = segments(e);
      return length === 6 || `${length} delar`;
    }),
    fatal(
      'GR-R-001-2',
      'Fakturanumrets första del ska vara säljarens skattenummer.',
      numberOfSeller,
    ),
    fatal(
      'GR-R-001-3',
      'Fakturanumrets andra del ska vara fakturans datum (DD/MM/ÅÅÅÅ).',
      dateOfInvoice,
    ),
    fatal(
      'GR-R-001-4',
      'Fakturanumrets tredje del ska vara ett heltal, 0 eller mer.',
      branchNumber,
    ),
    fatal('GR-R-001-5', 'Fakturanumrets fjärde del ska vara en grekisk dokumenttyp.', (e) => {
      const type = segment(e, 4);
      return codeLists['GR-DOCTYPE'].has(type) || quote(type);
    }),
    fatal(
      'GR-R-001-6',
      'Fakturanumrets femte del ska inte vara tom.',
      (e) => segment(e, 5) !== '' || nothing,
    ),
    fatal(
      'GR-R-001-7',
      'Fakturanumrets sjätte del ska inte vara tom.',
      (e) => segment(e, 6) !== '' || nothing,
    ),
  ],
  [
    at(supplier, fromGreece),
    fatal('GR-R-002', 'En grekisk säljare ska ha ett handelsnamn (BT-28).', hasName),
    warning(
      'GR-S-011',
      'En grekisk säljare bör ha ett momsnummer som börjar med EL.',
      oneGreekVatNumber,
    ),
  ],
  [
    at(
      `${supplier}/cac:PartyTaxScheme/cbc:CompanyID`,
      (e, facts) =>
        isSenderGreek(facts) &&
        e.parent !== null &&
        textAt(e.parent, 'cac:TaxScheme/cbc:ID') === 'VAT',
    ),
    fatal('GR-R-003', 'Ett grekiskt momsnummer ska vara EL och nio siffror.', (e) =>
      isGreekVatNumber(e.value),
    ),
  ],
  [
    at('/*', fromGreekAddress),
    fatal('GR-R-004-1', `En grekisk faktura ska ha ett underlag med ${registration}.`, (e) => {
      const count = countDescribed(e, registration);
      return count === 1 || `${count} stycken`;
    }),
    warning('GR-S-008-1', `En grekisk faktura bör ha ett underlag med ${webAddress}.`, (e) => {
      const count = countDescribed(e, webAddress);
      return count === 1 || `${count} stycken`;
    }),
    fatal('GR-R-008-2', `En grekisk faktura ska ha högst ett underlag med ${webAddress}.`, (e) => {
      const count = countDescribed(e, webAddress);
      return count <= 1 || `${count} stycken`;
    }),
  ],
  [
    at(
      'cac:AdditionalDocumentReference/cbc:ID',
      (e, facts) =>
        fromGreekAddress(e, facts) && e.parent !== null && isDescribed(e.parent, registration),
    ),
    fatal('GR-R-004-2', 'M.AR.K ska vara ett heltal större än 0.', (e) => /^[1-9]/.test(e.value)),
  ],
  [
    at(
      'cac:AdditionalDocumentReference',
      (e, facts) => isSenderGreek(facts) && isDescribed(e, webAddress),
    ),
    fatal(
      'GR-R-008-3',
      'Den grekiska fakturans adress ska stå i ExternalReference/URI.',
      (e) => textAt(e, 'cac:Attachment/cac:ExternalReference/cbc:URI') !== '' || nothing,
    ),
  ],
  [
    at(customer, fromGreece),
    fatal('GR-R-005', 'Köparen av en grekisk faktura ska ha ett handelsnamn (BT-45).', hasName),
  ],
  [
    at(`${supplier}/cbc:EndpointID`, (_, facts) => isGreekCountry(facts.supplier_own_country)),
    fatal(
      'GR-R-009',
      'En grekisk säljares elektroniska adress ska vara 9933 och skattenumret.',
      greekEndpoint,
    ),
  ],
];

/** A pattern of its own. */
export const greekBuyerRules: Family = [
  [
    at(customer, withinGreece),
    fatal(
      'GR-R-006',
      'En grekisk köpare ska ha ett momsnummer som börjar med EL.',
      oneGreekVatNumber,
    ),
  ],
  [
    at(`${customer}/cbc:EndpointID`, withinGreece),
    fatal(
      'GR-R-010',
      'En grekisk köpares elektroniska adress ska vara 9933 och skattenumret.',
      greekEndpoint,
    ),
  ],
];
