/** Invoices in other currencies that are open as a day ends. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Balance } from '../../domain/ledger/opening-balances.ts';
import {
  accountsOfRevaluation,
  type ClosingRates,
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
    where voucher_id in (select r.voucher_id from ledger.voucher_rows r
      where r.account = any (${Object.values(revaluationAccounts)}::integer[])
        and r.verification_date <= ${day}::date
        and not exists (select from ledger.voucher_rows other where other.voucher_id = r.voucher_id
          and other.account <> all (${accountsOfRevaluation}::integer[])))
    group by account having sum(debit_ore - credit_ore) <> 0 order by account`);
}

/** The rates that a year was last revalued at; null when it never was. */
export async function findRevaluationRates(db: Db, year: number): Promise<ClosingRates | null> {
  const [found] = await db.query<{ rates: Record<string, number> }>(sql`
    select detail -> 'rates' as rates from audit.events
    where action = 'fiscal_year.revalued' and subject = ${String(year)}
    order by occurred_at desc, id desc limit 1`);
  if (!found) return null;
  return new Map(
    Object.entries(found.rates).map(([of, rate]) => [of, BigInt(Math.round(rate * 1_000_000))]),
  );
}
