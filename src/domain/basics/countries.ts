/**
 * Countries as VAT sees them. Codes are ISO 3166-1 alpha-2; in addition XI stands for Northern
 * Ireland and XK for Kosovo, neither of which ISO has.
 */

const isoCodes = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG
  EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR
  HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR
  LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
  NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE
  SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA
  UG UM US UY UZ VA VC VE VG VI VN VU WF WS XI XK YE YT ZA ZM ZW`.split(/\s+/),
);

/** What people write for a country that ISO calls otherwise. */
const otherNames = new Map([
  ['EL', 'GR'],
  ['UK', 'GB'],
]);

/**
 * The VAT number prefix of each country in the EU's VAT area (ML 2 kap.): Greece uses EL, and
 * Monaco counts as France. Åland (AX) and overseas territories with their own codes lie outside it.
 */
const euVatPrefixes = new Map([
  ...`AT BE BG CY CZ DE DK EE ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK`
    .split(' ')
    .map((code): [string, string] => [code, code]),
  ['GR', 'EL'],
  ['MC', 'FR'],
]);

/** The ISO code of a country however it is spelt (`el`, `UK`), null when there is none. */
export function countryOf(code: string): string | null {
  const upper = code.trim().toUpperCase();
  const country = otherNames.get(upper) ?? upper;
  return isoCodes.has(country) ? country : null;
}

/**
 * Whether the country belongs to the EU's VAT area for goods and services alike. Not Northern
 * Ireland (XI): it does so for goods only.
 */
export function isEuCountry(code: string): boolean {
  const country = countryOf(code);
  return country !== null && euVatPrefixes.has(country);
}

/** The two letters that open a VAT number of the country, null outside the EU; XI has its own. */
export function vatPrefixOf(code: string): string | null {
  const country = countryOf(code);
  if (country === 'XI') return 'XI';
  return country === null ? null : (euVatPrefixes.get(country) ?? null);
}
