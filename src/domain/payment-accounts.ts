/** Bankgiro, plusgiro and IBAN, checked and in the one spelling in which we store them. */
import { isLuhnValid } from './luhn.ts';

/** `5050-1055` or `991-2346`: seven or eight digits of which the last is a check digit. Null otherwise. */
export function normalizeBankgiro(text: string): string | null {
  const digits = text.replace(/[\s\-–]/g, '');
  if (!/^\d{7,8}$/.test(digits) || !isLuhnValid(digits)) return null;
  return `${digits.slice(0, -4)}-${digits.slice(-4)}`;
}

/** `12 34 56-6`: two to eight digits of which the last is a check digit, in pairs. Null otherwise. */
export function normalizePlusgiro(text: string): string | null {
  const digits = text.replace(/[\s\-–]/g, '');
  if (!/^\d{2,8}$/.test(digits) || !isLuhnValid(digits)) return null;
  const pairs = digits.slice(0, -1).replace(/\B(?=(\d{2})+$)/g, ' ');
  return `${pairs}-${digits.slice(-1)}`;
}

/** An IBAN in groups of four (ISO 13616), whose remainder by 97 is 1 (ISO 7064). Null otherwise. */
export function normalizeIban(text: string): string | null {
  const compact = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return null;
  if (compact.startsWith('SE') && compact.length !== 24) return null;
  const moved = compact.slice(4) + compact.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n ? compact.replace(/(.{4})(?=.)/g, '$1 ') : null;
}
