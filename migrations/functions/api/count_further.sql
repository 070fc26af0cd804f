-- Counts so many calls more of a key that api.admit has let in, for one call that does the work of several: all of
-- them or, when its hour has not so many left, none. Nobody waits for the disk, as there.
create or replace function api.count_further(p_hash bytea, p_calls integer)
returns table (is_within boolean, quota integer, used bigint, seconds_left integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_key restricted.api_keys;
  v_window restricted.key_windows;
begin
  if p_calls is null or p_calls not between 1 and 1000 then
    raise exception 'a call counts as a thousand at most' using errcode = '22023';
  end if;
  perform set_config('synchronous_commit', 'off', true);
  select * into v_key from restricted.api_keys where hash = p_hash;
  if not found then return; end if;
  insert into restricted.key_windows as w (key_id, opened_at, used, last_used_at)
  values (v_key.id, now(), 0, now())
  on conflict (key_id) do update set
    used = case when restricted.is_open(w.opened_at, interval '1 hour') then w.used else 0 end,
    opened_at = case when restricted.is_open(w.opened_at, interval '1 hour') then w.opened_at else now() end
  returning w.* into v_window;
  is_within := v_window.used + p_calls <= v_key.quota_per_hour;
  if is_within then
    update restricted.key_windows w set used = w.used + p_calls where w.key_id = v_key.id returning w.* into v_window;
  end if;
  quota := v_key.quota_per_hour;
  used := v_window.used;
  seconds_left := greatest(1, ceil(extract(epoch from v_window.opened_at + interval '1 hour' - now())));
  return next;
end $$;
