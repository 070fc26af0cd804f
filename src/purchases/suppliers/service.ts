/** What people do with the supplier register, written down: most of all where the money goes. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Problem, refuse } from '../../lib/errors.ts';
import { createSupplier } from '../inbox/service.ts';
import {
  deleteSupplier,
  deleteSupplierAccount,
  findTakenSigns,
  getSupplier,
  insertSupplierAccount,
  isPurchaseAccount,
  type PayeeKind,
  type SupplierFacts,
  updateSupplier,
} from './store.ts';

interface PayeeAccountNumber {
  readonly kind: PayeeKind;
  readonly number: string;
}

export async function registerSupplier(
  tx: Tx,
  facts: SupplierFacts & { readonly accounts: readonly PayeeAccountNumber[] },
  actor: string,
): Promise<{ id: string; name: string }> {
  await refuseWrong(tx, facts, null);
  const supplier = await createSupplier(tx, facts, actor);
  await updateSupplier(tx, supplier.id, { ...facts, isActive: true });
  return supplier;
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
  const detail = { name: facts.name, is_active: facts.isActive };
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

const signNames: Readonly<Record<string, string>> = {
  organizationNumber: 'organisationsnumret',
  vatNumber: 'momsnumret',
  endpoint: 'den elektroniska adressen',
};

async function refuseWrong(
  tx: Tx,
  facts: SupplierFacts,
  exceptId: string | null,
  accountBefore: number | null = null,
): Promise<void> {
  const problems: Problem[] = (await findTakenSigns(tx, facts, exceptId)).map(({ path, name }) => ({
    path,
    reason: 'taken',
    message: `${name} har redan ${signNames[path]}.`,
  }));
  const { account } = facts;
  if (account !== null && account !== accountBefore && !(await isPurchaseAccount(tx, account))) {
    const message = `Kontot ${account} finns inte i kontoplanen, eller är inaktivt.`;
    problems.push({ path: 'account', reason: 'wrong_account', message });
  }
  if (problems.length > 0) throw refuse('unprocessable', problems);
}
