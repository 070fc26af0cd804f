/** Peppol: registration numbers by scheme (PEPPOL-COMMON-R*). */
import type { XmlElement } from '../xml/tree.ts';
import { lengthOf, normalizeSpace, textAt } from '../xpath.ts';
import {
  isAustralian,
  isBelgian,
  isGln,
  isItalianOffice,
  isItalianTaxCode,
  isItalianVat,
  isMod11,
  isSwedish,
} from './check-digits.ts';
import { at, type Family, fatal, type Placed, type Rule, warning } from './rule.ts';

type MakeRule = (id: string, expected: string, check: (element: XmlElement) => boolean) => Rule;

const everyPlace = ['cbc:EndpointID', 'cac:PartyIdentification/cbc:ID', 'cbc:CompanyID'];

/** A rule for numbers of one scheme; the text is judged without blanks at its ends. */
function scheme(
  code: string,
  make: MakeRule,
  id: string,
  expected: string,
  isValid: (number: string) => boolean,
  paths: readonly string[] = everyPlace,
): Placed {
  return [
    at(paths, (e) => e.attribute('schemeID') === code),
    make(id, expected, (e) => isValid(normalizeSpace(e.value))),
  ];
}

/** As above, but judged exactly as written. */
function schemeAsWritten(
  code: string,
  id: string,
  expected: string,
  isValid: (number: string) => boolean,
): Placed {
  return [
    at(everyPlace, (e) => e.attribute('schemeID') === code),
    fatal(id, expected, (e) => isValid(e.value)),
  ];
}

const matching =
  (pattern: RegExp) =>
  (number: string): boolean =>
    pattern.test(number);

const dutchVat = matching(/^NL[0-9]{9}B[0-9]{2}$/);

export const identifierRules: Family = [
  scheme('0088', fatal, 'PEPPOL-COMMON-R040', 'Ett GLN (0088) ska ha rätt kontrollsiffra.', isGln),
  scheme(
    '0192',
    fatal,
    'PEPPOL-COMMON-R041',
    'Ett norskt organisationsnummer (0192) ska ha nio siffror och rätt kontrollsiffra.',
    (number) => /^[0-9]{9}$/.test(number) && isMod11(number),
  ),
  schemeAsWritten(
    '0184',
    'PEPPOL-COMMON-R042',
    'Ett danskt CVR-nummer (0184) ska ha åtta siffror, med eller utan DK före.',
    matching(/^(?:DK)?[0-9]{8}$/),
  ),
  schemeAsWritten(
    '0096',
    'PEPPOL-COMMON-R052',
    'Ett danskt P-nummer (0096) ska ha tio siffror.',
    matching(/^[0-9]{10}$/),
  ),
  schemeAsWritten(
    '0198',
    'PEPPOL-COMMON-R053',
    'Ett danskt SE-nummer (0198) ska vara DK och åtta siffror.',
    matching(/^DK[0-9]{8}$/),
  ),
  scheme(
    '0208',
    fatal,
    'PEPPOL-COMMON-R043',
    'Ett belgiskt företagsnummer (0208) ska ha tio siffror och rätt kontrollsiffror.',
    isBelgian,
  ),
  scheme(
    '0201',
    warning,
    'PEPPOL-COMMON-R044',
    'En italiensk IPA-kod (0201) ska ha sex bokstäver eller siffror.',
    isItalianOffice,
  ),
  scheme(
    '0210',
    warning,
    'PEPPOL-COMMON-R045',
    'Ett italienskt codice fiscale (0210) ska ha rätt form.',
    isItalianTaxCode,
  ),
  scheme(
    '9907',
    warning,
    'PEPPOL-COMMON-R046',
    'Ett italienskt codice fiscale (9907) ska ha rätt form.',
    isItalianTaxCode,
    ['cbc:EndpointID'],
  ),
  scheme(
    '0211',
    warning,
    'PEPPOL-COMMON-R047',
    'Ett italienskt momsnummer (0211) ska ha elva siffror och rätt kontrollsiffra.',
    isItalianVat,
  ),
  scheme(
    '0007',
    fatal,
    'PEPPOL-COMMON-R049',
    'Ett svenskt organisationsnummer (0007) ska ha tio siffror utan bindestreck och rätt kontrollsiffra.',
    (number) => lengthOf(number) === 10 && isSwedish(number),
  ),
  scheme(
    '0151',
    fatal,
    'PEPPOL-COMMON-R050',
    'Ett australiskt företagsnummer (0151) ska ha elva siffror och rätt kontrollsiffror.',
    isAustralian,
  ),
  scheme(
    '0106',
    warning,
    'PEPPOL-COMMON-R054',
    'Ett nederländskt KVK-nummer (0106) ska ha åtta siffror.',
    matching(/^[0-9]{8}$/),
  ),
  scheme(
    '0190',
    warning,
    'PEPPOL-COMMON-R055',
    'Ett nederländskt OIN (0190) ska ha tjugo siffror.',
    matching(/^[0-9]{20}$/),
  ),
  scheme(
    '9944',
    warning,
    'PEPPOL-COMMON-R056-1',
    'Ett nederländskt momsnummer (9944) ska se ut som NL123456789B12.',
    dutchVat,
  ),
  [
    at(
      'cac:PartyTaxScheme/cbc:CompanyID',
      (e) =>
        e.parent?.children.some(
          (one) => one.name === 'cac:TaxScheme' && textAt(one, 'cbc:ID') === 'VAT',
        ) === true && normalizeSpace(e.value).startsWith('NL'),
    ),
    warning(
      'PEPPOL-COMMON-R056-2',
      'Ett nederländskt momsnummer ska se ut som NL123456789B12.',
      (e) => dutchVat(normalizeSpace(e.value)),
    ),
  ],
  scheme(
    '0217',
    warning,
    'PEPPOL-COMMON-R057',
    'Ett nederländskt vestigingsnummer (0217) ska ha tolv siffror.',
    matching(/^[0-9]{12}$/),
  ),
];
