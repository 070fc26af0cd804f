-- How a month's end stands: for keys that read vouchers. What stands in the way is told by name, never its content; that the bank
-- does, only to keys that read the bank.
create or replace function api.month_end(p_month date, p_today date, p_time_zone text)
returns table (is_acknowledged boolean, failing text[], open_month date, months_behind integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_reads_bank boolean;
begin
  perform api.require_key('data:read');
  select 'bank:read' = any (k.scopes) into v_reads_bank from restricted.api_keys k
  where k.hash = decode(current_setting('huvudbok.credential', true), 'hex');
  return query
    select exists (select from ledger.month_ends e where e.month = p_month),
      case when v_reads_bank then f.names else array_remove(f.names, 'bank') end, m.open_month, m.months_behind
    from ledger.month_ends_on(p_today, p_time_zone) m
    cross join lateral (select ledger.failing_conditions(p_month, p_time_zone) as names) f;
end $$;
