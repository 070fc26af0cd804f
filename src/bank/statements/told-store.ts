/** Until which day the bank has told of its accounts, and what came in that nobody has dealt with. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { BankTold } from '../../domain/sales/reminding.ts';

/**
 * Active accounts of kind bank: the last day of a statement, or of a row out of one. Rows and balances that a person
 * typed tell of nothing else that came.
 */
export function listTold(db: Db): Promise<BankTold[]> {
  return db.query(sql`select a.name, greatest(
      (select max(s.last_day) from bank.imported_statements s where s.account_id = a.id and not s.is_notice),
      (select max(t.booked_on) from bank.transactions t
        where t.account_id = a.id and t.statement_id is not null)) as "lastDay"
    from bank.accounts a where a.kind = 'bank' and a.is_active order by a.ledger_account`);
}

export async function countUnmatchedIn(db: Db): Promise<number> {
  const [found] = await db.query<{ count: number }>(sql`select count(*)::integer as count
    from bank.transactions t join bank.accounts a on a.id = t.account_id
    where t.voucher_id is null and t.amount_ore > 0 and a.kind = 'bank' and a.is_active`);
  return found?.count ?? 0;
}
