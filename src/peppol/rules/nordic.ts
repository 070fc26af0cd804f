/** Peppol: Norway's, Denmark's and Iceland's rules (NO-R-*, DK-R-*, IS-R-*). */
import { codeLists } from '../data/code-lists.ts';
import type { Facts } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { isDate, lengthOf, normalizeSpace, number, textAt } from '../xpath.ts';
import { isMod11 } from './check-digits.ts';
import { nothing, quoteElement } from './checks.ts';
import { at, type Check, type Family, fatal, type RuleScope, warning } from './rule.ts';

const supplier = 'cac:AccountingSupplierParty/cac:Party';
const customer = 'cac:AccountingCustomerParty/cac:Party';

/** The tax numbers of a party with a scheme. */
const taxNumbers = (party: XmlElement, scheme: string): readonly string[] =>
  party
    .all('cac:PartyTaxScheme')
    .filter((one) => textAt(one, 'cac:TaxScheme/cbc:ID') === scheme)
    .map((one) => one.valueOf('cbc:CompanyID') ?? '');

export const norwegianRules: Family = [
  [
    at(supplier, (_, facts) => facts.supplier_country === 'NO'),
    warning('NO-R-002', 'En norsk säljare ska i regel ange ”Foretaksregisteret” (BT-32).', (e) => {
      const [register = ''] = taxNumbers(e, 'TAX');
      return normalizeSpace(register) === 'Foretaksregisteret' || quote(register);
    }),
    fatal('NO-R-001', 'Ett norskt momsnummer ska vara NO, nio siffror och MVA.', (e) => {
      const vat = taxNumbers(e, 'VAT').find((one) => one.startsWith('NO'));
      if (vat === undefined) return true;
      return (/^NO[0-9]{9}MVA$/.test(vat) && isMod11(vat.slice(2, 11))) || quote(vat);
    }),
  ],
];

const isDanish = (facts: Facts): boolean => facts.supplier_country_as_written === 'DK';
const isWithinDenmark = (facts: Facts): boolean =>
  isDanish(facts) && facts.customer_country_as_written === 'DK';
const withinDenmark: NonNullable<RuleScope['when']> = (_, facts) => isWithinDenmark(facts);

const withCvrScheme =
  (path: string): Check =>
  (e) => {
    const company = e.first(path);
    const scheme = normalizeSpace(company?.attribute('schemeID'));
    return !company || codeLists['ICD-DK-LEGAL'].has(scheme) || quote(scheme);
  };

const hasCode = (means: XmlElement, ...codes: readonly string[]): boolean =>
  means.all('cbc:PaymentMeansCode').some(({ value }) => codes.includes(value));

/** A rule for Danish payment means with certain codes. */
const whenPaidBy =
  (codes: readonly string[], check: (means: XmlElement, payment_id: string) => boolean): Check =>
  (e) => {
    const payment_id = e.valueOf('cbc:PaymentID') ?? '';
    return !hasCode(e, ...codes) || check(e, payment_id) || quote(payment_id);
  };

const startsWithAny = (text: string, ...starts: readonly string[]): boolean =>
  starts.some((start) => text.startsWith(start));

const isFilled = (e: XmlElement, path: string): boolean => textAt(e, path) !== '';

const danishReason: Check = (e) => {
  if (!e.all('cbc:AllowanceChargeReasonCode').some(({ value }) => value === 'ZZZ')) return true;
  const reason = e.valueOf('cbc:AllowanceChargeReason') ?? '';
  const value = number(reason);
  if (lengthOf(normalizeSpace(reason)) === 4 && value >= 0 && value <= 9999) return true;
  const is_pair = reason.includes('#') && !reason.startsWith('#') && !reason.endsWith('#');
  return is_pair || quote(reason);
};

