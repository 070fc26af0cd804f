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
const canary_islands = categoryPlaces('L');
const ceuta_melilla = categoryPlaces('M');

const standard_rules: Family = [
  [
    root,
    fatal(
      'BR-S-01',
      'Används normal moms (S) ska momsspecifikationen ha rader för det, annars inte.',
      someRow('S', 'any', 'any'),
    ),
    fatal(
      'BR-S-02',
      'Har en rad normal moms (S) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      standardLineIdentified,
    ),
    fatal(
      'BR-S-03',
      'Har ett avdrag normal moms (S) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('S', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-S-04',
      'Har ett tillägg normal moms (S) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('S', 'charge', sellerKnown),
    ),
  ],
  [
    standard.breakdown,
    fatal(
      'BR-S-08',
      'Underlaget för normal moms (S) ska vara summan av det som har den skattesatsen.',
      taxableAmountOfRate('S', true),
    ),
    fatal(
      'BR-S-09',
      'Momsbeloppet för normal moms (S) ska vara underlaget × skattesatsen.',
      taxOfRate,
    ),
    fatal('BR-S-10', 'Normal moms (S) ska inte ha något skäl för undantag.', withoutReason),
  ],
  [
    standard.allowance,
    fatal('BR-S-06', 'Skattesatsen för ett avdrag med normal moms (S) ska vara över 0.', positive),
  ],
  [
    standard.charge,
    fatal('BR-S-07', 'Skattesatsen för ett tillägg med normal moms (S) ska vara över 0.', positive),
  ],
  [
    standard.line,
    fatal('BR-S-05', 'Skattesatsen för en rad med normal moms (S) ska vara över 0.', positive),
  ],
];

const canary_islands_rules: Family = [
  [
    root,
    fatal(
      'BR-AF-01',
      'Används IGIC, Kanarieöarna (L) ska momsspecifikationen ha rader för det, annars inte.',
      someRow('L', 'vat', 'any_exactly'),
    ),
    fatal(
      'BR-AF-02',
      'Har en rad IGIC, Kanarieöarna (L) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('L', 'line', sellerKnown),
    ),
    fatal(
      'BR-AF-03',
      'Har ett avdrag IGIC, Kanarieöarna (L) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('L', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-AF-04',
      'Har ett tillägg IGIC, Kanarieöarna (L) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('L', 'charge', sellerKnown, 'vat_exactly'),
    ),
  ],
  [
    canary_islands.breakdown,
    fatal(
      'BR-AF-08',
      'Underlaget för IGIC, Kanarieöarna (L) ska vara summan av det som har den skattesatsen.',
      taxableAmountOfRate('L', false),
    ),
    fatal(
      'BR-AF-09',
      'Momsbeloppet för IGIC, Kanarieöarna (L) ska vara underlaget × skattesatsen.',
      taxOfRate,
    ),
    fatal('BR-AF-10', 'IGIC, Kanarieöarna (L) ska inte ha något skäl för undantag.', withoutReason),
  ],
  [
    canary_islands.allowance,
    fatal(
      'BR-AF-06',
      'Skattesatsen för ett avdrag med IGIC, Kanarieöarna (L) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    canary_islands.charge,
    fatal(
      'BR-AF-07',
      'Skattesatsen för ett tillägg med IGIC, Kanarieöarna (L) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    canary_islands.line,
    fatal(
      'BR-AF-05',
      'Skattesatsen för en rad med IGIC, Kanarieöarna (L) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
];

const ceuta_melilla_rules: Family = [
  [
    root,
    fatal(
      'BR-AG-01',
      'Används IPSI, Ceuta och Melilla (M) ska momsspecifikationen ha rader för det, annars inte.',
      someRow('M', 'vat', 'vat_exactly'),
    ),
    fatal(
      'BR-AG-02',
      'Har en rad IPSI, Ceuta och Melilla (M) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('M', 'line', sellerKnown),
    ),
    fatal(
      'BR-AG-03',
      'Har ett avdrag IPSI, Ceuta och Melilla (M) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('M', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-AG-04',
      'Har ett tillägg IPSI, Ceuta och Melilla (M) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('M', 'charge', sellerKnown),
    ),
  ],
  [
    ceuta_melilla.breakdown,
    fatal(
      'BR-AG-08',
      'Underlaget för IPSI, Ceuta och Melilla (M) ska vara summan av det som har den skattesatsen.',
      taxableAmountOfRate('M', false),
    ),
    fatal(
      'BR-AG-09',
      'Momsbeloppet för IPSI, Ceuta och Melilla (M) ska vara underlaget × skattesatsen.',
      taxOfRate,
    ),
    fatal(
      'BR-AG-10',
      'IPSI, Ceuta och Melilla (M) ska inte ha något skäl för undantag.',
      withoutReason,
    ),
  ],
  [
    ceuta_melilla.allowance,
    fatal(
      'BR-AG-06',
      'Skattesatsen för ett avdrag med IPSI, Ceuta och Melilla (M) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    ceuta_melilla.charge,
    fatal(
      'BR-AG-07',
      'Skattesatsen för ett tillägg med IPSI, Ceuta och Melilla (M) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
  [
    ceuta_melilla.line,
    fatal(
      'BR-AG-05',
      'Skattesatsen för en rad med IPSI, Ceuta och Melilla (M) ska vara 0 eller mer.',
      notNegative,
    ),
  ],
];

export const taxed_rules: Family = [
  ...standard_rules,
  ...canary_islands_rules,
  ...ceuta_melilla_rules,
];
