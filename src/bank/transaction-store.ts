/** Bank accounts, the lines that banks send, and which voucher books each. */
import { type Db, databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { Ore } from '../domain/basics/money.ts';
import { faultOf, refuse } from '../lib/errors.ts';
import { uuid } from '../lib/uuid.ts';
import type { BankAccountKind } from './statements/statement-store.ts';

export interface BankAccountFacts {
  readonly name: string;
  readonly kind: BankAccountKind;
  readonly ledgerAccount: number;
  readonly iban: string | null;
  /** Clearing and account number, or the tax account's; digits alone. */
  readonly number: string | null;
  readonly bankgiro: string | null;
}

/** Throws 422 when the ledger account is taken, unknown or of another kind, or another account has a number. */
export async function insertBankAccount(
  tx: Tx,
  account: BankAccountFacts & { readonly id: string },
): Promise<void> {
  const { id, name, kind, ledgerAccount, iban, number, bankgiro } = account;
  await refusing(account, () =>
    tx.query(sql`insert into bank.accounts (id, name, kind, ledger_account, iban, number, bankgiro)
      values (${id}, ${name}, ${kind}, ${ledgerAccount}, ${iban}, ${number}, ${bankgiro})`),
  );
}

export type BankAccountChange = Omit<BankAccountFacts, 'kind' | 'ledgerAccount'> & {
  readonly isActive: boolean;
};

/** False when there is none. Throws 422 when another account has a number. */
export async function updateBankAccount(
  tx: Tx,
  id: string,
  change: BankAccountChange,
): Promise<boolean> {
  const { name, iban, number, bankgiro, isActive } = change;
  const changed = await refusing(change, () =>
    tx.query(sql`update bank.accounts set name = ${name}, iban = ${iban}, number = ${number},
        bankgiro = ${bankgiro}, is_active = ${isActive}
      where id = ${id}::uuid returning id`),
  );
  return changed.length > 0;
}

async function refusing<T>(account: Partial<BankAccountFacts>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const constraint = databaseErrorOf(error)?.constraint ?? '';
    const field = identities[constraint];
    if (field !== undefined) {
      const params = { number: account[field] ?? '' };
      throw refuse('unprocessable', [faultOf(field, 'bank_identity_taken', params)]);
    }
    const reason = refusedBy[constraint];
    if (reason === undefined) throw error;
    const params = { account: account.ledgerAccount ?? 0 };
    throw refuse('unprocessable', [faultOf('ledgerAccount', reason, params)]);
  }
}

const identities: Readonly<Record<string, 'iban' | 'number' | 'bankgiro'>> = {
  accounts_iban_key: 'iban',
  accounts_number_key: 'number',
  accounts_bankgiro_key: 'bankgiro',
};

/** Reasons by constraint. */
const refusedBy: Readonly<
  Record<string, 'bank_account_taken' | 'unknown_account' | 'bank_account_of_other_kind'>
> = {
  accounts_ledger_account_key: 'bank_account_taken',
  accounts_ledger_account_fkey: 'unknown_account',
  accounts_ledger_account_is_money: 'bank_account_of_other_kind',
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

/** What a statement says that the account held at the end of a day; null where none has told of the whole day. */
export async function findStatementBalance(
  db: Db,
  accountId: string,
  day: string,
): Promise<Ore | null> {
  const [found] = await db.query<{ balance_ore: Ore | null }>(
    sql`select bank.told_balance(${accountId}::uuid, ${day}::date) as balance_ore`,
  );
  return found?.balance_ore ?? null;
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

/**
 * Holds every account until commit: a transfer meets a row of another account, and which accounts files are of is not
 * known before they are read. In order, so that two who hold them never wait for each other.
 */
export async function lockBankAccounts(tx: Tx): Promise<void> {
  await tx.query(sql`select from bank.accounts order by id for update`);
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
      : sql`update bank.transactions set voucher_id = null, matched_at = null,
              matched_by = null, undone_at = now() where id = ${id}::uuid`,
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
