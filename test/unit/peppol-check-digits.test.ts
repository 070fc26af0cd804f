import { describe, expect, test } from 'vitest';
import {
  isAustralian,
  isBelgian,
  isGln,
  isGreek,
  isIban,
  isItalianTaxCode,
  isItalianVat,
  isMod11,
  isSwedish,
} from '#src/peppol/rules/check-digits.ts';

describe('check digits', () => {
  test.each([
    ['GLN', isGln, '7300010000001', '7300010000002'],
    ['Norway', isMod11, '123456785', '123456784'],
    ['Belgium', isBelgian, '0202239951', '0202239952'],
    ['Sweden', isSwedish, '5566778899', '5566778890'],
    ['Australia', isAustralian, '51824753556', '51824753557'],
    ['Greece', isGreek, '094259216', '094259215'],
    ['Italy, VAT', isItalianVat, 'IT00743110157', 'IT00743110158'],
    ['Italy, tax code', isItalianTaxCode, 'RSSMRA85T10A562S', 'RSSMRA85T10A56'],
    ['IBAN', isIban, 'SE45 5000 0000 0583 9825 7466', 'SE45 5000 0000 0583 9825 7467'],
  ])('%s', (_, isValid, right, wrong) => {
    expect([isValid(right), isValid(wrong), isValid(''), isValid('x')]).toEqual([
      true,
      false,
      _ === 'Italy, VAT',
      _ === 'Italy, VAT',
    ]);
  });
});
