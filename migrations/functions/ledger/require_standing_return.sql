-- At the commit: a period that is filed has a return that holds, unless it was filed before returns were frozen. The last one is
-- taken back with the filing.
create or replace function ledger.require_standing_return() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from ledger.vat_filings f where f.period_end = new.period_end)
    and not exists (select from ledger.vat_returns r
      where r.period_end = new.period_end and r.withdrawn_at is null) then
    raise exception 'the period to % is filed, and has no return', new.period_end
      using errcode = 'HB002', constraint = 'vat_filings_have_a_return';
  end if;
  return null;
end $$;
