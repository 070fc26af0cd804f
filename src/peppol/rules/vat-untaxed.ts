/**
 * EN 16931: VAT categories without tax: zero rated (Z), exempt (E), reverse charge (AE), supply inside
 * the EU (K), export (G), outside the scope of VAT (O).
 */
import type { Spot } from '../facts.ts';
import { lengthOf } from '../xpath.ts';
import { absent, nothing, present } from './checks.ts';
import { categoryPlaces, root } from './places.ts';
import { type Check, type Family, fatal } from './rule.ts';
import {
  type Identified,
  identified,
  noTax,
  oneRow,
  sellerByVat,
  sellerKnown,
  taxableAmount,
  zeroRate,
} from './vat-checks.ts';

const withReason = present('cbc:TaxExemptionReason', 'cbc:TaxExemptionReasonCode');
const withoutReason = absent('cbc:TaxExemptionReason', 'cbc:TaxExemptionReasonCode');

const reverseChargeKnown: Identified = (facts) =>
  sellerKnown(facts) && (facts.has_buyer_vat_number || facts.has_buyer_legal_number);

const bothByVat: Identified = (facts) => sellerByVat(facts) && facts.has_buyer_vat_number;

/** With category O somewhere, nobody is identified by a VAT number. */
const unidentified =
  (spot: Spot): Check =>
  (_, facts) =>
    facts.use('O', spot).vat === 0 ||
    !(sellerByVat(facts) || facts.has_buyer_vat_number) ||
    'minst ett';

const deliveryDated: Check = (e, facts) => {
  if (facts.use('K', 'breakdown').vat === 0) return true;
  const delivered = e.valueOf('cac:Delivery/cbc:ActualDeliveryDate') ?? '';
  const has_period = e.all('cac:InvoicePeriod').some(({ children }) => children.length > 0);
  return lengthOf(delivered) > 1 || has_period || nothing;
};

const deliveryCountry: Check = (e, facts) => {
  if (facts.use('K', 'breakdown').vat === 0) return true;
  const path = 'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode';
  return lengthOf(e.valueOf(path) ?? '') > 1 || nothing;
};

/** With category O in the breakdown, nothing in that place has another category. */
const aloneAt =
  (spot: Spot): Check =>
  (_, facts) => {
    if (facts.use('O', 'breakdown').vat === 0) return true;
    const others = facts.codesAt(spot).filter((code) => code !== 'O');
    return others.length === 0 || others.join(', ').slice(0, 40);
  };

const zeroRated = categoryPlaces('Z');
const exempt = categoryPlaces('E');
const reverseCharge = categoryPlaces('AE');
const intraCommunity = categoryPlaces('K');
const exportOutsideEu = categoryPlaces('G');
const outsideScope = categoryPlaces('O');

