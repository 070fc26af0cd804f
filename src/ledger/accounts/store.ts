/** The chart of accounts, and what stands on each account. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { anywhere, join, type Sql, sql } from '../../db/sql.ts';
import type { AccountType } from '../../domain/ledger/account.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import type { BasAccount } from './bas-base-chart.ts';

/** Adds the accounts that are missing; those that are there keep what people have made of them. */
export async function insertMissingAccounts(
  tx: Tx,
  accounts: readonly BasAccount[],
): Promise<void> {
  await tx.query(sql`insert into ledger.accounts (number, name, type, vat_code, vat_rate, vat_box, sru)
    select * from unnest(
      ${accounts.map(({ account }) => account)}::integer[],
      ${accounts.map(({ name }) => name)}::text[],
      ${accounts.map(({ type }) => type)}::text[],
      ${accounts.map(({ vatCode }) => vatCode)}::text[],
      ${accounts.map(({ vatRate }) => vatRate)}::integer[],
      ${accounts.map(({ vatBox }) => vatBox)}::text[],
      ${accounts.map(({ sru }) => sru)}::text[])
    on conflict (number) do nothing`);
}

/** What decides which accounts the program posts on; undefined before there is a company. */
export async function findServiceGround(
  db: Db,
): Promise<{ organization_number: string; purchase_account: number } | undefined> {
  const [ground] = await db.query<{ organization_number: string; purchase_account: number }>(
    sql`select organization_number, purchase_account from restricted.company`,
  );
  return ground;
}

/** Which of the accounts there are, and whether they are in use. */
export function listAccountStates(
  db: Db,
  numbers: readonly number[],
): Promise<{ number: number; is_active: boolean }[]> {
  return db.query(sql`select number, is_active from ledger.accounts
    where number = any (${numbers}::integer[])`);
}

export async function activateAccounts(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.query(sql`update ledger.accounts set is_active = true
    where number = any (${numbers}::integer[])`);
}

export interface Account {
  number: number;
  name: string;
  type: AccountType;
  vat_code: string | null;
  vat_rate: number | null;
  vat_box: string | null;
  sru: string | null;
  is_active: boolean;
  /** Whether any voucher is posted on it. */
  is_used: boolean;
}

export interface AccountWithBalance extends Account {
  /**
   * Debit above zero. Of a balance account what stands on it at the end of the year; of a result
   * account what was posted in the year.
   */
  balance_ore: bigint;
}

export interface AccountFilter {
  /** The beginning of the number, or part of the name. */
  readonly search: string;
  readonly show: 'active' | 'inactive' | 'used' | 'all';
}

/** Every account that the filter lets through, by number: a chart is a few hundred, never a page. */
export function listAccounts(
  db: Db,
  { search, show }: AccountFilter,
  year: { readonly start: string; readonly end: string },
): Promise<AccountWithBalance[]> {
  const conditions: Sql[] = [
    show === 'active'
      ? sql`a.is_active`
      : show === 'inactive'
        ? sql`not a.is_active`
        : show === 'used'
          ? sql`b.account is not null`
          : sql`true`,
  ];
  if (/^\d+$/.test(search)) conditions.push(sql`starts_with(a.number::text, ${search})`);
  else if (search !== '') {
    const part = anywhere(search);
    conditions.push(sql`lower(a.name) like ${part}`);
  }
  return db.query(
    sql`select a.number, a.name, a.type, a.vat_code, a.vat_rate, a.vat_box, a.sru, a.is_active,
          b.account is not null as is_used, coalesce(b.balance_ore, 0)::bigint as balance_ore
        from ledger.accounts a
        left join (select m.account, sum(m.debit_ore - m.credit_ore) filter (
            where m.month <= ${year.end}::date and (m.account < 3000 or m.month >= ${year.start}::date))
            as balance_ore
          from ledger.month_balances m group by m.account) as b on b.account = a.number
        where ${join(conditions, sql` and `)} order by a.number`,
  );
}

/** Throws 404 when there is none. */
export async function getAccount(db: Db, number: number): Promise<Account> {
  const [account] = await db.query<Account>(
    sql`select a.number, a.name, a.type, a.vat_code, a.vat_rate, a.vat_box, a.sru, a.is_active,
          exists (select from ledger.month_balances m where m.account = a.number) as is_used
        from ledger.accounts a where a.number = ${number}`,
  );
  if (!account) throw refuseWhole('not_found', 'unknown_account', { account: number });
  return account;
}

export interface UsableAccount {
  number: number;
  name: string;
  vat_code: string | null;
}

/** Accounts that new rows may be posted on, for a field to suggest. */
export function listUsableAccounts(db: Db): Promise<UsableAccount[]> {
  return db.query(
    sql`select number, name, vat_code from ledger.accounts where is_active order by number limit 2000`,
  );
}

export interface VatCode {
  vat_code: string;
  vat_rate: number | null;
  vat_box: string | null;
}

/** The VAT codes that the chart knows, each with its rate and box. */
export function listVatCodes(db: Db): Promise<VatCode[]> {
  return db.query(sql`select distinct vat_code, vat_rate, vat_box from ledger.accounts
    where vat_code is not null order by vat_code, vat_rate, vat_box`);
}

export interface AccountFacts {
  readonly name: string;
  readonly type: AccountType;
  readonly vat: {
    readonly code: string;
    readonly rate: number | null;
    readonly box: string | null;
  } | null;
  readonly sru: string | null;
}

export async function insertAccount(tx: Tx, number: number, facts: AccountFacts): Promise<void> {
  const { name, type, vat, sru } = facts;
  try {
    await tx.query(sql`insert into ledger.accounts (number, name, type, vat_code, vat_rate, vat_box, sru)
      values (${number}, ${name}, ${type}, ${vat?.code ?? null}, ${vat?.rate ?? null},
        ${vat?.box ?? null}, ${sru})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'accounts_pkey') throw error;
    throw refuse('unprocessable', [
      { path: 'number', reason: 'account_taken', params: { account: number } },
    ]);
  }
}

/** Throws `unprocessable` when the type is changed though vouchers are posted on the account. */
export async function updateAccount(
  tx: Tx,
  number: number,
  facts: AccountFacts & { readonly isActive: boolean },
): Promise<void> {
  const { name, type, vat, sru, isActive } = facts;
  try {
    await tx.query(sql`update ledger.accounts set name = ${name}, type = ${type},
        vat_code = ${vat?.code ?? null}, vat_rate = ${vat?.rate ?? null}, vat_box = ${vat?.box ?? null},
        sru = ${sru}, is_active = ${isActive}
      where number = ${number}`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'accounts_in_use') throw error;
    throw refuse('unprocessable', [{ path: 'type', reason: 'account_type_in_use' }]);
  }
}

/** Throws `unprocessable` when anything points at the account. */
export async function deleteAccount(tx: Tx, number: number): Promise<void> {
  try {
    await tx.query(sql`delete from ledger.accounts where number = ${number}`);
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error) ?? {};
    if (code !== '23503' && constraint !== 'accounts_in_use') throw error;
    throw refuse('unprocessable', [
      { path: '', reason: 'account_in_use', params: { account: number } },
    ]);
  }
}
