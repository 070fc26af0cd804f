/** What people do with the supplier register, written down: most of all where the money goes. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import { type SupplyMark, unmarked } from '../../domain/purchases/reverse-charge.ts';
import { isPurchaseAccount } from '../../domain/purchases/supplier-posting.ts';
import { type Fault, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  addSupplierAccounts,
  deleteSupplier,
  deleteSupplierAccount,
  findAccountType,
  findTakenSigns,
  getSupplier,
  insertSupplier,
  insertSupplierAccount,
  type PayeeKind,
  type SupplierFacts,
  setSupplierExternalId,
  updateSupplier,
  updateSupplyMark,
} from './store.ts';

interface PayeeAccountNumber {
  readonly kind: PayeeKind;
  readonly number: string;
}

/** What must be said of a new supplier; the rest may be. */
export type NewSupplier = Pick<
  SupplierFacts,
  'name' | 'organizationNumber' | 'vatNumber' | 'endpoint' | 'countryCode' | 'account'
> &
  Partial<SupplierFacts> & { readonly accounts: readonly PayeeAccountNumber[] };

const unsaid = {
  supply: null,
  reverseChargeRate: unmarked.rate,
  email: null,
  phone: null,
  address: null,
  postalCode: null,
  city: null,
  paymentDays: null,
  externalId: null,
} as const satisfies Partial<SupplierFacts>;

/** The one way a supplier comes to be. Throws 422 of each sign that another has, and of a wrong account. */
export async function createSupplier(
  tx: Tx,
  { accounts, ...given }: NewSupplier,
  actor: string,
): Promise<{ id: string; name: string }> {
  const facts: SupplierFacts = { ...unsaid, ...given };
  await refuseWrong(tx, facts, null);
  const id = uuid();
  const { name } = facts;
  await insertSupplier(tx, id, facts, actor);
  await addSupplierAccounts(tx, id, accounts, actor);
  await recordEvent(tx, { actor, action: 'supplier.created', subject: id, detail: { name } });
  return { id, name };
}

/** What the supplier sells, by a person's word: decides accounts and boxes when we owe the VAT. */
export async function markSupplier(
  tx: Tx,
  id: string,
  mark: SupplyMark,
  actor: string,
): Promise<void> {
  if (!(await updateSupplyMark(tx, id, mark))) {
    throw refuseWhole('not_found', 'no_supplier', { id });
  }
  const detail = { supply: mark.supply, rate: mark.rate };
  await recordEvent(tx, { actor, action: 'supplier.marked', subject: id, detail });
}

export async function changeSupplier(
  tx: Tx,
  id: string,
  facts: SupplierFacts & { readonly isActive: boolean },
  actor: string,
): Promise<void> {
  const before = await getSupplier(tx, id);
  await refuseWrong(tx, facts, id, before.account);
  await updateSupplier(tx, id, facts);
  const detail = {
    name: facts.name,
    is_active: facts.isActive,
    external_id: facts.externalId,
  };
  await recordEvent(tx, { actor, action: 'supplier.changed', subject: id, detail });
}

/** What another system calls it; null when none does any more. Throws 422 when another supplier is called so. */
export async function nameSupplierOutside(
  tx: Tx,
  id: string,
  externalId: string | null,
  actor: string,
): Promise<void> {
  const { name } = await getSupplier(tx, id);
  await setSupplierExternalId(tx, id, externalId);
  const detail = { name, external_id: externalId };
  await recordEvent(tx, { actor, action: 'supplier.changed', subject: id, detail });
}

export async function removeSupplier(tx: Tx, id: string, actor: string): Promise<string> {
  const { name } = await getSupplier(tx, id);
  await deleteSupplier(tx, id);
  await recordEvent(tx, { actor, action: 'supplier.removed', subject: id, detail: { name } });
  return name;
}

/** From now on a document that asks for money there is not stopped for it. */
export async function vouchForAccount(
  tx: Tx,
  id: string,
  account: PayeeAccountNumber,
  actor: string,
): Promise<void> {
  await getSupplier(tx, id);
  await insertSupplierAccount(tx, id, account, actor);
  const detail = { ...account };
  await recordEvent(tx, { actor, action: 'supplier.account_added', subject: id, detail });
}

export async function removeAccount(
  tx: Tx,
  id: string,
  account: PayeeAccountNumber,
  actor: string,
): Promise<void> {
  if (!(await deleteSupplierAccount(tx, id, account))) return;
  const detail = { ...account };
  await recordEvent(tx, { actor, action: 'supplier.account_removed', subject: id, detail });
}

async function refuseWrong(
  tx: Tx,
  facts: SupplierFacts,
  exceptId: string | null,
  accountBefore: number | null = null,
): Promise<void> {
  const taken = (await findTakenSigns(tx, facts, exceptId)).map(
    ({ path, name }): Fault => ({
      path,
      reason: 'supplier_sign_taken',
      params: { name, sign: path },
    }),
  );
  const { account } = facts;
  const faults: Fault[] = [];
  if (account !== null && account !== accountBefore) {
    const reason = await accountFault(tx, account);
    if (reason) faults.push({ path: 'account', reason, params: { account } });
  }
  refuseAny([...taken, ...faults]);
}

/** Why purchases cannot be booked on the account; undefined when they can. */
async function accountFault(
  tx: Tx,
  account: number,
): Promise<'account_not_usable' | 'not_a_purchase_account' | undefined> {
  const type = await findAccountType(tx, account);
  if (type === undefined) return 'account_not_usable';
  return isPurchaseAccount({ number: account, type }) ? undefined : 'not_a_purchase_account';
}
