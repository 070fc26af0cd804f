/** What the VAT of a supplier's invoice is to the buyer: input VAT, part of the cost, or the buyer's own. */
import type { InvoiceSeller, VatShare } from './received-invoice.ts';
import {
  placeOfSeller,
  type ReverseCharge,
  reverseChargeOf,
  type SupplyMark,
} from './reverse-charge.ts';

export type PurchaseVatDoubt =
  | 'reverse_charge'
  | 'other_rate'
  | 'mark_disagrees'
  | 'no_vat_within_eu'
  | 'import_of_goods'
  | 'seller_place_unclear'
  | 'foreign_vat'
  | 'unusual_vat_category';

/** What the VAT on a purchase depends on besides the document's own breakdown. */
export interface TaxSituation {
  readonly seller: Pick<InvoiceSeller, 'vatNumber' | 'countryCode' | 'organizationNumber'>;
  readonly mark: SupplyMark;
}

export type Treatment =
  | { readonly kind: 'input_vat' | 'cost' }
  | { readonly kind: 'reverse_charge'; readonly charge: ReverseCharge };

const cost: Treatment = { kind: 'cost' };

/**
 * Goods or services decides which boxes count: K is goods (BR-IC rules); otherwise the supplier's mark
 * says, and without one they are taken for services, which a person then looks at.
 */
export function treatmentOf(
  { category, vatOre }: VatShare,
  { seller, mark }: TaxSituation,
  doubt: (doubt: PurchaseVatDoubt) => void,
): Treatment {
  if (category === 'S') {
    if (isSwedish(seller)) return { kind: 'input_vat' };
    // Another country's VAT is no input VAT here (ML 13:4): it is part of what was bought.
    doubt('foreign_vat');
    return cost;
  }
  if (vatOre !== 0n || !withoutVat.has(category)) {
    doubt('unusual_vat_category');
    return cost;
  }
  const supply = category === 'K' ? 'goods' : (mark.supply ?? 'services');
  const place = placeOfSeller(seller, supply);
  if (place === null) {
    doubt('seller_place_unclear');
    return cost;
  }
  const isOwedInSweden = place === 'sweden' && category === 'AE';
  if (place === 'sweden' && !isOwedInSweden) {
    // Neither export nor supply to another country is sold from Sweden to Sweden.
    if (category === 'G' || category === 'K') doubt('unusual_vat_category');
    return cost;
  }
  if (place === 'outside_eu' && category === 'K') {
    doubt('unusual_vat_category');
    return cost;
  }
  if (place === 'eu' && category !== 'K' && category !== 'AE') {
    doubt('no_vat_within_eu');
    if (mark.supply === null) return cost;
  }
  if (mark.supply === null) doubt('reverse_charge');
  else if (mark.supply !== supply) doubt('mark_disagrees');
  if (mark.rate !== 25) doubt('other_rate');
  if (place === 'outside_eu' && supply === 'goods') doubt('import_of_goods');
  const charge = reverseChargeOf(place, supply, mark.rate);
  return charge === null ? cost : { kind: 'reverse_charge', charge };
}

/** Categories whose VAT, if there is any, the seller does not charge. */
const withoutVat = new Set(['Z', 'E', 'G', 'O', 'AE', 'K']);

/** Registered for VAT in Sweden, so that its VAT is Swedish input VAT. */
const isSwedish = ({ vatNumber, countryCode }: TaxSituation['seller']): boolean =>
  vatNumber === null ? countryCode === 'SE' : vatNumber.startsWith('SE');

/** Whether what the supplier sells decides how its document is booked. */
export function isMarkNeeded(shares: readonly VatShare[], situation: TaxSituation): boolean {
  const doubts = new Set<PurchaseVatDoubt>();
  const treated = shares.map((share) => treatmentOf(share, situation, (one) => doubts.add(one)));
  const isOwed = treated.some(({ kind }) => kind === 'reverse_charge');
  return isOwed || doubts.has('other_rate') || doubts.has('no_vat_within_eu');
}
