/** What moving in from another program rests on: the day, and how the books stand at its end. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';

export interface MoveFacts {
  organization_number: string;
  /** The last day in the old program. */
  moved_on: string | null;
  vat_period: 'month' | 'quarter' | 'year';
}

/** Undefined before the company is set up. */
export async function findMoveFacts(db: Db): Promise<MoveFacts | undefined> {
  const [facts] = await db.query<MoveFacts>(
    sql`select organization_number, moved_on, vat_period from restricted.company`,
  );
  return facts;
}

/** A voucher of the day or before that did not come out of a SIE file, nor takes back one that did. */
export async function findOwnVoucherUpTo(
  db: Db,
  day: string,
): Promise<{ label: string; date: string } | undefined> {
  const [found] = await db.query<{ label: string; date: string }>(
    sql`select v.series || v.number as label, v.verification_date as date from ledger.vouchers v
        where v.verification_date <= ${day}::date
          and v.source not in ('import', 'opening', 'closing', 'reversal')
        order by v.verification_date limit 1`,
  );
  return found;
}

/** Whether invoices have been taken over, on either side. */
export async function hasOpeningItems(db: Db): Promise<boolean> {
  const [answer] = await db.query<{ has: boolean }>(
    sql`select exists (select from sales.invoices where source = 'opening')
          or exists (select from purchases.invoices where document_id is null and not is_by_hand) as has`,
  );
  return answer?.has === true;
}

/** At the end of a day: of balance accounts what stands there, of others what the year brought from `yearStart`. */
export function listBalancesAt(
  db: Db,
  day: string,
  yearStart: string,
): Promise<(Balance & { name: string })[]> {
  return db.query(
    sql`select m.account, a.name, sum(m.ore)::bigint as "balanceOre"
        from (
          select b.account, b.month, b.debit_ore - b.credit_ore as ore from ledger.month_balances b
          where b.month < date_trunc('month', ${day}::date)
          union all
          select r.account, date_trunc('month', r.verification_date)::date, r.debit_ore - r.credit_ore
          from ledger.voucher_rows r
          where r.verification_date between date_trunc('month', ${day}::date)::date and ${day}::date) as m
        join ledger.accounts a on a.number = m.account
        where m.account < 3000 or m.month >= ${yearStart}::date
        group by 1, 2 having sum(m.ore) <> 0 order by 1`,
  );
}
