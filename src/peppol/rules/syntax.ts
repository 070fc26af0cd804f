/** EN 16931's binding to UBL: how many of what (UBL-SR-*), and amounts and files (UBL-DT-*). */

import { isCharge } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { lengthAfterPoint } from '../xpath.ts';
import { atMost, nothing, present, withAttribute } from './checks.ts';
import { line, root } from './places.ts';
import { at, type Check, type Family, fatal } from './rule.ts';

const supplier = 'cac:AccountingSupplierParty/cac:Party';
const customer = 'cac:AccountingCustomerParty/cac:Party';

/** How many tax numbers a party has whose scheme is, or is not, VAT. */
const oneTaxNumber =
  (party: string, is_vat: boolean): Check =>
  (e) => {
    const numbers = e
      .all(`${party}/cac:PartyTaxScheme`)
      .filter((one) => {
        const schemes = one.all('cac:TaxScheme').map((scheme) => scheme.valueOf('cbc:ID') ?? '');
        return schemes.some((scheme) => (scheme.toUpperCase() === 'VAT') === is_vat);
      })
      .flatMap((one) => one.all('cbc:CompanyID'));
    return numbers.length <= 1 || `${numbers.length} stycken`;
  };

/** At most one different value among all elements of a name. */
const oneValue =
  (name: string): Check =>
  (_, { document }) => {
    const values = new Set(document.named(name).map(({ value }) => value));
    return values.size <= 1 || `${values.size} olika`;
  };

const isOtherThanSepa = (id: XmlElement): boolean =>
  id.attribute('schemeID')?.toUpperCase() !== 'SEPA';

/** A payee has a name, and one other than the seller's registered name. */
const namedApart: Check = (payee, facts) => {
  const names = payee.all('cac:PartyName/cbc:Name');
  const registered = facts.values(`${supplier}/cac:PartyLegalEntity/cbc:RegistrationName`);
  const is_apart = names.some(({ value }) => registered.size > (registered.has(value) ? 1 : 0));
  return is_apart || (names[0] ? `säljarens namn, ${quote(names[0].value)}` : nothing);
};

/** Both checks must hold. */
const both =
  (first: Check, second: Check): Check =>
  (e, facts) => {
    const verdict = first(e, facts);
    return verdict === true ? second(e, facts) : verdict;
  };

