/** Check digits of registration numbers, computed as the official rules do. All take plain text. */
import { isLuhnValid } from '#src/domain/basics/luhn.ts';
import { trimBlanks } from '../decimal.ts';
import { quote } from '../finding.ts';
import { Uncomputable } from '../xpath.ts';

const digit = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39 ? code - 0x30 : Number.NaN;
};

const isInteger = (text: string): boolean => /^[+-]?[0-9]+$/.test(trimBlanks(text));

/** Digits before the last, from the right, times their weights. */
function weighted(number: string, weight: (place: number) => number): number {
  let total = 0;
  for (let place = 0; place < number.length - 1; place += 1) {
    total += digit(number, number.length - 2 - place) * weight(place);
  }
  return total;
}

/** GS1: weights 3 and 1 from the right. The rule sets no length. */
export function isGln(number: string): boolean {
  if (!/^[0-9]+$/.test(number)) return false;
  const total = weighted(number, (place) => (place % 2 === 0 ? 3 : 1));
  return (10 - (total % 10)) % 10 === digit(number, number.length - 1);
}

/** Modulus 11, Norwegian organisation numbers: weights 2 … 7. */
export function isMod11(number: string): boolean {
  if (!(Number(number) > 0)) return false;
  const total = weighted(number, (place) => (place % 6) + 2);
  return (11 - (total % 11)) % 11 === digit(number, number.length - 1);
}

/** Modulus 97, Belgian enterprise numbers: the last two digits. */
export function isBelgian(number: string): boolean {
  if (!/^[0-9]{10}$/.test(number)) return false;
  return 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8));
}

/** Luhn, Swedish organisation numbers: the tenth digit checks the first nine. */
export const isSwedish = (number: string): boolean =>
  /^[0-9]{10,}$/.test(number) && isLuhnValid(number.slice(0, 10));

/** Modulus 89, Australian business numbers. */
export function isAustralian(number: string): boolean {
  if (!/^[0-9]{11}$/.test(number)) return false;
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  const total = weights.reduce((sum, weight, place) => sum + digit(number, place) * weight, 0);
  // One is taken from the first digit, whose weight is 10.
  return (total - 10) % 89 === 0;
}

/** Greek tax numbers: eight digits with weights 256 … 2, then the check digit. */
export function isGreek(number: string): boolean {
  const places = [0, 1, 2, 3, 4, 5, 6, 7];
  const total = places.reduce((sum, place) => sum + digit(number, place) * 2 ** (8 - place), 0);
  return (total % 11) % 10 === digit(number, 8);
}

/** Italian office codes: six letters or digits. */
export const isItalianOffice = (code: string): boolean => /^[A-Za-z0-9]{6}$/.test(code);

/** Italian tax codes: 16 characters in a fixed form for people, 11 digits for firms. */
export function isItalianTaxCode(code: string): boolean {
  // XPath counts characters, not UTF-16 units.
  const characters = [...code];
  if (characters.length === 11) return isInteger(code);
  if (characters.length !== 16) return false;
  const part = (from: number, to: number): string => characters.slice(from, to).join('');
  const letters = [part(0, 6), part(8, 9), part(15, 16)];
  const numbers = [part(6, 8), part(9, 11), part(14, 15)];
  return letters.every((one) => /^[A-Za-z]*$/.test(one)) && numbers.every(isInteger);
}

/** Italian VAT numbers, when they begin with IT: 11 digits with Luhn's check; others pass. */
export function isItalianVat(number: string): boolean {
  const prefix = number.slice(0, 2);
  if (prefix !== 'IT' && prefix !== 'it') return true;
  const digits = number.slice(2);
  if (digits.length !== 11 || !isInteger(digits)) return false;
  if (!/^[0-9]+$/.test(digits)) throw new Uncomputable(quote(number));
  return isLuhnValid(digits);
}

/** The IBAN check (ISO 13616): digits modulo 97 leave 1. Blanks within are ignored. */
export function isIban(text: string): boolean {
  const iban = text.replace(/[ \t\r\n]/g, '');
  if (!/^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{0,30}$/.test(iban)) return false;
  const digits = [...(iban.slice(4) + iban.slice(0, 4))].map((character) => {
    const code = character.charCodeAt(0);
    return code > 64 ? code - 55 : code - 48;
  });
  return BigInt(digits.join('')) % 97n === 1n;
}
