/** EN 16931: Italian split payment (VAT category B). */
import type { Facts } from '../facts.ts';
import type { XmlElement } from '../xml/tree.ts';
import { root } from './places.ts';
import { type Family, fatal } from './rule.ts';

const usesCode = (elements: readonly XmlElement[], code: string): boolean =>
  elements.some((element) => element.all('cbc:ID').some(({ value }) => value === code));

/** Whether the breakdown, the document's allowances and charges, or any line has the category. */
const isUsed = ({ root: invoice, document }: Facts, code: string): boolean =>
  usesCode(invoice.all('cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory'), code) ||
  usesCode(invoice.all('cac:AllowanceCharge/cac:TaxCategory'), code) ||
  usesCode(document.named('cac:ClassifiedTaxCategory'), code);

export const splitPaymentRules: Family = [
  [
    root,
    fatal('BR-B-01', 'Delad betalning (B) får bara användas inom Italien.', (_, { document }) => {
      const is_used =
        usesCode(document.named('cac:TaxCategory'), 'B') ||
        usesCode(document.named('cac:ClassifiedTaxCategory'), 'B');
      if (!is_used) return true;
      const other = document.named('cbc:IdentificationCode').find(({ value }) => value !== 'IT');
      return !other || other.value.slice(0, 10);
    }),
    fatal('BR-B-02', 'Delad betalning (B) får inte blandas med normal moms (S).', (_, facts) => {
      return !isUsed(facts, 'B') || !isUsed(facts, 'S') || 'båda';
    }),
  ],
];
