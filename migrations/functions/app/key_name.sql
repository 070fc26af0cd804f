-- The name of the key that sent something, for everybody who may read; keys themselves are for
-- administrators.
create or replace function app.key_name(p_id uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.name from restricted.api_keys k where k.id = p_id and app.may('read')
$$;
