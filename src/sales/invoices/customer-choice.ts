/** Which customer a person means by what they typed. */
import type { Db } from '../../db/pool.ts';
import { orgNumberText } from '../../render/wording.ts';
import { findCustomer, type SuggestedCustomer, suggestCustomers } from './draft-store.ts';

/** Names alone may be shared; organization number or town tells whose. */
export function customerLabel(customer: SuggestedCustomer): string {
  const more = orgNumberText(customer.organization_number) ?? customer.city;
  return more ? `${customer.name} · ${more}` : customer.name;
}

/** Active customers that a text may mean; a label as it was suggested means its own. */
export async function customersLike(db: Db, typed: string): Promise<SuggestedCustomer[]> {
  const found = await suggestCustomers(db, typed);
  const asked = typed.toLowerCase();
  const exact = found.filter(({ name }) => name.toLowerCase() === asked);
  if (exact.length > 0) return exact;
  if (found.length > 0) return found;
  const end = typed.lastIndexOf(' · ');
  if (end === -1) return [];
  const labelled = await suggestCustomers(db, typed.slice(0, end));
  return labelled.filter((customer) => customerLabel(customer).toLowerCase() === asked);
}

/** All that the text may mean; the chosen one alone while it still answers to what is typed. */
export async function meantCustomers(
  db: Db,
  typed: string,
  chosenId: string | undefined,
): Promise<SuggestedCustomer[]> {
  const chosen = chosenId === undefined ? undefined : await findCustomer(db, chosenId);
  return chosen && answersTo(chosen, typed) ? [chosen] : customersLike(db, typed);
}

const answersTo = (customer: SuggestedCustomer, typed: string): boolean =>
  customerLabel(customer).toLowerCase().includes(typed.toLowerCase()) ||
  (customer.organization_number !== null &&
    customer.organization_number === typed.replace(/\D/g, ''));
