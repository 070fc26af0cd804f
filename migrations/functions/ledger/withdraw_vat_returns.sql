-- A period that is not filed has no return that is, the latest taken back first.
create or replace function ledger.withdraw_vat_returns() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_number integer;
begin
  for v_number in
    select r.number from ledger.vat_returns r
    where r.period_end = old.period_end and r.withdrawn_at is null order by r.number desc
  loop
    update ledger.vat_returns r set withdrawn_at = now(), withdrawn_by = old.filed_by
    where r.period_end = old.period_end and r.number = v_number;
  end loop;
  return null;
end $$;
