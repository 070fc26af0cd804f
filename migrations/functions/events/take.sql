-- Takes deliveries for a minute each, with all there is to know to make the attempt. Should the taker die,
-- another takes them then.
create or replace function events.take(p_ids uuid[])
returns table (id uuid, endpoint_id uuid, event_id uuid, type text, attempt integer, url text,
  sealed bytea[], body text)
language sql set search_path = pg_catalog, pg_temp as $$
  update events.deliveries d
  set attempts = d.attempts + 1, next_attempt_at = now() + interval '1 minute'
  from events.endpoints e
  where d.id = any (p_ids) and d.state = 'pending' and e.id = d.endpoint_id
  returning d.id, d.endpoint_id, d.event_id, d.type, d.attempts, e.url,
    array_remove(array[e.sealed_secret,
      case when e.previous_secret_until > now() then e.previous_sealed_secret end], null),
    events.body_of(d.event_id, d.type, d.occurred_at, d.subject)::text
$$;
