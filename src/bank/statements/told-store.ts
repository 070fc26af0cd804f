/** Until which day the bank has told of its accounts, and what came in that nobody has dealt with. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { BankTold } from '../../domain/sales/reminding.ts';

/** A little more than a year: invoices that are paid once a year tell of the account too. */
const customersDays = 400;

/**
 * Active accounts of kind bank: the last day of a statement, or of a row out of one. Rows and balances that a person
 * typed tell of nothing else that came, and nothing tells of days after it came itself. Left out is what has been read and holds no customer's payment of the last year,
 * where another account does: statements of savings are rare.
 */
export function listTold(db: Db): Promise<BankTold[]> {
  return db.query(sql`
    with account as (
      select a.id, a.name, a.ledger_account, a.bankgiro is not null as has_bankgiro, greatest(
        (select max(least(s.last_day, (s.created_at at time zone 'UTC')::date)) from bank.imported_statements s where s.account_id = a.id and not s.is_notice),
        (select max(least(t.booked_on, (t.created_at at time zone 'UTC')::date)) from bank.transactions t
          where t.account_id = a.id and t.statement_id is not null)) as last_day
      from bank.accounts a where a.kind = 'bank' and a.is_active
    ), told as (
      select *, has_bankgiro or exists (select from bank.transactions t join sales.payments p using (voucher_id)
        where t.account_id = account.id and t.amount_ore > 0
          and t.booked_on > (select max(last_day) from account) - ${customersDays}::integer) as is_customers
      from account
    )
    select name, last_day as "lastDay" from told
    where is_customers or last_day is null or not exists (select from told where is_customers)
    order by ledger_account`);
}

/** Rows of bank accounts that nobody has matched, of money one way. */
export async function countUnmatched(db: Db, way: 'in' | 'out'): Promise<number> {
  const [found] = await db.query<{ count: number }>(sql`select count(*)::integer as count
    from bank.transactions t join bank.accounts a on a.id = t.account_id
    where t.voucher_id is null and (t.amount_ore > 0) = ${way === 'in'} and a.kind = 'bank' and a.is_active`);
  return found?.count ?? 0;
}
