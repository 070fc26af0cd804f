import { luhnDigit } from './luhn.ts';

/**
 * The OCR reference of an invoice: its number, a length digit (whole length modulo 10, both control
 * digits counted) and a Luhn digit. This form passes every check level Bankgirot offers, soft,
 * hard and with variable length, so the owner need not say which one the bank agreement has.
 */
export function ocrFor(invoiceNumber: number): string {
  if (!Number.isSafeInteger(invoiceNumber) || invoiceNumber < 1) {
    throw new RangeError(`${invoiceNumber} is no invoice number`);
  }
  const number = String(invoiceNumber);
  const withLength = `${number}${(number.length + 2) % 10}`;
  return `${withLength}${luhnDigit(withLength)}`;
}
