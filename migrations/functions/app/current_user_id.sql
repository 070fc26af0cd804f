-- The user of the session that is presented, in a transaction of now.
create or replace function app.current_user_id() returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.user_id from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = app.presented_session() and restricted.is_up_to_date() and app.is_alive(s)
    and u.deactivated_at is null
$$;
