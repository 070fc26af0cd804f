/** EN 16931: how to pay. */
import { codeLists } from '../data/code-lists.ts';
import { lengthOf, normalizeSpace, textAt } from '../xpath.ts';
import { filled, nothing, present } from './checks.ts';
import { at, type Family, fatal, warning } from './rule.ts';

const creditTransfer = codeLists['UNCL4461-CREDIT-TRANSFER'];

export const paymentRules: Family = [
  [
    at('cac:PaymentMeans/cac:CardAccount/cbc:PrimaryAccountNumberID'),
    warning(
      'BR-51',
      'Av ett kortnummer (BT-87) ska högst tio tecken visas.',
      (e) => lengthOf(normalizeSpace(e.value)) <= 10 || 'fler',
    ),
  ],
  [
    at(
      'cac:PaymentMeans/cac:PayeeFinancialAccount',
      (e) =>
        e.parent?.all('cbc:PaymentMeansCode').some(({ value }) => creditTransfer.has(value)) ===
        true,
    ),
    fatal('BR-50', 'Kontot för en gireringsbetalning ska ha ett nummer (BT-84).', filled('cbc:ID')),
  ],
  [
    at('cac:PaymentMeans'),
    fatal(
      'BR-49',
      'Ett betalningssätt (BG-16) ska ha en kod (BT-81).',
      present('cbc:PaymentMeansCode'),
    ),
    fatal(
      'BR-61',
      'Betalningssätt 30 och 58 ska ha ett kontonummer (BT-84).',
      (e) =>
        !creditTransfer.has(textAt(e, 'cbc:PaymentMeansCode')) ||
        e.has('cac:PayeeFinancialAccount/cbc:ID') ||
        nothing,
    ),
  ],
];
