/** Peppol BIS Billing 3: code lists, dates, and exemption reasons (-CL*, -F*, -P*). */
import { categoryOfReason, codeLists } from '../data/code-lists.ts';
import { quote } from '../finding.ts';
import { isDate, lengthOf, normalizeSpace, textAt } from '../xpath.ts';
import { codeIn } from './checks.ts';
import { processOf } from './peppol.ts';
import { amounts } from './places.ts';
import { at, type Check, type Family, fatal, type Placed, type RuleScope } from './rule.ts';

/** An attribute is exactly one of the codes: here blanks around it do matter. */
const exactly =
  (name: string, codes: ReadonlySet<string>): Check =>
  (element) => {
    const value = element.attribute(name) ?? '';
    return codes.has(value) || quote(value);
  };

const reasonWhere =
  (indicator: string): NonNullable<RuleScope['when']> =>
  (e) =>
    e.parent?.all('cbc:ChargeIndicator').some(({ value }) => value === indicator) === true;

/** The type code is one of those that the process takes; self-billing has its own. */
const typeIn =
  (codes: ReadonlySet<string>, self_billing_codes: ReadonlySet<string>): Check =>
  (e, facts) => {
    const process = processOf(facts);
    const code = normalizeSpace(e.value);
    if (facts.is_self_billing) return process !== '01' || self_billing_codes.has(code);
    return process === 'unknown' || codes.has(code);
  };

/** An exemption reason demands its VAT category. */
function reasonDemands(id: string, reason: string): Placed {
  const category = categoryOfReason[reason] ?? '';
  return [
    at('cac:TaxCategory', (e) =>
      e.all('cbc:TaxExemptionReasonCode').some(({ value }) => value.toUpperCase() === reason),
    ),
    fatal(id, `Skälet ${reason} får bara anges för momskategori ${category}.`, (e) => {
      const code = textAt(e, 'cbc:ID');
      return code === category || quote(code);
    }),
  ];
}

const dates = [
  'IssueDate',
  'DueDate',
  'TaxPointDate',
  'StartDate',
  'EndDate',
  'ActualDeliveryDate',
];

export const peppolCodeRules: Family = [
  [
    at('cbc:EmbeddedDocumentBinaryObject', (e) => e.hasAttribute('mimeCode')),
    fatal(
      'PEPPOL-EN16931-CL001',
      'En bifogad fil ska vara PDF, PNG, JPEG, CSV, XLSX eller ODS.',
      exactly('mimeCode', codeLists.MIME),
    ),
  ],
  [
    at('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode', reasonWhere('false')),
    fatal(
      'PEPPOL-EN16931-CL002',
      'Ett avdrags skälkod ska finnas i UNCL5189.',
      codeIn(codeLists.UNCL5189),
    ),
  ],
  [
    at('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode', reasonWhere('true')),
    fatal(
      'PEPPOL-EN16931-CL003',
      'Ett tilläggs skälkod ska finnas i UNCL7161.',
      codeIn(codeLists.UNCL7161),
    ),
  ],
  [
    at('cac:InvoicePeriod/cbc:DescriptionCode'),
    fatal(
      'PEPPOL-EN16931-CL006',
      'Koden för momsdatum (BT-8) ska finnas i UNCL2005.',
      codeIn(codeLists.UNCL2005),
    ),
  ],
  [
    amounts,
    fatal(
      'PEPPOL-EN16931-CL007',
      'Ett belopps valuta ska finnas i ISO 4217.',
      exactly('currencyID', codeLists['ISO4217-PEPPOL']),
    ),
  ],
  [
    at('cbc:InvoiceTypeCode'),
    fatal(
      'PEPPOL-EN16931-P0100',
      'Fakturans typkod (BT-3) ska vara en som Peppol tar emot.',
      typeIn(codeLists['UNCL1001-invoice-PEPPOL'], new Set(['389', '527'])),
    ),
    fatal(
      'PEPPOL-EN16931-P0112',
      'Typkod 326 och 384 får bara användas mellan tyska parter.',
      (e, facts) =>
        !codeLists['UNCL1001-DE-ONLY'].has(normalizeSpace(e.value)) ||
        facts.is_german ||
        facts.is_self_billing,
    ),
  ],
  [
    at('cbc:CreditNoteTypeCode'),
    fatal(
      'PEPPOL-EN16931-P0101',
      'Kreditnotans typkod (BT-3) ska vara en som Peppol tar emot.',
      typeIn(codeLists['UNCL1001-creditnote-PEPPOL'], new Set(['261'])),
    ),
  ],
  [
    at(dates.map((name) => `cbc:${name}`)),
    fatal(
      'PEPPOL-EN16931-F001',
      'Ett datum ska skrivas ÅÅÅÅ-MM-DD.',
      (e) => lengthOf(e.value) === 10 && isDate(e.value),
    ),
  ],
  [
    at('cbc:EndpointID', (e) => e.hasAttribute('schemeID')),
    fatal(
      'PEPPOL-EN16931-CL008',
      'Den elektroniska adressens schemeID ska finnas i Peppols lista (EAS).',
      exactly('schemeID', codeLists['EAS-PEPPOL']),
    ),
  ],
  reasonDemands('PEPPOL-EN16931-P0104', 'VATEX-EU-G'),
  reasonDemands('PEPPOL-EN16931-P0105', 'VATEX-EU-O'),
  reasonDemands('PEPPOL-EN16931-P0106', 'VATEX-EU-IC'),
  reasonDemands('PEPPOL-EN16931-P0107', 'VATEX-EU-AE'),
  reasonDemands('PEPPOL-EN16931-P0108', 'VATEX-EU-D'),
  reasonDemands('PEPPOL-EN16931-P0109', 'VATEX-EU-F'),
  reasonDemands('PEPPOL-EN16931-P0110', 'VATEX-EU-I'),
  reasonDemands('PEPPOL-EN16931-P0111', 'VATEX-EU-J'),
];
