/** What people say of rows of the bank that begin alike. A rule suggests; nothing is booked by it without a person. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import type { MatchRule } from '../../domain/ledger/bank-matching/match.ts';
import { accounts } from '../../domain/purchases/supplier-posting.ts';
import { receivablesAccount } from '../../domain/sales/invoice.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { deleteRule, insertRule } from './rule-store.ts';

export type NewRule = Pick<MatchRule, 'text' | 'direction' | 'account'>;

/** Throws 422 when there is one of the same text and direction, or the account is another's or not there. */
export async function addRule(tx: Tx, rule: NewRule, actor: string): Promise<void> {
  const { account, text } = rule;
  if (account === receivablesAccount || account === accounts.payables) {
    throw refuse('unprocessable', [
      { path: 'account', reason: 'account_of_invoices', params: { account } },
    ]);
  }
  const id = uuid();
  await insertRule(tx, { ...rule, id }, actor);
  await recordEvent(tx, {
    actor,
    action: 'bank_rule.added',
    subject: id,
    detail: { text, account },
  });
}

/** Throws 404 when there is none. */
export async function removeRule(tx: Tx, id: string, actor: string): Promise<void> {
  const removed = await deleteRule(tx, id);
  if (!removed) throw refuseWhole('not_found', 'no_bank_rule');
  await recordEvent(tx, { actor, action: 'bank_rule.removed', subject: id, detail: removed });
}
