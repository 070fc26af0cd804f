/** Which customer in the register an order comes from. */
import {
  normalizeOrganizationNumber,
  normalizeVatNumber,
  plainExternalId,
} from '../basics/identifiers.ts';

/** What identifies a buyer, in an order as in the customer register. */
export interface CustomerIdentity {
  readonly name: string;
  readonly email: string | null;
  readonly orgNumber: string | null;
  readonly vatNumber: string | null;
}

/** With what the shop calls it, which the register may have been told. */
export interface NamedCustomer extends CustomerIdentity {
  readonly externalId: string | null;
}

type KeyOf = (customer: NamedCustomer) => string | null;

/** From the surest sign to the weakest. */
const keys: readonly KeyOf[] = [
  ({ externalId }) => (externalId === null ? null : plainExternalId(externalId) || null),
  ({ vatNumber }) => spelledOnce(vatNumber, normalizeVatNumber),
  ({ orgNumber }) => spelledOnce(orgNumber, normalizeOrganizationNumber),
  ({ email }) => folded(email),
  ({ name }) => folded(name),
];

/**
 * The one candidate that is called as the shop calls the buyer, else shares its VAT number, else organisation number, else e-mail
 * address, else name (the last two whatever the case). A sign that fits several candidates tells
 * nothing, so the next one decides. Null when none does. `candidates` are active customers.
 */
export function matchCustomer<Candidate extends NamedCustomer>(
  buyer: NamedCustomer,
  candidates: readonly Candidate[],
): Candidate | null {
  for (const keyOf of keys) {
    const key = keyOf(buyer);
    if (key === null) continue;
    const [match, ...others] = candidates.filter((candidate) => keyOf(candidate) === key);
    if (match && others.length === 0) return match;
  }
  return null;
}

function spelledOnce(
  text: string | null,
  normalize: (text: string) => string | null,
): string | null {
  return text === null ? null : (normalize(text) ?? folded(text));
}

function folded(text: string | null): string | null {
  return text?.normalize('NFC').trim().toLowerCase() || null;
}
