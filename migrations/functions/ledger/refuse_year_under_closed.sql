-- A year that comes before a closed one would change what that began with.
create or replace function ledger.refuse_year_under_closed() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Held until the new year is there: whoever closes one of them meanwhile waits, and sees it.
  perform from ledger.fiscal_years later where later.start_date > new.end_date for share;
  if exists (select from ledger.fiscal_years later where later.start_date > new.end_date and later.status = 'closed') then
    raise exception 'a later fiscal year than % is closed', new.year
      using errcode = 'HB004', constraint = 'fiscal_years_begin_after_closed';
  end if;
  return null;
end $$;
