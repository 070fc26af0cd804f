/**
 * Sales to consumers in other EU countries with the VAT of their country, by a company that files it in the one stop shop
 * (OSS, unionsordningen; ML 22 kap., directive 2006/112/EC articles 33, 58 and 369a–k). What it charges is the shop's to
 * say; the rates below only tell that VAT from Sweden's and ask for a second look, since countries change theirs.
 */
import { countryOf, isEuCountry } from '../basics/countries.ts';
import { percentE2 } from '../ledger/vat.ts';
import type { Supply } from './buyer.ts';

/** Sales with the VAT of other countries: an account of its own (BAS has none), whose VAT code counts in no box. */
export const oneStopShopSales = 3107;
/** The code of such accounts. */
export const oneStopShopCode = 'OSS';

/** Per cent in use in 2025 and 2026 (European Commission, Taxes in Europe Database), standard first. */
const rates: Readonly<Record<string, readonly number[]>> = {
  AT: [20, 13, 10],
  BE: [21, 12, 6],
  BG: [20, 9],
  CY: [19, 9, 5, 3],
  CZ: [21, 12],
  DE: [19, 7],
  DK: [25],
  EE: [24, 22, 13, 9],
  ES: [21, 10, 4],
  FI: [25.5, 14, 13.5, 10],
  FR: [20, 10, 5.5, 2.1],
  GR: [24, 17, 13, 6, 4],
  HR: [25, 13, 5],
  HU: [27, 18, 5],
  IE: [23, 13.5, 9, 4.8],
  IT: [22, 10, 5, 4],
  LT: [21, 12, 9, 5],
  LU: [17, 14, 8, 3],
  LV: [21, 12, 5],
  MT: [18, 12, 7, 5],
  NL: [21, 9],
  PL: [23, 8, 5],
  PT: [23, 22, 16, 13, 12, 9, 6, 5, 4],
  RO: [21, 19, 11, 9, 5],
  SI: [22, 9.5, 5],
  SK: [23, 20, 19, 10, 5],
  XI: [20, 5],
};

/** Whether the country has had the rate lately. */
export const hasRate = (country: string, rate: number): boolean =>
  rates[country]?.includes(rate) ?? false;

/**
 * The country whose VAT is meant by a code, as the one stop shop has it: Monaco is France there, and Northern Ireland is
 * of the EU for goods. Null for Sweden and for what lies outside.
 */
export function taxCountryOf(code: string, supply: Supply): string | null {
  const country = countryOf(code);
  if (country === null || country === 'SE') return null;
  if (country === 'MC') return 'FR';
  if (country === 'XI') return supply === 'goods' ? 'XI' : null;
  return isEuCountry(country) ? country : null;
}

/** A rate that a country can have: more than 1 % (less is a fraction of a hundred by mistake), at most two decimals. */
export const mayBeRate = (rate: number): boolean =>
  rate > 1 && rate <= 50 && Number(percentE2(rate)) / 100 === rate;
