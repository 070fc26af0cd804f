/** Where a buyer is, as VAT sees it. */
import { countryOf, isEuCountry, vatPrefixOf } from '../basics/countries.ts';
import { normalizeVatNumber } from '../basics/identifiers.ts';
import type { Debtor } from './debtor.ts';

export type Supply = 'goods' | 'services';
export type VatTerritory = 'sweden' | 'eu' | 'outside_eu';

export interface Buyer {
  /** ISO code; an order without a country is taken to be Swedish. */
  readonly country: string;
  /** As given, null when none was. */
  readonly vatNumberGiven: string | null;
  /** Normalized, null when it cannot be one. */
  readonly vatNumber: string | null;
}

/** Of a buyer or a seller: what settles where it is. */
type Located = Pick<Buyer, 'country' | 'vatNumber'>;

/** Northern Ireland is in the EU's VAT area for goods and outside it for services. */
export function placeOf(buyer: Located, supply: Supply): VatTerritory {
  if (buyer.country === 'SE') return 'sweden';
  if (isNorthernIrish(buyer)) return supply === 'goods' ? 'eu' : 'outside_eu';
  return isEuCountry(buyer.country) ? 'eu' : 'outside_eu';
}

/** Whether the VAT number is one that the buyer's own country gives out. */
export function hasVatNumberOfCountry(buyer: Buyer): boolean {
  const prefix = vatPrefixOf(isNorthernIrish(buyer) ? 'XI' : buyer.country);
  return prefix !== null && buyer.vatNumber?.startsWith(prefix) === true;
}

/** Whether a VAT number, normalized, is of another EU country: who has one mostly buys without Swedish VAT. */
export function isOfOtherEuCountry(vatNumber: Buyer['vatNumber']): vatNumber is string {
  const prefix = vatNumber === null ? null : vatPrefixOf(vatNumber.slice(0, 2));
  return prefix !== null && prefix !== 'SE';
}

function isNorthernIrish({ country, vatNumber }: Located): boolean {
  return country === 'XI' || (country === 'GB' && vatNumber?.startsWith('XI') === true);
}

export function buyerOf({
  countryCode,
  vatNumber,
}: Pick<Debtor, 'countryCode' | 'vatNumber'>): Buyer {
  return {
    country: countryOf(countryCode ?? 'SE') ?? 'SE',
    vatNumberGiven: vatNumber,
    vatNumber: vatNumber === null ? null : normalizeVatNumber(vatNumber),
  };
}
