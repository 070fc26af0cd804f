-- Until when whoever is let in now, by a link or by a password that somebody else knows, must have come.
create or replace function app.let_in_until() returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp as $$
  select now() + interval '7 days'
$$;
