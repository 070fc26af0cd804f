-- Whoever owns the database: commands on the server. A login of ours never is.
create or replace function app.is_operator() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select pg_has_role(session_user, current_user, 'member')
$$;
