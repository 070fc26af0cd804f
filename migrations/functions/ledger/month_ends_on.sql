-- Where the month ends stand on a day. Months are told by their first day.
create or replace function ledger.month_ends_on(p_today date, p_time_zone text)
returns table (last_closed_month date, open_month date, open_month_failing text[], months_behind integer)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_from date := ledger.first_month();
begin
  select max(e.month) into last_closed_month from ledger.month_ends e;
  select min(g.first)::date, count(*) into open_month, months_behind
  from generate_series(v_from, date_trunc('month', p_today)::date - 1, interval '1 month') as g (first)
  where not exists (select from ledger.month_ends e where e.month = g.first::date);
  open_month_failing := case when open_month is null then '{}'
    else ledger.failing_conditions(open_month, p_time_zone) end;
  return next;
end $$;
