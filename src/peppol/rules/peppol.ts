/** Peppol BIS Billing 3: the transaction's own rules (PEPPOL-EN16931-R*). */
import { codeLists } from '../data/code-lists.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  equals,
  format,
  multiply,
  one,
  round,
  shift,
  subtract,
  zero,
} from '../decimal.ts';
import { billing, type Facts, selfBilling, selfBillingProcess } from '../facts.ts';
import { quote } from '../finding.ts';
import type { XmlElement } from '../xml/tree.ts';
import { anyDouble, date, decimalAt, normalizeSpace, textAt, toDecimal } from '../xpath.ts';
import { nothing, present, quoteElement } from './checks.ts';
import { amountsInInvoiceCurrency, line, root } from './places.ts';
import { at, type Check, type Family, fatal, type RuleScope } from './rule.ts';

const billingProcess = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const slack = decimal('0.02');

/** Which of Peppol's processes the document follows (BT-23): 01, 02 with response, or unknown. */
export function processOf(facts: Facts): '01' | '02' | 'unknown' {
  const profile = normalizeSpace(facts.first('cbc:ProfileID')?.value);
  const own_process = facts.is_self_billing ? selfBillingProcess : billingProcess;
  const is_other_way = profile === selfBillingProcess || profile === billingProcess;
  if (is_other_way) return profile === own_process ? '01' : 'unknown';
  if (codeLists['PEPPOL-PROCESS-01'].has(profile)) return '01';
  return codeLists['PEPPOL-PROCESS-02'].has(profile) ? '02' : 'unknown';
}

const specified: Check = (e, facts) => {
  const id = textAt(e, 'cbc:CustomizationID');
  const is_known = id.startsWith(facts.is_self_billing ? selfBilling : billing);
  return (is_known && !id.includes('::')) || (id ? quote(id) : nothing);
};

/** Total VAT in a currency that the document names: the amounts of root's TaxTotals. */
function taxIn(invoice: XmlElement, currency_path: string): readonly XmlElement[] {
  const currency = textAt(invoice, currency_path);
  const all = invoice.all('cac:TaxTotal/cbc:TaxAmount');
  return all.filter((amount) => amount.attribute('currencyID') === currency);
}

const sameSign: Check = (e) => {
  if (!e.has('cbc:TaxCurrencyCode')) return true;
  const accounted = taxIn(e, 'cbc:TaxCurrencyCode');
  const invoiced = taxIn(e, 'cbc:DocumentCurrencyCode');
  const isBoth = (holds: (value: number) => boolean): boolean =>
    anyDouble(accounted, holds) && anyDouble(invoiced, holds);
  const found = `${quoteElement(accounted[0])} mot ${quoteElement(invoiced[0])}`;
  return isBoth((value) => value <= 0) || isBoth((value) => value >= 0) || found;
};

const allowancePaths = [
  '/Invoice/cac:AllowanceCharge',
  '/Invoice/cac:InvoiceLine/cac:AllowanceCharge',
  '/CreditNote/cac:AllowanceCharge',
  '/CreditNote/cac:CreditNoteLine/cac:AllowanceCharge',
];

const percentOfBase: Check = (e) => {
  if (!e.has('cbc:MultiplierFactorNumeric') || !e.has('cbc:BaseAmount')) return true;
  const base = decimalAt(e, 'cbc:BaseAmount') ?? zero;
  const percent = decimalAt(e, 'cbc:MultiplierFactorNumeric') ?? zero;
  const amount = decimalAt(e, 'cbc:Amount') ?? zero;
  const expected = shift(multiply(base, percent), 2);
  return isWithinSlack(amount, expected) || `${format(amount)} i stället för ${format(expected)}`;
};

function isWithinSlack(a: Decimal, b: Decimal): boolean {
  return compare(absolute(subtract(a, b)), slack) <= 0;
}

/** The sum of a line's allowances or charges, in hundredths. */
function lineSum(element: XmlElement, indicator: string): Decimal {
  let total = zero;
  for (const item of element.all('cac:AllowanceCharge')) {
    if (textAt(item, 'cbc:ChargeIndicator') !== indicator) continue;
    for (const amount of item.all('cbc:Amount')) total = add(total, toDecimal(amount.value));
  }
  return round(total, 2);
}

const lineNet: Check = (e, facts) => {
  const quantity_path = facts.is_credit_note ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  const written = decimalAt(e, 'cbc:LineExtensionAmount') ?? zero;
  const quantity = decimalAt(e, quantity_path) ?? one;
  const price = decimalAt(e, 'cac:Price/cbc:PriceAmount') ?? zero;
  const base = decimalAt(e, 'cac:Price/cbc:BaseQuantity') ?? one;
  const unit_price = base.units === 0n || equals(base, one) ? price : divide(price, base);
  const charges = lineSum(e, 'true');
  const allowances = lineSum(e, 'false');
  const expected = subtract(add(multiply(quantity, unit_price), charges), allowances);
  if (isWithinSlack(written, expected)) return true;
  return `${format(written)} i stället för ${format(round(expected, 2))}`;
};

