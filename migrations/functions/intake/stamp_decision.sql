-- Who decided, and when.
create or replace function intake.stamp_decision() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.decided_by := audit.actor(new.decided_by);
  new.decided_at := clock_timestamp();
  return new;
end $$;
