/** Bank accounts, the lines that banks send, and which voucher books each. */
import { type Db, databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { Ore } from '../domain/basics/money.ts';
import { faultOf, refuse } from '../lib/errors.ts';
import { uuid } from '../lib/uuid.ts';

/** Throws 422 when the ledger account is taken, unknown or none of money. */
export async function insertBankAccount(
  tx: Tx,
  account: {
    readonly id: string;
    readonly name: string;
    readonly ledgerAccount: number;
    readonly iban: string | null;
  },
): Promise<void> {
  const { id, name, ledgerAccount, iban } = account;
  try {
    await tx.query(sql`insert into bank.accounts (id, name, ledger_account, iban)
      values (${id}, ${name}, ${ledgerAccount}, ${iban})`);
  } catch (error) {
    const reason = refusedBy[databaseErrorOf(error)?.constraint ?? ''];
    if (reason === undefined) throw error;
    const params = { account: ledgerAccount };
    throw refuse('unprocessable', [faultOf('ledgerAccount', reason, params)]);
  }
}

/** Reasons by constraint. */
const refusedBy: Readonly<
  Record<string, 'bank_account_taken' | 'unknown_account' | 'no_bank_ledger_account'>
> = {
  accounts_ledger_account_key: 'bank_account_taken',
  accounts_ledger_account_fkey: 'unknown_account',
  accounts_ledger_account_is_money: 'no_bank_ledger_account',
};

export interface BankTransaction {
  /** The bank's own, by which the same line is known when it comes again. */
  readonly reference: string;
  readonly bookedOn: string;
  /** Positive in, negative out. */
  readonly amountOre: Ore;
  readonly description: string;
}

/** Adds the lines that are new; how many they were. */
export async function insertTransactions(
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

export async function deleteTransaction(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`delete from bank.transactions where id = ${id}::uuid`);
}

/** What the account held at the end of a day, by the bank; said again, the latest holds. */
export async function upsertStatement(
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

/** A line held until commit. */
export interface HeldTransaction {
  amount_ore: Ore;
  description: string;
  reference: string;
  voucher_id: string | null;
  ledger_account: number;
}

/** Holds the whole account, so that two transactions never take the same room of a voucher. */
export async function lockTransaction(tx: Tx, id: string): Promise<HeldTransaction | undefined> {
  await tx.query(sql`select from bank.accounts
    where id = (select account_id from bank.transactions where id = ${id}::uuid)
    for update`);
  const [held] = await tx.query<HeldTransaction>(sql`
    select t.amount_ore, t.description, t.reference, t.voucher_id, a.ledger_account
    from bank.transactions t join bank.accounts a on a.id = t.account_id
    where t.id = ${id}::uuid`);
  return held;
}

/** Which voucher books a line, by whose word; null takes the match back. */
export async function setMatch(
  tx: Tx,
  id: string,
  match: { readonly voucherId: string; readonly actor: string } | null,
): Promise<void> {
  await tx.query(
    match
      ? sql`update bank.transactions set voucher_id = ${match.voucherId}::uuid,
              matched_at = now(), matched_by = ${match.actor} where id = ${id}::uuid`
      : sql`update bank.transactions set voucher_id = null, matched_at = null, matched_by = null
            where id = ${id}::uuid`,
  );
}

/** What of a voucher's change of an account no transaction is matched with yet, in öre. */
export async function sumUnmatched(db: Db, voucherId: string, ledgerAccount: number): Promise<Ore> {
  const [room] = await db.query<{ ore: Ore }>(sql`
    select (coalesce((select sum(r.debit_ore - r.credit_ore) from ledger.voucher_rows r
        where r.voucher_id = ${voucherId}::uuid and r.account = ${ledgerAccount}), 0)
      - coalesce((select sum(t.amount_ore) from bank.transactions t
        join bank.accounts a on a.id = t.account_id
        where t.voucher_id = ${voucherId}::uuid and a.ledger_account = ${ledgerAccount}), 0)
      )::bigint as ore`);
  return room?.ore ?? 0n;
}
