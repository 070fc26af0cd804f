-- Keeps the sums that statistics and month ends read, of days, months, customers and articles, as invoices are booked. Why
-- `except`: bank.guard_matches.
create or replace function sales.sum_booked() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_booked uuid[];
  v_opened bigint;
begin
  select array_agg(id) into v_booked from (
    select id from after where status <> 'draft' except select id from before where status <> 'draft') as booked;
  v_opened := (select sum(open_ore) from after) - (select sum(open_ore) from before);
  if v_opened <> 0 then
    update sales.receivables r set open_ore = r.open_ore + v_opened;
  end if;
  if v_booked is null then return null; end if;
  perform sales.sum_changes(array_agg(a.voucher_id),
    array_agg(case a.kind when 'invoice' then a.total_ore else -a.total_ore end))
  from after a where a.id = any (v_booked) and a.voucher_id is not null having count(*) > 0;
  insert into sales.day_invoices as d (day, invoices)
  select a.invoice_date, count(*) from after a where a.id = any (v_booked) and a.kind = 'invoice'
  group by 1 order by 1
  on conflict (day) do update set invoices = d.invoices + excluded.invoices;
  insert into sales.customer_revenues as c (customer_id, net_ore)
  select a.customer_id, sum(case a.kind when 'invoice' then a.net_ore else -a.net_ore end)
  from after a where a.id = any (v_booked)
  group by 1 order by 1
  on conflict (customer_id) do update set net_ore = c.net_ore + excluded.net_ore;
  insert into sales.article_revenues as s (article_number, account, net_ore)
  select r.article_number, r.account, sum(case a.kind when 'invoice' then r.net_ore else -r.net_ore end)
  from after a
  cross join lateral (select * from sales.invoice_rows where invoice_id = a.id) as r
  where a.id = any (v_booked) and r.article_number is not null
  group by 1, 2 order by 1, 2
  on conflict (article_number, account) do update set net_ore = s.net_ore + excluded.net_ore;
  return null;
end $$;
