-- Lets calls in, many at once: who the key is, whether it may, and its quota. A key's window opens
-- with its first call and lasts an hour; the counter is exact across all processes because it is
-- this row. Losing the last moments of counting in a power cut is fine, so nobody waits for the disk.
create or replace function api.admit(p_hash bytea[], p_scopes text[])
returns table (item integer, outcome text, key_id uuid, name text, scopes text[], quota integer,
  used bigint, seconds_left integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_items constant integer := cardinality(p_hash);
  v_configured boolean := exists (select from restricted.company)
    and exists (select from ledger.fiscal_years);
  v_key restricted.api_keys;
  v_keys restricted.api_keys[] := '{}';
  v_outcomes text[] := '{}';
  v_outcome text;
  -- Of each key with admitted calls: how many they are, and its window as it then stands.
  v_ids uuid[] := '{}';
  v_calls bigint[] := '{}';
  v_used bigint[] := '{}';
  v_opened timestamptz[] := '{}';
  v_window restricted.key_windows;
  k integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  for i in 1..c_items loop
    if i = 1 or p_hash[i] <> p_hash[i - 1] then
      select * into v_key from restricted.api_keys where hash = p_hash[i];
    end if;
    v_outcome := case
      when v_key.id is null then 'unauthorized'
      when v_key.revoked_at is not null then 'key_revoked'
      when v_key.expires_at <= now() then 'key_expired'
      when not v_configured then 'server_misconfigured'
      when not v_key.scopes @> string_to_array(p_scopes[i], ' ') then 'insufficient_scope'
      else 'admitted' end;
    if v_outcome = 'admitted' then
      k := array_position(v_ids, v_key.id);
      if k is null then
        v_ids := v_ids || v_key.id;
        v_calls := v_calls || 1::bigint;
      else
        v_calls[k] := v_calls[k] + 1;
      end if;
    end if;
    v_keys := v_keys || v_key;
    v_outcomes := v_outcomes || v_outcome;
  end loop;

  -- In key order, so that two batches never wait for each other crosswise.
  v_used := array_fill(0::bigint, array[cardinality(v_ids)]);
  v_opened := array_fill(null::timestamptz, array[cardinality(v_ids)]);
  for i in 1..cardinality(v_ids) loop
    k := array_position(v_ids, (select id from unnest(v_ids) as u (id) order by id offset i - 1 limit 1));
    insert into restricted.key_windows as w (key_id, opened_at, used, last_used_at)
    values (v_ids[k], now(), v_calls[k], now())
    on conflict (key_id) do update set
      used = excluded.used + case when w.opened_at > now() - interval '1 hour' then w.used else 0 end,
      opened_at = case when w.opened_at > now() - interval '1 hour' then w.opened_at else now() end,
      last_used_at = now()
    returning w.* into v_window;
    v_used[k] := v_window.used - v_calls[k];
    v_opened[k] := v_window.opened_at;
  end loop;

  for i in 1..c_items loop
    item := i;
    outcome := v_outcomes[i];
    key_id := v_keys[i].id;
    name := v_keys[i].name;
    scopes := v_keys[i].scopes;
    quota := v_keys[i].quota_per_hour;
    used := null;
    seconds_left := null;
    if outcome = 'admitted' then
      k := array_position(v_ids, key_id);
      v_used[k] := v_used[k] + 1;
      used := v_used[k];
      seconds_left := greatest(1, ceil(extract(epoch from v_opened[k] + interval '1 hour' - now())));
      if used > quota then outcome := 'rate_limited'; end if;
    end if;
    return next;
  end loop;
end $$;
