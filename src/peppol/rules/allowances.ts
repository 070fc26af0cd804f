/** EN 16931: allowances and charges, of the document and of lines. */
import { hasVatScheme } from '../facts.ts';
import { nothing, present } from './checks.ts';
import { documentAllowance, documentCharge, lineAllowance, lineCharge } from './places.ts';
import { type Check, type Family, fatal } from './rule.ts';

const withReason = present('cbc:AllowanceChargeReason', 'cbc:AllowanceChargeReasonCode');
const withAmount = present('cbc:Amount');

const withVatCategory: Check = (element) =>
  element.all('cac:TaxCategory').some((one) => hasVatScheme(one) && one.has('cbc:ID')) || nothing;

/** "The code and the text say the same": no program can tell, and the official test is true(). */
const agreeing: Check = () => true;

export const allowanceRules: Family = [
  [
    documentAllowance,
    fatal('BR-31', 'Ett avdrag på fakturan (BG-20) ska ha ett belopp (BT-92).', withAmount),
    fatal(
      'BR-32',
      'Ett avdrag på fakturan (BG-20) ska ha en momskategori (BT-95).',
      withVatCategory,
    ),
    fatal('BR-33', 'Ett avdrag på fakturan (BG-20) ska ha ett skäl (BT-97, BT-98).', withReason),
    fatal('BR-CO-05', 'Ett avdrags skälkod (BT-98) och skäl (BT-97) ska säga samma sak.', agreeing),
    fatal('BR-CO-21', 'Ett avdrag på fakturan (BG-20) ska ha ett skäl (BT-97, BT-98).', withReason),
  ],
  [
    documentCharge,
    fatal('BR-36', 'Ett tillägg på fakturan (BG-21) ska ha ett belopp (BT-99).', withAmount),
    fatal(
      'BR-37',
      'Ett tillägg på fakturan (BG-21) ska ha en momskategori (BT-102).',
      withVatCategory,
    ),
    fatal('BR-38', 'Ett tillägg på fakturan (BG-21) ska ha ett skäl (BT-104, BT-105).', withReason),
    fatal(
      'BR-CO-06',
      'Ett tilläggs skälkod (BT-105) och skäl (BT-104) ska säga samma sak.',
      agreeing,
    ),
    fatal(
      'BR-CO-22',
      'Ett tillägg på fakturan (BG-21) ska ha ett skäl (BT-104, BT-105).',
      withReason,
    ),
  ],
  [
    lineAllowance,
    fatal('BR-41', 'Ett avdrag på en rad (BG-27) ska ha ett belopp (BT-136).', withAmount),
    fatal('BR-42', 'Ett avdrag på en rad (BG-27) ska ha ett skäl (BT-139, BT-140).', withReason),
    fatal(
      'BR-CO-07',
      'Ett radavdrags skälkod (BT-140) och skäl (BT-139) ska säga samma sak.',
      agreeing,
    ),
    fatal('BR-CO-23', 'Ett avdrag på en rad (BG-27) ska ha ett skäl (BT-139, BT-140).', withReason),
  ],
  [
    lineCharge,
    fatal('BR-43', 'Ett tillägg på en rad (BG-28) ska ha ett belopp (BT-141).', withAmount),
    fatal('BR-44', 'Ett tillägg på en rad (BG-28) ska ha ett skäl (BT-144, BT-145).', withReason),
    fatal(
      'BR-CO-08',
      'Ett radtilläggs skälkod (BT-145) och skäl (BT-144) ska säga samma sak.',
      agreeing,
    ),
    fatal(
      'BR-CO-24',
      'Ett tillägg på en rad (BG-28) ska ha ett skäl (BT-144, BT-145).',
      withReason,
    ),
  ],
];
