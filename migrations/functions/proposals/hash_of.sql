-- By which what a proposal relies on is known again.
create or replace function proposals.hash_of(p_grounds jsonb) returns bytea
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select sha256(convert_to(p_grounds::text, 'UTF8'))
$$;
