/** Sums that are kept beside what they are the sums of, held against it. */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { VerificationFinding } from './finding.ts';

interface Kept {
  /** Columns `what` (as a person knows it), `kept` and `summed`; null is nothing. */
  readonly rows: Sql;
  /** What is wrong, before what it is of. */
  readonly sentence: string;
}

/** What each month did to what is owed, held against the vouchers of what happened (columns `voucher_id` and `ore`). */
function changesOf(kept: Sql, happened: Sql): Sql {
  return sql`select format('%s, serie %s', to_char(month, 'YYYY-MM'), s.code) as what, c.ore as kept, h.ore as summed
    from ${kept} c
    full join (
      select v.series_id, date_trunc('month', v.verification_date)::date as month, sum(o.ore) as ore
      from (${happened}) as o join ledger.vouchers v on v.id = o.voucher_id group by 1, 2) as h
      using (series_id, month)
    join ledger.series s on s.id = series_id`;
}

/** Of days, months, suppliers, customers and articles: what the statistics and month ends read. */
const sums: readonly Kept[] = [
  {
    sentence: 'Dagens omsättning stämmer inte med raderna',
    rows: sql`select format('%s, serie %s', day, s.code) as what, d.revenue_ore as kept, r.ore as summed
      from (select series_id, day, sum(revenue_ore) as revenue_ore from ledger.day_revenues group by 1, 2) as d
      full join (
        select v.series_id, r.verification_date as day, sum(r.credit_ore - r.debit_ore) as ore
        from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
        where r.account between 3000 and 3999 group by 1, 2) as r using (series_id, day)
      join ledger.series s on s.id = series_id`,
  },
  {
    sentence: 'Månadens intäkter eller kostnader stämmer inte med raderna',
    rows: sql`select format('%s, serie %s', to_char(month, 'YYYY-MM'), s.code) as what, v.kept, v.summed
      from (select series_id, month, sum(revenue_ore) as revenue_ore, sum(costs_ore) as costs_ore,
          sum(goods_ore) as goods_ore from ledger.month_totals group by 1, 2) as t
      full join (
        select v.series_id, date_trunc('month', r.verification_date)::date as month,
          sum(r.credit_ore - r.debit_ore) filter (where r.account < 4000) as revenue,
          sum(r.debit_ore - r.credit_ore) filter (where r.account >= 4000) as costs,
          sum(r.debit_ore - r.credit_ore) filter (where r.account between 4000 and 4999) as goods
        from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
        where r.account between 3000 and 7999 group by 1, 2) as r using (series_id, month)
      join ledger.series s on s.id = series_id
      cross join lateral (values (t.revenue_ore, r.revenue), (t.costs_ore, r.costs),
        (t.goods_ore, r.goods)) as v (kept, summed)`,
  },
  {
    sentence: 'Kostnaden hos leverantören stämmer inte med raderna',
    rows: sql`select counterparty as what, k.ore as kept, r.ore as summed
      from (select counterparty, sum(cost_ore) as ore from ledger.supplier_costs group by 1) as k
      full join (
        select v.counterparty, sum(r.debit_ore - r.credit_ore) as ore
        from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
        where r.account between 4000 and 7999 and v.counterparty is not null group by 1) as r
        using (counterparty)`,
  },
  {
    sentence: 'Antalet verifikat med underlag stämmer inte',
    rows: sql`select format('%s, serie %s', to_char(month, 'YYYY-MM'), s.code) as what,
        d.own + d.attached as kept, r.vouchers as summed
      from ledger.documented_vouchers d
      full join (
        select v.series_id, date_trunc('month', v.verification_date)::date as month,
          count(*) as vouchers
        from ledger.vouchers v
        where not ledger.wants_document(v.source, v.id)
          or exists (select from ledger.attachments a where a.voucher_id = v.id)
        group by 1, 2) as r using (series_id, month)
      join ledger.series s on s.id = series_id`,
  },
  {
    sentence: 'Antalet bokförda kundfakturor stämmer inte',
    rows: sql`select day::text as what, d.invoices as kept, i.invoices as summed
      from sales.day_invoices d
      full join (
        select i.invoice_date as day, count(*) as invoices from sales.invoices i
        where i.status <> 'draft' and i.kind = 'invoice' and i.source <> 'opening' group by 1) as i
        using (day)`,
  },
  {
    sentence: 'Omsättningen hos kunden stämmer inte med fakturorna',
    rows: sql`select c.name as what, k.net_ore as kept, i.ore as summed
      from sales.customer_revenues k
      full join (
        select i.customer_id, sum(case i.kind when 'invoice' then i.net_ore else -i.net_ore end) as ore
        from sales.invoices i where i.status <> 'draft' and i.source <> 'opening' group by 1) as i
        using (customer_id)
      join sales.customers c on c.id = customer_id`,
  },
  {
    sentence: 'Omsättningen på artikeln stämmer inte med fakturorna',
    rows: sql`select article_number || ' på konto ' || account as what, k.net_ore as kept, i.ore as summed
      from sales.article_revenues k
      full join (
        select r.article_number, r.account,
          sum(case i.kind when 'invoice' then r.net_ore else -r.net_ore end) as ore
        from sales.invoice_rows r join sales.invoices i on i.id = r.invoice_id
        where i.status <> 'draft' and i.source <> 'opening' and r.article_number is not null
        group by 1, 2) as i using (article_number, account)`,
  },
  {
    sentence: 'Månadens ändring av kundfordringarna stämmer inte med det som har hänt fakturorna',
    rows: changesOf(
      sql`sales.receivable_changes`,
      sql`select i.voucher_id, case i.kind when 'invoice' then i.total_ore else -i.total_ore end as ore
        from sales.invoices i
        union all
        select r.voucher_id, r.fee_ore from sales.reminders r
        union all
        select w.voucher_id, -r.fee_ore from sales.withdrawn_fees w
        join sales.reminders r on r.invoice_id = w.invoice_id and r.reminder_no = w.reminder_no
        union all
        select p.voucher_id, -p.amount_ore from sales.payments p`,
    ),
  },
  {
    sentence:
      'Månadens ändring av leverantörsskulderna stämmer inte med det som har hänt fakturorna',
    rows: changesOf(
      sql`purchases.payable_changes`,
      sql`select i.voucher_id, r.credit_ore - r.debit_ore as ore from purchases.invoices i
        join ledger.voucher_rows r on r.voucher_id = i.voucher_id and r.account = 2440
        where i.debt_account = 2440
        union all
        select p.voucher_id, -p.amount_ore from purchases.payments p
        join purchases.invoices i on i.id = p.invoice_id and i.debt_account = 2440`,
    ),
  },
];

