/** Bank accounts and their rows as people look at them. */
import type { Db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { Ore } from '../domain/basics/money.ts';
import { voucherDays } from '../domain/ledger/bank-matching/vouchers.ts';
import { refuseWhole } from '../lib/errors.ts';
import type { BankAccountKind } from './statements/statement-store.ts';

export interface BankAccount {
  id: string;
  name: string;
  kind: BankAccountKind;
  ledger_account: number;
  iban: string | null;
  /** Clearing and account number, or the tax account's; digits alone. */
  number: string | null;
  bankgiro: string | null;
  is_active: boolean;
  /** The latest statement there is: its day, the bank's balance and the books' on that day. */
  closing_date: string | null;
  statement_ore: Ore | null;
  ledger_ore: Ore | null;
  unmatched: bigint;
}

export function listBankAccounts(db: Db): Promise<BankAccount[]> {
  return db.query<BankAccount>(
    sql`select a.id, a.name, a.kind, a.ledger_account, a.iban, a.number, a.bankgiro, a.is_active, s.closing_date, s.balance_ore as statement_ore,
          ledger.balance_at(a.ledger_account, s.closing_date) as ledger_ore,
          (select count(*) from bank.transactions t
            where t.account_id = a.id and t.voucher_id is null) as unmatched
        from bank.accounts a
        left join lateral (select s.closing_date, s.balance_ore from bank.statements s
          where s.account_id = a.id order by s.closing_date desc limit 1) as s on true
        order by not a.is_active, a.kind <> 'bank', a.ledger_account`,
  );
}

/** Throws 404 when there is none. */
export async function getBankAccount(db: Db, id: string): Promise<BankAccount> {
  const found = (await listBankAccounts(db)).find((account) => account.id === id);
  if (!found) throw refuseWhole('not_found', 'no_bank_account');
  return found;
}

export interface BankRow {
  id: string;
  booked_on: string;
  description: string;
  amount_ore: Ore;
  account: string;
  voucher_id: string | null;
  voucher: string | null;
  /** What the voucher says that it books. */
  voucher_text: string | null;
}

/** A place in the list: rows after it, newest first. */
export interface BankPlace {
  readonly bookedOn: string;
  readonly id: string;
}

export const bankTabs = ['unmatched', 'matched', 'all'] as const;

export interface BankListing {
  readonly tab: (typeof bankTabs)[number];
  readonly accountId: string | null;
  readonly after: BankPlace | null;
  readonly limit: number;
}

export function listBankRows(db: Db, listing: BankListing): Promise<BankRow[]> {
  const { tab, accountId, after, limit } = listing;
  const state = {
    unmatched: sql`t.voucher_id is null`,
    matched: sql`t.voucher_id is not null`,
    all: sql`true`,
  }[tab];
  return db.query<BankRow>(
    sql`select t.id, t.booked_on, t.description, t.amount_ore, a.name as account, t.voucher_id,
          v.series || v.number as voucher, v.description as voucher_text
        from bank.transactions t join bank.accounts a on a.id = t.account_id
        left join ledger.vouchers v on v.id = t.voucher_id
        where ${state} and (${accountId}::uuid is null or t.account_id = ${accountId}::uuid)
          and (${after?.bookedOn ?? null}::date is null
            or (t.booked_on, t.id) < (${after?.bookedOn ?? null}::date, ${after?.id ?? null}::uuid))
        order by t.booked_on desc, t.id desc limit ${limit}`,
  );
}

export interface BankTransactionFacts extends BankRow {
  account_id: string;
  ledger_account: number;
  reference: string;
  /** As the bank has it; null where it gives none. */
  banks_reference: string | null;
  matched_at: Date | null;
  matched_by: string | null;
}

/** Throws 404 when there is none. */
export async function getBankTransaction(db: Db, id: string): Promise<BankTransactionFacts> {
  const [found] = await db.query<BankTransactionFacts>(
    sql`select t.id, t.booked_on, t.description, t.amount_ore, a.name as account, t.voucher_id,
          v.series || v.number as voucher, v.description as voucher_text, t.account_id, a.ledger_account, t.reference,
          case when t.statement_id is null then t.reference else t.bank_reference end as banks_reference,
          t.matched_at,
          t.matched_by
        from bank.transactions t join bank.accounts a on a.id = t.account_id
        left join ledger.vouchers v on v.id = t.voucher_id
        where t.id = ${id}::uuid`,
  );
  if (!found) throw refuseWhole('not_found', 'no_bank_transaction', { id });
  return found;
}

/** Something a row may be, with what is still open on it. */
export interface MatchSuggestion {
  id: string;
  label: string;
  who: string;
  date: string;
  ore: Ore;
}

const suggestionsMax = 8;

/** Open invoices of exactly the amount, or whose OCR number stands in the row's text. */
export function suggestInvoices(
  db: Db,
  { amount_ore, description }: Pick<BankRow, 'amount_ore' | 'description'>,
): Promise<MatchSuggestion[]> {
  const numbers = description.match(/\d{4,25}/g) ?? [];
  return db.query<MatchSuggestion>(
    sql`select i.id, i.number::text as label, i.debtor ->> 'name' as who, i.due_date as date,
          i.open_ore as ore
        from sales.invoices i
        where i.open_ore <> 0 and i.status <> 'draft'
          and (i.open_ore = ${amount_ore} or i.ocr = any (${numbers}::text[]))
        order by i.ocr = any (${numbers}::text[]) desc, i.due_date, i.id limit ${suggestionsMax}`,
  );
}

/** Booked supplier invoices of which exactly the amount is unpaid. */
export function suggestPurchases(
  db: Db,
  { amount_ore }: Pick<BankRow, 'amount_ore'>,
): Promise<MatchSuggestion[]> {
  return db.query<MatchSuggestion>(
    sql`select p.id, p.invoice_number as label, coalesce(p.seller ->> 'name', '') as who,
          p.due_date as date, p.open_ore as ore
        from purchases.invoices p
        where p.open_ore = -${amount_ore}::bigint and p.open_ore <> 0
        order by p.due_date, p.id limit ${suggestionsMax}`,
  );
}

/** What was taken back, and what took it back, books no row: neither a correction nor a row's undoing. Of voucher `v`. */
export const standsByItself = sql`not exists (select from ledger.corrections c where v.id in (c.corrected_id, c.reversal_id))
      and not exists (select from bank.undone_bookings u where v.id in (u.voucher_id, u.taken_back_by))`;

/** Vouchers near the day that change the account by exactly the amount, and that no row is matched with. */
export function suggestVouchers(
  db: Db,
  { booked_on, amount_ore, ledger_account }: BankTransactionFacts,
): Promise<MatchSuggestion[]> {
  return db.query<MatchSuggestion>(
    sql`select v.id, v.series || v.number as label, v.description as who,
          v.verification_date as date, sum(r.debit_ore - r.credit_ore)::bigint as ore
        from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
        where r.account = ${ledger_account}
          and r.verification_date between ${booked_on}::date - ${voucherDays}::integer
            and ${booked_on}::date + ${voucherDays}::integer
          and not exists (select from bank.transactions t where t.voucher_id = v.id) and ${standsByItself}
        group by v.id having sum(r.debit_ore - r.credit_ore) = ${amount_ore}
        order by abs(v.verification_date - ${booked_on}::date), v.id limit ${suggestionsMax}`,
  );
}

/** Unmatched rows of the row's account that go the same way, the nearest in time first. */
export function listRowsForVoucher(
  db: Db,
  { id, account_id, amount_ore, booked_on }: BankTransactionFacts,
  limit: number,
): Promise<Pick<BankRow, 'id' | 'booked_on' | 'description' | 'amount_ore'>[]> {
  return db.query(
    sql`select t.id, t.booked_on, t.description, t.amount_ore from bank.transactions t
        where t.account_id = ${account_id}::uuid and t.voucher_id is null and t.id <> ${id}::uuid
          and (t.amount_ore > 0) = ${amount_ore > 0n}
        order by abs(t.booked_on - ${booked_on}::date), t.booked_on, t.id limit ${limit}`,
  );
}

const namesMax = 500;

/** Open documents that a row the way of money could pay, for a field to suggest: by what people name them, the first due first. */
export function listOpenNumbers(
  db: Db,
  kind: 'invoice' | 'purchase',
): Promise<{ number: string; who: string; ore: Ore }[]> {
  return db.query(
    kind === 'invoice'
      ? sql`select i.number::text as number, i.debtor ->> 'name' as who, i.open_ore as ore from sales.invoices i
            where i.kind = 'invoice' and i.status <> 'draft' and i.open_ore > 0
            order by i.due_date, i.id limit ${namesMax}`
      : sql`select p.invoice_number as number, coalesce(p.laid_out_by, p.seller ->> 'name', '') as who, p.open_ore as ore
            from purchases.invoices p where p.status = 'booked' and p.open_ore > 0
            order by p.due_date, p.id limit ${namesMax}`,
  );
}

/** An invoice that a person names by its number or OCR number; of suppliers, by the number they gave. */
export async function findInvoiceIds(
  db: Db,
  kind: 'invoice' | 'purchase',
  typed: string,
): Promise<string[]> {
  const digits = /^\d{1,9}$/.test(typed) ? Number(typed) : null;
  const found = await db.query<{ id: string }>(
    kind === 'invoice'
      ? sql`select i.id from sales.invoices i
            where i.kind = 'invoice' and i.status <> 'draft' and (i.number = ${digits}::integer or i.ocr = ${typed})
            order by i.open_ore <> 0 desc, i.id limit 2`
      : sql`select p.id from purchases.invoices p
            where p.status = 'booked' and p.invoice_number = ${typed}
            order by p.open_ore <> 0 desc, p.id limit 2`,
  );
  return found.map(({ id }) => id);
}
