/** Swedish VAT rates and the arithmetic of one rate: mervärdesskattelagen (2023:200) 9 kap. */
import { divideRounded, type Ore, wholeE2 } from '../basics/money.ts';

/** Per cent; 0 stands for exempt, reverse charge and export alike. */
export const vatRates = [25, 12, 6, 0] as const;
export type VatRate = (typeof vatRates)[number];
/** At which VAT is charged. */
export type TaxedRate = Exclude<VatRate, 0>;

/** `25, 12, 6 eller 0`. */
export const vatRateWords = vatRates.join(', ').replace(/, (\d+)$/, ' eller $1');

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

/** Account of input VAT in Sweden that is deducted (BAS). */
export const inputVatAccount = 2641;

/** Account of the VAT within what is booked on an account: owed of a sale, deducted of what is bought; null where neither can be. */
export function vatAccountOf(account: number, rate: TaxedRate): number | null {
  const first = Math.floor(account / 1000);
  if (first === 3) return outputVatAccount(rate);
  return first === 1 || (first >= 4 && first <= 7) ? inputVatAccount : null;
}

/** Account of sales in Sweden (BAS) at each rate that bears VAT. At 0 % it follows from why there is none. */
export const domesticSalesAccounts: Readonly<Record<TaxedRate, number>> = {
  25: 3001,
  12: 3002,
  6: 3003,
};

/** BAS: VAT of other EU countries, filed in the one stop shop (OSS) and in no box of the Swedish return. */
export const oneStopShopAccount = 2670;

/** Per cent, with two decimals at most (25,5 in Finland), in hundredths. */
export const percentE2 = (rate: number): bigint => BigInt(Math.round(rate * 100));

/** VAT contained in an amount including VAT: gross × r / (100 + r). The rate is any country's, per cent. */
export function vatFromGross(grossOre: Ore, rate: number): Ore {
  return divideRounded(grossOre * percentE2(rate), wholeE2 + percentE2(rate));
}

/** VAT on an amount excluding VAT: net × r / 100 (BR-CO-17; Skatteverket rounds the same way). */
export function vatFromNet(netOre: Ore, rate: number): Ore {
  return divideRounded(netOre * percentE2(rate), wholeE2);
}
