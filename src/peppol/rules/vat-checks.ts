/** What the families of VAT categories have in common (EN 16931, rules BR-S-01 … BR-AG-10). */
import { absolute, compare, type Decimal, equals, format, one, subtract } from '../decimal.ts';
import type { Facts, Spot, Use } from '../facts.ts';
import type { XmlElement } from '../xml/tree.ts';
import { anyDouble, decimalAt } from '../xpath.ts';
import { nothing, quoteElement } from './checks.ts';
import type { Check } from './rule.ts';
import { isTaxOf } from './totals.ts';

/** -01 of the untaxed: a category that is used has exactly one row in the VAT breakdown. */
export const oneRow =
  (code: string): Check =>
  (_, facts) => {
    const is_used = facts.use(code, 'tax_category').vat + facts.use(code, 'line').vat > 0;
    const rows = facts.use(code, 'breakdown').vat;
    return !is_used || rows === 1 || `${rows} rader`;
  };

/**
 * -01 of the taxed: rows in the breakdown when, and only when, the category is used. The families
 * differ in whether the tax scheme must be VAT, and blanks must be absent, for a row to count.
 */
export const someRow =
  (code: string, used: 'any' | 'vat', wanted_rows: keyof Use): Check =>
  (_, facts) => {
    const is_used = facts.use(code, 'either')[used] + facts.use(code, 'line')[used] > 0;
    const rows = facts.use(code, 'breakdown');
    if (is_used) return rows[wanted_rows] > 0 || 'ingen rad';
    return rows[used] === 0 || 'en rad utan motsvarighet';
  };

/** Who must be identified for a category to be used. */
export type Identified = (facts: Facts) => boolean;

/** The seller by any tax number, or a representative by VAT number. */
export const sellerKnown: Identified = (facts) =>
  facts.has_seller_tax_number || facts.has_representative_vat_number;

/** The seller or a representative by VAT number. */
export const sellerByVat: Identified = (facts) =>
  facts.has_seller_vat_number || facts.has_representative_vat_number;

/** -02 … -04: where the category is used, the parties are identified. */
export const identified =
  (code: string, spot: Spot, isKnown: Identified, kind: keyof Use = 'vat'): Check =>
  (_, facts) =>
    facts.use(code, spot)[kind] === 0 || isKnown(facts) || nothing;

/** -05 … -07: the rate is 0, and there is one. */
export const zeroRate: Check = (category) => {
  const percent = decimalAt(category, 'cbc:Percent');
  if (percent === null) return nothing;
  return percent.units === 0n || format(percent);
};

/** -05 … -07: the rate, as a number, fulfils a comparison. */
export const rate =
  (holds: (percent: number) => boolean): Check =>
  (category) => {
    const percents = category.all('cbc:Percent');
    return anyDouble(percents, holds) || quoteElement(percents[0]);
  };

const lineNames = ['cac:InvoiceLine', 'cac:CreditNoteLine'] as const;

/** -08 of the untaxed: the taxable amount is exactly what carries the category. */
export const taxableAmount =
  (code: string): Check =>
  (category, facts) =>
    agreesWithSum(category, equals, (line_name) =>
      facts.document.named(line_name).length > 0 ? facts.taxable(line_name, code) : null,
    );

/** -08 of the taxed: less than 1 from what carries the category and this rate. */
export const taxableAmountOfRate =
  (code: string, needs_that_rate: boolean): Check =>
  (category, facts) => {
    const percent = decimalAt(category, 'cbc:Percent');
    if (percent === null) return true;
    const isNear = (a: Decimal, b: Decimal): boolean => compare(absolute(subtract(a, b)), one) < 0;
    return agreesWithSum(category, isNear, (line_name) => {
      const counts = needs_that_rate
        ? facts.hasTaxable(line_name, code, percent)
        : facts.document.named(line_name).length > 0;
      return counts ? facts.taxable(line_name, code, percent) : null;
    });
  };

/** Whether the row's taxable amount agrees with the sum over one kind of line; null: no such lines. */
function agreesWithSum(
  category: XmlElement,
  agrees: (a: Decimal, b: Decimal) => boolean,
  sumOver: (line_name: string) => Decimal | null,
): boolean | string {
  const written = category.parent && decimalAt(category.parent, 'cbc:TaxableAmount');
  if (!written) return nothing;
  let found: Decimal | null = null;
  for (const name of lineNames) {
    const total = sumOver(name);
    if (total && agrees(written, total)) return true;
    found ??= total;
  }
  return `${format(written)} i stället för ${found ? format(found) : 'inget'}`;
}

/** -09 of the untaxed: the tax amount is 0. */
export const noTax: Check = ({ parent }) => {
  const tax = parent && decimalAt(parent, 'cbc:TaxAmount');
  if (!tax) return nothing;
  return tax.units === 0n || format(tax);
};

/** -09 of the taxed: the tax amount is less than 1 from base × rate. */
export const taxOfRate: Check = (category) => {
  const { parent } = category;
  const tax = parent && decimalAt(parent, 'cbc:TaxAmount');
  const base = parent && decimalAt(parent, 'cbc:TaxableAmount');
  const percent = decimalAt(category, 'cbc:Percent');
  return tax && base && percent ? isTaxOf(tax, base, percent) : nothing;
};
