/** EN 16931: what adds up to what. Sums are rounded to two decimals and must then agree exactly. */
import {
  absolute,
  add,
  compare,
  type Decimal,
  equals,
  format,
  multiply,
  one,
  round,
  shift,
  subtract,
  sum,
  zero,
} from '../decimal.ts';
import { type Facts, hasVatScheme, isCharge } from '../facts.ts';
import type { XmlElement } from '../xml/tree.ts';
import { decimalAt, textAt, toDecimal, Uncomputable } from '../xpath.ts';
import { nothing, present } from './checks.ts';
import { monetaryTotal, root, subtotal } from './places.ts';
import { at, type Check, type Family, fatal } from './rule.ts';

/** Compares what is written with what it should be, null meaning that a part is missing. */
function agree(written: Decimal | null, computed: Decimal | null): boolean | string {
  if (written === null) return nothing;
  if (computed === null) return `${format(written)}, utan de belopp det räknas av`;
  return equals(written, computed) || `${format(written)} i stället för ${format(computed)}`;
}

/** The sum of the decimals at a path below each element; elements without one add nothing. */
function sumAt(elements: Iterable<XmlElement>, path: string): Decimal {
  let total = zero;
  for (const element of elements) total = add(total, decimalAt(element, path) ?? zero);
  return total;
}

const cents = (amount: Decimal): Decimal => round(amount, 2);
const orZero = (amount: Decimal | null): Decimal => amount ?? zero;

function lineSum(facts: Facts): Decimal {
  return facts.once('line sum', () => {
    const { document } = facts;
    const invoice_lines = sumAt(document.named('cac:InvoiceLine'), 'cbc:LineExtensionAmount');
    const credit_lines = sumAt(document.named('cac:CreditNoteLine'), 'cbc:LineExtensionAmount');
    return cents(add(invoice_lines, credit_lines));
  });
}

/** The rounded sum of the allowances or charges below an element; null when there are none. */
function sumBelow(parent: XmlElement | null, is_charge: boolean): Decimal | null {
  const all = parent?.all('cac:AllowanceCharge') ?? [];
  const summed = all.filter((one) => isCharge(one) === is_charge);
  return summed.length === 0 ? null : cents(sumAt(summed, 'cbc:Amount'));
}

/** BT-107 and BT-108: the sum of the document's allowances or charges, or neither sum nor any. */
const sumsUp =
  (total_path: string, is_charge: boolean): Check =>
  (e, facts) => {
    const computed =
      e.parent === facts.root
        ? facts.once(`sum of ${total_path}`, (root) => sumBelow(root, is_charge))
        : sumBelow(e.parent, is_charge);
    const written = decimalAt(e, total_path);
    return (written === null && computed === null) || agree(written, computed ?? zero);
  };

const netTotal: Check = (e) => {
  const lines = decimalAt(e, 'cbc:LineExtensionAmount');
  const charges = decimalAt(e, 'cbc:ChargeTotalAmount');
  const allowances = decimalAt(e, 'cbc:AllowanceTotalAmount');
  const exact = lines && subtract(add(lines, orZero(charges)), orZero(allowances));
  const computed = exact && (charges || allowances) ? cents(exact) : exact;
  return agree(decimalAt(e, 'cbc:TaxExclusiveAmount'), computed);
};

const payable: Check = (e) => {
  const payable_amount = decimalAt(e, 'cbc:PayableAmount');
  const inclusive = decimalAt(e, 'cbc:TaxInclusiveAmount');
  const prepaid = decimalAt(e, 'cbc:PrepaidAmount');
  const rounding = decimalAt(e, 'cbc:PayableRoundingAmount');
  if (!payable_amount || !inclusive) return agree(payable_amount, inclusive);
  const due = prepaid ? cents(subtract(inclusive, prepaid)) : inclusive;
  const before_rounding = rounding ? cents(subtract(payable_amount, rounding)) : payable_amount;
  return equals(before_rounding, due) || agree(payable_amount, add(due, orZero(rounding)));
};

const grossTotal: Check = (e, facts) => {
  const by_currency = Map.groupBy(e.all('cac:TaxTotal/cbc:TaxAmount'), (amount) =>
    amount.attribute('currencyID'),
  );
  for (const currency of facts.values('cbc:DocumentCurrencyCode')) {
    const taxes = (by_currency.get(currency) ?? []).map(({ value }) => toDecimal(value));
    if (taxes.length !== 1) return `${taxes.length} momssummor i ${currency} i stället för en`;
    const net = decimalAt(e, 'cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount');
    const written = decimalAt(e, 'cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount');
    const verdict = agree(written, net && cents(add(net, sum(taxes))));
    if (verdict !== true) return verdict;
  }
  return true;
};

const vatTotal: Check = (e) => {
  const subtotals = e.all('cac:TaxSubtotal');
  if (subtotals.length === 0) return true;
  return agree(decimalAt(e, 'cbc:TaxAmount'), cents(sumAt(subtotals, 'cbc:TaxAmount')));
};

