-- A series begins at nothing.
create or replace function ledger.begin_series() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.last_hash := ledger.first_hash(new.id);
  return new;
end $$;
