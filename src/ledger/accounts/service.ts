/** What people do with the chart of accounts, written down. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { accountTypesOf } from '../../domain/ledger/account.ts';
import { refuse } from '../../lib/errors.ts';
import { readBasBaseChart } from './bas-base-chart.ts';
import { serviceAccounts } from './service-accounts.ts';
import { readSruCodes } from './sru-codes.ts';
import {
  type AccountFacts,
  deleteAccount,
  findServiceGround,
  getAccount,
  insertAccount,
  updateAccount,
} from './store.ts';

export async function createAccount(
  tx: Tx,
  number: number,
  facts: AccountFacts,
  actor: string,
): Promise<void> {
  refuseWrongType(number, facts);
  const ground = facts.sru === null ? await findServiceGround(tx) : undefined;
  const sruOf = ground && (await readSruCodes(ground.organization_number));
  await insertAccount(tx, number, { ...facts, sru: facts.sru ?? sruOf?.(number) ?? null });
  const detail = { name: facts.name, type: facts.type };
  await recordEvent(tx, { actor, action: 'account.created', subject: String(number), detail });
}

export async function changeAccount(
  tx: Tx,
  number: number,
  facts: AccountFacts & { readonly isActive: boolean },
  actor: string,
): Promise<void> {
  const before = await getAccount(tx, number);
  if (facts.type !== before.type) refuseWrongType(number, facts);
  if (before.is_active && !facts.isActive) await refuseServiceAccount(tx, number);
  await updateAccount(tx, number, facts);
  const detail = {
    name: facts.name,
    type: facts.type,
    vat_code: facts.vat?.code ?? null,
    is_active: facts.isActive,
  };
  await recordEvent(tx, { actor, action: 'account.changed', subject: String(number), detail });
}

/** Only accounts that somebody added and nobody used: the program itself posts on those of the chart. */
export async function removeAccount(tx: Tx, number: number, actor: string): Promise<void> {
  const { name } = await getAccount(tx, number);
  if (await isInBaseChart(number)) {
    throw refuse('unprocessable', [
      { path: '', reason: 'in_base_chart', params: { account: number } },
    ]);
  }
  await deleteAccount(tx, number);
  const detail = { name };
  await recordEvent(tx, { actor, action: 'account.removed', subject: String(number), detail });
}

export async function isInBaseChart(number: number): Promise<boolean> {
  return (await readBasBaseChart()).some(({ account }) => account === number);
}

/** Taken out of use, every booking that needs it would be refused. */
async function refuseServiceAccount(tx: Tx, number: number): Promise<void> {
  const ground = await findServiceGround(tx);
  if (!ground) return;
  const needed = serviceAccounts(ground.organization_number, ground.purchase_account);
  const use = needed.find(({ account }) => account === number)?.use;
  if (use === undefined) return;
  throw refuse('unprocessable', [
    { path: 'isActive', reason: 'posted_on_by_program', params: { account: number, use } },
  ]);
}

function refuseWrongType(number: number, { type }: AccountFacts): void {
  if (accountTypesOf(number).includes(type)) return;
  const params = { accountClass: Math.floor(number / 1000) };
  throw refuse('unprocessable', [{ path: 'type', reason: 'wrong_account_type', params }]);
}
