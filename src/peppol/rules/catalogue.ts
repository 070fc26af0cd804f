/** Every rule, in the patterns of the two official releases. */
import type { Facts } from '../facts.ts';
import { allowance_rules } from './allowances.ts';
import { code_rules } from './codes.ts';
import { decimal_rules } from './decimals.ts';
import { document_rules } from './document.ts';
import { german_rules } from './germany.ts';
import { greek_buyer_rules, greek_rules } from './greece.ts';
import { identifier_rules } from './identifiers.ts';
import { dutch_rules, italian_rules } from './italy-netherlands.ts';
import { line_rules } from './lines.ts';
import { danish_rules, icelandic_rules, norwegian_rules } from './nordic.ts';
import { party_rules } from './parties.ts';
import { payment_rules } from './payment.ts';
import { credit_note_rules, empty_element_rules, peppol_rules } from './peppol.ts';
import { peppol_code_rules } from './peppol-codes.ts';
import type { Rule } from './rule.ts';
import { swedish_rules } from './sweden.ts';
import { syntax_rules } from './syntax.ts';
import { total_rules } from './totals.ts';
import { unused_rules, unused_with_condition } from './unused.ts';
import { split_payment_rules } from './vat-split-payment.ts';
import { taxed_rules } from './vat-taxed.ts';
import { untaxed_rules } from './vat-untaxed.ts';
import { pattern, RuleBook } from './walk.ts';

/** EN 16931. A line's period must be judged before the document's, so lines come first. */
const en_16931 = [
  pattern(
    line_rules,
    document_rules,
    party_rules,
    allowance_rules,
    total_rules,
    decimal_rules,
    payment_rules,
    taxed_rules,
    untaxed_rules,
    split_payment_rules,
  ),
  pattern(syntax_rules, unused_with_condition),
  pattern(code_rules),
];

/** Peppol BIS Billing 3 and Self-Billing 3. */
const peppol_bis = [
  pattern(empty_element_rules),
  pattern(credit_note_rules),
  pattern(peppol_rules, identifier_rules),
  pattern(peppol_code_rules),
];

/** Peppol's national rules, which BIS Self-Billing does not have. */
const national = [
  pattern(norwegian_rules),
  pattern(danish_rules),
  pattern(italian_rules),
  pattern(swedish_rules),
  pattern(greek_rules),
  pattern(greek_buyer_rules),
  pattern(icelandic_rules),
  pattern(dutch_rules),
  pattern(german_rules),
];

const billing = new RuleBook([...en_16931, ...peppol_bis, ...national]);
const self_billing = new RuleBook([...en_16931, ...peppol_bis]);

/** The rules that a document is held against. */
export function ruleBookFor({ is_self_billing }: Facts): RuleBook {
  return is_self_billing ? self_billing : billing;
}

/** Every rule there is, for those who list them. */
export const all_rules: readonly Rule[] = [...billing.rules, ...unused_rules];
