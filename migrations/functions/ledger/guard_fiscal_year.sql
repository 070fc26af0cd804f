-- Only owners reopen a year, and a year that has vouchers keeps its days.
create or replace function ledger.guard_fiscal_year() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if (new.year, new.start_date, new.end_date) is distinct from (old.year, old.start_date, old.end_date)
      and exists (select from ledger.series where fiscal_year_id = old.id and last_number > 0) then
    raise exception 'fiscal year % has vouchers; its days stay', old.year
      using errcode = 'HB004', constraint = 'fiscal_years_in_use';
  end if;
  if old.status = 'closed' and new.status = 'open' and session_user = 'hb_app'
      and not app.may('own') then
    raise exception 'only an owner reopens a year' using errcode = 'HB405';
  end if;
  return new;
end $$;
