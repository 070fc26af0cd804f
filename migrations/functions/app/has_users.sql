-- Whether the installation waits for its first visit, which a page must know before anybody is there.
create or replace function app.has_users() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.users)
$$;
