/** Peppol: Sweden's rules (SE-R-*). They follow the seller's address, not its electronic address. */
import { codeLists } from '../data/code-lists.ts';
import type { Facts } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { lengthOf, normalizeSpace, number, textAt } from '../xpath.ts';
import { isSwedish as hasSwedishCheckDigit } from './check-digits.ts';
import { quoteElement } from './checks.ts';
import { at, type Check, type Family, fatal, type RuleScope, warning } from './rule.ts';

const isSwedishAddress = (party: XmlElement | null | undefined): boolean =>
  party
    ?.all('cac:PostalAddress/cac:Country/cbc:IdentificationCode')
    .some(({ value }) => value === 'SE') === true;

const vatNumber = (party: XmlElement): XmlElement | undefined =>
  party
    .all('cac:PartyTaxScheme')
    .filter((one) => one.all('cac:TaxScheme/cbc:ID').some(({ value }) => value === 'VAT'))
    .map((one) => one.first('cbc:CompanyID'))
    .find((one) => one !== undefined);

const isSwedishForVat = (party: XmlElement): boolean =>
  isSwedishAddress(party) && vatNumber(party)?.value.startsWith('SE') === true;

const parties = (facts: Facts, role: string): readonly XmlElement[] =>
  facts.document.named(role).flatMap((one) => one.all('cac:Party'));

const isSellerSwedish = (facts: Facts): boolean =>
  facts.once('se seller', () =>
    parties(facts, 'cac:AccountingSupplierParty').some(isSwedishAddress),
  );

const isBuyerSwedish = (facts: Facts): boolean =>
  facts.once('se buyer', () =>
    parties(facts, 'cac:AccountingCustomerParty').some(isSwedishAddress),
  );

const isSellerSwedishForVat = (facts: Facts): boolean =>
  facts.once('se vat', () => parties(facts, 'cac:AccountingSupplierParty').some(isSwedishForVat));

const paysBy = (means: XmlElement, codes: ReadonlySet<string>): boolean =>
  means.all('cbc:PaymentMeansCode').some(({ value }) => codes.has(value));

/** The account of a payment to plusgirot or bankgirot, from a Swedish seller. */
const giroAccount = (branch: string): RuleScope =>
  at('cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID', (e, facts) => {
    const means = e.parent?.parent;
    const branch_path = 'cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID';
    if (!means) return false;
    return (
      isSellerSwedish(facts) &&
      textAt(means, 'cbc:PaymentMeansCode') === '30' &&
      textAt(means, branch_path) === branch
    );
  });

const isNumeric: Check = (e) => !Number.isNaN(number(e.value));

const seller = 'cac:AccountingSupplierParty/cac:Party';

export const swedishRules: Family = [
  [
    at(seller, isSwedishForVat),
    fatal('SE-R-001', 'Ett svenskt momsnummer (BT-31) ska ha 14 tecken.', (e) => {
      const vat = vatNumber(e);
      return lengthOf(normalizeSpace(vat?.value)) === 14 || quoteElement(vat);
    }),
    fatal('SE-R-002', 'Ett svenskt momsnummer (BT-31) ska ha tolv siffror efter SE.', (e) => {
      const vat = vatNumber(e);
      return !Number.isNaN(number(vat?.value.slice(2, 14))) || quoteElement(vat);
    }),
  ],
  [
    at(
      `${seller}/cac:PartyLegalEntity`,
      (e) => isSwedishAddress(e.parent) && e.has('cbc:CompanyID'),
    ),
    fatal('SE-R-003', 'Ett svenskt organisationsnummer (BT-30) ska bara ha siffror.', (e) => {
      const company = e.valueOf('cbc:CompanyID') ?? '';
      return !Number.isNaN(number(company)) || quote(company);
    }),
    fatal('SE-R-004', 'Ett svenskt organisationsnummer (BT-30) ska ha tio siffror.', (e) => {
      const company = textAt(e, 'cbc:CompanyID');
      return lengthOf(company) === 10 || quote(company);
    }),
    fatal(
      'SE-R-013',
      'Ett svenskt organisationsnummer (BT-30) ska ha rätt kontrollsiffra.',
      (e) => {
        const company = textAt(e, 'cbc:CompanyID');
        return hasSwedishCheckDigit(company) || quote(company);
      },
    ),
  ],
  [
    at(
      `${seller}/cac:PartyTaxScheme/cbc:CompanyID`,
      (e) =>
        isSwedishAddress(e.parent?.parent) &&
        e.parent?.parent?.has('cac:PartyLegalEntity/cbc:CompanyID') === true &&
        normalizeSpace(e.parent.valueOf('cac:TaxScheme/cbc:ID')).toUpperCase() !== 'VAT',
    ),
    fatal('SE-R-005', 'Uppgiften om F-skatt (BT-32) ska lyda ”Godkänd för F-skatt”.', (e) => {
      return normalizeSpace(e.value).toUpperCase() === 'GODKÄND FÖR F-SKATT';
    }),
  ],
  [
    at(
      ['cac:TaxCategory', 'cac:ClassifiedTaxCategory'],
      (e, facts) =>
        isSellerSwedishForVat(facts) && e.all('cbc:ID').some(({ value }) => value === 'S'),
    ),
    fatal('SE-R-006', 'Svensk moms (kategori S) ska vara 25, 12 eller 6 procent.', (e) => {
      const percent = e.valueOf('cbc:Percent');
      return swedishRates.has(number(percent)) || quote(percent ?? '');
    }),
  ],
  [
    giroAccount('SE:PLUSGIRO'),
    warning('SE-R-007', 'Ett plusgironummer (BT-84) ska bara ha siffror.', isNumeric),
    warning('SE-R-010', 'Ett plusgironummer (BT-84) ska ha två till åtta siffror.', (e) => {
      const length = lengthOf(normalizeSpace(e.value));
      return length >= 2 && length <= 8;
    }),
  ],
  [
    giroAccount('SE:BANKGIRO'),
    warning('SE-R-008', 'Ett bankgironummer (BT-84) ska bara ha siffror.', isNumeric),
    warning('SE-R-009', 'Ett bankgironummer (BT-84) ska ha sju eller åtta siffror.', (e) => {
      const length = lengthOf(normalizeSpace(e.value));
      return length === 7 || length === 8;
    }),
  ],
  [
    at(
      'cac:PaymentMeans',
      (e, facts) => isSellerSwedish(facts) && paysBy(e, codeLists['UNCL4461-SE-DISCOURAGED']),
    ),
    warning(
      'SE-R-011',
      'Betalning till bankgiro eller plusgiro ska ha kod 30, inte 50 eller 56.',
      (e) => quoteElement(e.first('cbc:PaymentMeansCode')),
    ),
  ],
  [
    at(
      'cac:PaymentMeans',
      (e, facts) =>
        isSellerSwedish(facts) &&
        isBuyerSwedish(facts) &&
        paysBy(e, codeLists['UNCL4461-SE-DOMESTIC-DISCOURAGED']),
    ),
    warning('SE-R-012', 'Betalning inom Sverige ska ha kod 30, inte 31.', (e) =>
      quoteElement(e.first('cbc:PaymentMeansCode')),
    ),
  ],
];

const swedishRates: ReadonlySet<number> = new Set([...codeLists['SE-VAT-RATES']].map(Number));
