/** Organisation numbers and VAT numbers, in the one spelling in which we store and compare them. */
import { isLuhnValid } from './luhn.ts';

/** What follows the prefix of a VAT number, per EU member state (VIES). SE is checked apart. */
const vatNumberPatterns = new Map([
  ['AT', /^U\d{8}$/],
  ['BE', /^[01]\d{9}$/],
  ['BG', /^\d{9,10}$/],
  ['CY', /^\d{8}[A-Z]$/],
  ['CZ', /^\d{8,10}$/],
  ['DE', /^\d{9}$/],
  ['DK', /^\d{8}$/],
  ['EE', /^\d{9}$/],
  ['EL', /^\d{9}$/],
  ['ES', /^[A-Z]\d{7}[A-Z0-9]$|^\d{8}[A-Z]$/],
  ['FI', /^\d{8}$/],
  ['FR', /^[A-Z0-9]{2}\d{9}$/],
  ['HR', /^\d{11}$/],
  ['HU', /^\d{8}$/],
  ['IE', /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/],
  ['IT', /^\d{11}$/],
  ['LT', /^\d{9}(\d{3})?$/],
  ['LU', /^\d{8}$/],
  ['LV', /^\d{11}$/],
  ['MT', /^\d{8}$/],
  ['NL', /^[A-Z0-9+*]{10}\d{2}$/],
  ['PL', /^\d{10}$/],
  ['PT', /^\d{9}$/],
  ['RO', /^\d{2,10}$/],
  ['SI', /^\d{8}$/],
  ['SK', /^\d{10}$/],
  ['XI', /^\d{9}(\d{3})?$|^GD\d{3}$|^HA\d{3}$/],
]);

/**
 * The ten digits of a Swedish organisation number or, for a sole trader, personal identity number
 * (or co-ordination number), whichever way it is written: `556702-6934`, `165567026934`,
 * `19811218-9876`. Null when the check digit or the form is wrong.
 */
export function normalizeOrganizationNumber(text: string): string | null {
  const digits = text.replace(/[\s\-–+]/g, '');
  const match = /^(16|18|19|20)?(\d{10})$/.exec(digits);
  const [, century, number] = match ?? [];
  if (number === undefined || !isLuhnValid(number)) return null;
  const isOrganization = !isPersonalNumber(number);
  const isAllowed =
    century === undefined
      ? isOrganization || isBirthDate(number)
      : isOrganization === (century === '16') && (isOrganization || isBirthDate(number));
  return isAllowed ? number : null;
}

/**
 * Whether ten digits are a personal identity number, as a sole trader has: the third digit of an
 * organisation number is at least 2, so that it is never taken for a birth date (SKV 709).
 */
export const isPersonalNumber = (digits: string): boolean => Number(digits[2]) < 2;

/** Whether ten digits are a limited company's (aktiebolag): the first tells the kind (SKV 709). */
export const isLimitedCompany = (digits: string): boolean =>
  digits.startsWith('5') && !isPersonalNumber(digits);

/** Whether ten digits are a partnership's (handelsbolag, kommanditbolag or enkelt bolag). */
export const isPartnership = (digits: string): boolean =>
  digits.startsWith('9') && !isPersonalNumber(digits);

/** `556702-6934` from ten digits, the way Swedes write it. */
export function formatOrganizationNumber(digits: string): string {
  return `${digits.slice(0, 6)}-${digits.slice(6)}`;
}

/**
 * A VAT number of an EU member state or Northern Ireland, upper case without spaces, dots and
 * dashes, GR written as EL. Swedish ones are SE + organisation number + two digits and are checked
 * in full; others only by form, since that they are registered is for VIES to say. Null otherwise.
 */
export function normalizeVatNumber(text: string): string | null {
  const compact = text.toUpperCase().replace(/[\s.\-–]/g, '');
  const prefix = compact.startsWith('GR') ? 'EL' : compact.slice(0, 2);
  const rest = compact.slice(2);
  if (prefix === 'SE') {
    const isSwedish = /^\d{12}$/.test(rest) && isLuhnValid(rest.slice(0, 10));
    return isSwedish ? `SE${rest}` : null;
  }
  return vatNumberPatterns.get(prefix)?.test(rest) ? `${prefix}${rest}` : null;
}

function isBirthDate(number: string): boolean {
  const month = Number(number.slice(2, 4));
  const day = Number(number.slice(4, 6));
  // Co-ordination numbers have 60 added to the day.
  return month >= 1 && month <= 12 && day % 60 >= 1 && day % 60 <= 31;
}

/**
 * What another system calls a thing, without the space around it and in the Unicode form NFC, so that two spellings of
 * one name are one.
 */
export const plainExternalId = (id: string): string => id.normalize('NFC').trim();
