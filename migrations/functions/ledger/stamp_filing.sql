-- Who filed a VAT period, and when.
create or replace function ledger.stamp_filing() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.filed_by := audit.actor(new.filed_by);
  new.filed_at := clock_timestamp();
  return new;
end $$;
