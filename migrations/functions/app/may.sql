-- Whether whoever the connection speaks for has that right.
create or replace function app.may(p_right text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.role_may(app.current_role_name(), p_right)
$$;
