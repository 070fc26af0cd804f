-- The user of the presented session once both factors are passed.
create or replace function app.complete_user_id() returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when app.current_role_name() is not null then app.current_user_id() end
$$;
