-- Counts calls of a key before they come, for a process that lets them in itself then (src/http/prepaid.ts): as many as
-- are asked for, but at most a twentieth of what is left of the hour, so that the end of a quota is counted call by call.
-- No row when api.admit would not let the key in, or nothing is counted. `used` holds them; `opened_at` says which hour
-- they are counted in.
create or replace function api.count_ahead(p_hash bytea, p_calls integer)
returns table (key_id uuid, name text, scopes text[], quota integer, calls integer, used bigint,
  opened_at timestamptz, seconds_left double precision)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_key restricted.api_keys;
  v_window restricted.key_windows;
begin
  if p_calls is null or p_calls not between 1 and 2000 then
    raise exception 'two thousand calls are counted ahead at most' using errcode = '22023';
  end if;
  perform set_config('synchronous_commit', 'off', true);
  select * into v_key from restricted.api_keys
  where hash = p_hash and revoked_at is null and (expires_at is null or expires_at > now() + interval '1 second');
  if not found then return; end if;
  select * into v_window from restricted.key_windows w
  where w.key_id = v_key.id and restricted.is_open(w.opened_at, interval '1 hour') for no key update;
  if not found then return; end if;
  calls := least(p_calls, (v_key.quota_per_hour - v_window.used) / 20);
  if calls < 1 then return; end if;
  update restricted.key_windows w set used = w.used + calls, last_used_at = now() where w.key_id = v_key.id
  returning w.* into v_window;
  key_id := v_key.id;
  name := v_key.name;
  scopes := v_key.scopes;
  quota := v_key.quota_per_hour;
  used := v_window.used;
  opened_at := v_window.opened_at;
  seconds_left := extract(epoch from v_window.opened_at + interval '1 hour' - now());
  return next;
end $$;
