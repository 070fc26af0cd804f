-- How many codes the person who is logged in has left.
create or replace function app.count_recovery_codes() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::integer from restricted.recovery_codes
  where user_id = app.complete_user_id() and used_at is null
$$;
