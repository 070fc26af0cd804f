-- GET /api/stats/daily: one row a day, days without events too.
create or replace function api.daily_statistics(p_from date, p_to date)
returns table (day date, revenue_ore bigint, invoices bigint, unpaid_ore bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  if p_to - p_from > 36600 then
    raise exception 'a hundred years at most' using errcode = '22023';
  end if;
  return query
    select d.day::date, coalesce(r.ore, 0)::bigint, coalesce(n.invoices, 0), o.open_ore
    from generate_series(p_from, p_to, interval '1 day') as d (day)
    left join (
      select v.day, sum(v.revenue_ore) as ore from ledger.day_revenues v
      where v.day between p_from and p_to group by v.day) as r on r.day = d.day
    left join sales.day_invoices n on n.day = d.day
    cross join sales.receivables o
    order by d.day;
end $$;
