/** The VAT codes that a person chooses among for a row of a purchase; what each is to the VAT return. */
import type { VatRate } from '../ledger/vat.ts';
import type { Supply, VatTerritory } from '../sales/buyer.ts';
import { type ReverseCharge, reverseChargeOf } from './reverse-charge.ts';

export type PurchaseVat =
  /** Charged by the seller: input VAT, as far as it may be deducted. */
  | { readonly kind: 'charged'; readonly rate: VatRate }
  /** None, or none that may be deducted: all of it is cost. */
  | { readonly kind: 'none' }
  /** Owed by us. */
  | {
      readonly kind: 'reverse_charge';
      readonly place: VatTerritory;
      readonly supply: Supply;
      readonly charge: ReverseCharge;
    };

const rates = { 1: 25, 2: 12, 3: 6 } as const satisfies Record<number, VatRate>;

/** By the letters that the chart's base accounts have. */
const prefixes: readonly (readonly [prefix: string, place: VatTerritory, supply: Supply])[] = [
  ['IVEU', 'eu', 'goods'],
  ['ITEU', 'eu', 'services'],
  ['ITGLOB', 'outside_eu', 'services'],
  ['BI', 'outside_eu', 'goods'],
  ['ITOS', 'sweden', 'services'],
  ['IVOS', 'sweden', 'goods'],
];

function owed(place: VatTerritory, supply: Supply, rate: VatRate): PurchaseVat {
  const charge = reverseChargeOf(place, supply, rate);
  if (charge === null) throw new RangeError(`no box for ${supply} from ${place} at ${rate} %`);
  return { kind: 'reverse_charge', place, supply, charge };
}

/** In the order that people meet them. */
export const purchaseVatCodes: ReadonlyMap<string, PurchaseVat> = new Map<string, PurchaseVat>([
  ['I25', { kind: 'charged', rate: 25 }],
  ['I12', { kind: 'charged', rate: 12 }],
  ['I6', { kind: 'charged', rate: 6 }],
  ['I0', { kind: 'none' }],
  ...prefixes.flatMap(([prefix, place, supply]) =>
    Object.entries(rates).map(([digit, rate]): [string, PurchaseVat] => [
      `${prefix}${digit}`,
      owed(place, supply, rate),
    ]),
  ),
  ['IVEU0', owed('eu', 'goods', 0)],
]);

/** Where nothing else is said. */
export const usualVatCode = 'I25';
