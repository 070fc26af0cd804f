-- Limits of a session: two hours without a call, twelve hours in all.
create or replace function app.is_alive(p_session restricted.sessions) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select p_session.last_seen_at > now() - interval '2 hours'
    and p_session.created_at > now() - interval '12 hours'
$$;
