-- The address of a password, counted as every try of it is.
create or replace function app.account_subject(p_email text) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select 'account ' || lower(left(p_email, 320))
$$;
