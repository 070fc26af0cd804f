-- Revenue, costs and of these goods by month, öre.
create or replace function ledger.month_results()
returns table (month date, revenue_ore bigint, costs_ore bigint, goods_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select m.month, sum(m.revenue_ore)::bigint, sum(m.costs_ore)::bigint, sum(m.goods_ore)::bigint
  from ledger.month_totals m group by m.month order by m.month
$$;