/** Whether a tax amount is less than 1 from the rate's share of the base, signs aside. */
export function isTaxOf(tax: Decimal, base: Decimal, percent: Decimal): boolean | string {
  const expected = cents(multiply(absolute(base), shift(percent, 2)));
  const distance = subtract(absolute(tax), expected);
  const isNear = compare(absolute(distance), one) < 0;
  return isNear || `${format(tax)} i stället för omkring ${format(expected)}`;
}

/** VAT categories with the VAT scheme in a breakdown row: there ought to be one. */
const vatCategories = (row: XmlElement): readonly XmlElement[] =>
  row.all('cac:TaxCategory').filter(hasVatScheme);

const rowTax: Check = (e) => {
  const tax = decimalAt(e, 'cbc:TaxAmount');
  const percents = vatCategories(e).flatMap((one) => decimalAt(one, 'cbc:Percent') ?? []);
  const [percent] = percents;
  if (percents.length > 1) throw new Uncomputable('två skattesatser');
  if (tax === null) return nothing;
  if (percent === undefined || round(percent, 0).units === 0n) {
    return round(tax, 0).units === 0n || `${format(tax)} i stället för 0`;
  }
  const base = decimalAt(e, 'cbc:TaxableAmount');
  return base === null ? `${format(tax)}, utan underlag` : isTaxOf(tax, base, percent);
};

export const totalRules: Family = [
  [
    monetaryTotal,
    fatal('BR-12', 'Radernas summa (BT-106) ska anges.', present('cbc:LineExtensionAmount')),
    fatal('BR-13', 'Summan utan moms (BT-109) ska anges.', present('cbc:TaxExclusiveAmount')),
    fatal('BR-14', 'Summan med moms (BT-112) ska anges.', present('cbc:TaxInclusiveAmount')),
    fatal('BR-15', 'Beloppet att betala (BT-115) ska anges.', present('cbc:PayableAmount')),
    fatal('BR-CO-10', 'Radernas summa (BT-106) ska vara summan av radernas belopp.', (e, facts) =>
      agree(decimalAt(e, 'cbc:LineExtensionAmount'), lineSum(facts)),
    ),
    fatal(
      'BR-CO-11',
      'Avdragens summa (BT-107) ska vara summan av fakturans avdrag.',
      sumsUp('cbc:AllowanceTotalAmount', false),
    ),
    fatal(
      'BR-CO-12',
      'Tilläggens summa (BT-108) ska vara summan av fakturans tillägg.',
      sumsUp('cbc:ChargeTotalAmount', true),
    ),
    fatal('BR-CO-13', 'Summan utan moms (BT-109) ska vara rader − avdrag + tillägg.', netTotal),
    fatal(
      'BR-CO-16',
      'Att betala (BT-115) ska vara summan med moms − förskott + avrundning.',
      payable,
    ),
  ],
  [
    root,
    fatal(
      'BR-53',
      'Finns redovisningsvaluta (BT-6) ska momsens summa också anges i den (BT-111).',
      (e, { document }) => {
        const currencies = new Set(
          document
            .named('cbc:TaxAmount')
            .filter(({ parent }) => parent?.name === 'cac:TaxTotal')
            .map((amount) => amount.attribute('currencyID')),
        );
        return e.all('cbc:TaxCurrencyCode').every(({ value }) => currencies.has(value)) || nothing;
      },
    ),
    fatal('BR-CO-15', 'Summan med moms (BT-112) ska vara summan utan moms + moms.', grossTotal),
    fatal(
      'BR-CO-18',
      'Fakturan ska ha en momsspecifikation (BG-23).',
      present('cac:TaxTotal/cac:TaxSubtotal'),
    ),
  ],
  [
    at('/*/cac:TaxTotal'),
    fatal('BR-CO-14', 'Momsens summa (BT-110) ska vara summan av momsbeloppen (BT-117).', vatTotal),
  ],
  [
    subtotal,
    fatal(
      'BR-45',
      'En rad i momsspecifikationen ska ha ett underlag (BT-116).',
      present('cbc:TaxableAmount'),
    ),
    fatal(
      'BR-46',
      'En rad i momsspecifikationen ska ha ett momsbelopp (BT-117).',
      present('cbc:TaxAmount'),
    ),
    fatal(
      'BR-47',
      'En rad i momsspecifikationen ska ha en momskategori (BT-118).',
      (e) => vatCategories(e).some((category) => category.has('cbc:ID')) || nothing,
    ),
    fatal(
      'BR-48',
      'En rad i momsspecifikationen ska ha en skattesats (BT-119), utom för kategori O.',
      (e) =>
        vatCategories(e).some((one) => one.has('cbc:Percent') || textAt(one, 'cbc:ID') === 'O') ||
        nothing,
    ),
    fatal('BR-CO-17', 'Momsbeloppet (BT-117) ska vara underlaget × skattesatsen.', rowTax),
  ],
];
