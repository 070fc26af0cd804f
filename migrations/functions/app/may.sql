-- What each role may: `lasare` reads, `medarbetare` keeps the books, `administrator` also administers
-- (settings, keys, locks), `agare` also owns (users).
create or replace function app.may(p_right text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    array_position(array['lasare', 'medarbetare', 'administrator', 'agare'], app.current_role_name())
      >= array_position(array['read', 'keep_books', 'administer', 'own'], p_right), false)
$$;
