/** Values as a person reads them, in their language. */
import { absolute, type Ore } from '../domain/basics/money.ts';
import { say } from '../lib/language.ts';
import { amountText, decimalText, kronorText } from '../lib/numbers.ts';

export { amountText, count, dayInWords, monthInWords } from '../lib/numbers.ts';

/** `1 234,50 kr`, with spaces that do not break. */
export const kronor = (ore: Ore): string => kronorText(ore);

/** What is left of an invoice, without a minus: below zero it is somebody else's to pay, which `back` says. */
export const remaining = (ore: Ore, back: 'betala tillbaka' | 'få tillbaka') => ({
  label:
    ore >= 0n
      ? say`Kvar att betala`
      : back === 'betala tillbaka'
        ? say`Kvar att betala tillbaka`
        : say`Kvar att få tillbaka`,
  amount: kronorText(absolute(ore)),
});

/** Nothing for nothing. */
export const amountOrEmpty = (ore: Ore): string => (ore === 0n ? '' : amountText(ore));

/** `2026-11-21 10:38` in the installation's time zone. */
export { momentOf as moment } from '../lib/clock.ts';

/** A quantity or unit price in ten-thousandths, as short as it goes: `1,5`. */
export const e4Text = (valueE4: bigint): string => decimalText(valueE4);

/** An amount of whole kronor, without the word. */
export const wholeKronorText = (kronor: bigint): string => decimalText(kronor * 10_000n);

/** A unit price in ten-thousandths of a krona, with the öre and what is finer: `48 900,00`, `0,1234`. */
export const priceText = (valueE4: bigint): string => decimalText(valueE4, 2);
