-- Who acknowledged a month, and when.
create or replace function ledger.stamp_acknowledgement() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.acknowledged_by := audit.actor(new.acknowledged_by);
  new.acknowledged_at := clock_timestamp();
  return new;
end $$;
