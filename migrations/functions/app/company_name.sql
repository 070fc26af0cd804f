-- What the first visit must know before there is anybody: the company, when the command line made it.
create or replace function app.company_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.name from restricted.company c
$$;
