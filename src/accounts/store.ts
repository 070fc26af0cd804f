import type { Db, Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
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

export interface UsableAccount {
  number: number;
  name: string;
}

/** The accounts that new vouchers may use, in order. */
export function listUsableAccounts(db: Db): Promise<UsableAccount[]> {
  return db.query(sql`select number, name from ledger.accounts where is_active order by number`);
}