export const danishRules: Family = [
  [
    at('/*', (_, facts) => isDanish(facts)),
    fatal(
      'DK-R-002',
      'En dansk säljare ska ange sitt CVR-nummer (BT-30).',
      (e) => isFilled(e, `${supplier}/cac:PartyLegalEntity/cbc:CompanyID`) || nothing,
    ),
    fatal(
      'DK-R-014',
      'En dansk säljares organisationsnummer (BT-30) ska ha schemeID 0184.',
      withCvrScheme(`${supplier}/cac:PartyLegalEntity/cbc:CompanyID`),
    ),
    fatal(
      'DK-R-016',
      'En kreditnota inom Danmark ska inte ha ett negativt belopp (BT-115).',
      (e, facts) => {
        if (!facts.is_credit_note || !isWithinDenmark(facts)) return true;
        const payable = e.valueOf('cac:LegalMonetaryTotal/cbc:PayableAmount');
        return !(number(payable) < 0) || quote(payable ?? '');
      },
    ),
  ],
  [
    at(
      [`/*/${supplier}/cac:PartyIdentification`, `/*/${customer}/cac:PartyIdentification`],
      withinDenmark,
    ),
    fatal('DK-R-013', 'Ett parts-id ska inom Danmark ha ett schemeID.', (e) => {
      const id = e.first('cbc:ID');
      return !id || normalizeSpace(id.attribute('schemeID')) !== '' || nothing;
    }),
  ],
  [
    at('/Invoice/cac:PaymentMeans', withinDenmark),
    fatal('DK-R-005', 'Betalningssättet (BT-81) ska vara ett som används i Danmark.', (e) => {
      const code = e.valueOf('cbc:PaymentMeansCode') ?? '';
      return codeLists['UNCL4461-DK'].has(code) || quote(code);
    }),
    fatal(
      'DK-R-006',
      'Betalning med kod 31 eller 42 ska inom Danmark ha konto och registreringsnummer.',
      whenPaidBy(
        ['31', '42'],
        (e) =>
          isFilled(e, 'cac:PayeeFinancialAccount/cbc:ID') &&
          isFilled(e, 'cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID'),
      ),
    ),
    fatal(
      'DK-R-007',
      'Betalning med kod 49 ska inom Danmark ha medgivande och konto.',
      whenPaidBy(
        ['49'],
        (e) =>
          isFilled(e, 'cac:PaymentMandate/cbc:ID') &&
          isFilled(e, 'cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID'),
      ),
    ),
    fatal(
      'DK-R-008',
      'Betalning med kod 50 ska inom Danmark ha en referens 01#, 04# eller 15# och ett girokonto.',
      whenPaidBy(
        ['50'],
        (e, id) =>
          startsWithAny(id, '01#', '04#', '15#') &&
          /^[0-9]{7,8}$/.test(e.valueOf('cac:PayeeFinancialAccount/cbc:ID') ?? ''),
      ),
    ),
    fatal(
      'DK-R-009',
      'En dansk referens 04# eller 15# ska ha 16 tecken efter #.',
      whenPaidBy(['50'], (_, id) => !startsWithAny(id, '04#', '15#') || lengthOf(id) === 19),
    ),
    fatal(
      'DK-R-010',
      'Betalning med kod 93 ska inom Danmark ha en referens 71#, 73# eller 75# och ett konto med åtta tecken.',
      whenPaidBy(
        ['93'],
        (e, id) =>
          startsWithAny(id, '71#', '73#', '75#') &&
          lengthOf(e.valueOf('cac:PayeeFinancialAccount/cbc:ID') ?? '') === 8,
      ),
    ),
    fatal(
      'DK-R-011',
      'En dansk referens 71# eller 75# ska ha 15 eller 16 tecken efter #.',
      whenPaidBy(['93'], (_, id) => {
        return !startsWithAny(id, '71#', '75#') || lengthOf(id) === 18 || lengthOf(id) === 19;
      }),
    ),
  ],
  [
    at(`/*/${customer}`, withinDenmark),
    fatal(
      'DK-R-017',
      'En dansk köpares organisationsnummer (BT-47) ska ha schemeID 0184.',
      withCvrScheme('cac:PartyLegalEntity/cbc:CompanyID'),
    ),
  ],
  [
    at(['/Invoice/cac:InvoiceLine', '/CreditNote/cac:CreditNoteLine'], withinDenmark),
    fatal('DK-R-003', 'En UNSPSC-kod (TST) ska inom Danmark ange en känd version.', (e) => {
      const codes = e.all('cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode');
      if (!codes.some((code) => code.attribute('listID') === 'TST')) return true;
      const versions = codes.map((code) => code.attribute('listVersionID') ?? '');
      const known = codeLists['DK-UNSPSC-VERSION'];
      return versions.some((version) => known.has(version)) || quote(versions.join(' '));
    }),
  ],
  [
    at('cac:AllowanceCharge', withinDenmark),
    fatal(
      'DK-R-004',
      'Skäl ZZZ ska inom Danmark förklaras med fyra siffror eller som kod#text.',
      danishReason,
    ),
  ],
];

