/** Places that rules of several files look at. */
import { isCharge } from '../facts.ts';
import { at, type RuleScope } from './rule.ts';

export const root = at('/*');

export const line = at(['cac:InvoiceLine', 'cac:CreditNoteLine']);

/** BG-20. */
export const documentAllowance = at('/*/cac:AllowanceCharge', (e) => isCharge(e) === false);
/** BG-21. */
export const documentCharge = at('/*/cac:AllowanceCharge', (e) => isCharge(e) === true);

const onLines = ['cac:InvoiceLine/cac:AllowanceCharge', 'cac:CreditNoteLine/cac:AllowanceCharge'];
/** BG-27. */
export const lineAllowance = at(onLines, (e) => isCharge(e) === false);
/** BG-28. */
export const lineCharge = at(onLines, (e) => isCharge(e) === true);

/** BG-22. */
export const monetaryTotal = at('cac:LegalMonetaryTotal');

/** BG-23. */
export const subtotal = at('cac:TaxTotal/cac:TaxSubtotal');

const amountNames = [
  'Amount',
  'BaseAmount',
  'PriceAmount',
  'TaxAmount',
  'TaxableAmount',
  'LineExtensionAmount',
  'TaxExclusiveAmount',
  'TaxInclusiveAmount',
  'AllowanceTotalAmount',
  'ChargeTotalAmount',
  'PrepaidAmount',
  'PayableRoundingAmount',
  'PayableAmount',
].map((name) => `cbc:${name}`);

/** Every amount with a currency. */
export const amounts = at(amountNames);

/** The amounts in the invoice's own currency: BT-111 alone may be in another. */
export const amountsInInvoiceCurrency = at(
  [
    ...amountNames.filter((name) => name !== 'cbc:TaxAmount'),
    'cac:TaxTotal/cbc:TaxAmount',
    'cac:TaxSubtotal/cbc:TaxAmount',
  ],
  (e, facts) =>
    e.name !== 'cbc:TaxAmount' ||
    (e.parent?.name === 'cac:TaxSubtotal' && !facts.is_self_billing) ||
    e.parent?.has('cac:TaxSubtotal') === true,
);

/** Categories in the VAT breakdown, on lines, and on allowances and charges at any level. */
export interface CategoryPlaces {
  readonly breakdown: RuleScope;
  readonly line: RuleScope;
  readonly allowance: RuleScope;
  readonly charge: RuleScope;
}

/** The places of one VAT category whose tax scheme is VAT. */
export function categoryPlaces(code: string): CategoryPlaces {
  const isThis: NonNullable<RuleScope['when']> = (element, facts) => {
    const category = facts.category(element);
    return category.code === code && category.is_vat;
  };
  const on_line = 'cac:Item/cac:ClassifiedTaxCategory';
  const path = 'cac:AllowanceCharge/cac:TaxCategory';
  const isOn = (wanted: boolean): RuleScope => {
    return at(path, (element, facts) => {
      return (
        isThis(element, facts) && element.parent !== null && isCharge(element.parent) === wanted
      );
    });
  };
  return {
    breakdown: at('/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory', isThis),
    line: at([`cac:InvoiceLine/${on_line}`, `cac:CreditNoteLine/${on_line}`], isThis),
    allowance: isOn(false),
    charge: isOn(true),
  };
}
