-- The return has what was assigned to its period until then.
create or replace function ledger.mark_vat_assignments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.vat_assignments a set return_number = new.number
  where a.period_end = new.period_end and a.return_number is null;
  return null;
end $$;
