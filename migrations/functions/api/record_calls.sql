-- Writes down calls, many at once. Whoever calls must know the hash of the key's secret, as for everything
-- else that key traffic does, and says of it no more than a page shows. Losing the last moments of the log in a power cut is fine.
create or replace function api.record_calls(p_hash bytea[], p_called_at timestamptz[], p_route text[],
  p_status integer[], p_code text[], p_duration_ms integer[], p_request_id uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  with call as materialized (
    select k.id as key_id, i.called_at, i.route, i.status, i.code, i.duration_ms, i.request_id,
      row_number() over (partition by k.id order by i.item) as nth,
      count(*) over (partition by k.id) as total
    from unnest(p_hash, p_called_at, p_route, p_status, p_code, p_duration_ms, p_request_id)
      with ordinality as i (hash, called_at, route, status, code, duration_ms, request_id, item)
    join restricted.api_keys k on k.hash = i.hash
  ), counted as (
    -- In key order, so that two processes never wait for each other crosswise.
    insert into restricted.key_call_counts as c (key_id, calls)
    select key_id, count(*) from call group by key_id order by key_id
    on conflict (key_id) do update set calls = c.calls + excluded.calls
    returning c.key_id, c.calls
  )
  insert into restricted.key_calls as c
    (key_id, place, called_at, route, status, code, duration_ms, request_id)
  select call.key_id, (counted.calls - call.total + call.nth - 1) % 100,
    -- Told of within moments, by a clock that may be a little off.
    least(greatest(call.called_at, now() - interval '1 day'), now()),
    left(call.route, 200), call.status, left(call.code, 100), call.duration_ms, call.request_id
  from call join counted on counted.key_id = call.key_id
  where call.total - call.nth < 100
  order by 1, 2
  on conflict (key_id, place) do update set called_at = excluded.called_at, route = excluded.route,
    status = excluded.status, code = excluded.code, duration_ms = excluded.duration_ms,
    request_id = excluded.request_id;
end $$;
