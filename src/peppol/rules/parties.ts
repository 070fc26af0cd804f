/** EN 16931: seller, buyer, payee, tax representative and where goods go. */
import { codeLists } from '../data/code-lists.ts';
import { hasVatScheme } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { filled, nothing, present, withAttribute } from './checks.ts';
import { root } from './places.ts';
import { at, type Family, fatal } from './rule.ts';

const hasVatNumber = (element: XmlElement, path: string): boolean =>
  element.all(path).some((scheme) => hasVatScheme(scheme) && scheme.has('cbc:CompanyID'));

/** Whether any value at one path equals any at the other. */
function shareValue(a: readonly XmlElement[], b: ReadonlySet<string>): boolean {
  return a.some(({ value }) => b.has(value));
}

export const partyRules: Family = [
  [
    at('cac:AccountingCustomerParty/cac:Party/cbc:EndpointID'),
    fatal(
      'BR-63',
      'Köparens elektroniska adress (BT-49) ska ha ett schemeID.',
      withAttribute('schemeID'),
    ),
  ],
  [
    at('cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
    fatal(
      'BR-11',
      'Köparens adress (BG-8) ska ha en landskod (BT-55).',
      filled('cac:Country/cbc:IdentificationCode'),
    ),
  ],
  [
    at('cac:Delivery/cac:DeliveryLocation/cac:Address'),
    fatal(
      'BR-57',
      'Leveransadressen (BG-15) ska ha en landskod (BT-80).',
      present('cac:Country/cbc:IdentificationCode'),
    ),
  ],
  [
    root,
    fatal(
      'BR-06',
      'Säljarens namn (BT-27) ska anges.',
      filled('cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName'),
    ),
    fatal(
      'BR-07',
      'Köparens namn (BT-44) ska anges.',
      filled('cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName'),
    ),
    fatal(
      'BR-08',
      'Säljarens adress (BG-5) ska anges.',
      present('cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
    ),
    fatal(
      'BR-10',
      'Köparens adress (BG-8) ska anges.',
      present('cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
    ),
  ],
  [
    at('cac:PayeeParty'),
    fatal(
      'BR-17',
      'Betalningsmottagaren (BG-10) ska ha ett namn (BT-59) och inte vara säljaren.',
      (e, facts) => {
        const names = e.all('cac:PartyName/cbc:Name');
        if (names.length === 0) return nothing;
        const seller = 'cac:AccountingSupplierParty/cac:Party';
        const ids = e.all('cac:PartyIdentification/cbc:ID');
        const is_seller =
          shareValue(names, facts.values(`${seller}/cac:PartyName/cbc:Name`)) ||
          shareValue(ids, facts.values(`${seller}/cac:PartyIdentification/cbc:ID`));
        return !is_seller || `säljaren själv, ${quote(names[0]?.value ?? '')}`;
      },
    ),
  ],
  [
    at('cac:AccountingSupplierParty'),
    fatal(
      'BR-CO-26',
      'Säljaren ska ha ett id (BT-29), organisationsnummer (BT-30) eller momsnummer (BT-31).',
      (e) =>
        hasVatNumber(e, 'cac:Party/cac:PartyTaxScheme') ||
        e.has('cac:Party/cac:PartyLegalEntity/cbc:CompanyID') ||
        e
          .all('cac:Party/cac:PartyIdentification/cbc:ID')
          .some((id) => id.attribute('schemeID') !== 'SEPA') ||
        nothing,
    ),
  ],
  [
    at('cac:AccountingSupplierParty/cac:Party/cbc:EndpointID'),
    fatal(
      'BR-62',
      'Säljarens elektroniska adress (BT-34) ska ha ett schemeID.',
      withAttribute('schemeID'),
    ),
  ],
  [
    at('cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
    fatal(
      'BR-09',
      'Säljarens adress (BG-5) ska ha en landskod (BT-40).',
      filled('cac:Country/cbc:IdentificationCode'),
    ),
  ],
  [
    at('cac:TaxRepresentativeParty'),
    fatal(
      'BR-18',
      'Skatteombudet (BG-11) ska ha ett namn (BT-62).',
      filled('cac:PartyName/cbc:Name'),
    ),
    fatal('BR-19', 'Skatteombudet (BG-11) ska ha en adress (BG-12).', present('cac:PostalAddress')),
    fatal(
      'BR-56',
      'Skatteombudet (BG-11) ska ha ett momsnummer (BT-63).',
      (e) => hasVatNumber(e, 'cac:PartyTaxScheme') || nothing,
    ),
  ],
  [
    at('cac:TaxRepresentativeParty/cac:PostalAddress'),
    fatal(
      'BR-20',
      'Skatteombudets adress (BG-12) ska ha en landskod (BT-69).',
      filled('cac:Country/cbc:IdentificationCode'),
    ),
  ],
  [
    at('cac:PartyTaxScheme', hasVatScheme),
    fatal('BR-CO-09', 'Ett momsnummer ska börja med en landskod (för Grekland EL).', (e) => {
      const number = e.valueOf('cbc:CompanyID') ?? '';
      return vatPrefixes.includes([...number].slice(0, 2).join('')) || quote(number);
    }),
  ],
];

// The official test looks for the two characters anywhere in the list as one string.
const vatPrefixes = ` ${[...codeLists['ISO3166-VAT-PREFIX']].join(' ')} `;
