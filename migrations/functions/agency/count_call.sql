-- Counts a call of an address, of the routes that agencies have.
create or replace function agency.count_call(p_address inet, p_route text)
returns table (used bigint, seconds_left integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_route not in ('agency_token', 'agency_aggregate') then
    raise exception 'agencies have no such route' using errcode = '22023';
  end if;
  return query select c.used, c.seconds_left from restricted.count_calls(array[p_address], p_route) c;
end $$;
