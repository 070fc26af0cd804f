-- A whole number of nine digits at most, as JSON has it.
create or replace function restricted.is_figure(p_value jsonb) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_typeof(p_value) = 'number' and p_value::text ~ '^[0-9]{1,9}$', false)
$$;
