/** Invoices in other currencies that are open as a day ends. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';
import {
  accountsOfRevaluation,
  type OpenInCurrency,
  revaluationAccounts,
} from '../../domain/ledger/revaluation.ts';

/**
 * Customers' first, by number. Reminder fees are claims in kronor, and outlays are owed in kronor, whatever was bought; a
 * prepayment that is paid is no debt.
 */
export function listOpenInCurrency(db: Db, day: string): Promise<OpenInCurrency[]> {
  return db.query(sql`
    select * from (
      select 'invoice' as kind, i.id, i.number::text, i.debtor ->> 'name' as who, i.currency,
        (select i.currency_rounding + sum(r.currency_net + r.currency_vat) from sales.invoice_rows r
          where r.invoice_id = i.id)::bigint as "wholeAmount",
        i.total_ore as "wholeOre",
        (i.total_ore - (select coalesce(sum(c.total_ore), 0) from sales.invoices c
            join ledger.vouchers v on v.id = c.voucher_id
            where c.credited_invoice_id = i.id and v.verification_date <= ${day}::date)
          - (select coalesce(sum(p.amount_ore), 0) from sales.payments p
            where p.invoice_id = i.id and p.payment_date <= ${day}::date))::bigint as "openOre"
      from sales.invoices i join ledger.vouchers v on v.id = i.voucher_id
      where i.currency <> 'SEK' and i.kind = 'invoice' and v.verification_date <= ${day}::date
      union all
      select 'purchase', i.id, i.invoice_number, coalesce(s.name, i.seller ->> 'name'), i.currency,
        abs(i.payable_ore), abs(i.open_ore + paid.ore), (i.open_ore + paid.later_ore)::bigint
      from purchases.invoices i join ledger.vouchers v on v.id = i.voucher_id
      left join purchases.suppliers s on s.id = i.supplier_id
      cross join lateral (select coalesce(sum(p.amount_ore), 0)::bigint as ore,
          coalesce(sum(p.amount_ore) filter (where p.paid_on > ${day}::date), 0)::bigint as later_ore
        from purchases.payments p where p.invoice_id = i.id) as paid
      where i.currency <> 'SEK' and i.laid_out_by is null and i.status = 'booked'
        and v.verification_date <= ${day}::date) as open
    where "openOre" <> 0 and "wholeOre" <> 0
    order by kind, length(number), number, id`);
}

/**
 * What vouchers of nothing else have of it as a day ends, taken back by hand or not: another may have uses of its own for
 * these accounts.
 */
export function listRevaluationBalances(db: Db, day: string): Promise<Balance[]> {
  return db.query(sql`
    select account, sum(debit_ore - credit_ore)::bigint as "balanceOre" from ledger.voucher_rows
    where voucher_id in (${vouchersUntil(day)})
    group by account having sum(debit_ore - credit_ore) <> 0 order by account`);
}

const vouchersUntil = (day: string) => sql`select r.voucher_id from ledger.voucher_rows r
  where r.account = any (${Object.values(revaluationAccounts)}::integer[]) and r.verification_date <= ${day}::date
    and not exists (select from ledger.voucher_rows other
      where other.voucher_id = r.voucher_id and other.account <> all (${accountsOfRevaluation}::integer[]))`;

/** Whether something in another currency has been booked of a day or before it, since what that day's revaluation says. */
export async function isRevaluationOld(db: Db, day: string): Promise<boolean> {
  const [found] = await db.query<{ is_old: boolean }>(sql`
    with last as (select max(posted_at) as at from ledger.vouchers where id in (${vouchersUntil(day)}))
    select exists (select from ledger.vouchers v, last
      where v.verification_date <= ${day}::date and v.posted_at > last.at and (
        exists (select from sales.invoices i where i.voucher_id = v.id and i.currency <> 'SEK')
        or exists (select from purchases.invoices i where i.voucher_id = v.id and i.currency <> 'SEK')
        or exists (select from sales.payments p join sales.invoices i on i.id = p.invoice_id
          where p.voucher_id = v.id and i.currency <> 'SEK')
        or exists (select from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
          where p.voucher_id = v.id and i.currency <> 'SEK'))) as is_old`);
  return found?.is_old ?? false;
}
