/** What stands on balance accounts as a month ends, and what of it nothing here explains. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { MonthSpan } from './store.ts';

export interface Remainder {
  account: number;
  name: string;
  /** Debit above zero. */
  balance_ore: Ore;
  /**
   * What the balance is held against: the bank's own latest of the month, what was open on invoices as it ended, or that there
   * should be none. Null: nothing that the books know of.
   */
  against: 'bank' | 'invoices' | 'nothing' | null;
  /** What that leaves unexplained; null when the balance is held against nothing. */
  remainder_ore: Ore | null;
}

/** Accounts 1000–2999 that something stands on, or that something is held against. */
export const listRemainders = (db: Db, { first, last }: MonthSpan): Promise<Remainder[]> =>
  db.query<Remainder>(
    sql`with stood as (
          select account,
            coalesce(sum(debit_ore - credit_ore) filter (where month <= ${first}::date), 0)::bigint as balance_ore
          from ledger.month_balances where account between 1000 and 2999 group by account
        ), held as (
          select a.ledger_account as account, 'bank' as against,
            sum(ledger.balance_at(a.ledger_account, s.closing_date) - s.balance_ore)::bigint as remainder_ore
          from bank.accounts a
          cross join lateral (
            select s.closing_date, s.balance_ore from bank.statements s
            where s.account_id = a.id and s.closing_date between ${first}::date and ${last}::date
            order by s.closing_date desc limit 1) as s
          where a.is_active group by a.ledger_account
          union all
          select 1510, 'invoices', (select balance_ore from stood where account = 1510) - sales.open_on(${last}::date)
          where exists (select from sales.invoices where status <> 'draft')
          union all
          select 2440, 'invoices', (select balance_ore from stood where account = 2440) + purchases.open_on(${last}::date)
          where exists (select from purchases.invoices where status = 'booked' and debt_account = 2440)
          union all
          select account, 'nothing', balance_ore from stood where account in (1999, 2999)
        )
        select s.account, a.name, s.balance_ore, h.against, h.remainder_ore
        from stood s join ledger.accounts a on a.number = s.account left join held h using (account)
        where s.balance_ore <> 0 or h.remainder_ore <> 0 order by s.account`,
  );
