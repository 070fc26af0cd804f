/** Bank accounts, what the bank says happened on them, and which voucher books each transaction. */
import { recordEvent } from '../audit/store.ts';
import { databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import { type AppError, refuse } from '../lib/errors.ts';
import { uuid } from '../lib/uuid.ts';

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
  try {
    await tx.query(sql`insert into bank.accounts (id, name, ledger_account, iban)
      values (${id}, ${name}, ${ledgerAccount}, ${iban})`);
  } catch (error) {
    const message = takenSentences(ledgerAccount)[databaseErrorOf(error)?.constraint ?? ''];
    if (message === undefined) throw error;
    throw refuse('unprocessable', [{ path: 'ledgerAccount', reason: 'refused', message }]);
  }
  const detail = { name, ledger_account: ledgerAccount };
  await recordEvent(tx, { actor, action: 'bank_account.created', subject: id, detail });
  return { id };
}

const takenSentences = (account: number): Readonly<Record<string, string>> => ({
  accounts_ledger_account_key: `Konto ${account} hör redan till ett bankkonto.`,
  accounts_ledger_account_fkey: `Kontot ${account} finns inte i kontoplanen.`,
  accounts_ledger_account_is_money: 'Välj ett konto 1900–1999.',
});

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
  await recordTransactions(tx, accountId, [{ ...row, reference }]);
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
    throw refusal('of_the_bank', 'Raden kommer från banken och tas inte bort.');
  }
  await tx.query(sql`delete from bank.transactions where id = ${transactionId}::uuid`);
  await recordEvent(tx, { actor, action: 'bank.row_removed', subject: reference });
}

/** As `recordStatement`, said by a person. */
export async function stateBalance(
  tx: Tx,
  statement: Parameters<typeof recordStatement>[1],
  actor: string,
): Promise<void> {
  await recordStatement(tx, statement);
  const { accountId, closingDate, balanceOre } = statement;
  const detail = { closing_date: closingDate, balance: oreToNumber(balanceOre) };
  await recordEvent(tx, { actor, action: 'bank.balance_stated', subject: accountId, detail });
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
  amount_ore: Ore;
  description: string;
  reference: string;
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
  requireUnmatched(match);
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

/** Holds a row until commit. Throws 422 when a voucher books it already. */
export async function holdUnmatched(tx: Tx, transactionId: string): Promise<Match> {
  const match = await holdTransaction(tx, transactionId);
  requireUnmatched(match);
  return match;
}

function requireUnmatched({ voucher_id }: Match): void {
  if (voucher_id === null) return;
  throw refusal('already_matched', 'Bankraden har redan ett verifikat; häv den matchningen först.');
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
    select t.amount_ore, t.description, t.reference, t.voucher_id, a.ledger_account
    from bank.transactions t join bank.accounts a on a.id = t.account_id
    where t.id = ${transactionId}::uuid`);
  if (!match) throw refusal('unknown_transaction', `Det finns ingen bankrad ${transactionId}.`);
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
