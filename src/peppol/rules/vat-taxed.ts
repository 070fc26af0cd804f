/** EN 16931: VAT categories with tax: standard (S), Canary Islands (L), Ceuta and Melilla (M). */
import { absent, nothing } from './checks.ts';
import { categoryPlaces, root } from './places.ts';
import { type Check, type Family, fatal } from './rule.ts';
import {
  identified,
  rate,
  sellerKnown,
  someRow,
  taxableAmountOfRate,
  taxOfRate,
} from './vat-checks.ts';

const positive = rate((percent) => percent > 0);
const notNegative = rate((percent) => percent >= 0);
const withoutReason = absent('cbc:TaxExemptionReason', 'cbc:TaxExemptionReasonCode');

/** Unlike the other families, a line whose tax scheme is not VAT breaks this one. */
const standardLineIdentified: Check = (_, facts) => {
  const { vat, any } = facts.use('S', 'line');
  return any === 0 || (vat > 0 && sellerKnown(facts)) || nothing;
};

const standard = categoryPlaces('S');
const canaryIslands = categoryPlaces('L');
const ceutaMelilla = categoryPlaces('M');

const standardRules: Family = [
  [
    root,
    fatal(
      'BR-S-01',
      'Används momskategori S (normal moms) ska momsspecifikationen ha rader för den, annars inte.',
      someRow('S', 'any', 'any'),
    ),
    fatal(
      'BR-S-02',
      'Har en rad momskategori S (normal moms) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      standardLineIdentified,
    ),
    fatal(
      'BR-S-03',
      'Har ett avdrag momskategori S (normal moms) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('S', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-S-04',
      'Har ett tillägg momskategori S (normal moms) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('S', 'charge', sellerKnown),
    ),
  ],
  [
    standard.breakdown,
    fatal(
      'BR-S-08',
      'Underlaget för momskategori S (normal moms) ska vara summan av det som har den skattesatsen.',
      taxableAmountOfRate('S', true),
    ),
    fatal(
      'BR-S-09',
      'Momsbeloppet för momskategori S (normal moms) ska vara underlaget × skattesatsen.',
      taxOfRate,
    ),
    fatal(
      'BR-S-10',
      'Momskategori S (normal moms) ska inte ha något skäl för undantag.',
      withoutReason,
    ),
  ],
  [
    standard.allowance,
    fatal(
      'BR-S-06',
      'Skattesatsen för ett avdrag med momskategori S (normal moms) ska vara över 0.',
      positive,
    ),
  ],
  [
    standard.charge,
    fatal(
      'BR-S-07',
      'Skattesatsen för ett tillägg med momskategori S (normal moms) ska vara över 0.',
      positive,
    ),
  ],
  [
    standard.line,
    fatal(
      'BR-S-05',
      'Skattesatsen för en rad med momskategori S (normal moms) ska vara över 0.',
      positive,
    ),
  ],
];

const canaryIslandsRules: Family = [
  [
    root,
    fatal(
      'BR-AF-01',
      'Används momskategori L (IGIC, Kanarieöarna) ska momsspecifikationen ha rader för den, annars inte.',
      someRow('L', 'vat', 'any_exactly'),
    ),
    fatal(
      'BR-AF-02',
      'Har en rad momskategori L (IGIC, Kanarieöarna) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('L', 'line', sellerKnown),
    ),
    fatal(
      'BR-AF-03',
      'Har ett avdrag momskategori L (IGIC, Kanarieöarna) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('L', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-AF-04',
      'Har ett tillägg momskategori L (IGIC, Kanarieöarna) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('L', 'charge', sellerKnown, 'vat_exactly'),
    ),
  ],
  [
    canaryIslands.breakdown,
    fatal(
      'BR-AF-08',
      'Underlaget för momskategori L (IGIC, Kanarieöarna) ska vara summan av det som har den skattesatsen.',
      taxableAmountOfRate('L', false),
    ),
    fatal(
      'BR-AF-09',
      'Momsbeloppet för momskategori L (IGIC, Kanarieöarna) ska vara underlaget × skattesatsen.',
      taxOfRate,
    ),
    fatal(
      'BR-AF-10',
      'Momskategori L (IGIC, Kanarieöarna) ska inte ha något skäl för undantag.',
      withoutReason,
    ),
  ],
  [
    canaryIslands.allowance,
    fatal(
      'BR-AF-06',
      'Skattesatsen för ett avdrag med momskategori L (IGIC, Kanarieöarna) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    canaryIslands.charge,
    fatal(
      'BR-AF-07',
      'Skattesatsen för ett tillägg med momskategori L (IGIC, Kanarieöarna) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    canaryIslands.line,
    fatal(
      'BR-AF-05',
      'Skattesatsen för en rad med momskategori L (IGIC, Kanarieöarna) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
];

const ceutaMelillaRules: Family = [
  [
    root,
    fatal(
      'BR-AG-01',
      'Används momskategori M (IPSI, Ceuta och Melilla) ska momsspecifikationen ha rader för den, annars inte.',
      someRow('M', 'vat', 'vat_exactly'),
    ),
    fatal(
      'BR-AG-02',
      'Har en rad momskategori M (IPSI, Ceuta och Melilla) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('M', 'line', sellerKnown),
    ),
    fatal(
      'BR-AG-03',
      'Har ett avdrag momskategori M (IPSI, Ceuta och Melilla) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('M', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-AG-04',
      'Har ett tillägg momskategori M (IPSI, Ceuta och Melilla) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('M', 'charge', sellerKnown),
    ),
  ],
  [
    ceutaMelilla.breakdown,
    fatal(
      'BR-AG-08',
      'Underlaget för momskategori M (IPSI, Ceuta och Melilla) ska vara summan av det som har den skattesatsen.',
      taxableAmountOfRate('M', false),
    ),
    fatal(
      'BR-AG-09',
      'Momsbeloppet för momskategori M (IPSI, Ceuta och Melilla) ska vara underlaget × skattesatsen.',
      taxOfRate,
    ),
    fatal(
      'BR-AG-10',
      'Momskategori M (IPSI, Ceuta och Melilla) ska inte ha något skäl för undantag.',
      withoutReason,
    ),
  ],
  [
    ceutaMelilla.allowance,
    fatal(
      'BR-AG-06',
      'Skattesatsen för ett avdrag med momskategori M (IPSI, Ceuta och Melilla) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    ceutaMelilla.charge,
    fatal(
      'BR-AG-07',
      'Skattesatsen för ett tillägg med momskategori M (IPSI, Ceuta och Melilla) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    ceutaMelilla.line,
    fatal(
      'BR-AG-05',
      'Skattesatsen för en rad med momskategori M (IPSI, Ceuta och Melilla) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
];

export const taxedRules: Family = [...standardRules, ...canaryIslandsRules, ...ceutaMelillaRules];