/** Kept sums that are not what they sum up. */
export async function findSumProblems(db: Db): Promise<VerificationFinding[]> {
  const found: VerificationFinding[] = [];
  for (const { rows, sentence } of sums) {
    found.push(
      ...(await db.query<VerificationFinding>(sql`
        select distinct 'wrong_sum' as kind, null as series, null::integer as year, null::integer as number,
          format('%s: %s.', ${sentence}::text, what) as message
        from (${rows}) as s where coalesce(kept, 0) <> coalesce(summed, 0)
        order by message limit 1000`)),
    );
  }
  return found;
}

/**
 * Suppliers' invoices: what is left of each is what its voucher left on 2440 (or where an outlay is owed) less what was paid, and each that
 * was booked on something has its voucher.
 */
export function findPurchaseProblems(db: Db): Promise<VerificationFinding[]> {
  return db.query<VerificationFinding>(sql`
    with booked as (
      select i.*, case when i.document_id is null and not i.is_by_hand then i.payable_ore
          when i.debt_account = 2018 then 0 else coalesce((
          select sum(r.credit_ore - r.debit_ore) from ledger.voucher_rows r
          where r.voucher_id = i.voucher_id and r.account = i.debt_account), 0) end as owed_ore,
        coalesce((select sum(p.amount_ore) from purchases.payments p where p.invoice_id = i.id), 0)
          as paid_ore
      from purchases.invoices i
    )
    select kind, null as series, null::integer as year, null::integer as number, message from (
      select 'purchase_wrong_remainder' as kind, i.invoice_number,
        format('Det som återstår på leverantörsfaktura %s (%s) är inte det bokförda minus det betalda.',
          i.invoice_number, i.seller ->> 'name') as message
      from booked i
      where i.open_ore <> case i.status when 'booked' then i.owed_ore - i.paid_ore else 0 end
      union all
      select 'purchase_without_voucher', i.invoice_number,
        format('Leverantörsfaktura %s (%s) är bokförd men saknar sitt verifikat.', i.invoice_number,
          i.seller ->> 'name')
      from booked i
      where i.status = 'booked' and (i.document_id is not null or i.is_by_hand) and i.voucher_id is null
        and exists (select from purchases.invoice_rows r where r.invoice_id = i.id)
      union all
      select 'purchase_wrong_voucher', i.invoice_number,
        format('Leverantörsfaktura %s (%s) har andra rader än sitt verifikat.', i.invoice_number,
          i.seller ->> 'name')
      from booked i
      where i.voucher_id is not null and exists (
        select from (
          (select account, debit_ore, credit_ore from purchases.invoice_rows where invoice_id = i.id
          except all select account, debit_ore, credit_ore from ledger.voucher_rows
            where voucher_id = i.voucher_id)
          union all
          (select account, debit_ore, credit_ore from ledger.voucher_rows where voucher_id = i.voucher_id
          except all select account, debit_ore, credit_ore from purchases.invoice_rows
            where invoice_id = i.id)) as different)
      union all
      select 'voucher_without_purchase', v.series || v.number,
        format('Verifikatet %s%s är en leverantörsfakturas, men ingen faktura är bokförd med det.',
          v.series, v.number)
      from ledger.vouchers v
      where v.source = 'supplier_invoice' and not exists (
        select from purchases.invoices i where i.voucher_id = v.id)
    ) as f order by f.invoice_number limit 1000`);
}

/** Vouchers that settle VAT without the note of which period's: they keep what they move out of every box. */
export function findVatProblems(db: Db): Promise<VerificationFinding[]> {
  return db.query<VerificationFinding>(sql`
    select 'vat_without_period' as kind, v.series, null::integer as year, v.number,
      'Verifikatet redovisar moms men hör till ingen momsperiod.' as message
    from ledger.vouchers v
    where v.source = 'vat' and not exists (
        select from ledger.vat_settlements s where s.voucher_id = v.id)
      and not exists (select from ledger.corrections c where c.replacement_id = v.id)
    order by v.series, v.number limit 1000`);
}
