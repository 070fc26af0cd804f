-- What the voucher of an invoice credits (debits, when negative) by account, as its rows and total say:
-- receivables by the total, revenue, output VAT by rate (null for what a rate without an account bears), that of other
-- countries (2670), and rounding; of a credit note the reverse. The accounts are those of src/domain/sales/invoice.ts.
create or replace function sales.voucher_amounts(p_invoice_id uuid)
returns table (account integer, credit_ore bigint) language sql stable as $$
  select m.account, case i.kind when 'invoice' then m.ore else -m.ore end
  from sales.invoices i
  cross join lateral (
    select 1510 as account, -i.total_ore as ore
    union all
    select 3740, i.rounding_ore
    union all
    select v.account, v.ore from sales.invoice_rows r
    cross join lateral (values (r.account, r.net_ore),
      (case when r.oss_country is not null then 2670 when r.vat_rate = 25 then 2611 when r.vat_rate = 12 then 2621
        when r.vat_rate = 6 then 2631 end, r.vat_ore))
      as v (account, ore)
    where r.invoice_id = i.id) as m
  where i.id = p_invoice_id
$$;
