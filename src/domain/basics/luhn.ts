/** Luhn check digits, mod 10: organisation numbers, OCR references, bankgiro, plusgiro. */

/** The digit that makes `digits` + digit pass the check. */
export function luhnDigit(digits: string): number {
  let total = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const product = index % 2 === 0 ? digit * 2 : digit;
    total += product > 9 ? product - 9 : product;
  }
  return (10 - (total % 10)) % 10;
}

/** Whether the text is at least two digits of which the last is the check digit of the others. */
export function isLuhnValid(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  return luhnDigit(digits.slice(0, -1)) === Number(digits.at(-1));
}

/** Whether a payment's reference is an OCR number (Bankgirot): 2–25 digits of which the last is a check digit. */
export const isOcrNumber = (reference: string): boolean =>
  /^\d{2,25}$/.test(reference) && isLuhnValid(reference);