const positiveBase: Check = (e) => {
  const base = decimalAt(e, 'cac:Price/cbc:BaseQuantity');
  return base === null || base.units > 0n || format(base);
};

const grossMinusDiscount: Check = (e) => {
  const gross = decimalAt(e, 'cbc:BaseAmount');
  if (gross === null) return true;
  const discount = decimalAt(e, 'cbc:Amount');
  const net = e.parent && decimalAt(e.parent, 'cbc:PriceAmount');
  if (!net || !discount) return nothing;
  const expected = subtract(gross, discount);
  return equals(net, expected) || `${format(net)} i stället för ${format(expected)}`;
};

const sameUnit: Check = (e, facts) => {
  const holder = e.parent?.parent;
  if (!holder?.has('cbc:InvoicedQuantity') && !holder?.has('cbc:CreditedQuantity')) return true;
  const path = facts.is_credit_note ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  const unit = e.attribute('unitCode') ?? '';
  return (
    holder.all(path).some((quantity) => quantity.attribute('unitCode') === unit) || quote(unit)
  );
};

/** A date within a line, when the document too has a period with that date. */
const inPeriod = (name: string): RuleScope =>
  at(
    [
      `/Invoice/cac:InvoiceLine/cac:InvoicePeriod/${name}`,
      `/CreditNote/cac:CreditNoteLine/cac:InvoicePeriod/${name}`,
    ],
    (_, facts) => facts.first(`cac:InvoicePeriod/${name}`) !== undefined,
  );

