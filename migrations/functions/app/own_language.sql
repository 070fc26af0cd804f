-- What the person at the browser reads; Swedish while nobody is there, or they have not passed both steps.
create or replace function app.own_language() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select u.language from restricted.users u where u.id = app.complete_user_id()), 'sv')
$$;
