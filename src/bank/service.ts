/** Bank accounts, what the bank says happened on them, and which voucher books each transaction. */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { Ore } from '../domain/money.ts';
import { type AppError, refuse } from '../errors.ts';
import { uuid } from '../uuid.ts';

export interface NewBankAccount {
  readonly name: string;
  /** 1900–1999. */
  readonly ledgerAccount: number;
  readonly iban?: string | null;
}

export async function createBankAccount(
  tx: Tx,
  { name, ledgerAccount, iban = null }: NewBankAccount,
  actor: string,
): Promise<{ id: string }> {
  const id = uuid();
  await tx.query(sql`insert into bank.accounts (id, name, ledger_account, iban)
    values (${id}, ${name}, ${ledgerAccount}, ${iban})`);
  const detail = { name, ledger_account: ledgerAccount };
  await recordEvent(tx, { actor, action: 'bank_account.created', subject: id, detail });
  return { id };
}

export interface BankTransaction {
  /** The bank's own, by which the same line is known when it comes again. */
  readonly reference: string;
  readonly bookedOn: string;
  /** Positive in, negative out. */
  readonly amountOre: Ore;
  readonly description: string;
}

/** Adds the lines that are new; how many they were. */
export async function recordTransactions(
  tx: Tx,
  accountId: string,
  transactions: readonly BankTransaction[],
): Promise<number> {
  const column = <T>(value: (transaction: BankTransaction) => T): T[] => transactions.map(value);
  const added = await tx.query(sql`
    insert into bank.transactions (id, account_id, reference, booked_on, amount_ore, description)
    select t.id, ${accountId}::uuid, t.reference, t.booked_on, t.amount_ore, t.description
    from unnest(${column(() => uuid())}::uuid[], ${column((one) => one.reference)}::text[],
      ${column((one) => one.bookedOn)}::date[], ${column((one) => one.amountOre)}::bigint[],
      ${column((one) => one.description)}::text[])
      as t (id, reference, booked_on, amount_ore, description)
    on conflict (account_id, reference) do nothing returning id`);
  return added.length;
}

/** What the account held at the end of a day, by the bank; said again, the latest holds. */
export async function recordStatement(
  tx: Tx,
  statement: {
    readonly accountId: string;
    readonly closingDate: string;
    readonly balanceOre: Ore;
  },
): Promise<void> {
  const { accountId, closingDate, balanceOre } = statement;
  await tx.query(sql`insert into bank.statements (account_id, closing_date, balance_ore)
    values (${accountId}::uuid, ${closingDate}::date, ${balanceOre})
    on conflict (account_id, closing_date) do update set balance_ore = excluded.balance_ore`);
}

interface Match {
  amount_ore: bigint;
  voucher_id: string | null;
  ledger_account: number;
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
  if (match.voucher_id !== null) {
    throw refusal('already_matched', 'Transaktionen är redan matchad; häv den matchningen först.');
  }
  const room = await roomOf(tx, voucherId, match.ledger_account);
  const fits = match.amount_ore > 0n ? match.amount_ore <= room : match.amount_ore >= room;
  if (!fits) {
    throw refusal(
      'amount_mismatch',
      `Verifikatet bokför inte beloppet på konto ${match.ledger_account}; välj ett annat.`,
    );
  }
  await tx.query(sql`update bank.transactions
    set voucher_id = ${voucherId}::uuid, matched_at = now(), matched_by = ${actor}
    where id = ${transactionId}::uuid`);
  const detail = { voucher_id: voucherId };
  await recordEvent(tx, { actor, action: 'bank.matched', subject: transactionId, detail });
}

/** Takes back a match; nothing is booked or unbooked by it. */
export async function unmatchTransaction(
  tx: Tx,
  transactionId: string,
  actor: string,
): Promise<void> {
  const { voucher_id } = await holdTransaction(tx, transactionId);
  if (voucher_id === null) return;
  await tx.query(sql`update bank.transactions
    set voucher_id = null, matched_at = null, matched_by = null where id = ${transactionId}::uuid`);
  const detail = { voucher_id };
  await recordEvent(tx, { actor, action: 'bank.unmatched', subject: transactionId, detail });
}

/** Holds the whole account, so that two transactions never take the same room of a voucher. */
async function holdTransaction(tx: Tx, transactionId: string): Promise<Match> {
  await tx.query(sql`select from bank.accounts
    where id = (select account_id from bank.transactions where id = ${transactionId}::uuid)
    for update`);
  const [match] = await tx.query<Match>(sql`
    select t.amount_ore, t.voucher_id, a.ledger_account
    from bank.transactions t join bank.accounts a on a.id = t.account_id
    where t.id = ${transactionId}::uuid`);
  if (!match) throw refusal('unknown_transaction', `Det finns ingen transaktion ${transactionId}.`);
  return match;
}

/** What of a voucher's change of an account no transaction is matched with yet, in öre. */
async function roomOf(tx: Tx, voucherId: string, ledgerAccount: number): Promise<bigint> {
  const [room] = await tx.query<{ ore: bigint }>(sql`
    select (coalesce((select sum(r.debit_ore - r.credit_ore) from ledger.voucher_rows r
        where r.voucher_id = ${voucherId}::uuid and r.account = ${ledgerAccount}), 0)
      - coalesce((select sum(t.amount_ore) from bank.transactions t
        join bank.accounts a on a.id = t.account_id
        where t.voucher_id = ${voucherId}::uuid and a.ledger_account = ${ledgerAccount}), 0)
      )::bigint as ore`);
  return room?.ore ?? 0n;
}

function refusal(reason: string, message: string): AppError {
  return refuse('unprocessable', [{ path: 'transactionId', reason, message }]);
}
