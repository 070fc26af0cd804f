/** What people do with the customer register, written down. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import {
  deleteCustomer,
  findCustomerWith,
  getCustomer,
  insertCustomer,
  type NewCustomer,
  setCustomerExternalId,
  updateCustomer,
} from './store.ts';

export interface CustomerFacts extends Required<NewCustomer> {
  /** A person has said that another customer may have the same number. */
  readonly sharesNumber: boolean;
}

export async function createCustomer(
  tx: Tx,
  facts: CustomerFacts,
  actor: string,
): Promise<{ id: string; name: string }> {
  await refuseTakenNumber(tx, facts, null);
  const customer = await insertCustomer(tx, facts);
  const detail = { name: customer.name };
  await recordEvent(tx, { actor, action: 'customer.created', subject: customer.id, detail });
  return customer;
}

export async function changeCustomer(
  tx: Tx,
  id: string,
  facts: CustomerFacts & { readonly isActive: boolean },
  actor: string,
): Promise<void> {
  const before = await getCustomer(tx, id);
  const hasNewNumber =
    facts.organizationNumber !== before.organization_number ||
    facts.vatNumber !== before.vat_number;
  if (hasNewNumber) await refuseTakenNumber(tx, facts, id);
  if (before.is_collective && !facts.isActive) {
    throw refuse('unprocessable', [{ path: 'isActive', reason: 'collective_customer' }]);
  }
  await updateCustomer(tx, id, facts);
  const detail = {
    name: facts.name,
    is_active: facts.isActive,
    external_id: facts.externalId,
  };
  await recordEvent(tx, { actor, action: 'customer.changed', subject: id, detail });
}

/** What another system calls it; null when none does any more. Throws 422 when another customer is called so. */
export async function nameCustomerOutside(
  tx: Tx,
  id: string,
  externalId: string | null,
  actor: string,
): Promise<void> {
  const { name } = await getCustomer(tx, id);
  await setCustomerExternalId(tx, id, externalId);
  const detail = { name, external_id: externalId };
  await recordEvent(tx, { actor, action: 'customer.changed', subject: id, detail });
}

export async function removeCustomer(tx: Tx, id: string, actor: string): Promise<string> {
  const { name } = await getCustomer(tx, id);
  await deleteCustomer(tx, id);
  await recordEvent(tx, { actor, action: 'customer.removed', subject: id, detail: { name } });
  return name;
}

/**
 * Two customers with one number are nearly always one customer entered twice, and an order would be
 * matched to either; branches that share a number exist, so a person may insist.
 */
async function refuseTakenNumber(
  tx: Tx,
  { organizationNumber, vatNumber, sharesNumber }: CustomerFacts,
  exceptId: string | null,
): Promise<void> {
  if (sharesNumber) return;
  const problems: Fault[] = [];
  for (const [path, number] of [
    ['organizationNumber', { organizationNumber }],
    ['vatNumber', { vatNumber }],
  ] as const) {
    const taken = await findCustomerWith(tx, number, exceptId);
    if (!taken) continue;
    const params = { name: taken.name, number: path };
    problems.push({ path, reason: 'customer_number_taken', params });
  }
  if (problems.length > 0) throw refuse('unprocessable', problems);
}
