/** Bank accounts, what the bank says happened on them, and which voucher books each transaction. */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { faultOf, type Reasoned, type Refusal, refuse, refuseWhole } from '../lib/errors.ts';
import { uuid } from '../lib/uuid.ts';
import {
  type BankAccountChange,
  type BankAccountFacts,
  type BankTransaction,
  deleteTransaction,
  findStatementBalance,
  type HeldTransaction,
  insertBankAccount,
  insertTransactions,
  lockTransaction,
  setMatch,
  sumUnmatched,
  updateBankAccount,
  upsertStatement,
} from './transaction-store.ts';

export type NewBankAccount = Pick<BankAccountFacts, 'name' | 'ledgerAccount'> &
  Partial<BankAccountFacts>;

const noIdentity = { kind: 'bank', iban: null, number: null, bankgiro: null } as const;

export async function createBankAccount(
  tx: Tx,
  account: NewBankAccount,
  actor: string,
): Promise<{ id: string }> {
  const id = uuid();
  const whole = { ...noIdentity, ...account, id };
  await insertBankAccount(tx, whole);
  const { name, kind, ledgerAccount } = whole;
  const detail = { name, kind, ledger_account: ledgerAccount };
  await recordEvent(tx, { actor, action: 'bank_account.created', subject: id, detail });
  return { id };
}

/** Throws 404 when there is none. */
export async function changeBankAccount(
  tx: Tx,
  id: string,
  change: BankAccountChange,
  actor: string,
): Promise<void> {
  if (!(await updateBankAccount(tx, id, change))) throw refuseWhole('not_found', 'no_bank_account');
  const { name, isActive } = change;
  const detail = { name, is_active: isActive };
  await recordEvent(tx, { actor, action: 'bank_account.changed', subject: id, detail });
}

/** The reference of rows that a person typed; such a row may be taken away while nothing books it. */
const typedReference = 'manuell-';

export const isTyped = (reference: string): boolean => reference.startsWith(typedReference);

/** A row that a person typed from the bank's own list. */
export async function addTransaction(
  tx: Tx,
  { accountId, ...row }: { readonly accountId: string } & Omit<BankTransaction, 'reference'>,
  actor: string,
): Promise<void> {
  const reference = `${typedReference}${uuid()}`;
  await insertTransactions(tx, accountId, [{ ...row, reference }]);
  const detail = {
    account_id: accountId,
    booked_on: row.bookedOn,
    amount: oreToNumber(row.amountOre),
  };
  await recordEvent(tx, { actor, action: 'bank.row_added', subject: reference, detail });
}

/** Takes away a row that a person typed. Throws 422 when the bank sent it, or a voucher books it. */
export async function removeTransaction(
  tx: Tx,
  transactionId: string,
  actor: string,
): Promise<void> {
  const { reference } = await holdUnmatched(tx, transactionId);
  if (!isTyped(reference)) {
    throw refusal({ reason: 'row_of_the_bank' });
  }
  await deleteTransaction(tx, transactionId);
  await recordEvent(tx, { actor, action: 'bank.row_removed', subject: reference });
}

/** What the account held at the end of a day by the bank, said by a person. */
export async function stateBalance(
  tx: Tx,
  statement: Parameters<typeof upsertStatement>[1],
  actor: string,
): Promise<void> {
  const { accountId, closingDate, balanceOre } = statement;
  const known = await findStatementBalance(tx, accountId, closingDate);
  if (known !== null && known !== balanceOre) {
    const params = { expectedOre: known };
    throw refuse('unprocessable', [faultOf('balance', 'bank_balance_of_statement', params)]);
  }
  await upsertStatement(tx, statement);
  const detail = { closing_date: closingDate, balance: oreToNumber(balanceOre) };
  await recordEvent(tx, { actor, action: 'bank.balance_stated', subject: accountId, detail });
}

/**
 * Says that a voucher books a transaction. The voucher's change of the bank account must have room for
 * it beside what is matched already: a voucher may book several transactions, never more than it says.
 */
export async function matchTransaction(
  tx: Tx,
  { transactionId, voucherId }: { readonly transactionId: string; readonly voucherId: string },
  actor: string,
): Promise<void> {
  const match = await holdTransaction(tx, transactionId);
  if (match.voucher_id === voucherId) return;
  requireUnmatched(match);
  const room = await sumUnmatched(tx, voucherId, match.ledger_account);
  const fits = match.amount_ore > 0n ? match.amount_ore <= room : match.amount_ore >= room;
  if (!fits) {
    const params = { account: match.ledger_account };
    throw refusal({ reason: 'amount_mismatch', params });
  }
  await setMatch(tx, transactionId, { voucherId, actor });
  const detail = { voucher_id: voucherId };
  await recordEvent(tx, { actor, action: 'bank.matched', subject: transactionId, detail });
}

/** Holds a row until commit. Throws 422 when a voucher books it already. */
export async function holdUnmatched(tx: Tx, transactionId: string): Promise<HeldTransaction> {
  const match = await holdTransaction(tx, transactionId);
  requireUnmatched(match);
  return match;
}

function requireUnmatched({ voucher_id }: HeldTransaction): void {
  if (voucher_id === null) return;
  throw refusal({ reason: 'already_matched' });
}

/** Takes back a match; nothing is booked or unbooked by it. */
export async function unmatchTransaction(
  tx: Tx,
  transactionId: string,
  actor: string,
): Promise<void> {
  const { voucher_id } = await holdTransaction(tx, transactionId);
  if (voucher_id === null) return;
  await setMatch(tx, transactionId, null);
  const detail = { voucher_id };
  await recordEvent(tx, { actor, action: 'bank.unmatched', subject: transactionId, detail });
}

async function holdTransaction(tx: Tx, transactionId: string): Promise<HeldTransaction> {
  const match = await lockTransaction(tx, transactionId);
  if (!match) throw refusal({ reason: 'no_bank_transaction', params: { id: transactionId } });
  return match;
}

const refusal = (why: Reasoned): Refusal =>
  refuse('unprocessable', [{ path: 'transactionId', ...why }]);
