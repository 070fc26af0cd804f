-- What the last check of all books found, without saying what.
create or replace function api.last_verification() returns table (finished_at timestamptz, problems integer)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select v.finished_at, jsonb_array_length(v.problems) from audit.verifications v
  order by v.finished_at desc limit 1
$$;