const zeroRatedRules: Family = [
  [
    root,
    fatal(
      'BR-Z-01',
      'Används momskategori Z (nollskattesats) ska momsspecifikationen ha en rad för den.',
      oneRow('Z'),
    ),
    fatal(
      'BR-Z-02',
      'Har en rad momskategori Z (nollskattesats) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('Z', 'line', sellerKnown),
    ),
    fatal(
      'BR-Z-03',
      'Har ett avdrag momskategori Z (nollskattesats) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('Z', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-Z-04',
      'Har ett tillägg momskategori Z (nollskattesats) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('Z', 'charge', sellerKnown),
    ),
  ],
  [
    zeroRated.breakdown,
    fatal(
      'BR-Z-08',
      'Underlaget för momskategori Z (nollskattesats) ska vara summan av det som har kategorin.',
      taxableAmount('Z'),
    ),
    fatal('BR-Z-09', 'Momsbeloppet för momskategori Z (nollskattesats) ska vara 0.', noTax),
    fatal(
      'BR-Z-10',
      'Momskategori Z (nollskattesats) ska inte ha något skäl för undantag.',
      withoutReason,
    ),
  ],
  [
    zeroRated.allowance,
    fatal(
      'BR-Z-06',
      'Skattesatsen för ett avdrag med momskategori Z (nollskattesats) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    zeroRated.charge,
    fatal(
      'BR-Z-07',
      'Skattesatsen för ett tillägg med momskategori Z (nollskattesats) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    zeroRated.line,
    fatal(
      'BR-Z-05',
      'Skattesatsen för en rad med momskategori Z (nollskattesats) ska vara 0.',
      zeroRate,
    ),
  ],
];

const exemptRules: Family = [
  [
    root,
    fatal(
      'BR-E-01',
      'Används momskategori E (undantag från moms) ska momsspecifikationen ha en rad för den.',
      oneRow('E'),
    ),
    fatal(
      'BR-E-02',
      'Har en rad momskategori E (undantag från moms) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('E', 'line', sellerKnown),
    ),
    fatal(
      'BR-E-03',
      'Har ett avdrag momskategori E (undantag från moms) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('E', 'allowance', sellerKnown),
    ),
    fatal(
      'BR-E-04',
      'Har ett tillägg momskategori E (undantag från moms) ska det finnas säljarens skattenummer (BT-31, BT-32) eller ombudets momsnummer (BT-63).',
      identified('E', 'charge', sellerKnown),
    ),
  ],
  [
    exempt.breakdown,
    fatal(
      'BR-E-08',
      'Underlaget för momskategori E (undantag från moms) ska vara summan av det som har kategorin.',
      taxableAmount('E'),
    ),
    fatal('BR-E-09', 'Momsbeloppet för momskategori E (undantag från moms) ska vara 0.', noTax),
    fatal(
      'BR-E-10',
      'Momskategori E (undantag från moms) ska ha ett skäl (BT-120) eller en skälkod (BT-121).',
      withReason,
    ),
  ],
  [
    exempt.allowance,
    fatal(
      'BR-E-06',
      'Skattesatsen för ett avdrag med momskategori E (undantag från moms) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    exempt.charge,
    fatal(
      'BR-E-07',
      'Skattesatsen för ett tillägg med momskategori E (undantag från moms) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    exempt.line,
    fatal(
      'BR-E-05',
      'Skattesatsen för en rad med momskategori E (undantag från moms) ska vara 0.',
      zeroRate,
    ),
  ],
];

const reverseChargeRules: Family = [
  [
    root,
    fatal(
      'BR-AE-01',
      'Används momskategori AE (omvänd skattskyldighet) ska momsspecifikationen ha en rad för den.',
      oneRow('AE'),
    ),
    fatal(
      'BR-AE-02',
      'Har en rad momskategori AE (omvänd skattskyldighet) ska det finnas säljarens skattenummer samt köparens momsnummer eller organisationsnummer.',
      identified('AE', 'line', reverseChargeKnown),
    ),
    fatal(
      'BR-AE-03',
      'Har ett avdrag momskategori AE (omvänd skattskyldighet) ska det finnas säljarens skattenummer samt köparens momsnummer eller organisationsnummer.',
      identified('AE', 'allowance', reverseChargeKnown),
    ),
    fatal(
      'BR-AE-04',
      'Har ett tillägg momskategori AE (omvänd skattskyldighet) ska det finnas säljarens skattenummer samt köparens momsnummer eller organisationsnummer.',
      identified('AE', 'charge', reverseChargeKnown),
    ),
  ],
  [
    reverseCharge.breakdown,
    fatal(
      'BR-AE-08',
      'Underlaget för momskategori AE (omvänd skattskyldighet) ska vara summan av det som har kategorin.',
      taxableAmount('AE'),
    ),
    fatal(
      'BR-AE-09',
      'Momsbeloppet för momskategori AE (omvänd skattskyldighet) ska vara 0.',
      noTax,
    ),
    fatal(
      'BR-AE-10',
      'Momskategori AE (omvänd skattskyldighet) ska ha ett skäl (BT-120) eller en skälkod (BT-121).',
      withReason,
    ),
  ],
  [
    reverseCharge.allowance,
    fatal(
      'BR-AE-06',
      'Skattesatsen för ett avdrag med momskategori AE (omvänd skattskyldighet) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    reverseCharge.charge,
    fatal(
      'BR-AE-07',
      'Skattesatsen för ett tillägg med momskategori AE (omvänd skattskyldighet) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    reverseCharge.line,
    fatal(
      'BR-AE-05',
      'Skattesatsen för en rad med momskategori AE (omvänd skattskyldighet) ska vara 0.',
      zeroRate,
    ),
  ],
];

const intraCommunityRules: Family = [
  [
    root,
    fatal(
      'BR-IC-01',
      'Används momskategori K (leverans inom EU) ska momsspecifikationen ha en rad för den.',
      oneRow('K'),
    ),
    fatal(
      'BR-IC-02',
      'Har en rad momskategori K (leverans inom EU) ska det finnas säljarens (eller ombudets) och köparens momsnummer.',
      identified('K', 'line', bothByVat),
    ),
    fatal(
      'BR-IC-03',
      'Har ett avdrag momskategori K (leverans inom EU) ska det finnas säljarens (eller ombudets) och köparens momsnummer.',
      identified('K', 'allowance', bothByVat),
    ),
    fatal(
      'BR-IC-04',
      'Har ett tillägg momskategori K (leverans inom EU) ska det finnas säljarens (eller ombudets) och köparens momsnummer.',
      identified('K', 'charge', bothByVat),
    ),
    fatal(
      'BR-IC-11',
      'Vid leverans inom EU (K) ska leveransdag (BT-72) eller faktureringsperiod (BG-14) anges.',
      deliveryDated,
    ),
    fatal(
      'BR-IC-12',
      'Vid leverans inom EU (K) ska leveranslandet (BT-80) anges.',
      deliveryCountry,
    ),
  ],
  [
    intraCommunity.breakdown,
    fatal(
      'BR-IC-08',
      'Underlaget för momskategori K (leverans inom EU) ska vara summan av det som har kategorin.',
      taxableAmount('K'),
    ),
    fatal('BR-IC-09', 'Momsbeloppet för momskategori K (leverans inom EU) ska vara 0.', noTax),
    fatal(
      'BR-IC-10',
      'Momskategori K (leverans inom EU) ska ha ett skäl (BT-120) eller en skälkod (BT-121).',
      withReason,
    ),
  ],
  [
    intraCommunity.allowance,
    fatal(
      'BR-IC-06',
      'Skattesatsen för ett avdrag med momskategori K (leverans inom EU) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    intraCommunity.charge,
    fatal(
      'BR-IC-07',
      'Skattesatsen för ett tillägg med momskategori K (leverans inom EU) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    intraCommunity.line,
    fatal(
      'BR-IC-05',
      'Skattesatsen för en rad med momskategori K (leverans inom EU) ska vara 0.',
      zeroRate,
    ),
  ],
];

const exportOutsideEuRules: Family = [
  [
    root,
    fatal(
      'BR-G-01',
      'Används momskategori G (export) ska momsspecifikationen ha en rad för den.',
      oneRow('G'),
    ),
    fatal(
      'BR-G-02',
      'Har en rad momskategori G (export) ska det finnas säljarens eller ombudets momsnummer.',
      identified('G', 'line', sellerByVat),
    ),
    fatal(
      'BR-G-03',
      'Har ett avdrag momskategori G (export) ska det finnas säljarens eller ombudets momsnummer.',
      identified('G', 'allowance', sellerByVat),
    ),
    fatal(
      'BR-G-04',
      'Har ett tillägg momskategori G (export) ska det finnas säljarens eller ombudets momsnummer.',
      identified('G', 'charge', sellerByVat),
    ),
  ],
  [
    exportOutsideEu.breakdown,
    fatal(
      'BR-G-08',
      'Underlaget för momskategori G (export) ska vara summan av det som har kategorin.',
      taxableAmount('G'),
    ),
    fatal('BR-G-09', 'Momsbeloppet för momskategori G (export) ska vara 0.', noTax),
    fatal(
      'BR-G-10',
      'Momskategori G (export) ska ha ett skäl (BT-120) eller en skälkod (BT-121).',
      withReason,
    ),
  ],
  [
    exportOutsideEu.allowance,
    fatal(
      'BR-G-06',
      'Skattesatsen för ett avdrag med momskategori G (export) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    exportOutsideEu.charge,
    fatal(
      'BR-G-07',
      'Skattesatsen för ett tillägg med momskategori G (export) ska vara 0.',
      zeroRate,
    ),
  ],
  [
    exportOutsideEu.line,
    fatal('BR-G-05', 'Skattesatsen för en rad med momskategori G (export) ska vara 0.', zeroRate),
  ],
];

const outsideScopeRules: Family = [
  [
    root,
    fatal(
      'BR-O-01',
      'Används momskategori O (utanför momsen) ska momsspecifikationen ha en rad för den.',
      oneRow('O'),
    ),
    fatal(
      'BR-O-02',
      'Har en rad momskategori O (utanför momsen) ska varken säljare, ombud eller köpare ha momsnummer.',
      unidentified('line'),
    ),
    fatal(
      'BR-O-03',
      'Har ett avdrag momskategori O (utanför momsen) ska varken säljare, ombud eller köpare ha momsnummer.',
      unidentified('document_allowance'),
    ),
    fatal(
      'BR-O-04',
      'Har ett tillägg momskategori O (utanför momsen) ska varken säljare, ombud eller köpare ha momsnummer.',
      unidentified('document_charge'),
    ),
    fatal(
      'BR-O-11',
      'Är något utanför momsen (O) ska momsspecifikationen inte ha någon annan kategori.',
      aloneAt('breakdown'),
    ),
    fatal('BR-O-12', 'Är något utanför momsen (O) ska alla rader vara det.', aloneAt('line')),
    fatal('BR-O-13', 'Är något utanför momsen (O) ska alla avdrag vara det.', aloneAt('allowance')),
    fatal('BR-O-14', 'Är något utanför momsen (O) ska alla tillägg vara det.', aloneAt('charge')),
  ],
  [
    outsideScope.breakdown,
    fatal(
      'BR-O-08',
      'Underlaget för momskategori O (utanför momsen) ska vara summan av det som har kategorin.',
      taxableAmount('O'),
    ),
    fatal('BR-O-09', 'Momsbeloppet för momskategori O (utanför momsen) ska vara 0.', noTax),
    fatal(
      'BR-O-10',
      'Momskategori O (utanför momsen) ska ha ett skäl (BT-120) eller en skälkod (BT-121).',
      withReason,
    ),
  ],
  [
    outsideScope.allowance,
    fatal(
      'BR-O-06',
      'Skattesatsen för ett avdrag med momskategori O (utanför momsen) ska utelämnas.',
      absent('cbc:Percent'),
    ),
  ],
  [
    outsideScope.charge,
    fatal(
      'BR-O-07',
      'Skattesatsen för ett tillägg med momskategori O (utanför momsen) ska utelämnas.',
      absent('cbc:Percent'),
    ),
  ],
  [
    outsideScope.line,
    fatal(
      'BR-O-05',
      'Skattesatsen för en rad med momskategori O (utanför momsen) ska utelämnas.',
      absent('cbc:Percent'),
    ),
  ],
];

export const untaxedRules: Family = [
  ...zeroRatedRules,
  ...exemptRules,
  ...reverseChargeRules,
  ...intraCommunityRules,
  ...exportOutsideEuRules,
  ...outsideScopeRules,
];
