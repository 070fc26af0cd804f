/** Every rule, in the patterns of the two official releases. */
import type { Facts } from '../facts.ts';
import { allowanceRules } from './allowances.ts';
import { codeRules } from './codes.ts';
import { decimalRules } from './decimals.ts';
import { documentRules } from './document.ts';
import { germanRules } from './germany.ts';
import { greekBuyerRules, greekRules } from './greece.ts';
import { identifierRules } from './identifiers.ts';
import { dutchRules, italianRules } from './italy-netherlands.ts';
import { lineRules } from './lines.ts';
import { danishRules, icelandicRules, norwegianRules } from './nordic.ts';
import { partyRules } from './parties.ts';
import { paymentRules } from './payment.ts';
import { creditNoteRules, emptyElementRules, peppolRules } from './peppol.ts';
import { peppolCodeRules } from './peppol-codes.ts';
import type { Rule } from './rule.ts';
import { swedishRules } from './sweden.ts';
import { syntaxRules } from './syntax.ts';
import { totalRules } from './totals.ts';
import { unusedRules, unusedWithCondition } from './unused.ts';
import { splitPaymentRules } from './vat-split-payment.ts';
import { taxedRules } from './vat-taxed.ts';
import { untaxedRules } from './vat-untaxed.ts';
import { pattern, RuleBook } from './walk.ts';

/** EN 16931. A line's period must be judged before the document's, so lines come first. */
const en16931 = [
  pattern(
    lineRules,
    documentRules,
    partyRules,
    allowanceRules,
    totalRules,
    decimalRules,
    paymentRules,
    taxedRules,
    untaxedRules,
    splitPaymentRules,
  ),
  pattern(syntaxRules, unusedWithCondition),
  pattern(codeRules),
];

/** Peppol BIS Billing 3 and Self-Billing 3. */
const peppolBis = [
  pattern(emptyElementRules),
  pattern(creditNoteRules),
  pattern(peppolRules, identifierRules),
  pattern(peppolCodeRules),
];

/** Peppol's national rules, which BIS Self-Billing does not have. */
const national = [
  pattern(norwegianRules),
  pattern(danishRules),
  pattern(italianRules),
  pattern(swedishRules),
  pattern(greekRules),
  pattern(greekBuyerRules),
  pattern(icelandicRules),
  pattern(dutchRules),
  pattern(germanRules),
];

const billing = new RuleBook([...en16931, ...peppolBis, ...national]);
const selfBilling = new RuleBook([...en16931, ...peppolBis]);

/** The rules that a document is held against. */
export function ruleBookFor({ is_self_billing }: Facts): RuleBook {
  return is_self_billing ? selfBilling : billing;
}

/** Every rule there is, for those who list them. */
export const allRules: readonly Rule[] = [...billing.rules, ...unusedRules];
