/** Where a supplier is paid: bankgiro, plusgiro, IBAN or another account, checked as far as they can be. */
import { isLuhnValid } from './luhn.ts';

export type PayeeAccountKind = 'bankgiro' | 'plusgiro' | 'iban' | 'other';

/**
 * The number without spaces and hyphens, null when its form or check digit is wrong. Bankgiro is 7–8
 * digits and plusgiro 2–8, both with a Luhn digit last; an IBAN has the remainder 1 modulo 97 (ISO 13616).
 */
export function normalizePayeeAccount(kind: PayeeAccountKind, text: string): string | null {
  const plain = text.replace(/[\s\-–]/g, '').toUpperCase();
  switch (kind) {
    case 'bankgiro':
      return /^\d{7,8}$/.test(plain) && isLuhnValid(plain) ? plain : null;
    case 'plusgiro':
      return /^\d{2,8}$/.test(plain) && isLuhnValid(plain) ? plain : null;
    case 'iban':
      return isIban(plain) ? plain : null;
    case 'other':
      return /^[A-Z0-9]{4,34}$/.test(plain) ? plain : null;
    default:
      return kind satisfies never;
  }
}

/** `5050-1055`, `410 54 68-5`, `SE45 5000 …`: as people write it. */
export function formatPayeeAccount(kind: string, number: string): string {
  if (kind === 'bankgiro' && number.length > 4) return `${number.slice(0, -4)}-${number.slice(-4)}`;
  if (kind === 'plusgiro' && number.length > 1) return `${number.slice(0, -1)}-${number.slice(-1)}`;
  return kind === 'iban' ? number.replace(/(.{4})(?=.)/g, '$1 ') : number;
}

function isIban(plain: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false;
  if (plain.startsWith('SE') && plain.length !== 24) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  let remainder = 0;
  for (const character of moved) {
    // Letters count as 10–35, which base 36 says.
    remainder = Number(`${remainder}${Number.parseInt(character, 36)}`) % 97;
  }
  return remainder === 1;
}
