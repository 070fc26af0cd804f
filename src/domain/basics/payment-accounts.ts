/** Where somebody is paid: bankgiro, plusgiro, IBAN or another account, checked as far as they can be. */
import { groupDigits } from '../../lib/digits.ts';
import { isLuhnValid } from './luhn.ts';

export type PaymentAccountKind = 'bankgiro' | 'plusgiro' | 'iban' | 'other';

/**
 * The number without spaces and hyphens, null when its form or check digit is wrong. Bankgiro is 7–8
 * digits and plusgiro 2–8, both with a Luhn digit last; an IBAN has the remainder 1 modulo 97 (ISO 13616).
 */
export function normalizePaymentAccount(kind: PaymentAccountKind, text: string): string | null {
  const plain = plainOf(text);
  switch (kind) {
    case 'bankgiro':
      return bankgiroForm.test(plain) && isLuhnValid(plain) ? plain : null;
    case 'plusgiro':
      return plusgiroForm.test(plain) && isLuhnValid(plain) ? plain : null;
    case 'iban':
      return isIban(plain) ? plain : null;
    case 'other':
      return /^[A-Z0-9]{4,34}$/.test(plain) ? plain : null;
    default:
      return kind satisfies never;
  }
}

/**
 * What a person has typed, with its kind told by how it is written: an IBAN begins with a country, a bankgiro has four
 * digits after its hyphen and a plusgiro one. Digits without a hyphen are the bankgiro that they can be, else a
 * plusgiro. Null when the check digits of none go together.
 */
export function readPaymentAccount(
  text: string,
): { readonly kind: 'bankgiro' | 'plusgiro' | 'iban'; readonly number: string } | null {
  const typed = text.trim();
  const kinds = /^[A-Za-z]{2}/.test(typed)
    ? (['iban'] as const)
    : /[-–]\s*\d$/.test(typed)
      ? (['plusgiro'] as const)
      : /[-–]\d{4}$/.test(typed)
        ? (['bankgiro'] as const)
        : (['bankgiro', 'plusgiro'] as const);
  for (const kind of kinds) {
    const number = normalizePaymentAccount(kind, typed);
    if (number !== null) return { kind, number };
  }
  return null;
}

/** `5050-1055`, `4 10 54 68-5`, `SE45 5000 …`, however it was written; anything else as it is. */
export function formatPaymentAccount(kind: PaymentAccountKind, number: string): string {
  const plain = plainOf(number);
  if (kind === 'bankgiro' && bankgiroForm.test(plain)) {
    return `${plain.slice(0, -4)}-${plain.slice(-4)}`;
  }
  if (kind === 'plusgiro' && plusgiroForm.test(plain)) {
    const pairs = groupDigits(plain.slice(0, -1), ' ', 2);
    return `${pairs}-${plain.slice(-1)}`;
  }
  return kind === 'iban' ? plain.replace(/(.{4})(?=.)/g, '$1 ') : number;
}

/** As people write it, null when its form or check digit is wrong. */
export function writtenPaymentAccount(kind: PaymentAccountKind, text: string): string | null {
  const plain = normalizePaymentAccount(kind, text);
  return plain === null ? null : formatPaymentAccount(kind, plain);
}

/** A company's number in Swish, ten digits that begin with 123, as people write it; null when it is none. */
export function writtenSwishNumber(text: string): string | null {
  const [, first, second, third, fourth] = /^(123)(\d{3})(\d{2})(\d{2})$/.exec(plainOf(text)) ?? [];
  return first === undefined ? null : `${first} ${second} ${third} ${fourth}`;
}

const bankgiroForm = /^\d{7,8}$/;
const plusgiroForm = /^\d{2,8}$/;
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

const plainOf = (text: string): string => text.replace(/[\s\-–]/g, '').toUpperCase();

function isIban(plain: string): boolean {
  if (!ibanForm.test(plain)) return false;
  if (plain.startsWith('SE') && plain.length !== 24) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  // Letters count as 10–35, which base 36 says.
  const digits = moved.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}
