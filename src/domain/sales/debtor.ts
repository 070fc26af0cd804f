/**
 * Whom an invoice made of an order is to: what the order itself says, and what the customer register
 * knows besides. An invoice of more than 4 000 kr names its buyer with address (ML 2023:200, 17 kap.
 * 24 and 26 §§), and a shop seldom sends one.
 */

import { normalizeVatNumber } from '../basics/identifiers.ts';
import type { CustomerIdentity } from './customer-match.ts';

/** Numbers and country in their normal spelling, where they have one. */
export interface Debtor extends CustomerIdentity {
  readonly countryCode: string | null;
  readonly address: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly phone: string | null;
}

export interface FilledDebtor {
  readonly debtor: Debtor;
  /** Which of its facts came from the register; the others are the order's own. */
  readonly filled: readonly (keyof Debtor)[];
}

const addressParts = ['address', 'postalCode', 'city'] as const;
const singles = ['email', 'orgNumber', 'vatNumber', 'countryCode', 'phone'] as const;

/**
 * The order's own facts, its gaps filled from the register. An address is filled whole or not at all,
 * and a register that speaks of somebody else (`speaksOfAnother`) fills nothing.
 */
export function fillDebtor(own: Debtor, register: Debtor | null): FilledDebtor {
  if (register === null || speaksOfAnother(own, register)) return { debtor: own, filled: [] };
  const isElsewhere = differ(own.countryCode, register.countryCode);
  const hasAddress = addressParts.some((part) => own[part] !== null);
  const filled = [...singles, ...(hasAddress || isElsewhere ? [] : addressParts)].filter(
    (name) => own[name] === null && register[name] !== null,
  );
  const facts = Object.fromEntries(filled.map((name) => [name, register[name]]));
  return { debtor: { ...own, ...facts }, filled };
}

/** What the order itself said, of a debtor that was filled. Earlier versions stored no address at all. */
export function ownDebtor({ debtor, filled }: FilledDebtor): Debtor {
  const unsaid = { address: null, postalCode: null, city: null, phone: null };
  const fromRegister = Object.fromEntries(filled.map((name) => [name, null]));
  return { ...unsaid, ...debtor, ...fromRegister };
}

/**
 * Whether the register's facts and the order's cannot be one buyer's: other numbers or, without a number
 * in common, another country or e-mail address (a namesake).
 */
export function speaksOfAnother(own: Debtor, register: Debtor): boolean {
  const [ownNumber, number] = [legalNumberOf(own), legalNumberOf(register)];
  if (differ(own.vatNumber, register.vatNumber) || differ(ownNumber, number)) return true;
  const hasSameNumber =
    (own.vatNumber !== null && own.vatNumber === register.vatNumber) ||
    (ownNumber !== null && ownNumber === number);
  return (
    !hasSameNumber &&
    (differ(own.countryCode, register.countryCode) ||
      differ(folded(own.email), folded(register.email)))
  );
}

const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

/** The organisation number, or the one that a Swedish VAT number holds. */
function legalNumberOf({ orgNumber, vatNumber }: Debtor): string | null {
  const vat = vatNumber === null ? null : normalizeVatNumber(vatNumber);
  return orgNumber ?? (vat?.startsWith('SE') ? vat.slice(2, 12) : null);
}

const folded = (text: string | null): string | null =>
  text?.normalize('NFC').trim().toLowerCase() || null;
