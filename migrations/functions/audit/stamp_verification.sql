-- Who checked the books, and when.
create or replace function audit.stamp_verification() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.actor := audit.actor(new.actor);
  new.finished_at := clock_timestamp();
  return new;
end $$;