export const syntaxRules: Family = [
  [
    at(['cac:PostalAddress', 'cac:Address']),
    fatal('UBL-SR-51', 'En adress ska ha högst en extra adressrad.', atMost(1, 'cac:AddressLine')),
  ],
  [
    at('cac:AccountingSupplierParty/cac:Party'),
    fatal('UBL-SR-42', 'Säljaren ska ha högst två skattenummer.', atMost(2, 'cac:PartyTaxScheme')),
  ],
  [
    at('cac:AdditionalDocumentReference'),
    fatal(
      'UBL-SR-33',
      'Ett underlag ska ha högst en beskrivning.',
      atMost(1, 'cbc:DocumentDescription'),
    ),
    fatal(
      'UBL-SR-43',
      'Ett underlag med typkod eller schemeID ska vara ett fakturerat objekt (130) eller, i en kreditnota, ett projekt (50).',
      (e, { is_credit_note }) => {
        const codes = new Set(e.all('cbc:DocumentTypeCode').map(({ value }) => value));
        if (codes.has('130') || (is_credit_note && codes.has('50'))) return true;
        const has_scheme = e.all('cbc:ID').some((id) => id.hasAttribute('schemeID'));
        return (codes.size === 0 && !has_scheme) || [...codes].join(', ') || 'bara ett schemeID';
      },
    ),
  ],
  [
    at('*Amount', (e) => isDocumentAmount(e)),
    fatal(
      'UBL-DT-01',
      'Ett belopp ska ha högst två decimaler.',
      (e) => lengthAfterPoint(e.value) <= 2,
    ),
  ],
  [
    at('*BinaryObject'),
    fatal('UBL-DT-06', 'En bifogad fil ska ha mimeCode.', withAttribute('mimeCode')),
    fatal('UBL-DT-07', 'En bifogad fil ska ha filename.', withAttribute('filename')),
  ],
  [
    at('cac:Delivery'),
    fatal(
      'UBL-SR-25',
      'Den som tar emot leveransen ska ha högst ett namn (BT-70).',
      atMost(1, 'cac:DeliveryParty/cac:PartyName/cbc:Name'),
    ),
  ],
  [
    at('cac:AllowanceCharge', (e) => isCharge(e) === false),
    fatal('UBL-SR-30', 'Ett avdrag ska ha högst ett skäl.', atMost(1, 'cbc:AllowanceChargeReason')),
  ],
  [
    at('cac:AllowanceCharge', (e) => isCharge(e) === true),
    fatal(
      'UBL-SR-31',
      'Ett tillägg ska ha högst ett skäl.',
      atMost(1, 'cbc:AllowanceChargeReason'),
    ),
  ],
  [
    at('cac:PartyTaxScheme'),
    fatal(
      'UBL-SR-53',
      'Ett skattenummer ska ha både nummer och skatteslag.',
      (e) => (e.has('cac:TaxScheme/cbc:ID') && e.has('cbc:CompanyID')) || 'inte båda',
    ),
  ],
  [
    root,
    fatal(
      'UBL-SR-01',
      'Fakturan ska ha högst ett avtal (BT-12).',
      atMost(1, 'cac:ContractDocumentReference/cbc:ID'),
    ),
    fatal(
      'UBL-SR-02',
      'Fakturan ska ha högst ett mottagningsbevis (BT-15).',
      atMost(1, 'cac:ReceiptDocumentReference/cbc:ID'),
    ),
    fatal(
      'UBL-SR-03',
      'Fakturan ska ha högst en följesedel (BT-16).',
      atMost(1, 'cac:DespatchDocumentReference/cbc:ID'),
    ),
    fatal('UBL-SR-04', 'Fakturan ska ha högst ett fakturerat objekt (BT-18).', (e) => {
      const ids = e
        .all('cac:AdditionalDocumentReference')
        .filter((one) => one.all('cbc:DocumentTypeCode').some(({ value }) => value === '130'))
        .flatMap((one) => one.all('cbc:ID'));
      return ids.length <= 1 || `${ids.length} stycken`;
    }),
    fatal(
      'UBL-SR-05',
      'Fakturan ska ha högst en text om betalningsvillkor (BT-20).',
      atMost(1, 'cac:PaymentTerms/cbc:Note'),
    ),
    fatal(
      'UBL-SR-08',
      'Fakturan ska ha högst en faktureringsperiod (BG-14).',
      atMost(1, 'cac:InvoicePeriod'),
    ),
    fatal(
      'UBL-SR-09',
      'Säljaren ska ha högst ett registrerat namn (BT-27).',
      atMost(1, `${supplier}/cac:PartyLegalEntity/cbc:RegistrationName`),
    ),
    fatal(
      'UBL-SR-10',
      'Säljaren ska ha högst ett handelsnamn (BT-28).',
      atMost(1, `${supplier}/cac:PartyName/cbc:Name`),
    ),
    fatal(
      'UBL-SR-11',
      'Säljaren ska ha högst ett organisationsnummer (BT-30).',
      atMost(1, `${supplier}/cac:PartyLegalEntity/cbc:CompanyID`),
    ),
    fatal(
      'UBL-SR-12',
      'Säljaren ska ha högst ett momsnummer (BT-31).',
      oneTaxNumber(supplier, true),
    ),
    fatal(
      'UBL-SR-13',
      'Säljaren ska ha högst ett annat skattenummer (BT-32).',
      oneTaxNumber(supplier, false),
    ),
    fatal(
      'UBL-SR-14',
      'Säljaren ska ha högst en text om sin bolagsform (BT-33).',
      atMost(1, `${supplier}/cac:PartyLegalEntity/cbc:CompanyLegalForm`),
    ),
    fatal(
      'UBL-SR-15',
      'Köparen ska ha högst ett registrerat namn (BT-44).',
      atMost(1, `${customer}/cac:PartyLegalEntity/cbc:RegistrationName`),
    ),
    fatal(
      'UBL-SR-16',
      'Köparen ska ha högst ett id (BT-46).',
      atMost(1, `${customer}/cac:PartyIdentification/cbc:ID`),
    ),
    fatal(
      'UBL-SR-17',
      'Köparen ska ha högst ett organisationsnummer (BT-47).',
      atMost(1, `${customer}/cac:PartyLegalEntity/cbc:CompanyID`),
    ),
    fatal(
      'UBL-SR-18',
      'Köparen ska ha högst ett momsnummer (BT-48).',
      oneTaxNumber(customer, true),
    ),
    fatal('UBL-SR-24', 'Fakturan ska ha högst en leverans (BG-13).', atMost(1, 'cac:Delivery')),
    fatal(
      'UBL-SR-29',
      'Fakturan ska ha högst ett id som borgenär i SEPA (BT-90).',
      (_, { document }) => {
        const ids = document
          .named('cbc:ID')
          .filter(
            (id) =>
              id.parent?.name === 'cac:PartyIdentification' &&
              id.attribute('schemeID')?.toUpperCase() === 'SEPA',
          );
        return ids.length <= 1 || `${ids.length} stycken`;
      },
    ),
    fatal(
      'UBL-SR-39',
      'Fakturan ska ha högst ett projekt (BT-11).',
      atMost(1, 'cac:ProjectReference/cbc:ID'),
    ),
    fatal(
      'UBL-SR-40',
      'Köparen ska ha högst ett handelsnamn (BT-45).',
      atMost(1, `${customer}/cac:PartyName/cbc:Name`),
    ),
    fatal(
      'UBL-SR-44',
      'Alla betalningssätt ska ha samma betalningsreferens (BT-83).',
      oneValue('cbc:PaymentID'),
    ),
    fatal(
      'UBL-SR-45',
      'Fakturan ska ha högst en förfallodag (BT-9).',
      atMost(1, 'cac:PaymentMeans/cbc:PaymentDueDate'),
    ),
    fatal('UBL-SR-46', 'Fakturan ska ha högst ett namn på betalningssättet (BT-82).', (e) => {
      const codes = e.all('cac:PaymentMeans/cbc:PaymentMeansCode');
      const named = codes.filter((code) => code.hasAttribute('name'));
      return named.length <= 1 || `${named.length} stycken`;
    }),
    fatal(
      'UBL-SR-47',
      'Alla betalningssätt ska ha samma kod (BT-81).',
      oneValue('cbc:PaymentMeansCode'),
    ),
    fatal(
      'UBL-SR-49',
      'Fakturan ska ha högst en kod för momsdatum (BT-8).',
      atMost(1, 'cac:InvoicePeriod/cbc:DescriptionCode'),
    ),
    fatal(
      'UBL-SR-54',
      'Fakturan ska ha högst ett betalkort (BG-18).',
      atMost(1, 'cac:PaymentMeans/cac:CardAccount'),
    ),
    fatal(
      'UBL-SR-55',
      'Fakturan ska ha högst ett autogiromedgivande (BG-19).',
      atMost(1, 'cac:PaymentMeans/cac:PaymentMandate'),
    ),
    fatal(
      'UBL-SR-56',
      'Fakturan ska ha högst en upphandling (BT-17).',
      atMost(1, 'cac:OriginatorDocumentReference/cbc:ID'),
    ),
  ],
  [
    line,
    fatal('UBL-SR-34', 'En rad ska ha högst en anmärkning (BT-127).', atMost(1, 'cbc:Note')),
    fatal(
      'UBL-SR-35',
      'En rad ska ha högst en orderrad (BT-132).',
      atMost(1, 'cac:OrderLineReference/cbc:LineID'),
    ),
    fatal('UBL-SR-36', 'En rad ska ha högst en period (BG-26).', atMost(1, 'cac:InvoicePeriod')),
    fatal(
      'UBL-SR-37',
      'Ett pris ska ha högst ett avdrag (BT-147).',
      atMost(1, 'cac:Price/cac:AllowanceCharge/cbc:Amount'),
    ),
    fatal('UBL-SR-48', 'En rad ska ha en och bara en momskategori (BG-30).', (e) => {
      const { length } = e.all('cac:Item/cac:ClassifiedTaxCategory');
      return length === 1 || `${length} stycken`;
    }),
    fatal(
      'UBL-SR-50',
      'En artikel ska ha högst en beskrivning (BT-154).',
      atMost(1, 'cac:Item/cbc:Description'),
    ),
    fatal(
      'UBL-SR-52',
      'En rad ska ha högst ett fakturerat objekt (BT-128).',
      atMost(1, 'cac:DocumentReference'),
    ),
  ],
  [
    at('cac:PayeeParty'),
    fatal(
      'UBL-SR-19',
      'Betalningsmottagaren ska ha ett namn (BT-59), och inte säljarens.',
      both(atMost(1, 'cac:PartyName/cbc:Name'), namedApart),
    ),
    fatal(
      'UBL-SR-20',
      'Betalningsmottagaren ska ha högst ett id (BT-60) och inte heta som säljaren.',
      both((e) => {
        const ids = e.all('cac:PartyIdentification/cbc:ID').filter(isOtherThanSepa);
        return ids.length <= 1 || `${ids.length} stycken`;
      }, namedApart),
    ),
    fatal(
      'UBL-SR-21',
      'Betalningsmottagaren ska ha högst ett organisationsnummer (BT-61) och inte heta som säljaren.',
      both(atMost(1, 'cac:PartyLegalEntity/cbc:CompanyID'), namedApart),
    ),
  ],
  [
    at('cac:PaymentMeans'),
    fatal(
      'UBL-SR-26',
      'Ett betalningssätt ska ha högst en betalningsreferens (BT-83).',
      atMost(1, 'cbc:PaymentID'),
    ),
    fatal(
      'UBL-SR-27',
      'Ett betalningssätt ska ha högst en kod (BT-81).',
      atMost(1, 'cbc:PaymentMeansCode'),
    ),
    fatal(
      'UBL-SR-28',
      'Ett betalningssätt ska ha högst ett medgivande (BT-89).',
      atMost(1, 'cac:PaymentMandate/cbc:ID'),
    ),
  ],
  [
    at('cac:BillingReference'),
    fatal(
      'UBL-SR-06',
      'En hänvisning till en tidigare faktura (BG-3) ska gälla högst en.',
      atMost(1, 'cac:InvoiceDocumentReference'),
    ),
    fatal(
      'UBL-SR-07',
      'En hänvisning till en tidigare faktura (BG-3) ska ha dess nummer (BT-25).',
      present('cac:InvoiceDocumentReference/cbc:ID'),
    ),
  ],
  [
    at('cac:TaxRepresentativeParty'),
    fatal(
      'UBL-SR-22',
      'Skatteombudet ska ha högst ett namn (BT-62).',
      atMost(1, 'cac:PartyName/cbc:Name'),
    ),
    fatal(
      'UBL-SR-23',
      'Skatteombudet ska ha högst ett momsnummer (BT-63).',
      atMost(1, 'cac:PartyTaxScheme/cbc:CompanyID'),
    ),
  ],
  [
    at('cac:TaxSubtotal'),
    fatal(
      'UBL-SR-32',
      'En rad i momsspecifikationen ska ha högst ett skäl för undantag (BT-120).',
      atMost(1, 'cac:TaxCategory/cbc:TaxExemptionReason'),
    ),
  ],
];

/** All amounts but prices, and what is deducted from a gross price. */
function isDocumentAmount(element: XmlElement): boolean {
  if (element.name.endsWith('PriceAmount')) return false;
  for (let e: XmlElement | null = element.parent; e; e = e.parent) {
    if (e.name === 'cac:AllowanceCharge' && e.parent?.name === 'cac:Price') return false;
  }
  return true;
}
