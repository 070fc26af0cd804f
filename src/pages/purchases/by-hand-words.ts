/** What is chosen among on a purchase written by hand, in words. */

import { toOre } from '../../domain/basics/exchange-rate.ts';
import { absolute, type Ore } from '../../domain/basics/money.ts';
import { type PurchaseVat, purchaseVatCodes } from '../../domain/purchases/vat-codes.ts';
import type { Reckoned } from '../../domain/purchases/written-purchase.ts';
import type { VatTerritory } from '../../domain/sales/buyer.ts';
import type { Option } from '../fields.ts';
import { amountText } from '../format.ts';

const places: Readonly<Record<VatTerritory, string>> = {
  sweden: 'i Sverige, omvänd moms',
  eu: 'från annat EU-land',
  outside_eu: 'från land utanför EU',
};

function words(vat: PurchaseVat): string {
  switch (vat.kind) {
    case 'none':
      return 'Ingen moms';
    case 'charged':
      return `${vat.rate} % moms`;
    case 'reverse_charge': {
      const { place, supply, charge } = vat;
      const isImport = place === 'outside_eu' && supply === 'goods';
      const what = supply === 'goods' ? 'Varor' : 'Tjänster';
      const rate = charge.rate === 0 ? 'momsfria' : `${charge.rate} %`;
      return isImport ? `Import av varor, ${rate}` : `${what} ${places[place]}, ${rate}`;
    }
    default:
      return vat satisfies never;
  }
}

export const vatCodeOptions: readonly Option[] = [...purchaseVatCodes].map(([value, vat]) => ({
  value,
  label: words(vat),
}));

/** What the script reckons with: per cent that the seller has charged, 0 for none. */
export const chargedRates: readonly { readonly code: string; readonly rate: number }[] = [
  ...purchaseVatCodes,
].map(([code, vat]) => ({ code, rate: vat.kind === 'charged' ? vat.rate : 0 }));

export const deductionOptions: readonly Option[] = [
  { value: 'whole', label: 'Hela' },
  { value: 'half', label: 'Hälften (leasad personbil)' },
  { value: 'none', label: 'Inget' },
  { value: 'percent', label: 'Annan andel, %' },
  { value: 'meals', label: 'Representation, antal personer' },
];

/** Accounts of outlays, by whose they are. */
export const outlayOwners: Readonly<Record<number, string>> = {
  2893: 'ägare till bolaget',
  2820: 'anställd',
  2018: 'ägare, enskild firma',
};

/** Whether rows come to what is to be paid, and that in kronor; the script says the same while they are typed. */
export function balanceWords(reckoned: Reckoned, totalOre: Ore, rateE6: bigint | null): string {
  const words = comeTo(reckoned, totalOre);
  if (rateE6 === null) return words;
  return `${words} I kronor: ${amountText(toOre(totalOre, { exchangeRateE6: rateE6 }))}.`;
}

function comeTo({ grossOre, vatOre, rests }: Reckoned, totalOre: Ore): string {
  const leftOre = totalOre - grossOre;
  const left = amountText(leftOre);
  const ofRows = `Raderna blir ${amountText(grossOre)} med moms, varav moms ${amountText(vatOre)}.`;
  if (rests === 1) {
    const rest = `Raden utan belopp tar resten: ${left} med moms.`;
    return grossOre === 0n ? rest : `${ofRows} ${rest}`;
  }
  if (leftOre === 0n) return `${ofRows} De går ihop med beloppet.`;
  const isRounding = absolute(leftOre) < 100n;
  return `${ofRows} ${isRounding ? `${left} blir öresutjämning.` : `Det skiljer ${left} mot beloppet.`}`;
}