const isIcelandic = (facts: Facts): boolean => facts.supplier_country_as_written === 'IS';

const kennitala =
  (path: string): Check =>
  (e) => {
    const companies = e.all(`${path}/cac:PartyLegalEntity/cbc:CompanyID`);
    const is_legal = companies.some((one) =>
      codeLists['ICD-IS-LEGAL'].has(one.attribute('schemeID') ?? ''),
    );
    return is_legal || quoteElement(companies[0]);
  };

const streetAndZone =
  (path: string): Check =>
  (e) =>
    (e.has(`${path}/cac:PostalAddress/cbc:StreetName`) &&
      e.has(`${path}/cac:PostalAddress/cbc:PostalZone`)) ||
    'inte båda';

/** Payment means with a code name an account of twelve characters. */
const icelandicAccount =
  (code: string): Check =>
  (e) => {
    const means = e.all('cac:PaymentMeans').filter((one) => hasCode(one, code));
    if (means.length === 0) return true;
    const [account] = means.flatMap((one) => one.all('cac:PayeeFinancialAccount/cbc:ID'));
    return lengthOf(normalizeSpace(account?.value)) === 12 || quoteElement(account);
  };

/** The final due date, which Iceland writes as the id of a document described as EINDAGI. */
const finalDates = (e: XmlElement): readonly XmlElement[] =>
  e
    .all('cac:AdditionalDocumentReference')
    .filter((one) => one.all('cbc:DocumentDescription').some(({ value }) => value === 'EINDAGI'));

export const icelandicRules: Family = [
  [
    at('/*', (_, facts) => isIcelandic(facts)),
    warning('IS-R-001', 'En isländsk faktura bör ha typkod 380 eller 381.', (e) => {
      const codes = ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'].map((path) =>
        textAt(e, path),
      );
      return codes.some((code) => codeLists['UNCL1001-IS'].has(code)) || quote(codes.join(' '));
    }),
    fatal(
      'IS-R-002',
      'En isländsk säljare ska ange kennitala (schemeID 0196).',
      kennitala(supplier),
    ),
    fatal(
      'IS-R-003',
      'En isländsk säljares adress ska ha gata och postnummer.',
      streetAndZone(supplier),
    ),
    fatal(
      'IS-R-006',
      'Betalning med kod 9 ska på Island ha ett konto med tolv tecken.',
      icelandicAccount('9'),
    ),
    fatal(
      'IS-R-007',
      'Betalning med kod 42 ska på Island ha ett konto med tolv tecken.',
      icelandicAccount('42'),
    ),
    fatal('IS-R-008', 'EINDAGI ska vara ett datum (ÅÅÅÅ-MM-DD).', (e) => {
      const [final_date] = finalDates(e);
      if (!final_date) return true;
      const text = final_date.valueOf('cbc:ID') ?? '';
      return (lengthOf(text) === 10 && isDate(text)) || quote(text);
    }),
    fatal(
      'IS-R-009',
      'Med EINDAGI ska förfallodagen (BT-9) anges.',
      (e) => finalDates(e).length === 0 || e.has('cbc:DueDate') || nothing,
    ),
    fatal('IS-R-010', 'EINDAGI ska inte vara före förfallodagen (BT-9).', (e) => {
      const final_dates = finalDates(e);
      if (final_dates.length === 0) return true;
      const ids = final_dates.flatMap((one) => one.all('cbc:ID'));
      const due_dates = e.all('cbc:DueDate');
      // The official test compares the texts; dates written alike sort alike.
      return (
        due_dates.some((due) => ids.some((id) => due.value <= id.value)) || quoteElement(ids[0])
      );
    }),
  ],
  [
    at(
      '/*/cac:AccountingCustomerParty',
      (_, facts) => isIcelandic(facts) && facts.customer_country_as_written === 'IS',
    ),
    fatal(
      'IS-R-004',
      'En isländsk köpare ska ha kennitala (schemeID 0196).',
      kennitala('cac:Party'),
    ),
    fatal(
      'IS-R-005',
      'En isländsk köpares adress ska ha gata och postnummer.',
      streetAndZone('cac:Party'),
    ),
  ],
];
