-- What invoices and credit notes of the days have sold with the VAT of other countries, by country, rate, what was sold and
-- currency: amounts in the currency (hundredths of it), and in kronor as booked. A credit note belongs to the quarter of
-- its invoice (directive 2006/112/EC article 369g.4: a later return tells what corrects an earlier one).
create or replace function sales.oss_sales(p_from date, p_to date)
returns table (quarter date, country text, rate_e2 integer, supply text, currency text, net bigint, vat bigint,
  net_ore bigint, vat_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select date_trunc('quarter', coalesce(o.invoice_date, i.invoice_date))::date, r.oss_country, r.oss_rate_e2, r.oss_supply,
    i.currency, sum(sign.of * coalesce(r.currency_net, r.net_ore))::bigint,
    sum(sign.of * coalesce(r.currency_vat, r.vat_ore))::bigint,
    sum(sign.of * r.net_ore)::bigint, sum(sign.of * r.vat_ore)::bigint
  from sales.invoice_rows r
  join sales.invoices i on i.id = r.invoice_id
  left join sales.invoices o on o.id = i.credited_invoice_id
  cross join lateral (select case i.kind when 'invoice' then 1 else -1 end as of) as sign
  where r.oss_country is not null and i.status <> 'draft' and i.invoice_date between p_from and p_to
  group by 1, 2, 3, 4, 5
  order by 1 desc, 2, 4, 3 desc, 5
$$;
