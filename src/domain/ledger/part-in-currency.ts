/**
 * A document in another currency that is paid in parts: each part has an exchange difference of its own on the day it is paid
 * (ÅRL 4 kap. 13 §; K2 and K3 alike take it to the result of the year it arises in), and what is left in the currency is what
 * is left. Payments say kronor; what they are of the currency is the same part as they settle of what was booked.
 */
import { absolute, divideRounded, type Ore } from '../basics/money.ts';

export interface WholeInCurrency {
  /** All of it in hundredths of the currency, and what it was booked on; above zero both. */
  readonly wholeAmount: bigint;
  readonly wholeOre: Ore;
}

interface OpenOfCurrency extends WholeInCurrency {
  readonly openOre: Ore;
}

/** A supplier's invoice as that: `payable` in hundredths of its currency, and what is open and has been paid of what it was booked on. */
export const purchaseInCurrency = (
  payable: bigint,
  openOre: Ore,
  paidOre: Ore,
): OpenOfCurrency => ({
  wholeAmount: absolute(payable),
  wholeOre: absolute(openOre + paidOre),
  openOre,
});

/** What is open in hundredths of the currency: the same part as is open of the kronor. */
export const amountOpen = ({ wholeAmount, openOre, wholeOre }: OpenOfCurrency): bigint =>
  divideRounded(wholeAmount * openOre, wholeOre);

/** What so much of the currency was booked on; all that is open where an öre at most would be left of it. */
export function bookedOf(amount: bigint, document: OpenOfCurrency): Ore {
  const { wholeAmount, wholeOre, openOre } = document;
  const ore = divideRounded(wholeOre * amount, wholeAmount);
  return absolute(openOre - ore) <= 1n ? openOre : ore;
}
