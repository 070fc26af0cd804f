-- What each role may: `lasare` reads, `medarbetare` keeps the books, `administrator` also administers
-- (settings, keys, locks), `agare` also owns (users). False for no role.
create or replace function app.role_may(p_role text, p_right text) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_position(array['lasare', 'medarbetare', 'administrator', 'agare'], p_role)
    >= array_position(array['read', 'keep_books', 'administer', 'own'], p_right), false)
$$;