export const peppolRules: Family = [
  [
    root,
    fatal(
      'PEPPOL-EN16931-R001',
      'Affärsprocessen (ProfileID, BT-23) ska anges.',
      present('cbc:ProfileID'),
    ),
    fatal(
      'PEPPOL-EN16931-R007',
      'Affärsprocessen (ProfileID, BT-23) ska vara en av Peppols.',
      (e, facts) => processOf(facts) !== 'unknown' || quoteElement(e.first('cbc:ProfileID')),
    ),
    fatal(
      'PEPPOL-EN16931-R002',
      'Fakturan ska ha högst en anmärkning (BT-22), utom mellan tyska parter.',
      (e, facts) => {
        const { length } = e.all('cbc:Note');
        return length <= 1 || facts.is_german || `${length} stycken`;
      },
    ),
    fatal(
      'PEPPOL-EN16931-R003',
      'Köparens referens (BT-10) eller ordernummer (BT-13) ska anges.',
      present('cbc:BuyerReference', 'cac:OrderReference/cbc:ID'),
    ),
    fatal('PEPPOL-EN16931-R004', `Specifikationen (BT-24) ska börja med ${billing}.`, specified),
    fatal(
      'PEPPOL-EN16931-R053',
      'Fakturan ska ha en och bara en momsspecifikation (BG-23).',
      (e) => {
        const { length } = e.all('cac:TaxTotal').filter((total) => total.has('cac:TaxSubtotal'));
        return length === 1 || `${length} stycken`;
      },
    ),
    fatal(
      'PEPPOL-EN16931-R054',
      'Finns redovisningsvaluta (BT-6) ska momsens summa anges en gång i den (BT-111), annars inte.',
      (e) => {
        const { length } = e.all('cac:TaxTotal').filter((total) => !total.has('cac:TaxSubtotal'));
        return length === (e.has('cbc:TaxCurrencyCode') ? 1 : 0) || `${length} stycken`;
      },
    ),
    fatal(
      'PEPPOL-EN16931-R055',
      'Momsens summa ska ha samma tecken i båda valutorna (BT-110, BT-111).',
      sameSign,
    ),
  ],
  [
    at('cbc:TaxCurrencyCode'),
    fatal(
      'PEPPOL-EN16931-R005',
      'Redovisningsvalutan (BT-6) ska inte vara fakturans valuta (BT-5).',
      (e, facts) => {
        // There may be thousands of these in the root: it is searched once.
        const path = 'cbc:DocumentCurrencyCode';
        const is_of_root = e.parent === facts.root;
        const currency = is_of_root ? facts.first(path)?.value : e.parent?.valueOf(path);
        return normalizeSpace(e.value) !== normalizeSpace(currency);
      },
    ),
  ],
  [
    at('cac:AccountingCustomerParty/cac:Party'),
    fatal(
      'PEPPOL-EN16931-R010',
      'Köparens elektroniska adress (BT-49) ska anges.',
      present('cbc:EndpointID'),
    ),
  ],
  [
    at('cac:AccountingSupplierParty/cac:Party'),
    fatal(
      'PEPPOL-EN16931-R020',
      'Säljarens elektroniska adress (BT-34) ska anges.',
      present('cbc:EndpointID'),
    ),
  ],
  [
    at(allowancePaths, (e) => e.has('cbc:MultiplierFactorNumeric') && !e.has('cbc:BaseAmount')),
    fatal(
      'PEPPOL-EN16931-R041',
      'Ett avdrag eller tillägg med procentsats ska ha ett underlag.',
      () => nothing,
    ),
  ],
  [
    at(allowancePaths, (e) => !e.has('cbc:MultiplierFactorNumeric') && e.has('cbc:BaseAmount')),
    fatal(
      'PEPPOL-EN16931-R042',
      'Ett avdrag eller tillägg med underlag ska ha en procentsats.',
      () => nothing,
    ),
  ],
  [
    at(allowancePaths),
    fatal(
      'PEPPOL-EN16931-R040',
      'Ett avdrag eller tillägg ska vara underlaget × procentsatsen (± 0,02).',
      percentOfBase,
    ),
    fatal('PEPPOL-EN16931-R043', 'ChargeIndicator ska vara true eller false.', (e) => {
      const indicator = textAt(e, 'cbc:ChargeIndicator');
      return indicator === 'true' || indicator === 'false' || quote(indicator);
    }),
  ],
  [
    at('cac:PaymentMeans', (e) =>
      codeLists['UNCL4461-DIRECT-DEBIT'].has(textAt(e, 'cbc:PaymentMeansCode')),
    ),
    fatal(
      'PEPPOL-EN16931-R061',
      'Autogiro ska ha medgivandets id (BT-89).',
      present('cac:PaymentMandate/cbc:ID'),
    ),
  ],
  [
    amountsInInvoiceCurrency,
    fatal('PEPPOL-EN16931-R051', 'Beloppet ska vara i fakturans valuta (BT-5).', (e, facts) => {
      const currency = e.attribute('currencyID');
      if (currency === undefined) return nothing;
      return facts.values('cbc:DocumentCurrencyCode').has(currency) || quote(currency);
    }),
  ],
  [
    inPeriod('cbc:StartDate'),
    fatal(
      'PEPPOL-EN16931-R110',
      'Radens period ska inte börja före fakturans period.',
      (e, facts) =>
        date(e.value) >= date(facts.first('cac:InvoicePeriod/cbc:StartDate')?.value ?? ''),
    ),
  ],
  [
    inPeriod('cbc:EndDate'),
    fatal(
      'PEPPOL-EN16931-R111',
      'Radens period ska inte sluta efter fakturans period.',
      (e, facts) =>
        date(e.value) <= date(facts.first('cac:InvoicePeriod/cbc:EndDate')?.value ?? ''),
    ),
  ],
  [
    line,
    fatal(
      'PEPPOL-EN16931-R120',
      'Radens belopp (BT-131) ska vara antal × pris + tillägg − avdrag (± 0,02).',
      lineNet,
    ),
    fatal('PEPPOL-EN16931-R121', 'Prisets kvantitet (BT-149) ska vara större än 0.', positiveBase),
    fatal('PEPPOL-EN16931-R100', 'En rad ska ha högst ett fakturerat objekt (BT-128).', (e) => {
      const { length } = e.all('cac:DocumentReference');
      return length <= 1 || `${length} stycken`;
    }),
    fatal(
      'PEPPOL-EN16931-R101',
      'En rads hänvisning ska vara ett fakturerat objekt (typkod 130).',
      (e) => {
        const references = e.all('cac:DocumentReference');
        const codes = references.flatMap((one) => one.all('cbc:DocumentTypeCode'));
        if (references.length === 0 || codes.some(({ value }) => value === '130')) return true;
        return quoteElement(codes[0]);
      },
    ),
  ],
  [
    at('cac:Price/cac:AllowanceCharge'),
    fatal('PEPPOL-EN16931-R044', 'Ett pris får ha avdrag men inga tillägg.', (e) => {
      const indicator = textAt(e, 'cbc:ChargeIndicator');
      return indicator === 'false' || quote(indicator);
    }),
    fatal(
      'PEPPOL-EN16931-R046',
      'Nettopriset (BT-146) ska vara bruttopriset (BT-148) − avdraget (BT-147).',
      grossMinusDiscount,
    ),
  ],
  [
    at('cac:Price/cbc:BaseQuantity', (e) => e.hasAttribute('unitCode')),
    fatal(
      'PEPPOL-EN16931-R130',
      'Prisets kvantitet (BT-149) ska ha samma enhet som radens antal (BT-130).',
      sameUnit,
    ),
  ],
];

/** Patterns of their own, so that the rules above do not keep these from an element. */
export const emptyElementRules: Family = [
  [
    at('*', (e) => e.children.length === 0 && normalizeSpace(e.text) === ''),
    fatal('PEPPOL-EN16931-R008', 'Inga element får vara tomma.', (e) => `${e.name} utan innehåll`),
  ],
];

export const creditNoteRules: Family = [
  [
    at('/*', (_, facts) => facts.is_credit_note),
    fatal(
      'PEPPOL-EN16931-R080',
      'Kreditnotan ska ha högst ett projekt (BT-11, typkod 50).',
      (e) => {
        const projects = e
          .all('cac:AdditionalDocumentReference')
          .filter((one) => one.all('cbc:DocumentTypeCode').some(({ value }) => value === '50'));
        return projects.length <= 1 || `${projects.length} stycken`;
      },
    ),
  ],
];
