-- Takes back calls that api.count_ahead counted in the hour that opened then, and that did not come.
create or replace function api.uncount(p_hash bytea, p_calls integer, p_opened_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_calls is null or p_calls < 1 then
    raise exception 'calls are taken back by their number' using errcode = '22023';
  end if;
  perform set_config('synchronous_commit', 'off', true);
  update restricted.key_windows w set used = greatest(0, w.used - p_calls)
  from restricted.api_keys k
  where k.hash = p_hash and w.key_id = k.id and w.opened_at = p_opened_at;
end $$;
