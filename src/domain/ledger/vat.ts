/** Swedish VAT rates and the arithmetic of one rate: mervärdesskattelagen (2023:200) 9 kap. */
import { divideRounded, type Ore } from '../basics/money.ts';

/** Per cent; 0 stands for exempt, reverse charge and export alike. */
export const vatRates = [25, 12, 6, 0] as const;
export type VatRate = (typeof vatRates)[number];
/** At which VAT is charged. */
export type TaxedRate = Exclude<VatRate, 0>;

/** `25, 12, 6 eller 0`. */
export const vatRateWords = new Intl.ListFormat('sv', { type: 'disjunction' }).format(
  vatRates.map(String),
);

export function isVatRate(rate: number): rate is VatRate {
  return vatRates.some((known) => known === rate);
}

/** Account of output VAT on sales in Sweden (BAS), null for 0 %, which bears none. */
export function outputVatAccount(rate: VatRate): number | null {
  switch (rate) {
    case 25:
      return 2611;
    case 12:
      return 2621;
    case 6:
      return 2631;
    case 0:
      return null;
    default:
      return rate satisfies never;
  }
}

/** Account of sales in Sweden (BAS) at each rate that bears VAT. At 0 % it follows from why there is none. */
export const domesticSalesAccounts: Readonly<Record<TaxedRate, number>> = {
  25: 3001,
  12: 3002,
  6: 3003,
};

/** VAT contained in an amount including VAT: gross × r / (100 + r). */
export function vatFromGross(grossOre: Ore, rate: VatRate): Ore {
  return divideRounded(grossOre * BigInt(rate), BigInt(100 + rate));
}

/** VAT on an amount excluding VAT: net × r / 100 (BR-CO-17; Skatteverket rounds the same way). */
export function vatFromNet(netOre: Ore, rate: VatRate): Ore {
  return divideRounded(netOre * BigInt(rate), 100n);
}
