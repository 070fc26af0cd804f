-- Deliveries that are due: of every endpoint as many as it has free places for, of one that fails a
-- single one, and nothing of one that asked us to wait, but for what a person tries it with. p_busy is how many attempts are under way with each of p_endpoints.
create or replace function events.list_due(p_endpoints uuid[], p_busy integer[], p_places integer)
returns setof uuid language sql set search_path = pg_catalog, pg_temp as $$
  select d.id from events.endpoints e
  left join unnest(p_endpoints, p_busy) as working (endpoint_id, busy) on working.endpoint_id = e.id
  cross join lateral (
    select d.id from events.deliveries d
    where d.endpoint_id = e.id and d.state = 'pending' and d.next_attempt_at <= now()
      and (coalesce(e.held_until <= now(), true) or d.type = 'webhook.test')
    order by d.next_attempt_at
    limit greatest(0, case when e.failing_since is null then p_places else 1 end
      - coalesce(working.busy, 0))
    for update skip locked) as d
  where e.disabled_at is null
$$;
