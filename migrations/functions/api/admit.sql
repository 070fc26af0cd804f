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
  v_outcome text;
  -- Neighbours of one key that ask for the same are judged as one: which of those each call is, and of them the key.
  g integer := 0;
  v_group integer[] := array_fill(0, array[c_items]);
  v_keys restricted.api_keys[] := '{}';
  v_outcomes text[] := '{}';
  -- Of each key with admitted calls: how many they are, how many its window then had, and what is left of its hour.
  v_ids uuid[] := '{}';
  v_calls bigint[] := '{}';
  v_used bigint[];
  v_left integer[];
  v_window restricted.key_windows;
  k integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  for i in 1..c_items loop
    if i = 1 or p_hash[i] is distinct from p_hash[i - 1] or p_scopes[i] is distinct from p_scopes[i - 1] then
      if i = 1 or p_hash[i] is distinct from p_hash[i - 1] then
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
          v_calls := v_calls || 0::bigint;
          k := cardinality(v_ids);
        end if;
      end if;
      g := g + 1;
      v_keys[g] := v_key;
      v_outcomes[g] := v_outcome;
    end if;
    v_group[i] := g;
    if v_outcome = 'admitted' then
      v_calls[k] := v_calls[k] + 1;
    end if;
  end loop;

  -- In key order, so that two batches never wait for each other crosswise.
  for i in 1..cardinality(v_ids) loop
    k := i;
    if cardinality(v_ids) > 1 then
      k := array_position(v_ids, (select id from unnest(v_ids) as u (id) order by id offset i - 1 limit 1));
    end if;
    insert into restricted.key_windows as w (key_id, opened_at, used, last_used_at)
    values (v_ids[k], now(), v_calls[k], now())
    on conflict (key_id) do update set
      used = excluded.used + case when restricted.is_open(w.opened_at, interval '1 hour') then w.used else 0 end,
      opened_at = case when restricted.is_open(w.opened_at, interval '1 hour') then w.opened_at else now() end,
      last_used_at = now()
    returning w.* into v_window;
    v_used[k] := v_window.used - v_calls[k];
    v_left[k] := greatest(1, ceil(extract(epoch from v_window.opened_at + interval '1 hour' - now())));
  end loop;

  g := 0;
  for i in 1..c_items loop
    item := i;
    if v_group[i] <> g then
      g := v_group[i];
      v_key := v_keys[g];
      key_id := v_key.id;
      name := v_key.name;
      scopes := v_key.scopes;
      quota := v_key.quota_per_hour;
      k := array_position(v_ids, key_id);
    end if;
    outcome := v_outcomes[g];
    used := null;
    seconds_left := null;
    if outcome = 'admitted' then
      v_used[k] := v_used[k] + 1;
      used := v_used[k];
      seconds_left := v_left[k];
      if used > quota then outcome := 'rate_limited'; end if;
    end if;
    return next;
  end loop;
end $$;
